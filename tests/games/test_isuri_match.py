"""Isuri: sets and payments by hand, the length of a match, the dealer, and the winner."""

import random
from typing import Any

import pytest

import mekuri
from mekuri.testing.worlds import play_out
from tests.helpers.sequences import event_ids
from tests.helpers.tables import with_options

GAME = mekuri.game("isuri")


def played(position: str, actions: str, **options: str) -> mekuri.Round:
    round = with_options("isuri", dict(options)).position(position)
    for action in actions.split():
        round.play(action)
    return round


def paid(round: mekuri.Round) -> list[int]:
    s: Any = round._state
    return list(s.paid)


class TestSets:
    POSITION = "phase play; hand 8O 8K 3I 9O 4O / 5K 3K; pile 7O"

    def test_set_ends_after_three_cards(self) -> None:
        round = played(self.POSITION, "set")
        assert list(round.legal) == ["3I", "8O", "8K"]
        round.play("3I")
        round.play("8O")
        assert list(round.legal) == ["8K"]
        round.play("8K")
        assert list(round.legal) == ["done"]
        round.play("done")
        assert list(round.legal) == ["9O", "done"]  # an 8 lies on top, and the turn goes on

    def test_ghost_on_top_stays_flexible(self) -> None:
        assert played(self.POSITION, "set 8O 8K 3I done").legal == ("4O", "9O", "done")
        assert played(self.POSITION, "set 8O 8K 3I done", ghost="fixed").legal == ("9O", "done")

    def test_number_of_a_set_on_an_open_top(self) -> None:
        position = "phase play; hand 8O 8K 8H 9I 9O 1H / 5K 3K; pile 3I"
        assert "set" in GAME.position(position).legal
        assert set(played(position, "set").legal) == {"8H", "9H"}
        assert played(position, "set 9H").legal == ("1H", "9I", "9O")

    def test_cards_and_numbers(self) -> None:
        """Three that count as the number, two of them by their range; not two, and not three of another number."""
        for hand, may in (("8O 1H 2H 5O", True), ("8O 8K 5O", False), ("9O 9K 9I 5O", False), ("1H 1I 3I 5O", True)):
            assert ("set" in GAME.position(f"phase play; hand {hand} / 5K 3K; pile 7O").legal) == may

    def test_free_set_is_never_compulsory(self) -> None:
        position = "phase play; hand 9O 9K 9I 5O / 5K 3K; pile 7O"
        round = played(position, "", sets="free-set")
        assert round.legal == ("pass", "set")  # a set is never compulsory
        assert played(position, "set 9H 9O 9K 9I", sets="free-set").legal == ("done",)

    def test_player_with_only_a_set_is_asked_for_it(self) -> None:
        """Sets of any number can be discarded if no card follows; they are never compulsory."""
        round = played("phase play; hand 9O 9K 9H 4O / 5K; pile 7O", "", sets="free-set")
        assert set(round.legal) == {"set", "pass"}
        prompt = round.view(0).prompt
        assert prompt is not None
        assert prompt.id == "prompts.set-only"

    def test_set_of_naturals_only(self) -> None:
        for hand, may in (("8O 8K 3I 5O", False), ("8O 8K 8I 5O", True)):
            game = mekuri.game("isuri", sets="naturals-only")
            assert ("set" in game.position(f"phase play; hand {hand} / 5K 3K; pile 7O").legal) == may
        round = played("phase play; hand 8O 8K 8I 3I 5O / 5K 3K; pile 7O", "set 8O 8K 8I", sets="naturals-only")
        assert round.legal == ("done",)

    def test_set_has_at_most_six_cards(self) -> None:
        hand = "8O 8K 8H 8I 1H 1I 2H 5O"
        round = played(f"phase play; hand {hand} / 5K 3K; pile 7O", "set 8O 8K 8H 8I 1H 1I")
        assert round.legal == ("done",)
        assert round.refusal("2H") is not None

    def test_set_comes_before_and_after_other_cards(self) -> None:
        round = played("phase play; hand 7O 8K 8O 8H 9K 4K / 5K; pile 6H", "7O set 8K 8O 8H done 9K done")
        assert round.waiting == (1,)
        assert paid(round) == [7 + 24 + 9, 0]


