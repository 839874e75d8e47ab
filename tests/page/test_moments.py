"""Moments: they are shown, heard and announced, and can be skipped."""

import re

import pytest
from playwright.async_api import Page, expect

from tests.helpers.page.staging import Json, call, choose, play_until, seated
from tests.helpers.page.telling import tell, yaku_made
from tests.helpers.page.tour import FACES
from tests.page.conftest import Open

MOMENT = "[data-moment]"
CARDS = ["4H", "4I", "4O", "4K"]
TURNS = {"id": "events.turn-takes", "args": {"seat": 1, "card": "4H", "cards": ["4I"]}}
TOLD = "Four Wisteria. +50 from you."

# How far the page has shifted, and how many tones were made, from now on.
WATCH = """() => {
  globalThis.shifted = 0;
  new PerformanceObserver((list) => {
    for (const each of list.getEntries()) shifted += each.hadRecentInput ? 0 : each.value;
  }).observe({ type: "layout-shift", buffered: false });
  globalThis.tones = 0;
  const start = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function (...given) {
    tones += 1;
    return start.apply(this, given);
  };
}"""


# A moment stays until the test lets it pass: on a busy machine it would be over before it is looked at. Shorter waits go on.
HOLD = """(least) => {
  const begin = globalThis.setTimeout;
  const held = [];
  globalThis.setTimeout = (act, wait, ...given) => (wait < least ? begin(act, wait, ...given) : -held.push(() => act(...given)));
  globalThis.pass = () => held.splice(0).forEach((act) => act());
}"""

MOMENTS = 1400  # milliseconds that any of them lasts
LONG = 1000  # a pace at which none is over by itself before it has been looked at

# The position of every rendered card in each of some frames.
FRAMES = """async () => {
  const frames = [];
  for (let n = 0; n < 12; n++) {
    await new Promise((done) => requestAnimationFrame(done));
    const boxes = [...document.querySelectorAll(".table svg.card")].map((each) => each.getBoundingClientRect());
    frames.push(JSON.stringify(boxes.map(({ x, y, width }) => [x, y, width])));
  }
  return frames;
}"""


def asks_before_any_yaku(table: Json) -> bool:
    """A yaku that is made already, as in a few deals, would have no moment."""
    view = table["view"]
    return bool(view and view["legal"]) and not any("yaku" in line["text"]["args"] for line in view["score"])


async def at_table(open_page: Open, motion: bool, pace: float = 1, least: int = MOMENTS) -> tuple[Page, Json]:
    """Return a player at a table of two at which the opponent is not asked before the player acts, and the table.

    Waits of this many milliseconds or more, such as moments, never end.
    """
    page = await open_page("/settings", motion=motion)
    await choose(page, pace=pace)
    address = await seated(page.context, FACES, ["person", "greedy"])
    table = await play_until(page.context, address, asks_before_any_yaku)
    async with page.expect_response(re.compile("/over-.*js")):
        await page.goto(f"/t/{address}")
    await page.locator(".prompt.asked").wait_for()
    await page.evaluate(HOLD, least)
    return page, await call(page.context, "GET", f"/api/tables/{table['id']}")


async def make_yaku(page: Page, table: Json) -> Json:
    """The other seat makes a yaku."""
    return await tell(page, table, TURNS, score=yaku_made(table, "four-wisteria", CARDS, 50))


async def test_yaku_is_shown_with_a_sound_and_announced_once(open_page: Open) -> None:
    page, table = await at_table(open_page, motion=True)
    await page.locator("h1, .bar").first.click()  # browsers are silent until then
    await page.evaluate(WATCH)
    await make_yaku(page, table)
    moment = page.locator(MOMENT)
    await expect(moment).to_contain_text("Four Wisteria")
    await expect(moment.locator("use")).to_have_count(len(CARDS))
    await page.wait_for_function("() => tones > 0")
    await expect(page.locator(".at-table > [role=log]")).to_contain_text(TOLD)
    assert (await page.locator("[role=log], [role=status], [role=alert]").all_inner_texts()).count(TOLD) <= 1
    assert await moment.get_attribute("aria-hidden") == "true"
    await page.evaluate("pass()")
    await moment.wait_for(state="detached")
    assert await page.evaluate("shifted") == 0


