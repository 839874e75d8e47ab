"""A file of SQLite as a whole: checked, locked, and made in a place of its own before other processes see it."""

from __future__ import annotations

import os
import secrets
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from mekuri.server.storage.side import StoreError
from mekuri.server.storage.sqlite import damage, make_file

_BESIDE = ("", "-wal", "-shm", "-journal")  # endings of a database file and of SQLite's side files
_OURS = {"alembic_version", "log", "matches", "people"}


def check_whole(path: Path) -> None:
    """Check the integrity of a database, and that the log of every match has all its rows.

    Raises:
        StoreError: the database is damaged, or is none of Mekuri's.
    """
    with opened(path) as connection:
        need_ours(connection, path)
        found = [row[0] for row in connection.execute("PRAGMA integrity_check(1)")]
        if found != ["ok"] or connection.execute("PRAGMA foreign_key_check").fetchone():
            raise StoreError(f"{path} is damaged ({found[0].rpartition(chr(10))[2]}): restore a backup")
        if connection.execute("SELECT 1 FROM log GROUP BY match HAVING count(*) <> max(n) + 1 LIMIT 1").fetchone():
            raise StoreError(f"{path} is damaged (rows of a match are missing): restore a backup")


@contextmanager
def opened(path: Path) -> Iterator[sqlite3.Connection]:
    """Open an existing SQLite file in autocommit mode. Its errors are raised as StoreErrors."""
    try:
        # With mode=rw SQLite does not create a missing file.
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True, isolation_level=None)) as connection:
            yield connection
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise StoreError(f"{path}: {error if isinstance(error, sqlite3.Error) else damage()}") from error


def need_ours(connection: sqlite3.Connection, path: Path) -> None:
    """Raise StoreError where a file is no database of Mekuri."""
    if not tables(connection) >= _OURS:
        raise StoreError(f"{path} is no database of Mekuri")


def tables(connection: sqlite3.Connection) -> set[str]:
    """Return the names of all tables."""
    return {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}


def take_alone(target: sqlite3.Connection, path: Path) -> None:
    """Lock a database exclusively until it is closed, and merge its `-wal` file into it.

    Raises:
        StoreError: it is in use, is damaged, or belongs to another program.
    """
    try:
        if (found := tables(target)) and "alembic_version" not in found:
            raise StoreError(f"{path} is the database of another program: choose another place")
        target.execute("PRAGMA locking_mode = EXCLUSIVE")
        target.execute("PRAGMA journal_mode = DELETE")
        target.execute("BEGIN EXCLUSIVE")
        target.execute("COMMIT")
    except sqlite3.OperationalError as error:
        raise StoreError(f"{path} is open: stop every server that serves it first") from error
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        raise StoreError(f"{path} is no database any more: move it away, with {path.name}-wal if there is one") from error


def beside(path: Path, why: str) -> Path:
    """Return a name for a temporary file beside a file. No other file has it, so nothing is lost there."""
    return path.with_name(f"{path.name}.{secrets.token_hex(4)}.{why}")


@contextmanager
def scratch(path: Path) -> Iterator[Path]:
    """Create a temporary file that only its owner may read, and delete it with SQLite's side files at the end."""
    _take_away(path)
    make_file(path)
    try:
        yield path
    finally:
        _take_away(path)


def sync(path: Path) -> None:
    """Write a file through to the disk."""
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def _take_away(path: Path) -> None:
    for end in _BESIDE:
        with suppress(FileNotFoundError, NotADirectoryError):
            path.with_name(path.name + end).unlink()


_LOCKED_AT, _LOCKED = 0x40000002, 510  # SQLite's SHARED_FIRST and SHARED_SIZE: locked by every process with the file open


def check_leftover(path: Path) -> None:
    """Check on a copy that a database and its leftover `-wal` file belong together. Nothing is changed.

    Must be called before this process opens the database.

    Raises:
        StoreError: the two do not belong together, or cannot be checked.
    """
    wal = path.with_name(f"{path.name}-wal")
    if not (path.exists() and wal.exists() and wal.stat().st_size) or _in_use(path):
        return
    try:
        with tempfile.TemporaryDirectory(prefix=f"{path.name}.check.", dir=path.parent) as folder:
            copy = Path(folder) / "copy"
            shutil.copyfile(path, copy)
            shutil.copyfile(wal, copy.with_name("copy-wal"))
            check_whole(copy)
    except StoreError as error:
        raise StoreError(
            f"{path} was not closed, and does not go together with {wal.name} beside it: if you have copied a database there, "
            f"delete {wal.name} and start again; otherwise restore a backup"
        ) from error
    except OSError as error:
        raise StoreError(f"{path} was not closed, and cannot be checked: {error.strerror}") from error


def _in_use(path: Path) -> bool:
    """Whether another process has the database open. Then its `-wal` is not a leftover."""
    with suppress(ImportError):  # not on Windows, where an open file cannot be replaced
        import fcntl

        with path.open("rb+") as file:
            try:
                fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, _LOCKED, _LOCKED_AT)
            except OSError:
                return True
    return False
