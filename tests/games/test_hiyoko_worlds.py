"""Hiyoko: what play proves of the other hand, against every world in which the same could have been played."""

from typing import Any

import pytest

import mekuri
from mekuri.cards import cards_text, parse_cards
from mekuri.engine.chance import stream
from mekuri.engine.compiled import count
from mekuri.games.sequence import MustPlay, Phase
from mekuri.testing.chances import LEAST_LIKELY
from mekuri.testing.worlds import Viewer, as_world, likelihood, random_round, redealt, seen, steps, viewers
from tests.helpers.sequences import check_looks, check_worlds, state
from tests.helpers.tables import in_turn, with_options

# Play from a position without prior information: options, position and actions.
PLAYED: dict[str, tuple[dict[str, str], str, str]] = {
    "nothing": ({}, "phase play; hand 8O 3O / 4K 8K; pile 7O; stock 5K 9O", ""),
    "pass": ({}, "phase play; hand 3O 4O / 8O 4K; pile 7O; stock 5K 8K", "0:pass"),
    "two-passes": ({}, "phase play; hand 3O 4O / 5O 4K; pile 7O; stock 5K 8K", "0:pass 1:pass"),
    "pass-after-a-draw": ({}, "phase play; hand 3O 4O / 5O 4K; pile 7O; stock 9K 8K 10K", "0:pass 1:pass 0:pass"),
    "free-pass": ({"must_play": "free"}, "phase play; hand 3O 8O / 5O 4K; pile 7O; stock 5K 8K", "0:pass"),
    "free-pass-after-a-draw": (
        {"must_play": "free"},
        "phase play; hand 3O 8O / 5O 4K; pile 7O; stock 9K 10K 8K",
        "0:pass 1:pass 0:pass",
    ),
    "done": ({}, "phase play; hand 8O 9O 4O / 5O 4K; pile 7O; stock 9K 2O", "0:8O 0:done"),
    "done-where-all-must-be-played": (
        {"must_play": "all"},
        "phase play; hand 8O 4O 3O / 5O 4K; pile 7O; stock 9K 9O",
        "0:8O 0:done",
    ),
    "draw": (
        {"who_draws": "draw-until-playable"},
        "phase play; hand 3O 4O / 5O 4K; pile 7O; stock 9K 3K 10I",
        "0:pass 1:pass 0:draw",
    ),
    "combo": ({}, "phase play; hand 1O 2O 5O / 4K 2K; pile 1K; stock 9K 8K", "0:1O"),
    "combo-followed": ({}, "phase play; hand 1O 2O 5O / 4K 2K; pile 1K; stock 9K 8K", "0:1O 0:2O"),
    "lax-combo": ({"one_two": "lax"}, "phase play; hand 1O 2O 5O / 4K 2K; pile 1K; stock 9K 8K", "0:1O 0:done"),
    "lax-combo-and-pass": (
        {"one_two": "lax"},
        "phase play; hand 1O 2O 5O / 4K 9K 3K; pile 1K; stock 2K 8K",
        "0:1O 0:done 1:pass",
    ),
    "lax-combo-shown": ({"one_two": "lax"}, "phase play; hand 1O 2O 5O / 4K 2K; pile 1K; stock 9K 8K", "0:1O 0:2O 0:done"),
    "counts-as-combo": (
        {"one_two": "counts-as"},
        "phase play; hand 1O 2O 5O / 4K 2K; pile 12I; top_drawn 1; stock 9K 8K",
        "0:1O",
    ),
    "fixed-open": ({"ghost": "fixed"}, "phase play; hand 1H 5O / 6H 9O; pile 3I; top_drawn 1; stock 9K 8K", "0:1H"),
    "fixed-named": ({"ghost": "fixed"}, "phase play; hand 1H 5O / 6H 9O; pile 3I; top_drawn 1; stock 9K 8K", "0:1H 0:7H 0:done"),
    "fixed-pass": (
        {"ghost": "fixed"},
        "phase play; hand 1H 5O / 6H 9O; pile 3I; top_drawn 1; stock 9K 8K",
        "0:1H 0:7H 0:done 1:pass",
    ),
}


@pytest.mark.parametrize("viewer", [0, 1, None])
@pytest.mark.parametrize("case", in_turn((case,) for case in PLAYED.values()), ids=PLAYED)
def test_redeal_is_uniform(case: tuple[dict[str, str], str, str], viewer: Viewer) -> None:
    options, position, actions = case
    assert check_worlds(with_options("hiyoko", options), position, actions, viewer, position + actions) > 0


@pytest.mark.parametrize("case", PLAYED.values(), ids=PLAYED)
def test_worlds_look_alike(case: tuple[dict[str, str], str, str]) -> None:
    options, position, actions = case
    check_looks(with_options("hiyoko", options), position, actions)


def worlds(case: str, viewer: Viewer) -> int:
    options, position, actions = PLAYED[case]
    return check_worlds(with_options("hiyoko", options), position, actions, viewer, case)


