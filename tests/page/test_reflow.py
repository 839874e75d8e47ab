"""Everything needed for play is visible at once, and nothing moves by itself: neither while loading nor in a round."""

from collections.abc import Callable
from itertools import product

import pytest
from playwright.async_api import Page, expect

from tests.helpers.page.browser import DESKTOP, PHONE, SCREENS, Screen, screen_name
from tests.helpers.page.hands import CARDS, HAND, Finger, play_round
from tests.helpers.page.room import WIDE
from tests.helpers.page.staging import Json, brought, choose, match_over, play_until, settled
from tests.helpers.page.tour import SHAPES, of_shape, replay, turn
from tests.helpers.tables import HELD, in_turn
from tests.page.conftest import Open

ROUND_TRIP, DOWN, UP, SLOWER = 150, 1_638_400 // 8, 750_000 // 8, 4  # ms, bytes a second, and how many times: a slow phone
MOST = 0.02  # of what a window's contents may be shifted by; 0.1 is what search engines call good

# Count layout shifts from now on, with their elements, as browsers do: without shifts within half a second after a touch or a key.
WATCH = """
globalThis.shifts = [];
new PerformanceObserver((list) => {
  for (const each of list.getEntries()) {
    if (each.hadRecentInput) continue;
    const who = each.sources.map(({ node, previousRect: was, currentRect: is }) => {
      const element = node?.nodeType === 1 ? node : node?.parentElement;
      const name = element ? `${element.tagName}.${element.getAttribute("class")}` : "nothing that is left";
      return `${name} ${[was.x, was.y, "to", is.x, is.y].join(" ")}`;
    });
    shifts.push([each.value, who.join("; "), Math.round(each.startTime)]);
  }
}).observe({ type: "layout-shift", buffered: true });
"""

# Note strips of the table that jump, and strips whose height changes; a question has the height that it needs.
STRIPS = """() => {
  globalThis.jumped = [];
  const [board] = document.querySelectorAll(".board > .table");
  const slides = new Map(); // the strips that slide, and where to
  const { animate } = board;
  Element.prototype.animate = function (...given) {
    slides.set(this, this.offsetTop);
    return animate.apply(this, given);
  };
  const place = ({ className, offsetTop, offsetHeight }) => ({ className, offsetTop, offsetHeight });
  let were = [...board.children].map(place);
  const look = () => {
    const strips = [...board.children].slice(0, were.length);
    const are = strips.map(place);
    are.forEach((is, at) => {
      const was = were[at];
      const jumps = is.offsetTop !== was.offsetTop && slides.get(strips[at]) !== is.offsetTop;
      // Hidden bets are seen when the cloth is lifted, beside chips: no room is kept for them before.
      const fixed = board.matches(".bank") ? /last|own/ : /others|last|own/;
      const grows = is.offsetHeight !== was.offsetHeight && fixed.test(is.className);
      const prompt = document.querySelector(".prompt")?.textContent; // none once the round is over
      if (prompt && (jumps || grows)) jumped.push([was, is, prompt]);
    });
    were = are;
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}"""


@pytest.mark.parametrize(("game", "screen"), in_turn(product(HELD, SCREENS)), ids=screen_name)
async def test_hand_and_field_fit_the_window(open_page: Open, game: str, screen: Screen) -> None:
    page = await open_page(None, screen=screen)
    await page.goto(await turn(page, game))
    await page.locator(CARDS).first.wait_for()
    assert await page.evaluate("scrollY") == 0
    hidden = await page.evaluate(
        """() => [...document.querySelectorAll(".mine.hand li, .field li, .ask .prompt")].flatMap((each) => {
          const { top, bottom } = each.getBoundingClientRect();
          return top < 0 || bottom > innerHeight + 1 ? [[each.dataset.card ?? "prompt", Math.round(bottom - innerHeight)]] : [];
        })"""
    )
    assert hidden == [], "below the window, by so many pixels"
    rest = "(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)(document.querySelector('.at-table > .board'))"
    # A hand that its player has opened may take a row more. The question can be pressed then, too: test_reach.py.
    opened = await page.locator(".others .hand ul").count()
    assert opened or await page.evaluate(rest) <= 1, "the table is higher than its window, by so many pixels"


