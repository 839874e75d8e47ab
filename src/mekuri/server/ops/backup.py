"""Backups: the whole database copied into one file and back, for `mekuri backup` and `mekuri restore`.

A backup is a file of SQLite, whatever the database is. A copy is made in one transaction, so that an interrupted backup or restore
leaves no half-copied database.
"""

from __future__ import annotations

import asyncio
import sqlite3
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from mekuri.desk.loading import Loader, Waiting
from mekuri.files import expanded, put
from mekuri.server.base.work import WorkerThread
from mekuri.server.storage.database import Place, migrate
from mekuri.server.storage.side import StoreError
from mekuri.server.storage.sqlite import keep_from_others, make_file
from mekuri.server.storage.sqlite_file import beside, check_whole, need_ours, opened, scratch, sync, tables, take_alone
from mekuri.server.storage.store import Store
from mekuri.server.storage.transfer import filling, filling_new, need_empty, reading, snapshot, transfer
from mekuri.table import commands
from mekuri.table.log import Row


@dataclass(frozen=True)
class Restored:
    """The result of a restore.

    Attributes:
        closed: how many running matches were closed as void.
        kept: the copy of the database that was replaced; None if there was none.
    """

    closed: int
    kept: Path | None


def back_up(database: Place, file: Path) -> None:
    """Write a consistent copy of a database into a new file that only its owner may read, also while servers use it.

    Raises:
        StoreError: there is no such database, the file exists, or the copy is damaged.
    """
    file = expanded(file)
    if isinstance(database, Path) and not database.is_file():
        raise StoreError(f"there is no database at {database}: name another with --database")
    if file.exists():
        raise StoreError(f"{file} is there already: name a new file")
    with scratch(beside(file, "part")) as part:
        if isinstance(database, Path):
            with opened(database) as source:
                need_ours(source, database)
                source.execute("VACUUM INTO ?", [str(part)])
            check_whole(part)
        else:
            with snapshot(database) as rows, filling_new(part) as copy:
                transfer(rows, copy)
        sync(part)
        put(part, file, instead="name a new file")


def restore(file: Path, database: Place) -> Restored:
    """Replace a database in a file by a backup, or fill an empty one in PostgreSQL. A file's old database is kept beside it.

    Running matches are closed as void, since their cards may have been seen after the backup was made. Tables that have not begun
    get a new secret.

    Raises:
        StoreError: the backup is damaged, is no database of Mekuri or is the database itself; a server has the database open; or
            the one in PostgreSQL is not empty.
    """
    file = expanded(file)
    if not file.is_file():
        raise StoreError(f"there is no file {file}")
    if file.with_name(f"{file.name}-wal").exists():
        raise StoreError(f"{file} is not a whole backup, as part of it is in {file.name}-wal: make one with mekuri backup")
    if isinstance(database, Path):
        if database.exists() and file.samefile(database):
            raise StoreError(f"{file} is the database itself: name a backup")
        place = database
    else:
        need_empty(database)
        place = file
    check_whole(file)
    with scratch(beside(place, "restore")) as staged:
        closed = _stage(file, staged)
        if not isinstance(database, Path):
            with reading(staged) as rows, filling(database) as empty:
                transfer(rows, empty)
            return Restored(closed, None)
        make_file(database)
        with opened(database) as target, opened(staged) as copy:
            take_alone(target, database)
            keep_from_others(database)
            kept = _keep(target, database)
            _keep_id(target, copy)
            copy.backup(target)
    return Restored(closed, kept)


def _stage(file: Path, staged: Path) -> int:
    """Make a new file what a backup will be when it is restored. Returns how many running matches were closed."""
    with opened(file) as source, opened(staged) as copy:
        need_ours(source, file)
        source.backup(copy)
    migrate(staged)
    closed = asyncio.run(_close_running(staged))
    with opened(staged) as copy:
        copy.execute("PRAGMA journal_mode = DELETE")
        copy.execute("DELETE FROM processes")
        copy.execute("DELETE FROM codes")
        copy.execute("UPDATE matches SET root = randomblob(32) WHERE state = 'open'")
    check_whole(staged)
    return closed


async def _close_running(path: Path) -> int:
    """Close every running match as void. Returns how many there were."""
    store, worker = await Store.open(path), WorkerThread()
    loader = Loader(store, worker)
    try:
        running = await store.ids("running")
        for id in running:
            try:
                table = await loader.load(id)
                commands.close_restored(table, store.time.now())
                rows = table.fresh
            except Waiting:  # its game is not installed
                done = await store.rows(id)
                rows = [Row(len(done), "end", None, {"why": "restored", "settled": True}, store.time.now())]
            if rows:
                await store.append(id, rows, "over", bot_due=False)
        return len(running)
    finally:
        worker.close()
        await store.close()


def _keep_id(target: sqlite3.Connection, copy: sqlite3.Connection) -> None:
    """Give a backup that is older than the id of its database that id, by which browsers know their guests."""
    if "site" in tables(target) and copy.execute("SELECT 1 FROM site").fetchone() is None:
        copy.executemany("INSERT INTO site (name, value) VALUES (?, ?)", target.execute("SELECT name, value FROM site"))


def _keep(target: sqlite3.Connection, path: Path) -> Path | None:
    """Copy a database into a new file beside it, named with the time. Returns its path; None where the database is empty."""
    if target.execute("SELECT 1 FROM sqlite_master").fetchone() is None:
        return None
    kept = path.with_name(f"{path.name}.{datetime.now(UTC):%Y%m%dT%H%M%S%fZ}")
    make_file(kept)
    with opened(kept) as copy:
        target.backup(copy)
    return kept