class TestByHand:
    """The numbers of worlds, counted by hand."""

    def test_worlds_without_information(self) -> None:
        """Two of four unseen cards, and the order of the two others. A spectator: two of six, two of four, and that order."""
        assert [worlds("nothing", viewer) for viewer in (0, 1, None)] == [6 * 2, 6 * 2, 15 * 6 * 2]

    def test_pass_proves_that_no_card_follows(self) -> None:
        """Of 3O 4O 5K 8K the first seat holds no 8: two of the other three, and the order of the rest."""
        assert worlds("pass", 1) == 3 * 2
        assert worlds("pass", 0) == 6 * 2

    def test_free_pass_proves_nothing(self) -> None:
        assert worlds("free-pass", 1) == 6 * 2

    def test_combo_proves_a_two(self) -> None:
        """Of 2O 5O 9K 8K two are held, the 2 one of them."""
        assert worlds("combo", 1) == 3 * 2
        assert worlds("combo-followed", 1) == 3 * 2
        assert worlds("lax-combo", 1) == 3 * 2


@pytest.mark.clause("hiyoko.draw.recycle")
class TestRecycling:
    """Cards from the pile are in no hand. So once the stock has run out, each seat knows the other's hand."""

    POSITION = "phase play; turn 1; drawer 0; hand 3O 4O / 5O 4K; pile 7O 9K 8K 2O; top 9K"

    def test_both_hands_are_known(self) -> None:
        round = mekuri.game("hiyoko").position(self.POSITION, seed=1)
        s: Any = round._state
        s.pile |= s.deck & ~parse_cards("3O 4O 5O 4K 9K")
        round.play("pass")
        assert [round.action_text(action) for _, action in round.history] == ["pass", "recycle", "turn-up"]
        chance = stream(0)
        for seat in range(2):
            for _ in range(20):
                world: Any = redealt(round.hidden(seat), seat, chance)
                assert world.hand == s.hand

    def test_worlds_look_alike(self) -> None:
        check_looks(mekuri.game("hiyoko"), self.POSITION, "1:pass")

    def test_worlds_look_alike_with_a_stock_renewed_at_once(self) -> None:
        check_looks(mekuri.game("hiyoko", renew="at-once"), f"{self.POSITION}; stock 10K", "1:pass 0:pass 1:pass")

    def test_stock_is_in_any_order(self) -> None:
        """Four cards and the top lie outside the hands, and a spectator does not know which hand is whose."""
        s = state(mekuri.game("hiyoko"), "phase turn-up; hand 3O 4O / 5O 4K; pile 9K; stock 7O 8K 2O 12O")
        everything = parse_cards("3O 4O 5O 4K 9K")
        s.absent[0] = s.absent[1] = s.deck & ~everything
        known = [likelihood(s, viewer, 0, possible=lambda world: self.hands(world) == self.hands(s)) for viewer in (0, 1)]
        assert min(known) > LEAST_LIKELY
        assert likelihood(s, None, 0, possible=lambda world: self.hands(world) & ~everything == 0) > LEAST_LIKELY

    @staticmethod
    def hands(s: Any) -> int:
        return int(s.hand[0] | s.hand[1])


class TestAtEveryStep:
    def test_absent_cards_are_absent_and_only_grow(self) -> None:
        for seed in range(20):
            before: list[int] = [0, 0]
            for now in steps(random_round(mekuri.game("hiyoko"), seed)):
                s: Any = now._state
                for seat in range(2):
                    assert s.absent[seat] & s.hand[seat] == 0
                    assert before[seat] & ~s.absent[seat] == 0 or s.phase == Phase.DEAL
                before = list(s.absent)

    def test_pass_is_remembered(self) -> None:
        """Each turn without a discard adds what could have been played."""
        game = mekuri.game("hiyoko")
        for seed in range(20):
            last: Any = None
            for now in steps(random_round(game, seed)):
                s: Any = now._state
                if last is not None and s.passes > last.passes:
                    seat = last.turn
                    assert s.must_play == MustPlay.FIRST_CARD
                    assert s.absent[seat] & parse_cards("3I")  # which follows everything
                    assert count(s.absent[seat]) > count(last.absent[seat]) or s.absent == last.absent
                last = type(s)()
                mekuri.engine.fields.copy(last, s)

    def test_new_hands_are_unknown(self) -> None:
        round = mekuri.game("hiyoko", must_play="free").position(
            "phase gather; hand 1O / 3I; pile 5O 7K; top 5O; absent 9K / 8K; two_kept 0 / 0", seed=1
        )
        s: Any = round._state
        assert s.absent == [0, 0]
        hands = set()
        for viewer in viewers(round.game):
            for n in range(30):
                world: Any = redealt(seen(s, viewer), viewer, stream(n))
                hands.add((viewer, cards_text(world.hand[0]), as_world(world)[0]))
        assert len(hands) == 90
