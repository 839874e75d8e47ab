"""Decisions weighed by the server, while other requests go on: for a player alone with bots, or after the round."""

import asyncio
import threading
from collections.abc import Iterator
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from mekuri import bots
from mekuri.bots import Budget
from mekuri.desk.reviewers import Weighers
from mekuri.desk.work import PURSE
from mekuri.server.base.work import WorkerThread
from mekuri.table import weighing
from mekuri.table.errors import ProblemError
from tests.helpers.machine_code import without_machine_code
from tests.helpers.patience import PATIENCE
from tests.helpers.server.gathering import UNSEEN, WINDOWS, guests, pair
from tests.helpers.server.serving import Guest, Json, Refusal, Serving, act, play_round
from tests.helpers.tables import each_game, seats_for
from tests.helpers.time import moment

Patch = pytest.MonkeyPatch


@pytest.fixture(autouse=True)
def briefly(monkeypatch: Patch) -> None:
    """Little is played out, and no machine code is made."""
    monkeypatch.setattr(weighing, "BUDGET", Budget(30))
    without_machine_code(monkeypatch)


async def alone(aki: Guest, name: str = "mushi", **asked: Any) -> str:
    """A table at which all others are bots."""
    table = await aki.make(name, seats=seats_for(name, "person", "random"), first_dealer=0, match_options={}, **asked)
    await aki.sit(table, seat=0, cut="a cut")
    return table


async def asked(guest: Guest, table: str) -> Json:
    """The table, when its guest is asked something."""
    while not (whole := await guest.look(table))["view"]["legal"]:
        assert whole["head"]["state"] == "running"
        if whole["view"]["over"]:
            await act(guest, table, Random(0), whole)
        await moment()
    return whole


async def weigh(guest: Guest, table: str) -> Json:
    return dict(await guest.call("GET", f"/api/tables/{table}/analysis"))


async def weigh_past(guest: Guest, table: str, number: int, seat: int, version: int) -> Json:
    return dict(await guest.call("GET", f"/api/tables/{table}/rounds/{number}/analysis?seat={seat}&version={version}"))


async def refused(call: Any) -> tuple[int, str | None]:
    with pytest.raises(Refusal) as refusal:
        await call
    if refusal.value.error != "malformed":
        assert refusal.value.problem["message"].endswith(".")
    return refusal.value.status, refusal.value.error


@pytest.mark.alone
@each_game
async def test_actions_are_weighed_if_all_others_are_bots(aki: Guest, name: str) -> None:
    table, chance = await alone(aki, name), Random(0)
    while (whole := await asked(aki, table))["view"]["waiting"] != [0]:
        # Others are asked, too, and what they answer is seen.
        if whole["view"]["closes"] is None:
            await moment()
        else:
            await act(aki, table, chance, whole)
    analysis = await weigh(aki, table)
    assert (analysis["table"], analysis["round"], analysis["seat"], analysis["version"]) == (
        table,
        whole["head"]["round"],
        0,
        whole["version"],
    )
    assert {one["action"] for one in analysis["actions"]} == {one["action"] for one in whole["view"]["legal"]}
    assert all(one["least"] <= one["mean"] <= one["most"] for one in analysis["actions"])
    assert analysis["facts"]
    assert analysis["part"]["id"].startswith(("facts.part-", "facts.no-matter"))
    assert await weigh(aki, table) == analysis


