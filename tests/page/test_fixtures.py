"""A player who is asked can see and press all playable cards without scrolling, at every window size."""

import dataclasses
from collections.abc import Iterable
from itertools import product
from pprint import pformat
from typing import Any

import pytest
from msgspec.structs import replace
from playwright.async_api import Page

from mekuri import games
from mekuri.cards.values import card_named
from mekuri.engine.puzzles import puzzles
from mekuri.engine.rulebook import LANGUAGES
from mekuri.protocol import table as wire
from mekuri.protocol.lesson import lesson
from mekuri.protocol.library import catalogue
from tests.helpers.page.fixtures import Staged, stage, staged
from tests.helpers.page.hands import Mouse
from tests.helpers.page.learning import press, right_answer
from tests.helpers.page.staging import choose, drawn
from tests.page.conftest import Open

SIZES = [(360, 640), (360, 740), (390, 844), (740, 360), (820, 1180), (1280, 800), (1920, 1080), (2560, 1440)]
LARGE = 200  # percent
LARGE_IN = [(360, 740), (740, 360), (820, 1180), (1280, 800)]
TALL = (100, 360, 1000)  # a row that is laid aside finds no room beside the field
WINDOWS = [(size, *window) for size, windows in ((100, SIZES), (LARGE, LARGE_IN)) for window in windows]
# Of each shape one game, with the fewest seats and the most; with --slow every game and number of seats.
TRIED = {games.find(game).shape: game for game in games.names()}
SEATED = [
    pytest.param(game, seats, marks=() if game in TRIED.values() and seats in (min(all_), max(all_)) else pytest.mark.slow)
    for game in games.names()
    for all_ in [games.find(game).seats]
    for seats in sorted(all_)
]

TAUGHT = [game for game in games.names() if lesson(games.find(game))]
PUZZLING = [game for game in games.names() if puzzles(games.find(game))]

# Set a text size. Only positions are measured, so nothing needs to be painted.
LETTERS = "size => { Object.assign(document.documentElement.style, { fontSize: `${size}%`, opacity: 0 }); }"

