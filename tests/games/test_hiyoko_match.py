"""Hiyoko: turns of a round by hand, the length of a match, the dealer, and the winner."""

import random
from typing import Any

import pytest

import mekuri
from mekuri.cards import parse_card, parse_cards
from mekuri.testing.records import play
from mekuri.testing.worlds import play_out
from tests.helpers.sequences import event_ids
from tests.helpers.tables import with_options

GAME = mekuri.game("hiyoko")


def play_on(match: mekuri.Match, chance: random.Random) -> None:
    play_out(match.round, chance)
    match.next_round()


def driven(round: mekuri.Round) -> list[str]:
    """Return the actions so far, including those of the driver."""
    return [round.action_text(action) for _, action in round.history]


class TestDrawing:
    """Who draws, and when. No player here has a card that follows unless the test says so."""

    def test_last_discarder_draws(self) -> None:
        round = GAME.position("phase play; hand 8O 4O 2K / 3K 5O 4K; pile 7O; stock 12O 11O 10O 5K")
        round.play("8O")
        round.play("done")
        assert round.waiting == (1,)
        round.play("pass")
        assert driven(round)[-1] == "turn-up"
        assert round.waiting == (0,)
        round.play("2K")  # the king, turned up, counts as 1
        round.play("done")
        assert driven(round)[-1] == "done"  # the other has not passed yet: no draw
        round.play("3K")
        assert round.waiting == (1,)

    def test_player_draws_again_if_the_other_passes(self) -> None:
        round = GAME.position("phase play; hand 8O 4O 2K / 3K 5O 4K; pile 7O; stock 11O 10O 12K 5K")
        for word in ("8O", "done", "pass", "pass"):
            round.play(word)
        assert round.waiting == (1,)
        assert driven(round).count("turn-up") == 1  # the other plays on the new top, without a draw
        round.play("pass")
        assert driven(round).count("turn-up") == 2
        assert round.waiting == (0,)

    def test_first_passer_draws(self) -> None:
        game = mekuri.game("hiyoko", who_draws="first-passer")
        round = game.position("phase play; hand 8O 4O 2K / 3K 5O 4K; pile 7O; stock 11O 10O 12K 5K")
        for word in ("8O", "done", "pass"):
            round.play(word)
        assert driven(round)[-1] == "pass"  # the first passer has passed; the other must pass too
        round.play("pass")
        assert driven(round)[-1] == "turn-up"
        assert round.waiting == (1,)

    @pytest.mark.parametrize("who_draws", ["last-discarder", "first-passer"])
    @pytest.mark.parametrize("dealer", [0, 1])
    def test_dealer_draws_first(self, who_draws: str, dealer: int) -> None:
        """Before the first discard both players pass, and then the dealer draws, under either rule."""
        stock = "1O 2O 3O 8O 9O 10O 1K 2K 3K 8K 9K 10K 5O 4H 11O 11K"
        round = mekuri.game("hiyoko", who_draws=who_draws).position(f"phase deal; dealer {dealer}; stock {stock}")
        assert round.waiting == (dealer,)
        round.play("pass")
        assert driven(round)[-1] == "pass"
        round.play("pass")
        assert driven(round)[-1] == "turn-up"
        assert round.waiting == (dealer,)

    def test_discard_resets_the_count_of_draws(self) -> None:
        """The two passes through the stock that void a round are counted from the last discard."""
        round = GAME.position("phase play; turn 1; hand 12O 4O 2K / 3K 5O 4K; pile 7O; drawn 2; stock 11O 10O 5K")
        s: Any = round._state
        round.play("pass")
        assert (s.drawn, s.turn_draws, s.passes) == (3, 1, 1)
        round.play("12O")
        assert (s.drawn, s.passes) == (0, 0)

    def test_player_draws_until_a_card_is_playable(self) -> None:
        game = mekuri.game("hiyoko", who_draws="draw-until-playable")
        round = game.position("phase play; hand 8O 4O 2K / 3K 5O 4K; pile 7O; stock 11O 10O 12K 5K")
        for word in ("8O", "done", "pass"):
            round.play(word)
        assert round.legal == ("draw",)
        round.play("draw")
        assert round.legal == ("draw",)
        round.play("draw")
        assert round.legal == ("2K",)

    def test_draw_until_playable_ends_after_one_pass_of_the_stock(self) -> None:
        """Two cards lie in the pile and two in the stock: three draws are one pass, for the top stays."""
        game = mekuri.game("hiyoko", who_draws="draw-until-playable")
        round = game.position("phase play; hand 8O 1K 7K / 3K 2O 4K; pile 5O; drawer 0; turn 1; stock 9O 10O 5K")
        round.play("pass")
        for _ in range(2):
            assert round.legal == ("draw",)
            round.play("draw")
        assert round.legal == ("pass",)
        assert driven(round).count("turn-up") == 3
        round.play("pass")
        assert round.waiting == (1,)


