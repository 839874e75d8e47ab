"""What is worth a moment has one: it is seen, heard and told, and holds nobody up who does not want it."""

import re

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
  OscillatorNode.prototype.start = function (...told) {
    tones += 1;
    return start.apply(this, told);
  };
}"""


# A moment stays until the test lets it pass: on a busy machine it would be over before it is looked at. Shorter waits go on.
HOLD = """() => {
  const begin = globalThis.setTimeout;
  const held = [];
  globalThis.setTimeout = (act, wait, ...given) => (wait < 1400 ? begin(act, wait, ...given) : -held.push(() => act(...given)));
  globalThis.pass = () => held.splice(0).forEach((act) => act());
}"""


def asks_before_any_yaku(table: Json) -> bool:
    """A yaku that is made already, as in a few deals, would have no moment."""
    view = table["view"]
    return bool(view and view["legal"]) and not any("yaku" in line["text"]["args"] for line in view["score"])


async def at_table(open_page: Open, motion: bool, pace: float = 1) -> tuple[Page, Json]:
    """Somebody at a table of two at which the other is asked nothing before one plays; the table. A moment there stays."""
    page = await open_page("/settings", motion=motion)
    await choose(page, pace=pace)
    address = await seated(page.context, FACES, ["person", "greedy"])
    table = await play_until(page.context, address, asks_before_any_yaku)
    async with page.expect_response(re.compile("/over-.*js")):
        await page.goto(f"/t/{address}")
    await page.locator(".prompt.asked").wait_for()
    await page.evaluate(HOLD)
    return page, await call(page.context, "GET", f"/api/tables/{table['id']}")


async def make_yaku(page: Page, table: Json) -> Json:
    """The other seat makes a yaku."""
    return await tell(page, table, TURNS, score=yaku_made(table, "four-wisteria", CARDS, 50))


async def test_a_yaku_is_seen_and_heard_and_told_once(open_page: Open) -> None:
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


async def test_a_press_ends_it(open_page: Open) -> None:
    page, table = await at_table(open_page, motion=True)
    await make_yaku(page, table)
    await page.locator(MOMENT).wait_for()
    await page.keyboard.press("x")
    assert not await page.locator(MOMENT).count()


async def test_without_motion_it_is_a_still_picture(open_page: Open) -> None:
    page, table = await at_table(open_page, motion=False)
    await make_yaku(page, table)
    await page.locator(MOMENT).wait_for()
    assert await page.evaluate("document.getAnimations().length") == 0


async def test_at_no_pace_it_is_words_alone(open_page: Open) -> None:
    page, table = await at_table(open_page, motion=True, pace=0)
    await make_yaku(page, table)
    await expect(page.locator(".at-table > [role=log]")).to_contain_text(TOLD)
    assert not await page.locator(MOMENT).count()


async def test_a_round_ends_with_a_seal_and_a_sentence(open_page: Open) -> None:
    page, table = await at_table(open_page, motion=False)
    result = {
        "id": "results.won-by",
        "args": {"seat": 0, "points": {"id": "amounts.points", "args": {"n": "12"}}, "yaku": "three"},
    }
    await tell(page, table, TURNS, over=True, returns=[12, -12], ending="rain-only", result=result)
    moment = page.locator(MOMENT)
    await expect(moment).to_contain_text("You win 12 points. The Three decided it.")
    assert await moment.locator(".seal").count() == 1
