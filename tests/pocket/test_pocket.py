"""The desk inside a page: one guest, writes that the browser keeps or refuses, and streams that end when the page leaves."""

import asyncio
import json
import pickle
from collections.abc import Iterable
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
from mekuri.pocket.pocket import FULL, PLAYER, UNKEPT, UNOPENED, Pocket
from mekuri.pocket.second import Ask, run
from mekuri.pocket.second import Second as Worker
from mekuri.pocket.store import Keep
from mekuri.table import reasons, reviewing, weighing
from mekuri.table.acting import silent
from mekuri.table.errors import IllegalActionError, ProblemError
from tests.helpers.machine_code import without_machine_code
from tests.helpers.server.gathering import WINDOWS
from tests.helpers.tables import USUAL, seats_for
from tests.helpers.time import FakeTime, fake_time, moment

STRONGEST = max(map(bots.find, bots.NAMES), key=lambda bot: bot.strength).id


class Sent(bytes):
    """Bytes as JavaScript sends them."""

    def to_bytes(self) -> bytes:
        return self


class Second:
    """A second worker, which works when it may, and fails after some work.

    Attributes:
        asked: how often it was given work.
        may: set when it may work.
    """

    def __init__(self, does: int = 1000) -> None:
        self.asked = 0
        self.may = asyncio.Event()
        self._does = does

    async def __call__(self, work: bytes) -> Sent:
        self.asked += 1
        await self.may.wait()
        if self.asked > self._does:
            raise RuntimeError("the second worker cannot be loaded")
        return Sent(run(Sent(work)))


class Browser:
    """What a browser has stored, and the requests of its page.

    Attributes:
        stored: JSON by the JSON of its key.
        writes: the keys of each write.
        error: raised instead of a write, if it is set.
    """

    def __init__(self, stored: Iterable[tuple[str, str]] = ()) -> None:
        self.stored = dict(stored)
        self.writes: list[set[str]] = []
        self.error: Exception | None = None
        self.pocket = self.start()

    def start(self, keep: Keep | None = None, second: Ask | None = None) -> Pocket:
        """Start the worker anew, from what is stored."""
        kept = json.dumps([[json.loads(key), body] for key, body in self.stored.items()])
        return Pocket(keep or self.keep, kept, time=fake_time(), second=second)

    async def keep(self, entries: str) -> None:
        await asyncio.sleep(0)
        if self.error:
            raise self.error
        changes = {json.dumps(key): body for key, body in json.loads(entries)}
        self.writes.append(set(changes))
        self.stored |= changes
        self.stored = {key: body for key, body in self.stored.items() if body is not None}

    async def ask(self, method: str, url: str, body: Any = None, **headers: str) -> tuple[int, Any]:
        begun: list[tuple[int, str]] = []
        parts: list[bytes] = []
        asked = "" if body is None else json.dumps(body)
        await self.pocket.answer("1", method, url, asked, headers, lambda *given: begun.append(given), parts.append)
        [(status, media)] = begun
        assert media == "application/json"
        return status, json.loads(b"".join(parts))


@pytest.fixture
async def browser() -> Browser:
    found = Browser()
    assert (await found.ask("POST", "/api/guests", {"name": "Aki"}))[0] == 201
    return found


async def test_the_only_guest_is_known_without_a_token(browser: Browser) -> None:
    browser.pocket = browser.start()
    assert (await browser.ask("GET", "/api/guests/me"))[1]["name"] == "Aki"
    assert (await browser.ask("POST", "/api/guests", {}))[0] == 200
    assert (await browser.ask("DELETE", "/api/guests/me"))[0] == 200
    assert (await browser.ask("GET", "/api/guests/me"))[0] == 401
    assert not any(key.startswith(('["person"', '["device"')) for key in browser.stored)


