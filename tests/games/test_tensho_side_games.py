"""Tensho's side games: how they are dealt, bet on and paid, that they change nothing but chips, and what bots stake in them."""

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

import mekuri
from mekuri.bots import Budget, Player
from mekuri.bots.levels import choose
from mekuri.bots.review.decisions import decisions
from mekuri.bots.search import machine_code
from mekuri.bots.search.think import think
from mekuri.cards import card_text, each, parse_cards
from mekuri.engine.bot import Seen
from mekuri.engine.chance import stream
from mekuri.engine.contract import legal, returns, side_bet, side_returns, waiting
from mekuri.engine.errors import IllegalAction, OptionError
from mekuri.engine.fields import RoundState
from mekuri.engine.position import parse_position
from mekuri.games.kabu import ARASHI, PACK, ROW, TSUKE, strength
from mekuri.games.tensho.options import TenshoOptions
from mekuri.games.tensho.state import Phase, TenshoState
from mekuri.match.match import Match
from mekuri.match.round import Round
from mekuri.testing import leaks
from mekuri.testing.chances import LEAST_LIKELY
from mekuri.testing.states import start
from mekuri.testing.worlds import likelihood, random_round, redealt, seen, steps
from tests.helpers.tables import assert_share

BOTH: dict[str, Any] = {"shoniban": "hon-bana", "tokotoko": "best"}
CHOOSE: dict[str, Any] = {"shoniban": "tensho", "tokotoko": "choose", "tokotoko_free": True}
ROWS = "phase bet; face-down 1H 2H 3H; naka 4H 5H 10H; oto 1I 2I 3I; hand 7I / 8I"  # 9 against 6
DEALT = "phase stake; winner 1; two 12I 9O / 1O 4I; middle 1K 10H"  # 3 against 6


def position(text: str, **options: Any) -> Round[TenshoState]:
    return mekuri.game("tensho", **options).position(text)  # type: ignore[return-value]


def state(text: str, **options: Any) -> TenshoState:
    s = start(mekuri.game("tensho", **options))
    parse_position(s, text)
    assert isinstance(s, TenshoState)
    return s


def chips(round: Round[TenshoState]) -> tuple[int, ...]:
    return tuple(side_returns(round._state, seat) for seat in range(2))


def rounds(n: int, **options: Any) -> Iterator[Round[TenshoState]]:
    for seed in range(n):
        yield random_round(mekuri.game("tensho", **options), seed)  # type: ignore[misc]


