"""The back step of a phone closes the overlays of a screen before it leaves the screen."""

from collections.abc import Awaitable, Callable

import pytest
from playwright.async_api import Page, expect

from tests.helpers.page.browser import PHONE
from tests.helpers.page.opening import Open
from tests.helpers.page.staging import seated
from tests.helpers.page.tour import FACES

pytestmark = pytest.mark.asyncio(loop_scope="session")

OVER = "dialog[open], nav:popover-open, .hint:popover-open"
IN_MENU = {"score": "Score", "log": "Log", "yaku": "Yaku", "leave": "Leave"}


def from_menu(name: str) -> Callable[[Page], Awaitable[None]]:
    async def press(page: Page) -> None:
        await open_menu(page)
        await page.locator(".bar nav").get_by_role("button", name=name).click()
        await page.locator("dialog[open]").wait_for()  # the menu may still be open after the click

    return press


async def open_menu(page: Page) -> None:
    await page.locator(".bar .more").click()


async def ask_what_a_card_is(page: Page) -> None:
    await page.locator(".mine.hand li button").first.focus()
    await page.keyboard.press("i")


async def ask_for_a_hint(page: Page) -> None:
    await page.keyboard.press("a")


async def ask_for_the_keys(page: Page) -> None:
    await page.keyboard.press("?")


async def ask_to_take_back(page: Page) -> None:
    await page.keyboard.press("z")


OPENED = {
    "menu": open_menu,
    **{what: from_menu(name) for what, name in IN_MENU.items()},
    "hint": ask_for_a_hint,
    "card": ask_what_a_card_is,
    "keys": ask_for_the_keys,
    "take back": ask_to_take_back,
}


async def at_table(page: Page) -> str:
    """Come from the first screen to a table, where the coach has come too. Returns the address of the table."""
    table = await seated(page.context, FACES, ["person", "greedy"], first_dealer=0)
    await page.goto(f"/t/{table}")
    await page.locator(".board .card-button.legal").first.wait_for()
    await page.locator(".aid, .hints").first.wait_for(state="attached")
    return page.url


@pytest.mark.every_days(4)
async def test_back_closes_every_sheet_and_menu_of_a_table(open_page: Open, subtests: pytest.Subtests) -> None:
    page = await open_page("/", PHONE)
    address = await at_table(page)
    for what, opens in OPENED.items():
        with subtests.test(what):
            await opens(page)
            await expect(page.locator(OVER)).to_have_count(1)
            await page.go_back()
            await expect(page.locator(OVER)).to_have_count(0)
            assert page.url == address
            await expect(page.locator(".at-table > .board")).to_be_visible()
    await page.go_back()
    await page.wait_for_url("**/")


async def test_back_leaves_at_once_if_no_sheet_is_open(open_page: Open) -> None:
    page = await open_page("/", PHONE)
    await at_table(page)
    for what in ("score", "card", "menu"):
        await OPENED[what](page)
        await expect(page.locator(OVER)).to_have_count(1)
        await page.keyboard.press("Escape")
        await expect(page.locator(OVER)).to_have_count(0)
    await page.go_back()
    await page.wait_for_url("**/")
    await expect(page.locator(".at-table > .board")).to_have_count(0)


async def test_back_returns_to_the_table_from_a_linked_page(open_page: Open) -> None:
    page = await open_page("/", PHONE)
    address = await at_table(page)
    await ask_for_the_keys(page)
    await page.locator("dialog a").click()
    await page.wait_for_url("**/settings")
    await page.go_back()
    await page.wait_for_url(address)
    await expect(page.locator(".board .card-button").first).to_be_visible()
    await expect(page.locator(OVER)).to_have_count(0)
    await page.go_back()
    await page.wait_for_url("**/")


async def test_leaving_from_a_sheet_does_not_reopen_it(open_page: Open) -> None:
    page = await open_page("/", PHONE)
    await at_table(page)
    await OPENED["leave"](page)
    await page.locator("dialog .button.first").click()
    await page.wait_for_url("**/")
    await expect(page.locator("dialog")).to_have_count(0)
    await expect(page.get_by_role("heading", level=1).first).to_be_visible()


async def test_back_closes_the_rules_in_brief_of_a_lesson(open_page: Open) -> None:
    page = await open_page("/", PHONE)
    await page.goto(f"/learn/{FACES}")
    await page.get_by_role("button", name="Rules in brief").click()
    await expect(page.locator("dialog[open]")).to_have_count(1)
    await page.go_back()
    await expect(page.locator("dialog[open]")).to_have_count(0)
    await page.wait_for_url(f"**/learn/{FACES}")