async def test_request_names_its_person(browser: Browser) -> None:
    """Two people at one browser are seated at a table, each sees their own cards only, and both are there while one looks."""
    for number, name in ((2, "Ben"), (2, "Beni"), (7, "Chiyo")):
        assert (await browser.ask("POST", "/api/guests", {"name": name}, **{PLAYER: str(number)}))[1]["name"] == name
    browser.pocket = browser.start()
    names = [await browser.ask("GET", "/api/guests/me", **{PLAYER: str(number)}) for number in range(5)]
    assert [(status, found.get("name")) for status, found in names] == [
        (401, None),
        (200, "Aki"),
        (200, "Beni"),
        (200, "Chiyo"),
        (401, None),
    ]
    _, table = await browser.ask("POST", "/api/tables", {"game": USUAL, "seats": ["person", "person"]})
    path = f"/api/tables/{table['id']}"
    for number in (1, 2):
        assert (await browser.ask("POST", f"{path}/seat", {}, **{PLAYER: str(number)}))[1]["you"] == number - 1
    seen = [(await browser.ask("GET", path, **{PLAYER: str(number)}))[1]["view"]["zones"] for number in range(4)]
    hands = [[zone["cards"] for zone in zones if zone["kind"] == "hand"] for zones in seen]
    assert [[any(hand) for hand in each] for each in hands] == [[False, False], [True, False], [False, True], [False, False]]
    begun = asyncio.Event()
    stream = browser.pocket.answer(
        "7", "GET", f"/api/stream?table={table['id']}", "", {PLAYER: "2"}, lambda *_: begun.set(), lambda _: None
    )
    streaming = asyncio.create_task(stream)
    await begun.wait()
    assert [seat["here"] for seat in (await browser.ask("GET", path))[1]["presence"]] == [True, True]
    browser.pocket.leave("7")
    await streaming
    assert [(seat["here"], seat["bot_at"]) for seat in (await browser.ask("GET", path))[1]["presence"]] == [(False, None)] * 2


async def test_people_at_one_screen_have_any_time_to_answer(browser: Browser) -> None:
    """Where silence is an answer elsewhere, they say it."""
    game = mekuri.game(WINDOWS[0])
    await browser.ask("POST", "/api/guests", {"name": "Ben"}, **{PLAYER: "2"})
    for seed in range(20):
        _, table = await browser.ask("POST", "/api/tables", {"game": game.id, "seats": seats_for(game.id, "person", "person")})
        path = f"/api/tables/{table['id']}"
        for number in (1, 2):
            await browser.ask("POST", f"{path}/seat", {"cut": f"{seed}"}, **{PLAYER: str(number)})
        live = browser.pocket.desk.tables.live_tables[table["id"]]
        while live.table and not live.table.running.over:
            for number in (1, 2):
                view = (await browser.ask("GET", path, **{PLAYER: str(number)}))[1]["view"]
                assert view["closes"] is None
                asked = {"version": view["version"], "action": next((one["action"] for one in view["legal"]), None)}
                if live.table.closes and number - 1 in silent(live.table):
                    asked["action"] = live.table.running.silence
                    assert asked["action"] in [one["action"] for one in view["legal"]]
                    assert (await browser.ask("POST", f"{path}/actions", asked, **{PLAYER: str(number)}))[0] == 200
                    return
                if asked["action"]:
                    await browser.ask("POST", f"{path}/actions", asked, **{PLAYER: str(number)})
            await moment()
    raise AssertionError("no window has opened")


async def test_table_is_stored_in_one_write_and_restored(browser: Browser) -> None:
    browser.writes.clear()
    asked = {"game": USUAL, "seats": ["person", "greedy"]}
    headers = {"idempotency-key": "1f0a" * 8}
    _, table = await browser.ask("POST", "/api/tables", asked, **headers)
    assert (await browser.ask("POST", "/api/tables", asked, **headers))[1]["id"] == table["id"]
    [write] = browser.writes
    assert {f'["match", "{table["id"]}"]', f'["row", "{table["id"]}", 0]'} <= write
    path = f"/api/tables/{table['id']}"
    await browser.ask("POST", f"{path}/seat", {"cut": "1f0a"})
    _, before = await browser.ask("GET", path)
    browser.pocket = browser.start()
    _, after = await browser.ask("GET", path)
    assert after == before
    assert after["view"]["zones"]


