"""Ways to play on the page: with a mouse, by touch, or with keys only."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Protocol

from playwright.async_api import Locator, Page, TimeoutError

from tests.helpers.page.staging import OFTEN, Json, nearly_over, own_hand, play_until

# The possible actions: a card to play or to capture, a word, or the way to the next round.
CARDS = ".board .card-button.legal"
WORDS = ".board .words button, .board .deck"
ONWARD = ".result .go button.onward"
ANYTHING = f"{CARDS}, {WORDS}, {ONWARD}"
RESULT = ".result"
CHOSEN = ":is(.card-button, .deck).chosen"  # chosen by the first tap; the second plays it
HAND = ".near.hand [data-card]"  # the user's own hand
LONG_PRESS = 5000  # milliseconds after which a tap counts as a long press
MANY = 60  # presses of keys after which an element counts as unreachable


class Hands(Protocol):
    """A way to act on the page."""

    async def deal(self, page: Page, game: str) -> None:
        """Begin a round from the first screen."""

    async def do(self, page: Page, what: Locator) -> None:
        """Play a card, say a word, or go on."""


class Mouse:
    """Acts by clicks."""

    async def deal(self, page: Page, game: str) -> None:
        await not_new(page, game)
        await deal_button(page, game).click()

    async def do(self, page: Page, what: Locator) -> None:
        await what.click()


class Finger:
    """Acts by taps: the first tap chooses a card or a stack, the second plays it."""

    async def deal(self, page: Page, game: str) -> None:
        await not_new(page, game)
        await deal_button(page, game).tap()

    async def do(self, page: Page, what: Locator) -> None:
        if not await what.evaluate("what => what.matches('.card-button, .deck')"):
            await what.tap()
            return
        # By what it is, and not by its place: a button beside it comes and goes.
        it = (
            f'[data-card="{await card_of(what)}"] .legal'
            if await is_card(what)
            else f'.deck[data-action="{await what.get_attribute("data-action")}"]'
        )
        card = page.locator(f".board {it}")
        chosen = page.locator(CHOSEN)
        # A busy browser may take a tap for a long press, which chooses nothing.
        while not await chosen.count():
            await card.tap()
            with suppress(TimeoutError):
                await chosen.wait_for(timeout=LONG_PRESS)
        assert await card.evaluate("card => card.classList.contains('chosen')")
        await card.tap()


class Keys:
    """Acts by keys and the focus only."""

    async def deal(self, page: Page, game: str) -> None:
        await not_new(page, game)
        await self.do(page, deal_button(page, game))

    async def do(self, page: Page, what: Locator) -> None:
        number = await what.evaluate(NUMBER)
        if number:
            await page.keyboard.press(number)
            await focus_kept(page)
            assert await has_focus(what), f"the key {number} does not lead to the card of this number"
        else:
            await self.reach(page, what)
        await page.keyboard.press("Enter")

    async def reach(self, page: Page, what: Locator) -> None:
        """Move the focus to an element: by Tab to its zone, and by arrow keys within the zone."""
        for _ in range(MANY):
            way = await what.evaluate(WAY)
            if way == "here":
                return
            await page.keyboard.press(way)
            await focus_kept(page)
        raise AssertionError(f"arrows and Tab do not lead to {await what.evaluate('what => what.outerHTML')}")


# The digit that picks a card of the user's own hand; empty for anything else.
NUMBER = """what => {
  const at = [...document.querySelectorAll(".mine.hand li button")].indexOf(what);
  return at >= 0 && at < 10 ? String((at + 1) % 10) : "";
}"""

# The key that leads nearer to an element: Tab, forward or back, to its zone, and within the zone the arrow that points to it.
WAY = """what => {
  const active = document.activeElement;
  if (active === what) return "here";
  if (!what.matches(".card-button") || active.closest("ul") !== what.closest("ul")) {
    return active.compareDocumentPosition(what) & Node.DOCUMENT_POSITION_PRECEDING ? "Shift+Tab" : "Tab";
  }
  const [from, to] = [active, what].map((each) => each.parentElement.getBoundingClientRect());
  const down = to.top + to.height / 2 - from.top - from.height / 2;
  if (Math.abs(down) > from.height / 2) return down > 0 ? "ArrowDown" : "ArrowUp";
  return to.left > from.left ? "ArrowRight" : "ArrowLeft";
}"""


# Whether the page has come to where so many cards are held, and so much can be done.
FOLLOWED = """([held, legal]) => {
  const count = (what) => document.querySelectorAll(`.table ${what}`).length;
  return count(".near.hand li") === held && count(".card-button.legal") + count(".words button, .deck") === legal;
}"""


def offered(game: str) -> str:
    """Return the selector of a game's strip on the first screen, which also links to the game's options."""
    return f'article:has(a[href$="/new/{game}"])'


def game_card(page: Page, game: str) -> Locator:
    """Return a game's strip on the first screen."""
    return page.locator(offered(game))


