"""Who sits where, at a table made so that lots are drawn for the seats."""

import pytest

from mekuri.protocol.table import AskSeat, AskTable
from mekuri.server import commands
from mekuri.server.table import Table
from tests.server.gathering import MANY, begun, full, pair
from tests.server.serving import Guest, Refusal, play_out
from tests.tables import seats_for

SEATS = seats_for(MANY, "person", "person", bot="random")
PEOPLE = ("aki", "ben")


def drawn(lot: int) -> Table:
    """A table at which everybody has drawn a seat."""
    table = commands.make("m", bytes([lot]) * 32, AskTable(game=MANY, seats=SEATS, seating="lot"), "aki", 0)
    for person in PEOPLE:
        commands.sit(table, person, person, AskSeat(), 0)
    return table


def places(table: Table) -> tuple[int | None, ...]:
    return tuple(commands.seat_of(table, person) for person in PEOPLE)


def test_every_way_to_sit_comes_out() -> None:
    ways = [places(drawn(lot)) for lot in range(250)]
    everywhere = {(one, other) for one in range(len(SEATS)) for other in range(len(SEATS)) if one != other}
    assert set(ways) == everywhere
    # The lots are always these; about 21 of each are to be expected.
    assert all(4 <= ways.count(way) <= 45 for way in everywhere)


def test_the_log_leads_to_the_same_seats() -> None:
    table = drawn(7)
    assert table.state == "running"
    again = Table.load("m", table.root, table.fresh)
    assert places(again) == places(table)
    assert [sitter.kind for sitter in again.seats] == [sitter.kind for sitter in table.seats]
    assert sorted(sitter.kind for sitter in table.seats) == sorted(SEATS)


def test_nobody_draws_until_it_suits() -> None:
    table = commands.make("m", bytes(32), AskTable(game=MANY, seats=["person"] * len(SEATS), seating="lot"), "aki", 0)
    found = set()
    for _ in range(20):
        commands.sit(table, "aki", "Aki", AskSeat(), 0)
        found.add(commands.seat_of(table, "aki"))
        commands.leave(table, "aki", 0)
    assert len(found) == 1


async def test_no_seat_may_be_named(people: list[Guest]) -> None:
    aki, ben = people
    table = await aki.make(MANY, **pair(MANY), seating="lot")
    assert (await ben.look(table))["seating"] == "lot"
    with pytest.raises(Refusal, match="by-lot"):
        await aki.sit(table, seat=0)
    seats = {(await guest.sit(table))["you"] for guest in people}
    assert len(seats) == 2
    # A seat that one has may be named, as everywhere.
    you = (await aki.look(table))["you"]
    assert (await aki.sit(table, seat=you))["you"] == you
    assert (await play_out(table, people))["head"]["why"] == "played"


async def test_else_everybody_chooses(people: list[Guest]) -> None:
    aki, ben = people
    table = await aki.make(MANY, **full(MANY))
    assert (await ben.look(table))["seating"] == "order"
    assert (await aki.sit(table, seat=2))["you"] == 2
    assert (await ben.sit(table))["you"] == 0
    assert (await aki.look(await begun(people[:1], MANY)))["you"] == 0