@pytest.mark.parametrize("file", sorted(Path(__file__).parent.glob("storage-*.json")), ids=lambda file: file.stem)
async def test_stored_entries_of_each_version_still_load(file: Path) -> None:
    """A guest with a finished match, a match in the middle of a round, and today's deal."""
    browser = Browser(json.loads(file.read_text()))
    before = dict(browser.stored)
    assert (await browser.ask("GET", "/api/guests/me"))[1]["name"] == "Aki"
    [match] = (await browser.ask("GET", "/api/guests/matches"))[1]["matches"]
    assert (await browser.ask("GET", f"/api/tables/{match['table']}/record"))[1]["game"] == USUAL
    assert before.items() <= browser.stored.items()
    running = 0
    for listed in (await browser.ask("GET", "/api/tables"))[1]["yours"]:
        path = f"/api/tables/{listed['id']}"
        view = (await browser.ask("GET", path))[1]["view"]
        if view["legal"]:
            running += 1
            asked = {"version": view["version"], "action": view["legal"][0]["action"]}
            assert (await browser.ask("POST", f"{path}/actions", asked))[0] == 200
    assert running


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


async def test_refused_write_is_not_done(browser: Browser) -> None:
    browser.error = RuntimeError("QuotaExceededError")
    status, refusal = await browser.ask("POST", "/api/guests", {"name": "Ume"})
    assert (status, refusal["error"]) == (503, "not-kept")
    assert (await browser.ask("GET", "/api/guests/me"))[1]["name"] == "Aki"


async def test_table_is_stored_anew_after_a_refused_write(browser: Browser) -> None:
    """A browser may have deleted everything, or have stored what it has refused. The page says so meanwhile."""
    kept, refused = browser.keep, RuntimeError("UnknownError")

    async def keep(entries: str) -> None:
        await kept(entries)
        if browser.error is None and len(browser.writes) > moves:
            browser.error = refused
        if browser.error:
            raise browser.error

    noted: list[bool] = []
    browser.pocket = Pocket(keep, json.dumps([[json.loads(key), body] for key, body in browser.stored.items()]), time=fake_time())
    browser.pocket._noted = lambda: noted.append(bool(browser.pocket.desk.streams.notice.texts))
    moves = 1 << 30
    _, table = await browser.ask("POST", "/api/tables", {"game": USUAL, "seats": ["person", "greedy"]})
    path = f"/api/tables/{table['id']}"
    await browser.ask("POST", f"{path}/seat", {"cut": "1f0a"})
    while not (view := (await browser.ask("GET", path))[1]["view"])["legal"]:
        await moment()
    asked = {"version": view["version"], "action": view["legal"][0]["action"]}
    moves = len(browser.writes)
    assert (await browser.ask("POST", f"{path}/actions", asked))[0] == 503
    assert (await browser.ask("GET", path))[1]["view"]["zones"] == view["zones"]
    assert (await browser.ask("GET", "/api/notice"))[1] == {"texts": FULL}
    browser.stored.clear()
    browser.error, moves = None, 1 << 30
    assert (await browser.ask("POST", f"{path}/actions", asked))[0] == 200
    assert (await browser.ask("GET", "/api/notice"))[1] == {"texts": {}}
    assert noted == [True, False]
    while not (view := (await browser.ask("GET", path))[1]["view"])["legal"]:
        await moment()
    browser.pocket = browser.start()
    assert (await browser.ask("GET", path))[1]["view"] == view
    assert (await browser.ask("GET", "/api/guests/me"))[1]["name"] == "Aki"


async def owed_by_a_bot(browser: Browser) -> tuple[str, int]:
    """Return the id of a table at which a bot has to play, and its version."""
    _, table = await browser.ask("POST", "/api/tables", {"game": USUAL, "seats": ["person", "greedy"]})
    path = f"/api/tables/{table['id']}"
    await browser.ask("POST", f"{path}/seat", {"cut": "1f0a"})
    while True:
        while not (view := (await browser.ask("GET", path))[1]["view"])["legal"]:
            await moment()
        asked = {"version": view["version"], "action": view["legal"][0]["action"]}
        version = (await browser.ask("POST", f"{path}/actions", asked))[1]["version"]
        if not (await browser.ask("GET", path))[1]["view"]["legal"]:
            return table["id"], version


async def go_on(browser: Browser, id: str, version: int) -> None:
    """Wait until a bot has played, and the page does not say any more that the device is full."""
    live = browser.pocket.desk.tables.live_tables[id]
    while live.table is None or live.table.version(0) == version:
        await moment()
    assert (await browser.ask("GET", "/api/notice"))[1] == {"texts": {}}


