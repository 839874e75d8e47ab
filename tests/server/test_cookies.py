"""The cookie by which a browser is known: each database has its own, and no guest is replaced unasked."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from http.cookies import SimpleCookie
from pathlib import Path

import httpx
import pytest

from mekuri.cli import main
from mekuri.server.guests.visitors import COOKIE, Visitors
from mekuri.server.ops.admin import opened
from mekuri.server.ops.backup import back_up, restore
from mekuri.server.storage.store import Store
from mekuri.server.storage.transfer import move
from mekuri.table.time import REAL
from tests.helpers.server.databases import place, place_of, ready, restored_to
from tests.helpers.server.serving import Nearby, Serving, serving
from tests.helpers.tables import USUAL
from tests.helpers.time import until


class Browser:
    """A client that keeps cookies as a browser does: by the host, whatever the port."""

    def __init__(self) -> None:
        self.http = httpx.AsyncClient(transport=Nearby())

    async def ask(self, server: Serving, method: str, path: str, body: object = None) -> httpx.Response:
        return await self.http.request(method, f"{server.address}/api/guests{path}", json=body)

    async def arrive(self, server: Serving) -> str:
        """Become a guest, as the page does before the first action, or return the present one."""
        return str((await self.ask(server, "POST", "", {})).raise_for_status().json()["id"])

    async def me(self, server: Serving) -> str:
        """Return the guest's id, or the error for a visitor."""
        answer = (await self.ask(server, "GET", "/me")).json()
        return str(answer.get("id") or answer["error"])

    def cookies(self) -> dict[str, str]:
        return dict(self.http.cookies)

    def only(self, **cookies: str) -> None:
        """Forget all cookies but these."""
        self.http.cookies.clear()
        for name, value in cookies.items():
            self.http.cookies.set(name, value, domain="127.0.0.1", path="/")


@pytest.fixture
async def browser() -> AsyncIterator[Browser]:
    made = Browser()
    yield made
    await made.http.aclose()


@pytest.fixture
async def other(tmp_path: Path) -> AsyncIterator[Serving]:
    """Another server on this host, of another database."""
    async with serving(tmp_path / "other.db") as running:
        yield running


def guests_of(server: Serving) -> Visitors:
    guests: Visitors = server._server._app.state.visitors
    return guests


async def site_of(database: Path) -> str:
    """Return the id of a database."""
    store = await Store.open(place(database), REAL)
    try:
        return await store.site_id()
    finally:
        await store.close()


class TestTwoServers:
    async def test_each_server_keeps_its_own_guests(self, server: Serving, other: Serving, browser: Browser) -> None:
        here = await browser.arrive(server)
        there = await browser.arrive(other)
        assert await browser.me(server) == await browser.arrive(server) == here
        assert await browser.me(other) == await browser.arrive(other) == there

    async def test_seat_at_the_first_server_is_kept(self, server: Serving, other: Serving, browser: Browser) -> None:
        await browser.arrive(server)
        made = await browser.http.post(f"{server.address}/api/tables", json={"game": USUAL, "seats": ["person", "person"]})
        table = f"{server.address}/api/tables/{made.json()['id']}"
        await browser.http.post(f"{table}/seat", json={})
        await browser.arrive(other)
        assert (await browser.http.get(table)).json()["you"] == 0

    async def test_signing_out_affects_one_server(self, server: Serving, other: Serving, browser: Browser) -> None:
        await browser.arrive(server)
        there = await browser.arrive(other)
        for path in ("/devices/here", "/me"):
            assert (await browser.ask(server, "DELETE", path)).status_code == 200
            assert await browser.me(server) == "not-signed-in"
            assert await browser.me(other) == there
            await browser.arrive(server)


class TestOldCookie:
    async def test_known_guest_gets_the_new_cookie(self, server: Serving, browser: Browser) -> None:
        id = await browser.arrive(server)
        token = browser.cookies()[guests_of(server).cookie]
        browser.only(**{COOKIE: token})
        assert await browser.me(server) == id
        assert browser.cookies() == {COOKIE: token, guests_of(server).cookie: token}
        browser.only(**{guests_of(server).cookie: token})
        assert await browser.me(server) == id

    async def test_old_cookie_of_another_server_is_kept(self, server: Serving, other: Serving, browser: Browser) -> None:
        await browser.arrive(other)
        before = browser.cookies()[COOKIE]
        browser.only(**{COOKIE: before})
        assert await browser.me(server) == "not-signed-in"
        await browser.arrive(server)
        assert browser.cookies()[COOKIE] == before
        for path in ("/devices/here", "/me"):
            await browser.ask(server, "DELETE", path)
            assert browser.cookies()[COOKIE] == before
            await browser.arrive(server)

    async def test_processes_of_two_releases_know_the_same_guest(self, tmp_path: Path, server: Serving, browser: Browser) -> None:
        """A process of the release before reads and writes the old cookie alone."""
        async with serving(tmp_path / "mekuri.db") as earlier:
            guests_of(earlier).cookie = COOKIE
            for first, second in ((server, earlier), (earlier, server)):
                browser.only()
                id = await browser.arrive(first)
                for process in (second, first, second, first):
                    assert await browser.me(process) == await browser.arrive(process) == id