class TestShoniban:
    THREES = 14_190
    RANKS = dict(enumerate((1452, 1424, 1452, 1424, 1404, 1400, 1320, 1424, 1398, 1424))) | {TSUKE: 24, ARASHI: 44}

    @pytest.mark.every_days(4)
    @pytest.mark.parametrize("deal_order", ["steps", "packets"])
    def test_dealt_rows_rank_like_random_rows(self, deal_order: str) -> None:
        game, deals = mekuri.game("tensho", yaku_set="one", shoniban="hon-bana", deal_order=deal_order), 4000
        counted: Counter[int] = Counter()
        for seed in range(deals):
            s = game.deal(seed=seed)._state
            assert isinstance(s, TenshoState)
            counted.update((strength(s.naka), strength(s.oto)))
        for rank, ways in self.RANKS.items():
            assert_share(counted[rank], 2 * deals, ways / self.THREES)

    @pytest.mark.parametrize("deal_order", ["steps", "packets"])
    def test_rows_are_the_field_in_dealing_order(self, deal_order: str) -> None:
        """The pack is dealt from its end: by steps three cards to the field, twelve to the stacks, and again."""
        game = mekuri.game("tensho", yaku_set="one", shoniban="hon-bana", deal_order=deal_order)
        without = mekuri.game("tensho", yaku_set="one", deal_order=deal_order)
        for seed in range(20):
            round = game.deal(seed=seed)
            s, other, pack = round._state, without.deal(seed=seed)._state, round.packs[0][::-1]
            assert isinstance(s, TenshoState)
            assert isinstance(other, TenshoState)
            between = 15 if deal_order == "steps" else ROW
            rows = [sum(1 << card for card in pack[at : at + ROW]) for at in (0, between, 2 * between)]
            assert [s.face_down, s.naka, s.oto] == rows
            assert other.face_down == sum(rows)
            assert (s.stack, s.dead, s.pack[: s.stock]) == (other.stack, other.dead, other.pack[: other.stock])

    def test_opponent_of_the_dealer_bets_before_the_field_is_open(self) -> None:
        for round in rounds(10, shoniban="hon-bana"):
            for now in steps(round):
                s = now._state
                assert isinstance(s, TenshoState)
                if s.phase == Phase.BET:
                    assert now.waiting == (1 - s.dealer,)
                    assert not s.field
                    view = now.view(1 - s.dealer)
                    assert [zone.cards for zone in view.zones if zone.id in ("shi", "naka", "oto")] == [(None,) * ROW] * 3
                    assert [each.action for each in view.legal] == ["decline", "naka", "oto"]

    @pytest.mark.parametrize(("bet", "won"), [("naka", (-10, 10)), ("oto", (10, -10)), ("decline", (0, 0))])
    def test_dealer_holds_the_other_row(self, bet: str, won: tuple[int, int]) -> None:
        round = position(ROWS, shoniban="hon-bana")
        round.play(bet)
        assert chips(round) == won

    def test_settled_bet_survives_a_redeal(self) -> None:
        """Four 4s lie on the field once it is turned up."""
        text = "phase bet; face-down 4I 4O 3H; naka 4H 5H 10H; oto 1I 2I 4K; hand 7I / 8I; won 0 / 20"
        round = position(text, shoniban="hon-bana", yaku_set="one")
        round.play("naka")
        s = round._state
        assert (s.phase, list(s.redeals)[:1], s.bet, chips(round)) == (Phase.STACK, [1], 0, (-30, 30))
        round.play("left")
        assert round.waiting == (1,)
        assert round.legal == ("decline", "naka", "oto")

    def test_rows_are_independent_of_the_hand(self) -> None:
        s, rows = state(ROWS, shoniban="hon-bana"), Counter[str]()
        worlds = 3000
        for seed in range(worlds):
            world = redealt(seen(s, 1), 1, stream(seed))
            assert isinstance(world, TenshoState)
            for name, row in (("naka", world.naka), ("oto", world.oto), ("shi", world.face_down)):
                rows[name] += row >> 12 & 1  # the 4 of clubs
        for name in ("naka", "oto", "shi"):
            assert_share(rows[name], worlds, ROW / (len(PACK) - 1))  # of what can be seen there is one card


