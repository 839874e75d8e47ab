"""Tables that are brought to a wanted state, by the same API that the page uses, as the same person."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from playwright.async_api import BrowserContext, Page, Request

Json = dict[str, Any]
OFTEN = 20  # milliseconds after which a page is asked again, whether it draws or not
LAST = 2  # cards of a hand that are its last
# On a busy machine the server may close an idle connection just when Playwright uses it again.
ALONE = {"connection": "close"}
TABLES = 12  # the most tables that are made until one reaches the wanted state

# Whether two frames come: what has changed before is in the second. Else it is said after a while that none comes.
DRAWN = """() => Promise.race([
  new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true)))),
  new Promise((done) => setTimeout(done, 5000, false)),
])"""


async def call(context: BrowserContext, method: str, path: str, body: Json | None = None) -> Any:
    """Return the JSON of an answer to a user's request, with the user's cookie. Fails on errors."""
    answer = await context.request.fetch(path, method=method, data=body, headers=ALONE)
    while answer.status == 429:  # too many requests: the test is faster than any person
        await asyncio.sleep(1)
        answer = await context.request.fetch(path, method=method, data=body, headers=ALONE)
    reply = await answer.json()
    assert answer.ok, reply
    return reply


async def seated(context: BrowserContext, game: str, seats: list[str] | None = None, **asked: Any) -> str:
    """Make a table and sit down at it. Returns its id."""
    await call(context, "POST", "/api/guests", {})
    table = str((await call(context, "POST", "/api/tables", {"game": game, "seats": seats} | asked))["id"])
    await call(context, "POST", f"/api/tables/{table}/seat", {"cut": "tsuru"})
    return table


async def play_until(context: BrowserContext, table: str, reached: Callable[[Json], bool]) -> Json:
    """Play the first legal action until the table has reached a state. Returns the table."""
    while True:
        whole: Json = await call(context, "GET", f"/api/tables/{table}")
        if reached(whole):
            return whole
        view, head = whole["view"], whole["head"]
        if view["legal"]:
            # Taking back would not go on.
            action = next(each["action"] for each in view["legal"] if each["text"]["id"] != "words.take-back")
            first = {"version": view["version"], "action": action}
            await call(context, "POST", f"/api/tables/{table}/actions", first)
        elif view["over"] and head["state"] == "running" and not head["seats"][whole["you"]]["ready"]:
            await call(context, "POST", f"/api/tables/{table}/ready", {"round": head["round"]})
        else:
            await asyncio.sleep(0.01)  # bots are choosing


def round_over(table: Json) -> bool:
    return bool(table["view"] and table["view"]["over"])


def match_over(table: Json) -> bool:
    return bool(table["head"]["state"] == "over")


def to_choose(table: Json) -> bool:
    """Return whether not every card of the hand is legal, often because another card must be chosen first."""
    return bool(table["view"]["legal"] and table["view"]["refused"])


def own_hand(table: Json) -> list[str]:
    """Return the cards of the viewer's hand."""
    view = table["view"]
    return [card for zone in view["zones"] if zone["kind"] == "hand" and zone["owner"] == view["you"] for card in zone["cards"]]


def to_play(table: Json) -> bool:
    """Return whether it is the viewer's turn with a card to play, some way into the round."""
    view, own = table["view"], own_hand(table)
    return view["version"] > 18 and any(each["action"] in own for each in view["legal"])


def nearly_over(table: Json) -> bool:
    """Return whether the viewer plays the last cards of a hand, where there is one; or the round is over."""
    return round_over(table) or bool(table["view"]["legal"] and len(own_hand(table)) <= LAST)


def to_answer(table: Json) -> bool:
    """Return whether the viewer has anything legal to do."""
    return bool(table["view"]["legal"])


async def brought(context: BrowserContext, game: str, seats: list[str], wanted: Callable[[Json], bool]) -> str:
    """Return a table that has reached a wanted state, in any round; another match is begun where one ends before."""
    for _ in range(TABLES):
        table = await seated(context, game, seats)
        if wanted(await play_until(context, table, lambda whole: wanted(whole) or match_over(whole))):
            return table
    raise AssertionError(f"{TABLES} matches of {game} and none that comes to {wanted.__name__}")


async def choose(page: Page, **settings: Any) -> None:
    """Change settings, as from another tab, and wait until the page is drawn with all that it loads for another language."""
    with loads(page) as loading:
        await page.evaluate(
            """settings => {
              const kept = JSON.parse(localStorage.getItem("mekuri") ?? "{}");
              localStorage.setItem("mekuri", JSON.stringify({ ...kept, ...settings }));
              dispatchEvent(new StorageEvent("storage", { key: "mekuri" }));
            }""",
            settings,
        )
        if "lang" in settings:
            await page.wait_for_function("lang => document.documentElement.lang === lang", arg=settings["lang"], polling=OFTEN)
            await settled(page)
            while any("stream" not in request.url for request in loading):
                await asyncio.sleep(OFTEN / 1000)
                await drawn(page)


@contextmanager
def loads(page: Page) -> Iterator[set[Request]]:
    """Give the requests of a page that have begun meanwhile and have not ended."""
    loading: set[Request] = set()

    def begin(request: Request) -> None:
        loading.add(request)

    def end(request: Request) -> None:
        loading.discard(request)

    page.on("request", begin)
    page.on("requestfinished", end)
    page.on("requestfailed", end)
    yield loading
    page.remove_listener("request", begin)
    page.remove_listener("requestfinished", end)
    page.remove_listener("requestfailed", end)


async def settled(page: Page) -> None:
    """Wait until the page has drawn everything and no request is pending."""
    # The page's content security policy forbids polling an expression given as text; a function is allowed.
    await page.wait_for_function(
        "() => performance.getEntriesByType('resource').every((each) => each.responseEnd || /stream/.test(each.name))",
        polling=OFTEN,
    )
    await page.evaluate("document.fonts.ready.then(() => {})")
    await drawn(page)


async def drawn(page: Page) -> None:
    """Wait until the page is drawn as it is now."""
    while not await page.evaluate(DRAWN):
        # A browser that has lost the frame of a window of this size, which happens to a busy one, draws that of another size.
        size = page.viewport_size
        assert size
        await page.set_viewport_size({"width": size["width"] + 1, "height": size["height"]})
        await page.set_viewport_size(size)
