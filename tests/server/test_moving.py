"""A site in another database: everything is there, and goes on; or nothing is.

It is moved between files, and with `--postgresql` from PostgreSQL to a file and back.
"""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from mekuri.cli import main
from mekuri.server.storage import transfer
from mekuri.server.storage.database import Place, database_at, engine_at, named
from mekuri.server.storage.schema import metadata, processes
from mekuri.server.storage.side import StoreError
from mekuri.server.storage.store import Store
from mekuri.server.storage.transfer import move
from tests.helpers.folders import OLDER
from tests.helpers.server import databases
from tests.helpers.server.databases import place, place_of, ready, unpacked
from tests.helpers.server.gathering import at, begun, choosing, guests, pair, party
from tests.helpers.server.serving import Guest, play_out, serving
from tests.helpers.server.stores import add, append, numbers, played, sql, write
from tests.helpers.tables import USUAL
from tests.helpers.time import moment


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "mekuri.db"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Where the site is moved to: a file, in either case."""
    return tmp_path / "moved" / "moved.db"


def everything(where: Place) -> dict[str, list[Any]]:
    """All rows of a database but those of the heartbeat."""
    engine = engine_at(where)
    with engine.connect() as connection:
        found = {
            table.name: [tuple(row) for row in connection.execute(select(table).order_by(*table.primary_key))]
            for table in metadata.sorted_tables
            if table is not processes
        }
    engine.dispose()
    return found


async def lived_in(path: Path) -> None:
    """A database with a person in it and a match."""
    store = await Store.open(ready(path))
    await store.add_person("ann", "hash", "Ann")
    await add(store, "m", played(0), played(1))
    await store.close()


async def test_moved_database_is_complete_and_served(path: Path, file: Path) -> None:
    async with serving(path) as server, guests(server, *party(USUAL)) as people:
        done = await begun(people, USUAL, rounds=1)
        await play_out(done, people)
        record = await people[0].call("GET", f"/api/tables/{done}/record")
        await people[0].call("GET", "/api/guests/matches")
        amid, waiting = await begun(people, USUAL), await people[0].make(USUAL, **pair(USUAL))
        commitment = (await people[0].sit(waiting))["head"]["commitment"]
        await people[1].call("POST", "/api/guests/code")
        await server.desk.store.act("announce", en="Hear!")
        before = await people[0].look(amid)
    again = path.with_name("again.db")
    first = everything(place_of(path))
    assert {name for name, rows in first.items() if rows} >= {"people", "devices", "codes", "matches", "log", "results", "acts"}
    file.parent.mkdir(parents=True, exist_ok=True)
    file.touch(0o644)
    moved = await asyncio.to_thread(move, place_of(path), file)
    assert moved == {name: len(rows) for name, rows in first.items()}
    assert [beside.name for beside in file.parent.iterdir()] == ["moved.db"]
    assert file.stat().st_mode & 0o777 == 0o600
    assert await asyncio.to_thread(move, file, place_of(again)) == moved
    assert everything(file) == everything(place_of(again)) == everything(place_of(path)) == first
    async with serving(again) as server:
        people = [at(server, guest) for guest in people]
        whole = await people[0].look(amid)
        assert (whole["version"], whole["you"], whole["head"]["state"]) == (before["version"], before["you"], "running")
        guest, view = await choosing(amid, people)
        await guest.play(amid, view["version"], view["legal"][0]["action"])
        assert (await people[0].look(waiting))["head"]["commitment"] == commitment
        assert await people[0].call("GET", f"/api/tables/{done}/record") == record
        await Guest(server.address).arrive("Chiyo")


async def test_ids_continue_after_deleted_rows(path: Path, file: Path) -> None:
    """A process that knows the last row must not take a later one for it."""
    await lived_in(path)
    store = await Store.open(place(path))
    for _ in range(3):
        await store.act("announce")
    (last, *_) = [act.id for act in await store.last_acts(1)]
    await store.close()
    sql(path, "DELETE FROM acts")
    move(place_of(path), file)
    move(file, place_of(path.with_name("again.db")))
    for where in (file, path.with_name("again.db")):
        store = await Store.open(place(where))
        await store.act("announce")
        assert [act.id for act in await store.last_acts(9)] == [last + 1]
        await append(store, "m", played(2))
        assert await numbers(store, "m") == [0, 1, 2]
        await store.close()


def test_older_database_is_migrated_by_the_move(tmp_path: Path, file: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(databases, "running", None)
        older = unpacked(OLDER / "first" / "mekuri.db.gz", tmp_path / "older.db")
    before = sql(older, "SELECT version_num FROM alembic_version"), sql(older, "SELECT * FROM people")
    moved = move(older, file)
    assert moved["people"] == moved["devices"] == len(before[1])
    assert (sql(older, "SELECT version_num FROM alembic_version"), sql(older, "SELECT * FROM people")) == before
    assert [beside.name for beside in tmp_path.iterdir() if "moving" in beside.name] == []


class TestAtomicity:
    async def test_interrupted_move_leaves_no_target(self, path: Path, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        await lived_in(path)
        before = everything(place_of(path))
        again = path.with_name("again.db")

        def interrupt(*_: object) -> None:
            raise KeyboardInterrupt

        move(place_of(path), file)
        for source, target in ((place_of(path), file.with_name("other.db")), (file, place_of(again))):
            files = set(file.parent.iterdir())
            with monkeypatch.context() as patch:
                patch.setattr(transfer, "_go_on", interrupt)
                with pytest.raises(KeyboardInterrupt):
                    move(source, target)
            if not isinstance(target, Path):
                assert not any(everything(target).values())
            assert set(file.parent.iterdir()) == files
            assert move(source, target)["log"] == 2
            assert everything(source) == everything(target) == before
        assert {beside.name for beside in file.parent.iterdir()} == {"moved.db", "other.db"}

    async def test_existing_target_is_refused(self, path: Path, file: Path) -> None:
        await lived_in(path)
        await lived_in(path.with_name("again.db"))
        move(place_of(path), file)
        before = everything(file)
        for source, target in ((place_of(path), file), (file, place_of(path.with_name("again.db")))):
            with pytest.raises(StoreError, match="is not empty: name a new database"):
                move(source, target)
            with pytest.raises(StoreError, match="is where everything is"):
                move(source, source)
        assert everything(file) == everything(place_of(path)) == before

    async def test_damaged_database_is_not_moved(self, path: Path, file: Path) -> None:
        await lived_in(path)
        await write(path, "DELETE FROM log WHERE n = 0")
        with pytest.raises(StoreError, match="rows of a match are missing"):
            move(place_of(path), file)
        assert not file.exists()

    async def test_move_is_refused_while_a_server_runs(self, path: Path, file: Path) -> None:
        async with serving(path):
            while not sql(path, "SELECT 1 FROM processes"):
                await moment()
            with pytest.raises(StoreError, match="is open: stop every server that serves it first"):
                await asyncio.to_thread(move, place_of(path), file)
        # One that was killed has left its row.
        await write(
            path, "INSERT INTO processes (id, until, address, secret, waiting) VALUES ('killed', 7, '127.0.0.1:1', '', '{}')"
        )
        await asyncio.to_thread(move, place_of(path), file)
        assert sql(file, "SELECT * FROM processes") == []

    def test_foreign_database_is_refused(self, tmp_path: Path, file: Path) -> None:
        other = tmp_path / "other.db"
        other.touch()
        sql(other, "CREATE TABLE t (x)")
        for source, target, message in (
            (tmp_path / "none.db", file, "there is no database at"),
            (other, file, "is no database of Mekuri"),
            (tmp_path / "none.db", other, "is no database of Mekuri"),
        ):
            with pytest.raises(StoreError, match=message):
                move(source, target)
        assert not file.exists()
        assert sql(other, "SELECT * FROM t") == []


@pytest.mark.postgresql
class TestPostgreSQL:
    """Refusals on PostgreSQL."""

    async def test_source_of_another_version_is_refused(self, path: Path, file: Path) -> None:
        assert databases.running
        empty = database_at(databases.running.empty("moved_from"))
        with pytest.raises(StoreError, match="is no database of Mekuri: name another"):
            move(empty, file)
        await lived_in(path)
        await write(path, "UPDATE alembic_version SET version_num = '0001'")
        with pytest.raises(StoreError, match=r"of another version of Mekuri \(0001, not .*start a server of this version"):
            move(place_of(path), file)
        assert not file.exists()

    async def test_empty_target_gets_the_tables(self, path: Path, file: Path) -> None:
        assert databases.running
        empty = database_at(databases.running.empty("moved_to"))
        await lived_in(path)
        move(place_of(path), file)
        move(file, empty)
        assert everything(empty) == everything(file)


def test_move_command_prints_rows_and_refusals(path: Path, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asyncio.run(lived_in(path))
    main(["move-database", str(place(path)), str(file)])
    done, then = capsys.readouterr().out.splitlines()
    assert done == f"{file} holds everything now. Rows: matches 1, people 1, devices 1, log 2"
    assert then.startswith(f"start every server with --database {file} from now on, and none with {named(place_of(path))}")
    with pytest.raises(SystemExit) as ended:
        main(["move-database", str(place(path)), str(file)])
    assert ended.value.code == 2
    assert capsys.readouterr().err.count("\n") == 1
