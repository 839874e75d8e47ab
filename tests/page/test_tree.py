"""A table in the accessibility tree: headings, lists of buttons with the names of the cards, one stop of Tab for each place, a
log that speaks politely, and one line that may interrupt."""

import re
from itertools import pairwise
from typing import Any

import pytest
from playwright.async_api import Page, expect

from mekuri import games
from mekuri.engine.rulebook import LANGUAGES
from tests.helpers.page.browser import SCREENS, Screen, screen_name
from tests.helpers.page.hands import CARDS, WORDS, Keys, act, at_end
from tests.helpers.page.staging import TABLES, call
from tests.helpers.page.tour import turn
from tests.helpers.tables import in_turn
from tests.page.conftest import Open

# Every place on the table: its heading, of each of its cards the name, the place in the order of Tab, and what it is, and whether
# Tab stops there: at its cards, or at a pile that can be played.
PLACES = """() => [...document.querySelectorAll(".board .zone")].map((zone) => {
  const list = zone.querySelector("ul");
  return {
    heading: zone.querySelector("h2").textContent.trim().replace(/\\s+/g, " "),
    named: list ? document.getElementById(list.getAttribute("aria-labelledby")).textContent.trim().replace(/\\s+/g, " ") : null,
    key: zone.querySelector("[data-zone]").dataset.zone,
    cards: [...zone.querySelectorAll("li")].map((card) => card.dataset.card),
    buttons: [...zone.querySelectorAll("li button")].map((button) => [button.getAttribute("aria-label"), button.tabIndex]),
    stops: zone.querySelectorAll("[data-zone] button").length > 0,
    others: zone.querySelectorAll("[onclick], [role=button], [tabindex]:not(button, h2)").length,
    drawings: [...zone.querySelectorAll("svg")].every((svg) => svg.closest("[aria-hidden=true]")),
  };
})"""


# Every game on both screens and in both languages, but not in all four ways.
HEARD = [
    (game, lang, screen)
    for turn, game in enumerate(games.names())
    for lang, screen in zip(LANGUAGES, SCREENS if turn % 2 else SCREENS[::-1], strict=True)
]


@pytest.mark.parametrize(("game", "lang", "screen"), in_turn(HEARD), ids=screen_name)
async def test_accessibility_tree_matches_the_table(open_page: Open, game: str, lang: str, screen: Screen) -> None:
    page = await open_page(None, screen=screen, lang=lang)
    address = await turn(page, game)
    await page.goto(address)
    await page.locator(f"{CARDS}, {WORDS}").first.wait_for()
    view = (await call(page.context, "GET", f"/api/tables/{address.rpartition('/')[2]}"))["view"]
    words = await call(page.context, "GET", f"/api/games/{game}/texts/{lang}")

    places = await page.evaluate(PLACES)
    # Captures are a button, and what others hold is a number: neither has a heading. Of two boards one is drawn, and opens; what
    # the viewer has bet lies in the hand, with a chip on it.
    drawn = await page.evaluate("[...document.querySelectorAll('.board [data-zone]')].map((zone) => zone.dataset.zone)")
    boards = [zone for zone in view["zones"] if zone["kind"] == "board"]
    assert {*drawn} >= {
        f"{zone['id']}/{'' if zone['owner'] is None else zone['owner']}"
        for zone in view["zones"]
        if zone["count"] and zone not in boards[1:] and (zone["kind"], zone["owner"]) != ("bet", view["you"])
    }
    for place in places:
        named_as_the_catalogue_has_it(place, view, words)
    await one_of_each(page)
    await headings_in_order(page)
    await tab_goes_from_place_to_place(page, places)


def named_as_the_catalogue_has_it(place: dict[str, Any], view: dict[str, Any], words: dict[str, Any]) -> None:
    """A place announces its name and number of cards; each of its cards is a button with the card's name."""
    (zone,) = [zone for zone in view["zones"] if f"{zone['id']}/{'' if zone['owner'] is None else zone['owner']}" == place["key"]]
    called = words["texts"]["zones"]
    title = called.get(zone["id"]) or called.get(zone["id"].removesuffix(f"-{zone['owner']}")) or called[zone["kind"]]
    assert title.lower() in place["heading"].lower()
    numbers = [zone["count"]] if not zone["stake"] else [zone["count"], zone["stake"]]
    assert re.findall(r"\d+", place["heading"].rpartition(title)[2]) == [str(number) for number in numbers if number is not None]
    assert place["named"] in (None, place["heading"])
    cards = place["cards"]
    if zone["kind"] == "board":
        cards = zone["cards"][: len(cards)]  # it tells of the newest, and each as often as it has come
        assert len(cards) == min(8, zone["count"])
        assert place["buttons"] == []  # all of it is one button, in its heading
        return
    elif zone["layout"] != "stack":
        bets = [one for one in view["zones"] if (one["kind"], one["owner"]) == ("bet", view["you"])]
        lying = [zone, *(bets if zone["kind"] == "hand" and zone["owner"] == view["you"] else [])]
        assert sorted(cards) == sorted(card for one in lying for card in one["cards"] if card)
    first = next(iter(words["names"].values()))
    names = first["cards"] | first["plain"]
    assert len(place["buttons"]) == len(cards)
    for card, (spoken, _) in zip(cards, place["buttons"], strict=True):
        assert spoken.startswith(names[card]), (card, spoken)
        if zone["owner"] == view["you"] and zone["kind"] == "hand":
            legal = [each for each in view["legal"] if each["action"] == card]
            assert len(legal) + sum(each["card"] == card for each in view["refused"]) == 1
            assert all(names[taken] in spoken for each in legal for taken in each["takes"] + each["choices"] if taken != card)
    assert sum(index == 0 for _, index in place["buttons"]) == min(1, len(place["buttons"]))
    assert place["others"] == 0
    assert place["drawings"]


