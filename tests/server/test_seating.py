"""Who sits where, at a table made so that lots are drawn for the seats."""

import json

import pytest

from mekuri import replay
from mekuri.match.verify import verify
from mekuri.protocol.table import AskSeat, AskTable
from mekuri.table import commands
from mekuri.table.table import Table
from tests.helpers.server.gathering import MANY, begun, full, kinds_in_turn, pair
from tests.helpers.server.serving import Guest, Refusal, play_out
from tests.helpers.tables import seats_for

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


@kinds_in_turn(0)
async def test_the_first_dealer_is_named(people: list[Guest], name: str) -> None:
    """By a seat, whoever sits in it; it is told before anybody sits down, and kept in log and record."""
    asked = full(name, match_options={"rounds": "1"})
    for seat in (0, len(asked["seats"]) - 1):
        table = await people[0].make(name, **asked, first_dealer=seat)
        assert (await people[1].look(table))["first_dealer"] == seat
        for guest in people:
            await guest.sit(table)
        whole = await play_out(table, people)
        assert whole["first_dealer"] == seat
        record = await people[0].call("GET", f"/api/tables/{table}/record")
        assert record["first_dealer"] == record["rounds"][0]["dealer"] == seat
        assert "dealt first, by no lot" in str(verify(json.dumps(record), None))
        following = await people[0].rematch(table)
        assert following["first_dealer"] == replay(json.dumps(record)).round.next_dealer


async def test_who_has_drawn_the_seat_deals_first(people: list[Guest]) -> None:
    table = await people[0].make(MANY, **pair(MANY), seating="lot", first_dealer=1)
    for guest in people:
        await guest.sit(table)
    whole = await people[0].look(table)
    assert (whole["first_dealer"], whole["view"]["dealer"]) == (1, 1)


async def test_the_first_dealer_has_a_seat(people: list[Guest]) -> None:
    asked = full(MANY)
    for nobody, why in ((len(asked["seats"]), "no-seat"), (-1, "malformed"), ("lot", "malformed")):
        with pytest.raises(Refusal, match=why):
            await people[0].make(MANY, **asked, first_dealer=nobody)


def test_the_log_leads_to_the_same_dealer() -> None:
    table = commands.make("m", bytes(32), AskTable(game=MANY, seats=SEATS, first_dealer=2), "aki", 0)
    for person in PEOPLE:
        commands.sit(table, person, person, AskSeat(), 0)
    again = Table.load("m", table.root, table.fresh)
    assert again.first_dealer == 2
    assert again.running.dealer == 2


async def test_else_everybody_chooses(people: list[Guest]) -> None:
    aki, ben = people
    table = await aki.make(MANY, **full(MANY))
    assert (await ben.look(table))["seating"] == "order"
    assert (await aki.sit(table, seat=2))["you"] == 2
    assert (await ben.sit(table))["you"] == 0
    assert (await aki.look(await begun(people[:1], MANY)))["you"] == 0
