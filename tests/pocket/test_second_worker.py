"""Work that the desk inside a page leaves to a second worker."""

import asyncio
import json
import pickle
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import mekuri
from mekuri import bots
from mekuri.bots import Budget
from mekuri.engine.contract import Text
from mekuri.engine.errors import IllegalAction, MekuriError, UnfinishedGame
from mekuri.engine.rulebook import rulebook
from mekuri.pocket.second import Second as Worker
from mekuri.table import reasons, reviewing, weighing
from mekuri.table.errors import IllegalActionError, ProblemError
from tests.helpers.machine_code import without_machine_code
from tests.helpers.pocket.browser import Browser, Second
from tests.helpers.tables import USUAL
from tests.helpers.time import moment

STRONGEST = max(map(bots.find, bots.NAMES), key=lambda bot: bot.strength).id


@pytest.mark.parametrize("does", [0, 3, 1000])
async def test_review_is_the_same_with_a_second_worker_and_without(does: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Other requests are answered while it works. If it fails after some work, the first worker makes the rest."""
    without_machine_code(monkeypatch)
    monkeypatch.setattr(reviewing, "FEW", (2, 20))
    stored = json.loads((Path(__file__).parent / "storage-1.json").read_text())
    second, reviews = Second(does), []
    for ask in (None, second):
        browser = Browser(stored)
        browser.pocket = browser.start(second=ask)
        [match] = (await browser.ask("GET", "/api/guests/matches"))[1]["matches"]
        path = f"/api/tables/{match['table']}/rounds/1/review?seat=0"
        if ask:
            for _ in range(5):
                _, answer = await browser.ask("GET", path)
                assert (answer["review"], answer["total"]) == (None, 0)
                await moment()
            assert second.asked == 1
            second.may.set()
        while not (await browser.ask("GET", path))[1]["review"]:
            await moment()
        reviews.append([body for key, body in browser.stored.items() if key.startswith('["review"')])
    assert len(reviews[0]) == 1
    assert reviews[0] == reviews[1]
    assert second.asked > does or does == 1000


async def test_review_that_cannot_be_stored_is_made_later(monkeypatch: pytest.MonkeyPatch) -> None:
    without_machine_code(monkeypatch)
    monkeypatch.setattr(reviewing, "FEW", (2, 20))
    browser = Browser(json.loads((Path(__file__).parent / "storage-1.json").read_text()))
    [match] = (await browser.ask("GET", "/api/guests/matches"))[1]["matches"]
    path = f"/api/tables/{match['table']}/rounds/1/review?seat=0"
    browser.error = RuntimeError("QuotaExceededError")
    while (answer := await browser.ask("GET", path))[0] == 200:
        await moment()
    assert (answer[0], answer[1]["error"]) == (503, "not-kept")
    browser.error = None
    while not (await browser.ask("GET", path))[1].get("review"):
        await moment()


@pytest.fixture
def briefly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Decisions are weighed briefly."""
    without_machine_code(monkeypatch)
    monkeypatch.setattr(weighing, "BUDGET", Budget(24))
    monkeypatch.setattr(reasons, "FEW", (4, 50))


@pytest.mark.usefixtures("briefly")
async def test_others_are_answered_while_a_decision_is_weighed(browser: Browser) -> None:
    second, answered = Second(), list[str]()
    browser.pocket = browser.start(second=second)
    _, table = await browser.ask("POST", "/api/tables", {"game": USUAL, "seats": ["person", STRONGEST], "first_dealer": 1})
    path = f"/api/tables/{table['id']}"
    await browser.ask("POST", f"{path}/seat", {"cut": "1f0a"})
    while not (await browser.ask("GET", path))[1]["view"]["legal"]:
        await moment()

    async def ask(url: str) -> Any:
        status, answer = await browser.ask("GET", url)
        assert status == 200, answer
        answered.append(url.rpartition("/")[2])
        return answer

    for asked in ("analysis", "why"):
        making = asyncio.create_task(ask(f"{path}/{asked}"))
        for _ in range(5):
            await moment()
        await ask("/api/guests/me")
        second.may.set()
        assert (await making)["table"] == table["id"]
        assert answered == ["me", asked]
        answered.clear()
        second.may.clear()


@pytest.mark.usefixtures("briefly")
async def test_second_worker_refuses_what_the_first_one_would(monkeypatch: pytest.MonkeyPatch) -> None:
    """It raises the same errors, makes the same analyses and explanations, and goes on after an error."""
    stored = json.loads((Path(__file__).parent / "storage-1.json").read_text())
    second, found = Second(), []
    second.may.set()
    for ask in (None, second):
        browser = Browser(stored)
        browser.pocket = browser.start(second=ask)
        [match] = (await browser.ask("GET", "/api/guests/matches"))[1]["matches"]
        path = f"/api/tables/{match['table']}/rounds/1"
        events = (await browser.ask("GET", f"{path}?seat=0"))[1]["events"]
        played = [event["version"] for event in events if event["kind"] == "play"][:5]
        asked = [f"{path}/{name}?seat=0&version={version}" for version in played for name in ("analysis", "why")]
        found.append([await browser.ask("GET", url) for url in asked])
    assert found[0] == found[1]
    assert {(status, answer.get("error")) for status, answer in found[0]} == {(200, None), (409, "nothing-to-weigh")}
    assert second.asked == len(found[1])


@pytest.mark.parametrize("error", [ValueError("a fault"), KeyError("a fault"), MemoryError()])
async def test_second_worker_that_lacks_memory_is_given_up(error: Exception, caplog: pytest.LogCaptureFixture) -> None:
    """Any other error is that of the work."""
    second = Second()
    second.may.set()
    work = Worker(second)
    for _ in range(2):
        with pytest.raises(type(error)):
            await work.do(partial(_raise, error))
    assert second.asked == (1 if isinstance(error, MemoryError) else 2)
    assert len(caplog.records) == (1 if isinstance(error, MemoryError) else 0)


def _raise(error: Exception) -> None:
    raise error


ERRORS = (
    MekuriError("a fault"),
    ProblemError("no-seat", last=3),
    IllegalActionError(Text("facts.why-hidden", {"seat": 1}), "a.clause", rulebook(mekuri.game(USUAL).contract)),
    IllegalAction("a reason", "a.clause"),
    UnfinishedGame("hana", ["a fault", "another"]),
)


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_error_from_another_process_is_the_same(error: MekuriError) -> None:
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again), vars(again)) == (type(error), str(error), vars(error))
