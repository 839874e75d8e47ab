"""A table at a glance, with seeded tables."""

from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from mekuri import games
from tests.helpers.page.browser import DESKTOP, PHONE, Screen
from tests.helpers.page.fixtures import Staged, stage, staged
from tests.helpers.page.staging import choose
from tests.page.conftest import Open
from tests.page.tables import write

NUMBERED = next(name for name in games.names() if games.find(name).by_number and games.find(name).shape == "faces")
PLAIN = next(name for name in games.names() if not games.find(name).by_number)
MANY = next(name for name in games.names() if games.find(name).shape == "ring")


PILES = [name for name in games.names() if games.find(name).shape == "pile"]


def wild_of(each: Staged) -> set[str]:
    return {card for card, worth in each.worths.cards.items() if worth.wild}


def hand(each: Staged) -> list[str]:
    zones = each.table.view.zones if each.table.view else []
    return [str(card) for zone in zones if zone.kind == "hand" and zone.owner == 0 for card in zone.cards if card is not None]


async def shown(open_page: Open, each: Staged, screen: Screen = DESKTOP) -> Page:
    page = await open_page(None, screen)
    await page.goto(await stage(page.context, each))
    await page.locator(".table .seat").first.wait_for()
    return page


def asked(game: str, seats: int, what: str = "play") -> Staged:
    return next(each for each in staged(game, seats) if each.name.startswith(f"prompts.{what} "))


async def test_numbers_stand_above_cards_in_games_of_numbers(open_page: Open) -> None:
    each = asked(NUMBERED, 2)
    page = await shown(open_page, each)
    assert each.table.view
    zones = each.table.view.zones
    open_cards = [card for zone in zones if zone.kind == "field" or zone.owner == 0 for card in zone.cards if card is not None]
    captured = [card for zone in zones if zone.kind == "captured" and zone.owner == 0 for card in zone.cards]
    numbers = page.locator(".card-button .index")
    assert sorted(await numbers.all_inner_texts()) == sorted(str(card)[:-1] for card in open_cards if card not in captured)
    await choose(page, numbers=False)
    await expect(numbers).to_have_count(0)


async def test_no_numbers_in_games_of_flowers(open_page: Open) -> None:
    page = await shown(open_page, asked(PLAIN, 2))
    await expect(page.locator(".mine.hand .card-button").first).to_be_visible()
    assert not await page.locator(".index").count()


async def test_matching_layable_and_illegal_cards_look_different(open_page: Open) -> None:
    each = asked(NUMBERED, 2)
    view = each.table.view
    assert view
    page = await shown(open_page, each)
    matching = {legal.action for legal in view.legal if legal.takes or legal.choices}
    assert matching
    for legal in view.legal:
        card = page.locator(f'.mine.hand [data-card="{legal.action}"] .card-button')
        line = await card.evaluate("card => getComputedStyle(card, '::after').borderBottomStyle")
        assert (line == "solid") == (legal.action in matching), legal.action
    each = next(one for one in staged(PILES[0], 2) if one.table.view and one.table.view.refused)
    page = await shown(open_page, each)
    assert each.table.view
    for refused in each.table.view.refused:
        card = page.locator(f'.mine.hand [data-card="{refused.card}"] .card-button')
        veil = await card.evaluate("card => getComputedStyle(card, '::before').backgroundColor")
        assert veil not in ("transparent", "rgba(0, 0, 0, 0)"), refused.card


async def test_wild_cards_have_a_badge_and_a_label(open_page: Open) -> None:
    each = next(one for game in PILES for one in staged(game, 2) if wild_of(one) & set(hand(one)))
    page = await shown(open_page, each)
    wild = wild_of(each)
    for card in await page.locator(".mine.hand [data-card]").all():
        name = str(await card.get_attribute("data-card"))
        assert await card.locator(".wild").count() == (name in wild)
        assert ("wild" in str(await card.locator("button").get_attribute("aria-label"))) == (name in wild)


# The positions of everything that can be pressed; a card under the pointer may rise in its place.
PLACES = """() => [...document.querySelectorAll(".table :is(.words button, [data-card], .prompt)")].map((each) => {
  const { left, top, width, height } = each.getBoundingClientRect();
  return [left, top, width, height].map(Math.round).join();
})"""
WORDED = [(games.find(game).shape, game) for game in games.names()]


@pytest.mark.parametrize("game", dict(WORDED).values())
async def test_pointing_moves_nothing(open_page: Open, game: str) -> None:
    """Otherwise the player would press another element that moved under the pointer."""
    worded = [each for each in staged(game, min(games.find(game).seats)) if each.table.view and "prompt" in each.name]
    each = max(worded, key=lambda one: sum(not legal.action[0].isdigit() for legal in one.table.view.legal))  # type: ignore[union-attr]
    page = await shown(open_page, each)
    await page.mouse.move(0, 0)
    before = await page.evaluate(PLACES)
    for what in await page.locator(".table :is(.words button, .card-button)").all():
        await what.hover()
        assert await page.evaluate(PLACES) == before


async def test_chip_opens_the_whole_seat(open_page: Open) -> None:
    each = next(one for one in staged(MANY, max(games.find(MANY).seats)) if one.name.endswith("late"))
    view = each.table.view
    assert view
    page = await shown(open_page, each, PHONE)
    chips = page.locator(".chip")
    assert await chips.count() == len(each.table.head.seats) - 1
    owner, cards = max(
        ((zone.owner, zone.cards) for zone in view.zones if zone.kind == "captured" and zone.owner), key=lambda zone: len(zone[1])
    )
    names = [await chip.locator(".name").inner_text() for chip in await chips.all()]
    assert len(set(names)) == len(names)
    for chip in await chips.all():
        await chip.click()
        dialog = page.get_by_role("dialog")
        await expect(dialog).to_be_visible()
        if await dialog.locator(f'[data-zone$="/{owner}"]').count():
            assert await dialog.locator("[data-card]").count() >= len(cards)
            break
        await page.keyboard.press("Escape")
        await expect(dialog).to_have_count(0)
    else:
        raise AssertionError(f"no chip shows seat {owner}")


def test_changed_pictures_are_named(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    assert write({"a": b"1", "b": b"2"}, old, None) == []
    assert write({"a": b"1", "b": b"3", "c": b"4"}, new, old) == ["b", "c"]
    page = (new / "index.html").read_text()
    assert page.index("b (changed)") < page.index("<h2>a")
