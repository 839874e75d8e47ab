"""Reviews at a server: made in the background for the first caller, stored, and the same ever after."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

import mekuri
from mekuri.bots import Budget
from mekuri.bots.review import Reviewing, Verdict, account, review
from mekuri.bots.review.version import JUDGE
from mekuri.desk import reviewers
from mekuri.desk.reviewers import Reviewers
from mekuri.desk.work import PURSE
from mekuri.match.replay import replay
from mekuri.protocol.coding import encode
from mekuri.server.base.work import WorkerThread
from mekuri.table import retrying, reviewing
from mekuri.table.errors import ProblemError
from mekuri.testing import records
from tests.helpers.machine_code import without_machine_code
from tests.helpers.patience import PATIENCE
from tests.helpers.server.gathering import guests, pair
from tests.helpers.server.serving import Guest, Json, Serving, act, play_out, refused, serving
from tests.helpers.server.stores import sql
from tests.helpers.tables import USUAL, seats_for
from tests.helpers.time import Skipping, moment, until

Patch = pytest.MonkeyPatch
FEW = (8, 100)


@pytest.fixture(autouse=True)
def briefly(monkeypatch: Patch) -> None:
    """Little is played out, and no machine code is made."""
    monkeypatch.setattr(reviewing, "FEW", FEW)
    without_machine_code(monkeypatch)


async def played(aki: Guest, name: str = "hiyoko", rounds: str = "1") -> str:
    """A table at which a match with a bot is over."""
    table = await aki.make(name, seats=seats_for(name, "person", "random"), match_options={"rounds": rounds})
    await aki.sit(table, seat=0, cut="a cut")
    await play_out(table, [aki])
    return table


async def ask(guest: Guest, table: str, number: int = 1, seat: int = 0, again: bool = False) -> Json:
    more = "&again=true" if again else ""
    return dict(await guest.call("GET", f"/api/tables/{table}/rounds/{number}/review?seat={seat}{more}"))


async def reviewed(guest: Guest, table: str, seat: int = 0, again: bool = False) -> Json:
    """The review, when it is there."""
    while (answer := await ask(guest, table, seat=seat, again=again))["review"] is None:
        assert 0 <= answer["done"] <= answer["total"] or answer["total"] == 0
        await moment()
    assert (answer["table"], answer["round"], answer["seat"]) == (table, 1, seat)
    return dict(answer["review"])


async def test_review_equals_that_of_the_record(aki: Guest) -> None:
    table = await played(aki)
    record = (await aki.http.get(f"/api/tables/{table}/record")).text
    assert await reviewed(aki, table) == json.loads(encode(review(replay(record).finished[0], 0, *FEW)))


@pytest.mark.alone
async def test_review_is_the_same_for_everyone(server: Serving, aki: Guest) -> None:
    table = await played(aki)
    found = await reviewed(aki, table)
    assert (found["seat"], found["version"]) == (0, JUDGE)
    nobody = Guest(server.address)
    assert await reviewed(nobody, table) == found
    assert (await reviewed(nobody, table, seat=1))["seat"] == 1


def judged_by(patch: Patch, version: str) -> None:
    """Let another judge make reviews from now on."""
    patch.setattr(account, "JUDGE", version)
    patch.setattr(reviewers, "JUDGE", version)


async def test_older_review_is_kept_until_remade(tmp_path: Path, monkeypatch: Patch) -> None:
    async with serving(tmp_path / "log.db") as server, guests(server, "Aki") as [aki]:
        table = await played(aki)
        found = await reviewed(aki, table)
        assert not (await ask(aki, table))["older"]
        assert not (await ask(aki, table, again=True))["older"]
        assert await reviewed(aki, table) == found
    later = f"{int(JUDGE) + 1}"
    judged_by(monkeypatch, later)
    async with serving(tmp_path / "log.db") as server:
        nobody = Guest(server.address)
        assert await reviewed(nobody, table) == found
        assert (await ask(nobody, table))["older"]
        assert (await reviewed(nobody, table, seat=1))["version"] == later
        assert await reviewed(nobody, table, again=True) == found | {"version": later}
        assert (await ask(nobody, table), len(sql(tmp_path / "log.db", "select * from reviews"))) == (
            await ask(nobody, table, again=True),
            2,
        )
        judged_by(monkeypatch, JUDGE)
        assert not (await ask(nobody, table, again=True))["older"], "a process of an earlier release leaves it as it is"
        await nobody.close()
        await server.desk.store.remove(table)
        assert sql(tmp_path / "log.db", "select * from reviews") == []


@pytest.mark.alone
async def test_running_round_is_not_reviewed(aki: Guest, server: Serving) -> None:
    async with guests(server, "Ben") as [ben]:
        table = await aki.make("hiyoko", **pair("hiyoko"))
        assert await refused(ask(aki, table)) == (404, "no-such-round")
        for seat, guest in enumerate((aki, ben)):
            await guest.sit(table, seat=seat)
        for seat in range(2):
            assert await refused(ask(aki, table, seat=seat)) == (409, "round-running")
        assert await refused(ask(aki, table, seat=2)) == (400, "no-seat")
        assert await refused(ask(aki, table, number=2)) == (404, "no-such-round")
    assert await refused(ask(aki, "nothing")) == (404, "no-such-table")
    for more in ("", "?seat=-1", "?seat=x", "?seat=99"):
        assert await refused(aki.call("GET", f"/api/tables/{table}/rounds/1/review{more}")) == (400, "malformed")


# --- Nobody waits ---


class Held:
    """Judge decision by decision, as released."""

    def __init__(self, patch: Patch) -> None:
        self.may = asyncio.Semaphore(0)
        self.loop = asyncio.get_running_loop()
        judge = Reviewing.judge

        def held(reviewing: Reviewing, number: int) -> Verdict:
            asyncio.run_coroutine_threadsafe(self.may.acquire(), self.loop).result(PATIENCE)
            return judge(reviewing, number)

        patch.setattr(Reviewing, "judge", held)

    def go(self, steps: int = 1 << 10) -> None:
        for _ in range(steps):
            self.may.release()


@pytest.fixture
async def held(monkeypatch: Patch) -> AsyncIterator[Held]:
    found = Held(monkeypatch)
    yield found
    found.go()


async def test_review_reports_progress_and_blocks_no_table(server: Serving, aki: Guest, held: Held) -> None:
    table, other = await played(aki, USUAL), await played(aki, USUAL)  # in which a seat never has so few decisions as two
    assert (await ask(aki, table))["done"] == 0
    assert await refused(ask(aki, other)) == (429, "reviewing")
    await until(lambda: len(server.desk.reviewers._making) == 1)
    held.go(2)
    while (progress := await ask(aki, table))["done"] < 2:
        await moment()
    assert (progress["done"], progress["review"]) == (2, None)
    assert progress["total"] > 2
    async with guests(server, "Ben") as [ben]:
        playing = await ben.make("hiyoko", seats=seats_for("hiyoko", "person", "random"), match_options={})
        await ben.sit(playing, seat=0, cut="a cut")
        version = (await ben.look(playing))["version"]
        while (await ben.look(playing))["version"] == version:
            await act(ben, playing, Random(1))
            await moment()
        assert (await ask(ben, table))["done"] == 2, "whoever asks for the same is told how far it is"
    held.go()
    assert (await reviewed(aki, table))["version"]
    assert (await reviewed(aki, other))["version"]


class Nothing:
    """A log in which no review is."""

    def __init__(self) -> None:
        self.kept: list[tuple[Any, ...]] = []
        self.time = Skipping()

    async def review(self, *key: Any) -> None:
        return None

    async def keep_review(self, *row: Any) -> None:
        self.kept.append(row)


@pytest.fixture
def store() -> Nothing:
    return Nothing()


@pytest.fixture
def round_over() -> Any:
    return records.played(mekuri.game("hiyoko"), rounds=1).finished[0]


@pytest.fixture
def waits() -> list[float]:
    return []


@pytest.fixture
def at_work(store: Nothing, waits: list[float]) -> Iterator[Reviewers]:
    store.time.slept = waits
    found = Reviewers(store, WorkerThread())  # type: ignore[arg-type]
    yield found
    found.close()


def purse(charge: Callable[[float], None], wait: Callable[[], float]) -> Any:
    class Purse(SimpleNamespace):
        @property
        def wait(self) -> float:
            return wait()

    return Purse(name="aki", neighbourhood="here", charge=charge)


async def test_review_is_charged_and_paced_by_the_budget(
    at_work: Reviewers, store: Nothing, round_over: Any, waits: list[float]
) -> None:
    paid: list[float] = []
    debts = [3.0, 0.0, 2.0]
    PURSE.set(purse(paid.append, lambda: debts.pop(0) if debts else 0.0))
    await at_work.answer(("t", 1, 0), round_over, "aki")
    await at_work._tasks.finish()
    await asyncio.sleep(0)
    assert waits == [3.0, 2.0]
    assert len(paid) == Reviewing(round_over, 0, *FEW).total + 2
    assert [row[:3] for row in store.kept] == [("t", 1, 0)]


@pytest.mark.every_days(4)
async def test_each_neighbourhood_has_few_review_places(at_work: Reviewers, round_over: Any, held: Held) -> None:
    """Each neighbourhood has a few of the sixteen, and its first is taken in always."""

    async def answer(guest: str, neighbourhood: str) -> str:
        PURSE.set(SimpleNamespace(name=guest, neighbourhood=neighbourhood, wait=0.0, charge=lambda seconds: None))
        try:
            await at_work.answer((guest, 1, 0), round_over, guest)
        except ProblemError as error:
            return error.problem.error
        return "begun"

    assert [await answer(f"guest {n}", "here") for n in range(6)] == ["begun"] * 4 + ["busy"] * 2
    for n in range(12):
        assert await answer(f"other {n}", f"there {n // 4}") == "begun"
    assert await answer("aki", "home") == "begun"
    assert await answer("ben", "home") == "busy"
    held.go()
    await at_work._tasks.finish()
    await asyncio.sleep(0)
    assert not at_work._shares._taken
    assert await answer("ben", "home") == "begun"


async def test_failed_review_is_reported_once_and_retried(
    at_work: Reviewers, store: Nothing, round_over: Any, monkeypatch: Patch
) -> None:
    def broken(reviewing: Reviewing, number: int) -> Verdict:
        raise ZeroDivisionError

    with monkeypatch.context() as patch:
        patch.setattr(Reviewing, "judge", broken)
        await at_work.answer(("t", 1, 0), round_over, "aki")
        await at_work._tasks.finish()
        with pytest.raises(ProblemError) as refusal:
            await at_work.answer(("t", 1, 0), round_over, "aki")
    assert refusal.value.problem.error == "server"
    await at_work.answer(("t", 1, 0), round_over, "aki")
    await at_work._tasks.finish()
    assert len(store.kept) == 1


@pytest.mark.alone
async def test_only_finished_rounds_can_be_retried(aki: Guest, monkeypatch: pytest.MonkeyPatch) -> None:
    # With a time limit a bot on a busy machine tries less, and may choose otherwise the second time.
    monkeypatch.setattr(retrying, "BUDGET", Budget(retrying.BUDGET.playouts))
    table = await played(aki, USUAL)  # whose rounds never go by without a choice
    moment = (await reviewed(aki, table))["moments"][0]
    asked = {"seat": 0, "seen": moment["seen"], "since": moment["seen"], "line": f"0:{moment['best']}"}
    before = (await aki.http.get(f"/api/tables/{table}/rounds/1?seat=0")).json()
    result = await aki.call("POST", f"/api/tables/{table}/rounds/1/retry", asked)
    assert result["line"].startswith(asked["line"])
    assert result["events"][0]["view"]["version"] == moment["seen"] + 1
    assert result == await aki.call("POST", f"/api/tables/{table}/rounds/1/retry", asked)
    assert (await aki.http.get(f"/api/tables/{table}/rounds/1?seat=0")).json() == before
    running = await aki.make(USUAL, seats=seats_for(USUAL, "person", "random"), match_options={})
    await aki.sit(running, seat=0, cut="a cut")
    for number, error in ((1, (409, "round-running")), (2, (404, "no-such-round"))):
        assert await refused(aki.call("POST", f"/api/tables/{running}/rounds/{number}/retry", asked)) == error
    faults: list[dict[str, Any]] = [{"seat": 99}, {"line": "0:7I " * 999}, {"line": []}, {"since": -1}, {"more": 1}]
    for wrong in faults:
        assert await refused(aki.call("POST", f"/api/tables/{table}/rounds/1/retry", asked | wrong)) == (400, "malformed")
