"""Movement explains and never delays: reduced motion has none, and no player waits for it."""

from typing import Any

import pytest
from playwright.async_api import BrowserContext, Page, expect

from mekuri import games
from mekuri.protocol.coding import to_builtins
from mekuri.protocol.table import Table
from tests.helpers.page.browser import PHONE
from tests.helpers.page.fixtures import stage, staged
from tests.helpers.page.hands import CARDS, Mouse, act, at_end
from tests.helpers.page.staging import TABLES, call, choose, seated
from tests.helpers.page.telling import tell
from tests.helpers.page.tour import FACES, of_shape, turn
from tests.page.conftest import Open

GAME = FACES
OWN_LOOK = 250  # milliseconds for which one's own action is looked at at the usual pace (moments.ts)

# Everything that is animated from now on, as [what, duration].
WATCH = """
globalThis.moved = [];
const look = () => {
  for (const each of document.getAnimations()) {
    if (each.seen) continue;
    each.seen = true;
    moved.push([each.id || each.transitionProperty || each.animationName, each.effect.getComputedTiming().duration]);
  }
  requestAnimationFrame(look);
};
look();
const animate = Element.prototype.animate;
Element.prototype.animate = function (...given) {
  const each = animate.apply(this, given);
  each.seen = true;
  moved.push([each.id, each.effect.getComputedTiming().duration]);
  return each;
};
"""


# Presses a card of the hand, and lets go of it a moment later, again and again until one is asked something.
PRESSED_UNTIL_ASKED = """async () => {
  if (document.querySelector(".prompt.asked")) return true;
  document.querySelector("dialog[open]")?.close();
  const card = () => document.querySelector(".mine.hand .card-button");
  card()?.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true, pointerType: "mouse" }));
  await new Promise((done) => setTimeout(done));
  card()?.click();
  return false;
}"""


async def some_turns(page: Page) -> None:
    """Play a little."""
    for _ in range(2):
        if await at_end(page):
            return
        await act(page, Mouse())
    await at_end(page)


@pytest.mark.every_days(4)
@pytest.mark.parametrize("by", ["system", "setting"])
async def test_reduced_motion_moves_nothing(open_page: Open, by: str) -> None:
    page = await open_page(None, motion=by == "setting")
    await page.add_init_script(WATCH)
    address = await turn(page, GAME)
    await page.goto("/settings")
    await choose(page, pace=0 if by == "setting" else 1)
    await page.goto(address)
    await page.locator(CARDS).first.wait_for()
    # Nothing waits either: the next view is shown as soon as it is heard, and no clock is set for it. But captures and yaku are
    # still pictures.
    await page.evaluate("""() => {
      globalThis.waits = [];
      const set = setTimeout;
      globalThis.setTimeout = (what, delay, ...rest) => (waits.push(delay ?? 0), set(what, delay, ...rest));
    }""")
    await some_turns(page)
    assert await page.evaluate("moved.filter(([, duration]) => duration > 0)") == []
    assert OWN_LOOK not in await page.evaluate("waits")


@pytest.mark.every_days(4)
async def test_movement_delays_no_player(open_page: Open) -> None:
    page = await open_page(None, motion=True)
    await page.add_init_script(WATCH)
    await page.goto(await turn(page, GAME))
    await page.locator(CARDS).first.wait_for()
    await act(page, Mouse())
    await page.wait_for_function("() => moved.some(([id]) => id === 'flight')")
    # In the middle of it a card of the hand is asked for by its number: at once all is there, and the next can be played.
    await page.keyboard.press("1")
    assert await page.evaluate("document.activeElement.matches('.mine.hand button')")
    await some_turns(page)
    durations = [duration for _, duration in await page.evaluate("moved.filter(([id]) => id === 'flight')")]
    assert durations
    assert all(250 <= duration <= 950 for duration in durations), durations


async def test_press_that_skips_does_nothing_else(open_page: Open) -> None:
    """A control may have moved under the finger just now. The player can replay the skipped events."""
    page = await open_page(None, motion=True)
    await page.goto(await turn(page, GAME))
    await page.locator(CARDS).first.wait_for()
    played: list[str] = []
    page.on("request", lambda request: played.append(request.url) if request.url.endswith("/actions") else None)
    asked, again = page.locator(".prompt.asked"), page.get_by_role("dialog").get_by_role("button", name="Show again")
    while not await again.count():
        await page.keyboard.press("Escape")
        await act(page, Mouse())
        before = len(played)
        await page.wait_for_function(PRESSED_UNTIL_ASKED)
        assert len(played) == before
        await page.locator(".lately").click()
        await page.get_by_role("dialog").wait_for()
    await again.click()
    await asked.wait_for(state="detached")
    await asked.wait_for()
    assert len(played) == before


# Everything that moves stays at its start until the test ends it, so that a slow machine sees it, too.
HELD = """
const animate = Element.prototype.animate;
Element.prototype.animate = function (...given) {
  const each = animate.apply(this, given);
  if (globalThis.held ?? true) each.pause();
  return each;
};
"""
FLYING = "document.getAnimations().filter((each) => each.id === 'flight' && each.playState !== 'finished').length"