@pytest.mark.clause("hiyoko.draw.recycle")
def test_recycling_leaves_the_top() -> None:
    round = GAME.position("phase play; turn 1; hand 1O 3O / 4K 1K; pile 7O 9K 8K 10K; top 9K", seed=1)
    round.play("pass")
    assert driven(round) == ["pass", "recycle", "turn-up"]
    s: Any = round._state
    assert s.stock == 2
    assert s.pile == 1 << parse_card("9K") | 1 << s.top
    assert len(round.packs) == 1
    assert sorted(round.packs[0]) == sorted(map(parse_card, ("7O", "8K", "10K")))


@pytest.mark.clause("hiyoko.draw.recycle")
class TestRenewedAtOnce:
    """The last card of the stock is turned up on three others, and its king follows it."""

    POSITION = "phase play; turn 1; hand 11O 3O 12O / 4K 2K 5K; pile 7O 9K 8K; top 8K; stock 10K"

    def renewed(self, renew: str) -> mekuri.Round:
        round = mekuri.game("hiyoko", renew=renew).position(self.POSITION, seed=1)
        round.play("pass")
        return round

    def test_driver_makes_a_new_stock_at_once(self) -> None:
        round = self.renewed("at-once")
        s: Any = round._state
        assert driven(round) == ["pass", "turn-up", "recycle"]
        assert (s.stock, s.pile, s.drawn) == (3, 1 << parse_card("10K"), 1)
        assert s.absent[0] & s.absent[1] & s.deck == parse_cards("7O 9K 8K")
        assert round.legal == ("11O",)
        assert driven(self.renewed("when-needed")) == ["pass", "turn-up"]

    def test_later_discards_are_not_in_the_new_stock(self) -> None:
        """Where the stock is renewed for the next card, that is one of six; at once, one of the three that lay there before."""
        for renew, pack in (("at-once", "7O 9K 8K"), ("when-needed", "7O 9K 8K 10K 11O")):
            round = self.renewed(renew)
            for action in ("11O", "12O", "done", "pass"):
                round.play(action)
            assert driven(round)[-1] == "turn-up"
            assert [sorted(cards) for cards in round.packs] == [sorted(map(parse_card, pack.split()))]

    def test_position_with_a_renewed_stock_reads_back(self) -> None:
        round = self.renewed("at-once")
        again = mekuri.game("hiyoko", renew="at-once").position(round.position)
        assert "gathered 3" in round.position
        assert again.position == round.position
        assert again.legal == round.legal

    def test_empty_stock_is_refused_after_a_turned_card(self) -> None:
        """Unless nothing has been turned up in this turn: a position may begin without a stock."""
        game = mekuri.game("hiyoko", renew="at-once")
        with pytest.raises(mekuri.PositionError, match="renewed at once"):
            game.position("phase play; hand 3O / 4O; pile 7O 10K; top 10K; top_drawn 1; turn_draws 1")
        round = game.position("phase play; turn 1; hand 3O / 4O; pile 7O 10K; top 10K", seed=1)
        round.play("pass")
        assert driven(round) == ["pass", "recycle", "turn-up", "recycle"]

    def test_void_round_is_dealt_from_the_whole_pack(self) -> None:
        """Also where the new stock was still to be shuffled."""
        game = mekuri.game("hiyoko", renew="at-once", must_play="free")
        stuck = game.position("phase play; hand 11O 3O / 4K 2K; pile 7O; stock 8K; passes 1; drawn 1", seed=1)
        for word in ("pass", "pass", "pass", "pass"):
            stuck.play(word)
        assert driven(stuck)[-2:] == ["gather", "deal"]
        assert [stuck.view(0).zones[seat].count for seat in range(2)] == [6, 6]


