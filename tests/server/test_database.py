"""The file of the log: made, opened, migrated, and refused."""

import asyncio
import os
import sqlite3
import stat
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Column, Connection, Integer, MetaData, Table, Text, create_engine

from mekuri.server.storage import database, schema, sqlite
from mekuri.server.storage.store import Store, StoreError, default_database
from mekuri.server.storage.transfer import move
from mekuri.table.time import REAL
from tests.helpers.server.databases import DURABLE, place, place_of, ready
from tests.helpers.server.earlier import REVISION
from tests.helpers.server.gathering import at, begun, choosing, guests, party
from tests.helpers.server.serving import play_out, serving
from tests.helpers.server.stores import add, append, numbers, played, sql, write
from tests.helpers.tables import USUAL

MIGRATIONS = Path(database.__file__).parent / "migrations"
NEXT = f"{int(schema.HEAD) + 1:04}"  # the revision of a release that is not there yet, and what it adds
ADDED = (
    "ALTER TABLE matches ADD COLUMN colour TEXT",
    "ALTER TABLE matches ADD COLUMN weight INTEGER NOT NULL DEFAULT 7",
    "CREATE INDEX matches_homes ON matches (home)",
    "CREATE TABLE stamps (person TEXT PRIMARY KEY, FOREIGN KEY (person) REFERENCES people (id) ON DELETE CASCADE)",
)
MEANT = r"as postgresql\+psycopg://USER@HOST/DATABASE"
SCHEMA = "SELECT sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' AND name NOT LIKE 'alembic_%' ORDER BY name"


def words(row: Any) -> list[str]:
    """Return the statement that made a table or an index, with its constraints sorted."""
    return sorted(row[0].replace(",", " ").replace("log.", "").split())


