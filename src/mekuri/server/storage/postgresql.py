"""A database in PostgreSQL: its connections, each with a thread, and the wake-ups between processes (LISTEN and NOTIFY)."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, text
from sqlalchemy.exc import ArgumentError, DBAPIError

from mekuri.server.storage.side import Side, StoreError
from mekuri.table.time import Time

READERS = 4
CHANNEL = "mekuri"  # on which processes wake each other
_WAKE = text(f"NOTIFY {CHANNEL}")
_DRIVER = "postgresql+psycopg"
_OLDEST = 14  # the oldest version that its developers still look after
_DEADLOCK = "40P01"
_VERSION = text("SHOW server_version_num")
_ENCODING = text("SHOW server_encoding")
_FEEDING = text("SELECT pg_advisory_xact_lock(hashtext('mekuri.feeds'))")
_ALL_MATCHES = text("LOCK TABLE matches IN SHARE ROW EXCLUSIVE MODE")
_MIGRATING = text("SELECT pg_advisory_xact_lock(hashtext('mekuri.migration'))")
# A cut network is noticed within seconds: otherwise a thread would wait for an answer for hours.
_CONNECT = {
    "connect_timeout": 5,
    "keepalives_idle": 3,
    "keepalives_interval": 1,
    "keepalives_count": 3,
    "tcp_user_timeout": 4_000,  # milliseconds
    "application_name": "mekuri",
}
# A statement that waits longer for another's lock fails, as on a busy SQLite. Connections that were lost are opened again.
_OPTIONS = "-c lock_timeout=10s -c client_min_messages=warning -c idle_in_transaction_session_timeout={}"
# A process that is cut off amid a transaction locks its rows for no longer than this. A server's writer waits for nothing within a
# transaction: the process that takes over its tables must not wait for their rows, or it would lose its own lease.
_IDLE, _WRITER_IDLE = "5s", "1s"
_AGAIN = 1.0  # seconds until a lost connection is opened again
# What the driver would take after the ? of a URL, where no message hides it.
_SECRETS = {"sslpassword", "oauth_client_secret", "scram_client_key", "scram_server_key"}

_log = logging.getLogger("mekuri.server")
# The driver warns of an error that it raises, too: after a conflict, which is no fault, nobody wants to know.
logging.getLogger("psycopg").setLevel(logging.ERROR)


def checked(url: URL) -> URL:
    """Return the URL with the driver that Mekuri uses, and with the password where messages hide it.

    Raises:
        StoreError: the driver is not installed; or the URL names no database, cannot be read, or has a secret that would be shown.
    """
    try:
        import psycopg  # noqa: F401
    except ImportError:
        raise StoreError('PostgreSQL needs a driver that is not installed: pip install "mekuri[postgresql]"') from None
    if not url.database:
        raise StoreError("name the database, as in postgresql+psycopg://USER@HOST/DATABASE")
    if shown := _SECRETS & url.query.keys():
        raise StoreError(f"leave {min(shown)} out of the address: keep it in PostgreSQL's service file, and say ?service=SECTION")
    if "password" in url.query:
        url = url.set(password=url.normalized_query["password"][-1]).difference_update_query(["password"])
    url = url.set(drivername=_DRIVER)
    try:
        url.get_dialect()().create_connect_args(url)
    except ArgumentError as error:
        raise StoreError(f"the address of the database cannot be used: {error}") from error
    return url


def sides(url: URL) -> tuple[Side, Side]:
    """Return the writing half, with a transaction for each unit of work, and the reading half, without transactions."""
    writer = _engine(url, _WRITER_IDLE, pool_size=1, max_overflow=0)
    readers = _engine(url, pool_size=READERS, max_overflow=0, isolation_level="AUTOCOMMIT", skip_autocommit_rollback=True)
    return Side(writer, 1, Engine.begin), Side(readers, READERS, Engine.connect)


def engine(url: URL) -> Engine:
    """Return connections that may write, such as those of a migration."""
    return _engine(url)


def lock_migration(connection: Connection) -> None:
    """Wait until no other process migrates this database; released at the end of the transaction.

    Raises:
        StoreError: this PostgreSQL is too old, or the database does not hold every character.
    """
    connection.execute(_MIGRATING)
    version = int(connection.scalar(_VERSION) or 0) // 10_000
    if version < _OLDEST:
        raise StoreError(f"this is PostgreSQL {version}: Mekuri needs {_OLDEST} or newer")
    if (encoding := connection.scalar(_ENCODING)) != "UTF8":
        raise StoreError(f"the database has the encoding {encoding}: make one with UTF8, as by createdb --encoding=UTF8")


def lock_feeds(connection: Connection) -> None:
    """Wait until no other transaction writes to the feeds; released at the end of the transaction.

    An id is given to a row before its transaction is committed. Without this lock a row could become visible after another with a
    greater id, and a reader that continues from the greatest id would never see it. SQLite has one writer at a time: it needs no
    lock.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(_FEEDING)


