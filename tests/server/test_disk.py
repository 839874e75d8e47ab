"""A full disk and a damaged database are reported as such, and no acknowledged row is lost."""

import logging
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from mekuri.server.storage import sqlite
from mekuri.server.storage.side import StoreError
from mekuri.table.time import REAL
from tests.helpers.server.child import Child
from tests.helpers.server.gathering import begun, choosing, guests, party
from tests.helpers.server.raw import request, send, status
from tests.helpers.server.serving import Guest, Refusal, Serving, refused, serving
from tests.helpers.server.stores import spoil_schema
from tests.helpers.tables import USUAL
from tests.helpers.time import until

PAGE = 4096


async def limit(server: Serving, pages: str) -> None:
    """Let the database have so many pages at most: SQLite says the same where the disk has no more."""
    await server.desk.store._sides[0].do(lambda connection: connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}").close())


async def play_on(table: str, people: list[Guest]) -> None:
    while True:
        guest, view = await choosing(table, people)
        await guest.play(table, view["version"], view["legal"][0]["action"])


@pytest.mark.sqlite  # test_postgresql.py has the same of PostgreSQL
async def test_full_disk_gets_503_until_there_is_room(
    server: Serving, people: list[Guest], name: str, caplog: pytest.LogCaptureFixture
) -> None:
    table = await begun(people, name)
    await limit(server, "1")
    with pytest.raises(Refusal) as refused:
        await play_on(table, people)  # until the pages that it has are full
    assert (refused.value.status, refused.value.error) == (503, "disk-full")
    assert "disk of this server is full" in refused.value.problem["message"]
    assert any("database or disk is full" in record.getMessage() for record in caplog.records if record.levelno == logging.ERROR)
    assert (await people[0].look(table))["view"]
    await limit(server, "1000000")
    guest, view = await choosing(table, people)
    answer = await guest.play(table, view["version"], view["legal"][0]["action"])
    assert answer["version"] > view["version"]


def spoil_pages(database: bytes) -> bytes:
    """Damage all pages of a database but the first, which describes its tables."""
    return database[:PAGE] + b"\xff" * (len(database) - PAGE)


@pytest.fixture(params=[spoil_pages, spoil_schema], ids=lambda way: way.__name__)
async def damaged(tmp_path: Path, name: str, request: pytest.FixtureRequest) -> Path:
    """A damaged database with a match in it."""
    path = tmp_path / "damaged.db"
    async with serving(path) as server, guests(server, *party(name)) as people:
        await begun(people, name)
    path.write_bytes(request.param(path.read_bytes()))
    return path


@pytest.mark.sqlite
class TestDamaged:
    async def test_damaged_database_ends_the_start_with_one_line(self, damaged: Path) -> None:
        child = Child(damaged)
        await child.start()
        await child.ended()
        assert (child.status, child.out, child.err.count("\n")) == (2, "", 1)
        assert "database disk image is malformed" in child.err

    async def test_damage_found_while_serving_gets_503(self, damaged: Path, server: Serving) -> None:
        """It happens while the server runs."""
        readers = sqlite._readers(damaged, REAL.now)
        watcher = Guest(server.address)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(server.desk.store, "_readers", readers)
            with pytest.raises(Refusal) as refused:
                await watcher.look("anything")
        assert (refused.value.status, refused.value.error) == (503, "damaged")
        await watcher.close()
        await readers.close()


def moved(path: Path) -> None:
    path.rename(path.with_name("elsewhere.db"))


def deleted(path: Path) -> None:
    path.unlink()


def replaced(path: Path) -> None:
    shutil.copy(path, path.with_name("copy.db"))
    path.with_name("copy.db").rename(path)


def without_what_was_written_last(path: Path) -> None:
    path.with_name(f"{path.name}-wal").unlink()


@pytest.mark.sqlite
@pytest.mark.skipif(os.name == "nt", reason="Windows lets nobody move what is open")
class TestGone:
    @pytest.mark.parametrize("harm", [moved, deleted, replaced, without_what_was_written_last])
    async def test_moved_database_acknowledges_nothing(
        self, tmp_path: Path, harm: Callable[[Path], None], caplog: pytest.LogCaptureFixture
    ) -> None:
        path = tmp_path / "mekuri.db"
        async with serving(path) as server, guests(server, *party(USUAL)) as people:
            table = await begun(people, USUAL)
            assert status(await send(server.address, request("GET", "/ready"))) == 200
            harm(path)
            assert await refused(play_on(table, people)) == (503, "database-gone")
            assert status(await send(server.address, request("GET", "/ready"))) == 503
            assert path.exists() is (harm in (replaced, without_what_was_written_last)), "no empty file takes its place"
        assert any("put it back" in record.getMessage() for record in caplog.records if record.levelno == logging.ERROR)

    async def test_lease_renewal_notices_a_moved_database(self, tmp_path: Path) -> None:
        path = tmp_path / "mekuri.db"
        async with serving(path, lease=0) as server:
            moved(path)
            await until(lambda: server.desk.store.refusal == "database-gone")
            assert status(await send(server.address, request("GET", "/ready"))) == 503
            path.with_name("elsewhere.db").rename(path)
            await until(lambda: server.desk.store.refusal is None)
            assert status(await send(server.address, request("GET", "/ready"))) == 200


@pytest.mark.sqlite
@pytest.mark.skipif(os.name == "nt", reason="Windows has other permissions")
class TestPermissions:
    async def test_permissions_of_the_database_are_tightened(self, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
        path = tmp_path / "mekuri.db"
        async with serving(path):
            pass
        path.chmod(0o644)
        caplog.clear()
        async with serving(path):
            assert path.stat().st_mode & 0o777 == 0o600
        assert "now only its owner can" in caplog.text

    async def test_failed_chmod_names_the_command(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        path = tmp_path / "mekuri.db"
        path.touch(0o644)

        def refuse(*_: object) -> None:
            raise PermissionError

        monkeypatch.setattr(Path, "chmod", refuse)
        with pytest.raises(StoreError, match=f"chmod 600 {path}"):
            sqlite.keep_from_others(path)
