"""Whenever somebody is asked all that he plays with is seen and can be pressed without scrolling: at every size of a window."""

import asyncio
from pprint import pformat
from typing import Any

import pytest
from playwright.async_api import Page

from mekuri import games
from tests.helpers.page.fixtures import Staged, stage, staged
from tests.helpers.patience import PATIENCE
from tests.page.conftest import Open

SIZES = [(360, 740), (390, 844), (740, 360), (820, 1180), (1280, 800), (1920, 1080), (2560, 1440)]
LARGE = 200  # percent
LARGE_IN = [(360, 740), (740, 360), (820, 1180), (1280, 800)]
# Of each shape one game, with the fewest seats and the most; with --slow every game and number of seats.
TRIED = {games.find(game).shape: game for game in games.names()}
SEATED = [
    pytest.param(game, seats, marks=() if game in TRIED.values() and seats in (min(all_), max(all_)) else pytest.mark.slow)
    for game in games.names()
    for all_ in [games.find(game).seats]
    for seats in sorted(all_)
]

# What is not seen, or lies under something else: the prompt, its answers and the legal cards; and in letters of the usual size also
# every card of the field, and all of each. And captured cards that lie beyond their place.
HIDDEN = """(large) => {
  const found = [];
  const board = document.querySelector(".at-table > .board");
  const all = (what) => [...document.querySelectorAll(`.table :is(${what})`)];
  const name = (each) => each.closest("[data-card]")?.dataset.card ?? each.textContent.trim().slice(0, 30);
  for (const each of all(".prompt, .words button, .card-button.legal" + (large ? "" : ", .middle .card-button:not(.board *)"))) {
    const { left, right, top, bottom } = each.getBoundingClientRect();
    const least = large && each.matches(".card-button") ? 24 : bottom - top;
    const hit = document.elementFromPoint((left + right) / 2, top + Math.min(least, bottom - top) / 2);
    if (!each.contains(hit)) found.push([name(each), "lies under", hit?.closest("[class]")?.className ?? "nothing"]);
    else if (!large && each.matches("button") && (bottom > innerHeight + 1 || left < -1 || right > innerWidth + 1))
      found.push([name(each), "is cut off", Math.round(bottom)]);
  }
  for (const each of all(".captured li")) {
    const over = each.getBoundingClientRect().right - each.closest(".body").getBoundingClientRect().right;
    if (over > 1) found.push([name(each), "lies beyond where captured cards lie by", Math.round(over)]);
  }
  const higher = board.scrollHeight - board.clientHeight;
  if (!large && higher > 1) found.push(["the table is higher by", higher]);
  const broader = board.scrollWidth - board.clientWidth;
  if (!large && broader > 1) found.push(["the table is broader by", broader]);
  if (document.documentElement.scrollWidth > innerWidth + 1) found.push(["the page is broader"]);
  return found;
}"""


async def hidden(page: Page, each: Staged) -> dict[str, Any]:
    """What cannot be pressed, by window and size of the letters."""
    faults: dict[str, Any] = {}
    for size in (100, LARGE):
        await page.evaluate("size => { document.documentElement.style.fontSize = `${size}%`; }", size)
        for width, height in SIZES if size == 100 else LARGE_IN:
            await page.set_viewport_size({"width": width, "height": height})
            await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
            found = await page.evaluate(HIDDEN, size == LARGE)
            if found:
                faults[f"{each.name}, {width}x{height}, {size} %"] = found
    return faults


@pytest.mark.parametrize(("game", "seats"), SEATED)
async def test_all_is_seen_at_once(open_page: Open, game: str, seats: int) -> None:
    page = await open_page(None)
    faults: dict[str, Any] = {}
    for each in staged(game, seats):
        if not each.table.view or not each.table.view.legal:
            continue
        await page.goto(await stage(page.context, each))
        await page.locator(".prompt.asked").wait_for()
        async with asyncio.timeout(PATIENCE):  # a browser that draws nothing any more says nothing of it
            faults |= await hidden(page, each)
    if faults:
        pytest.fail(pformat(faults, width=160), pytrace=False)
