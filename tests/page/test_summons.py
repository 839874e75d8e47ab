"""A player on another page is notified of their turn on request, and of nothing else."""

import asyncio
from typing import Any

import pytest
from playwright.async_api import BrowserContext, Page, expect

from tests.helpers.page.staging import call, play_until, seated
from tests.helpers.page.tour import FACES
from tests.page.conftest import Open

# Record the requests to the browser; a page that a test drives is never hidden by itself.
# Which notifications there are is asked only when one has been shown: one that is being put up Chromium forgets when it is asked.
WATCHED = """() => {
  globalThis.asked = 0;
  globalThis.shown = 0;
  globalThis.shaken = [];
  globalThis.away = false;
  navigator.vibrate = (times) => globalThis.shaken.push(times);
  const own = Notification.requestPermission.bind(Notification);
  Notification.requestPermission = () => ((globalThis.asked += 1), own());
  const show = ServiceWorkerRegistration.prototype.showNotification;
  ServiceWorkerRegistration.prototype.showNotification = async function (...given) {
    await show.apply(this, given);
    globalThis.shown += 1;
  };
  Object.defineProperty(Document.prototype, "hidden", { get: () => globalThis.away });
}"""
TOLD = """async () => {
  const worker = await navigator.serviceWorker.getRegistration("/");
  const shown = (await worker?.getNotifications()) ?? [];
  return shown.map(({ title, body, tag, data }) => ({ title, body, tag, data }));
}"""
COUNT = f"async () => (await ({TOLD})()).length"


async def until(page: Page, what: str, reached: int) -> None:
    """Wait until a count is reached."""
    while await page.evaluate(what) != reached:
        await asyncio.sleep(0.01)


async def wanted(page: Page) -> None:
    """Ask for notifications in the settings."""
    await page.goto("/settings")
    await page.get_by_label("Notify me while this page is hidden").click()


async def mine(context: BrowserContext, table: str) -> dict[str, Any]:
    return dict(await play_until(context, table, lambda whole: not whole["view"]["legal"] or whole["view"]["over"]))


@pytest.mark.every_days(4)
async def test_hidden_page_notifies_of_a_turn(open_page: Open) -> None:
    page = await open_page("/", workers=True)
    other = await open_page("/")
    await page.context.grant_permissions(["notifications"])
    await page.context.add_init_script(f"({WATCHED})()")
    await wanted(page)
    box = page.get_by_label("Notify me while this page is hidden")
    await expect(box).to_be_checked()
    await until(page, "asked", 1)
    await page.evaluate("async () => { await navigator.serviceWorker.ready; }")
    if await page.get_by_label("Shake the device").count():
        await page.get_by_label("Shake the device").check()

    table = await seated(page.context, FACES, ["person", "person"])
    await call(other.context, "POST", "/api/guests", {})
    await call(other.context, "POST", f"/api/tables/{table}/seat", {})
    await mine(page.context, table)
    await page.goto(f"/t/{table}")
    await page.locator(".board .seat").first.wait_for()
    assert await page.evaluate(TOLD) == []
    await page.evaluate("away = true")
    await mine(other.context, table)
    await until(page, "shown", 1)
    (notice,) = await page.evaluate(TOLD)
    assert notice["body"] == "It is your turn."
    assert notice["data"] == {"path": f"/t/{table}"}
    assert await page.evaluate("asked") == 0, "nobody is asked but by what they press"

    await page.evaluate("() => { away = false; document.dispatchEvent(new Event('visibilitychange')); }")
    await until(page, COUNT, 0)


async def test_denied_permission_is_reported(open_page: Open) -> None:
    page = await open_page("/", workers=True)
    await page.context.add_init_script("Notification.requestPermission = async () => 'denied'")
    await wanted(page)
    await expect(page.get_by_role("status").filter(has_text="Your browser blocks this.")).to_be_visible()
    await expect(page.get_by_label("Notify me while this page is hidden")).not_to_be_checked()
