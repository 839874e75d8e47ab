"""Prospects from tables: the figures of a position, and how they are computed again."""

import gzip
from importlib.util import find_spec
from typing import Any

import pytest

import mekuri
from mekuri import games
from mekuri.cards import parse_card
from mekuri.engine.called import promise
from mekuri.engine.compiled import bit
from mekuri.games.figures import HALF, OF_NUMBER, lies, number_lies
from mekuri.testing.worlds import random_round, steps
from tools import fit_prospect

TABLED = [
    name
    for name in games.names()
    if find_spec(f"mekuri.games.{name}.prospect") and hasattr(fit_prospect.module_of(name), "FIGURES")
]
LARGEST = 140 * 1024  # bytes, as gzip


@pytest.fixture(params=TABLED)
def tabled(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_cards_have_places() -> None:
    s: Any = mekuri.game("mushi").contract.state()
    assert number_lies(s, 0, 0, 3) == 0
    s.hand[0], s.field, s.captured[0], s.captured[1] = (bit(parse_card(card)) for card in ("3H", "3I", "3O", "3K"))
    assert number_lies(s, 0, s.captured[1], 3) == 1 + 2 * 5 + 3 * 25 + 4 * 125 < OF_NUMBER
    assert number_lies(s, 1, s.captured[0], 3) == 0 + 2 * 5 + 4 * 25 + 3 * 125
    assert [lies(s, 0, s.captured[1], parse_card(card)) for card in ("3H", "3I", "3O", "3K", "4H")] == [1, 2, 3, 4, 0]


def test_every_position_has_its_figures(tabled: str) -> None:
    """They follow from what the seat sees. All are in the file, which is not large."""
    module = fit_prospect.module_of(tabled)
    assert len(module.BYTES) == 2 * module.FIGURES
    assert len(gzip.compress(module.BYTES)) <= LARGEST
    game, read = mekuri.game(tabled), set()
    for seed in range(3):
        for now in steps(random_round(game, seed)):
            for seat in (seat for seat in now.waiting_in_turn if seat < game.seats):
                found = [module.figure_of(now.hidden(seat), seat, i) for i in range(module.READ)]
                assert found == [module.figure_of(now._state, seat, i) for i in range(module.READ)]
                assert all(0 <= figure < module.FIGURES for figure in found)
                assert len(set(found)) == module.READ
                read.update(found)
    assert len(read) > 5 * module.READ


def test_figures_of_larger_hands_are_in_range(tabled: str) -> None:
    """Machine code would read the memory behind a table."""
    module, game = fit_prospect.module_of(tabled), mekuri.game(tabled)
    for now in steps(random_round(game, 0)):
        for seat in (seat for seat in now.waiting_in_turn if seat < game.seats):
            s: Any = now.hidden(seat)
            s.held[(seat + 1) % game.seats] = 40
            for hand in (s.deck, 0):
                s.hand[seat] = hand
                assert all(0 <= module.figure_of(s, seat, i) < module.FIGURES for i in range(module.READ))


def test_final_promise_equals_the_result(tabled: str) -> None:
    module = fit_prospect.module_of(tabled)
    for seed in range(10):
        round = random_round(mekuri.game(tabled), seed)
        for seat, brought in enumerate(round.returns):
            assert promise(round._finished(), seat) == module.SCALE * brought


@pytest.mark.every_days(4)
@pytest.mark.machine_code
def test_fitting_is_deterministic(tabled: str) -> None:
    made = fit_prospect.fitted(tabled, 400, 4)
    assert len(made) == 2 * fit_prospect.module_of(tabled).FIGURES
    assert made == fit_prospect.fitted(tabled, 400, 4)
    empty = HALF.to_bytes(2, "big")
    assert sum(made[i : i + 2] != empty for i in range(0, len(made), 2)) > 200
