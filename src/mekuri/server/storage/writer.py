"""Group commit: writes that arrive while a transaction is in progress share the next one.

A transaction costs one sync of the disk, however much it writes, so many tables at once wait hardly longer than one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import Connection, Delete, Insert, Update
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError

from mekuri.server.base import metrics
from mekuri.server.storage import postgresql
from mekuri.server.storage.schema import acts, log, metadata, people_news, table_news
from mekuri.server.storage.side import Side, StoreError

Values = dict[str, Any]
_TABLES = tuple(metadata.tables.values())  # each after the tables that it refers to
_REFERRED = {key.column.table for table in _TABLES for key in table.foreign_keys}
# Feeds that others read on from the greatest id they have seen: their rows must become visible in the order of their ids.
_FEEDS = (people_news, acts, table_news)


class Statement:
    """A statement of writes. It is declared once, beside the queries of its store, so that it is compiled once.

    The place at which it is executed in a transaction follows from its table. Rows that others refer to are the first to be
    inserted and the last to be deleted. Between, tables are written in the order of the schema: matches are updated before rows of
    the log are inserted, so that a missing match is reported as such, and not as a violated constraint. In each table, rows are
    deleted before others are inserted in their place.

    Args:
        first: the statement. In updates and deletions the parameters `of` and `who` are the id in the condition.
        others: statements that are executed after it, with the same parameters.
        must_find: whether it must find a row for each of its parameter sets.
        all_matches: whether it changes all matches, so that they are locked first.

    Attributes:
        parts: all the statements.
        inserts: the table into which the first one inserts; None where it updates or deletes.
        place: by which the statements of a transaction are sorted.
        must_find, all_matches: as above.
    """

    def __init__(
        self, first: Insert | Update | Delete, *others: Insert | Update | Delete, must_find: bool = False, all_matches: bool = False
    ) -> None:
        self.parts = (first, *others)
        self.inserts = first.table if isinstance(first, Insert) else None
        self.place = _place(first)
        self.must_find = must_find
        self.all_matches = all_matches

    def __call__(self, *values: Values) -> Change:
        """Return the statement with parameter sets, as a part of a write."""
        return self, values


Change = tuple[Statement, Sequence[Values]]
Write = Sequence[Change]  # one atomic write


class Missing(LookupError):
    """A row that a write was to change does not exist.

    Attributes:
        statement: the statement that has not found it.
    """

    def __init__(self, statement: Statement) -> None:
        super().__init__(statement)
        self.statement = statement


def _place(statement: Insert | Update | Delete) -> tuple[int, int, int]:
    at = _TABLES.index(statement.table)
    if _TABLES[at] in _REFERRED and isinstance(statement, Insert):
        return (0, at, 0)
    if _TABLES[at] in _REFERRED and isinstance(statement, Delete):
        return (2, -at, 0)
    return (1, at, (Delete, Insert, Update).index(type(statement)))


def _in_order(writes: Iterable[Write]) -> list[tuple[Statement, list[Values]]]:
    """Return the statements of all writes in the order of their execution, each once, with all its parameter sets."""
    grouped: dict[Statement, list[Values]] = {}
    for statement, values in (change for write in writes for change in write):
        grouped.setdefault(statement, []).extend(values)
    return sorted(((statement, values) for statement, values in grouped.items() if values), key=lambda one: one[0].place)


_Waiting = tuple[Write, asyncio.Future[None]]


def _of_all(error: Exception) -> bool:
    """Whether it was the database that failed, and not one of the writes."""
    if isinstance(error, StoreError):
        return True
    if not isinstance(error, DBAPIError) or isinstance(error, (IntegrityError, DataError)):
        return False
    return not postgresql.is_deadlock(error)


class Writer:
    """Executes writes in the order in which they are requested, in as few transactions as possible."""

    def __init__(self, side: Side) -> None:
        self._side = side
        self._waiting: list[_Waiting] = []
        self._task: asyncio.Task[None] | None = None

    async def write(self, write: Write) -> None:
        """Execute a write. It is durable when this returns, and executed even if the caller is cancelled.

        Raises:
            Missing: a row that it changes does not exist.
            sqlalchemy.exc.IntegrityError: a constraint is violated, such as that of a unique key.
            sqlalchemy.exc.SQLAlchemyError: the database cannot be written.
        """
        done = asyncio.get_running_loop().create_future()
        self._waiting.append((write, done))
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run())
        await done

    async def finish(self) -> None:
        """Wait until everything is written."""
        if self._task is not None:
            await self._task

    async def _run(self) -> None:
        while self._waiting:
            group, self._waiting = self._waiting, []
            await self._settle(group)

    async def _settle(self, group: list[_Waiting]) -> None:
        """Execute a group of writes, one by one if it fails as a whole, and resolve their futures."""
        try:
            await self._transact([write for write, _ in group])
        except Exception as error:
            # If the database itself fails, trying the writes one by one would only take longer.
            if len(group) > 1 and not _of_all(error):
                for one in group:
                    await self._settle([one])
                return
            for _, done in group:
                if not done.done():
                    done.set_exception(error)
        else:
            for _, done in group:
                if not done.done():
                    done.set_result(None)

    async def _transact(self, writes: list[Write]) -> None:
        changes = _in_order(writes)
        with metrics.WRITING.time():
            await self._execute(changes)
        for row in (row for statement, values in changes if statement.inserts is log for row in values):
            metrics.ROWS.labels(row["kind"]).inc()

    async def _execute(self, changes: list[tuple[Statement, list[Values]]]) -> None:
        def execute(connection: Connection) -> None:
            if any(statement.inserts in _FEEDS for statement, _ in changes):
                postgresql.lock_feeds(connection)
                postgresql.wake(connection)
            if any(statement.all_matches for statement, _ in changes):
                postgresql.lock_matches(connection)
            for statement, values in changes:
                for part in statement.parts:
                    done = connection.execute(part, values)
                    if statement.must_find and done.rowcount != len(values):
                        raise Missing(statement)

        await self._side.do(execute)
