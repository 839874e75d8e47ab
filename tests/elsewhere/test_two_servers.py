"""Two servers on two ports of one host, which one browser visits in turn: each keeps its own guests, and no seat is lost."""

import pytest
from playwright.async_api import Page, expect

from tests.helpers.page.opening import Open
from tests.helpers.page.staging import call, seated
from tests.helpers.page.tour import FACES
from tests.helpers.server.child import Child

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def named(page: Page, address: str, name: str) -> None:
    """Become a guest of a name at a server, or take another name there."""
    await page.goto(f"{address}/settings")
    await page.get_by_label("Your name").fill(name)
    await page.get_by_label("Your name").press("Enter")
    await expect(page.get_by_text("Kept.")).to_be_visible()


@pytest.mark.every_days(4)
async def test_seat_at_the_first_stays(open_page: Open, house: Child, other: Child) -> None:
    page = await open_page()
    await named(page, house.address, "Aki")
    table = await seated(page.context, FACES, ["person", "person"])
    await named(page, other.address, "Ben")
    for address, name in ((house.address, "Aki"), (other.address, "Ben")) * 2:
        await page.goto(f"{address}/settings")
        await expect(page.get_by_label("Your name")).to_have_value(name)
    await page.goto(f"{house.address}/t/{table}")
    await expect(page.get_by_text("Aki (you)")).to_be_visible()
    assert (await call(page.context, "GET", f"/api/tables/{table}"))["you"] == 0


async def test_deleted_guest_is_not_replaced_silently(open_page: Open, house: Child) -> None:
    open_page.allowed += ["status of 401"]
    page = await open_page()
    await named(page, house.address, "Aki")
    kept = await page.context.cookies()
    await call(page.context, "DELETE", "/api/guests/me")
    await page.context.add_cookies(kept)  # type: ignore[arg-type]
    await page.goto("/settings")
    await page.get_by_label("Your name").fill("Ben")
    await page.get_by_label("Your name").press("Enter")
    await expect(page.get_by_role("alert").filter(has_text="no longer knows the guest of this browser")).to_be_visible()
    assert {each["value"] for each in await page.context.cookies()} == {each["value"] for each in kept}
    await page.goto("/you")
    await expect(page.get_by_role("alert").filter(has_text="no longer knows the guest of this browser")).to_be_visible()
    async with page.expect_navigation():  # the page is loaded anew
        await page.get_by_role("button", name="Start as a new guest").click()
    await expect(page.get_by_text("You are not a guest yet")).to_be_visible()
    await named(page, house.address, "Ben")