STORIES: dict[str, tuple[dict[str, str], str, str, list[str]]] = {
    "set": ({}, "phase play; hand 8O 8K 8H 4O / 5K; pile 7O", "set 8O 8K 8H done", ["set-as", *["set-card"] * 3, "set-done"]),
    "named": ({}, "phase play; hand 8O 8K 8H 4O / 5K; pile 3I", "set 8H 8O", ["set", "set-number", "set-card"]),
    "out": ({}, "phase play; hand 8O 8K 8H / 5K; pile 7O", "set 8O 8K 8H", ["set-as", "set-card", "set-card", "out"]),
    "fixed": ({"ghost": "fixed"}, "phase play; hand 1H 4O / 5K; pile 3I; top_drawn 1", "1H 5H", ["play-waits", "name"]),
    "combo": ({}, "phase play; hand 1O 2O 4O / 9K; pile 1K", "1O 2O", ["one-two", "play"]),
    "void": (
        {"must_play": "free"},
        "phase play; turn 1; hand 5O / 9K; pile 7O; stock 10O; drawn 2",
        "pass",
        ["pass", "gather", "deal"],
    ),
    "drawn": ({}, "phase play; turn 1; hand 5O / 9K; pile 7O; stock 6I", "pass", ["pass", "turn-up-as"]),
    "ended": ({}, "phase play; hand 8O 4O / 5K; pile 7O", "8O done", ["play", "done"]),
    "paid-for": ({"pass_pays": "any-turn"}, "phase play; hand 8O 4O / 5K; pile 7O", "8O done", ["play", "done-pays"]),
    "set-and-paid-for": (
        {"pass_pays": "any-turn"},
        "phase play; hand 8O 8K 8H 4O / 5K; pile 7O",
        "set 8O 8K 8H done done",
        ["set-as", *["set-card"] * 3, "set-done", "done-pays"],
    ),
}


@pytest.mark.parametrize("story", STORIES.values(), ids=STORIES)
def test_story_gives_its_events(story: tuple[dict[str, str], str, str, list[str]]) -> None:
    options, position, actions, expected = story
    round = played(position, actions, **options)
    assert [id.removesuffix("-as") if id == "deal-as" else id for id in event_ids(round)] == expected


@pytest.mark.clause("isuri.pay.pass", "isuri.end.pot")
class TestVisiblePot:
    """The growing pot is visible to everyone."""

    def pots(self, position: str, actions: str, **options: str) -> list[int]:
        """The pot at first and after each of the actions, as all see it."""
        round = with_options("isuri", dict(options)).position(position, seed=1)
        found = []
        for action in ["", *actions.split()]:
            if action:
                round.play(action)
            seen = [round.view(viewer) for viewer in (0, 1, None)]
            assert {view.middle["pot"] for view in seen} == {seen[0].middle["pot"]}
            assert all(["Pot", str(view.middle["pot"])] in map(str.split, str(view).splitlines()) for view in seen)
            assert [*seen[0].middle] == ["pot"]
            found.append(seen[0].middle["pot"])
        return found

    def test_pot_grows_with_every_pass(self) -> None:
        position = "phase play; hand 8O 1O 4K / 3O 5K; pile 7O; stock 11O 2K 9K"
        assert self.pots(position, "8O done pass pass pass") == [0, 0, 0, 1, 2, 3]
        assert self.pots(position, "8O done pass pass pass", pass_pays="any-turn") == [0, 0, 1, 2, 3, 4]

    def test_player_who_is_out_takes_the_pot(self) -> None:
        position = "phase play; hand 8O / 4K; pile 7O; stakes 2 / 3"
        assert self.pots(position, "8O") == [5, 0]

    def test_void_round_returns_the_pot(self) -> None:
        position = "phase play; turn 1; hand 5O / 9K; pile 7O; stock 10O; drawn 2; stakes 4 / 5"
        assert self.pots(position, "pass", must_play="free") == [9, 0]

    def test_new_round_begins_without_a_pot(self) -> None:
        match = mekuri.game("isuri").match(seed=1)
        for _ in range(2):
            assert match.view(0).middle == {"pot": 0}
            play_out(match.round, random.Random(1))
            match.next_round()


