"""Leases: which process is the home of a table, and for how long."""

from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
import pytest

from mekuri.desk.homes import NotHere
from mekuri.server.cluster.homes import Cluster, machine
from mekuri.server.storage.cluster_store import _CLAIM, Process
from mekuri.server.storage.store import Store, StoreError
from mekuri.server.storage.writer import Write
from mekuri.table.log import Moved
from tests.helpers.server.databases import ready
from tests.helpers.server.stores import add, append, numbers, played
from tests.helpers.time import FakeTime

LEASE = 60.0
WAITING = {"m": ["ann", "ben"]}


@pytest.fixture
def watch() -> FakeTime:
    return FakeTime(moves=False)


@pytest.fixture
def lapses() -> list[str]:
    """Record the processes that found their own lease expired."""
    return []


@pytest.fixture
async def store(log_path: Path, watch: FakeTime) -> AsyncIterator[Store]:
    store = await Store.open(ready(log_path), watch)
    yield store
    await store.close()


def cluster_of(store: Store, name: str, lapses: list[str]) -> Cluster:
    return Cluster(store, LEASE, lambda: lapses.append(name))


@pytest.fixture
async def one(store: Store, lapses: list[str]) -> Cluster:
    made = cluster_of(store, "one", lapses)
    await made.begin("127.0.0.1:1")
    lapses.clear()
    return made


@pytest.fixture
async def two(other: Store, lapses: list[str]) -> Cluster:
    made = cluster_of(other, "two", lapses)
    await made.begin("127.0.0.1:2")
    lapses.clear()
    return made


def claims(write: Write) -> bool:
    return any(statement is _CLAIM for statement, _ in write)


async def home_of(cluster: Cluster, table: str) -> str | None:
    """Return the address of a table's home; None if it is the process itself."""
    try:
        await cluster.need_home(table)
    except NotHere as there:
        return there.home.address if there.home else "nobody"
    return None


class TestHomes:
    async def test_maker_of_a_table_is_its_home(self, one: Cluster, two: Cluster, store: Store) -> None:
        await add(store, "m", played(0))
        assert await home_of(two, "m") == "127.0.0.1:1"
        assert await home_of(one, "m") is None

    async def test_first_process_becomes_home_of_an_unowned_table(
        self, store: Store, other: Store, lapses: list[str], watch: FakeTime
    ) -> None:
        await add(store, "m", played(0))
        one, two = cluster_of(store, "one", lapses), cluster_of(other, "two", lapses)
        await two.begin("127.0.0.1:2")
        await one.begin("127.0.0.1:1")
        assert await home_of(two, "m") is None
        assert await home_of(one, "m") == "127.0.0.1:2"

    async def test_write_of_another_process_is_refused(self, one: Cluster, two: Cluster, store: Store, other: Store) -> None:
        await add(store, "m", played(0))
        assert await home_of(one, "m") is None
        await append(store, "m", played(1))
        with pytest.raises(Moved):
            await append(other, "m", played(2))
        assert await numbers(store, "m") == [0, 1]

    async def test_unknown_table_has_no_home(self, one: Cluster) -> None:
        assert await home_of(one, "nothing") is None


