"""Moderation by the operator while a server runs, and how it reaches every process."""

import asyncio
import json
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from mekuri.desk.stores import FOR_EVER
from mekuri.engine.errors import OptionError
from mekuri.server.http import background
from mekuri.server.ops.admin import DAY_MS, Admin, opened
from mekuri.server.storage import moderation
from mekuri.server.storage.side import StoreError
from mekuri.table.errors import ProblemError
from mekuri.table.log import Conflict, LogError
from tests.helpers.server.databases import place_of
from tests.helpers.server.gathering import at, begun, guests, pair
from tests.helpers.server.serving import Guest, Refusal, Serving, play_out, serving
from tests.helpers.server.stores import sql, write
from tests.helpers.tables import USUAL
from tests.helpers.time import FakeTime, moment


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "mekuri.db"


def admin_of(database: Path) -> AbstractAsyncContextManager[Admin]:
    return opened(place_of(database))


@pytest.fixture
async def keeper(server: Serving, database: Path) -> AsyncIterator[Admin]:
    async with admin_of(database) as keeper:
        yield keeper


@asynccontextmanager
async def two(database: Path, **settings: Any) -> AsyncIterator[tuple[Serving, Serving]]:
    async with serving(database, **settings) as one, serving(database, **settings) as other:
        yield one, other


async def until(seen: Callable[[], Any]) -> None:
    """Wait until something is so."""
    while not await seen():
        await moment()


async def refusal(guest: Guest) -> str | None:
    try:
        await guest.call("GET", "/api/guests/me")
    except Refusal as refused:
        return str(refused.error)
    return None


async def refused(guest: Guest, error: str) -> bool:
    return await refusal(guest) == error


async def state(guest: Guest, table: str) -> Any:
    return (await guest.look(table))["head"]["why"]


class TestClosing:
    async def test_closing_reaches_streams_of_every_process(self, database: Path) -> None:
        async with two(database) as (one, other), guests(one, "Aki", "Ben") as people, admin_of(database) as keeper:
            table = await begun(people, USUAL)
            there = at(other, people[1])
            async with there.stream(table) as stream:
                await keeper.close(table)
                kinds = [json.loads(message.data) async for message in upto(stream, "closed")]
            assert kinds[-1]["text"]["id"] == "table.end-closed"
            await until(lambda: is_so(state(people[0], table), "closed"))
            record = await people[0].call("GET", f"/api/tables/{table}/record")
            assert record["fair"]["secrets"], "the record of one that was broken off can be verified"
            for id, why in ((table, "is over already"), ("nowhere", "there is no table")):
                with pytest.raises(StoreError, match=why):
                    await keeper.close(id)

    async def test_table_of_an_unknown_game_is_closed(self, server: Serving, aki: Guest, keeper: Admin, database: Path) -> None:
        table = await aki.make(USUAL)
        await write(database, "UPDATE matches SET game = 'gone' WHERE id = ?", [table])
        await keeper.close(table)
        assert sql(database, "SELECT state FROM matches") == [("over",)]

    async def test_close_during_a_seat_request_keeps_rows_in_order(
        self, server: Serving, people: list[Guest], keeper: Admin
    ) -> None:
        """Whichever request wins, rows are numbered without gaps, and a finished table stays finished."""
        for _ in range(5):
            table = await people[0].make(USUAL, **pair(USUAL))
            await people[0].sit(table)
            await asyncio.gather(keeper.close(table), people[1].sit(table), return_exceptions=True)
            rows = await keeper.store.rows(table)
            assert [row.n for row in rows] == list(range(len(rows)))
            assert rows[-1].kind == "end"


async def upto(stream: AsyncIterator[Any], why: str) -> AsyncIterator[Any]:
    async for message in stream:
        if message.event == "event":
            yield message
            if (json.loads(message.data)["head"] or {}).get("why") == why:
                return


async def is_so(found: Any, wanted: object) -> bool:
    return bool(await found == wanted)


