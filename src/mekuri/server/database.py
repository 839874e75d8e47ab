"""The SQLite database: its file, its connections, each with a thread, and the migration of its tables."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import URL, Connection, Engine, column, create_engine, event, inspect, make_url, select, table
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from mekuri.server.schema import HEAD
from mekuri.server.work import beside
from mekuri.table.log import LogError

T = TypeVar("T")

_READERS = 4
_BUSY_SECONDS = 10  # how long to wait for the write lock of another process
_MIGRATIONS = Path(__file__).parent / "migrations"
_VERSION = table("alembic_version", column("version_num"))
_ONE_MIGRATION = threading.Lock()  # Alembic has global state, so a process runs one migration at a time
# Error messages must not show parameters: there are secrets among them.
_ENGINE: dict[str, Any] = {"hide_parameters": True, "connect_args": {"timeout": _BUSY_SECONDS}}


class StoreError(LogError):
    """The database cannot be opened, read or written, or a row that was asked for does not exist."""


class DiskFull(StoreError):
    """A write has failed because the disk is full."""

    refusal = "disk-full"


class Damaged(StoreError):
    """The database file is corrupt."""

    refusal = "damaged"


_KINDS = {"SQLITE_FULL": DiskFull, "SQLITE_IOERR_SHMSIZE": DiskFull, "SQLITE_CORRUPT": Damaged, "SQLITE_NOTADB": Damaged}


def store_error(told: str, error: SQLAlchemyError) -> StoreError:
    """Return the StoreError for a database error, with SQLite's message but without the statement."""
    said = getattr(error, "orig", None) or error
    kind = _KINDS.get(getattr(said, "sqlite_errorname", ""), StoreError)
    return kind(f"{told}: {said}")


class Side:
    """The writing or the reading half of a database: a pool of connections, each with a thread.

    A unit of work is handed to a thread as a whole. A switch of threads for every statement would wait each time for other work of
    the process, and so take most of the time of a move.

    Attributes:
        engine: the pool of connections.
    """

    def __init__(self, engine: Engine, connections: int, opened: Callable[[Engine], AbstractContextManager[Connection]]) -> None:
        self.engine = engine
        self._opened = opened
        self._threads = ThreadPoolExecutor(connections, thread_name_prefix="database")

    async def do(self, work: Callable[[Connection], T]) -> T:
        """Run `work` with a connection in a thread, charged to the current request's budgets. Returns its result."""

        def done() -> T:
            with self._opened(self.engine) as connection:
                return work(connection)

        return await beside(self._threads, done)

    async def close(self) -> None:
        """Finish the work in progress, and close the connections."""
        await asyncio.to_thread(self._threads.shutdown)
        self.engine.dispose()


async def open_database(where: Path | str) -> tuple[Side, Side]:
    """Open a database, created or migrated where needed.

    Args:
        where: a path, or a URL such as `sqlite:///folder/mekuri.db`.

    Returns:
        The writing half and the reading half.

    Raises:
        StoreError: the file cannot be created, or belongs to another program or a newer Mekuri.
    """
    path = file_of(where)
    make_file(path)
    writer, readers = _writer(path), _readers(path)
    try:
        found = await readers.do(lambda connection: _revision(connection, path))
        if found != HEAD:
            await asyncio.to_thread(migrate, path)
    except BaseException as error:
        await writer.close()
        await readers.close()
        if isinstance(error, SQLAlchemyError):
            raise store_error(f"{path} cannot be opened as a database", error) from error
        raise
    return writer, readers


def file_of(where: Path | str) -> Path:
    """Return the absolute path of a database, from a path or a URL such as `sqlite:///folder/mekuri.db`.

    Raises:
        StoreError: the URL is not valid, or names another database than a SQLite file.
    """
    if isinstance(where, Path) or "://" not in where:
        return _file(where)
    try:
        url = make_url(where)
    except (ArgumentError, ValueError):
        raise StoreError("this is no address of a database: give the path of a file, or sqlite:///PATH") from None
    if url.get_backend_name() != "sqlite":
        raise StoreError(f"Mekuri keeps its log in SQLite, not in {url.get_backend_name()}: give the path of a file")
    if url.query:
        raise StoreError("the address of the database has settings that Mekuri does not know: leave out what follows the ?")
    return _file(url.database or "")


def _file(name: Path | str) -> Path:
    if str(name) in ("", ":memory:"):
        raise StoreError("the log is kept in a file: give its path")
    return Path(name).absolute()


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


def _writer(path: Path) -> Side:
    """Return the writing half: one connection, with a transaction for each unit of work."""
    # The pool need not roll back: every transaction has ended when its connection is returned.
    engine = create_engine(_url(path), pool_size=1, max_overflow=0, pool_reset_on_return=None, **_ENGINE)
    _make_writing(engine)
    return Side(engine, 1, Engine.begin)


def _make_writing(engine: Engine) -> None:
    """Let every transaction take the write lock when it begins, so that none fails to get it half-way."""

    def connected(connection: Any, _record: object) -> None:
        # The sqlite3 module must not begin transactions by itself.
        connection.isolation_level = None
        # FULL: a committed transaction survives a loss of power.
        # secure_delete: deleted rows are overwritten with zeros.
        _pragmas(connection, "journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON", "secure_delete = ON")

    def begin(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE")

    event.listen(engine, "connect", connected)
    event.listen(engine, "begin", begin)


def _readers(path: Path) -> Side:
    """Return the reading half: a few connections without transactions, which never wait for the writer."""
    engine = create_engine(
        _url(path),
        pool_size=_READERS,
        max_overflow=0,
        pool_reset_on_return=None,
        isolation_level="AUTOCOMMIT",
        skip_autocommit_rollback=True,
        **_ENGINE,
    )

    def connected(connection: Any, _record: object) -> None:
        _pragmas(connection, "query_only = ON")

    event.listen(engine, "connect", connected)
    return Side(engine, _READERS, Engine.connect)


def _url(path: Path) -> URL:
    return URL.create("sqlite", database=str(path))


def _pragmas(connection: Any, *settings: str) -> None:
    cursor = connection.cursor()
    for setting in settings:
        cursor.execute(f"PRAGMA {setting}")
    cursor.close()


def _revision(connection: Connection, path: Path) -> str | None:
    """Return the revision of a database; None for an empty one. Raises StoreError for the database of another program."""
    # One query: between two, another process may create the tables.
    tables = inspect(connection).get_table_names()
    if _VERSION.name in tables:
        return connection.scalar(select(_VERSION.c.version_num))
    if tables:
        raise StoreError(f"{path} is the database of another program: choose another place")
    return None


def migrate(path: Path) -> None:
    """Migrate the tables to the present revision. Several processes may call this at once.

    Raises:
        StoreError: the database belongs to another program, or was written by a newer Mekuri.
    """
    # Slow to import, and rarely needed.
    from alembic import command
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    engine = create_engine(_url(path), **_ENGINE)
    _make_writing(engine)
    try:
        with _ONE_MIGRATION, engine.begin() as connection:
            found = _revision(connection, path)
            config = Config(attributes={"connection": connection})
            config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
            known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
            if found is not None and found not in known:
                raise StoreError(f"{path} was written by a newer Mekuri: update this one, or choose another place for the database")
            command.upgrade(config, "head")
    finally:
        engine.dispose()
