"""Backup and restore: all or nothing in every situation, and a start that trusts no leftover file."""

import asyncio
import json
import os
import shutil
import signal
import stat
from pathlib import Path
from typing import Any

import pytest

from mekuri.cli import main
from mekuri.match.verify import verify
from mekuri.server.ops.backup import back_up, restore
from mekuri.server.storage.side import StoreError
from tests.helpers.server import databases
from tests.helpers.server.child import Child
from tests.helpers.server.databases import place, place_of, restored_to
from tests.helpers.server.gathering import at, begun, choosing, guests, hearing, kinds_in_turn, pair, party
from tests.helpers.server.serving import Guest, Serving, play_out, serving
from tests.helpers.server.stores import spoil_schema, sql, write


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "mekuri.db"


async def backed_up(path: Path, name: str = "backup.db") -> Path:
    """Return a backup made while servers in this event loop run."""
    file = path.with_name(name)
    await asyncio.to_thread(back_up, place_of(path), file)
    return file


async def play_a_little(table: str, people: list[Guest], times: int = 2) -> None:
    for _ in range(times):
        guest, view = await choosing(table, people)
        await guest.play(table, view["version"], view["legal"][0]["action"])


class TestBackup:
    async def test_backup_is_complete_and_private(self, path: Path, server: Serving, people: list[Guest], name: str) -> None:
        table = await begun(people, name)
        await play_a_little(table, people)
        file = await backed_up(path)
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        rows = "select * from log order by id"
        assert sql(file, rows) == sql(path, rows)
        await play_a_little(table, people)
        assert len(sql(file, rows)) < len(sql(path, rows)), "the server has gone on"
        assert {beside.name for beside in path.parent.iterdir() if "backup" in beside.name} == {"backup.db"}

    @pytest.mark.sqlite
    async def test_backup_refusals_leave_files_unchanged(self, path: Path, server: Serving) -> None:
        with pytest.raises(StoreError, match=r"there is no database at .*--database"):
            back_up(path.with_name("nothing.db"), path.with_name("backup.db"))
        file = await backed_up(path)
        before = file.read_bytes()
        with pytest.raises(StoreError, match="is there already: name a new file"):
            back_up(path, file)
        assert file.read_bytes() == before
        other = path.with_name("other.db")
        sql(other, "create table log (id integer)")
        with pytest.raises(StoreError, match="is no database of Mekuri"):
            back_up(other, path.with_name("another.db"))
        with pytest.raises(StoreError, match="cannot be made"):
            back_up(path, path / "in" / "a file")
        assert {beside.name for beside in path.parent.iterdir()} >= {"backup.db", "other.db"}
        assert not list(path.parent.glob("*.part*"))

    async def test_damaged_database_gives_no_backup(self, path: Path) -> None:
        async with serving(path) as server, guests(server, *party("mushi")) as people:
            await begun(people, "mushi")
        await write(path, "delete from log where n = 1")
        with pytest.raises(StoreError, match="rows of a match are missing"):
            await backed_up(path)
        assert {beside.name for beside in path.parent.iterdir()} <= {"mekuri.db"}


