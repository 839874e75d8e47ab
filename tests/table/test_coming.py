"""Sitting down and leaving: the log keeps a limited number of such rows per player."""

from collections.abc import Callable
from contextlib import suppress

import pytest

from mekuri.protocol import table as wire
from mekuri.table import commands
from mekuri.table.errors import ProblemError
from mekuri.table.rows import load
from mekuri.table.table import Table
from tests.helpers.at_table import ROOT, refused
from tests.helpers.tables import USUAL

ANN, BEN, MALLORY = "ann", "ben", "mallory"


def made(*people: str) -> Table:
    table = commands.make("t", ROOT, wire.AskTable(game=USUAL, seats=["person", "person"]), ANN, 0)
    for person in people:
        sit(table, person)
    return table


def sit(table: Table, person: str) -> None:
    commands.sit(table, person, person, wire.AskSeat(), 0)


def rows(table: Table, person: str) -> int:
    return sum(row.person == person for row in table.fresh)


def annoy(table: Table, come: Callable[[Table, str], None]) -> None:
    for _ in range(100):
        with suppress(ProblemError):
            come(table, MALLORY)
        commands.leave(table, MALLORY, 0)


def test_seat_changes_before_a_match_are_limited() -> None:
    table = made()
    annoy(table, sit)
    assert rows(table, MALLORY) == 2 * 20
    assert refused(table, lambda: sit(table, MALLORY)) == "came-often"
    again = load("t", ROOT, table.fresh, names={})
    with pytest.raises(ProblemError):
        sit(again, MALLORY)
    for person in (ANN, BEN):
        sit(table, person)
    assert table.state == "running"


@pytest.mark.parametrize("come", [sit, commands.come_back])
def test_seat_changes_in_a_match_are_limited(come: Callable[..., None]) -> None:
    table = made(ANN, MALLORY)
    back = come if come is sit else lambda table, person: come(table, person, 0)
    annoy(table, back)
    assert rows(table, MALLORY) == 2 * 20
    seat = commands.seat_of(table, MALLORY)
    assert seat is not None
    assert table.seats[seat].bot, "a bot plays on"
    # An absent player can return at any time.
    own = commands.seat_of(table, ANN)
    assert own is not None
    for _ in range(30):
        commands.hold(table, 0, own)
        commands.come_back(table, ANN, 0)
    assert not table.seats[own].bot
