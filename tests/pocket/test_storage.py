"""What the desk inside a page stores: writes that the browser keeps or refuses, and a full device."""

import json
from pathlib import Path

import pytest

from mekuri.pocket.pocket import FULL, UNKEPT, UNOPENED, Pocket
from tests.helpers.pocket.browser import Browser
from tests.helpers.tables import USUAL
from tests.helpers.time import FakeTime, fake_time, moment


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


async def test_page_says_that_nothing_is_stored() -> None:
    browser = Browser()
    assert (await browser.ask("GET", "/api/notice"))[1] == {"texts": {}}
    browser.pocket = Pocket(None)
    assert (await browser.ask("GET", "/api/notice"))[1] == {"texts": UNKEPT}
    browser.pocket = Pocket(None, unopened=True)
    assert (await browser.ask("GET", "/api/notice"))[1] == {"texts": UNOPENED}
    assert (await browser.ask("POST", "/api/guests", {}))[0] == 201
