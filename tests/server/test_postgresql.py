"""What only PostgreSQL does, or does in its own way; run with `--postgresql`."""

import asyncio
import socket
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import URL, insert, text

from mekuri.server.ops.admin import opened
from mekuri.server.ops.backup import back_up, restore
from mekuri.server.storage import postgresql, schema
from mekuri.server.storage.database import database_at, engine_at, migrate
from mekuri.server.storage.store import Store, StoreError
from mekuri.table.log import Conflict
from mekuri.table.time import REAL
from tests.helpers.patience import PATIENCE
from tests.helpers.server import databases
from tests.helpers.server.databases import LOCKED, PostgreSQL, place, place_of
from tests.helpers.server.gathering import begun, choosing
from tests.helpers.server.serving import Guest, Refusal, Serving, refused
from tests.helpers.server.stores import add, append, numbers, played, sql
from tests.helpers.time import moment

pytestmark = pytest.mark.postgresql

# The catalogue's rows about tables, indexes and constraints, beside what Alembic compares.
MADE = (
    "SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public' AND tablename <> 'alembic_version' ORDER BY 1",
    "SELECT conname, conrelid::regclass::text, pg_get_constraintdef(oid) FROM pg_constraint "
    "WHERE connamespace = 'public'::regnamespace AND conrelid::regclass::text <> 'alembic_version' ORDER BY 1, 2",
    "SELECT table_name, column_name, data_type, is_nullable, column_default FROM information_schema.columns "
    "WHERE table_schema = 'public' AND table_name <> 'alembic_version' ORDER BY 1, 2",
)
RAISES = """
CREATE FUNCTION broken() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN RAISE EXCEPTION USING ERRCODE = ''{code}'', MESSAGE = ''so''; END';
CREATE TRIGGER broken BEFORE INSERT ON log FOR EACH ROW EXECUTE FUNCTION broken()
"""

IDLE = "SELECT EXTRACT(EPOCH FROM current_setting('idle_in_transaction_session_timeout')::interval)"

# Ends every connection to a database but that which asks for it.
ENDS = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"


@pytest.fixture
def here() -> PostgreSQL:
    assert databases.running
    return databases.running


@pytest.fixture
def database(tmp_path: Path) -> str:
    return str(place(tmp_path / "mekuri.db"))


async def refuse(where: str, message: str) -> None:
    with pytest.raises(StoreError, match=message) as refusal:
        await Store.open(where)
    assert "secret" not in str(refusal.value)
    assert "\n" not in str(refusal.value)


async def test_url_options_are_combined_with_own_settings(here: PostgreSQL) -> None:
    """If a process is cut off, the others must not wait for it forever."""
    url = here.empty("set") + "?options=-c%20statement_timeout%3D7s%20-c%20lock_timeout%3D8s"
    store = await Store.open(url)
    names = ("statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout")
    found = await store._writer._side.do(lambda connection: [connection.exec_driver_sql(f"SHOW {name}").scalar() for name in names])
    assert found == ["7s", "8s", "1s"]
    await store.close()