async def opened(page: Page, game: str) -> Locator:
    """Return a game's strip on the first screen, with what can be done beside dealing it."""
    strip = game_card(page, game)
    await strip.locator("summary").click()
    return strip


async def not_new(page: Page, game: str) -> None:
    """Note in the browser that a round of a game has been played: a match of it is dealt, and no first one."""
    await page.evaluate(
        """game => {
          const kept = JSON.parse(localStorage.getItem("mekuri") ?? "{}");
          localStorage.setItem("mekuri", JSON.stringify({ ...kept, learned: { [game]: 0, ...kept.learned } }));
          dispatchEvent(new StorageEvent("storage", { key: "mekuri" }));
        }""",
        game,
    )


def deal_of(game: str) -> str:
    """Return the selector of the button that deals a round of a game."""
    return f"{offered(game)} button.deal"


def deal_button(page: Page, game: str) -> Locator:
    """Return the button that deals a round of a game, on the first screen."""
    return page.locator(deal_of(game))


async def is_card(what: Locator) -> bool:
    return bool(await what.evaluate("what => what.matches('.card-button')"))


async def card_of(what: Locator) -> str:
    """Return the card of an element, in notation."""
    return str(await what.evaluate("what => what.closest('[data-card]').dataset.card"))


async def has_focus(what: Locator) -> bool:
    return bool(await what.evaluate("what => what === document.activeElement"))


async def focus_kept(page: Page) -> None:
    """Fail where nothing has the focus: users of keys only cannot go on without it."""
    assert await page.evaluate("document.activeElement !== document.body"), "the focus is lost"


async def seen(page: Page, what: str) -> None:
    """Wait until an element is there. If it does not appear, the error has the text of the page."""
    try:
        await page.locator(what).first.wait_for()
    except TimeoutError as error:
        raise AssertionError(f"{what} does not come to {page.url}:\n{await page.locator('body').inner_text()}") from error


async def what_now(page: Page) -> Locator:
    """Wait until something can be done, and return the first such element."""
    await seen(page, ANYTHING)
    for kind in (ONWARD, CARDS, WORDS):
        if await page.locator(kind).count():
            return page.locator(kind).first
    raise AssertionError("what there was to do is gone")


async def act(page: Page, hands: Hands) -> Any:
    """Do the first thing that can be done in a round. Returns the server's answer."""
    what = await what_now(page)
    async with page.expect_response(lambda answer: answer.url.endswith("/actions")) as asked:
        await hands.do(page, what)
    answer = await asked.value
    body = await answer.json()
    assert answer.ok, body
    return body


async def play_round(page: Page, hands: Hands) -> int:
    """Play until the score sheet of the round is shown. Returns how many actions were played."""
    done = 0
    while not await at_end(page):
        await act(page, hands)
        done += 1
    return done


async def play_shortly(page: Page, hands: Hands, first: int = 2) -> int:
    """Play the first actions of a round and its last cards; those between are played for the user. Returns how many were played."""
    done = 0
    while done < first and not await at_end(page):
        await act(page, hands)
        done += 1
    if not await at_end(page):
        whole = await play_until(page.context, page.url.rpartition("/")[2], nearly_over)
        if whole["view"]["over"]:
            await seen(page, RESULT)
        else:
            await follow(page, whole)
    return done + await play_round(page, hands)


async def follow(page: Page, table: Json) -> None:
    """Wait until a page shows as many cards in the user's hand and bets, and as many actions, as a table has."""
    view = table["view"]
    bet = sum(len(zone["cards"]) for zone in view["zones"] if zone["kind"] == "bet" and zone["owner"] == view["you"])
    await page.wait_for_function(FOLLOWED, arg=[len(own_hand(table)) + bet, len(view["legal"])], polling=OFTEN)


async def at_end(page: Page) -> bool:
    """Wait until something can be done or the round is over. Returns whether the round is over."""
    await seen(page, f"{ANYTHING}, {RESULT}")
    return bool(await page.locator(RESULT).count())