class TestPayments:
    def test_ghosts_are_paid_as_the_cards_they_represent(self) -> None:
        """On one number, on an open top (the dearest that they can be there), in a set, and with a number named later."""
        represented = {"ghost_value": "represented"}
        assert paid(played("phase play; hand 3I 5O / 5K; pile 7O", "3I", **represented)) == [8, 0]
        assert paid(played("phase play; hand 3I 5O / 5K; pile 7O", "3I")) == [3, 0]
        assert paid(played("phase play; hand 2H 5O / 5K; pile 3I", "2H", **represented)) == [11, 0]
        assert paid(played("phase play; hand 3I 8O 8K 5O / 5K; pile 7O", "set 3I", **represented)) == [8, 0]
        round = played("phase play; hand 2H 5O 9O / 5K; pile 3I; top_drawn 1", "2H", ghost="fixed", **represented)
        assert paid(round) == [0, 0]
        round.play("8H")
        assert paid(round) == [8, 0]

    def test_last_card_is_paid_without_a_number(self) -> None:
        round = played("phase play; hand 2H / 5K; pile 3I; top_drawn 1", "2H", ghost="fixed", ghost_value="represented")
        assert round.over
        assert paid(round) == [11, 0]

    @pytest.mark.clause("isuri.end.pot", "isuri.pay.pass")
    def test_pot_is_paid_to_the_winner(self) -> None:
        round = played("phase play; hand 8O / 5K 4K; pile 7O; stakes 2 / 3; paid 10 / 20", "8O")
        assert round.returns == (10 + 8 - 20 + 3, -(10 + 8 - 20 + 3))
        lines = {(line.seat, line.text.id): line.points for line in round.score_sheet().lines}
        assert lines[0, "lines.pot"] == 5
        assert lines[1, "lines.stakes"] == -3
        for seat in range(2):
            assert sum(points for (owner, _), points in lines.items() if owner == seat) == round.returns[seat]

    @pytest.mark.clause("isuri.pay.sou-dashi")
    def test_sou_dashi_is_paid_by_its_option(self) -> None:
        run = "3O 4O 5O 6H 7O 8O"
        for turns, when, bonus in ((1, "any-turn", 10), (3, "any-turn", 10), (1, "first-turn", 10), (3, "first-turn", 0)):
            round = played(f"phase play; turns {turns}; hand {run} / 9K; pile 2O", run, sou_dashi=when)
            assert round.returns == (33 + bonus, -33 - bonus)
            assert round.ending == "all-out"
            assert ("isuri.pay.sou-dashi" in {line.clause for line in round.score_sheet().lines}) == (bonus > 0)

    def test_sou_dashi_with_a_set(self) -> None:
        round = played("phase play; hand 8O 8K 8H 3I 1H 9O / 9K; pile 7O", "set 8O 1H 3I 8H 8K done 9O")
        assert round.returns[0] == 24 + 3 + 10 + 9 + 10

    @pytest.mark.clause("isuri.draw.void")
    def test_void_round_is_paid_back(self) -> None:
        position = "phase gather; hand 1O / 3I; pile 5O 7K; top 5O; paid 12 / 30; stakes 4 / 5"
        round = mekuri.game("isuri", must_play="free").position(position, seed=1)
        s: Any = round._state
        assert (s.paid, s.stakes, s.redeals[0]) == ([0, 0], [0, 0], 1)


class TestMatch:
    @pytest.mark.clause("isuri.match.length", "isuri.match.result")
    def test_match_has_six_rounds(self) -> None:
        match, chance = GAME.match(seed=1), random.Random(1)
        assert match.length == 6
        while not match.over:
            play_out(match.round, chance)
            match.next_round()
        assert len(match.finished) == 6
        sums = [sum(round.returns[seat] for round in match.finished) for seat in (0, 1)]
        assert [account["points"] for account in match.ledger] == sums
        assert sum(sums) == 0
        assert min(sums) < 0
        assert match.winners == (sums.index(max(sums)),)
        assert len(GAME.match(seed=1, rounds=2).ledger) == 2
        assert GAME.match(seed=1, rounds=2).length == 2

    @pytest.mark.clause("isuri.match.next-dealer")
    def test_player_who_was_out_deals_next(self) -> None:
        round = played("phase play; dealer 1; hand 8O / 5K 4K; pile 7O; paid 0 / 40", "8O")
        assert round.returns[0] < 0
        assert round.next_dealer == 0

    @pytest.mark.clause("isuri.match.first-dealer")
    def test_first_dealer_is_drawn_by_lot(self) -> None:
        assert 70 < sum(GAME.match(seed=seed).dealer for seed in range(200)) < 130


def test_question_has_the_numbers_that_may_follow_a_ghost() -> None:
    """The page shows them in large figures, as it does the number that follows any other card."""
    follow = set()
    for seed in range(40):
        round = GAME.deal(seed=seed)
        while not round.over:
            view = round.view(round.waiting[0])
            assert view.prompt is not None
            if shown := view.prompt.args.get("range"):
                follow.add((shown.id, view.prompt.args["number"]))
            round.play(view.legal[0].action)
    assert follow == {("ranges.one", 2), ("ranges.all", "1–12"), ("ranges.1-10", "2–11"), ("ranges.2-11", "3–12")}
