"""Tensho: what each seat may think of while stacks, field and votes lie hidden, and late in reduced games."""

import random
from typing import Any

import pytest

import mekuri
from mekuri.cards import each
from mekuri.engine.chance import stream
from mekuri.engine.compiled import first
from mekuri.engine.contract import DRIVER, legal, over, play, waiting
from mekuri.engine.driver import drive
from mekuri.engine.fields import RoundState, copy
from mekuri.engine.position import parse_position
from mekuri.testing.chances import LEAST_LIKELY
from mekuri.testing.states import checked_state, start
from mekuri.testing.visible import differences, visible
from mekuri.testing.worlds import Viewer, astray, beside, count_worlds, kept, likelihood, redealt, steps
from tests.helpers.tables import assert_uniform

TINY: dict[str, Any] = {"deck": "1,6", "hand": 1, "field": 1}  # five cards: two stacks of one, a field of one, a stock of three
SMALL: dict[str, Any] = {"deck": "1,2", "hand": 1, "field": 2}  # eight cards, of which two are dead
WIDE: dict[str, Any] = {"deck": "1,2", "hand": 1, "field": 3}


def state(text: str, **options: Any) -> RoundState:
    s = start(mekuri.game("tensho", **options))
    parse_position(s, text)
    return s


POSITIONS = {
    "stack": (TINY, "phase stack; set 1; stack 1H / 1I; face_down 6H; stock 1O 1K"),
    "reveal": (TINY, "phase reveal; set 1; hand 1H / 1I; face_down 6H; stock 1O 1K"),
    "dead": (SMALL, "phase play; set 2; hand 1H / 1I; field 2H 2I; dead 2O 2K; stock 1O 1K"),
    "choose": (SMALL, "phase choose; set 2; laid 1H; hand - / 1I; field 1O 1K; dead 2O 2K; stock 2H 2I"),
    "choose-turned": (SMALL, "phase choose-turned; turn 1; set 2; laid 1H; hand 1I / -; field 1O 1K; dead 2O 2K; stock 2H 2I"),
    "triple": (WIDE, "phase triple; set 1; hand 2H / 2I; field 1H 1I 1O; dead 2O; stock 1K 2K"),
    "triple-second": (
        SMALL | {"field": 3},
        "phase triple-second; laid 1I; set 1; hand 2H / 2I; field 1H 1I 1O; dead 2O; stock 1K 2K",
    ),
    "over": (SMALL, "phase over; set 2; field 2H 2I; captured 1H 1I / -; dead 2O 2K; stock 1O 1K"),
}


@pytest.mark.parametrize(("options", "position"), POSITIONS.values(), ids=POSITIONS)
def test_redeal_is_uniform(options: dict[str, Any], position: str) -> None:
    assert_uniform(state(position, **options), position)


def test_number_of_worlds_matches_the_count_by_hand() -> None:
    """By hand: before the field is turned up all five cards lie hidden one by one, then one of them is in one's own hand."""
    assert [count_worlds(state(POSITIONS["stack"][1], **TINY), viewer) for viewer in (0, 1, None)] == [120, 120, 120]
    assert [count_worlds(state(POSITIONS["reveal"][1], **TINY), viewer) for viewer in (0, 1, None)] == [24, 24, 120]
    assert [count_worlds(state(POSITIONS["dead"][1], **SMALL), viewer) for viewer in (0, 1)] == [60, 60]


class TestVotes:
    """A vote is hidden until the deal shows which set is played; till then every other vote is thought possible."""

    OWN = ([1], [2])

    @pytest.mark.parametrize("viewer", [0, 1, None])
    @pytest.mark.parametrize("votes", [("one",), ("two",), ("one", "two"), ("two", "two")])
    @pytest.mark.parametrize("first", [0, 1])
    def test_redeal_of_votes_is_uniform(self, votes: tuple[str, ...], first: int, viewer: Viewer) -> None:
        now = mekuri.game("tensho", **TINY).deal(seed=1)
        for seat, vote in zip((first, 1 - first), votes, strict=False):
            now._step(seat, now.parse_action(vote))
        voted = {first, 1 - first} if len(votes) == 2 else {first}
        own: Any = now._state
        rows = [
            [one, two]
            for one in (self.free(0, voted, viewer) or [own.vote[0]])
            for two in (self.free(1, voted, viewer) or [own.vote[1]])
        ]
        assert likelihood(now._state, viewer, first, {"vote": rows}, per_world=100) > LEAST_LIKELY

    @staticmethod
    def free(seat: int, voted: set[int], viewer: Viewer) -> list[int]:
        return [1, 2] if seat in voted and seat != viewer else []

    @pytest.mark.parametrize("viewer", [0, 1, None])
    @pytest.mark.parametrize("votes", ["one one", "one two", "two one", "two two"])
    @pytest.mark.parametrize("dealer", [0, 1])
    def test_votes_are_shown_with_the_deal(self, dealer: int, votes: str, viewer: Viewer) -> None:
        voted = mekuri.game("tensho").deal(seed=1, dealer=dealer)
        for seat, vote in enumerate(votes.split()):
            voted.play(vote, seat)
        for now in steps(voted):
            s: Any = now._state
            if s.set:
                return  # they are told
            seen = visible(now, viewer)
            for other_votes in ([1, 1], [1, 2], [2, 1], [2, 2]):
                world: Any = kept(s)
                for seat in range(2):
                    if s.voted >> seat & 1 and not s.set and seat != viewer:
                        world.vote[seat] = other_votes[seat]
                assert differences(seen, visible(beside(now, world), viewer)) == {}


@pytest.mark.parametrize("viewer", [0, 1, None])
def test_redealt_world_can_be_dealt_again(viewer: Viewer) -> None:
    """Four of a number lie on the field of some redealt worlds: they are gathered, and their pack is whole."""
    options: dict[str, Any] = {"deck": "1,2", "hand": 1, "field": 4}
    s = start(mekuri.game("tensho", **options))
    parse_position(s, "phase stack; set 1; stack 1H / 1I; face_down 1O 1K 2H 2I; stock 2O 2K")
    h = beside(mekuri.game("tensho", **options).deal(seed=0), s).hidden(viewer)
    chance, bits, thrown_in = random.Random(0), stream(1), 0
    while thrown_in < 5:
        world = checked_state("tensho")()
        copy(world, redealt(h, viewer, bits))
        while not over(world):
            seat = first(waiting(world))
            if seat == DRIVER:
                drive(world, bits)
            else:
                play(world, seat, chance.choice(list(each(legal(world, seat)))))
            assert astray(world, list(range(8))) == []
        thrown_in += sum(world.redeals)