class TestFile:
    @pytest.mark.sqlite
    async def test_file_keeps_rows_over_a_restart(self, log_path: Path) -> None:
        for n in range(3):
            store = await Store.open(f"sqlite:///{log_path}")
            if n == 0:
                await add(store, "m")
            assert await numbers(store, "m") == list(range(n))
            await append(store, "m", played(n))
            await store.close()
            assert [file.name for file in log_path.parent.iterdir()] == ["mekuri.db"]

    @pytest.mark.sqlite
    async def test_file_is_readable_by_its_owner_only(self, log_path: Path) -> None:
        store = await Store.open(log_path)
        await add(store, "m")
        assert stat.S_IMODE(log_path.parent.stat().st_mode) == 0o700
        files = list(log_path.parent.iterdir())
        assert len(files) == 3
        assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}
        await store.close()

    @pytest.mark.sqlite
    async def test_writes_are_synchronous(self, log_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sqlite, "SYNCHRONOUS", DURABLE)
        store = await Store.open(ready(log_path))
        settings = {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "busy_timeout": 10_000}

        def found(connection: Connection) -> dict[str, Any]:
            return {name: connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in settings}

        assert await store._sides[0].do(found) == settings
        await store.close()

    @pytest.mark.sqlite
    async def test_write_transaction_locks_from_its_beginning(self, store: Store, log_path: Path) -> None:
        """No other process writes between its reads and writes."""

        def begin(_: Connection) -> None:
            with pytest.raises(sqlite3.OperationalError, match="locked"), closing(sqlite3.connect(log_path, timeout=0)) as another:
                another.execute("BEGIN IMMEDIATE")

        await store._sides[0].do(begin)

    async def test_file_opens_concurrently(self, log_path: Path) -> None:
        stores = await asyncio.gather(
            *(Store.open(place(path)) for path in [log_path] * 6 + [log_path.with_name(f"{n}.db") for n in range(3)])
        )
        await add(stores[0], "m", played(0))
        assert [await numbers(store, "m") for store in stores] == [[0]] * 6 + [[]] * 3
        await asyncio.gather(*(store.close() for store in stores))

    async def test_closed_store_finishes_writes_and_refuses_more(self, log_path: Path) -> None:
        store = await Store.open(place(log_path))
        await add(store, "m")
        last = asyncio.create_task(append(store, "m", played(0)))
        await asyncio.sleep(0)
        await store.close()
        await store.close()
        assert last.done()
        await last
        for refused in (add(store, "n"), append(store, "m", played(1)), store.rows("m"), store.table_news(0)):
            with pytest.raises(StoreError, match="closed"):
                await refused
        again = await Store.open(place(log_path))
        assert await numbers(again, "m") == [0]
        await again.close()

    @pytest.mark.sqlite
    async def test_relative_path_survives_a_change_of_directory(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """A relative path is that of the folder in which it was opened."""
        monkeypatch.chdir(tmp_path)
        store = await Store.open("here.db")
        (tmp_path / "there").mkdir()
        monkeypatch.chdir(tmp_path / "there")
        await add(store, "m", played(0))
        assert await numbers(store, "m") == [0]
        await store.close()
        assert sorted(file.name for file in tmp_path.rglob("*")) == ["here.db", "there"]

    @pytest.mark.parametrize("name", ["postgres-copy.db", "postgresql.db", "./postgresql/mekuri.db", "dbname.db"])
    def test_database_url_names_a_file(self, name: str) -> None:
        assert database.database_at(name) == Path(name).absolute()

    def test_default_database_is_in_the_data_home(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
        assert default_database().name == "mekuri.db"
        assert default_database().parent.name == "mekuri"
        assert default_database().is_absolute()

    def test_real_clock_counts_milliseconds(self) -> None:
        assert 1.7e12 < REAL.now() < 1e13


class TestRefused:
    async def refuse(self, where: Path | str, message: str) -> None:
        with pytest.raises(StoreError, match=message):
            await Store.open(where)

    @pytest.mark.sqlite
    async def test_file_of_another_kind_is_refused(self, tmp_path: Path) -> None:
        path = tmp_path / "notes.txt"
        path.write_text("These are my notes, and there are enough of them to be the head of a database. " * 20)
        before = path.read_bytes()
        await self.refuse(path, r"notes.txt cannot be opened as a database: file is not a database")
        assert path.read_bytes() == before

    @pytest.mark.sqlite
    async def test_database_of_another_program_is_refused(self, tmp_path: Path) -> None:
        path = tmp_path / "other.db"
        sql(path, "CREATE TABLE log (id INTEGER)")
        before = path.read_bytes()
        await self.refuse(path, "of another program: choose another place")
        assert path.read_bytes() == before

    async def test_newer_incompatible_database_is_refused(self, log_path: Path) -> None:
        await (await Store.open(place(log_path))).close()
        await write(log_path, "UPDATE alembic_version SET version_num = 'b0001'")
        await self.refuse(place(log_path), "by a newer Mekuri: update this one")
        assert sql(log_path, "SELECT version_num FROM alembic_version") == [("b0001",)]

    async def test_newer_compatible_database_cannot_be_moved(self, log_path: Path, tmp_path: Path) -> None:
        """A copy by the tables of this one would lose what the newer one has added."""
        await (await Store.open(place(log_path))).close()
        await write(log_path, f"UPDATE alembic_version SET version_num = '{NEXT}'")
        with pytest.raises(StoreError, match=r"(newer|another version of) Mekuri"):
            move(place_of(log_path), tmp_path / "moved.db")
        assert not (tmp_path / "moved.db").exists()

    @pytest.mark.sqlite
    async def test_impossible_path_is_refused(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("")
        await self.refuse(tmp_path / "file" / "mekuri.db", "cannot be made .*choose another place")
        await self.refuse(tmp_path, "is not a file")
        await self.refuse(tmp_path / ("long" * 100), "cannot be made .*choose another place")

    @pytest.mark.sqlite
    @pytest.mark.parametrize("name", ["mekuri.db", ""])
    async def test_read_only_database_is_refused(self, log_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
        await (await Store.open(log_path)).close()
        place, access = log_path.parent / name, os.access
        # Nothing is forbidden to the superuser, who may be running this test.
        monkeypatch.setattr(os, "access", lambda asked, mode: asked != place and access(asked, mode))
        await self.refuse(log_path, "must be writable")

    @pytest.mark.parametrize(
        ("where", "message"),
        [
            ("", "give its path"),
            (":memory:", "give its path"),
            ("sqlite://", "give its path"),
            ("sqlite:///:memory:", "give its path"),
            ("sqlite:///a.db?mode=ro", "leave out"),
            (
                "postgresql://user:secret@127.0.0.1:1/mekuri",
                r"user:\*\*\*@127.0.0.1:1/mekuri cannot be opened as a database: .*refused",
            ),
            (
                "postgres://user:secret@127.0.0.1:1/mekuri",
                r"user:\*\*\*@127.0.0.1:1/mekuri cannot be opened as a database: .*refused",
            ),
            (
                "postgresql://user@127.0.0.1:1/mekuri?password=secret",
                r"user:\*\*\*@127.0.0.1:1/mekuri cannot be opened as a database: .*refused",
            ),
            ("postgresql://user@127.0.0.1:1/mekuri?sslpassword=secret", "leave sslpassword out"),
            ("postgresql://user@/mekuri?host=a&host=b&port=1,2,3", "cannot be used: .*multihost"),
            ("postgresql:mekuri", MEANT),
            ("postgresql:/host/mekuri", MEANT),
            ("postgresql//host/mekuri", MEANT),
            ("postgres+psycopg:mekuri", MEANT),
            ("host=host password=secret dbname=mekuri", MEANT),
            ("mysql://user:secret@host/mekuri", "in SQLite or PostgreSQL, not in mysql"),
            ("://", "no address"),
            ("nonsense://x:y:z", "no address|in SQLite"),
        ],
    )
    async def test_invalid_url_is_refused_without_its_secret(
        self, where: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        await self.refuse(where, message)
        with pytest.raises(StoreError) as refusal:
            await Store.open(where)
        assert "secret" not in str(refusal.value)
        assert list(tmp_path.iterdir()) == []

    async def test_missing_driver_names_the_extra(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "psycopg", None)
        await self.refuse("postgresql://user:secret@host/mekuri", r"pip install \"mekuri\[postgresql\]\"")

    @pytest.mark.sqlite
    async def test_refused_database_leaves_no_thread(self, tmp_path: Path) -> None:
        """A refused file is closed again."""
        path, before = tmp_path / "other.db", set(threading.enumerate())
        sql(path, "CREATE TABLE log (id INTEGER)")
        await self.refuse(path, "another program")
        assert not [thread for thread in set(threading.enumerate()) - before if thread.name.startswith("database")]


async def test_newer_compatible_database_is_served(tmp_path: Path) -> None:
    """Running and new processes serve it: a match is played on, tables are made, a guest is deleted."""
    path = tmp_path / "mekuri.db"
    async with serving(path) as server, guests(server, *party(USUAL)) as people:
        table = await begun(people, USUAL, rounds=1)
        for statement in (*ADDED, f"UPDATE alembic_version SET version_num = '{NEXT}'"):
            await write(path, statement)
        guest, view = await choosing(table, people)
        await guest.play(table, view["version"], view["legal"][0]["action"])
        async with serving(path) as other:
            there = [at(other, guest) for guest in people]
            await play_out(table, there)
            assert await there[0].make(USUAL)
            await there[1].call("DELETE", "/api/guests/me")
    assert sql(path, "SELECT version_num FROM alembic_version") == [(NEXT,)]
    assert sql(path, "SELECT colour, weight FROM matches") == [(None, 7)] * 2
    assert sql(path, "SELECT * FROM stamps") == []


@pytest.mark.sqlite  # the migrations are the same of both
class TestAdditiveMigrations:
    """A process of the earlier release serves a database that this one has migrated, so a migration only adds."""

    def test_migrations_since_the_last_release_only_add(self, log_path: Path) -> None:
        assert spoilt(migrated(log_path, REVISION), migrated(log_path, "head")) == []

    @pytest.mark.parametrize(
        ("statement", "reason"),
        [
            *((statement, "") for statement in ADDED),
            ("DROP TABLE server_keys", "server_keys is gone"),
            ("ALTER TABLE matches RENAME COLUMN household TO house", "matches.household is gone"),
            ("DROP INDEX matches_lobby", "matches_lobby is gone"),
            ("ALTER TABLE people ADD COLUMN rank TEXT NOT NULL DEFAULT ''", ""),
            ("CREATE UNIQUE INDEX people_names ON people (name)", "people_names is unique"),
            ("CREATE TABLE likes (person TEXT REFERENCES people (id))", "likes.person keeps rows of people from being deleted"),
        ],
    )
    def test_destructive_change_is_found(self, log_path: Path, statement: str, reason: str) -> None:
        before = migrated(log_path, "head")
        sql(log_path, statement)
        assert spoilt(before, migrated(log_path, "head")) == ([reason] if reason else [])

    def test_required_column_is_found(self) -> None:
        """SQLite itself adds none to a table with rows."""
        before, after = MetaData(), MetaData()
        Table("people", before, Column("id", Text, primary_key=True))
        Table("people", after, Column("id", Text, primary_key=True), Column("rank", Text, nullable=False))
        assert spoilt(before, after) == ["people.rank has no default"]
        Table("people", before, Column("id", Integer, primary_key=True), extend_existing=True)
        assert "people.id is another" in spoilt(before, after)


def migrated(path: Path, revision: str) -> MetaData:
    """Return the tables of a file after its migration to a revision."""
    path.parent.mkdir(parents=True, exist_ok=True)
    engine, found = create_engine(f"sqlite:///{path}"), MetaData()
    with engine.begin() as connection:
        config = Config(attributes={"connection": connection})
        config.set_main_option("script_location", str(MIGRATIONS))
        command.upgrade(config, revision)
        found.reflect(connection)
    engine.dispose()
    return found


def spoilt(before: MetaData, after: MetaData) -> list[str]:
    """Return what a process with the former tables could not do, or would do wrong, with the new ones."""
    found = [f"{name} is gone" for name in before.tables if name not in after.tables]
    for name, table in after.tables.items():
        for key in (key for column in table.columns for key in column.foreign_keys):
            owner = key.column.table.name
            if owner in before.tables and name not in before.tables and key.ondelete not in ("CASCADE", "SET NULL"):
                found.append(f"{name}.{key.parent.name} keeps rows of {owner} from being deleted")
        if (old := before.tables.get(name)) is None:
            continue
        found += [f"{name}.{column} is gone" for column in sorted({*old.columns.keys()} - {*table.columns.keys()})]
        for column in table.columns:
            if column.name not in old.columns:
                found += [f"{name}.{column.name} has no default"] * (not column.nullable and column.server_default is None)
            elif _said(column) != _said(old.columns[column.name]):
                found.append(f"{name}.{column.name} is another")
        rules = {str(index.name): index.unique for index in old.indexes}
        found += [f"{index} is gone" for index in rules.keys() - {str(index.name) for index in table.indexes}]
        found += [f"{index.name} is unique" for index in table.indexes if index.unique and not rules.get(str(index.name))]
    return found


def _said(column: Column[Any]) -> tuple[object, ...]:
    default = column.server_default
    return str(column.type), column.nullable, column.primary_key, str(getattr(default, "arg", default))


class TestMigrations:
    @pytest.mark.sqlite  # test_postgresql.py has the same of PostgreSQL
    async def test_migrations_lead_to_the_declared_tables(self, log_path: Path) -> None:
        await (await Store.open(log_path)).close()
        engine = create_engine(f"sqlite:///{log_path}")
        with engine.connect() as connection:
            context = MigrationContext.configure(connection, opts={"compare_type": True})
            assert compare_metadata(context, schema.metadata) == []
            assert context.get_current_revision() == schema.HEAD
            made = connection.exec_driver_sql(SCHEMA).all()
        engine.dispose()
        # Parts that Alembic does not compare, such as the rows of an index: SQLite stores the very text.
        plain = create_engine("sqlite://")
        with plain.connect() as connection:
            schema.metadata.create_all(connection)
            assert [words(text) for text in made] == [words(text) for text in connection.exec_driver_sql(SCHEMA).all()]
        plain.dispose()

    def test_migrations_are_linear_without_downgrade(self) -> None:
        config = Config()
        config.set_main_option("script_location", str(MIGRATIONS))
        scripts = ScriptDirectory.from_config(config)
        assert scripts.get_heads() == [schema.HEAD]
        for script in scripts.walk_revisions():
            assert not hasattr(script.module, "downgrade")

    @pytest.mark.sqlite
    def test_alembic_is_imported_only_to_migrate(self, log_path: Path) -> None:
        code = (
            "import asyncio, sys\n"
            "from mekuri.server.storage.store import Store\n"
            "async def main():\n"
            f"    await (await Store.open({str(log_path)!r})).close()\n"
            "asyncio.run(main())\n"
            "print('alembic' in sys.modules)"
        )
        said = [subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout for _ in range(2)]
        assert said == ["True\n", "False\n"]
