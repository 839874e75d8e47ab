"""What a seat of Mushi may hope for: where its figures stand, and that they can be made anew."""

from typing import Any

import pytest

import mekuri
from mekuri.cards import parse_card
from mekuri.engine.called import promise
from mekuri.engine.compiled import bit
from mekuri.engine.contract import prospect
from mekuri.games.mushi.prospect import BYTES, FIGURES, HALF, OF_NUMBER, READ, TABLE, figure_of, table_of
from mekuri.testing.worlds import random_round, steps
from tools import fit_prospect


def mushi() -> Any:
    """A state of Mushi in which nothing lies anywhere."""
    return mekuri.game("mushi").contract.state()


def test_a_figure_stands_where_the_cards_of_its_number_lie() -> None:
    s = mushi()
    assert [figure_of(s, 0, i) for i in range(READ)] == [i * OF_NUMBER for i in range(READ)]
    s.hand[0], s.field, s.captured[0], s.captured[1] = (bit(parse_card(card)) for card in ("3H", "3I", "3O", "3K"))
    assert figure_of(s, 0, 2) == 2 * OF_NUMBER + 1 + 2 * 5 + 3 * 25 + 4 * 125
    assert figure_of(s, 1, 2) == 2 * OF_NUMBER + 0 + 2 * 5 + 4 * 25 + 3 * 125
    assert figure_of(s, 0, READ - 1) == (READ - 1) * OF_NUMBER + 5, "3H belongs to a yaku too"
    s.hand[0] |= bit(parse_card("12H"))
    assert figure_of(s, 0, 9) == 9 * OF_NUMBER + 1
    assert figure_of(s, 0, READ - 1) == (READ - 1) * OF_NUMBER + 6


def test_every_position_has_its_figures() -> None:
    assert len(BYTES) == 2 * FIGURES
    for seed in range(3):
        for now in steps(random_round(mekuri.game("mushi"), seed)):
            for seat in range(2):
                h: Any = now.hidden(seat)
                assert all(0 <= figure_of(h, seat, i) < TABLE for i in range(READ))
                assert 0 <= table_of(h, seat) <= FIGURES - TABLE
                assert abs(prospect(h, seat)) < 100 * 2 * 190


def test_at_the_end_the_promise_is_what_the_round_has_brought() -> None:
    for seed in range(20):
        round = random_round(mekuri.game("mushi"), seed)
        for seat in range(2):
            assert promise(round._finished(), seat) == 200 * round.returns[seat]


@pytest.mark.machine_code
def test_the_figures_can_be_made_anew() -> None:
    made = fit_prospect.fitted(400, 4)
    assert len(made) == len(BYTES)
    assert made == fit_prospect.fitted(400, 4)
    empty = HALF.to_bytes(2, "big")
    assert sum(made[i : i + 2] != empty for i in range(0, len(made), 2)) > 1000
