"""The page as an app: it is offered for installing after a round, and kept for offline."""

from playwright.async_api import expect

from tests.helpers.page.staging import play_until, seated
from tests.helpers.tables import USUAL
from tests.page.conftest import Open

# What browsers do that can install pages; a browser of a test has nobody to install for.
OFFERED = """
globalThis.prompted = 0;
const offer = Object.assign(new Event("beforeinstallprompt", { cancelable: true }), { prompt: async () => void (prompted += 1) });
globalThis.held = !dispatchEvent(offer);
"""


async def test_app_is_offered_after_a_round_until_it_is_declined(open_page: Open) -> None:
    page = await open_page("/")
    table = await seated(page.context, USUAL, ["person", "random"])
    offer = page.get_by_role("button", name="Install")
    await page.goto(f"/t/{table}")
    await page.locator(".board .seat").first.wait_for()
    await page.evaluate(OFFERED)
    assert await page.evaluate("held")  # else the browser would ask in the middle of the round
    await expect(offer).to_have_count(0)
    await play_until(page.context, table, lambda whole: whole["view"]["over"])
    await offer.click()
    assert await page.evaluate("prompted") == 1
    await expect(offer).to_have_count(0)
    await page.evaluate(OFFERED)
    await page.get_by_role("button", name="No, thanks").click()
    await page.reload()
    await page.get_by_role("heading").first.wait_for()
    await page.evaluate(OFFERED)
    await page.locator(".result").wait_for()
    await expect(offer).to_have_count(0)