class TestTokotoko:
    def test_dead_cards_go_in_twos_in_dealing_order(self) -> None:
        game = mekuri.game("tensho", yaku_set="one", tokotoko="best")
        without = mekuri.game("tensho", yaku_set="one")
        for seed in range(20):
            round = game.deal(seed=seed, dealer=seed % 2)
            s, other = round._state, without.deal(seed=seed, dealer=seed % 2)._state
            assert isinstance(s, TenshoState)
            assert isinstance(other, TenshoState)
            last = round.packs[0][5::-1]
            twos = [1 << one | 1 << two for one, two in zip(last[::2], last[1::2], strict=True)]
            assert [s.two[1 - s.dealer], s.two[s.dealer], s.middle] == twos
            assert other.dead == sum(twos)
            assert (s.stack, s.face_down, s.pack[: s.stock]) == (other.stack, other.face_down, other.pack[: other.stock])

    def test_left_over_cards_are_not_called_dead(self) -> None:
        """Once they are dealt, the cards aside are the rest of the round."""
        text = "phase play; hand 7I 3K / 2K; field 7O; two 12I 9O / 1O 4I; middle 1K 10H"
        before = position(text, tokotoko="best")
        after = position(text.replace("phase play", "phase stake; winner 1"), tokotoko="best")
        book = before.game.rulebook
        for round, name in ((before, "Dead cards"), (after, "Left over")):
            (aside,) = [zone for zone in round.view(0).zones if zone.kind == "dead"]
            assert book.text_of(f"zones.{aside.id}", "en") == name
        assert {zone.id for zone in after.view(0).zones} & {"dead"} == set()

    @pytest.mark.parametrize(
        ("text", "action", "ending"),
        [
            ("phase play; hand 7I /; field 7O; two 12I 9O / 1O 4I; middle 1K 10H", "7I", "chaff"),
            (
                "phase play; set 1; hand 5I 2K / 3O 4K; field 5O; captured 6H 10I; two 12I 9O / 1O 4I; middle 1K 10H",
                "5I",
                "instant-win",
            ),
        ],
    )
    def test_tokotoko_follows_every_ending(self, text: str, action: str, ending: str) -> None:
        round = position(text, tokotoko="best")
        round.play(action)
        assert not round.over
        assert round.waiting == (0, 1)
        assert round.view(0).near == ()
        round.play("thirty", 0)
        round.play("twenty", 1)
        assert (round.over, round.ending, round.returns, chips(round)) == (True, ending, (1, -1), (-20, 20))

    def test_stake_and_cards_of_the_other_are_hidden(self) -> None:
        round = position(DEALT, tokotoko="best")
        round.play("thirty", 0)
        for viewer, known in ((0, ["12I", "9O"]), (1, ["1O", "4I"]), (None, [])):
            view = round.view(viewer)
            cards = [card_text(card) for zone in view.zones for card in zone.cards if card is not None]
            assert sorted(cards) == sorted(known)
        assert "3" not in str([event.text for event in round.events(1)])

    def test_equal_hands_get_their_stakes_back(self) -> None:
        round = position("phase stake; winner 1; two 4H 2H / 4I 2I; middle 5H 10H", tokotoko="best")
        round.play("thirty", 0)
        round.play("thirty", 1)
        assert chips(round) == (0, 0)

    def test_badly_chosen_card_loses(self) -> None:
        """1, 4 and 10 make 15, and 12, 1 and 10 make 23: 5 against 3. Without the 12 it would have been 0."""
        round = position(DEALT, tokotoko="choose")
        for seat, action in ((0, "ten"), (1, "ten"), (1, "1K"), (0, "12I")):
            round.play(action, seat)
        assert chips(round) == (-10, 10)

    def test_declined_stake_cancels_the_bet(self) -> None:
        round = position(DEALT, tokotoko="choose", tokotoko_free=True)
        round.play("decline", 0)
        round.play("thirty", 1)
        assert round.over
        assert chips(round) == (0, 0)
        assert round.view(None).zones[0].cards == tuple(each(parse_cards("12I 9O")))

    @pytest.mark.parametrize("viewer", [0, 1])
    def test_redeal_is_uniform(self, viewer: int) -> None:
        """Of six cards two lie in the middle, two are the other's, and all else has been seen."""
        rest = " ".join(card_text(card) for card in PACK if not 1 << card & parse_cards("12I 9O 1O 4I 1K 10H"))
        assert likelihood(state(f"{DEALT}; captured {rest}", tokotoko="best"), viewer, viewer) > LEAST_LIKELY