@pytest.mark.slow
@pytest.mark.real_time  # what a browser does half a second after a touch counts as done by itself
@pytest.mark.parametrize("shape", SHAPES)
async def test_nothing_jumps_on_a_slow_phone(open_page: Open, shape: str) -> None:
    """Nothing moves while a table loads. Then strips keep their heights, and slide when cards change their size."""
    game = of_shape(shape)
    page = await open_page(None, screen=PHONE, once=True, motion=True)
    await page.add_init_script(WATCH)
    await slow_down(page)
    await page.goto("/")
    await Finger().deal(page, game)
    await page.locator(HAND).first.wait_for()
    shifts = await page.evaluate("shifts")
    assert sum(value for value, *_ in shifts) < MOST, sorted(shifts, reverse=True)[:8]
    await page.evaluate(STRIPS)
    await play_round(page, Finger())
    assert await page.evaluate("jumped") == []


async def slow_down(page: Page) -> None:
    """Return a slow phone on a slow connection, as in Lighthouse, with an empty cache."""
    session = await page.context.new_cdp_session(page)
    await session.send("Network.enable")
    slow = {"offline": False, "latency": ROUND_TRIP, "downloadThroughput": DOWN, "uploadThroughput": UP}
    await session.send("Network.emulateNetworkConditions", slow)
    await session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})


def with_pot(least: int, *, or_over: bool = False) -> Callable[[Json], bool]:
    """One's turn, with a pot on the table of so much at least; or the match is over."""

    def reached(table: Json) -> bool:
        return (or_over and match_over(table)) or bool(table["view"]["legal"] and table["view"]["middle"]["pot"] >= least)

    return reached


@pytest.mark.parametrize(("screen", "lang", "name"), [(PHONE, "en", "Pot"), (DESKTOP, "ja", "罰金")], ids=["phone", "desktop"])
async def test_growing_pot_moves_nothing(open_page: Open, screen: Screen, lang: str, name: str) -> None:
    page = await open_page(None, screen, lang=lang)
    table = await brought(page.context, "isuri", ["person", "random"], with_pot(1))
    await page.goto(f"/t/{table}")
    # The position of the stock, by the widths of its cards and of the open one, which is larger if it lies alone.
    aside: dict[tuple[int, int], set[int]] = {}
    for least in (1, 2, 4, 6):
        whole = await play_until(page.context, table, with_pot(least, or_over=True))
        if not match_over(whole):
            await expect(page.locator(".pot h2")).to_have_text(f"{name} {whole['view']['middle']['pot']}")
            pot, stock = page.locator(".pot"), page.locator(".beside .stock")
            width, left = await stock.evaluate("({ offsetWidth, offsetLeft }) => [offsetWidth, offsetLeft]")
            shown = await page.locator(".middle .pile li").first.evaluate("({ offsetWidth }) => offsetWidth")
            aside.setdefault((width, shown), set()).add(left)
            assert await pot.evaluate("pot => pot.scrollWidth <= pot.clientWidth")
            assert await pot.is_visible()
    assert all(max(lefts) - min(lefts) <= 1 for lefts in aside.values())


async def test_capture_that_grows_fits_a_narrow_chip(open_page: Open) -> None:
    """In large letters on a phone, where three other seats share a strip."""
    page = await open_page(None, screen=PHONE)
    await page.goto(await replay(page, "tenshu"))
    await page.locator(".replay .steps").wait_for()
    await choose(page, size=200)
    while not await page.locator(".chip :is(.group:has(em) + .group, .group + .group:has(em))").count():
        await page.keyboard.press("ArrowRight")
        await settled(page)
    assert await page.evaluate(WIDE) == []
