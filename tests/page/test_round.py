"""A whole round of every game against a bot, from the first screen to the next round: by mouse, by touch, and by keys alone."""

import pytest
from playwright.async_api import Page

from mekuri import games
from tests.page.browser import DESKTOP, PHONE, SCREENS, Screen
from tests.page.conftest import Open
from tests.page.hands import ONWARD, Finger, Hands, Keys, Mouse, at_end, focus_kept, play_round
from tests.page.staging import call

each_game = pytest.mark.parametrize("game", games.names())
each_screen = pytest.mark.parametrize("screen", SCREENS, ids=lambda screen: screen.name)

# From the first key on the focus may not be nowhere for longer than a change of the page takes.
WATCH_FOCUS = """
globalThis.lost = [];
addEventListener("keydown", () => {
  let frames = 0;
  const look = () => {
    frames = document.activeElement === document.body ? frames + 1 : 0;
    if (frames === 10) lost.push(document.querySelector("main")?.innerText.slice(0, 200));
    requestAnimationFrame(look);
  };
  look();
}, { once: true, capture: true });
"""


@each_game
@pytest.mark.parametrize(("screen", "hands"), [(PHONE, Finger()), (DESKTOP, Mouse())], ids=["phone", "desktop"])
async def test_a_round_is_played_from_one_click(open_page: Open, game: str, screen: Screen, hands: Hands) -> None:
    page = await open_page(screen=screen)
    await whole_round(page, game, hands)


@each_game
@each_screen
async def test_a_round_is_played_by_keys_alone(open_page: Open, game: str, screen: Screen) -> None:
    page = await open_page(None, screen=screen)
    await page.add_init_script(WATCH_FOCUS)
    await page.goto("/")
    await page.locator("article h2 button").first.wait_for()
    await whole_round(page, game, Keys())
    await focus_kept(page)
    assert await page.evaluate("lost") == []


async def whole_round(page: Page, game: str, hands: Hands) -> None:
    """Deal, play to the sheet, read it, and go on to the next round."""
    await hands.deal(page, game)
    await page.wait_for_url("**/t/*")
    table = page.url.rpartition("/")[2]
    assert not await at_end(page)
    assert await play_round(page, hands) > 3

    whole = await call(page.context, "GET", f"/api/tables/{table}")
    view = whole["view"]
    assert view["over"]
    sheet = page.locator(".result .sheet")
    assert await sheet.locator("table:not(.ledger) a.rule").count() == len(view["score"])
    for seat, change in enumerate(view["returns"]):
        told = await sheet.locator("table:not(.ledger)").nth(seat).locator("tfoot td").inner_text()
        assert int(told.replace("−", "-").replace("+", "")) == change

    # The last own choice may have been answered by nobody else, but the next round is.
    async with page.expect_response(lambda answer: answer.url.endswith("/ready")) as ready:
        await hands.do(page, page.locator(ONWARD))
    assert (await ready.value).ok
    await page.locator(".board").first.wait_for()
    assert not await at_end(page)
    assert (await call(page.context, "GET", f"/api/tables/{table}"))["head"]["round"] == 2
