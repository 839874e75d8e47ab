"""A page without a server on a device without room: what is not stored is not done, the page says so, and play goes on."""

import json
import re
from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from tests.helpers.page.disk import on_a_small_disk
from tests.helpers.page.hands import ANYTHING, RESULT
from tests.helpers.server.serving import serving
from tests.pocket.test_offline import CONTROLLED, DEAL, SNAPSHOT, hand

pytestmark = pytest.mark.slow

FULL = re.compile("This device seems to be full")
UNOPENED = re.compile("restart the browser")
COPIES = """async () => {
  const boxes = await Promise.all((await caches.keys()).map((name) => caches.open(name)));
  const requests = await Promise.all(boxes.map((box) => box.keys()));
  return requests.flat().filter(({ url }) => url.startsWith(`${location.origin}/offline/`)).length;
}"""
WORKERS = """() => new Promise((resolve) => {
  const workers = new Set();
  let asked = 0;
  new BroadcastChannel("mekuri-pocket /some/path/").onmessage = ({ data }) => {
    if (data.kind === "up") workers.add(data.worker);
    if (data.kind === "there" && ++asked === 10) resolve(workers.size);
  };
})"""  # returns how many workers answer while another one asks ten times whether it is alone
# In some runs Chromium gives another tab the lock of the worker too, once its disk is full.
SPLIT = "LockManager.prototype.request = async (name, how, run) => run({ name })"
SHOWN = "document.querySelector('main').innerText"


async def ready(page: Page, address: str) -> None:
    await page.goto(address)
    await page.locator(".announced").wait_for()
    await page.locator(".announced").wait_for(state="detached")
    await page.locator(DEAL).wait_for()


async def act(page: Page) -> None:
    """Do the first thing that can be done, and wait until the page shows something else or says that the device is full."""
    before = await page.evaluate(SHOWN)
    await page.locator(ANYTHING).first.click()
    await page.wait_for_function(f"before => {SHOWN} !== before || document.querySelector('.announced')", arg=before)
    await page.locator(f"{ANYTHING}, {RESULT}, .announced").first.wait_for()


async def act_until_full(page: Page) -> None:
    """Play until a write is refused: there may be room for a few in a file that the browser has begun."""
    while not await page.locator(".announced").count():
        await act(page)
    await expect(page.locator(".announced")).to_have_text(FULL)


async def dealt(page: Page, address: str) -> None:
    """Deal a round, and wait until the browser has kept all that it keeps."""
    await ready(page, address)
    await page.locator(DEAL).click()
    await hand(page)
    await page.evaluate(CONTROLLED)
    await page.evaluate(SNAPSHOT)


async def hand_now(page: Page) -> list[str | None]:
    return [await card.get_attribute("data-card") for card in await page.locator(".near.hand [data-card]").all()]


async def test_round_goes_on_when_a_full_device_has_room_again(address: str, tmp_path: Path) -> None:
    """Nothing is done that is not stored, and nothing of the round is lost, though Chromium ends the connection to the storage."""
    async with on_a_small_disk(tmp_path, address) as (context, disk):
        page = context.pages[0]
        await dealt(page, address)
        table = page.url
        async with disk.full():
            await act_until_full(page)
            cards = await hand_now(page)
            other = await context.new_page()
            await other.add_init_script(SPLIT)
            await other.goto(table)
            await other.locator(".announced", has_text=FULL).wait_for()
            await other.locator(".near.hand [data-card]").first.wait_for()
            assert await hand_now(other) == cards
            assert await other.evaluate(WORKERS) == 1
            assert await hand_now(other) == cards
            await other.goto(f"{address}?/you")
            async with other.expect_download() as saved:
                await other.locator("a[download]").first.click()
            export = json.loads((await (await saved.value).path()).read_text())
            assert len(export["matches"]) == 1
            await other.close()
            assert await hand_now(page) == cards
        await page.locator(ANYTHING).first.wait_for()  # by itself
        await expect(page.locator(".announced")).to_have_count(0)
        cards = await hand(page)
        await page.close()
        page = await context.new_page()
        await page.goto(table)
        assert await hand(page) == cards
        await act(page)
        assert await page.locator(".announced").count() == 0


async def test_first_visit_on_a_full_device(address: str, tmp_path: Path) -> None:
    """The page says that nothing lasts, and a round can be played.

    Chromium then opens no storage until it is restarted, also when there is room: the page says so, too.
    """
    async with on_a_small_disk(tmp_path, address) as (context, disk):
        page = context.pages[0]
        async with disk.full():
            await page.goto(address)
            await page.locator(".announced", has_text=UNOPENED).wait_for()
            await page.locator(DEAL).click()
            await hand(page)
            await page.locator(ANYTHING).first.click()
            await hand(page)
            assert await page.locator(".announced", has_text=UNOPENED).count()
        await page.goto(address)
        await page.locator(DEAL).click()
        await hand(page)


async def test_hint_and_review_on_a_full_device(address: str, tmp_path: Path) -> None:
    """A hint needs no room. A review is shown once it can be stored."""
    async with on_a_small_disk(tmp_path, address) as (context, disk):
        page = context.pages[0]
        await dealt(page, address)
        async with disk.full():
            await page.locator(".hints").click()
            await page.locator("aside.hint").wait_for()
        await page.keyboard.press("Escape")
        while not await page.locator(RESULT).count():
            await act(page)
        async with disk.full():
            await page.locator("a[href*='/review?seat=']").first.click()
            await page.locator(".announced", has_text=FULL).wait_for()
            await page.get_by_text("This takes a little longer").wait_for()
        await page.locator(".making").wait_for(state="detached")
        assert not await page.get_by_text("could not be reviewed").count()
        await expect(page.locator(".announced")).to_have_count(0)


async def test_copy_that_does_not_fit_leaves_nothing_behind(tmp_path: Path) -> None:
    async with serving(tmp_path / "mekuri.db") as server, on_a_small_disk(tmp_path, server.address) as (context, disk):
        page = context.pages[0]
        await page.goto(f"{server.address}/settings")
        keep = page.get_by_role("button", name="Keep for offline")
        await keep.wait_for()
        async with disk.full():
            await keep.click()
            await page.get_by_text("It could not be kept").wait_for()
            assert await page.evaluate(COPIES) == 0
        await keep.click()
        await page.get_by_role("button", name="Remove from this device").wait_for()
        assert await page.evaluate(COPIES) > 0