async def one_of_each(page: Page) -> None:
    """One main part, one first heading, one log, one assertive line and one that is read on a key."""
    await expect(page.get_by_role("main")).to_have_count(1)
    await expect(page.get_by_role("heading", level=1)).to_have_count(1)
    await expect(page.get_by_role("log")).to_have_count(1)
    await expect(page.get_by_role("alert")).to_have_count(1)
    await expect(page.locator(".board p[role=status]")).to_have_count(1)
    assert await page.locator(".board [aria-live=assertive], .board [role=alert]").count() == 0


async def headings_in_order(page: Page) -> None:
    """No rank of headings is left out."""
    ranks = await page.evaluate("[...document.querySelectorAll('h1, h2, h3, h4')].map((each) => Number(each.tagName[1]))")
    assert ranks[0] == 1
    assert all(after - before <= 1 for before, after in pairwise(ranks)), ranks


async def tab_goes_from_place_to_place(page: Page, places: list[dict[str, Any]]) -> None:
    """Tab stops once at every place with cards, in the order in which they are read; arrows and Home and End go within."""
    stops: list[str] = []
    await page.keyboard.press("Tab")
    for _ in range(40):
        key = await page.evaluate("document.activeElement.closest('[data-zone]')?.dataset.zone ?? ''")
        if key:
            stops.append(key)
        if not await page.evaluate("document.activeElement !== document.body"):
            break
        await page.keyboard.press("Tab")
    zones = {place["key"] for place in places}
    assert [stop for stop in stops if stop in zones] == [place["key"] for place in places if place["stops"]]
    cards = page.locator(".mine.hand button")
    await page.keyboard.press("1")
    for key, at in (("End", -1), ("Home", 0)) if await cards.count() else ():
        await page.keyboard.press(key)
        assert await cards.nth(at if at == 0 else await cards.count() - 1).evaluate("card => card === document.activeElement")


@pytest.mark.parametrize("game", in_turn([name for name in games.names() if not games.find(name).side], 1))
async def test_events_are_announced_and_can_be_read_again(open_page: Open, game: str) -> None:
    page = await open_page(None)
    alert, log = page.get_by_role("alert"), page.get_by_role("log")
    for _ in range(TABLES):
        await page.goto(await turn(page, game))
        await expect(alert).not_to_be_empty()  # that it is one's turn
        await expect(log).to_be_empty()  # what was before one came is not read out
        await act(page, Keys())
        await expect(log).not_to_be_empty()
        if not await at_end(page):
            break  # else the card has won the round at once, and another one is begun
    assert not await at_end(page)

    status = page.locator(".board p[role=status]")
    heard: dict[str, str] = {}
    for key in "fhcsl":
        await page.keyboard.press(key)
        await expect(status).not_to_have_text(heard.get(key, ""))
        heard[key] = await status.inner_text()
    assert len(set(heard.values())) == len(heard), heard
    for card in await page.locator(".mine.hand button").all():
        assert str(await card.get_attribute("aria-label")).split(",")[0].split(";")[0] in heard["h"]

    await page.keyboard.press("?")
    await expect(page.get_by_role("dialog")).to_be_visible()
    await page.keyboard.press("Escape")
    await expect(page.get_by_role("dialog")).to_have_count(0)
    await page.keyboard.press("1")
    await page.keyboard.press("i")
    dialog = page.get_by_role("dialog")
    await expect(dialog.get_by_role("heading", level=2)).not_to_be_empty()
    await page.keyboard.press("Escape")
    await expect(dialog).to_have_count(0)
    assert await page.evaluate("document.activeElement.matches('.mine.hand button')"), "the focus does not come back to the card"
