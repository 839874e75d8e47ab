"""A site without a server in Chromium and Firefox: a plain file server, a path below its root, and then no network at all."""

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.async_api import Page, Route

from tests.helpers.page.browser import DESKTOP, find_chromium, launched, listen, sit_down
from tests.helpers.page.hands import ANYTHING, HAND
from tests.helpers.pocket.worker import make_site
from tests.helpers.tables import USUAL
from tests.page.test_firefox import DESKTOP as WIDE
from tests.page.test_firefox import faults as of_a_round

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
DEAL = "button[aria-label='Play Mushi']"
CONTROLLED = """navigator.serviceWorker.ready.then(() => navigator.serviceWorker.controller ? undefined :
  new Promise((resolve) => (navigator.serviceWorker.oncontrollerchange = () => resolve())))"""


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    make_site(tmp_path / "some" / "path")
    command = [sys.executable, "-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory", str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        assert server.stdout
        port = server.stdout.readline().split(" port ")[1].split()[0]
        yield f"http://127.0.0.1:{port}/some/path/"
        server.kill()


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
        assert await second.locator("option[value='person']").count() == 0
        await second.goto(at)
        assert await hand(second) == await hand(page)
        await page.close()  # and now has one of its own
        await second.locator(ANYTHING).first.click()
        await hand(second)
        assert await second.evaluate(SNAPSHOT) == "1"  # both started from it
        assert faults == []


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
async def test_round_in_firefox(address: str) -> None:
    """From the first screen to the result, with the page loaded anew on the way."""
    assert await of_a_round(address, USUAL, WIDE) == []