class TestRestore:
    @kinds_in_turn(1)
    async def test_running_match_is_voided_and_guests_are_kept(self, path: Path, name: str) -> None:
        async with serving(path) as server, guests(server, *party(name)) as people:
            done = await begun(people, name, rounds=1)
            await play_out(done, people)
            record = await people[0].call("GET", f"/api/tables/{done}/record")
            amid, waiting = await begun(people, name), await people[0].make(name, **pair(name))
            seated = await people[0].sit(waiting)
            await play_a_little(amid, people)
            version = (await people[0].look(amid))["version"]
            file = await backed_up(path)
            await play_a_little(amid, people)
        target = place_of(restored_to(path))
        if isinstance(target, Path):
            target.chmod(0o644)
        restored = await asyncio.to_thread(restore, file, target)
        assert restored.closed == 1
        if not databases.running:
            assert restored.kept
            assert stat.S_IMODE(restored.kept.stat().st_mode) == stat.S_IMODE(path.stat().st_mode) == 0o600
            assert sorted(beside.name for beside in path.parent.iterdir()) == sorted(["backup.db", "mekuri.db", restored.kept.name])
            assert len(sql(restored.kept, "select 1 from log")) > len(sql(file, "select 1 from log")), "what was there is not lost"
        async with serving(restored_to(path)) as server:
            again = [at(server, guest) for guest in people]
            assert await again[0].call("GET", f"/api/tables/{done}/record") == record
            async with hearing(again[0], amid, last=str(version)) as heard:
                event = await heard.some("event", lambda message: message["kind"] == "end")
            assert event["text"]["id"] == "table.end-restored"
            whole = await again[1].look(amid)
            assert (whole["head"]["state"], whole["head"]["why"], whole["head"]["winners"]) == ("over", "restored", None)
            assert whole["you"] == 1
            broken_off = await again[0].call("GET", f"/api/tables/{amid}/record")
            verify(json.dumps(broken_off))
            # Nobody has begun here: the seat is kept, and what will be dealt is new.
            whole = await again[0].look(waiting)
            assert (whole["you"], whole["head"]["state"]) == (seated["you"], "open")
            assert whole["head"]["commitment"] != seated["head"]["commitment"]
            await again[1].sit(waiting)
            await play_out(waiting, again[:2])
            assert (await again[0].rematch(amid))["head"]["state"] in ("open", "running")

    async def test_match_of_an_unknown_game_is_voided(self, path: Path, name: str) -> None:
        async with serving(path) as server, guests(server, *party(name)) as people:
            table = await begun(people, name)
        await write(path, "update matches set game = 'lost'")
        file = await backed_up(path)
        assert (await asyncio.to_thread(restore, file, place_of(restored_to(path)))).closed == 1
        await write(restored_to(path), "update matches set game = ?", [name])
        async with serving(restored_to(path)) as server:
            watcher = Guest(server.address)
            assert (await watcher.look(table))["head"]["why"] == "restored"

    async def test_restore_into_an_empty_place(self, path: Path, server: Serving) -> None:
        file, new = await backed_up(path), path.parent / "new" / "mekuri.db"
        done = await asyncio.to_thread(restore, file, new)
        assert (done.closed, done.kept) == (0, None)
        assert [beside.name for beside in new.parent.iterdir()] == ["mekuri.db"]
        assert stat.S_IMODE(new.stat().st_mode) == 0o600

    @pytest.mark.sqlite
    async def test_restore_is_refused_while_a_server_runs(self, path: Path) -> None:
        async with serving(path) as server, guests(server, *party("mushi")) as people:
            table = await begun(people, "mushi")
            file = await backed_up(path)
            with pytest.raises(StoreError, match="is open: stop every server"):
                await asyncio.to_thread(restore, file, path)
            await play_a_little(table, people)
            assert not list(path.parent.glob("*.restore*"))

    @pytest.mark.sqlite
    async def test_restore_refusals_leave_the_place_unchanged(self, path: Path, server: Serving) -> None:
        file, place = await backed_up(path), path.with_name("place.db")
        shutil.copyfile(file, place)
        before = place.read_bytes()

        async def refuse(what: Path, message: str) -> None:
            with pytest.raises(StoreError, match=message):
                await asyncio.to_thread(restore, what, place)
            assert place.read_bytes() == before

        await refuse(path.with_name("nothing.db"), "there is no file")
        await refuse(place, "is the database itself")
        await refuse(path, "is not a whole backup, as part of it is in mekuri.db-wal")
        (notes := path.with_name("notes.txt")).write_text("These are notes. " * 99)
        await refuse(notes, "file is not a database")
        sql(other := path.with_name("other.db"), "create table log (id integer)")
        await refuse(other, "is no database of Mekuri")
        half = path.with_name("half.db")
        half.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
        await refuse(half, "malformed|damaged")
        garbled = path.with_name("garbled.db")
        garbled.write_bytes(spoil_schema(file.read_bytes()))
        await refuse(garbled, r"garbled.db: database disk image is malformed")
        shutil.copyfile(file, newer := path.with_name("newer.db"))
        sql(newer, "update alembic_version set version_num = '9999'")
        await refuse(newer, "newer Mekuri")
        place.write_bytes(before := b"something else altogether " * 99)
        await refuse(file, "is no database any more: move it away")
        place.write_bytes(before := garbled.read_bytes())
        await refuse(file, "is no database any more: move it away")
        place.write_bytes(before := other.read_bytes())
        place.chmod(0o644)
        await refuse(file, "is the database of another program: choose another place")
        assert place.stat().st_mode & 0o777 == 0o644


@pytest.mark.sqlite
class TestStart:
    """A `-wal` left by a killed server belongs to the database only in its place."""

    async def killed(self, path: Path, name: str = "mushi") -> tuple[Child, str]:
        child = Child(path, true=True)
        await child.start()
        people = [await Guest(child.address).arrive(one) for one in party(name)]
        table = await begun(people, name)
        await play_a_little(table, people)
        await child.kill()
        for guest in people:
            await guest.close()
        assert path.with_name("mekuri.db-wal").stat().st_size
        return child, table

    async def test_foreign_wal_is_refused_and_files_stay(self, path: Path) -> None:
        async with serving(path) as server, guests(server, *party("mushi")) as people:
            await begun(people, "mushi")
            file = await backed_up(path)
        child, _ = await self.killed(path)
        shutil.copyfile(file, path)
        files = {beside: beside.read_bytes() for beside in path.parent.iterdir() if not beside.name.endswith("-shm")}
        child = Child(path, child.port)
        await child.start()
        await child.ended()
        assert child.status == 2
        assert child.err.count("\n") == 1
        assert "does not go together with mekuri.db-wal" in child.err
        assert {beside: beside.read_bytes() for beside in files} == files
        # The advice of the message works.
        path.with_name("mekuri.db-wal").unlink()
        await child.start()
        child.send(signal.SIGTERM)
        await child.ended()
        assert child.status in (0, -signal.SIGTERM)

    @pytest.mark.slow
    async def test_own_wal_is_replayed(self, path: Path) -> None:
        child, table = await self.killed(path)
        await child.start()
        second = Child(path)
        await second.start()  # what a process that runs writes is no leftover
        for address in (child.address, second.address):
            watcher = Guest(address)
            assert (await watcher.look(table))["head"]["state"] == "running"
            await watcher.close()
        await child.kill()
        await second.kill()


class TestCommands:
    async def test_backup_and_restore(self, path: Path, server: Serving, capsys: pytest.CaptureFixture[str]) -> None:
        def run(path: Path, *words: str) -> Any:
            main([*words, "--database", str(place(path))])
            return capsys.readouterr().out

        file = path.with_name("backup.db")
        output = await asyncio.to_thread(run, path, "backup", str(file))
        assert output.startswith(f"{file} is a backup now")
        await server.stop()
        output = await asyncio.to_thread(run, restored_to(path), "restore", str(file))
        assert "matches that were being played, and are void: 0" in output
        assert ("what was there before is in" in output) == (not databases.running)

    def test_refusal_prints_one_line_and_exits_2(self, path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        for words in (["backup", os.devnull], ["restore", str(path.with_name("no.db"))]):
            with pytest.raises(SystemExit) as ended:
                main([*words, "--database", str(place(path))])
            assert ended.value.code == 2
            assert capsys.readouterr().err.count("\n") == 1