class TestBans:
    async def test_ban_ends_streams_and_refuses_requests(self, database: Path) -> None:
        time = FakeTime()
        async with two(database, time=time) as (one, other), guests(one, "Aki", "Ben") as people, admin_of(database) as keeper:
            keeper.store.time = time
            running, waits = await begun(people, USUAL), await people[0].make(USUAL, **pair(USUAL))
            await people[1].sit(waits)
            there = at(other, people[1])
            assert await refusal(there) is None
            async with there.stream(running) as stream:
                await anext(stream)
                await keeper.ban(people[1].id, 3600, "Be kind.")
                assert [message.event async for message in stream][-1] != "bye"  # it ends
            for guest in (people[1], there):
                await until(partial(refused, guest, "banned"))
                for method, path in (
                    ("GET", f"/api/tables/{running}"),
                    ("POST", "/api/tables"),
                    ("GET", f"/api/stream?table={running}"),
                ):
                    answer = await guest.http.request(method, path, json={"game": USUAL} if method == "POST" else None)
                    assert (answer.status_code, answer.json()["error"]) == (403, "banned")
                    assert "Be kind." in answer.json()["message"]
                    assert "UTC" in answer.json()["text"]["args"]["until"]
            await until(lambda: empty(people[0], waits))
            assert (await people[0].look(running))["head"]["state"] == "running", "a match waits as for anybody who is away"
            assert await refusal(people[0]) is None
            time.move(3601)
            assert await refusal(people[1]) is None

    async def test_permanent_ban_lasts_until_lifted(self, server: Serving, aki: Guest, keeper: Admin) -> None:
        assert await keeper.ban(aki.id, None, "") == FOR_EVER
        await until(lambda: is_so(refusal(aki), "banned-for-good"))
        assert [person.id for person in await keeper.store.listed_people(9, banned=True)] == [aki.id]
        await keeper.store.unban(aki.id)
        await until(lambda: is_so(refusal(aki), None))
        for act in (
            keeper.ban("nobody", None, ""),
            keeper.store.unban("nobody"),
            keeper.rename("nobody", "Aki"),
            keeper.forget("nobody"),
        ):
            with pytest.raises(LogError, match="there is no person nobody"):
                await act

    async def test_banned_guest_can_export_and_delete_data(self, server: Serving, aki: Guest, keeper: Admin) -> None:
        await keeper.ban(aki.id, None, "")
        await until(lambda: is_so(refusal(aki), "banned-for-good"))
        assert (await aki.call("GET", "/api/guests/export"))["name"] == "Aki"
        assert (await aki.http.delete("/api/guests/me")).is_success
        await until(lambda: is_so(refusal(aki), "bad-token"))

    async def test_table_of_a_banned_maker_goes_on(self, server: Serving, people: list[Guest], keeper: Admin) -> None:
        """The table goes on without the maker, and no seat is freed any more."""
        aki, ben = people
        table = await aki.make(USUAL, **pair(USUAL))
        version = (await ben.sit(table))["version"]
        await keeper.ban(aki.id, None, "")
        await until(lambda: is_so(refusal(aki), "banned-for-good"))
        with pytest.raises(Refusal, match="banned"):
            await aki.call("POST", f"/api/tables/{table}/free", {"seat": 0, "version": version})
        async with guests(server, "Chiyo") as (chiyo,):
            await chiyo.sit(table)
            assert (await ben.look(table))["head"]["state"] == "running"


async def empty(guest: Guest, table: str) -> bool:
    return all(seat["name"] is None for seat in (await guest.look(table))["head"]["seats"])


class TestPeople:
    async def test_renaming_reaches_every_process(self, database: Path) -> None:
        async with two(database) as (one, other), guests(one, "Aki", "Ben") as people, admin_of(database) as keeper:
            table = await begun(people, USUAL)
            there = at(other, people[1])
            await there.look(table)
            assert await keeper.rename(people[0].id, " Ume ") == "Ume"
            await until(lambda: named(there, table, "Ume"))
            for name in ("", "Admin", "x" * 10_000, "\u202eAki"):
                with pytest.raises(ProblemError):
                    await keeper.rename(people[0].id, name)

    async def test_deleted_guest_leaves_no_name_or_act(
        self, server: Serving, people: list[Guest], keeper: Admin, database: Path
    ) -> None:
        table = await begun(people, USUAL)
        await keeper.ban(people[0].id, 60, "Aki of Tokyo")
        await keeper.forget(people[0].id)
        await until(lambda: is_so(refusal(people[0]), "bad-token"))
        await until(lambda: named(people[1], table, "A player who left"))
        assert not [row for row in sql(database, "SELECT * FROM acts") if people[0].id in str(row) or "Tokyo" in str(row)]


