"""The whole database as one file, and back: what `mekuri backup` and `mekuri restore` do.

SQLite's own online backup does the copying, so each is whole or not done at all, whenever it is broken off.
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from mekuri.server.database import StoreError, make_file, migrate
from mekuri.server.loading import Loader, Waiting
from mekuri.server.store import Store, now
from mekuri.server.work import WorkerThread
from mekuri.table import commands
from mekuri.table.log import Row

_BESIDE = ("", "-wal", "-shm", "-journal")  # a database, and what SQLite may put beside it
_OURS = {"alembic_version", "log", "matches", "people"}


@dataclass(frozen=True)
class Restored:
    """What a restore has done.

    Attributes:
        closed: how many matches were being played, and are void.
        kept: where the database that was there before is kept; None if there was none.
    """

    closed: int
    kept: Path | None


def back_up(database: Path, file: Path) -> None:
    """Write a database as it is at this moment into a new file that only its owner may read, also while servers have it open.

    Raises StoreError where there is no such database, the file is there already, or what was written is not whole.
    """
    if not database.is_file():
        raise StoreError(f"there is no database at {database}: name another with --database")
    if file.exists():
        raise StoreError(f"{file} is there already: name a new file")
    with _scratch(file.with_name(f"{file.name}.part")) as part:
        with _opened(database) as source:
            _need_ours(source, database)
            source.execute("VACUUM INTO ?", [str(part)])
        check_whole(part)
        _sync(part)
        part.rename(file)


def restore(file: Path, database: Path) -> Restored:
    """Put what is in a backup in a database's place, and keep what was there in a file beside it.

    Matches that were being played are closed as void, since their cards may have been seen after the backup was made, and tables
    that have not begun get a new secret. Raises StoreError where the file is no whole database of Mekuri, and where a server has
    the database open.
    """
    if not file.is_file():
        raise StoreError(f"there is no file {file}")
    if file.with_name(f"{file.name}-wal").exists():
        raise StoreError(f"{file} is not a whole backup, as part of it is in {file.name}-wal: make one with mekuri backup")
    if database.exists() and file.samefile(database):
        raise StoreError(f"{file} is the database itself: name a backup")
    check_whole(file)
    with _scratch(database.with_name(f"{database.name}.restore")) as staged:
        with _opened(file) as source, _opened(staged) as copy:
            _need_ours(source, file)
            source.backup(copy)
        migrate(staged)
        closed = asyncio.run(_close_running(staged))
        with _opened(staged) as copy:
            copy.execute("PRAGMA journal_mode = DELETE")
            copy.execute("DELETE FROM processes")
            copy.execute("DELETE FROM codes")
            copy.execute("UPDATE matches SET root = randomblob(32) WHERE state = 'open'")
        check_whole(staged)
        make_file(database)
        with _opened(database) as target, _opened(staged) as copy:
            _take_alone(target, database)
            kept = _keep(target, database)
            copy.backup(target)
    return Restored(closed, kept)


def check_whole(path: Path) -> None:
    """Raise StoreError where a database is damaged: one of its parts is, or the rows of a match do not follow upon each other."""
    with _opened(path) as connection:
        _need_ours(connection, path)
        found = [row[0] for row in connection.execute("PRAGMA integrity_check(1)")]
        if found != ["ok"] or connection.execute("PRAGMA foreign_key_check").fetchone():
            raise StoreError(f"{path} is damaged ({found[0]}): restore a backup")
        if connection.execute("SELECT 1 FROM log GROUP BY match HAVING count(*) <> max(n) + 1 LIMIT 1").fetchone():
            raise StoreError(f"{path} is damaged (rows of a match are missing): restore a backup")


async def _close_running(path: Path) -> int:
    """Close every match that is being played. Returns how many there were."""
    store, worker = await Store.open(path), WorkerThread()
    loader = Loader(store, worker)
    try:
        running = await store.ids("running")
        for id in running:
            try:
                table = await loader.load(id)
                commands.close_restored(table, now())
                rows = table.fresh
            except Waiting:  # for rules that are not here
                done = await store.rows(id)
                rows = [Row(len(done), "end", None, {"why": "restored"}, now())]
            if rows:
                await store.append(id, rows, "over", bot_due=False)
        return len(running)
    finally:
        worker.close()
        await store.close()


@contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    """A database, whose errors are StoreErrors."""
    try:
        # The address form makes no file where there is none.
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True, isolation_level=None)) as connection:
            yield connection
    except sqlite3.Error as error:
        raise StoreError(f"{path}: {error}") from error


def _need_ours(connection: sqlite3.Connection, path: Path) -> None:
    tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if not tables >= _OURS:
        raise StoreError(f"{path} is no database of Mekuri")


def _take_alone(target: sqlite3.Connection, path: Path) -> None:
    """Keep everybody else from a database until it is closed. Nothing of it is left in a file beside it."""
    target.execute("PRAGMA locking_mode = EXCLUSIVE")
    try:
        target.execute("PRAGMA journal_mode = DELETE")
        target.execute("BEGIN EXCLUSIVE")
        target.execute("COMMIT")
    except sqlite3.OperationalError as error:
        raise StoreError(f"{path} is open: stop every server that serves it first") from error
    except sqlite3.DatabaseError as error:
        raise StoreError(f"{path} is no database any more: move it away, with {path.name}-wal if there is one") from error


def _keep(target: sqlite3.Connection, path: Path) -> Path | None:
    """Copy what a database holds into a new file beside it; nothing where it is empty."""
    if target.execute("SELECT 1 FROM sqlite_master").fetchone() is None:
        return None
    kept = path.with_name(f"{path.name}.{datetime.now(UTC):%Y%m%dT%H%M%S%fZ}")
    make_file(kept)
    with _opened(kept) as copy:
        target.backup(copy)
    return kept


@contextmanager
def _scratch(path: Path) -> Iterator[Path]:
    """A new file that only its owner may read, for as long as it is worked on."""
    _take_away(path)
    make_file(path)
    try:
        yield path
    finally:
        _take_away(path)


def _take_away(path: Path) -> None:
    for end in _BESIDE:
        with suppress(FileNotFoundError, NotADirectoryError):
            path.with_name(path.name + end).unlink()


def _sync(path: Path) -> None:
    with path.open("rb+") as file:
        os.fsync(file.fileno())
