"""A site without a server in Chromium and Firefox: a plain file server, a path below its root, and then no network at all."""

import asyncio
import subprocess
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Page, Route

from tests.helpers.page.browser import DESKTOP, PHONE, Screen, find_chromium, launched, listen, screen_name, settled_down, sit_down
from tests.helpers.page.hands import ANYTHING, HAND, Keys, at_end, deal_button, what_now
from tests.helpers.page.tour import TOUR, whole
from tests.helpers.tables import GAMES, LARGER, USUAL
from tests.page.test_firefox import DESKTOP as WIDE
from tests.page.test_firefox import faults as of_a_round
from tests.page.test_screens import AXE, looked_at

NEWER = """new Promise((resolve) => {
  indexedDB.open("mekuri /some/path/", 99).onsuccess = ({ target }) => resolve(target.result.close());
})"""
SNAPSHOT = """async () => {
  const cache = await caches.open("mekuri-snapshot /some/path/");
  for (;;) {
    const [key, other] = await cache.keys();
    const kept = key && !other && (await cache.match(key));
    const mark = kept && kept.headers.get("mark");
    if (kept && !mark) await cache.put(key, new Response(await kept.blob(), { headers: { mark: "1" } }));
    if (kept) return mark;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}"""  # returns the mark that it has set on the snapshot; None on a new one
REFUSING = """
  indexedDB.open = () => { throw new DOMException("no storage", "SecurityError"); };
  caches.open = caches.match = () => Promise.reject(new DOMException("no storage", "SecurityError"));
"""
STATIONS = ("home-new", "new", "puzzles", "puzzle", "rules", "book", "learn", "settings")
DEAL = "button[aria-label='Play Mushi']"
CONTROLLED = """navigator.serviceWorker.ready.then(() => navigator.serviceWorker.controller ? undefined :
  new Promise((resolve) => (navigator.serviceWorker.oncontrollerchange = () => resolve())))"""

ANNOUNCE = """new BroadcastChannel("mekuri-pocket /some/path/").postMessage({ kind: "failed", why: "" })"""
TOP = "document.querySelector('main').getBoundingClientRect().top"
PRESSES = """() => new Promise((resolve) => {
  const press = () => {
    const board = document.querySelector(".board");
    board.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }));
    return board.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, detail: 1 }));
  };
  const later = (then) => requestAnimationFrame(() => (press() ? then() : later(then)));
  later(() => {
    new MutationObserver(() => {
      const taken = press();
      later(() => resolve(taken));
    }).observe(document.querySelector(".page"), { childList: true });
    %s;
  });
})"""  # returns whether a press is taken at the moment at which the line appears; one before and one later are


async def hand(page: Page) -> list[str | None]:
    await page.locator(ANYTHING).first.wait_for()
    return [await card.get_attribute("data-card") for card in await page.locator(HAND).all()]


async def test_round_without_a_network(address: str) -> None:
    chromium = find_chromium()
    if chromium is None:
        pytest.skip("NO CHROMIUM")
    async with launched(chromium) as browser:
        context = await sit_down(browser, address, DESKTOP, workers=True)
        page = await context.new_page()
        faults = listen(page)
        await page.goto(address)
        await page.locator(".announced").wait_for()  # it says that it is getting ready
        await page.locator(DEAL).wait_for()
        assert await page.locator("a[href^='/']").count() == 0
        await page.locator(".announced").wait_for(state="detached")
        await page.evaluate(CONTROLLED)
        assert await page.evaluate(SNAPSHOT) is None
        await context.set_offline(True)
        await page.locator(DEAL).click()
        await hand(page)
        await page.locator(ANYTHING).first.click()
        cards = await hand(page)
        at = page.url
        await page.close()  # in the middle of a round

        page = await context.new_page()
        faults += listen(page)
        await page.goto(at)
        assert await hand(page) == cards
        await page.locator(ANYTHING).first.click()
        second = await context.new_page()  # which asks the worker of the first
        await second.goto(f"{address}?/new/{USUAL}")
        await second.locator("option[value='greedy']").first.wait_for(state="attached")
        assert await second.locator("option[value='person']").first.inner_text() == "A person at this screen"
        await second.goto(at)
        assert await hand(second) == await hand(page)
        await page.close()  # and now has one of its own
        await second.locator(ANYTHING).first.click()
        await hand(second)
        assert await second.evaluate(SNAPSHOT) == "1"  # both started from it
        assert faults == []


