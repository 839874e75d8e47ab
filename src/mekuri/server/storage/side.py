"""Half of a database: connections, each with a thread, and the errors that clients get."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from typing import TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from mekuri.server.base.work import beside
from mekuri.table.log import LogError

T = TypeVar("T")


class StoreError(LogError):
    """The database cannot be opened, read or written, or a row that was asked for does not exist."""


class DiskFull(StoreError):
    """A write has failed because the disk is full."""

    refusal = "disk-full"


class Damaged(StoreError):
    """The database is corrupt."""

    refusal = "damaged"


class Vanished(StoreError):
    """The file of the database is not where it was: what was written into it would be gone after a restart."""

    refusal = "database-gone"


# By the names of SQLite's errors and the codes of PostgreSQL's.
_KINDS = {
    "SQLITE_FULL": DiskFull,
    "SQLITE_IOERR_SHMSIZE": DiskFull,
    "53100": DiskFull,
    "SQLITE_CORRUPT": Damaged,
    "SQLITE_NOTADB": Damaged,
    "XX001": Damaged,
    "XX002": Damaged,
}


def store_error(failure: str, error: SQLAlchemyError) -> StoreError:
    """Return the StoreError for a database error, with the first line of its message but without the statement."""
    said = getattr(error, "orig", None) or error
    code = getattr(said, "sqlite_errorname", None) or getattr(said, "sqlstate", None)
    kind = _KINDS.get(code or "", StoreError)
    return kind(f"{failure}: {str(said).partition(chr(10))[0]}")


class Side:
    """The writing or the reading half of a database: a pool of connections, each with a thread.

    A unit of work is handed to a thread as a whole. A switch of threads for every statement would wait each time for other work of
    the process, and so take most of the time of a move.

    Args:
        engine: the pool of connections.
        connections: how many there are at most.
        opened: opens one.
        need_it_there: called after each unit of work; raises StoreError where the work is lost.

    Attributes:
        engine: as above.
    """

    def __init__(
        self,
        engine: Engine,
        connections: int,
        opened: Callable[[Engine], AbstractContextManager[Connection]],
        need_it_there: Callable[[], None] = lambda: None,
    ) -> None:
        self.engine = engine
        self._opened = opened
        self._need_it_there = need_it_there
        self._threads = ThreadPoolExecutor(connections, thread_name_prefix="database")

    async def do(self, work: Callable[[Connection], T]) -> T:
        """Run `work` with a connection in a thread, charged to the current request's budgets. Returns its result.

        It is run once more where the connection turns out to be lost, as after a restart of the database.
        """

        def done() -> T:
            result = work_through()
            self._need_it_there()
            return result

        def work_through() -> T:
            committing = False
            try:
                with self._opened(self.engine) as connection:
                    result = work(connection)
                    committing = True
                    return result
            except DBAPIError as error:
                # A transaction whose connection was lost during the commit may have been committed.
                if committing or not error.connection_invalidated:
                    raise
            with self._opened(self.engine) as connection:
                return work(connection)

        return await beside(self._threads, done)

    async def close(self) -> None:
        """Finish the work in progress, and close the connections."""
        await asyncio.to_thread(self._threads.shutdown)
        self.engine.dispose()