async def test_analysis_after_the_round_is_identical(server: Serving, aki: Guest) -> None:
    """It is computed again from the history for any caller, signed in or not."""
    table = await alone(aki)
    analyses = []
    for _ in range(3):
        whole = await asked(aki, table)
        analyses.append(await weigh(aki, table))
        assert await refused(weigh_past(aki, table, 1, 0, analyses[-1]["version"])) == (409, "round-running")
        await aki.play(table, whole["version"], analyses[-1]["actions"][-1]["action"])
    await play_round(table, [aki], seed=1)
    server.desk.tables.live_tables[table].event_cache.clear()
    nobody = Guest(server.address)
    for seat in ("", "&seat=0"):
        events = (await nobody.call("GET", f"/api/tables/{table}/rounds/1?{seat[1:]}"))["events"]
        moved = next(event for event in events if event["kind"] == "play" and event["seat"] == 1)
        why = await nobody.call("GET", f"/api/tables/{table}/rounds/1/why?version={moved['version']}{seat}")
        assert (why["seat"], why["text"]) == (1, moved["text"])
        assert why["reasons"]
        assert await refused(nobody.call("GET", f"/api/tables/{table}/rounds/1/why?version=0{seat}")) == (409, "nothing-to-weigh")
    for one in analyses:
        assert await weigh_past(nobody, table, 1, 0, one["version"]) == one
    others = [event["view"] for event in (await aki.call("GET", f"/api/tables/{table}/rounds/1?seat=1"))["events"] if event["view"]]
    view = next(view for view in others if len(view["legal"]) > 1)
    past = await weigh_past(nobody, table, 1, 1, view["version"])
    assert {one["action"] for one in past["actions"]} == {one["action"] for one in view["legal"]}


@pytest.mark.alone
async def test_analysis_among_people_waits_for_the_round_end(server: Serving, aki: Guest) -> None:
    async with guests(server, "Ben", "Chiyo") as [ben, chiyo]:
        table = await aki.make("mushi", **pair("mushi"))
        assert await refused(weigh(aki, table)) == (403, "not-seated")
        await aki.sit(table, seat=0)
        assert await refused(weigh(aki, table)) == (409, "not-running")
        await ben.sit(table, seat=1)
        for guest in (aki, ben):
            assert await refused(weigh(guest, table)) == (403, "others-play")
        assert await refused(weigh(chiyo, table)) == (403, "not-seated")
        nobody = Guest(server.address)
        assert await refused(weigh(nobody, table)) == (401, "not-signed-in")
        await nobody.close()
        whole = await aki.look(table)
        for seat in range(2):
            assert await refused(weigh_past(aki, table, 1, seat, whole["version"])) == (409, "round-running")
        # Not even where a bot plays for the other just now, who may come back.
        await ben.leave(table)
        assert await refused(weigh(aki, table)) == (403, "others-play")
        await ben.sit(table)
        await play_round(table, [aki, ben], seed=1)
        assert await refused(weigh(aki, table)) == (403, "others-play")
        analysis = await weigh_past(chiyo, table, 1, whole["view"]["waiting"][0], whole["version"])
        assert len(analysis["actions"]) > 1


@pytest.mark.alone
async def test_analysis_of_nothing_is_refused(aki: Guest) -> None:
    assert await refused(weigh(aki, "nothing")) == (404, "no-such-table")
    table = await alone(aki)
    await asked(aki, table)
    assert await refused(weigh_past(aki, table, 9, 0, 3)) == (404, "no-such-round")
    assert await refused(weigh_past(aki, table, 1, 5, 3)) == (400, "no-seat")
    for more in ("", "?seat=0", "?version=1", "?seat=-1&version=1", "?seat=0&version=x", "?seat=0&version=99999999999999999999"):
        assert await refused(aki.call("GET", f"/api/tables/{table}/rounds/1/analysis{more}")) == (400, "malformed")
    await play_round(table, [aki], seed=1)
    assert await refused(weigh(aki, table)) == (409, "nothing-to-weigh")
    last = (await aki.look(table))["version"]
    for version in (0, 1, last, last + 1, 1 << 50):
        assert await refused(weigh_past(aki, table, 1, 0, version)) == (409, "nothing-to-weigh")
    await aki.leave(table)
    assert await refused(weigh(aki, table)) == (409, "not-running")


@pytest.mark.alone
@pytest.mark.parametrize("name", [WINDOWS[0], UNSEEN])
async def test_only_own_decision_of_several_pending_is_weighed(aki: Guest, name: str) -> None:
    """In windows and secret phases only the own decision is weighed, and the answers of others do not change it."""
    table = await alone(aki, name)
    chance = Random(2)
    for _ in range(6):
        whole = await asked(aki, table)
        analysis = await weigh(aki, table)
        assert {one["action"] for one in analysis["actions"]} <= {one["action"] for one in whole["view"]["legal"]}
        await act(aki, table, chance, whole)


