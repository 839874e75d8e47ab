"""A table without a server: people and bots play there, commands are refused, and its log is replayed."""

from collections.abc import Callable
from typing import Any

import pytest

from mekuri.protocol import table as wire
from mekuri.protocol.coding import encode
from mekuri.table import commands
from mekuri.table.errors import ProblemError
from mekuri.table.rows import load
from mekuri.table.seating import PERSON
from mekuri.table.showing import show
from mekuri.table.table import Table

ROOT = bytes(range(32))
AT = 1_000
PEOPLE = ("ann", "ben", "cyd", "dan", "eve", "fay", "gus", "hal")  # ann makes the tables


def seated(asked: wire.AskTable, sit: int = len(PEOPLE), root: bytes = ROOT, at: int = AT, **more: Any) -> Table:
    """Make a table at which people sit down in order: all that have a seat, or the first few of them."""
    table = commands.make("t", root, asked, PEOPLE[0], at, **more)
    for person in PEOPLE[: min(sit, [sitter.kind for sitter in table.seats].count(PERSON))]:
        commands.sit(table, person, person, wire.AskSeat(), at)
    return table


def person_of(table: Table, seat: int) -> str:
    """Return the person who sits in a seat."""
    person = table.seats[seat].person
    assert person
    return person


def act(table: Table, seat: int, action: str | None = None, at: int = AT) -> wire.Answer:
    """Play an action for the person of a seat: the first legal one if none is given."""
    asked = wire.AskAction(version=table.version(seat), action=action or table.running.legal_for(seat)[0])
    return commands.play(table, person_of(table, seat), asked, at)


def bots_play(table: Table, at: int = AT) -> list[int]:
    """Let the bots play that owe a turn, and return their seats."""
    played = []
    while turn := commands.bot_turn(table, at):
        played.append(turn.seat)
        commands.bot_answer(table, at, turn, commands.think(turn))
    return played


def play_round(table: Table, at: int = AT) -> None:
    """Play until the round is over: bots as they choose, people the first legal action."""
    while not table.resting:
        if not bots_play(table, at):
            act(table, next(seat for seat in table.running.waiting if table.seats[seat].owes), at=at)


def refused(table: Table, command: Callable[[], object]) -> str:
    """Return the error with which a command is refused. It must not add a row to the table."""
    rows = len(table.fresh)
    with pytest.raises(ProblemError) as refusal:
        command()
    assert len(table.fresh) == rows
    return refusal.value.problem.error


def shown(table: Table, viewer: int | None) -> bytes:
    """Return the table and all its events as a viewer sees them."""
    return encode((show(table, viewer), table.history.events(viewer, 0)))


def replayed(table: Table) -> Table:
    """Return the table that its log leads to. All viewers must see it as they see this one."""
    again = load(table.id, table.root, table.fresh, names=table.names)
    for viewer in (*range(len(table.seats)), None):
        assert shown(again, viewer) == shown(table, viewer)
    return again