@pytest.mark.clause("hiyoko.play.run", "hiyoko.play.said")
class TestEndOfRun:
    """Whether a card follows is for its player to know: a turn ends by a word, in every reading."""

    NOTHING, SOMETHING = "phase play; hand 8O 4O / 9K 2K; pile 7O", "phase play; hand 8O 9O 4O / 9K 2K; pile 7O"

    @pytest.mark.parametrize("must_play", ["first-card", "all", "free"])
    def test_turn_ends_by_a_word(self, must_play: str) -> None:
        game = mekuri.game("hiyoko", must_play=must_play)
        for position, goes_on in ((self.NOTHING, ()), (self.SOMETHING, ("9O",))):
            round = game.position(position)
            round.play("8O")
            assert round.waiting == (0,)
            assert round.legal == (*goes_on, *(("done",) if must_play != "all" or not goes_on else ()))

    def test_views_hide_whether_a_card_follows(self) -> None:
        views = []
        for hand in ("8O 4O 3O", "8O 9O 3O"):
            round = GAME.position(f"phase play; hand {hand} / 9K 2K; pile 7O; stock 5K 6H")
            round.play("8O")
            views.append(round.view(1))
        assert views[0] == views[1]


@pytest.mark.clause("hiyoko.ghosts.drawn-only")
def test_discard_on_a_drawn_card_counts_as_from_the_hand() -> None:
    """The king of swords from the hand is a king, whatever came before it."""
    round = GAME.position("phase play; hand 12I 1O 2K / 3K 5O; pile 11O; top_drawn 1")
    round.play("12I")
    assert round.legal == ("1O", "done")


class TestFixedGhosts:
    """The option: a ghost is the number as which it was played."""

    game = mekuri.game("hiyoko", ghost="fixed")

    def test_ghost_on_one_number_is_the_next(self) -> None:
        round = self.game.position("phase play; hand 1H 9O 4O / 5K 3K; pile 7O")
        round.play("1H")
        assert round.legal == ("9O", "done")
        assert GAME.position("phase play; hand 9O 4O / 5K 3K; pile 1H").legal == ("4O", "9O")  # where ghosts are flexible

    def test_player_names_the_number_of_a_ghost(self) -> None:
        round = self.game.position("phase play; hand 2H 9O 4O / 5K 3K; pile 12H; top_drawn 1")
        round.play("2H")
        assert round.legal == tuple(f"{n}H" for n in range(2, 12))  # each named by its card of clubs, wherever that lies
        round.play("8H")
        assert round.legal == ("9O", "done")
        assert round.position.count("stands_for 8") == 1

    def test_only_numbers_that_follow_can_be_named(self) -> None:
        """Upon 1 to 10 come 2 to 11, and the dragon is none of them but 2 to 10."""
        round = self.game.position("phase play; hand 1H 9O 4O / 5K 3K; pile 1I; top_drawn 1")
        round.play("1H")
        assert {action[:-1] for action in round.legal} == {str(n) for n in range(2, 11)}

    def test_last_card_needs_no_number(self) -> None:
        round = self.game.position("phase play; hand 2H / 5K 3K; pile 12H; top_drawn 1")
        round.play("2H")
        assert round.over

    def test_turned_up_ghost_stays_open(self) -> None:
        """The next player decides its number: any card that follows any of its numbers can be played."""
        assert self.game.position("phase play; hand 2O 9O 4O 12O / 5K 3K; pile 1I; top_drawn 1").legal == ("2O", "4O", "9O")


