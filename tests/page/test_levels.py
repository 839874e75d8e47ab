"""A round of every game against each of its characters on the page, with their names shown."""

import pytest

from mekuri import bots, games
from mekuri.engine.rulebook import rulebook
from tests.helpers.page.browser import DESKTOP, PHONE, Screen
from tests.helpers.page.hands import Finger, Hands, Mouse, deal_button, play_round
from tests.helpers.page.staging import call, seated, settled
from tests.helpers.tables import GAMES, LARGER, USUAL
from tests.page.conftest import Open

EVERY = [(name, one.id) for name in GAMES for one in bots.characters(games.find(name))]
WAYS: list[tuple[Screen, Hands]] = [(PHONE, Finger()), (DESKTOP, Mouse())]


@pytest.mark.slow
@pytest.mark.parametrize(("game", "who", "screen", "hands"), [(*pair, *WAYS[n % 2]) for n, pair in enumerate(EVERY)])
async def test_round_against_every_character_is_played(open_page: Open, game: str, who: str, screen: Screen, hands: Hands) -> None:
    page = await open_page(screen=screen)
    contract = games.find(game)
    table = await seated(page.context, game, ["person", *[who] * (contract.seats[0] - 1)])
    await page.goto(f"/t/{table}")
    drawn = page.locator(".seat:has(> svg, > .crest > svg)")
    await drawn.first.wait_for()
    known = bots.known(who)
    assert known
    assert await drawn.count() == contract.seats[0] - 1
    assert known.name["en"] in await drawn.locator(".name").first.inner_text()
    await play_round(page, hands)
    assert (await call(page.context, "GET", f"/api/tables/{table}"))["view"]["over"]


async def test_character_is_chosen_by_name_level_and_temper(open_page: Open) -> None:
    page = await open_page(f"/new/{USUAL}", screen=PHONE)
    chosen = page.locator(".seats select").nth(1)
    await chosen.wait_for()
    characters = bots.characters(games.find(USUAL))
    offered = chosen.locator("optgroup").first.locator("option")
    of = len(characters)
    assert await offered.all_inner_texts() == [f"{one.name['en']} · level {n} of {of}" for n, one in enumerate(characters, 1)]
    assert await chosen.input_value() == bots.weakest(games.find(USUAL))
    for one in characters:
        await chosen.select_option(one.id)
        await settled(page)
        shown = page.locator(".seats > div").nth(1).locator("p")
        assert await shown.inner_text() == bots.temper(one, rulebook(games.find(USUAL)))["en"]
        drawn = one.emblem()
        assert drawn
        assert await shown.locator("path").nth(1).get_attribute("d") == drawn.ink


async def test_several_opponents_are_different_characters(open_page: Open) -> None:
    """Among what can be chosen, and at the table that is dealt from the first screen."""
    contract = games.find(LARGER)
    company = bots.company(contract, contract.seats[0] - 1, bots.weakest(contract))
    page = await open_page("/")
    await deal_button(page, LARGER).click()
    await page.wait_for_url("**/t/*")
    table = await call(page.context, "GET", f"/api/tables/{page.url.rpartition('/')[2]}")
    assert tuple(seat["bot"] for seat in table["head"]["seats"][1:]) == company
    await page.goto(f"/new/{LARGER}")
    await page.locator(".seats select").nth(1).wait_for()
    chosen = [await each.input_value() for each in await page.locator(".seats select").all()]
    assert chosen == ["you", *company]