# --- Nobody waits ---


class Held:
    """Weighing that does not end before it is let go."""

    def __init__(self, patch: Patch) -> None:
        self.begun, self.go, self.times = threading.Event(), threading.Event(), 0
        patch.setattr(weighing, "analyse", self._analyse)

    def _analyse(self, *asked: Any) -> bots.Analysis:
        self.times += 1
        self.begun.set()
        assert self.go.wait(PATIENCE)
        return bots.analyse(*asked)

    async def begins(self) -> None:
        await asyncio.to_thread(self.begun.wait, PATIENCE)


@pytest.fixture
def held(monkeypatch: Patch) -> Iterator[Held]:
    found = Held(monkeypatch)
    yield found
    found.go.set()


async def test_second_analysis_of_a_guest_gets_429(server: Serving, aki: Guest, held: Held) -> None:
    table = await alone(aki)
    whole = await asked(aki, table)
    first = asyncio.create_task(weigh(aki, table))
    await held.begins()
    assert await refused(weigh(aki, table)) == (429, "weighing")
    assert await refused(weigh(aki, table)) == (429, "weighing")
    # The table goes on meanwhile, and everybody else is answered.
    await aki.play(table, whole["version"], whole["view"]["legal"][0]["action"])
    async with guests(server, "Ben") as [ben]:
        other = await alone(ben)
        mine = await asked(ben, other)
        second = asyncio.create_task(weigh(ben, other))
        assert (await ben.call("GET", f"/api/tables/{other}/cards"))["cards"], "what is made beside the event loop elsewhere"
        held.go.set()
        assert (await first)["version"] == whole["version"]
        assert (await second)["version"] == mine["version"]
        assert held.times == 2
        assert await weigh(ben, other) == await second
        assert held.times == 2, "what is kept is not made again"
    await asked(aki, table)
    assert (await weigh(aki, table))["version"] > whole["version"]


async def test_analysis_is_charged_to_its_caller_and_queue_is_bounded(held: Held) -> None:
    paid: list[tuple[str, float]] = []

    def purse(name: str, neighbourhood: str) -> Any:
        return SimpleNamespace(name=name, neighbourhood=neighbourhood, charge=lambda seconds: paid.append((name, seconds)))

    async def answer(name: str, version: int, neighbourhood: str) -> Any:
        PURSE.set(purse(name, neighbourhood))
        asked = SimpleNamespace(contract=None, key=version, weigh=weigh_nothing)
        return await weighers.answer(event_cache, asked, name)  # type: ignore[arg-type]

    def weigh_nothing() -> dict[str, int]:
        held.begun.set()
        assert held.go.wait(PATIENCE)
        return {}

    class EventCache:
        def find(self, key: object) -> None:
            return None

        async def answer(self, key: object, body: Any, where: Any) -> Any:
            return await where.do(body)

    weighers, event_cache = Weighers(WorkerThread()), EventCache()
    asking = [asyncio.create_task(answer(f"guest {n}", n, f"network {n // 4}")) for n in range(16)]
    await held.begins()
    # Each neighbourhood has a few of the places, and its first is taken in always.
    asking.append(asyncio.create_task(answer("aki", 98, "home")))
    await asyncio.sleep(0)
    for neighbourhood in ("network 0", "home"):
        with pytest.raises(ProblemError) as refusal:
            await asyncio.create_task(answer("one more", 99, neighbourhood))
        assert refusal.value.problem.error == "busy"
    held.go.set()
    await asyncio.gather(*asking)
    await asyncio.sleep(0)
    assert {name for name, _ in paid} == {"aki", *(f"guest {n}" for n in range(16))}
    assert await asyncio.create_task(answer("one more", 99, "home")) == b"{}"
    weighers.close()