class TestCombo:
    def test_combo_needs_a_natural_one(self) -> None:
        """A dragon of clubs or swords follows a 1 as a ghost, and no 2 has to come after it."""
        round = GAME.position("phase play; hand 1H 1O 2O 9O / 5K; pile 1K")
        assert set(round.legal) == {"1H", "1O", "2O"}
        round.play("1H")
        assert "done" in round.legal
        round = GAME.position("phase play; hand 1H 1O 2O 9O / 5K; pile 1K")
        round.play("1O")
        assert round.legal == ("2O",)

    @pytest.mark.parametrize(("one_two", "top"), [("printed", False), ("lax", False), ("counts-as", True)])
    def test_combo_on_a_card_that_counts_as_one(self, one_two: str, top: bool) -> None:
        round = mekuri.game("hiyoko", one_two=one_two).position("phase play; hand 1O 2O 9O / 5K; pile 12I; top_drawn 1")
        assert ("1O" in round.legal) == top

    def test_lax_combo_can_stop_after_the_one(self) -> None:
        round = mekuri.game("hiyoko", one_two="lax").position("phase play; hand 1O 2O 9O / 5K; pile 1K")
        round.play("1O")
        assert round.legal == ("2O", "done")
        alone = mekuri.game("hiyoko", one_two="lax").position("phase play; hand 1O 9O / 5K; pile 1K")
        assert alone.legal == ("pass",)


STORIES: dict[str, tuple[dict[str, str], str, str, list[str]]] = {
    "plain": ({}, "phase play; hand 8O 4O / 9K 2K; pile 7O", "8O done 9K", ["play", "done", "play"]),
    "ghost": ({}, "phase play; hand 1H 4O / 9K 2K; pile 7O", "1H", ["play-ghost"]),
    "fixed": ({"ghost": "fixed"}, "phase play; hand 1H 4O / 9K 2K; pile 7O", "1H", ["play-as"]),
    "named": ({"ghost": "fixed"}, "phase play; hand 1H 4O / 9K 2K; pile 3I; top_drawn 1", "1H 5H", ["play-waits", "name"]),
    "combo": ({}, "phase play; hand 1O 2O 4O / 9K; pile 1K", "1O 2O", ["one-two", "play"]),
    "out": ({}, "phase play; hand 8O / 9K; pile 7O", "8O", ["out"]),
    "all-out": (
        {"all_out": "yes"},
        "phase play; hand 8O 9O 10O 11O 12O 1O / 9K; pile 7O",
        "8O 9O 10O 11O 12O 1O",
        ["play", "play", "play", "play", "play", "all-out"],
    ),
    "drawn": ({}, "phase play; turn 1; hand 5O / 9K; pile 7O; stock 10O", "pass", ["pass", "turn-up"]),
    "drawn-as": ({}, "phase play; turn 1; hand 5O / 9K; pile 7O; stock 12I", "pass", ["pass", "turn-up-as"]),
    "recycled": ({}, "phase play; turn 1; hand 5O / 9K; pile 7O 10O; top 7O", "pass", ["pass", "recycle", "turn-up"]),
    "renewed": (
        {"renew": "at-once"},
        "phase play; turn 1; hand 5O / 9K; pile 7O; stock 10O",
        "pass",
        ["pass", "turn-up", "recycle"],
    ),
    "void": (
        {"must_play": "free"},
        "phase play; turn 1; hand 5O / 9K; pile 7O; stock 10O; drawn 2",
        "pass",
        ["pass", "gather", "deal"],
    ),
    "draw": (
        {"who_draws": "draw-until-playable"},
        "phase play; turn 1; hand 5O / 9K; pile 7O; stock 10O 11O 2O",
        "pass draw",
        ["pass", "turn-up", "draw", "turn-up"],
    ),
}


@pytest.mark.parametrize("story", STORIES.values(), ids=STORIES)
def test_story_gives_its_events(story: tuple[dict[str, str], str, str, list[str]]) -> None:
    options, position, actions, expected = story
    round = with_options("hiyoko", dict(options)).position(position, seed=1)
    for action in actions.split():
        round.play(action)
    assert [id.removesuffix("-as") if id == "deal-as" else id for id in event_ids(round)] == expected


def test_events_show_the_range_of_a_ghost() -> None:
    def ranges(position: str, action: str) -> list[str]:
        round = GAME.position(position)
        round.play(action)
        return [event.text.args["range"].id for event in round.events(0) if "range" in event.text.args]

    for card, range_id in (("12I", "one"), ("12H", "all"), ("3I", "all"), ("1H", "1-10"), ("2I", "2-11")):
        assert ranges(f"phase play; turn 1; hand 5O / 9K; pile 7O; stock {card}", "pass") == [f"ranges.{range_id}"]
    for card, range_id in (("3I", "all"), ("1H", "1-10"), ("2I", "2-11")):
        assert ranges(f"phase play; hand 5O {card} / 9K; pile 7O", card) == [f"ranges.{range_id}"]


