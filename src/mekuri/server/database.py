"""Opening a database: its file, its connections, and bringing its tables to the present revision."""

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
_BUSY_SECONDS = 10  # to wait for another process that is writing
_MIGRATIONS = Path(__file__).parent / "migrations"
_VERSION = table("alembic_version", column("version_num"))
_ONE_MIGRATION = threading.Lock()  # at a time in one process: Alembic keeps the one it is at in a global place
# Parameters are not for messages: there are secrets among them.
_ENGINE: dict[str, Any] = {"hide_parameters": True, "connect_args": {"timeout": _BUSY_SECONDS}}


class StoreError(LogError):
    """The log cannot be opened, read or written, or what was asked of it is not there."""


class DiskFull(StoreError):
    """Nothing can be written for want of room."""

    refusal = "disk-full"


class Damaged(StoreError):
    """The file of the database is broken."""

    refusal = "damaged"


_KINDS = {"SQLITE_FULL": DiskFull, "SQLITE_IOERR_SHMSIZE": DiskFull, "SQLITE_CORRUPT": Damaged, "SQLITE_NOTADB": Damaged}


def store_error(told: str, error: SQLAlchemyError) -> StoreError:
    """What a failure of the database comes to, with what the database itself said, without the statement."""
    said = getattr(error, "orig", None) or error
    kind = _KINDS.get(getattr(said, "sqlite_errorname", ""), StoreError)
    return kind(f"{told}: {said}")


class Side:
    """One side of a database, the writing or the reading one: its connections, each with a thread.

    What is to be done with a connection is handed to a thread whole. A way to the thread and back for each statement would be a
    wait each time for whatever else the process does, and so most of the time that a move takes.

    Attributes:
        engine: gives out the connections.
    """

    def __init__(self, engine: Engine, connections: int, opened: Callable[[Engine], AbstractContextManager[Connection]]) -> None:
        self.engine = engine
        self._opened = opened
        self._threads = ThreadPoolExecutor(connections, thread_name_prefix="database")

    async def do(self, work: Callable[[Connection], T]) -> T:
        """Do something with a connection, paid for by whoever has asked."""

        def done() -> T:
            with self._opened(self.engine) as connection:
                return work(connection)

        return await beside(self._threads, done)

    async def close(self) -> None:
        """Finish what has been begun, and close the connections."""
        await asyncio.to_thread(self._threads.shutdown)
        self.engine.dispose()


async def open_database(where: Path | str) -> tuple[Side, Side]:
    """A database at the present revision, made if it is not there: one side to write with, one to read with.

    Raises StoreError where there can be none, or where it is another program's or a newer Mekuri's.
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
    """The file that a path or an address such as `sqlite:///folder/mekuri.db` names."""
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
    """An empty file that only its owner may read, as the secrets of matches will be in it, unless it is already there."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        # A file that is there is not opened: closing it would take away the locks another Store of this process has on it.
        if not path.exists():
            os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
    except OSError as error:
        raise StoreError(f"{path} cannot be made ({error.strerror}): choose another place for the database") from error
    if not path.is_file():
        raise StoreError(f"{path} is not a file: choose another place for the database")
    if not os.access(path, os.W_OK) or not os.access(path.parent, os.W_OK):
        raise StoreError(f"{path} and its folder must be writable: change that, or choose another place for the database")


def _writer(path: Path) -> Side:
    """One connection, each time in a transaction."""
    # The pool has nothing to undo: a transaction of ours has always ended when its connection comes back.
    engine = create_engine(_url(path), pool_size=1, max_overflow=0, pool_reset_on_return=None, **_ENGINE)
    _make_writing(engine)
    return Side(engine, 1, Engine.begin)


def _make_writing(engine: Engine) -> None:
    """Let transactions take the right to write when they begin, so that they never fail to get it half-way."""

    def connected(connection: Any, _record: object) -> None:
        # Python begins no transactions of its own.
        connection.isolation_level = None
        # FULL: what has been committed outlives the loss of power as well.
        # secure_delete: what somebody has had deleted is not left where it stood.
        _pragmas(connection, "journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON", "secure_delete = ON")

    def begin(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE")

    event.listen(engine, "connect", connected)
    event.listen(engine, "begin", begin)


def _readers(path: Path) -> Side:
    """A few connections that read, each statement by itself, and never wait for the writer."""
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
    """The revision a database is at; None where it is empty. Raises StoreError where it is another program's."""
    # Asked once: between two questions another process may have made the tables.
    tables = inspect(connection).get_table_names()
    if _VERSION.name in tables:
        return connection.scalar(select(_VERSION.c.version_num))
    if tables:
        raise StoreError(f"{path} is the database of another program: choose another place")
    return None


def migrate(path: Path) -> None:
    """Bring the tables to the present revision. Several processes may come here at once; only one finds something to do."""
    # Slow to import, and hardly ever needed.
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