def lock_matches(connection: Connection) -> None:
    """Wait until no other transaction writes to matches, and let none begin; released at the end of the transaction.

    All rows are about to be changed. One by one they would be locked in another order than by others, which is a deadlock.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(_ALL_MATCHES)


def wake(connection: Connection) -> None:
    """Wake all processes when the transaction is committed, so that they read the feeds. SQLite wakes nobody."""
    if connection.dialect.name == "postgresql":
        connection.execute(_WAKE)


def is_deadlock(error: DBAPIError) -> bool:
    """Whether a transaction was rolled back because it and another one waited for each other: it can be tried again."""
    return getattr(error.orig, "sqlstate", None) == _DEADLOCK


def _engine(url: URL, idle: str = _IDLE, **pool: Any) -> Engine:
    kept = {name: value for name, value in _CONNECT.items() if name not in url.query}
    # Options of the URL win: PostgreSQL takes the last of several values.
    kept["options"] = " ".join((_OPTIONS.format(idle), *url.normalized_query.get("options", ())))
    # Error messages must not show parameters: there are secrets among them.
    return create_engine(url, hide_parameters=True, connect_args=kept, **pool)


async def listen(url: URL, woken: Callable[[], None], time: Time) -> None:
    """Call `woken` whenever a process has written something that others must hear of. Never returns.

    It is called as well when the connection is made, or made again: something may have been written meanwhile.
    """
    import psycopg

    while True:
        try:
            async with _listening(url) as connection:
                woken()
                await _hear(connection, woken)
        except (psycopg.Error, OSError) as error:
            _log.warning("No wake-ups come from the database, it is asked every few seconds: %s", str(error).partition("\n")[0])
        await time.sleep(_AGAIN)


async def _hear(connection: Any, woken: Callable[[], None]) -> None:
    """Call `woken` at each notification. Never returns; raises psycopg.Error when the connection is lost.

    The driver's own way to wait looks ten times a second whether it is to stop.
    """
    loop, socket, readable = asyncio.get_running_loop(), connection.fileno(), asyncio.Event()
    while True:
        readable.clear()
        loop.add_reader(socket, readable.set)
        try:
            await readable.wait()
        finally:
            loop.remove_reader(socket)  # before the driver may close it
        connection.pgconn.consume_input()
        while connection.pgconn.notifies():
            woken()


@asynccontextmanager
async def _listening(url: URL) -> AsyncIterator[Any]:
    import psycopg

    # As SQLAlchemy reads the URL for the other connections: there may be several hosts in it.
    _, options = url.get_dialect()().create_connect_args(url)
    connection = await psycopg.AsyncConnection.connect(autocommit=True, **{**_CONNECT, **options})
    try:
        await connection.execute(f"LISTEN {CHANNEL}")
        yield connection
    finally:
        with suppress(psycopg.Error):
            await connection.close()
