"""Seats drawn by lot."""

import json
from contextlib import AsyncExitStack
from itertools import permutations
from pathlib import Path

import pytest
from msgspec.structs import replace as replaced

from mekuri import replay
from mekuri.engine.errors import RecordError
from mekuri.match.fair import draw_seats
from mekuri.match.verify import verify
from mekuri.protocol.table import AskSeat, AskTable
from mekuri.table import commands
from mekuri.table.rows import load
from mekuri.table.showing import record_of
from mekuri.table.table import Table
from tests.helpers.server.gathering import MANY, NAMES, at, begun, full, guests, kinds_in_turn, pair
from tests.helpers.server.serving import Guest, Json, Refusal, data, play_out, serving
from tests.helpers.tables import seats_for

SEATS = seats_for(MANY, "person", "person", bot="random")
PEOPLE = ("aki", "ben")


def drawn(lot: int) -> Table:
    """Return a table at which all have drawn a seat."""
    table = commands.make("m", bytes([lot]) * 32, AskTable(game=MANY, seats=SEATS, seating="lot"), "aki", 0)
    for person in PEOPLE:
        commands.sit(table, person, person, AskSeat(), 0)
    return table


def places(table: Table) -> tuple[int | None, ...]:
    return tuple(commands.seat_of(table, person) for person in PEOPLE)


def test_every_seating_is_drawn() -> None:
    ways = [places(drawn(lot)) for lot in range(250)]
    everywhere = {(one, other) for one in range(len(SEATS)) for other in range(len(SEATS)) if one != other}
    assert set(ways) == everywhere
    # The lots are always these; about 21 of each are to be expected.
    assert all(4 <= ways.count(way) <= 45 for way in everywhere)


def test_seats_replay_from_the_log() -> None:
    table = drawn(7)
    assert table.state == "running"
    again = load("m", table.root, table.fresh, names=table.names)
    assert (places(again), again.head) == (places(table), table.head)
    assert sorted(sitter.kind for sitter in table.seats) == sorted(SEATS)


def waiting(*cuts: str, root: bytes = bytes(32)) -> Table:
    """A table at which all but one have come."""
    table = commands.make("m", root, AskTable(game=MANY, seats=["person"] * len(SEATS), seating="lot"), "aki", 0)
    for number, cut in enumerate(cuts):
        commands.sit(table, f"p{number}", f"p{number}", AskSeat(cut=cut), 0)
    return table


def full_of(*cuts: str, root: bytes = bytes(32)) -> tuple[str | None, ...]:
    """Return the final seats, by the cuts."""
    table = waiting(*cuts, root=root)
    assert table.drawn
    return tuple(sitter.cut for sitter in table.seats)


def changed(row: list[str], place: int, value: str) -> list[str]:
    return [*row[:place], value, *row[place + 1 :]]