class TestChipsOnly:
    @pytest.mark.parametrize("options", [BOTH, CHOOSE], ids=["both", "choose"])
    def test_side_games_do_not_change_the_round(self, options: dict[str, Any]) -> None:
        """The round's actions are replayed with the same cards and without side games."""
        for round in rounds(40, **options):
            plain = mekuri.game("tensho")
            again = Round(plain, plain.new_state(round.dealer), stream(0), round.packs)
            for seat, action in aside_left_out(round):
                again.play(action, seat)
            assert (again.returns, again.ending, again.next_dealer) == (round.returns, round.ending, round.next_dealer)
            for one, other in zip(round.tallies, again.tallies, strict=True):
                assert {name: n for name, n in one.items() if name != "chips"} == other

    @pytest.mark.parametrize("options", [BOTH, CHOOSE], ids=["both", "choose"])
    def test_stakes_do_not_change_returns(self, options: dict[str, Any]) -> None:
        tried = 0
        for round in rounds(30, **options):
            assert sum(account["chips"] for account in round.tallies) == 0
            for now in steps(round):
                s = now._state
                for seat in each(waiting(s)):
                    if seat < 2 and side_bet(s, seat):
                        assert len({returns(end, 0) for end in ends(now, seat)}) == 1
                        tried += 1
        assert tried > 60

    def test_match_is_decided_by_rounds_only(self) -> None:
        for seed in range(6):
            match, chance = mekuri.game("tensho", **BOTH).match(seed=seed, rounds=4), random.Random(seed)
            while not match.over:
                while not match.round.over:
                    seat = match.round.waiting[0]
                    match.round.play(chance.choice(match.round.legal_for(seat)), seat)
                match.next_round()
            assert sum(account["chips"] for account in match.ledger) == 0
            best = max((account["rounds"], account["yaku"]) for account in match.ledger)
            assert match.winners == tuple(
                seat for seat, account in enumerate(match.ledger) if (account["rounds"], account["yaku"]) == best
            )
            again: Match = mekuri.replay(match.record().to_json())
            assert again.ledger == match.ledger

    def test_match_without_side_games_has_no_chips(self) -> None:
        for round in rounds(5):
            assert all("chips" not in account for account in round.tallies)

    def test_review_skips_side_bets(self) -> None:
        for round in rounds(4, **CHOOSE):
            assert not any(side_bet(one.whole, one.seat) for one in decisions(round))


def aside_left_out(round: Round[TenshoState]) -> list[tuple[int, int]]:
    """Return the actions of a round without its side games."""
    kept, done = [], iter(round.history)
    for now in steps(round):
        s = now._state
        seat, action = next(done, (16, 0))
        if seat < 2 and not side_bet(s, seat):
            kept.append((seat, action))
    return kept


def ends(now: Round, seat: int) -> Iterator[RoundState]:
    """Return the end of a round after each possible action of a seat, with other actions unchanged."""
    for action in each(legal(now._state, seat)):
        again = Round(now.game, now.game.new_state(now.dealer), stream(7), now.packs)
        for who, done in [*now.actions, (seat, action)]:
            again.play(done, who)
        chance = random.Random(3)
        while not again.over:
            who = again.waiting[0]
            s = again._state
            actions = again.legal_for(who)
            if side_bet(s, who):
                again.play(actions[0], who)
            else:
                again.play(chance.choice(actions), who)
        yield again._state


class TestOptions:
    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"shoniban": "hon-bana", "field": 8}, "shoniban is played with three rows"),
            ({"shoniban_stake": 20}, "shoniban_stake only counts"),
            ({"tokotoko": "best", "hand": 5}, "tokotoko is played with 6 dead cards, and here 11 are left"),
            ({"tokotoko": "choose", "deck": "1-11"}, "tokotoko is played with 6 dead cards, and here 2 are left"),
            ({"tokotoko_free": True}, "tokotoko_free only counts"),
        ],
    )
    def test_impossible_options_are_refused(self, options: dict[str, Any], message: str) -> None:
        with pytest.raises(OptionError, match=message):
            mekuri.game("tensho", **options)

    def test_side_games_are_off_by_default(self) -> None:
        chosen = mekuri.game("tensho").options
        assert isinstance(chosen, TenshoOptions)
        assert (chosen.shoniban, chosen.tokotoko) == (0, 0)

    def test_refusals_name_their_clauses(self) -> None:
        for text, options, seat, action, clause in (
            (ROWS, {"shoniban": "hon-bana"}, 0, "naka", "tensho.shoniban.bet"),
            (ROWS, {"shoniban": "hon-bana"}, 1, "ten", "tensho.shoniban.bet"),
            (DEALT, {"tokotoko": "best"}, 0, "decline", "tensho.tokotoko.free"),
            (DEALT, {"tokotoko": "best"}, 0, "9O", "tensho.tokotoko.stake"),
        ):
            with pytest.raises(IllegalAction) as refused:
                position(text, **options).play(action, seat)
            assert refused.value.clause == clause


