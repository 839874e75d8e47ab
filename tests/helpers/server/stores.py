"""Rows of a log, and ways to write and read them."""

import asyncio
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from mekuri.server.storage.clock import CLOCK
from mekuri.table.log import Log, NewMatch, Row, State
from mekuri.table.time import REAL
from tests.helpers.patience import PATIENCE
from tests.helpers.server import databases

ROOT = bytes(range(32))


def played(n: int, decision: int | None = None, seat: int | None = 0, **body: object) -> Row:
    return Row(n, "play", seat, body, at=1, decision=decision)


def sat(n: int, person: str, kind: str = "sit") -> Row:
    return Row(n, kind, n, {}, at=1, person=person)


async def add(store: Log, id: str, *rows: Row, state: State = "running", public: bool = True, bot_due: bool = False) -> None:
    await store.add_match(NewMatch(id, "tensho", ROOT, None, public, rows, state, bot_due))


async def append(store: Log, match: str, *rows: Row) -> None:
    await store.append(match, rows, "running", bot_due=False)


async def numbers(store: Log, match: str) -> list[int]:
    return [row.n for row in await store.rows(match)]


def sql(path: Path | str, statement: str, values: Sequence[object] = ()) -> list[Any]:
    """Run a statement on the database of a path or at a URL, without Mekuri's code."""
    where = databases.place(path) if isinstance(path, Path) else path
    if databases.running and isinstance(where, str):
        return databases.running.run(where, statement, values)
    with closing(sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)) as connection:
        connection.create_function(CLOCK, 0, REAL.now)
        return connection.execute(statement, values).fetchall()


def missing(table: str) -> str:
    """What the database says where a table is not there."""
    return f'relation "{table}" does not exist' if databases.running else f"no such table: {table}"


def read_through(path: Path | str, statement: str, values: Any = ()) -> list[str]:
    """The tables that a query of the database of a path would read through from end to end, as no index finds what it asks for."""
    where = databases.place(path) if isinstance(path, Path) else path
    if databases.running and isinstance(where, str):
        return databases.running.read_through(where, statement, values)
    return [step[-1] for step in sql(path, f"EXPLAIN QUERY PLAN {statement}", values) if "SCAN" in step[-1]]


async def write(path: Path, statement: str, values: Sequence[object] = ()) -> None:
    """Run a statement in a thread, so that code of this event loop that writes to the file can finish meanwhile."""
    await asyncio.to_thread(sql, path, statement, values)


def spoil_schema(database: bytes) -> bytes:
    """Damage the description of a table and its name, so that SQLite's message, which quotes the name, is no text."""
    return database.replace(b"CREATE TABLE matches", b'CREATE TABLE \x93"tches').replace(b"tablematches", b"table\x93atches")
