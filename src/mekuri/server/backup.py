"""Backups: the whole database copied into one file and back, for `mekuri backup` and `mekuri restore`.

SQLite itself does the copying, so that an interrupted backup or restore leaves no half-copied database.
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

from mekuri.server.database import migrate
from mekuri.server.loading import Loader, Waiting
from mekuri.server.side import StoreError
from mekuri.server.sqlite import make_file
from mekuri.server.store import Store, now
from mekuri.server.work import WorkerThread
from mekuri.table import commands
from mekuri.table.log import Row

_BESIDE = ("", "-wal", "-shm", "-journal")  # endings of a database file and of SQLite's side files
_OURS = {"alembic_version", "log", "matches", "people"}


@dataclass(frozen=True)
class Restored:
    """The result of a restore.

    Attributes:
        closed: how many running matches were closed as void.
        kept: the copy of the database that was replaced; None if there was none.
    """

    closed: int
    kept: Path | None


def back_up(database: Path, file: Path) -> None:
    """Write a consistent copy of a database into a new file that only its owner may read, also while servers use it.

    Raises:
        StoreError: there is no such database, the file exists, or the copy is damaged.
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
    """Replace a database by a backup. The old one is kept in a file beside it.

    Running matches are closed as void, since their cards may have been seen after the backup was made. Tables that have not begun
    get a new secret.

    Raises:
        StoreError: the backup is damaged, is no database of Mekuri or is the database itself, or a server has the database open.
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
    """Check the integrity of a database, and that the log of every match has all its rows.

    Raises:
        StoreError: the database is damaged, or is none of Mekuri's.
    """
    with _opened(path) as connection:
        _need_ours(connection, path)
        found = [row[0] for row in connection.execute("PRAGMA integrity_check(1)")]
        if found != ["ok"] or connection.execute("PRAGMA foreign_key_check").fetchone():
            raise StoreError(f"{path} is damaged ({found[0]}): restore a backup")
        if connection.execute("SELECT 1 FROM log GROUP BY match HAVING count(*) <> max(n) + 1 LIMIT 1").fetchone():
            raise StoreError(f"{path} is damaged (rows of a match are missing): restore a backup")


async def _close_running(path: Path) -> int:
    """Close every running match as void. Returns how many there were."""
    store, worker = await Store.open(path), WorkerThread()
    loader = Loader(store, worker)
    try:
        running = await store.ids("running")
        for id in running:
            try:
                table = await loader.load(id)
                commands.close_restored(table, now())
                rows = table.fresh
            except Waiting:  # its game is not installed
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
    """Open an existing SQLite file in autocommit mode. Its errors are raised as StoreErrors."""
    try:
        # With mode=rw SQLite does not create a missing file.
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True, isolation_level=None)) as connection:
            yield connection
    except sqlite3.Error as error:
        raise StoreError(f"{path}: {error}") from error


def _need_ours(connection: sqlite3.Connection, path: Path) -> None:
    tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if not tables >= _OURS:
        raise StoreError(f"{path} is no database of Mekuri")


def _take_alone(target: sqlite3.Connection, path: Path) -> None:
    """Lock a database exclusively until it is closed, and merge its `-wal` file into it. Raises StoreError where it is in use."""
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
    """Copy a database into a new file beside it, named with the time. Returns its path; None where the database is empty."""
    if target.execute("SELECT 1 FROM sqlite_master").fetchone() is None:
        return None
    kept = path.with_name(f"{path.name}.{datetime.now(UTC):%Y%m%dT%H%M%S%fZ}")
    make_file(kept)
    with _opened(kept) as copy:
        target.backup(copy)
    return kept


@contextmanager
def _scratch(path: Path) -> Iterator[Path]:
    """Create a temporary file that only its owner may read, and delete it with SQLite's side files at the end."""
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