class TestRefused:
    @pytest.mark.parametrize(("role", "query"), [(f"{LOCKED}:secret", ""), (LOCKED, "?password=secret")])
    async def test_wrong_password_is_refused(self, here: PostgreSQL, role: str, query: str) -> None:
        sql(here.url("postgres"), f"CREATE ROLE {LOCKED} LOGIN PASSWORD 'another'")
        try:
            url = here.url("postgres").replace("postgres@", f"{role}@") + query
            await refuse(url, f"{LOCKED}:.*password authentication failed")
        finally:
            sql(here.url("postgres"), f"DROP ROLE {LOCKED}")

    async def test_missing_database_is_refused(self, here: PostgreSQL) -> None:
        await refuse(here.url("nowhere"), 'database "nowhere" does not exist')

    async def test_database_of_another_program_is_refused(self, here: PostgreSQL) -> None:
        url = here.empty("another_program")
        sql(url, "CREATE TABLE log (id integer)")
        await refuse(url, "of another program: choose another place")

    async def test_database_encoding_other_than_utf8_is_refused(self, here: PostgreSQL) -> None:
        await refuse(here.empty("latin", "LATIN1"), "encoding LATIN1: make one with UTF8")

    async def test_old_postgresql_is_refused(self, here: PostgreSQL, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(postgresql, "_OLDEST", 99)
        url = here.empty("too_old")
        await refuse(url, r"is PostgreSQL \d+: Mekuri needs 99 or newer")
        assert sql(url, "SELECT * FROM pg_tables WHERE schemaname = 'public'") == []

    async def test_silent_host_times_out(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """The connection is taken, and nothing ever comes."""
        monkeypatch.setitem(postgresql._CONNECT, "connect_timeout", 2)
        with socket.create_server(("127.0.0.1", 0)) as silent:
            await refuse(f"postgresql://user:secret@127.0.0.1:{silent.getsockname()[1]}/mekuri", "timeout expired")

    async def test_url_without_a_database_name_is_refused(self, here: PostgreSQL) -> None:
        await refuse(here.url(""), "name the database")

    def test_failed_start_prints_one_line(self, here: PostgreSQL) -> None:
        words = [sys.executable, "-m", "mekuri", "serve", "--port", "0", "--database", here.url("nowhere")]
        ended = subprocess.run(words, capture_output=True, text=True, timeout=PATIENCE, check=False)
        assert (ended.returncode, ended.stdout, ended.stderr.count("\n")) == (2, "", 1)
        assert 'database "nowhere" does not exist' in ended.stderr


async def test_store_opens_over_a_unix_socket(here: PostgreSQL) -> None:
    here.empty("over_a_socket")
    store = await Store.open(f"postgresql:///over_a_socket?user=postgres&host={here.folder}&port={here.port}")
    await add(store, "m", played(0))
    assert await numbers(store, "m") == [0]
    await store.close()


async def test_store_opens_with_one_reachable_host(here: PostgreSQL) -> None:
    here.empty("several_hosts")
    at = database_at(f"postgresql://postgres@/several_hosts?host=127.0.0.1:1&host=127.0.0.1:{here.port}")
    assert isinstance(at, URL)
    store = await Store.open(at)
    await add(store, "m", played(0))
    assert await numbers(store, "m") == [0]
    woken = asyncio.Event()
    listening = asyncio.create_task(postgresql.listen(at, woken.set, REAL))
    await woken.wait()
    listening.cancel()
    await asyncio.gather(listening, return_exceptions=True)
    await store.close()


async def test_idle_transaction_ends_before_the_lease(store: Store) -> None:
    """A process that takes over its tables would wait for the rows, fail to renew its lease, and be the next victim."""
    [[idle]] = await store._writer._side.do(lambda connection: connection.execute(text(IDLE)).all())
    assert 0 < idle < store.lease / 2


class TestCommands:
    """Those on a whole database that are refused."""

    async def test_restore_into_a_filled_database_is_refused(self, store: Store, log_path: Path, tmp_path: Path) -> None:
        await add(store, "m", played(0))
        back_up(place_of(log_path), file := tmp_path / "backup.db")
        with pytest.raises(StoreError, match="is not empty: name a new database"):
            restore(file, place_of(log_path))
        assert await numbers(store, "m") == [0]
        assert [beside for beside in tmp_path.iterdir() if "restore" in beside.name] == []

    async def test_empty_database_is_refused(self, here: PostgreSQL, tmp_path: Path) -> None:
        url = here.empty("without_tables")
        with pytest.raises(StoreError, match="is no database of Mekuri: name another"):
            back_up(database_at(url), tmp_path / "backup.db")
        with pytest.raises(StoreError, match=r"there is no database at .*name another with --database"):
            async with opened(database_at(url)):
                pass
        assert sql(url, "SELECT * FROM pg_tables WHERE schemaname = 'public'") == []
        assert list(tmp_path.iterdir()) == []


OPEN = "import asyncio, sys; from mekuri.server.storage.store import Store; asyncio.run(Store.open(sys.argv[1]))"


class TestMigrations:
    def test_migrations_lead_to_the_declared_tables(self, here: PostgreSQL) -> None:
        migrated, made = here.empty("migrated"), here.empty("made_at_once")
        migrate(database_at(migrated))
        engine = engine_at(database_at(migrated))
        with engine.connect() as connection:
            context = MigrationContext.configure(connection, opts={"compare_type": True})
            assert compare_metadata(context, schema.metadata) == []
            assert context.get_current_revision() == schema.HEAD
        engine.dispose()
        engine = engine_at(database_at(made))
        schema.metadata.create_all(engine)
        engine.dispose()
        for question in MADE:
            assert sql(migrated, question) == sql(made, question)

    def test_concurrent_starts_migrate_once(self, here: PostgreSQL) -> None:
        url = here.empty("started_at_once")
        children = [subprocess.Popen([sys.executable, "-c", OPEN, url]) for _ in range(4)]
        assert [child.wait(PATIENCE) for child in children] == [0] * 4
        assert sql(url, "SELECT version_num FROM alembic_version") == [(schema.HEAD,)]


class TestConcurrency:
    async def test_reader_does_not_wait_for_a_writer(self, store: Store, here: PostgreSQL, log_path: Path) -> None:
        await add(store, "m", played(0))
        with here.connect(str(place(log_path))) as another, another.transaction():
            another.execute("LOCK TABLE log IN EXCLUSIVE MODE")
            waits = asyncio.create_task(append(store, "m", played(1)))
            await waiting(store)
            assert await numbers(store, "m") == [0]
            assert await store.ids("running") == ["m"]
            assert not waits.done()
        await waits
        assert await numbers(store, "m") == [0, 1]

    async def test_writer_gives_up_after_the_lock_timeout(
        self, here: PostgreSQL, log_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(postgresql, "_OPTIONS", "-c lock_timeout=50ms")
        store = await Store.open(place(log_path))
        await add(store, "m")
        with here.connect(str(place(log_path))) as another, another.transaction():
            another.execute("LOCK TABLE log IN EXCLUSIVE MODE")
            with pytest.raises(StoreError, match="cannot be written: canceling statement due to lock timeout"):
                await append(store, "m", played(0))
        await append(store, "m", played(0))
        assert await numbers(store, "m") == [0]
        await store.close()

    async def test_deadlocked_writes_are_retried(self, store: Store, other: Store, here: PostgreSQL, log_path: Path) -> None:
        """One of the two transactions is rolled back by PostgreSQL, and its writes are tried again one by one."""
        for id in ("a", "b"):
            await add(store, id)
        from psycopg.errors import DeadlockDetected

        # Whichever of the two is rolled back: what the store writes is written.
        with suppress(DeadlockDetected), here.connect(str(place(log_path))) as another, another.transaction():
            another.execute("UPDATE matches SET lone = lone WHERE id = 'b'")
            waits = [asyncio.create_task(append(store, id, played(0))) for id in ("a", "b")]
            await waiting(store)  # it has changed `a`, and waits for `b`
            await asyncio.to_thread(another.execute, "UPDATE matches SET lone = lone WHERE id = 'a'")
        await asyncio.gather(*waits)
        assert [await numbers(store, id) for id in ("a", "b")] == [[0], [0]]


async def waiting(store: Store) -> None:
    """Wait until a transaction of the database waits for a lock of another."""
    found = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    while not await store._readers.do(lambda connection: connection.exec_driver_sql(found).scalar()):
        await moment()


class TestFeeds:
    """Rows of a feed are read on from the greatest id that was seen: none may become visible after it with a smaller one."""

    @pytest.mark.parametrize("locked", [True, False])
    async def test_late_commit_is_not_missed_by_a_feed(
        self, store: Store, other: Store, log_path: Path, locked: bool, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for id in ("ann", "ben"):
            await store.add_person(id, id, id)
        place, _ = await other.people_news(0)
        if not locked:  # which shows what the lock is for
            monkeypatch.setattr(postgresql, "lock_feeds", lambda connection: None)
        engine = engine_at(place_of(log_path))
        with engine.begin() as slow:
            postgresql.lock_feeds(slow)
            slow.execute(insert(schema.people_news), {"person": "ann", "at": 1, "writer": "slow"})
            quick = asyncio.create_task(store.rename("ben", "Bo"))
            await (waiting(store) if locked else quick)
            place, heard = await other.people_news(place)
        await quick
        engine.dispose()
        heard |= (await other.people_news(place))[1]
        assert heard == ({"ann", "ben"} if locked else {"ben"})


class TestFailing:
    @pytest.mark.parametrize(("code", "error"), [("53100", "disk-full"), ("XX001", "damaged")])
    async def test_database_error_gets_its_own_503(
        self, server: Serving, people: list[Guest], name: str, database: str, code: str, error: str
    ) -> None:
        table = await begun(people, name)
        guest, view = await choosing(table, people)
        action = view["legal"][0]["action"]
        sql(database, RAISES.format(code=code))
        assert await refused(guest.play(table, view["version"], action)) == (503, error)
        assert (await people[0].look(table))["view"]
        sql(database, "DROP TRIGGER broken ON log")
        assert (await guest.play(table, view["version"], action))["version"] > view["version"]

    async def test_id_with_a_null_byte_gets_404(self, server: Serving, store: Store) -> None:
        assert await store.match("m\0") is None
        watcher = Guest(server.address)
        for path in ("/api/tables/%00", "/api/tables/a%00b/events?since=0"):
            assert (await refused(watcher.call("GET", path)))[0] == 404


async def tried(what: Any) -> int:
    """The status of the answer to a request."""
    try:
        await what
    except Refusal as refused:
        return refused.status
    return 200


class TestLost:
    async def test_requests_survive_ended_connections(self, server: Serving, people: list[Guest], name: str, database: str) -> None:
        """Requests at that moment are answered over new connections."""
        for _ in range(3):
            sql(database, ENDS)
            assert [await tried(people[0].make(name)) for _ in range(2)] == [200, 200]

    async def test_requests_recover_after_a_database_restart(
        self, server: Serving, people: list[Guest], name: str, here: PostgreSQL
    ) -> None:
        table = await begun(people, name)
        await asyncio.to_thread(here.stop)
        try:
            assert await tried(people[0].make(name)) == 503
            assert await tried(people[0].look("not in memory")) == 503
        finally:
            await asyncio.to_thread(here.start)
        guest, view = await choosing(table, people)
        action = view["legal"][0]["action"]
        answer = await guest.play(table, view["version"], action)
        assert answer["version"] > view["version"]
        assert await tried(people[0].look("not in memory")) == 404


async def test_conflict_is_not_logged(log_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """It is no fault: the driver would warn of the error that it raises, whichever of two was late."""
    store = await Store.open(place_of(log_path))
    await add(store, "m", played(0))
    with pytest.raises(Conflict):
        await append(store, "m", *map(played, range(1000)))  # so many that the first is answered before the last is sent
    await store.close()
    assert caplog.messages == []