class TestResult:
    @pytest.mark.clause("hiyoko.score.point")
    @pytest.mark.parametrize("seat", [0, 1])
    def test_player_who_is_out_gets_a_point(self, seat: int) -> None:
        hands = "- / 4O" if seat == 0 else "4O / -"
        round = GAME.position(f"phase over; turn {seat}; hand {hands}")
        assert round.returns == ((1, -1) if seat == 0 else (-1, 1))
        assert round.tallies[seat] == {"points": 1}
        assert round.tallies[1 - seat] == {"points": 0}
        assert round.next_dealer == seat

    @pytest.mark.clause("hiyoko.score.all-out")
    def test_six_cards_in_the_first_turn_give_two_points(self) -> None:
        run = "3O 4O 5O 6H 7O 8O"
        for all_out, seat, turns, points in (("no", 0, 1, 1), ("yes", 0, 1, 2), ("yes", 1, 2, 2), ("yes", 0, 3, 1)):
            hands = f"{run} / 9K" if seat == 0 else f"9K / {run}"
            position = f"phase play; dealer 0; turn {seat}; turns {turns}; hand {hands}; pile 2O"
            round = mekuri.game("hiyoko", all_out=all_out).position(position)
            for card in run.split():
                round.play(card)
            assert round.ending == "all-out"
            assert round.returns[seat] == points

    def test_six_cards_over_two_turns_give_one_point(self) -> None:
        round = mekuri.game("hiyoko", all_out="yes").position("phase play; discards 0; hand 3O 4O 5O 6H 7O / 9K; pile 2O")
        for card in ("3O", "4O", "5O", "6H", "7O"):
            round.play(card)
        assert (round.ending, round.returns) == ("out", (1, -1))


@pytest.mark.clause("hiyoko.match.three-points")
class TestMatch:
    def test_match_ends_at_three_points(self) -> None:
        lengths = set()
        for seed in range(30):
            match, chance = GAME.match(seed=seed), random.Random(seed)
            while not match.over:
                assert max(account.get("points", 0) for account in match.ledger) < 3
                play_on(match, chance)
            points = [account["points"] for account in match.ledger]
            assert max(points) == 3
            assert match.winners == (points.index(3),)
            assert sum(points) == len(match.finished)
            lengths.add(len(match.finished))
        assert lengths == {3, 4, 5}
        assert GAME.match(seed=0).length == 5

    def test_match_ends_at_another_target(self) -> None:
        match, chance = GAME.match(seed=1, target=1), random.Random(1)
        assert match.length == 1
        play_on(match, chance)
        assert match.over

    def test_match_ends_at_its_number_of_rounds(self) -> None:
        match, chance = GAME.match(seed=1, target=9, rounds=2), random.Random(1)
        assert match.length == 2
        play_on(match, chance)
        play_on(match, chance)
        assert match.over
        assert len(GAME.match(seed=1, rounds=48).ledger) == 2
        assert GAME.match(seed=1, rounds=48).length == GAME.match(seed=1, rounds="open").length == 5


@pytest.mark.clause("hiyoko.match.first-dealer")
def test_first_dealer_is_drawn_by_lot() -> None:
    drawn = [GAME.match(seed=seed).dealer for seed in range(200)]
    assert 70 < sum(drawn) < 130
    assert GAME.match(seed=drawn.index(1)).round.waiting == (1,)


@pytest.mark.clause("hiyoko.match.next-dealer")
def test_winner_deals_next() -> None:
    match = play(GAME.match(seed=3, target=9), random.Random(3))
    for one, then in zip(match.finished[:-1], match.finished[1:], strict=True):
        assert one.returns[then.dealer] > 0
    assert {round.dealer for round in match.finished} == {0, 1}


def test_random_round_has_events_and_views() -> None:
    round = play_out(GAME.deal(seed=4), random.Random(4))
    assert len(round.events(0)) == len(round.history)
    assert round.view(0).shape == "pile"
