"""Every screen: nothing that axe finds fault with in either language, by day or by night, on a phone or a desktop; and room for all
of it on narrow screens and in large letters. All of it on one visit to each. Without --slow each is looked at in one way, and
languages, screens and themes take turns."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from pprint import pformat
from typing import Any

import pytest
from playwright.async_api import Page

from mekuri.engine.rulebook import LANGUAGES
from tests.helpers.folders import CHECKOUT
from tests.helpers.page.browser import SCREENS, THEMES, Screen
from tests.helpers.page.room import WIDE
from tests.helpers.page.staging import choose, settled
from tests.helpers.page.tour import STOPS, Station, show, whole
from tests.page.conftest import Open

AXE = CHECKOUT / "web" / "node_modules" / "axe-core" / "axe.min.js"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]  # the size of targets is among them
NARROW = 320  # CSS pixels: a phone of 1280 pixels at 400 percent, WCAG 1.4.10
LARGE = 200  # percent, WCAG 1.4.4
WAYS = list(product(THEMES, SCREENS, LANGUAGES))

# At a table everything is the table: it may be scrolled within the window, and the window not.
HIGH = """() => {
  const more = document.documentElement.scrollHeight - innerHeight;
  return document.querySelector(".at-table") && more > 0 ? [`higher than the window by ${more}`] : [];
}"""


def stops() -> Iterator[Any]:
    """Every screen: screens that differ between games with each game, the others with some games, with --slow with each.

    With each the number of those before it that are not left out: so what takes turns does so also where many are left out.
    """
    turn = 0
    for n, (station, game) in enumerate(STOPS):
        left_out = station.each and not station.pictured and n % 5
        yield pytest.param(station, game, turn, id=f"{station.name}-{game}", marks=pytest.mark.slow if left_out else ())
        turn += not left_out


@pytest.mark.parametrize(("station", "game", "turn"), list(stops()))
async def test_every_screen_is_accessible_and_fits(open_page: Open, station: Station, game: str, turn: int, in_full: bool) -> None:
    # Not in all ways on every stop: what differs is a matter of the page. With --slow in one way and in its opposite.
    way = turn % len(WAYS)
    theme, screen, lang = WAYS[way]
    page = await open_page(None, replace(screen, touch=False, scale=1), lang=lang, theme=theme)
    if station.name == "missing":
        open_page.allowed.append("status of 404")
    await show(page, station, game)
    # It is put into the page by the browser itself, past the page's policy for scripts.
    await (await page.context.new_cdp_session(page)).send("Runtime.evaluate", {"expression": AXE.read_text(encoding="utf-8")})
    faults: dict[str, Any] = {}
    faults |= await looked_at(page, screen, lang, theme)
    if in_full:
        theme, screen, lang = WAYS[~way]
        await choose(page, lang=lang)
        await whole(page, station)
        faults |= await looked_at(page, screen, lang, theme)
    faults |= await squeezed(page)
    if faults:
        pytest.fail(f"{page.url}\n{pformat(faults, width=160)}", pytrace=False)


async def looked_at(page: Page, screen: Screen, lang: str, theme: str) -> dict[str, Any]:
    """Return the faults of a screen in a language, by day or by night."""
    faults: dict[str, Any] = {}
    await page.set_viewport_size({"width": screen.width, "height": screen.height})
    await settled(page)
    faults[f"{screen.name} {lang}: wide"] = await page.evaluate(WIDE)
    faults[f"{screen.name} {lang}: high"] = await page.evaluate(HIGH)
    await page.emulate_media(color_scheme="dark" if theme == "dark" else "light")
    found = await page.evaluate("runOnly => axe.run({ runOnly, resultTypes: ['violations'] })", RULES)
    faults[f"{screen.name} {lang} {theme}: axe"] = [
        (each["id"], node["target"], node["failureSummary"]) for each in found["violations"] for node in each["nodes"][:3]
    ]
    await page.emulate_media(color_scheme="light")
    return {name: found for name, found in faults.items() if found}


async def squeezed(page: Page) -> dict[str, Any]:
    """Return the elements without room on a narrow screen, or in large letters."""
    faults: dict[str, Any] = {}
    await page.set_viewport_size({"width": NARROW, "height": 640})
    await settled(page)
    faults["narrow"] = await page.evaluate(WIDE)
    await page.set_viewport_size({"width": SCREENS[0].width, "height": SCREENS[0].height})
    await choose(page, size=LARGE)
    await settled(page)
    faults["large"] = await page.evaluate(WIDE)
    return {name: found for name, found in faults.items() if found}