# Elements that are too small: a card that leaves the mat, is cut off or too narrow; a number that is covered; what can be
# pressed and is smaller than a finger; text that is cut off; a table that scrolls in letters of the usual size.
HIDDEN = """(large) => {
  const found = [];
  const board = document.querySelector(".at-table > .board, .table-of");
  const all = (what) => [...document.querySelectorAll(what)];
  const box = (each) => each.getBoundingClientRect();
  const name = (each) => each.closest("[data-card]")?.dataset.card ?? (each.ariaLabel || each.textContent.trim()).slice(0, 30);
  const shown = (each) => each.checkVisibility({ visibilityProperty: true }) && box(each).width > 1;
  const hit = (each, x, y) => { const at = document.elementFromPoint(x, y); return each === at || each.contains(at); };
  const run = (from, to, is) => {
    let [best, start] = [[0, 0], null];
    for (let at = from; at <= to + 1; at += 1) {
      if (at <= to && is(at)) start ??= at;
      else if (start !== null) { if (at - start > best[1]) best = [start, at - start]; start = null; }
    }
    return best;
  };
  const [prompt] = all(".table .prompt.asked, .table .says");
  const { left, right, top, bottom } = box(prompt);
  if (!large && (bottom > innerHeight + 1 || top < -1 || !hit(prompt, (left + right) / 2, (top + bottom) / 2)))
    found.push([name(prompt), "is not seen", Math.round(top), Math.round(bottom)]);
  for (const each of all(".run > span").filter(shown)) {
    const [{ left, right, top, bottom }, on] = [box(each), box(document.querySelector(".table > .cloth"))];
    if (!large && (top < on.top - 1 || !hit(each, (left + right) / 2, (top + bottom) / 2)))
      found.push([each.textContent.trim(), "of the pile is not seen", Math.round(top - on.top)]);
  }
  for (const each of all(".table > .middle > .zone").filter(shown)) {
    const [one, on] = [box(each), box(document.querySelector(".table > .middle"))];
    if (one.top < on.top - 1 || one.bottom > on.bottom + 1)
      found.push([name(each), "leaves its row", one.top - on.top, on.bottom - one.bottom]);
  }
  const low = document.querySelector(".table.low") !== null;
  for (const each of all(".table > .middle .card-button, .table > .hands .card-button").filter(shown)) {
    each.scrollIntoView({ block: "nearest" });
    const { left, right, top, bottom, width } = box(each);
    const on = each.closest(".middle") ? box(document.querySelector(".table > .cloth")) : box(board);
    if (left < on.left - 1 || right > on.right + 1 || top < on.top - 1 || bottom > on.bottom + 1)
      found.push([name(each), "leaves the mat", ...[left - on.left, on.right - right, on.bottom - bottom].map(Math.round)]);
    if (!large && (bottom > innerHeight + 1 || top < -1)) found.push([name(each), "is cut off", Math.round(bottom)]);
    const least = each.closest(".hands") ? (low ? 48 : 56) : each.closest(".grid") ? 44 : 0;
    if (width < least - 0.5) found.push([name(each), "is narrow", width]);
    const index = each.querySelector(".index");
    const mark = index && box(index.querySelector("svg") ?? index);
    if (mark && !hit(each, mark.right - 1, (mark.top + mark.bottom) / 2)) found.push([name(each), "has a mark that is covered"]);
  }
  for (const each of all(".at-table > .bar :is(a, button), .board :is(a, button)").filter(shown)) {
    each.scrollIntoView({ block: "nearest" });
    const { left, right, top, bottom } = box(each);
    const least = each.matches(".open, .new, .house") ? 23 : 43;
    const [x, wide] = run(left - 4, right + 4, (x) => hit(each, x, (top + bottom) / 2));
    const [, high] = run(top - 6, bottom + 44, (y) => hit(each, x + wide / 2, y));
    if (wide < least || high < least) found.push([name(each), "is less than a finger", wide, high]);
  }
  // Of what is clipped, all is seen or nothing: a line of text, or a card, is not cut in half.
  const halved = (each, { top, bottom, height }) => {
    for (let around = each; around && around !== board; around = around.parentElement) {
      if (getComputedStyle(around).overflowY === "visible") continue;
      const on = box(around);
      const seen = Math.min(bottom, on.bottom) - Math.max(top, on.top);
      if (on.width > 1 && seen > 0.2 * height && seen < 0.6 * height) return true;
    }
    return false;
  };
  const lines = (each) => {
    const range = document.createRange();
    return [...each.childNodes].filter((one) => one.nodeType === 3 && one.data.trim()).flatMap((one) => {
      range.selectNodeContents(one);
      return [...range.getClientRects()];
    });
  };
  board.scrollTop = 0;
  const bar = document.querySelector(".at-table > .bar");
  const strips = all(".at-table > .bar *, .board :is(.strip, .chip, .event) *").filter((each) => !each.closest(".spoken"));
  for (const each of strips.filter(shown)) {
    const parts = each.matches("svg.card") ? [box(each)] : lines(each);
    const below = ({ left, top, height }) => bar?.contains(document.elementFromPoint(left + 1, top + height / 2));
    if (parts.some((part) => halved(each, part))) found.push([name(each), "is cut in half"]);
    if (!bar?.contains(each) && parts.some(below)) found.push([name(each), "lies under the bar"]);
  }
  const cut = all(".at-table > .bar *, .board *").filter((each) => {
    const shows = [each, each.parentElement].some((one) => one && getComputedStyle(one).clipPath !== "none");
    const says = [...each.childNodes].some((one) => one.nodeType === 3 && one.data.trim());
    if (shows || !says || !shown(each) || each.closest(".spoken, .name, .who, .room, svg")) return false;
    const hides = (one) => getComputedStyle(one).overflowX !== "visible" || getComputedStyle(one).overflowY !== "visible";
    const around = hides(each) ? each : each.parentElement && hides(each.parentElement) ? each.parentElement : null;
    return around && (around.scrollWidth > around.clientWidth + 1 || around.scrollHeight > around.clientHeight + 3);
  });
  for (const each of cut) found.push([each.textContent.trim().slice(0, 40), "is cut off", each.className]);
  board.scrollTop = 0;
  const higher = board.scrollHeight - board.clientHeight;
  if (!large && higher > 0) found.push(["the table is higher by", higher]);
  const broader = board.scrollWidth - board.clientWidth;
  if (broader > 0) found.push(["the table is broader by", broader]);
  if (document.documentElement.scrollWidth > innerWidth + 1) found.push(["the page is broader"]);
  return found;
}"""


