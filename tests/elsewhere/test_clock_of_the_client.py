"""Times on the page are right although the device's clock is wrong by more than a day."""

import dataclasses
from pathlib import Path
from time import time_ns
from typing import Any

import pytest
from httpx import AsyncClient
from msgspec.structs import replace
from playwright.async_api import Page, Route, expect

from mekuri.protocol import table as wire
from mekuri.protocol.version import TIME
from mekuri.terminal.base.line import Line
from mekuri.terminal.base.remote import RemotePlay
from tests.helpers.page.fixtures import Staged, stage, staged
from tests.helpers.page.opening import Open
from tests.helpers.page.tour import FACES
from tests.helpers.server.serving import Guest, serving
from tests.helpers.time import BEGIN, FakeTime, fake_time

pytestmark = pytest.mark.in_turn(2)
AT_ONCE = pytest.mark.asyncio(loop_scope="session")
HOUR = 3_600_000  # milliseconds
DAY = 24 * HOUR
WRONG = pytest.mark.parametrize("ahead", [26 * HOUR, -26 * HOUR], ids=["ahead", "behind"])

# The clock of the device is ahead by so many milliseconds. Whatever waits, waits as long as ever.
SHIFTED = """{
  const { Date: True } = globalThis;
  globalThis.Date = class Date extends True {
    constructor(...given) {
      if (given.length) super(...given);
      else super(True.now() + %d);
    }
    static now() {
      return True.now() + %d;
    }
  };
}"""


def now() -> int:
    """Return the true time, which is that of the server, in milliseconds since 1970."""
    return time_ns() // 1_000_000


async def shifted(open_page: Open, ahead: int) -> Page:
    """Return an empty page whose clock is wrong."""
    page = await open_page(None, once=True)
    await page.context.add_init_script(SHIFTED % (ahead, ahead))
    return page


async def with_changes(page: Page, path: str, change: dict[str, Any]) -> None:
    """Change what the server answers, whose headers stay."""

    async def answer(route: Route) -> None:
        given = await route.fetch()
        body = await given.json()
        for key, value in change.items():
            body[key] = body[key] | value if isinstance(value, dict) else value
        await route.fulfill(response=given, json=body)

    await page.route(path, answer)


@WRONG
@AT_ONCE
async def test_cut_for_tomorrow_closes_by_server_time(open_page: Open, ahead: int) -> None:
    page = await shifted(open_page, ahead)
    for left, may in ((HOUR, True), (-HOUR, False)):
        await page.unroute_all()
        await with_changes(page, "**/api/daily", {"tomorrow": {"closes_at": now() + left}})
        await page.goto("/daily")
        await page.locator("main section").wait_for()
        await expect(page.get_by_text("Cuts for tomorrow are closed")).to_have_count(0 if may else 1)
        await expect(page.get_by_label("Your cut for tomorrow")).to_have_count(1 if may else 0)


def waited_for(each: Staged, **view: Any) -> Staged:
    """Return a table at which something is due."""
    assert each.table.view
    return each._replace(table=replace(each.table, view=dataclasses.replace(each.table.view, **view)))


def asked() -> Staged:
    return next(each for each in staged(FACES, 2) if each.table.view and each.table.view.legal)


async def shown(page: Page, each: Staged, what: str) -> str:
    """Return the text of an element on the page of a table as soon as it appears."""
    await page.goto(await stage(page.context, each))
    await expect(page.locator(what)).not_to_be_empty()
    return await page.locator(what).inner_text()


def seconds(text: str) -> int:
    """Return the number in a text."""
    return int("".join(sign for sign in text if sign.isdigit()))


@WRONG
@AT_ONCE
async def test_window_countdown_follows_server_time(open_page: Open, ahead: int) -> None:
    page = await shifted(open_page, ahead)
    text = await shown(page, waited_for(asked(), closes=now() + HOUR), ".clock")
    assert 0 < seconds(text) <= HOUR / 1000


@WRONG
@AT_ONCE
async def test_absence_countdown_follows_server_time(open_page: Open, ahead: int) -> None:
    page = await shifted(open_page, ahead)
    each = asked()
    seats = [replace(seat, kind="person", name="Ben", bot=None) if seat.seat == 1 else seat for seat in each.table.head.seats]
    away = wire.Presence(seat=1, here=False, bot_at=now() + HOUR)
    table = replace(each.table, head=replace(each.table.head, seats=seats), presence=[away])
    text = await shown(page, each._replace(table=table), ".seat .note >> nth=0")
    assert 0 < seconds(text) <= HOUR / 1000


@pytest.mark.parametrize(("ahead", "days", "weekday"), [(26 * HOUR, 6.5, False), (-26 * HOUR, 5.5, True)], ids=["ahead", "behind"])
@AT_ONCE
async def test_turn_deadline_follows_server_time(open_page: Open, ahead: int, days: float, weekday: bool) -> None:
    page = await shifted(open_page, ahead)
    each = waited_for(asked(), due=now() + round(days * DAY))
    term = wire.Term(days=7, late="bot")
    text = await shown(page, each._replace(table=replace(each.table, term=term)), ".clock")
    assert ("day " in text) == weekday, text


@WRONG
@AT_ONCE
async def test_device_code_expires_by_server_time(open_page: Open, ahead: int) -> None:
    page = await open_page(None, once=True)
    await page.clock.install(time=(now() + ahead) / 1000)
    await page.goto("/")
    await page.evaluate("fetch('/api/guests', { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } })")
    await page.evaluate("localStorage.setItem('mekuri-guest', 'known')")
    for left, stays in ((HOUR, True), (-HOUR, False)):
        await page.unroute_all()
        await with_changes(page, "**/api/guests/code", {"until": now() + left})
        await page.goto("/you")
        await page.get_by_role("button", name="code").first.click()
        await page.locator("output").wait_for()
        async with page.expect_response("**/api/guests/devices"):
            await page.clock.fast_forward(4000)  # it looks from time to time whether the code has been used
        await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        await expect(page.locator("output")).to_have_count(1 if stays else 0)


@WRONG
async def test_terminal_counts_by_server_time(tmp_path: Path, ahead: int) -> None:
    async with serving(tmp_path / "mekuri.db") as server:
        guest = await Guest(server.address).arrive("Aki")
        table = await guest.make(FACES)
        token = guest.http.headers["authorization"].removeprefix("Bearer ")
        async with Line(server.address, token, FakeTime(BEGIN + ahead)) as line:
            play = RemotePlay(line, await line.ask("GET", f"/api/tables/{table}", wire.Table), 0)
            play._closes = fake_time().now() + 9000
            assert play.seconds_left == 9
        await guest.close()


async def test_uncacheable_answers_carry_the_time(tmp_path: Path) -> None:
    """A time that a browser or a proxy has kept would be wrong."""
    async with serving(tmp_path / "mekuri.db") as server, AsyncClient(base_url=server.address) as client:
        assert (await client.get("/api/notice")).headers[TIME] == str(fake_time().now())
        assert TIME not in (await client.get("/api/games")).headers
        assert TIME not in (await client.get("/")).headers