async def named(guest: Guest, table: str, name: str) -> bool:
    return name in [seat["name"] for seat in (await guest.look(table))["head"]["seats"]]


class TestPruning:
    async def test_only_matches_over_for_that_long_are_pruned(self, database: Path) -> None:
        time = FakeTime()
        async with serving(database, time) as server, guests(server, "Aki", "Ben") as people, admin_of(database) as keeper:
            keeper.store.time = time
            old = await begun(people, USUAL, rounds=1)
            await play_out(old, people)
            time.move(2 * DAY_MS / 1000)
            young, running = await begun(people, USUAL, rounds=1), await begun(people, USUAL)
            await play_out(young, people)
            assert await keeper.prune(1, dry_run=True) == 1
            assert (await people[0].look(old))["head"]["state"] == "over"
            assert await keeper.prune(1, dry_run=False) == 1
            assert sql(database, "SELECT count(*) FROM log WHERE match = ?", [old]) == [(0,)]
            await until(lambda: is_so(gone(people[0], old), True))
            assert not await gone(people[0], young)
            assert (await people[0].look(running))["head"]["state"] == "running"
            assert await keeper.prune(1, dry_run=False) == 0
            with pytest.raises(OptionError):
                await keeper.prune(-1, dry_run=False)

    async def test_server_prunes_by_its_retention(self, database: Path) -> None:
        time = FakeTime()
        async with serving(database, time, retention=3) as server, guests(server, "Aki", "Ben") as people:
            table = await begun(people, USUAL, rounds=1)
            await play_out(table, people)
            await background.sweep_once(server.desk)
            assert not await gone(people[0], table)
            async with people[0].stream(table) as stream:  # before it is time, as the server sweeps by itself, too
                await anext(stream)
                time.move(3.1 * DAY_MS / 1000)
                await background.sweep_once(server.desk)
                _ = [message async for message in stream]  # it ends
            assert await gone(people[0], table)

    async def test_long_match_is_deleted_in_resumable_steps(
        self, server: Serving, people: list[Guest], keeper: Admin, database: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        table = await begun(people, USUAL, rounds=1)
        await play_out(table, people)
        monkeypatch.setattr(moderation, "_ROWS", 10)
        written: list[Any] = []
        real = keeper.store._write

        async def count(write: Any, *args: Any, **more: Any) -> None:
            if len(written) == 2:
                raise StoreError("killed")
            written.append(write)
            await real(write, *args, **more)

        monkeypatch.setattr(keeper.store, "_write", count)
        with pytest.raises(StoreError):
            await keeper.store.remove(table)
        rows = [n for (n,) in sql(database, "SELECT n FROM log WHERE match = ? ORDER BY n", [table])]
        assert rows == list(range(len(rows)))
        monkeypatch.undo()
        await keeper.store.remove(table)
        assert sql(database, "SELECT count(*) FROM matches WHERE id = ?", [table]) == [(0,)]

    async def test_rows_written_during_removal_are_deleted(
        self, server: Serving, people: list[Guest], keeper: Admin, database: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """As PostgreSQL lets others write: it goes, too, unless they never end."""
        table = await begun(people, USUAL, rounds=1)
        await play_out(table, people)
        real, refused = keeper.store._write, iter(range(3))

        async def refuse(write: Any, *args: Any, **more: Any) -> None:
            if next(refused, None) is not None:
                raise Conflict("there are more rows")
            await real(write, *args, **more)

        monkeypatch.setattr(keeper.store, "_write", refuse)
        await keeper.store.remove(table)
        assert sql(database, "SELECT count(*) FROM matches WHERE id = ?", [table]) == [(0,)]
        refused = iter(range(100))
        with pytest.raises(StoreError, match="in use and cannot be deleted now; try again"):
            await keeper.store.remove(table)

    async def test_requests_during_pruning_get_200_404_or_503(self, server: Serving, people: list[Guest], keeper: Admin) -> None:
        """A reader gets the whole answer or 404; nothing fails."""
        table = await begun(people, USUAL, rounds=1)
        await play_out(table, people)
        keeper.store.time = FakeTime(server.desk.time.now() + 10 * DAY_MS)
        paths = [("GET", f"/api/tables/{table}{path}") for path in ("", "/record", "/rounds/1", "/events?since=0")]
        asked = [people[n % 2].http.request(*path) for n in range(5) for path in [*paths, ("POST", f"/api/tables/{table}/rematch")]]
        answers, done = await asyncio.gather(asyncio.gather(*asked), keeper.prune(1, dry_run=False))
        assert done == 1
        assert {answer.status_code for answer in answers} <= {200, 404, 503}


async def gone(guest: Guest, table: str) -> bool:
    return (await guest.http.get(f"/api/tables/{table}")).status_code == 404


class TestAnnouncing:
    async def test_notice_reaches_every_page_until_cleared(self, database: Path) -> None:
        async with two(database) as (one, other), guests(one, "Aki", "Ben") as people, admin_of(database) as keeper:
            table = await begun(people, USUAL)
            there = Guest(other.address)
            async with there.stream(table) as stream:
                await anext(stream)
                await keeper.announce("Closed at\n noon.", "正午に閉める。")
                notices = [message async for message in one_of(stream, "notice")]
                assert json.loads(notices[0].data) == {"texts": {"en": "Closed at noon.", "ja": "正午に閉める。"}}
            for guest in (people[0], there):
                await until(partial(announced, guest))
            async with people[0].stream(table) as stream:
                assert [message async for message in one_of(stream, "notice")]
            async with serving(database) as later:
                newcomer = Guest(later.address)
                await until(lambda: is_so(notice(newcomer), {"en": "Closed at noon.", "ja": "正午に閉める。"}))
            await keeper.announce("", "")
            await until(lambda: is_so(notice(there), {}))


async def one_of(stream: AsyncIterator[Any], kind: str) -> AsyncIterator[Any]:
    async for message in stream:
        if message.event == kind:
            yield message
            return


async def announced(guest: Guest) -> bool:
    return bool(await notice(guest) == {"en": "Closed at noon.", "ja": "正午に閉める。"})


async def notice(guest: Guest) -> Any:
    return (await guest.call("GET", "/api/notice"))["texts"]


class TestAudit:
    async def test_every_act_is_stored_and_logged(
        self, server: Serving, people: list[Guest], keeper: Admin, caplog: pytest.LogCaptureFixture
    ) -> None:
        table = await people[0].make(USUAL)
        with caplog.at_level("INFO", "mekuri.server"):
            await keeper.close(table)
            await keeper.rename(people[0].id, "Ume")
            await keeper.ban(people[0].id, 60, "why")
            await keeper.store.unban(people[0].id)
            await keeper.announce("Hear!", "")
            kinds = [act.kind for act in await keeper.store.last_acts(9)]
            assert kinds == ["announce", "unban", "ban", "rename", "close"]
            await until(lambda: has(caplog, 5))
        lines = [record.getMessage() for record in caplog.records if "keeper" in record.getMessage()]
        assert [line.rpartition(" ")[2] for line in lines] == kinds[::-1]
        assert not [line for line in lines if table in line or people[0].id in line or "Ume" in line]


async def has(caplog: pytest.LogCaptureFixture, number: int) -> bool:
    return sum("of the keeper" in record.getMessage() for record in caplog.records) >= number


@pytest.mark.sqlite
async def test_admin_needs_a_mekuri_database(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="there is no database at"):
        async with opened(tmp_path / "none.db"):
            pass
    assert not (tmp_path / "none.db").exists()
    with sqlite3.connect(tmp_path / "other.db") as connection:
        connection.execute("CREATE TABLE t (x)")
    with pytest.raises(StoreError, match="another program"):
        async with opened(tmp_path / "other.db"):
            pass