@pytest.mark.slow
@pytest.mark.parametrize("screen", [DESKTOP, PHONE], ids=lambda screen: screen.name)
async def test_line_that_appears_misleads_no_press(address: str, screen: Screen) -> None:
    """It moves nothing below it but a table, which takes no press at that moment."""
    chromium = find_chromium()
    if chromium is None:
        pytest.skip("NO CHROMIUM")
    async with launched(chromium) as browser:
        page = await (await sit_down(browser, address, screen)).new_page()
        await page.goto(address)
        await page.locator(".announced").wait_for()
        await page.locator(DEAL).wait_for()
        top = await page.evaluate(TOP)
        await page.locator(".announced").wait_for(state="detached")
        assert await page.evaluate(TOP) == top
        button = await page.locator(DEAL).bounding_box()
        await page.evaluate(ANNOUNCE)
        await page.locator(".announced").wait_for()
        assert await page.locator(DEAL).bounding_box() == button
        await page.reload()
        await page.locator(".announced").wait_for()
        await page.locator(".announced").wait_for(state="detached")
        await page.locator(DEAL).click()
        await hand(page)
        assert not await page.evaluate(PRESSES % ANNOUNCE)


@pytest.mark.slow
@pytest.mark.parametrize(("screen", "lang", "theme"), [(DESKTOP, "en", "light"), (PHONE, "ja", "dark")], ids=screen_name)
async def test_screens_without_a_network_are_accessible(address: str, screen: Screen, lang: str, theme: str) -> None:
    """A round is played by keyboard."""
    chromium = find_chromium()
    if chromium is None:
        pytest.skip("NO CHROMIUM")
    async with launched(chromium) as browser:
        context = await sit_down(browser, address, screen, lang, theme, workers=True)
        page = await context.new_page()
        errors, keys = listen(page), Keys()
        faults: dict[str, Any] = {}

        async def look(name: str) -> None:
            await page.evaluate(AXE.read_text(encoding="utf-8"))
            faults.update({f"{name}: {what}": found for what, found in (await looked_at(page, screen, lang, theme)).items()})

        await page.goto(address)
        await page.locator(".announced").wait_for()
        await page.locator(".announced").wait_for(state="detached")
        await page.evaluate(CONTROLLED)
        await context.set_offline(True)
        stations = {station.name: station for station in TOUR}
        for name in STATIONS:
            await page.goto(f"{address}?{await stations[name].go(page, USUAL)}")
            await whole(page, stations[name])
            await look(name)
        await page.goto(address)
        await deal_button(page, USUAL).wait_for()
        await keys.deal(page, USUAL)
        await hand(page)
        await look("table")
        while not await at_end(page):
            before = await page.evaluate("document.querySelector('main').innerText")
            await keys.do(page, await what_now(page))
            await page.wait_for_function("before => document.querySelector('main').innerText !== before", arg=before)
        await look("result")
        assert faults == {}
        assert errors == []


async def test_games_are_shown_before_the_worker_is_up_and_practice_after_it(address: str) -> None:
    chromium = find_chromium()
    if chromium is None:
        pytest.skip("NO CHROMIUM")
    async with launched(chromium) as browser:
        context = await sit_down(browser, address, DESKTOP, workers=True)
        page = await context.new_page()
        started = asyncio.Event()

        async def hold(route: Route) -> None:
            await started.wait()
            await route.continue_()

        await context.route("**/pocket/worker.js", hold)
        await page.goto(address)
        await page.locator(DEAL).wait_for()
        await page.evaluate("localStorage.setItem(`mekuri-guest ${location.pathname}`, 'someone')")
        await page.reload()
        await page.locator(DEAL).wait_for()
        for path, shown in (("rules", "article"), ("learn", "main h1")):
            await page.goto(f"{address}?/{path}/{USUAL}")
            await page.locator(shown).first.wait_for()
        await page.evaluate("localStorage.removeItem(`mekuri-guest ${location.pathname}`)")  # the worker knows no guest
        started.set()
        await page.goto(address)
        await page.locator(DEAL).click()
        await hand(page)
        await page.goto(f"{address}?/daily")
        await page.get_by_text("Practice:").wait_for()
        await page.locator("article").first.wait_for()
        assert await page.locator("section:visible, article button:visible").count() == await page.locator("article").count()


