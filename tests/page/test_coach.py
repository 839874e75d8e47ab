"""The coach on the page: a hint at a table with bots, by keys and by the mouse."""

from typing import Any

import pytest
from playwright.async_api import Page, expect

from tests.helpers.page.browser import DESKTOP, PHONE
from tests.helpers.page.hands import ONWARD, Keys, Mouse, act, at_end, seen
from tests.helpers.page.staging import call, seated
from tests.helpers.page.telling import tell
from tests.helpers.tables import USUAL
from tests.page.conftest import Open

OFFERED = ".coach .hints[aria-expanded]:not(.none)"
GLOWS = """[...document.querySelectorAll('.table :is(li[data-card], [data-action])')].filter(
  each => getComputedStyle(each).outlineStyle === 'solid'
).length"""


async def dealt(page: Page) -> None:
    await Mouse().deal(page, USUAL)
    await seen(page, OFFERED)


async def go_on(page: Page) -> None:
    """Act once, in the next round if one has ended, and wait for the coach."""
    await act(page, Mouse())
    if await at_end(page):
        await page.locator(ONWARD).click()
    await seen(page, OFFERED)


async def test_hint_shows_a_part_and_then_the_whole(open_page: Open) -> None:
    page = await open_page("/", screen=PHONE)
    await dealt(page)
    hint = page.locator(".hint")
    await page.keyboard.press("a")
    await hint.locator(".says").wait_for()
    part = await hint.locator(".says").inner_text()
    assert not part.startswith("Suggestion")
    assert await page.evaluate(GLOWS) == 0
    assert part in await page.locator(".hint + .spoken").inner_text()
    await Keys().reach(page, hint.get_by_role("button", name="Show all"))
    await page.keyboard.press("Enter")
    await hint.get_by_text("Suggestion").wait_for()
    assert await page.evaluate(GLOWS) >= 1
    await hint.locator("summary").press("Enter")
    await hint.get_by_role("row").first.wait_for()
    await page.keyboard.press("Escape")
    await expect(hint).to_be_hidden()
    assert await page.evaluate(GLOWS) == 0


@pytest.mark.every_days(4)
async def test_move_of_another_player_is_explained(open_page: Open) -> None:
    page = await open_page("/", screen=PHONE, lang="ja")
    await dealt(page)
    while not await page.locator(".hint > p").count():
        await go_on(page)
        open_page.allowed.append("409.*/why")
        async with page.expect_response("**/why") as asked:
            await page.keyboard.press("w")
        if (await asked.value).ok:
            await page.locator(".hint > p").first.wait_for()
    assert await page.locator(".hint > p").first.inner_text() in await page.locator(".hint + .spoken").inner_text()
    await page.keyboard.press("Escape")
    await expect(page.locator(".hint")).to_be_hidden()


async def test_yaku_are_on_one_page_beside_the_table(open_page: Open) -> None:
    page = await open_page("/", screen=PHONE)
    await dealt(page)
    await page.get_by_role("button", name="Table", exact=True).click()
    await page.get_by_role("button", name="Yaku").click()
    first = page.locator("dialog li details").first
    await first.locator("summary").press("Enter")
    await first.locator("p").wait_for()
    assert await page.locator("dialog li .row").count() == await page.locator("dialog li").count()
    await page.keyboard.press("Escape")
    await expect(page.locator("dialog")).to_have_count(0)


async def view(page: Page) -> dict[str, Any]:
    """Return the round as the server sends it."""
    whole = await call(page.context, "GET", page.url.replace("/t/", "/api/tables/"))
    return {name: whole["view"][name] for name in ("zones", "legal")}


@pytest.mark.every_days(4)
async def test_taking_back_makes_the_match_practice(open_page: Open) -> None:
    page = await open_page("/", screen=DESKTOP)
    await dealt(page)
    first = await view(page)
    await act(page, Mouse())
    await seen(page, OFFERED)
    assert await view(page) != first
    await page.keyboard.press("z")
    await page.get_by_text("does not count in your statistics").wait_for()
    await page.keyboard.press("Escape")
    assert "practice" not in await page.locator(".bar").inner_text()
    await page.get_by_role("button", name="Take back your last choice").click()
    await page.get_by_role("button", name="Take back", exact=True).click()
    await page.locator(".bar").get_by_text("practice").wait_for()
    assert await view(page) == first
    await act(page, Mouse())
    async with page.expect_response("**/take-back"):
        await page.keyboard.press("z")
    assert await view(page) == first


async def test_table_with_other_people_has_no_coach(open_page: Open) -> None:
    page = await open_page(None, screen=DESKTOP)
    await page.goto("/")
    table = await seated(page.context, USUAL, ["person", "person"])
    other = await open_page("/", screen=DESKTOP)
    await call(other.context, "POST", "/api/guests", {})
    await call(other.context, "POST", f"/api/tables/{table}/seat", {"cut": "a cut"})
    for who in (page, other):
        await who.goto(f"/t/{table}")
        await seen(who, ".board .prompt")
        assert await who.locator(".coach").count() == 0


async def test_names_of_cards_and_yaku_open_explanations(open_page: Open) -> None:
    page = await open_page("/", screen=PHONE)
    await dealt(page)
    table = await call(page.context, "GET", page.url.replace("/t/", "/api/tables/"))
    turned = {"id": "events.turn-takes", "args": {"seat": 1, "card": "4H", "cards": ["4I"]}}
    await tell(page, table, turned, near=[{"yaku": "four-wisteria", "missing": ["4O"], "steps": 1}])
    await page.get_by_role("button", name="Table", exact=True).click()
    await page.get_by_role("button", name="Score").click()
    yaku = page.locator("dialog .near button").first
    name = await yaku.inner_text()
    await yaku.press("Enter")
    dialog = page.get_by_role("dialog", name=name)
    await expect(dialog.locator("details p")).to_be_visible()
    await expect(dialog.locator(".row svg").first).to_be_visible()
    await page.keyboard.press("Escape")
    await expect(dialog).to_have_count(0)
    await expect(yaku).to_be_focused()
    await page.keyboard.press("Escape")

    await page.get_by_role("button", name="Log").click()
    await page.locator("dialog .log button").first.wait_for()
    for named in reversed(await page.locator("dialog .log button").all()):
        dialog = page.get_by_role("dialog", name=await named.inner_text())
        await named.press("Enter")
        await dialog.locator("svg").first.wait_for()
        if await dialog.locator(".large").count():
            break
        await page.keyboard.press("Escape")  # it was a yaku
    await expect(dialog.locator(".large svg")).to_be_visible()