class TestUnknownToken:
    @pytest.fixture
    async def id(self, server: Serving, browser: Browser) -> str:
        """The guest is signed out from another device."""
        id = await browser.arrive(server)
        kept = browser.cookies()
        await browser.ask(server, "DELETE", "/devices/here")
        browser.only(**kept)
        return id

    async def test_unknown_token_gets_401_and_keeps_its_cookie(self, id: str, server: Serving, browser: Browser) -> None:
        kept = browser.cookies()
        for body in ({}, {"name": "Ben"}):
            answer = await browser.ask(server, "POST", "", body)
            assert (answer.status_code, answer.json()["error"]) == (401, "guest-gone")
        assert await browser.me(server) == "guest-gone"
        assert browser.cookies() == kept
        looked = await browser.http.get(f"{server.address}/api/tables")
        assert looked.status_code == 200, "everybody may look"

    async def test_guest_with_unknown_token_can_start_anew(self, id: str, server: Serving, browser: Browser) -> None:
        assert (await browser.ask(server, "DELETE", "/devices/here")).status_code == 200
        assert guests_of(server).cookie not in browser.cookies()
        assert await browser.arrive(server) != id

    async def test_code_of_another_device_restores_the_guest(self, server: Serving, id: str, browser: Browser) -> None:
        other = Browser()
        again = await other.arrive(server)
        code = (await other.ask(server, "POST", "/code")).json()["code"]
        assert (await browser.ask(server, "POST", "/devices", {"code": code})).status_code == 201
        assert await browser.me(server) == again
        await other.http.aclose()

    async def test_unknown_token_beside_a_valid_old_cookie_is_replaced(self, server: Serving, browser: Browser) -> None:
        id = await browser.arrive(server)
        browser.only(**{guests_of(server).cookie: "unknown", COOKIE: browser.cookies()[COOKIE]})
        assert await browser.me(server) == await browser.arrive(server) == id


class TestId:
    """The id of the database, from which the name of its cookie comes."""

    @asynccontextmanager
    async def lived_in(self, path: Path, browser: Browser) -> AsyncIterator[str]:
        async with serving(path) as server:
            await browser.arrive(server)
            yield guests_of(server).cookie

    async def test_id_is_stable_and_unique_per_database(self, tmp_path: Path, browser: Browser) -> None:
        names = []
        for name in ("mekuri.db", "mekuri.db", "other.db"):
            async with self.lived_in(tmp_path / name, browser) as cookie:
                names.append(cookie)
        assert names[0] == names[1] != names[2]
        assert all(SimpleCookie({name: "x"}) for name in names)

    async def test_concurrent_processes_draw_one_id(self, tmp_path: Path) -> None:
        stores = [await Store.open(ready(tmp_path / "mekuri.db"), REAL) for _ in range(4)]
        assert len({*await asyncio.gather(*(store.site_id() for store in stores))}) == 1
        for store in stores:
            await store.close()

    async def test_restored_and_moved_databases_keep_the_id(self, tmp_path: Path, browser: Browser) -> None:
        path, file, moved = (tmp_path / name for name in ("mekuri.db", "backup.db", "moved.db"))
        async with self.lived_in(path, browser) as cookie:
            await asyncio.to_thread(back_up, place_of(path), file)
        await asyncio.to_thread(restore, file, place_of(restored_to(path)))
        await asyncio.to_thread(move, place_of(path), moved)
        for copy in (restored_to(path), moved):
            assert f"{COOKIE}-{await site_of(copy)}" == cookie

    async def test_restoring_a_backup_without_id_keeps_the_id(self, tmp_path: Path, browser: Browser) -> None:
        path, file = tmp_path / "mekuri.db", tmp_path / "backup.db"
        await asyncio.to_thread(back_up, place_of(ready_path(path)), file)
        async with self.lived_in(path, browser) as cookie:
            pass
        if restored_to(path) == path:  # what was in a database of PostgreSQL is not there any more
            await asyncio.to_thread(restore, file, place_of(path))
            assert f"{COOKIE}-{await site_of(path)}" == cookie

    async def test_copied_database_gets_a_new_id_while_servers_run(
        self, tmp_path: Path, server: Serving, browser: Browser, capsys: pytest.CaptureFixture[str]
    ) -> None:
        id, before = await browser.arrive(server), guests_of(server).cookie
        await asyncio.to_thread(main, ["admin", "new-id", "--database", str(place(tmp_path / "mekuri.db"))])
        assert "an id of its own" in capsys.readouterr().out
        await until(lambda: guests_of(server).cookie != before)
        assert await browser.me(server) == id, "the cookie of before knows the guest"
        assert guests_of(server).cookie in browser.cookies()
        async with opened(place_of(tmp_path / "mekuri.db")) as keeper:
            assert (await keeper.store.last_acts(1))[0].kind == "new-id"


def ready_path(path: Path) -> Path:
    ready(path)
    return path
