"""People who share a screen: the device is passed on, and nobody's cards are in the page meanwhile."""

from typing import Any

import pytest
from playwright.async_api import Page

import mekuri
from mekuri.testing.worlds import random_round
from tests.helpers.page.browser import DESKTOP, PHONE, Screen, find_chromium, launched, listen, sit_down
from tests.helpers.page.hands import CARDS, WORDS, Keys
from tests.helpers.tables import GAMES, LARGER, USUAL
from tests.page.test_screens import AXE, RULES

CURTAIN = "section.curtain"
ONWARD = ".at-end > .ways > button"
SCENES = f"{CURTAIN} button, {CARDS}, {WORDS}, {ONWARD}"
WAYS = ((DESKTOP, "en"), (PHONE, "ja"))
NAMES = ("Aki", "Ben", "Chiyo")
ROUNDS = [
    pytest.param(game, *WAYS[n % 2], NAMES[:2], marks=() if game == USUAL else pytest.mark.slow)
    for n, game in enumerate(sorted(GAMES, key=lambda game: game != USUAL))
]
ROUNDS += [pytest.param(LARGER, *way, NAMES, marks=pytest.mark.slow) for way in WAYS]


async def faults_of(page: Page) -> list[Any]:
    """Return what axe finds, and whether the page is wider than the screen."""
    await page.evaluate(AXE.read_text(encoding="utf-8"))
    found = await page.evaluate("runOnly => axe.run({ runOnly, resultTypes: ['violations'] })", RULES)
    wide = await page.evaluate("document.documentElement.scrollWidth > innerWidth")
    return [*([node["target"] for node in each["nodes"]] for each in found["violations"]), *(["wide"] if wide else [])]


async def sit_together(page: Page, address: str, game: str, names: tuple[str, ...]) -> None:
    """Make a table of one round with people in the first seats."""
    await page.goto(f"{address}?/new/{game}")
    seats = page.locator("fieldset select")
    await seats.first.wait_for()
    for seat in range(1, len(names)):
        await seats.nth(seat).select_option("person")
    for number, name in enumerate(names):
        await page.locator("input[autocomplete=off]").nth(number).fill(name)
        await page.keyboard.press("Tab")
    rounds = page.locator("section[aria-labelledby=length] label").get_by_text("1", exact=True)
    if await rounds.count():
        await rounds.first.click()
    assert await faults_of(page) == []
    await page.locator("form .send button").click()


def dealer_is_asked(game: str) -> bool:
    """Return whether the dealer of a round acts in it."""
    round = random_round(mekuri.game(game), 0)
    return round.dealer in {seat for seat, _ in round.actions}


@pytest.mark.parametrize(("game", "screen", "lang", "names"), ROUNDS)
async def test_round_of_people_at_one_screen(address: str, game: str, screen: Screen, lang: str, names: tuple[str, ...]) -> None:
    """By keyboard, of two people in every game, with bots where it needs more players; of three in one."""
    chromium = find_chromium()
    if chromium is None:
        pytest.skip("NO CHROMIUM")
    async with launched(chromium) as browser:
        context = await sit_down(browser, address, screen, lang)
        page = await context.new_page()
        faults, keys = listen(page), Keys()
        await sit_together(page, address, game, names)
        passed: list[str] = []
        while True:
            await page.locator(SCENES).first.wait_for()
            if await page.locator(ONWARD).count():
                break
            if await page.locator(CURTAIN).count():
                assert await page.locator("[data-card], .board, .at-table").count() == 0
                asked = await page.locator(f"{CURTAIN} h1").inner_text()
                [name] = [name for name in names if name in asked]
                if not passed:
                    assert await faults_of(page) == []
                assert passed[-1:] != [name]
                passed.append(name)
                await keys.do(page, page.locator(f"{CURTAIN} button"))
                await page.locator(CURTAIN).wait_for(state="detached")
                continue
            offered = page.locator(f"{CARDS}, {WORDS}")
            before = await page.evaluate("document.querySelector('main').innerText")
            if await offered.count():
                await keys.do(page, offered.first)
            await page.wait_for_function("before => document.querySelector('main').innerText !== before", arg=before)
        assert len({*passed}) == len(names) or (len({*passed}) == len(names) - 1 and not dealer_is_asked(game))
        assert await page.locator(".at-table .mine.hand [data-card]").count() == 0
        assert await faults_of(page) == []
        await keys.do(page, page.locator(ONWARD))  # the next round, or another match, for all
        await page.locator(f"{CURTAIN} button").wait_for()
        assert faults == []


@pytest.mark.slow
async def test_reload_and_other_tabs_hide_the_table(address: str) -> None:
    chromium = find_chromium()
    if chromium is None:
        pytest.skip("NO CHROMIUM")
    async with launched(chromium) as browser:
        context = await sit_down(browser, address, DESKTOP)
        page = await context.new_page()
        faults = listen(page)
        await sit_together(page, address, USUAL, ("Aki", "Ben"))
        await page.locator(f"{CURTAIN} button, {CARDS}").first.wait_for()
        if await page.locator(CURTAIN).count():
            await page.locator(f"{CURTAIN} button").click()
        hand = page.locator(".near.hand [data-card]")
        await hand.first.wait_for()
        other = await context.new_page()
        faults += listen(other)
        await other.goto(page.url)
        await other.locator(f"{CURTAIN} button").wait_for()
        assert await other.locator("[data-card]").count() == 0
        cards = [await card.get_attribute("data-card") for card in await hand.all()]
        await page.reload()
        await page.locator(f"{CURTAIN} button").click()
        await hand.first.wait_for()
        assert [await card.get_attribute("data-card") for card in await hand.all()] == cards
        await page.goto(f"{address}?/you")
        await page.locator("section button", has_text="Delete").first.click()
        assert await page.evaluate(MARK)
        async with page.expect_navigation():  # the page begins anew, without the guest
            await page.locator(".question button.first").click()
        assert not await page.evaluate(MARK)
        assert await page.evaluate(STORED) == []
        assert faults == []


MARK = "localStorage.getItem(`mekuri-guest ${location.pathname}`)"  # is set while there is a guest

# Returns the keys of the people in the storage of the browser.
STORED = """() => new Promise((resolve) => {
  const asked = indexedDB.open(`mekuri ${location.pathname}`);
  asked.onsuccess = () => {
    const keys = asked.result.transaction("entries").objectStore("entries").getAllKeys();
    keys.onsuccess = () => resolve(keys.result.filter(([kind]) => ["person", "device"].includes(kind)));
  };
})"""