class TestBots:
    def seen(self, text: str, seat: int, **options: Any) -> Seen:
        return Seen(position(text, **options).hidden(seat), seat)

    def test_bots_weigh_a_stake_in_chips(self) -> None:
        """The round itself is won, with the same result for any stake."""
        tries = {word(one.action): one for one in think(self.seen(DEALT, 0, tokotoko="best"), stream(1), Budget(600), greedy())}
        assert tries.keys() == {"ten", "twenty", "thirty"}
        assert all(-30 < one.mean < 30 and one.error > 0.3 for one in tries.values())

    @pytest.mark.parametrize(("two", "wanted"), [("6H 11H", "thirty"), ("1O 11H", "ten")])
    def test_bots_stake_high_on_good_hands_only(self, two: str, wanted: str) -> None:
        """With 6 and 11 a seat gains a quarter of its stake, with 1 and 11 it loses more than a third."""
        seen = self.seen(f"phase stake; winner 1; two {two} / 8O 4I; middle 1K 10H", 0, tokotoko="best")
        assert word(choose(seen, stream(two), Budget(2000), "kakuo")) == wanted

    @pytest.mark.machine_code
    def test_machine_code_gives_the_same_stakes(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(machine_code, "_ready", {})
        asked = [self.seen(ROWS, 1, shoniban="hon-bana"), self.seen(DEALT, 0, tokotoko="choose")]
        plain = [think(seen, stream("same"), Budget(90), greedy()) for seen in asked]
        machine_code.prepare(mekuri.game("tensho").contract, greedy())
        assert [think(seen, stream("same"), Budget(90), greedy()) for seen in asked] == plain

    def test_bots_decline_losing_stakes(self) -> None:
        seen = self.seen("phase stake; winner 1; two 1O 11H / 8O 4I; middle 1K 10H", 0, tokotoko="best", tokotoko_free=True)
        assert word(choose(seen, stream(2), Budget(2000), "kakuo")) == "decline"

    def test_bots_leave_out_the_right_card(self) -> None:
        """12, 1 and 10 make 23, 9, 1 and 10 make 20, 12, 9 and 1 make 22, and 12, 9 and 10 make 31."""
        seen = self.seen(
            "phase leave-out; turn 0; dealer 1; winner 1; two 12I 9O / 1O 4I; middle 1K 10H; named 2 / 2", 0, tokotoko="choose"
        )
        assert card_text(choose(seen, stream(1), Budget(400), "kakuo")) == "9O"
        assert card_text(greedy().choose(seen, stream(1), Budget())) == "9O"

    @pytest.mark.every_days(4)
    def test_bots_use_visible_cards_only(self) -> None:
        for options in (BOTH, CHOOSE):
            game = mekuri.game("tensho", **options)
            leaks.hidden_choices(game, 3)
            leaks.two_worlds(game, 4)

    @pytest.mark.every_days(4)
    def test_every_level_plays_side_games(self) -> None:
        for who in ("suzu", "kiku", "flat", "greedy"):
            game = mekuri.game("tensho", **CHOOSE)
            round = game.deal(seed=5)
            players = [Player(who, b"%d" % seat, game.contract, Budget(30)) for seat in range(2)]
            while not round.over:
                seat = round.waiting[0]
                round.play(players[seat].choose(round.hidden(seat), seat), seat)


def greedy() -> Any:
    from mekuri.bots.ours import greedy

    return greedy.bot


def word(action: int) -> str:
    return mekuri.game("tensho").contract.words(action).text