FIRST = 8  # the version up to which a deal is the first that a page shows (live.svelte.ts): each misdeal adds two


async def dealt(own: BrowserContext, other: BrowserContext) -> str:
    """A table of two people that has just been dealt, with one misdeal at most, at which the first of them begins."""
    for attempt in range(TABLES):
        table = await seated(own, GAME, ["person", "person"], first_dealer=attempt % 2)
        await call(other, "POST", "/api/guests", {})
        await call(other, "POST", f"/api/tables/{table}/seat", {})
        whole = await call(own, "GET", f"/api/tables/{table}")
        if whole["view"]["legal"] and whole["version"] <= FIRST:
            return table
    raise AssertionError("somebody begins")


@pytest.mark.every_days(4)
async def test_first_deal_is_shown_and_a_press_ends_it(open_page: Open) -> None:
    page, other = await open_page("/settings", motion=True), await open_page("/")
    table = await dealt(page.context, other.context)
    await choose(page, pace=1000)  # it ends by the press, and not by itself, on however slow a machine
    await page.add_init_script(HELD)
    played: list[str] = []
    page.on("request", lambda request: played.append(request.url) if request.url.endswith("/actions") else None)
    await page.goto(f"/t/{table}")
    await page.wait_for_function(f"() => {FLYING} > 10")
    # A card that is pressed meanwhile is not played. Later actions of others move as usual.
    await choose(page, pace=1)
    await page.evaluate("globalThis.held = false")
    await page.locator(".mine.hand .card-button").first.click(force=True)
    await page.wait_for_function(f"() => {FLYING} === 0")
    assert not played
    # After a return everything is shown at once.
    await act(page, Mouse())
    await page.reload()
    await page.locator(".mine.hand .card-button").first.wait_for()
    assert not await page.evaluate(FLYING)
    assert not await page.locator(".undealt").count()


async def test_reduced_motion_shows_the_whole_deal(open_page: Open) -> None:
    page = await open_page(None, motion=False)
    await page.add_init_script(WATCH)
    await page.goto("/")
    await choose(page, pace=1)
    await Mouse().deal(page, GAME)
    await page.locator(".mine.hand .card-button").first.wait_for()
    assert await page.evaluate("moved.filter(([, duration]) => duration > 0)") == []


async def staged_table(open_page: Open, game: str, seats: int, what: str) -> tuple[Page, dict[str, Any]]:
    """Return a page with a staged table on a phone, and the table."""
    page = await open_page("/settings", PHONE, motion=True)
    await choose(page, pace=3)
    each = next(one for one in staged(game, seats) if one.name == what)
    async with page.expect_response(lambda answer: "/motion-" in answer.url):
        await page.goto(await stage(page.context, each))
    await page.locator(".prompt.asked").wait_for()
    whole: Table = each.table
    return page, to_builtins(whole)


@pytest.mark.every_days(4)
async def test_cards_of_a_chip_fly_from_it_and_back(open_page: Open) -> None:
    game = of_shape("ring")
    page, table = await staged_table(open_page, game, max(games.find(game).seats), "prompts.play hand")
    assert await page.locator(".chip").count()
    zones = [dict(zone) for zone in table["view"]["zones"]]
    seen = {card for zone in zones for card in zone["cards"] if card}
    seat = next(zone["owner"] for zone in zones if zone["kind"] == "hand" and zone["owner"] and zone["cards"])
    laid = next(card for card in ("7K", "8K", "9K", "10K", "11K", "12K", "3K") if card not in seen)
    taken = next(zone["cards"][0] for zone in zones if zone["kind"] == "field")
    for zone in zones:
        if zone["kind"] == "field" or (zone["owner"] == seat and zone["kind"] == "hand"):
            zone["cards"] = zone["cards"][1:]
        elif zone["owner"] == seat and zone["kind"] == "captured":
            zone["cards"] = [*zone["cards"], laid, taken]
        zone["count"] = len(zone["cards"])
    text = {"id": "events.play-takes", "args": {"seat": seat, "card": laid, "cards": [taken]}}
    await tell(page, table, text, seat, zones=zones)
    ghosts = page.locator(".table > svg.card use:first-child")
    await expect(ghosts).to_have_count(2)
    drawn = {str(await ghost.get_attribute("href")).rpartition("#")[2] for ghost in await ghosts.all()}
    assert drawn == {laid, taken}
    await expect(ghosts).to_have_count(0)


async def test_stones_slide_to_the_winner_of_a_round(open_page: Open) -> None:
    page, table = await staged_table(open_page, GAME, 2, "prompts.play hand, late")
    result = {"id": "results.won", "args": {"seat": 0, "points": "+4"}}
    text = {"id": "events.turn-takes", "args": {"seat": 1, "card": "4H", "cards": ["4I"]}}
    await tell(page, table, text, over=True, returns=[4, -4], brings=[], result=result)
    stones = page.locator(".table > .stone")
    await expect(stones).to_have_count(4)
    await expect(stones).to_have_count(0)