async def test_page_says_that_a_newer_version_has_stored_the_matches(address: str) -> None:
    chromium = find_chromium()
    if chromium is None:
        pytest.skip("NO CHROMIUM")
    async with launched(chromium) as browser:
        context = await sit_down(browser, address, DESKTOP)
        page = await context.new_page()
        await page.goto(f"{address}manifest.webmanifest")
        await page.evaluate(NEWER)
        await page.goto(address)
        await page.locator(".announced", has_text="newer version").wait_for()


@pytest.mark.slow
@pytest.mark.parametrize("marked", [True, False])
async def test_deal_where_the_mark_of_a_guest_and_the_stored_guest_disagree(address: str, marked: bool) -> None:
    """The mark is in local storage, and the guest in IndexedDB: a browser may delete either."""
    chromium = find_chromium()
    if chromium is None:
        pytest.skip("NO CHROMIUM")
    async with launched(chromium) as browser:
        page = await (await sit_down(browser, address, DESKTOP)).new_page()
        faults = listen(page)
        await page.goto(address)
        if marked:
            await page.evaluate("localStorage.setItem('mekuri-guest', 'someone')")
        else:
            await page.locator(DEAL).click()
            await hand(page)
            await page.evaluate("localStorage.clear()")
        await page.goto(address)
        await page.locator(DEAL).click()
        await hand(page)
        assert faults == []


@pytest.mark.slow
async def test_round_in_firefox(address: str) -> None:
    """From the first screen to the result, with the page loaded anew on the way."""
    assert await of_a_round(address, USUAL, WIDE) == []


@pytest.mark.slow
@pytest.mark.parametrize(("game", "ways"), [(LARGER, ()), (GAMES[0], ()), (USUAL, ("private",))])
async def test_round_in_firefox_without_a_network(
    host: tuple[str, subprocess.Popen[str]], game: str, ways: tuple[str, ...]
) -> None:
    """It stops before the deal, so that the page loaded anew is the one that the browser has kept. Firefox is offline as well."""
    address, server = host

    def stop() -> None:
        server.kill()
        server.wait()

    assert await of_a_round(address, game, WIDE, "stopped", *ways, stop=stop) == []
    assert server.returncode is not None


@pytest.mark.slow
async def test_round_is_dealt_where_the_browser_stores_nothing(address: str) -> None:
    """As a private window may refuse all storage."""
    chromium = find_chromium()
    if chromium is None:
        pytest.skip("NO CHROMIUM")
    async with launched(chromium) as browser:
        context = await sit_down(browser, address, DESKTOP)

        async def refuse(route: Route) -> None:
            answer = await route.fetch()
            await route.fulfill(response=answer, body=REFUSING + await answer.text())

        await context.route("**/pocket/worker.js", refuse)
        page = await context.new_page()
        faults = listen(page)
        await page.goto(address)
        await page.get_by_text("This browser stores nothing").first.wait_for()
        await page.locator(DEAL).click()
        await hand(page)
        await page.locator(ANYTHING).first.click()
        await hand(page)
        assert faults == []


@pytest.mark.slow
async def test_site_can_be_installed(address: str, tmp_path: Path) -> None:
    """The browser itself finds nothing amiss, and installs it."""
    chromium = find_chromium()
    if chromium is None:
        pytest.skip("NO CHROMIUM")
    async with settled_down(chromium, tmp_path / "profile", address) as context:
        page = context.pages[0]
        await page.goto(address)
        await page.locator(DEAL).wait_for()
        await page.evaluate(CONTROLLED)
        session = await context.new_cdp_session(page)
        assert (await session.send("Page.getInstallabilityErrors"))["installabilityErrors"] == []
        await session.send("PWA.install", {"manifestId": address})
        assert "badgeCount" in await session.send("PWA.getOsAppState", {"manifestId": address})
