"""A whole round of every game against bots, from the first screen to the next round: by keys alone, and by mouse or touch."""

import struct
from dataclasses import replace
from itertools import cycle

import pytest
from playwright.async_api import Page, expect

from mekuri import bots, games
from tests.helpers.page.browser import DESKTOP, PHONE, SCREENS, Screen, screen_name
from tests.helpers.page.fixtures import stage, staged
from tests.helpers.page.hands import HAND, ONWARD, Finger, Hands, Keys, Mouse, at_end, focus_kept, follow, play_round, play_shortly
from tests.helpers.page.staging import call, play_until, seated, settled, to_answer
from tests.helpers.tables import in_turn
from tests.page.conftest import Open

# A finger on a phone, a mouse before a desktop, and each of them on the other: not all with every game. Without --slow every other
# game is played by pointing, and the others by keys, both without the middle of the round.
POINTED: list[tuple[Screen, Hands]] = [
    (PHONE, Finger()),
    (replace(DESKTOP, name="tablet", touch=True), Finger()),
    (DESKTOP, Mouse()),
    (replace(PHONE, name="window", touch=False), Mouse()),
]
BY_POINTING = [(game, *way) for game, way in zip(games.names(), cycle(POINTED), strict=False)]
BY_KEYS = list(zip(games.names(), cycle([SCREENS[0], SCREENS[0], SCREENS[1], SCREENS[1]]), strict=False))

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


@pytest.mark.parametrize(("game", "screen", "hands"), in_turn(BY_POINTING, 0, 2), ids=screen_name)
async def test_round_is_played_from_one_click(open_page: Open, game: str, screen: Screen, hands: Hands, in_full: bool) -> None:
    page = await open_page(screen=screen)
    await whole_round(page, game, hands, in_full)


@pytest.mark.parametrize(("game", "screen"), in_turn(BY_KEYS, 1, 2), ids=screen_name)
async def test_round_is_played_by_keys(open_page: Open, game: str, screen: Screen, in_full: bool) -> None:
    page = await open_page(None, screen=screen)
    await page.add_init_script(WATCH_FOCUS)
    await page.goto("/")
    await page.locator("article button.deal").first.wait_for()
    await whole_round(page, game, Keys(), in_full)
    await focus_kept(page)
    assert await page.evaluate("lost") == []


async def whole_round(page: Page, game: str, hands: Hands, in_full: bool) -> None:
    """Deal, play to the sheet, read it, and start the next round."""
    await hands.deal(page, game)
    await page.wait_for_url("**/t/*")
    table = page.url.rpartition("/")[2]
    dealt = 1
    while await at_end(page):
        # Another player has won before the first turn of this one: deal another round.
        await go_on(page, hands)
        dealt += 1
    assert await (play_round if in_full else play_shortly)(page, hands) > 0

    whole = await call(page.context, "GET", f"/api/tables/{table}")
    view = whole["view"]
    assert view["over"]
    sheet = page.locator(".result .sheet")
    rules = sheet.locator("table:not(.ledger) a.rule")
    assert await rules.count() == 0  # the sum comes first, and the rules when they are asked for
    if view["score"]:  # nobody may have scored
        await sheet.locator(".whole").click()
    assert await rules.count() == len(view["score"])
    for seat, brings in enumerate(view["brings"] if view["score"] else ()):
        total = await sheet.locator("table:not(.ledger)").nth(seat).locator("tfoot td").first.inner_text()
        assert int(total.replace("−", "-").replace("+", "")) == next(iter(brings.values()))

    await go_on(page, hands)
    await at_end(page)
    assert (await call(page.context, "GET", f"/api/tables/{table}"))["head"]["round"] == dealt + 1


async def go_on(page: Page, hands: Hands) -> None:
    """From the sheet of a round to the next."""
    async with page.expect_response(lambda answer: answer.url.endswith("/ready")) as ready:
        await hands.do(page, page.locator(ONWARD))
    assert (await ready.value).ok
    await page.locator(".board .table").first.wait_for()


@pytest.mark.every_days(4)
async def test_player_ends_a_match_early(open_page: Open) -> None:
    page, hands = await open_page(screen=DESKTOP), Mouse()
    await hands.deal(page, games.names()[0])
    await play_shortly(page, hands, 1)
    await page.get_by_role("button", name="End the match here").click()
    await page.get_by_text("The match is over").wait_for()
    head = (await call(page.context, "GET", f"/api/tables/{page.url.rpartition('/')[2]}"))["head"]
    assert (head["state"], head["why"], head["round"]) == ("over", "agreed", 1)


async def test_card_is_described_only_while_pointer_is_on_it(open_page: Open) -> None:
    """A card stays under a pointer that rests at its foot, though it rises. Its description goes when the pointer leaves it."""
    page = await open_page(None)
    table = await seated(page.context, "mushi", ["person", "random"])
    whole = await play_until(page.context, table, to_answer)
    await page.goto(f"/t/{table}")
    # The last card: play_until plays the first, and a word may follow the cards.
    last = [each["action"] for each in whole["view"]["legal"] if each["action"][0].isdigit()][-1]
    card = page.locator(f'{HAND}[data-card="{last}"]')
    await card.locator(".legal").wait_for()
    await settled(page)
    box = await card.bounding_box()
    assert box
    for above_foot in (box["height"] / 2, 1):
        await page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] - above_foot)
        await expect(card.locator("button:hover")).to_have_count(1)
    await expect(page.locator(".ask .more")).not_to_be_empty()
    before = whole["view"]["version"]
    whole = await play_until(page.context, table, lambda now: now["view"]["version"] > before and to_answer(now))
    await follow(page, whole)
    await page.mouse.move(0, 0)
    await expect(page.locator(".ask .more")).to_be_empty()


# Write down what a page writes on its canvases.
WRITTEN = """() => {
    window.written = [];
    const fill = CanvasRenderingContext2D.prototype.fillText;
    CanvasRenderingContext2D.prototype.fillText = function (text, ...place) {
        window.written.push(text);
        return fill.call(this, text, ...place);
    };
}"""


@pytest.mark.parametrize("game", in_turn(games.names(), 0))
async def test_shared_picture_of_a_round_names_no_other_player(open_page: Open, game: str) -> None:
    page = await open_page(None)
    over = next(each for each in staged(game, games.find(game).seats[0]) if each.name == "over")
    await page.goto(await stage(page.context, over))
    shared = page.get_by_role("button", name="Share a picture")
    await shared.wait_for()
    await page.evaluate(WRITTEN)
    async with page.expect_download() as begun:
        await shared.click()
    picture = (await (await begun.value).path()).read_bytes()
    assert picture.startswith(b"\x89PNG")
    assert struct.unpack(">II", picture[16:24]) == (1200, 630)
    written = " ".join(await page.evaluate("window.written"))
    assert "Mekuri" in written
    head = over.table.head
    others = [bots.find(seat.bot, games.find(game)).name["en"] for seat in head.seats if seat.bot]
    assert others
    assert not [name for name in others if name in written]
