"""Movement explains and never delays: there is none for whoever wants none, and what there is holds nobody up."""

import pytest
from playwright.async_api import Page

from tests.helpers.page.hands import CARDS, Mouse, act, at_end
from tests.helpers.page.staging import choose
from tests.helpers.page.tour import FACES, turn
from tests.page.conftest import Open

GAME = FACES

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
Element.prototype.animate = function (...told) {
  const each = animate.apply(this, told);
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
    for _ in range(3):
        if await at_end(page):
            return
        await act(page, Mouse())
    await at_end(page)


@pytest.mark.parametrize("by", ["system", "setting"])
async def test_nothing_moves_for_whoever_wants_no_motion(open_page: Open, by: str) -> None:
    page = await open_page(None, motion=by == "setting")
    await page.add_init_script(WATCH)
    address = await turn(page, GAME)
    if by == "setting":
        await page.goto("/settings")
        await choose(page, pace=0)
    await page.goto(address)
    await page.locator(CARDS).first.wait_for()
    # Nothing waits either: the next view is shown as soon as it is heard, and no clock is set for it.
    await page.evaluate("""() => {
      globalThis.waits = [];
      const set = setTimeout;
      globalThis.setTimeout = (what, delay, ...rest) => (waits.push(delay ?? 0), set(what, delay, ...rest));
    }""")
    await some_turns(page)
    assert await page.evaluate("moved.filter(([, duration]) => duration > 0)") == []
    assert not {300, 900} & set(await page.evaluate("waits"))


async def test_movement_is_seen_and_holds_nobody_up(open_page: Open) -> None:
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
    assert all(250 <= duration <= 650 for duration in durations), durations


async def test_a_press_that_hurries_does_nothing_else(open_page: Open) -> None:
    """What may be done then has come under the finger only now. And whoever has hurried may see all of it again."""
    page = await open_page(None, motion=True)
    await page.goto(await turn(page, GAME))
    await page.locator(CARDS).first.wait_for()
    played: list[str] = []
    page.on("request", lambda request: played.append(request.url) if request.url.endswith("/actions") else None)
    asked, again = page.locator(".prompt.asked"), page.locator(".again:not(.none)")
    while not await again.count():
        await act(page, Mouse())
        before = len(played)
        await page.wait_for_function(PRESSED_UNTIL_ASKED)
        assert len(played) == before
    await again.click()
    await asked.wait_for(state="detached")
    await asked.wait_for()
    assert len(played) == before
