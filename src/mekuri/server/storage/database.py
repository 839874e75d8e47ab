"""The database of a server: a file of SQLite, or one in PostgreSQL; and the migration of its tables."""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from sqlalchemy import URL, Connection, Engine, column, inspect, make_url, select, table
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from mekuri.files import expanded
from mekuri.server.storage import postgresql, sqlite
from mekuri.server.storage.schema import HEAD
from mekuri.server.storage.side import Damaged, DiskFull, Side, StoreError, store_error

__all__ = ["Damaged", "DiskFull", "Place", "Side", "StoreError", "database_at", "migrate", "named", "open_database"]

Place = Path | URL  # of a database: the absolute path of a file of SQLite, or the URL of one in PostgreSQL

_MIGRATIONS = Path(__file__).parent / "migrations"
_VERSION = table("alembic_version", column("version_num"))
# An address of PostgreSQL without its ://, or the words that its own programs take: as a path it would silently become a new file.
_MISWRITTEN = re.compile(r"^postgres(ql)?(\+\w+)?(:|//)|(^|\s)dbname\s*=")
_ONE_MIGRATION = threading.Lock()  # Alembic has global state, so a process runs one migration at a time


async def open_database(place: Place, clock: Callable[[], int]) -> tuple[Side, Side]:
    """Open a database, created or migrated where needed. Returns the writing half and the reading half.

    One that a newer Mekuri has only added to is opened as it is.

    Args:
        place: where it is.
        clock: the clock of a database in SQLite, by which leases are measured, in milliseconds since the epoch.

    Raises:
        StoreError: the database cannot be created or reached, or belongs to another program or a Mekuri that is too new.
    """
    if isinstance(place, Path):
        sqlite.make_file(place)
        writer, readers = sqlite.sides(place, clock)
    else:
        writer, readers = postgresql.sides(place)
    try:
        found = await readers.do(lambda connection: revision(connection, place))
        if isinstance(place, Path):  # only now is it known to be no other program's
            sqlite.keep_from_others(place)
        if found != HEAD and not _only_adds(found):
            await asyncio.to_thread(migrate, place)
    except BaseException as error:
        await writer.close()
        await readers.close()
        if isinstance(error, SQLAlchemyError):
            raise store_error(f"{named(place)} cannot be opened as a database", error) from error
        raise
    return writer, readers


def database_at(where: Path | str) -> Place:
    """Return the place of a database.

    Args:
        where: a path, or a URL such as `sqlite:///folder/mekuri.db` or `postgresql+psycopg://user@host/mekuri`.

    Raises:
        StoreError: the address is not valid, or names another kind of database; or the driver of PostgreSQL is not installed.
    """
    if isinstance(where, Path):
        return _file(where)
    if "://" not in where:
        if _MISWRITTEN.search(where):
            raise StoreError("write the address of a database in PostgreSQL as postgresql+psycopg://USER@HOST/DATABASE")
        return _file(where)
    url: URL | None = None
    with suppress(ArgumentError, ValueError):
        url = make_url(where)
    if url is None:
        raise StoreError("this is no address of a database: give the path of a file, sqlite:///PATH or postgresql+psycopg://...")
    if url.get_backend_name() in ("postgresql", "postgres"):  # the short name is what many providers write
        return postgresql.checked(url)
    if url.get_backend_name() != "sqlite":
        raise StoreError(f"Mekuri keeps its log in SQLite or PostgreSQL, not in {url.get_backend_name()}: give the path of a file")
    if url.query:
        raise StoreError("the address of the database has settings that Mekuri does not know: leave out what follows the ?")
    return _file(url.database or "")


def named(place: Place) -> str:
    """Return a database's name for messages, without its password."""
    return str(place) if isinstance(place, Path) else place.render_as_string(hide_password=True)


def _file(name: Path | str) -> Path:
    if str(name) in ("", ":memory:"):
        raise StoreError("the log is kept in a file: give its path")
    return expanded(name).absolute()


def engine_at(place: Place) -> Engine:
    """Return connections to a database that may write."""
    return sqlite.engine(place) if isinstance(place, Path) else postgresql.engine(place)


def is_there(place: Place) -> bool:
    """Return whether there is a file, or a database with tables. Raises StoreError where that cannot be asked."""
    if isinstance(place, Path):
        return place.is_file()
    engine = engine_at(place)
    try:
        with engine.connect() as connection:
            return revision(connection, place) is not None
    except SQLAlchemyError as error:
        raise store_error(f"{named(place)} cannot be opened as a database", error) from error
    finally:
        engine.dispose()


def revision(connection: Connection, place: Place) -> str | None:
    """Return the revision of a database; None for an empty one. Raises StoreError for the database of another program."""
    # One query: between two, another process may create the tables.
    tables = inspect(connection).get_table_names()
    if _VERSION.name in tables:
        return connection.scalar(select(_VERSION.c.version_num))
    if tables:
        raise StoreError(f"{named(place)} is the database of another program: choose another place")
    return None


def _only_adds(found: str | None) -> bool:
    """Whether a revision is one of a newer Mekuri that only adds to the tables of this one (see `HEAD`)."""
    return found is not None and re.fullmatch(r"\d{4}", found) is not None and found > HEAD


def migrate(place: Place) -> None:
    """Migrate the tables to the present revision. Several processes may call this at once.

    Raises:
        StoreError: the database belongs to another program, or was written by a newer Mekuri.
    """
    # Slow to import, and rarely needed.
    from alembic import command
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    engine = engine_at(place)
    try:
        with _ONE_MIGRATION, engine.begin() as connection:
            if not isinstance(place, Path):
                postgresql.lock_migration(connection)
            found = revision(connection, place)
            config = Config(attributes={"connection": connection})
            config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
            known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
            if found is not None and found not in known:
                raise StoreError(
                    f"{named(place)} was written by a newer Mekuri: update this one, or choose another place for the database"
                )
            command.upgrade(config, "head")
    finally:
        engine.dispose()