async def hidden_here(
    page: Page, name: str, windows: Iterable[tuple[int, int, int]], langs: Iterable[str], crowded: bool = False
) -> dict[str, Any]:
    """Return the elements that cannot be pressed, by window, text size and language, and leave the page in English.

    On a crowded screen the smallest window may scroll.
    """
    faults: dict[str, Any] = {}
    for lang in langs:
        if lang != "en":
            await choose(page, lang=lang)
        for size, width, height in windows:
            await page.evaluate(LETTERS, size)
            await page.set_viewport_size({"width": width, "height": height})
            await drawn(page)
            scrolls = size == LARGE or (crowded and (width, height) == (360, 640))
            if found := await page.evaluate(HIDDEN, scrolls):
                faults[f"{name}, {width}x{height}, {size} %, {lang}"] = found
        if lang != "en":
            await choose(page, lang="en")
    return faults


async def hidden(open_page: Open, tables: Iterable[Staged], in_full: bool) -> dict[str, Any]:
    """What cannot be pressed where one is asked, by table, window and size of the letters.

    In full every table is seen in every window and language, else they take turns.
    """
    page = await open_page(None)
    faults: dict[str, Any] = {}
    asked = [each for each in tables if each.table.view and each.table.view.legal]
    turns = 1 if in_full else min(3, len(asked))
    for n, each in enumerate(asked):
        await page.goto(await stage(page.context, each))
        await page.locator(".prompt.asked").wait_for()
        view = each.table.view
        aside = view and any(zone.kind == "dead" and zone.layout == "row" for zone in view.zones)
        windows = [*WINDOWS[n % turns :: turns], *[TALL] * bool(aside)]
        langs = LANGUAGES if in_full else [LANGUAGES[n % 2]]
        faults |= await hidden_here(page, each.name, windows, langs, len(each.table.head.seats) > 8)
    return faults


@pytest.mark.every_days(4)
@pytest.mark.parametrize(("game", "seats"), SEATED)
async def test_question_hand_and_field_fit_the_window(open_page: Open, game: str, seats: int, in_full: bool) -> None:
    faults = await hidden(open_page, staged(game, seats), in_full)
    if faults:
        pytest.fail(pformat(faults, width=160), pytrace=False)


@pytest.mark.every_days(4)
@pytest.mark.parametrize("game", TAUGHT)
async def test_every_step_of_a_lesson_fits_the_window(open_page: Open, game: str, in_full: bool) -> None:
    page = await open_page(f"/learn/{game}")
    taught, faults = lesson(games.find(game)), dict[str, Any]()
    assert taught
    for number, beat in enumerate(taught.beats, 1):
        await page.get_by_text(f"Step {number} of").wait_for(state="attached")
        windows, langs = (WINDOWS, LANGUAGES) if in_full else (WINDOWS[number % 3 :: 3], [LANGUAGES[number % 2]])
        faults |= await hidden_here(page, beat.id, windows, langs)
        if right := right_answer(beat):
            await press(page, beat, right, Mouse())
            await page.locator(".says.right").wait_for()
        await page.locator(".next").click()
    assert not faults, pformat(faults, width=160)


