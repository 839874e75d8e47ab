"""Whenever somebody is asked all that he plays with is seen and can be pressed without scrolling: at every size of a window."""

from collections.abc import Iterable
from itertools import product
from pprint import pformat
from typing import Any

import pytest

from mekuri import games
from mekuri.protocol.library import catalogue
from tests.helpers.page.fixtures import Staged, stage, staged
from tests.helpers.page.staging import drawn
from tests.page.conftest import Open

SIZES = [(360, 740), (390, 844), (740, 360), (820, 1180), (1280, 800), (1920, 1080), (2560, 1440)]
LARGE = 200  # percent
LARGE_IN = [(360, 740), (740, 360), (820, 1180), (1280, 800)]
WINDOWS = [(size, *window) for size, windows in ((100, SIZES), (LARGE, LARGE_IN)) for window in windows]
# Of each shape one game, with the fewest seats and the most; with --slow every game and number of seats.
TRIED = {games.find(game).shape: game for game in games.names()}
SEATED = [
    pytest.param(game, seats, marks=() if game in TRIED.values() and seats in (min(all_), max(all_)) else pytest.mark.slow)
    for game in games.names()
    for all_ in [games.find(game).seats]
    for seats in sorted(all_)
]

# Letters of a size. Where everything lies is all that is asked: nothing need be painted for it.
LETTERS = "size => { Object.assign(document.documentElement.style, { fontSize: `${size}%`, opacity: 0 }); }"

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
  const measure = document.querySelector(".measure");
  if (measure && !large && measure.scrollWidth > measure.clientWidth + 1) found.push(["what wins is cut off"]);
  const higher = board.scrollHeight - board.clientHeight;
  if (!large && higher > 1) found.push(["the table is higher by", higher]);
  const broader = board.scrollWidth - board.clientWidth;
  if (!large && broader > 1) found.push(["the table is broader by", broader]);
  if (document.documentElement.scrollWidth > innerWidth + 1) found.push(["the page is broader"]);
  return found;
}"""


async def hidden(open_page: Open, tables: Iterable[Staged], in_full: bool) -> dict[str, Any]:
    """What cannot be pressed where one is asked, by table, window and size of the letters.

    In full every table is seen in every window, else the windows take turns.
    """
    page = await open_page(None)
    faults: dict[str, Any] = {}
    asked = [each for each in tables if each.table.view and each.table.view.legal]
    turns = 1 if in_full else min(3, len(asked))
    for n, each in enumerate(asked):
        await page.goto(await stage(page.context, each))
        await page.locator(".prompt.asked").wait_for()
        for size, width, height in WINDOWS[n % turns :: turns]:
            await page.evaluate(LETTERS, size)
            await page.set_viewport_size({"width": width, "height": height})
            await drawn(page)
            if found := await page.evaluate(HIDDEN, size == LARGE):
                faults[f"{each.name}, {width}x{height}, {size} %"] = found
    return faults


@pytest.mark.every_days(4)
@pytest.mark.parametrize(("game", "seats"), SEATED)
async def test_all_is_seen_at_once(open_page: Open, game: str, seats: int, in_full: bool) -> None:
    faults = await hidden(open_page, staged(game, seats), in_full)
    if faults:
        pytest.fail(pformat(faults, width=160), pytrace=False)


# The heaps of stones that are seen, each by the stones of either kind, and whether the page is broader for them.
HEAPS = """() => ({
  heaps: [...document.querySelectorAll(".heap")].filter((each) => {
    const { width, height, left, right } = each.getBoundingClientRect();
    return width > 8 && height > 5 && left >= 0 && right <= innerWidth;
  }).length,
  broader: document.documentElement.scrollWidth > innerWidth + 1,
})"""


@pytest.mark.every_days(4)
async def test_stones_are_drawn_wherever_they_are_counted(open_page: Open) -> None:
    """On a desktop, a tablet and a phone, for every seat that has any; and never for points, which nobody can pick up."""
    page, tried = await open_page(None), set()
    for game, end in product(games.names(), (min, max)):
        seats, stones = end(games.find(game).seats), catalogue(games.find(game), "en").stones
        each = next((each for each in staged(game, seats) if each.table.view and each.table.view.legal and any(ledger(each))), None)
        if not each or not each.table.view or (not held(each, stones) if stones else False in tried):
            continue
        tried.add(bool(stones))
        await page.goto(await stage(page.context, each))
        await page.locator(".prompt.asked").wait_for()
        for width, height in SIZES[0], SIZES[3], SIZES[4]:
            await page.set_viewport_size({"width": width, "height": height})
            await drawn(page)
            seen, pots = await page.evaluate(HEAPS), sum(amount > 0 for amount in each.table.view.middle.values())
            told = f"{game}, {seats} seats, {width}x{height}"
            assert seen["heaps"] >= held(each, stones) + pots if stones else seen["heaps"] == pots, told
            assert not seen["broader"], told
    assert tried == {True, False}


def ledger(each: Staged) -> list[int]:
    """All that the seats have in the match."""
    assert each.table.view
    return [value for account in each.table.view.ledger for value in account.values()]


def held(each: Staged, stones: Iterable[str]) -> int:
    """The number of seats that have stones."""
    assert each.table.view
    return sum(any(account.get(one, 0) > 0 for one in stones) for account in each.table.view.ledger)
