"""Positions of the sequence games in which a card that has been laid asks for something more."""

from random import Random
from typing import Any

import pytest

import mekuri
from mekuri.games.sequence import Phase
from mekuri.testing.worlds import act, branch

FIXED = {name: mekuri.game(name, ghost="fixed") for name in ("hiyoko", "isuri")}
each_name = pytest.mark.parametrize("name", FIXED)


def met(name: str, phase: Phase, least: int = 0) -> mekuri.Round:
    """Return a round in this phase, reached by random play, with at least so many cards beneath the last one."""
    for seed in range(2000):
        round, chance = FIXED[name].deal(seed=seed), Random(seed)
        while not round.over:
            s: Any = round._state
            if s.phase == phase and s.pile.bit_count() > least:
                return branch(round)
            act(round, chance)
    raise AssertionError(f"{phase.text} is never met")


@each_name
@pytest.mark.parametrize("phase", [Phase.TWO, Phase.NAME], ids=lambda phase: phase.text)
def test_position_with_a_pending_question_reads_back(name: str, phase: Phase) -> None:
    now = met(name, phase)
    again = FIXED[name].position(now.position)
    assert f"phase {phase.text}" in now.position
    assert again.position == now.position
    assert (again.waiting, again.legal) == (now.waiting, now.legal)
    again.play(again.legal[0])
    now.play(now.legal[0])
    assert again.position == now.position


TWO = "phase two; hand 2K 5I / 3O 4O; pile 12K 1I 1O; top 1O; stock 9O 8O"


@each_name
def test_player_is_asked_for_a_two(name: str) -> None:
    round = FIXED[name].position(TWO)
    assert round.legal == ("2K",)
    view = round.view(0)
    assert view.prompt
    assert view.prompt.id == "prompts.two"
    # It counts as a turn in which a card has been laid, by a seat that holds a 2.
    s: Any = round._state
    assert (s.discards, s.two_kept) == (1, [1, 0])


@each_name
@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("top 1O", "top 12K"), "before a 2 has to follow a 1 has been laid"),
        (("top 1O", "top 1O; top_drawn 1"), "before a 2 has to follow a 1 has been laid"),
        (("hand 2K 5I", "hand 3K 5I"), "two_kept is for a hand with a printed 2"),
    ],
    ids=["another-card", "from-the-stock", "no-two"],
)
def test_position_with_an_unasked_two_is_refused(name: str, change: tuple[str, str], message: str) -> None:
    with pytest.raises(mekuri.PositionError, match=message):
        FIXED[name].position(TWO.replace(*change))


@each_name
def test_position_with_a_ghost_without_a_place_is_refused(name: str) -> None:
    now = met(name, Phase.NAME, least=1).position
    parts = dict(part.split(" ", 1) for part in now.split("; "))
    for wrong in (
        {name: cards for name, cards in parts.items() if name != "beneath"},
        parts | {"beneath": parts["top"]},
        parts | {"top_drawn": "1"},
    ):
        with pytest.raises(mekuri.PositionError):
            FIXED[name].position("; ".join(f"{name} {value}" for name, value in wrong.items()))


@pytest.mark.parametrize("name", ["hiyoko", "isuri"])
def test_top_of_the_pile_lies_in_the_order_of_play(name: str) -> None:
    """The page writes the numbers of the cards under the top, so they must be in the order of play."""
    chance, orders = Random(name), set[tuple[int | None, ...]]()
    for seed in range(4):
        round, lain = mekuri.game(name).deal(seed=seed), list[int | None]()
        while not round.over:
            act(round, chance)
            [pile] = [zone for zone in round.view(None).zones if zone.id == "pile"]
            new = [card for card in pile.cards if card not in lain]
            if len(pile.cards) < len(lain) + len(new):
                lain = [*pile.cards]  # a new stock was made of the rest
            elif len(new) == 1:
                lain += new
                assert pile.cards[-3:] == tuple(lain[-3:])
                orders.add(tuple(lain[-3:]))
            else:
                lain += new
    assert any(order != tuple(sorted(card for card in order if card is not None)) for order in orders)