@pytest.mark.every_days(4)
@pytest.mark.parametrize("game", PUZZLING)
async def test_puzzle_fits_the_window(open_page: Open, game: str) -> None:
    page = await open_page(f"/puzzles/{game}")
    await page.get_by_role("link", name="Puzzle 1", exact=True).click()
    await page.locator(".prompt.asked").wait_for()
    faults = await hidden_here(page, game, WINDOWS, LANGUAGES)
    assert not faults, pformat(faults, width=160)


# How much of the window face-up cards of 14 pixels and more cover together, captured ones too: percent, in steps of 2 pixels.
FACES = """() => {
  const cards = [...document.querySelectorAll(".at-table svg.card")].filter((card) => !card.innerHTML.includes("back"));
  const boxes = cards.map((card) => card.getBoundingClientRect()).filter(({ width }) => width >= 14);
  let covered = 0, all = 0;
  for (let y = 1; y < innerHeight; y += 2) for (let x = 1; x < innerWidth; x += 2, all++)
    covered += boxes.some(({ left, right, top, bottom }) => left <= x && x <= right && top <= y && y <= bottom);
  return (100 * covered) / all;
}"""
SHARES = {("mushi", 2): 40, ("tensho", 2): 38, ("tenshu", 4): 38, ("hiyoko", 2): 30, ("isuri", 2): 30, ("mutsuichi", 4): 30}


@pytest.mark.parametrize(("game", "seats"), SHARES)
async def test_faces_fill_a_phone(open_page: Open, game: str, seats: int) -> None:
    """With the most cards in hand when a card is to be played, and all numbers that may have come."""
    page = await open_page(None)
    turns = [each for each in staged(game, seats) if each.table.view and each.table.view.legal]
    await page.set_viewport_size({"width": 360, "height": 740})
    each = max(turns, key=lambda each: in_hand(each.table))
    await page.goto(await stage(page.context, with_all_that_came(each)))
    await page.locator(".prompt.asked").wait_for()
    await drawn(page)
    assert await page.evaluate(FACES) >= SHARES[game, seats]


def with_all_that_came(each: Staged) -> Staged:
    """Return the table as in the middle of a match: every number has come."""
    view = each.table.view
    assert view
    zones = list(view.zones)
    for at, zone in enumerate(zones):
        if zone.kind == "board":
            cards = tuple(card_named(f"{number}I") for number in (3, 1, 6, 2, 5, 4))
            zones[at] = dataclasses.replace(zone, cards=cards)
    return each._replace(table=replace(each.table, view=dataclasses.replace(view, zones=tuple(zones))))


def in_hand(table: wire.Table) -> tuple[int, bool]:
    """The number of the viewer's cards, and whether one of them may be played."""
    view = table.view
    assert view
    hand = [card for zone in view.zones if zone.kind == "hand" and zone.owner == view.you for card in zone.cards]
    return len(hand), any(each.action in map(str, hand) for each in view.legal)


# The heaps of stones that are seen, each by the stones of either kind, and whether the page is broader for them.
HEAPS = """() => ({
  heaps: [...document.querySelectorAll(".heap")].filter((each) => {
    const { width, height, left, right } = each.getBoundingClientRect();
    return width > 8 && height > 5 && left >= 0 && right <= innerWidth;
  }).length,
  broader: document.documentElement.scrollWidth > innerWidth + 1,
})"""


@pytest.mark.every_days(4)
async def test_stones_are_drawn_where_they_are_counted(open_page: Open) -> None:
    """On a desktop, a tablet and a phone, for the viewer's own seat; and never for points."""
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
            where = f"{game}, {seats} seats, {width}x{height}"
            assert seen["heaps"] >= held(each, stones) + pots if stones else seen["heaps"] == pots, where
            assert not seen["broader"], where
    assert tried == {True, False}


def ledger(each: Staged) -> list[int]:
    """Return the stones of all seats in the match."""
    assert each.table.view
    return [value for account in each.table.view.ledger for value in account.values()]


def held(each: Staged, stones: Iterable[str]) -> bool:
    """Whether the viewer has stones. Those of others are shown as a number."""
    view = each.table.view
    assert view
    assert view.you is not None
    return any(view.ledger[view.you].get(one, 0) > 0 for one in stones)