class TestTaking:
    async def test_table_is_taken_after_the_lease_expires(self, one: Cluster, two: Cluster, store: Store, other: Store) -> None:
        await add(store, "m", played(0))
        assert await home_of(one, "m") is None
        await lose(store)
        assert await home_of(two, "m") is None
        await append(other, "m", played(1))
        with pytest.raises(Moved):  # by its fencing number, though it believes itself the home
            await append(store, "m", played(2))
        assert await numbers(other, "m") == [0, 1]

    async def test_retaken_table_gets_a_new_fence(self, one: Cluster, two: Cluster, store: Store, other: Store) -> None:
        """A process that is the home again gets a new number, and its former writes are refused."""
        await add(store, "m", played(0))
        assert await home_of(one, "m") is None
        early = store.fences["m"]
        await lose(store)
        assert await home_of(two, "m") is None
        await lose(other)
        await one.renew({})
        assert await home_of(one, "m") is None
        assert store.fences["m"] == early + 2
        store.fences["m"] = early
        with pytest.raises(Moved):
            await append(store, "m", played(1))

    async def test_table_of_a_stopped_process_is_taken_at_once(self, one: Cluster, two: Cluster, store: Store) -> None:
        await add(store, "m", played(0))
        await one.leave()
        assert await home_of(two, "m") is None
        assert not one.valid

    async def test_table_of_a_buried_process_is_taken_at_once(self, one: Cluster, two: Cluster, store: Store) -> None:
        await add(store, "m", played(0))
        await two.renew({})
        [peer] = two.peers.values()
        await two.bury(peer)
        assert await home_of(two, "m") is None

    async def test_one_process_wins_if_the_home_renews_meanwhile(
        self, one: Cluster, two: Cluster, store: Store, other: Store, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """It begins another lease while its table is being taken: one of the two gets the table, and the other knows it."""
        await add(store, "m", played(0))
        await lose(store)
        write = other._writer.write

        async def come_back_first(statements: Write) -> None:
            if claims(statements) and not store.fences:
                await one.renew({})
                assert await home_of(one, "m") is None
            await write(statements)

        monkeypatch.setattr(other._writer, "write", come_back_first)
        assert await home_of(two, "m") == "127.0.0.1:1"
        assert await home_of(one, "m") is None
        await append(store, "m", played(1))

    async def test_late_renewal_leaves_one_home(
        self, one: Cluster, two: Cluster, store: Store, other: Store, watch: FakeTime, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The database took so long that another has found the lease over before it was renewed."""
        await add(store, "m", played(0))
        await lose(store)
        write, renewed = other._writer.write, store.renew

        async def still_there(own: Process, lease: int) -> bool:
            monkeypatch.setattr(store, "renew", renewed)
            return True

        async def renew_first(statements: Write) -> None:
            if claims(statements) and not store.fences:
                watch.move(LEASE + 1)
                monkeypatch.setattr(store, "renew", still_there)
                await one.renew({})
                assert await home_of(one, "m") is None
            await write(statements)

        monkeypatch.setattr(other._writer, "write", renew_first)
        assert await home_of(two, "m") in ("127.0.0.1:1", "nobody")
        await append(store, "m", played(1))

    async def test_claim_from_before_a_new_lease_is_not_used(
        self, one: Cluster, two: Cluster, store: Store, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The answer of the database is from before, and others may have taken the table since."""
        await add(store, "m", played(0))
        claim = store.claim

        async def late(match: str) -> str | None:
            home = await claim(match)
            await lose(store)
            assert await home_of(two, match) is None
            await one.renew({})
            return home

        with monkeypatch.context() as patch:
            patch.setattr(store, "claim", late)
            assert await home_of(one, "m") == "nobody"
        assert await home_of(one, "m") == "127.0.0.1:2"

    async def test_due_bots_of_an_expired_process_are_found(self, one: Cluster, two: Cluster, store: Store, other: Store) -> None:
        await add(store, "m", played(0), bot_due=True)
        await add(store, "n", played(0))
        assert await other.bots_due(0) == []
        assert await other.bots_due(10**15) == []
        await lose(store)
        assert await other.bots_due(0) == ["m"]
        assert await other.bots_due(10**15) == ["m"]


class TestHandingOver:
    async def test_handed_over_table_belongs_to_the_peer(self, one: Cluster, two: Cluster, store: Store, other: Store) -> None:
        await add(store, "m", played(0))
        await one.renew({})
        assert await home_of(one, "m") is None
        assert await one.hand_over("m", other.id)
        assert await home_of(one, "m") == "127.0.0.1:2"
        assert await home_of(two, "m") is None
        await append(other, "m", played(1))
        with pytest.raises(Moved):
            await append(store, "m", played(2))

    async def test_table_has_no_home_during_the_handover(
        self, one: Cluster, two: Cluster, store: Store, other: Store, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        await add(store, "m", played(0))
        await one.renew({})
        write = store._writer.write

        async def asked_meanwhile(statements: Write) -> None:
            assert await home_of(one, "m") == "nobody"
            assert not await one.hand_over("m", other.id)
            await write(statements)

        monkeypatch.setattr(store._writer, "write", asked_meanwhile)
        assert await one.hand_over("m", other.id)

    async def test_handover_is_refused_during_a_claim(
        self, one: Cluster, two: Cluster, store: Store, other: Store, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A request that has just found the table here would continue with it."""
        await add(store, "m", played(0))
        await one.renew({})
        claim, handed = store.claim, list[bool]()

        async def handed_meanwhile(match: str) -> str | None:
            home = await claim(match)
            handed.append(await one.hand_over(match, other.id))
            return home

        monkeypatch.setattr(store, "claim", handed_meanwhile)
        assert await home_of(one, "m") is None
        assert handed == [False]
        assert await one.hand_over("m", other.id)

    async def test_handover_needs_an_own_table_and_a_live_peer(
        self, one: Cluster, two: Cluster, store: Store, other: Store
    ) -> None:
        await add(store, "m", played(0))
        await one.renew({})
        assert not await one.hand_over("m", "nobody")
        assert not await one.hand_over("nothing", other.id)
        await two.renew({})
        assert not await two.hand_over("m", store.id)
        assert await home_of(one, "m") is None


async def lose(store: Store) -> None:
    """Let the lease of a store's process be over, in the eyes of all others."""
    await store.renew(Process(store.id, "127.0.0.1:1", None, "secret", {}), -1)


class TestLease:
    async def test_process_drops_its_tables_when_the_lease_expires(
        self, one: Cluster, store: Store, watch: FakeTime, lapses: list[str]
    ) -> None:
        await add(store, "m", played(0))
        watch.move(LEASE - 1)
        await one.renew({})
        assert not lapses
        watch.move(LEASE + 1)
        with pytest.raises(NotHere) as there:
            await one.need_home("m")
        assert there.value.home is None
        await one.renew({})
        assert lapses == ["one"], "others may have taken its tables, so it has dropped all"
        assert await home_of(one, "m") is None

    async def test_lease_counts_from_before_the_request(
        self, one: Cluster, store: Store, watch: FakeTime, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        renew = store.renew

        async def slow(*given: object) -> bool:
            watch.move(LEASE / 2)
            return await renew(*given)  # type: ignore[arg-type]

        monkeypatch.setattr(store, "renew", slow)
        await one.renew({})
        watch.move(LEASE / 2)
        assert not one.valid

    async def test_buried_process_drops_its_tables(self, one: Cluster, two: Cluster, store: Store, lapses: list[str]) -> None:
        await two.renew({})
        [peer] = two.peers.values()
        await two.bury(peer)
        await one.renew({})
        assert lapses == ["one"]
        assert one.valid

    async def test_suspended_process_drops_its_tables(self, one: Cluster, store: Store, lapses: list[str]) -> None:
        """As on a machine that was suspended: it believes its lease to last, and the database knows better."""
        await lose(store)
        assert one.valid
        await one.renew({})
        assert lapses == ["one"]
        lapses.clear()
        await one.renew({})
        assert not lapses

    async def test_lease_ends_while_the_database_fails(
        self, one: Cluster, store: Store, watch: FakeTime, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async def fail(*_: object) -> bool:
            raise StoreError("not just now")

        with monkeypatch.context() as patch:
            patch.setattr(store, "renew", fail)
            for _ in range(3):
                with pytest.raises(StoreError):
                    await one.renew({})
            assert one.valid
            watch.move(LEASE)
            assert not one.valid
        await one.renew({})
        assert one.valid


class TestBeside:
    """A refused loopback connection proves the end of a process only on this machine."""

    def there(self, **changes: str | None) -> Process:
        return msgspec.structs.replace(Process("there", "127.0.0.1:9", machine(), "", {}), **changes)

    async def test_peer_on_this_machine_is_beside(self, one: Cluster) -> None:
        assert one.beside(self.there()) == (machine() is not None)

    @pytest.mark.parametrize("changes", [{"machine": "another"}, {"machine": None}, {"address": "10.0.0.3:9"}])
    async def test_peer_on_another_machine_is_not_beside(self, one: Cluster, changes: dict[str, str | None]) -> None:
        assert not one.beside(self.there(**changes))

    async def test_peer_on_a_foreign_loopback_is_unreachable(self, one: Cluster, other: Store) -> None:
        for machine_of_it, address, asked in (("another", "127.0.0.1:9", False), ("another", "10.0.0.3:9", True)):
            await other.renew(Process(other.id, address, machine_of_it, "", {}), 60_000)
            await one.renew({})
            assert one.unreachable() == ([] if asked else [*one.peers.values()])


class TestWaiting:
    async def test_waiting_people_reach_the_peers(self, one: Cluster, two: Cluster) -> None:
        for _ in range(2):
            await one.renew(WAITING)
            await two.renew({})
        assert two.elsewhere == {table: set(people) for table, people in WAITING.items()}
        assert one.elsewhere == {}

    async def test_waiting_people_are_not_sent_without_peers(self, one: Cluster, other: Store) -> None:
        await one.renew(WAITING)
        assert [peer.waiting for peer in await other.peers()] == [{}]

    async def test_secret_is_not_printed(self, one: Cluster, two: Cluster) -> None:
        await two.renew({})
        assert one.secret not in repr(two.peers)
