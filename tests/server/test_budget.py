"""Budgets of processor time: requests are charged, and a guest without budget waits. No test waits for a real clock."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from litestar import Request

from mekuri.desk.route import Visitor
from mekuri.desk.routes.lists import list_tables
from mekuri.desk.work import PURSE, Paid, metered
from mekuri.server.base import budget
from mekuri.server.base.budget import SAVED, Bank, Budgets
from mekuri.server.base.settings import Settings
from mekuri.server.base.work import WorkerThread
from mekuri.server.guard import priced
from mekuri.server.guard.priced import Priced
from tests.helpers.server.gathering import begun, guests
from tests.helpers.server.serving import Guest, Serving, serving
from tests.helpers.tables import USUAL
from tests.helpers.time import FakeTime, Skipping, until


@pytest.fixture
def clock() -> Skipping:
    return Skipping()


@pytest.fixture
def bank(clock: Skipping) -> Bank:
    """100 ms a second for a guest, 500 for an address."""
    return Bank(100, 500, clock.monotonic)


class TestBudgets:
    def test_debt_is_paid_off_by_time(self, clock: Skipping) -> None:
        budgets = Budgets(0.1, 6, clock.monotonic)
        assert (budgets.left("aki"), budgets.wait("aki")) == (6, 0)
        budgets.charge("aki", 7)
        assert budgets.wait("aki") == pytest.approx(10)
        clock.move(10.5)
        assert budgets.wait("aki") == 0
        clock.move(1000)
        assert budgets.left("aki") == 6
        assert budgets.left("ben") == 6

    def test_debt_is_capped(self, clock: Skipping) -> None:
        budgets = Budgets(0.1, 6, clock.monotonic)
        budgets.charge("aki", 1000)
        assert budgets.wait("aki") == pytest.approx(SAVED)

    def test_number_of_budgets_is_bounded(self, clock: Skipping, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(budget, "_MOST", 10)
        budgets = Budgets(0.1, 6, clock.monotonic)
        for number in range(100):
            budgets.charge(str(number), 5)
        assert len(budgets) <= 10
        assert budgets.left("99") == 1

    def test_full_budgets_are_dropped(self, clock: Skipping) -> None:
        budgets = Budgets(0.1, 6, clock.monotonic)
        for number in range(100):
            budgets.charge(str(number), 0.1)
            clock.move(2)
        assert len(budgets) <= 2

    def test_budget_of_zero_sets_no_limit(self, clock: Skipping) -> None:
        free = Bank(0, 0, clock.monotonic).purse("aki", "here")
        free.charge(1000)
        assert free.wait == 0
        assert not free.heavy


class TestPurses:
    def test_guest_waits_until_the_debt_is_paid(self, bank: Bank, clock: Skipping) -> None:
        aki = bank.purse("aki", "here")
        aki.charge(6.1)
        assert aki.wait == pytest.approx(1)
        assert bank.purse("ben", "here").wait == 0
        clock.move(1.1)
        assert aki.wait == 0

    def test_visitors_of_one_address_share_a_purse(self, bank: Bank) -> None:
        """All of one address together are as one guest."""
        bank.purse("", "here").charge(7)
        assert bank.purse("", "here").wait == pytest.approx(10)
        assert bank.purse("", "there").wait == 0

    def test_guests_of_one_address_share_its_budget(self, bank: Bank) -> None:
        """Successive new guests get no more than their address; a guest with few requests is not affected."""
        quiet = bank.purse("quiet", "here")
        quiet.charge(1)
        for number in range(20):
            bank.purse(str(number), "here").charge(3.1)
        assert bank.purse("0", "here").wait > 0
        assert bank.purse("0", "there").wait == 0
        assert quiet.wait == 0

    def test_new_guest_starts_with_part_of_the_address_budget(self, bank: Bank) -> None:
        bank.purse("", "here").charge(31)
        newcomer = bank.purse("new", "here")
        assert newcomer.wait == 0
        newcomer.charge(3.1)
        assert newcomer.wait > 0

    def test_guest_with_much_recent_use_is_heavy(self, bank: Bank, clock: Skipping) -> None:
        bank.purse("aki", "here").charge(0.015)
        assert not bank.purse("aki", "here").heavy
        bank.purse("aki", "here").charge(0.01)
        assert bank.purse("aki", "here").heavy
        clock.move(2)
        assert not bank.purse("aki", "here").heavy


class Processor:
    """Processor time that is used by calling `use`."""

    def __init__(self) -> None:
        self.used = 0.0

    def __call__(self) -> float:
        return self.used

    def use(self, seconds: float) -> None:
        self.used += seconds


@pytest.fixture
def processor() -> Processor:
    return Processor()


@pytest.fixture
def aki(bank: Bank) -> Iterator[Any]:
    """The caller in a test."""
    purse = bank.purse("aki", "here")
    token = PURSE.set(purse)
    yield purse
    PURSE.reset(token)


class TestWork:
    async def test_every_step_is_charged(self, aki: Any, bank: Bank, processor: Processor) -> None:
        async def work() -> int:
            processor.use(0.5)
            await asyncio.sleep(0)
            processor.use(0.25)
            return 7

        assert await metered(work(), processor) == 7
        assert bank.guests[1].left("aki") == pytest.approx(6 - 0.75)
        assert bank.networks[1].left("here") == pytest.approx(30 - 0.75)

    async def test_time_of_other_tasks_is_not_charged(self, aki: Any, bank: Bank, processor: Processor) -> None:
        async def work() -> None:
            await asyncio.sleep(0)
            await asyncio.sleep(0)

        async def other() -> None:
            processor.use(3)

        await asyncio.gather(metered(work(), processor), other())
        assert bank.spent == 0

    async def test_failed_work_is_charged(self, aki: Any, bank: Bank, processor: Processor) -> None:
        async def work() -> None:
            processor.use(0.5)
            raise KeyError

        with pytest.raises(KeyError):
            await metered(work(), processor)
        assert bank.spent == pytest.approx(0.5)

    async def test_cancelled_work_is_charged(self, aki: Any, bank: Bank, processor: Processor) -> None:
        begun = asyncio.Event()

        async def work() -> None:
            try:
                begun.set()
                await asyncio.sleep(3600)
            finally:
                processor.use(0.5)

        task = asyncio.create_task(metered(work(), processor))
        await begun.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert bank.spent == pytest.approx(0.5)

    async def test_shielded_task_is_charged_to_its_starter(self, aki: Any, bank: Bank) -> None:
        """A shielded task is charged to the guest who started it."""

        async def work() -> int:
            return sum(range(1000))

        full = bank.light.left("aki")
        assert await Paid().do(work()) == 499_500
        assert bank.spent > 0
        assert bank.light.left("aki") == full  # nobody is heavy for playing

    async def test_parallel_list_entries_are_charged(self, aki: Any, bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
        """They are asked for at the same time, in tasks of their own."""

        async def entry(*_: object) -> None:
            await asyncio.sleep(0)
            sum(range(1000))

        async def listed() -> list[str]:
            return ["a", "b"]

        monkeypatch.setattr("mekuri.desk.routes.lists.listed", entry)
        desk = SimpleNamespace(time=FakeTime(), lobby=SimpleNamespace(listed=listed))
        await list_tables(desk, Visitor())  # type: ignore[arg-type]
        assert bank.spent > 0

    async def test_worker_thread_is_charged(self, aki: Any, bank: Bank, processor: Processor) -> None:
        worker = WorkerThread(processor)

        def work() -> str:
            processor.use(2)
            return "done"

        assert await worker.do(work) == "done"
        assert bank.guests[1].left("aki") == pytest.approx(4)
        worker.close()

    async def test_worker_thread_takes_callers_in_turn(self, bank: Bank) -> None:
        """A guest who asks for ten things at once delays other guests by at most one."""
        worker, done = WorkerThread(), []

        async def ask(name: str) -> None:
            PURSE.set(bank.purse(name, "here"))
            await worker.do(lambda: done.append(name))

        await asyncio.gather(*(asyncio.create_task(ask(name)) for name in ("aki",) * 10 + ("ben",)))
        assert done.index("ben") <= 2
        worker.close()


class Front:
    """An application of which every request uses so much, behind prices."""

    def __init__(self, clock: Skipping, cost: float) -> None:
        self.processor = Processor()
        self.cost = cost
        self.most = 0  # requests that were answered at the same time
        self.begun: list[str] = []  # the method and the path of each
        self._now = 0
        # Each name counts as a guest.
        people: Any = SimpleNamespace(
            known=lambda request: SimpleNamespace(id=name) if (name := request.headers.get("me")) else None, plays=self._plays
        )
        self.priced = Priced(self._app, lambda: people, Settings(), clock, self.processor)

    async def _plays(self, request: Any, table: str) -> bool:
        return table == "hers"

    async def _app(self, scope: Any, receive: Any, send: Any) -> None:
        self.begun += (scope["method"], scope["path"])
        self._now += 1
        self.most = max(self.most, self._now)
        await asyncio.sleep(0)
        self.processor.use(self.cost)
        await send({"type": "http.response.start", "status": 200, "headers": []})
        self._now -= 1
        await asyncio.sleep(0)
        await send({"type": "http.response.body", "body": b""})

    async def ask(
        self, me: str = "", address: str = "127.0.0.1", method: str = "GET", path: str = "/"
    ) -> tuple[int, dict[str, str], bytes]:
        messages: list[Any] = []

        async def send(message: Any) -> None:
            messages.append(message)

        headers = [(b"me", me.encode())] if me else []
        scope: Any = {
            "type": "http",
            "method": method,
            "path": path,
            "headers": headers,
            "client": (address, 1),
            "query_string": b"",
        }
        task = asyncio.create_task(self.priced(scope, None, send))  # type: ignore[arg-type]
        await task
        return messages[0]["status"], {name.decode(): value.decode() for name, value in messages[0]["headers"]}, messages[1]["body"]


class TestPrices:
    async def test_guest_without_budget_gets_429_with_retry_after(self, clock: Skipping) -> None:
        """429 with Retry-After and one sentence; when that time has gone by, there is something left."""
        front = Front(clock, 7.0)
        assert (await front.ask("aki"))[0] == 200
        status, headers, body = await front.ask("aki")
        assert (status, json.loads(body)["error"]) == (429, "too-dear")
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cache-control"] == "no-store"
        assert f"{headers['retry-after']} s" in json.loads(body)["message"]
        assert (await front.ask("ben"))[0] == 200
        clock.move(int(headers["retry-after"]))
        assert (await front.ask("aki"))[0] == 200

    async def test_refusal_is_delayed_by_a_second(self, clock: Skipping) -> None:
        front = Front(clock, 7.0)
        await front.ask("aki")
        before = clock.monotonic()
        for _ in range(3):
            assert (await front.ask("aki"))[0] == 429
        assert clock.monotonic() == before + 3

    async def test_addresses_of_one_network_share_a_budget(self, clock: Skipping) -> None:
        front = Front(clock, 3.0)
        answers = [(await front.ask("", f"2001:db8::{number:x}"))[0] for number in range(1, 8)]
        assert answers[:2] == [200, 200]
        assert answers[-1] == 429
        assert (await front.ask("", "2001:db8:0:1::1"))[0] == 200

    async def test_successive_guests_of_one_address_share_its_budget(self, clock: Skipping) -> None:
        """As many guests as one likes at one address get no more than the address."""
        front = Front(clock, 3.1)
        answers = [(await front.ask(f"guest {number}"))[0] for number in range(30) for _ in range(2)]
        assert front.priced.bank.spent < 30 * 2 * 3.1
        assert 429 in answers

    async def test_heavy_guests_are_served_one_at_a_time(self, clock: Skipping) -> None:
        """Guests with few requests do not wait for them."""
        front = Front(clock, 0.15)
        names = [f"guest {number}" for number in range(10)]
        await asyncio.gather(*(front.ask(name, method="POST") for name in names))
        assert front.most == 10
        front.most = 0
        before = clock.monotonic()
        answers = await asyncio.gather(*map(front.ask, names))
        assert [status for status, _, _ in answers] == [200] * 10
        assert front.most == 1
        assert clock.monotonic() - before > 8 * 0.15 / 0.2 - 1  # a fifth of it is for them

    async def test_reads_queue_and_leave_moves_free(self, clock: Skipping) -> None:
        """A player's move does not wait for all reads, and a cancelled read does not block the others."""
        front = Front(clock, 0)
        looking = [asyncio.create_task(front.ask(f"guest {number}")) for number in range(20)]
        playing = asyncio.create_task(front.ask("aki", method="POST"))
        await asyncio.sleep(0)
        for task in looking[5:10]:
            task.cancel()
        await asyncio.gather(playing, *looking[:5], *looking[10:])
        assert front.begun.index("POST") <= 2
        assert front.begun.count("GET") == 15
        assert (await front.ask("guest 1"))[0] == 200

    async def test_neighbourhoods_take_turns(self, clock: Skipping) -> None:
        """However many guests a neighbourhood has, others wait for one of their requests and not for all."""
        front = Front(clock, 0.15)
        many = [(f"guest {number}", f"2001:db8:0:{number:x}::1") for number in range(10)]
        for name, address in (*many, ("aki", "192.0.2.1")):
            await front.ask(name, address, method="POST")
        front.begun.clear()
        held = [asyncio.create_task(front.ask(name, address, path=f"/{name}")) for name, address in many for _ in range(3)]
        await asyncio.sleep(0)
        mine = asyncio.create_task(front.ask("aki", "192.0.2.1", path="/aki"))
        answers = await asyncio.gather(mine, *held)
        assert {status for status, _, _ in answers} == {200}
        assert [path for path in front.begun if path != "GET"].index("/aki") <= 3

    async def test_requests_of_own_table_are_not_heavy(self, clock: Skipping) -> None:
        front = Front(clock, 0.15)
        await front.ask("aki")
        for _ in range(20):
            assert (await front.ask("aki", path="/api/tables/hers"))[0] == 200
        assert front.priced.bank.heavy.left("") > 0
        assert front.priced.bank.purse("aki", "127.0.0.1").heavy

    @pytest.mark.parametrize("in_memory", [True, False])
    async def test_seats_of_a_loaded_table_need_no_query(
        self, server: Serving, people: list[Guest], monkeypatch: pytest.MonkeyPatch, in_memory: bool
    ) -> None:
        """That would cost a heavy guest a tenth of a move beside each."""
        table = await begun(people[:1], USUAL, bots=["greedy"])
        await until(lambda: not server.desk.tables.live_tables[table].busy)
        if not in_memory:
            server.desk.tables.put_away(server.desk.tables.live_tables[table])
        asked, of_person = list[str](), server.desk.store.of_person

        async def noted(person: str, *more: Any) -> list[str]:
            asked.append(person)
            return await of_person(person, *more)

        monkeypatch.setattr(server.desk.store, "of_person", noted)
        found = []
        for guest in people:
            scope: Any = {"type": "http", "headers": [(b"authorization", guest.http.headers["authorization"].encode())]}
            found.append(await server._server._app.state.visitors.plays(Request(scope), table))
        assert found == [True, False]
        assert len(asked) == (0 if in_memory else 2)

    async def test_queue_of_waiting_requests_is_bounded(self, clock: Skipping) -> None:
        front = Front(clock, 0.15)
        await front.ask("aki")
        answers = await asyncio.gather(*(front.ask("aki") for _ in range(20)))
        assert 429 in [status for status, _, _ in answers]
        assert 200 in [status for status, _, _ in answers]

    async def test_page_loads_of_one_address_are_not_refused(self, clock: Skipping) -> None:
        """No file is refused; requests of visitors may wait."""
        front = Front(clock, 0.001)
        for _ in range(30):
            await front.ask("")
        assert front.priced.bank.purse("", "127.0.0.1").heavy
        files = [front.ask("", path=f"/assets/{number}.js") for number in range(200)]
        answers = await asyncio.gather(*files, *(front.ask("") for _ in range(16)))
        assert {status for status, _, _ in answers} == {200}

    async def test_static_files_are_charged(self, clock: Skipping) -> None:
        front = Front(clock, 0.15)
        left = front.priced.bank.guests[1].left
        assert (await front.ask("aki", path="/assets/a.js"))[0] == 200
        assert left("aki") == pytest.approx(6 - 0.15, abs=0.001)
        assert not front.priced.bank.purse("aki", "127.0.0.1").heavy
        answers = [(await front.ask("aki", path="/assets/a.js"))[0] for _ in range(50)]
        assert answers[-1] == 429
        assert (await front.ask("aki", method="POST", path="/assets/a.js"))[0] == 429


async def test_server_refuses_a_guest_without_budget(tmp_path: Path, name: str) -> None:
    """Every request is charged. A guest who asks for little is served, also at the same address."""
    async with serving(tmp_path / "mekuri.db", budget=100, budget_each=500) as server, guests(server, "Aki", "Ben") as (aki, ben):
        bank = server._server.priced.bank
        spent = bank.spent
        assert (await aki.http.get("/api/tables")).status_code == 200
        assert bank.spent > spent + priced._DOOR
        bank.purse(aki.id, "127.0.0.1").charge_play(31)  # more than the guest and the address have
        refused = await aki.http.get("/api/tables")
        assert (refused.status_code, refused.json()["error"]) == (429, "too-dear")
        assert 1 <= int(refused.headers["retry-after"]) <= SAVED
        table = await ben.make(name, seats=None)
        assert (await ben.sit(table))["head"]["state"] == "running"