class TestDrawnSeats:
    def test_seats_are_drawn_once_the_table_is_full(self) -> None:
        table = waiting("", "", "")
        assert table.drawn is None
        assert [(seat.name, seat.by_lot) for seat in table.head.seats] == [("p0", True), ("p1", True), ("p2", True), (None, True)]
        for _ in range(19):  # and once before: one may not come more often
            commands.leave(table, "p1", 0)
            commands.sit(table, "p1", "p1", AskSeat(), 0)
        assert [seat.name for seat in table.head.seats][:3] == ["p0", "p1", "p2"]
        commands.sit(table, "p3", "p3", AskSeat(), 0)
        assert table.drawn
        assert not any(seat.by_lot for seat in table.head.seats)
        assert table.state == "running"

    def test_drawn_seats_depend_on_secret_and_cuts(self) -> None:
        usual = full_of("a", "b", "c", "d")
        for place in range(4):
            cuts = (["a", "b", "c", "d"] for _ in range(8))
            ways = {
                tuple(str(cut)[0] for cut in full_of(*changed(each, place, f"{each[place]} {n}"))) for n, each in enumerate(cuts)
            }
            assert len(ways | {usual}) > 2
        assert len({full_of("a", "b", "c", "d", root=bytes([n]) * 32) for n in range(8)}) > 1

    def test_drawn_seats_ignore_order_and_names(self) -> None:
        """The order of arrival and the names do not matter."""
        assert len({full_of(*order) for order in permutations("abcd")}) == 1

    def test_drawn_seats_are_announced_before_the_deal(self) -> None:
        table = waiting("", "", "")
        table.history.watched = {None, 0}
        commands.sit(table, "p3", "p3", AskSeat(), 0)
        events = [event for viewer, event in table.history.pending if viewer is None]
        assert [(event.kind, event.seat, event.text.id) for event in events[:3]] == [
            ("sit", 3, "table.sit"),
            ("sit", None, "table.drawn"),
            ("round", None, "table.round"),
        ]
        assert events[1].view is None

    @pytest.mark.alone
    async def test_forged_seating_fails_verification(self, people: list[Guest]) -> None:
        table = await people[0].make(MANY, **pair(MANY, match_options={"rounds": "1"}), seating="lot")
        for number, guest in enumerate(people):
            await guest.sit(table, cut=f"cut {number}")
        await play_out(table, people)
        record = await people[1].call("GET", f"/api/tables/{table}/record")
        assert "lots were drawn for the seats" in str(verify(json.dumps(record)))
        assert record["fair"]["cuts"][(await people[0].look(table))["you"]] == "cut 0"
        assert replay(json.dumps(record)).record().drawn == tuple(record["drawn"])
        for broken in ([1, 0, 2, 3], [0, 0, 1, 2], [7], "x", [0, True]):
            with pytest.raises(RecordError):
                verify(json.dumps(record | {"drawn": broken}))

    def test_seating_not_drawn_from_the_cuts_fails_verification(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("mekuri.table.course.draw_seats", lambda seats, chance: draw_seats(seats, chance)[::-1])
        table = waiting("a", "b", "c", "d")
        assert table.match
        record = table.match.record(broken_off=True)
        with pytest.raises(RecordError, match="the lots drawn for the seats are not those"):
            verify(record)
        monkeypatch.undo()
        found = waiting("a", "b", "c", "d")
        assert found.match
        assert verify(found.match.record(broken_off=True)).drawn

    async def test_streams_opened_before_the_draw_show_no_other_hand(self, tmp_path: Path) -> None:
        """The cards are dealt in the moment in which the lots are drawn: two processes, and every stream open since before."""
        async with (
            serving(tmp_path / "mekuri.db") as one,
            serving(tmp_path / "mekuri.db") as two,
            guests(one, *NAMES[:4]) as people,
        ):
            table = await people[0].make(MANY, seats=["person"] * 4, seating="lot")
            there = [people[0], people[1], at(two, people[2]), at(two, people[3])]
            for guest in there[:3]:
                await guest.sit(table)
            async with AsyncExitStack() as opened:
                streams = [await opened.enter_async_context(guest.stream(table)) for guest in [*there, Guest(two.address)]]
                for stream in streams:
                    while (await anext(stream)).event != "table":
                        pass
                head = (await there[3].sit(table))["head"]
                seats = {seat["name"]: seat["seat"] for seat in head["seats"]}
                for name, stream in zip([*NAMES[:4], ""], streams, strict=True):
                    you = seats.get(name)
                    views: list[Json] = []
                    texts: list[str] = []
                    while not views:
                        message = await anext(stream)
                        body = data(message)
                        texts += [body["text"]["id"]] if message.event == "event" else []
                        views += [body["view"]] if body.get("view") else []
                        if message.event == "table":
                            assert body["you"] == you
                    assert "table.drawn" in texts
                    # A spectator saw the table as a spectator until then.
                    assert views[0]["you"] == (None if name == NAMES[3] else you)

    @pytest.mark.alone
    async def test_returning_player_gets_the_whole_table_after_the_draw(self, people: list[Guest]) -> None:
        table = await people[0].make(MANY, **pair(MANY), seating="lot")
        version = (await people[0].sit(table))["version"]
        await people[1].sit(table)
        async with people[0].stream(table, last=str(version)) as stream:
            while (message := await anext(stream)).event not in ("table", "event"):
                pass
            assert message.event == "table"
            assert data(message)["you"] == (await people[0].look(table))["you"]


def test_older_log_with_separate_draws_is_read() -> None:
    table = commands.make("m", bytes(32), AskTable(game=MANY, seats=SEATS), "aki", 0)
    commands.sit(table, "ben", "Ben", AskSeat(seat=1), 0)
    commands.sit(table, "aki", "Aki", AskSeat(seat=0), 0)
    make, *rows = table.fresh
    older = [replaced(make, body=make.body | {"seating": "lot"}), *rows]
    again = load("m", table.root, older)
    assert (places(again), again.drawn) == ((0, 1), None)
    commands.leave(again, "aki", 1)
    commands.leave(again, "ben", 1)
    assert "drawn" not in json.loads(record_of(again))
    # One that still waited: its people draw with all others.
    waits = load("m", table.root, older[:2])
    commands.sit(waits, "aki", "Aki", AskSeat(), 0)
    assert waits.drawn


@pytest.mark.alone
async def test_seat_cannot_be_chosen_at_a_drawn_table(people: list[Guest]) -> None:
    aki, ben = people
    table = await aki.make(MANY, **pair(MANY), seating="lot")
    assert (await ben.look(table))["seating"] == "lot"
    with pytest.raises(Refusal, match="by-lot"):
        await aki.sit(table, seat=0)
    for guest in people:
        await guest.sit(table)
    seats = {(await guest.look(table))["you"] for guest in people}
    assert len(seats) == 2
    # A seat that one has may be named, as everywhere.
    you = (await aki.look(table))["you"]
    assert (await aki.sit(table, seat=you))["you"] == you
    assert (await play_out(table, people))["head"]["why"] == "played"


@pytest.mark.alone
@kinds_in_turn(0)
async def test_first_dealer_can_be_named(people: list[Guest], name: str) -> None:
    """It is named by a seat, shown before the first player sits down, and kept in log and record."""
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


@pytest.mark.alone
async def test_drawn_seat_of_the_first_dealer_deals(people: list[Guest]) -> None:
    table = await people[0].make(MANY, **pair(MANY), seating="lot", first_dealer=1)
    for guest in people:
        await guest.sit(table)
    whole = await people[0].look(table)
    assert (whole["first_dealer"], whole["view"]["dealer"]) == (1, 1)


@pytest.mark.alone
async def test_first_dealer_must_be_a_seat(people: list[Guest]) -> None:
    asked = full(MANY)
    for nobody, why in ((len(asked["seats"]), "no-seat"), (-1, "malformed"), ("lot", "malformed")):
        with pytest.raises(Refusal, match=why):
            await people[0].make(MANY, **asked, first_dealer=nobody)


def test_dealer_replays_from_the_log() -> None:
    table = commands.make("m", bytes(32), AskTable(game=MANY, seats=SEATS, first_dealer=2), "aki", 0)
    for person in PEOPLE:
        commands.sit(table, person, person, AskSeat(), 0)
    again = load("m", table.root, table.fresh, names=table.names)
    assert again.first_dealer == 2
    assert again.running.dealer == 2


@pytest.mark.alone
async def test_seat_can_be_chosen_at_an_ordinary_table(people: list[Guest]) -> None:
    aki, ben = people
    table = await aki.make(MANY, **full(MANY))
    assert (await ben.look(table))["seating"] == "order"
    assert (await aki.sit(table, seat=2))["you"] == 2
    assert (await ben.sit(table))["you"] == 0
    assert (await aki.look(await begun(people[:1], MANY)))["you"] == 0
