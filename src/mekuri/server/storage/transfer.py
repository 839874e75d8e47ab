"""All rows of one database, written into another one, which may be of another kind; and a site moved so."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import URL, Connection, Table, func, insert, literal, select, text
from sqlalchemy.exc import SQLAlchemyError

from mekuri.server.storage import postgresql, sqlite
from mekuri.server.storage.clock import clock
from mekuri.server.storage.database import Place, migrate, named, revision
from mekuri.server.storage.schema import HEAD, log, metadata, processes
from mekuri.server.storage.side import StoreError, store_error
from mekuri.server.storage.sqlite import keep_from_others, make_file
from mekuri.server.storage.sqlite_file import beside, check_leftover, check_whole, need_ours, opened, scratch, tables, take_alone

_NOT_CARRIED = {processes}  # what is true only while servers run
_CARRIED = [table for table in metadata.sorted_tables if table not in _NOT_CARRIED]
_NUMBERED = [table for table in _CARRIED if table.autoincrement_column is not None]  # the database gives out their ids
_AT_ONCE = 1_000  # rows
_BROKEN = select(log.c.match).group_by(log.c.match).having(func.count() != func.max(log.c.n) + 1).limit(1)
_LEASED = select(processes.c.id).where(processes.c.until > clock()).limit(1)
# These transactions last as long as the copying does, and wait for another database meanwhile.
_SEQUENCE = "pg_get_serial_sequence(:name, 'id')"
_PATIENT = text("SET LOCAL idle_in_transaction_session_timeout = 0")


def transfer(source: Connection, target: Connection) -> dict[str, int]:
    """Write all rows but those of the leases into empty tables, and let the ids that are given out go on.

    Returns:
        How many rows there are in each table.

    Raises:
        StoreError: what has come is not what was sent, or rows of a match are missing.
    """
    moved: dict[str, int] = {}
    for table in _CARRIED:
        moved[table.name] = 0
        found = source.execute(select(table).order_by(*table.primary_key), execution_options={"yield_per": _AT_ONCE})
        for rows in found.mappings().partitions():
            target.execute(insert(table).inline(), [dict(row) for row in rows])
            moved[table.name] += len(rows)
    for table in _NUMBERED:
        _go_on(target, table, _last_id(source, table))
    for table in _CARRIED:
        came = target.scalar(select(func.count()).select_from(table))
        if came != moved[table.name]:
            raise StoreError(f"of {moved[table.name]} rows of {table.name} {came} have come: nothing was changed, try again")
    if target.scalar(_BROKEN) is not None:
        raise StoreError("rows of a match are missing: restore a backup")
    return moved


def alive(connection: Connection) -> bool:
    """Return whether a server serves a database. One that was killed counts until its lease is over, which takes seconds."""
    return connection.scalar(_LEASED) is not None


@contextmanager
def snapshot(url: URL, alone: bool = False) -> Iterator[Connection]:
    """Read a database in PostgreSQL as it is at one moment.

    Args:
        url: the database.
        alone: nobody may write meanwhile.

    Raises:
        StoreError: there is no database of this version, or it cannot be read.
    """
    engine = postgresql.engine(url)
    try:
        with _blamed(url, "read"), engine.connect() as connection:
            need_current(connection, url)
            connection.rollback()
            connection.execution_options(isolation_level="REPEATABLE READ")
            with connection.begin():
                connection.execute(_PATIENT)
                if alone:
                    _lock(connection, "SHARE")  # before the first query, which is what takes the snapshot
                yield connection
    finally:
        engine.dispose()


@contextmanager
def filling(place: Place) -> Iterator[Connection]:
    """Fill a database that is empty, or not there yet, in one transaction: until the end it stays empty.

    Raises:
        StoreError: there is something, or it is in use, or cannot be written.
    """
    if isinstance(place, Path):
        need_empty(place)
        with scratch(beside(place, "part")) as staged:
            with filling_new(staged) as connection:
                yield connection
            install(staged, place)
        return
    need_empty(place)
    engine = postgresql.engine(place)
    try:
        with _blamed(place, "filled"):
            migrate(place)
            with engine.begin() as connection:
                connection.execute(_PATIENT)
                _lock(connection, "EXCLUSIVE")
                _need_no_rows(connection, place)
                yield connection
    finally:
        engine.dispose()


@contextmanager
def filling_new(path: Path) -> Iterator[Connection]:
    """Fill a new file of SQLite, which is one file alone at the end, and checked."""
    migrate(path)
    engine = sqlite.engine(path)
    try:
        with _blamed(path, "filled"), engine.begin() as connection:
            yield connection
    finally:
        engine.dispose()
    with opened(path) as done:
        done.execute("PRAGMA journal_mode = DELETE")
    check_whole(path)


@contextmanager
def reading(path: Path) -> Iterator[Connection]:
    """Read a file of SQLite that nobody else writes to. Raises StoreError where it cannot be read."""
    engine = sqlite.engine(path)
    try:
        with _blamed(path, "read"), engine.connect() as connection:
            yield connection
    finally:
        engine.dispose()


def install(staged: Path, path: Path) -> None:
    """Make an empty file of SQLite, or a new one, a copy of another. Raises StoreError where it is in use or not empty."""
    make_file(path)
    with opened(path) as target, opened(staged) as copy:
        take_alone(target, path)
        need_no_rows_in(target, path)
        keep_from_others(path)
        copy.backup(target)


def need_empty(place: Place) -> None:
    """Raise StoreError where a database has rows already, or cannot be reached. One without tables is empty, too."""
    if isinstance(place, Path):
        if place.is_file() and place.stat().st_size:
            with opened(place) as connection:
                need_no_rows_in(connection, place)
        return
    engine = postgresql.engine(place)
    try:
        with _blamed(place, "read"), engine.connect() as connection:
            if revision(connection, place) is not None:
                need_current(connection, place)
                _need_no_rows(connection, place)
    finally:
        engine.dispose()


def need_no_rows_in(connection: sqlite3.Connection, path: Path) -> None:
    """Raise StoreError where a file of SQLite has rows, or is no database of Mekuri."""
    there = tables(connection)
    if there:
        need_ours(connection, path)
    for table in _CARRIED:
        if table.name in there and connection.execute(f"SELECT 1 FROM {table.name} LIMIT 1").fetchone():
            raise _not_empty(path)


def need_current(connection: Connection, place: Place) -> None:
    """Raise StoreError where a database has not the tables of this version."""
    found = revision(connection, place)
    if found is None:
        raise StoreError(f"{named(place)} is no database of Mekuri: name another")
    if found != HEAD:
        raise StoreError(
            f"{named(place)} has the tables of another version of Mekuri ({found}, not {HEAD}): start a server of this version "
            "with it once, or update this one"
        )


def need_stopped(url: URL) -> None:
    """Raise StoreError where a server serves a database in PostgreSQL."""
    engine = postgresql.engine(url)
    try:
        with _blamed(url, "read"), engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            need_current(connection, url)
            if alive(connection):
                raise StoreError(f"{named(url)} is open: stop every server that serves it first")
    finally:
        engine.dispose()


def _need_no_rows(connection: Connection, place: Place) -> None:
    for table in _CARRIED:
        if connection.execute(select(literal(1)).select_from(table).limit(1)).first():
            raise _not_empty(place)


def _not_empty(place: Place) -> StoreError:
    return StoreError(f"{named(place)} is not empty: name a new database")


def _lock(connection: Connection, mode: str) -> None:
    """Lock all tables against writers, until the end of the transaction."""
    connection.execute(text(f"LOCK TABLE {', '.join(metadata.tables)} IN {mode} MODE"))


def _last_id(connection: Connection, table: Table) -> int:
    """Return the last id that a database has given out in a table; 0 for none."""
    if connection.dialect.name == "sqlite":
        found = connection.scalar(text("SELECT seq FROM sqlite_sequence WHERE name = :name"), {"name": table.name})
    else:
        found = connection.scalar(text(f"SELECT pg_sequence_last_value({_SEQUENCE}::regclass)"), {"name": table.name})
    return int(found or 0)


def _go_on(connection: Connection, table: Table, last: int) -> None:
    """Let a database give out ids after the last one of another."""
    values = {"name": table.name, "last": last}
    if not last:
        return
    if connection.dialect.name == "sqlite":
        connection.execute(text("DELETE FROM sqlite_sequence WHERE name = :name"), values)
        connection.execute(text("INSERT INTO sqlite_sequence (name, seq) VALUES (:name, :last)"), values)
    else:
        connection.execute(text(f"SELECT setval({_SEQUENCE}, :last)"), values)


@contextmanager
def _blamed(place: Place, done: str) -> Iterator[None]:
    try:
        yield
    except SQLAlchemyError as error:
        raise store_error(f"{named(place)} cannot be {done}", error) from error


def move(source: Place, target: Place) -> dict[str, int]:
    """Write everything in a database into another one, which must be empty or not there yet. The first is left as it is.

    Matches go on where they are, and everybody stays signed in. Whatever interrupts this, the other database stays empty.

    Returns:
        How many rows there are in each table.

    Raises:
        StoreError: there is no such database, a server serves it, or it is damaged; or the other one is not empty, or cannot be
            written.
    """
    if source == target:
        raise StoreError(f"{named(source)} is where everything is: name another database to move to")
    need_empty(target)  # asked again when everything else waits for it
    with _at_rest(source) as rows, filling(target) as empty:
        return transfer(rows, empty)


@contextmanager
def _at_rest(place: Place) -> Iterator[Connection]:
    """Read a database, with the tables of this version, that no server can serve until the end. Nothing in it is changed."""
    if not isinstance(place, Path):
        need_stopped(place)
        with snapshot(place, alone=True) as connection:
            yield connection
        return
    if not place.is_file():
        raise StoreError(f"there is no database at {place}")
    check_leftover(place)
    with scratch(beside(place, "moving")) as copied, opened(place) as held:
        need_ours(held, place)
        take_alone(held, place)
        with opened(copied) as copy:
            held.backup(copy)
        migrate(copied)
        check_whole(copied)
        with reading(copied) as connection:
            yield connection
