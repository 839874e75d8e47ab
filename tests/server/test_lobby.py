"""The lobby: it cannot be filled by one guest, waiting makers come first, and tables without them are closed."""

import asyncio
import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from mekuri.desk.route import Visitor
from mekuri.desk.routes.lists import Entry, list_tables
from mekuri.desk.stores import Person
from mekuri.server.base.settings import Settings
from mekuri.server.http import background
from mekuri.table.errors import ProblemError
from tests.helpers.server.gathering import at, guests, pair
from tests.helpers.server.serving import Guest, Serving, serving
from tests.helpers.server.stores import sql
from tests.helpers.tables import USUAL
from tests.helpers.time import FakeTime


async def public(guest: Guest, sits: bool = False) -> str:
    table = await guest.make(USUAL, **pair(USUAL), public=True)
    if sits:
        await guest.sit(table)
    return table


async def listed(guest: Guest) -> list[str]:
    return [table["id"] for table in (await guest.call("GET", "/api/tables"))["open"]]


async def state(guest: Guest, table: str) -> str:
    return str((await guest.look(table))["head"]["state"])


async def test_tables_of_one_guest_hide_no_other(server: Serving, aki: Guest, ben: Guest) -> None:
    lonely = await public(ben)
    made = [await public(aki) for _ in range(21)]
    stranger = Guest(server.address)
    found = await listed(stranger)
    assert found == [*reversed(made[-3:]), lonely]


async def test_unanswering_home_does_not_delay_the_list(monkeypatch: pytest.MonkeyPatch) -> None:
    """Omitted tables are counted, unless they can be in no list."""

    async def entry(desk: object, id: str, person: str | None, free: bool) -> Entry:
        if id == "hangs":
            await asyncio.Event().wait()
        if id != "near":
            raise ProblemError(id)
        return 0, b"{}"

    async def asked(*_: object) -> list[str]:
        return ["hangs", "near", "busy", "damaged", "no-such-game"]

    async def nothing(*_: object) -> list[str]:
        return []

    monkeypatch.setattr("mekuri.desk.routes.lists.listed", entry)
    store, lobby = SimpleNamespace(of_person=asked, due_of_person=nothing), SimpleNamespace(listed=nothing)
    aki = Visitor(Person("aki", "Aki", made_at=0, device=0, seen_at=0))
    found = await list_tables(SimpleNamespace(store=store, lobby=lobby, time=FakeTime()), aki)  # type: ignore[arg-type]
    assert json.loads(found) == {"open": [], "yours": [{}], "unanswered": 3}


async def test_tables_of_one_household_hide_no_other(tmp_path: Path) -> None:
    async with serving(tmp_path / "mekuri.db", lobby=1, proxies=("127.0.0.1",)) as server, guests(server, *"ABCDE") as people:
        near = {"x-forwarded-for": "2001:db8::1"}
        for number, guest in enumerate(people[1:]):
            guest.http.headers.update({"x-forwarded-for": f"2001:db8::{number + 2}"})
        people[0].http.headers.update({"x-forwarded-for": "2001:db8:1::1"})
        made = [await public(guest) for guest in people]
        stranger = Guest(server.address, headers=near)
        assert await listed(stranger) == [made[4], made[3], made[0]]
        await stranger.close()
        words = {row[0] for row in sql(tmp_path / "mekuri.db", "SELECT household FROM matches")}
        assert len(words) == 2
        assert not any("2001" in word for word in words)


async def test_household_is_deleted_once_the_table_is_full(tmp_path: Path) -> None:
    async with serving(tmp_path / "mekuri.db") as server, guests(server, "Aki", "Ben") as (aki, ben):
        table = await public(aki, sits=True)
        assert sql(tmp_path / "mekuri.db", "SELECT count(household) FROM matches") == [(1,)]
        await ben.sit(table)
        await background.sweep_once(server.desk)
        assert sql(tmp_path / "mekuri.db", "SELECT count(household) FROM matches") == [(0,)]


async def test_tables_of_present_makers_come_first(server: Serving, aki: Guest, ben: Guest) -> None:
    waits, later = await public(aki), await public(ben)
    assert await listed(ben) == [later, waits]
    async with aki.stream(waits) as stream:
        await anext(stream)
        assert await listed(ben) == [waits, later]
    async with at(server, ben).stream(waits) as stream:
        await anext(stream)
        assert await listed(ben) == [later, waits]  # the presence of others does not matter


async def test_presence_on_other_processes_orders_the_lobby(tmp_path: Path) -> None:
    async with (
        serving(tmp_path / "mekuri.db") as one,
        serving(tmp_path / "mekuri.db") as two,
        guests(one, "Aki", "Ben") as (aki, ben),
    ):
        waits, later = await public(aki), await public(ben)
        there = at(two, ben)
        async with aki.stream(waits) as stream:
            await anext(stream)
            for server in (one, two, one, two):
                await server.desk.peers.renew()
            assert await listed(there) == [waits, later]
            # Nor does a process close what is attended elsewhere.
            assert waits not in await two.desk.attendance.unattended(one.desk.time.now() + 10_000_000)


async def test_table_stays_open_while_its_maker_waits(tmp_path: Path) -> None:
    time = FakeTime()
    async with serving(tmp_path / "mekuri.db", time) as server, guests(server, "Aki", "Ben") as (aki, ben):
        waits, left, private = await public(aki), await public(ben, sits=True), await ben.make(USUAL, **pair(USUAL))
        async with aki.stream(waits) as stream:
            await anext(stream)
            for _ in range(5):
                time.move(Settings().unattended / 3)
                await background.sweep_once(server.desk)
            assert [await state(ben, table) for table in (waits, left, private)] == ["open", "over", "open"]
        # A maker who returns after a restart finds it, too: the log shows the former presence.
        time.move(Settings().unattended / 2)
        async with serving(tmp_path / "mekuri.db", time) as again:
            await background.sweep_once(again.desk)
            assert await state(at(again, aki), waits) == "open"
            time.move(Settings().unattended)
            for each in (server, again):  # its home closes it
                await background.sweep_once(each.desk)
            assert await state(at(again, aki), waits) == "over"


async def test_concurrent_tables_are_listed_in_bounds(server: Serving) -> None:
    async with guests(server, *"ABC") as people:
        await asyncio.gather(*(public(people[n % 3]) for n in range(60)))
        assert len(await listed(people[0])) == 6