async def test_key_press_ends_the_moment(open_page: Open) -> None:
    page, table = await at_table(open_page, motion=True)
    await make_yaku(page, table)
    await page.locator(MOMENT).wait_for()
    await page.keyboard.press("x")
    assert not await page.locator(MOMENT).count()


async def test_moment_without_motion_is_a_still_picture(open_page: Open) -> None:
    page, table = await at_table(open_page, motion=False)
    await make_yaku(page, table)
    await page.locator(MOMENT).wait_for()
    assert await page.evaluate("document.getAnimations().length") == 0


async def test_moment_without_pace_is_a_log_line(open_page: Open) -> None:
    page, table = await at_table(open_page, motion=True, pace=0)
    await make_yaku(page, table)
    await expect(page.locator(".at-table > [role=log]")).to_contain_text(TOLD)
    assert not await page.locator(MOMENT).count()


async def test_round_ends_with_a_seal_and_a_sentence(open_page: Open) -> None:
    page, table = await at_table(open_page, motion=False)
    result = {
        "id": "results.won-by",
        "args": {"seat": 0, "points": {"id": "amounts.points", "args": {"n": "12"}}, "yaku": "three"},
    }
    await tell(page, table, TURNS, over=True, returns=[12, -12], ending="rain-only", result=result)
    moment = page.locator(MOMENT)
    await expect(moment).to_contain_text("You win 12 points. The Three decided it.")
    assert await moment.locator(".seal").count() == 1
    await page.keyboard.press("Escape")
    await expect(page.locator(".result header")).to_contain_text("The Three decided it.")


def captures(table: Json, seat: int) -> tuple[str, str, Json]:
    """A card of a seat that takes one of the field; the latter; and what changes of the view, with a question after it."""
    view = table["view"]
    zones = [dict(zone) for zone in view["zones"]]
    at = {(zone["kind"], zone["owner"]): zone for zone in zones}
    hand, field, captured = at["hand", seat], at["field", None], at["captured", seat]
    seen = {card for zone in zones for card in zone["cards"]}
    card, taken = hand["cards"][0] or next(each for each in ("7K", "8K", "9K", "10K") if each not in seen), field["cards"][0]
    hand["cards"], field["cards"] = hand["cards"][1:], field["cards"][1:]
    captured["cards"] = [*captured["cards"], card, taken]
    for zone in hand, field, captured:
        zone["count"] = len(zone["cards"])
    return card, taken, {"zones": zones, "legal": view["legal"], "prompt": view["prompt"]}


async def capture(page: Page, table: Json, seat: int) -> tuple[str, str]:
    """Let a seat capture a card. Return both cards."""
    card, taken, changes = captures(table, seat)
    await tell(page, table, {"id": "events.play-takes", "args": {"seat": seat, "card": card, "cards": [taken]}}, seat, **changes)
    return card, taken


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("ends", ["by a press", "by itself"])
async def test_capture_without_motion_is_a_still_picture(open_page: Open, seat: int, ends: str) -> None:
    page, table = await at_table(open_page, motion=False, pace=LONG)
    seat ^= table["you"]
    lain = await page.locator(f'.table [data-card="{captures(table, seat)[1]}"] svg.card').bounding_box()
    card, taken = await capture(page, table, seat)
    drawn = page.locator(".table > svg.card")
    await expect(drawn).to_have_count(2)
    boxes = {}
    for each in await drawn.all():
        boxes[str(await each.locator("use").first.get_attribute("href")).rpartition("#")[2]] = await each.bounding_box()
    assert lain
    assert boxes[taken] == pytest.approx(lain, abs=1)
    on = boxes[card]
    assert on
    assert 8 < on["x"] - lain["x"] < lain["width"] / 2
    assert 8 < on["y"] - lain["y"] < lain["height"] / 2
    assert len(set(await page.evaluate(FRAMES))) == 1
    asked = page.locator(".prompt.asked")
    assert not await asked.count()
    if ends == "by a press":
        await page.keyboard.press("x")
    else:
        await page.evaluate("pass()")
    await asked.wait_for()
    await expect(drawn).to_have_count(0)


async def test_capture_without_pace_is_shown_at_once(open_page: Open) -> None:
    page, table = await at_table(open_page, motion=False, pace=0, least=300)
    await capture(page, table, 1 - table["you"])
    await expect(page.locator(f'.table [data-card="{captures(table, 0)[1]}"]')).to_have_count(0)
    assert await page.locator(".prompt.asked").count()
    assert not await page.locator(".table > svg.card").count()