async def test_bots_go_on_once_writes_are_kept_again(browser: Browser) -> None:
    id, version = await owed_by_a_bot(browser)
    browser.error = RuntimeError("QuotaExceededError")
    time = browser.pocket.desk.time
    begun = time.now()
    while time.now() < begun + 30_000:
        await moment()
    assert (await browser.ask("GET", f"/api/tables/{id}"))[1]["version"] == version
    browser.error = None
    await go_on(browser, id, version)


async def test_bot_goes_on_that_is_refused_at_the_moment_of_another_try(browser: Browser) -> None:
    """The tables try again some time after a refused write. Then another one is refused, and its bot does not know it yet."""
    id, version = await owed_by_a_bot(browser)
    time = browser.pocket.desk.time
    assert isinstance(time, FakeTime)
    writes, refused = 0, 4  # two of the person's, and two of the bot's

    async def keep(entries: str) -> None:
        nonlocal writes
        writes += refused > 0
        if writes > refused:
            browser.error = None
        elif writes == refused:
            time.move(5)
        await Browser.keep(browser, entries)

    browser.pocket._store._keep = keep
    browser.error = RuntimeError("QuotaExceededError")
    assert (await browser.ask("POST", "/api/guests", {"name": "Ume"}))[0] == 503
    await go_on(browser, id, version)


async def test_everything_is_stored_again_once_there_is_room(browser: Browser) -> None:
    """Nobody has to act for it, and the page then says no more that the device is full."""
    stored, browser.error = browser.stored, RuntimeError("QuotaExceededError")
    assert (await browser.ask("POST", "/api/guests", {"name": "Ume"}))[0] == 503
    assert (await browser.ask("GET", "/api/notice"))[1] == {"texts": FULL}
    browser.error, browser.stored = None, {}
    while (await browser.ask("GET", "/api/notice"))[1]["texts"]:
        await moment()
    assert browser.stored == stored


async def test_deal_of_the_day_is_the_same_in_every_browser(browser: Browser) -> None:
    other = Browser()
    await other.ask("POST", "/api/guests", {})
    dealt = []
    for each in (browser, other):
        _, table = await each.ask("POST", f"/api/daily/{USUAL}", {})
        _, seen = await each.ask("GET", f"/api/tables/{table['id']}")
        assert seen["head"]["state"] == "running"
        dealt.append([zone["cards"] for zone in seen["view"]["zones"]])
    assert dealt[0] == dealt[1]
    _, daily = await browser.ask("GET", "/api/daily")
    commitments = [deal["commitment"] for deal in daily["deals"]]
    assert len(set(commitments)) == len(commitments)
    assert commitments == [deal["commitment"] for deal in (await other.ask("GET", "/api/daily"))[1]["deals"]]


async def test_page_says_that_nothing_is_stored() -> None:
    browser = Browser()
    assert (await browser.ask("GET", "/api/notice"))[1] == {"texts": {}}
    browser.pocket = Pocket(None)
    assert (await browser.ask("GET", "/api/notice"))[1] == {"texts": UNKEPT}
    browser.pocket = Pocket(None, unopened=True)
    assert (await browser.ask("GET", "/api/notice"))[1] == {"texts": UNOPENED}
    assert (await browser.ask("POST", "/api/guests", {}))[0] == 201


async def test_drawn_cards_lie_beside_the_page() -> None:
    _, game = await Browser().ask("GET", f"/api/games/{USUAL}")
    assert game["packs"]
    assert all(pack[drawn].startswith("cards/") for pack in game["packs"] for drawn in ("sprite", "art"))


async def test_stream_ends_when_the_page_leaves(browser: Browser) -> None:
    _, table = await browser.ask("POST", "/api/tables", {"game": USUAL, "seats": ["person", "greedy"]})
    begun, sent = asyncio.Event(), asyncio.Event()
    url = f"/api/stream?table={table['id']}"
    answer = browser.pocket.answer("7", "GET", url, "", {}, lambda *_: begun.set(), lambda _: sent.set())
    streaming = asyncio.create_task(answer)
    await begun.wait()
    await sent.wait()
    assert browser.pocket.desk.streams.open
    browser.pocket.leave("7")
    browser.pocket.leave("8")
    await streaming
    assert not browser.pocket.desk.streams.open
