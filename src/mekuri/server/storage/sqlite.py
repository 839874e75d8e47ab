"""A database in SQLite: its file, and its connections, each with a thread."""

from __future__ import annotations

import logging
import os
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, ExceptionContext, create_engine, event
from sqlalchemy.exc import DatabaseError

from mekuri.server.storage.clock import CLOCK
from mekuri.server.storage.side import Side, StoreError, Vanished
from mekuri.table.time import REAL

_log = logging.getLogger("mekuri.server")
READERS = 4
_BUSY_SECONDS = 10  # how long to wait for the write lock of another process
SYNCHRONOUS = "FULL"  # a committed transaction survives a loss of power
# Error messages must not show parameters: there are secrets among them.
_ENGINE: dict[str, Any] = {"hide_parameters": True, "connect_args": {"timeout": _BUSY_SECONDS}}


def make_file(path: Path) -> None:
    """Create an empty file that only its owner may read, as it will hold secrets, and its folder. An existing file is kept.

    Raises:
        StoreError: the file cannot be created, is no regular file, or cannot be written.
    """
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        # An existing file is not opened: closing it would release the locks that another Store of this process has on it.
        if not path.exists():
            os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
    except OSError as error:
        raise StoreError(f"{path} cannot be made ({error.strerror}): choose another place for the database") from error
    if not path.is_file():
        raise StoreError(f"{path} is not a file: choose another place for the database")
    if not os.access(path, os.W_OK) or not os.access(path.parent, os.W_OK):
        raise StoreError(f"{path} and its folder must be writable: change that, or choose another place for the database")


def keep_from_others(path: Path) -> None:
    """Take from others the permission to read a database and the files beside it. Raises StoreError where that is not possible."""
    if os.name == "nt":  # whose permissions are not these
        return
    for file in (path, *_beside(path)):
        try:
            if file.stat().st_mode & 0o077:
                file.chmod(0o600)
                _log.warning("Others could read %s, which holds secrets: now only its owner can", file)
        except FileNotFoundError:
            continue
        except OSError as error:
            raise StoreError(f"others may read {file}, which holds secrets: chmod 600 {file}") from error


def _beside(path: Path) -> tuple[Path, ...]:
    return tuple(path.with_name(path.name + ending) for ending in ("-wal", "-shm"))


class _Watch:
    """Notices that a database, or the file beside it with the latest writes, is no longer the file that was opened.

    A process that has the file open does not notice that another program deletes, moves or replaces it. It would go on writing to a
    file without a name, which is lost when the process ends.
    """

    def __init__(self, path: Path) -> None:
        # A process that is just ending may still delete an old file beside it. The file stays once this process has it open.
        self._files: dict[Path, tuple[int, int] | None] = {path: _identity(path), _beside(path)[0]: None}

    def need_it_there(self) -> None:
        """Raise Vanished where it is gone. It may come back."""
        for file, opened in self._files.items():
            found = _identity(file)
            if opened is None:
                self._files[file] = found
            elif found != opened:
                raise Vanished(f"{file} was moved, deleted or replaced while it was open: stop, put it back, and start")


def _identity(file: Path) -> tuple[int, int] | None:
    try:
        found = os.stat(file)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def sides(path: Path, clock: Callable[[], int]) -> tuple[Side, Side]:
    """Return the writing half and the reading half of a database, by whose `clock` leases are measured."""
    return _writer(path, clock), _readers(path, clock)


def engine(path: Path) -> Engine:
    """Return connections that may write, such as those of a migration."""
    made = _engine(path)
    _make_writing(made, REAL.now)
    return made


def _writer(path: Path, clock: Callable[[], int]) -> Side:
    """Return the writing half: one connection, with a transaction for each unit of work."""
    # The pool need not roll back: every transaction has ended when its connection is returned.
    engine = _engine(path, pool_size=1, max_overflow=0, pool_reset_on_return=None)
    _make_writing(engine, clock)
    return Side(engine, 1, Engine.begin, _Watch(path).need_it_there)


def _make_writing(engine: Engine, clock: Callable[[], int]) -> None:
    """Let every transaction take the write lock when it begins, so that none fails to get it half-way."""

    def connected(connection: Any, _record: object) -> None:
        # The sqlite3 module must not begin transactions by itself.
        connection.isolation_level = None
        connection.create_function(CLOCK, 0, clock)
        # secure_delete: deleted rows are overwritten with zeros.
        _pragmas(connection, "journal_mode = WAL", f"synchronous = {SYNCHRONOUS}", "foreign_keys = ON", "secure_delete = ON")

    def begin(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE")

    event.listen(engine, "connect", connected)
    event.listen(engine, "begin", begin)


def _readers(path: Path, clock: Callable[[], int]) -> Side:
    """Return the reading half: a few connections without transactions, which never wait for the writer."""
    engine = _engine(
        path,
        pool_size=READERS,
        max_overflow=0,
        pool_reset_on_return=None,
        isolation_level="AUTOCOMMIT",
        skip_autocommit_rollback=True,
    )

    def connected(connection: Any, _record: object) -> None:
        connection.create_function(CLOCK, 0, clock)
        _pragmas(connection, "query_only = ON")

    event.listen(engine, "connect", connected)
    return Side(engine, READERS, Engine.connect)


def _engine(path: Path, **pool: Any) -> Engine:
    """Return connections to an existing file, with the options of their pool."""
    # Only an existing file is opened. If it was moved away, SQLite would make an empty one, and delete the files beside it.
    url = URL.create("sqlite", database=path.as_uri(), query={"mode": "rw", "uri": "true"})
    made = create_engine(url, **_ENGINE, **pool)
    event.listen(made, "handle_error", _name_damage)
    return made


def _name_damage(failed: ExceptionContext) -> DatabaseError | None:
    if isinstance(failed.original_exception, UnicodeDecodeError):
        return DatabaseError(failed.statement, None, damage())
    return None


def damage() -> sqlite3.DatabaseError:
    """Return the error for a damaged schema. SQLite's own message quotes the schema, and the sqlite3 module cannot decode that."""
    error = sqlite3.DatabaseError("database disk image is malformed")
    error.sqlite_errorname = "SQLITE_CORRUPT"
    return error


def _pragmas(connection: Any, *settings: str) -> None:
    cursor = connection.cursor()
    for setting in settings:
        cursor.execute(f"PRAGMA {setting}")
    cursor.close()
