"""Tables brought to where a test, or a picture, wants them: by the same API that the page uses, as the same person."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from playwright.async_api import BrowserContext, Page

from tests.helpers.patience import PATIENCE

Json = dict[str, Any]
TABLES = 12  # that are made until one comes to where it should


async def call(context: BrowserContext, method: str, path: str, body: Json | None = None) -> Any:
    """The JSON of an answer to somebody before a screen, with his cookie."""
    answer = await context.request.fetch(path, method=method, data=body)
    while answer.status == 429:  # faster than any person
        await asyncio.sleep(1)
        answer = await context.request.fetch(path, method=method, data=body)
    told = await answer.json()
    assert answer.ok, told
    return told


async def seated(context: BrowserContext, game: str, seats: list[str] | None = None, **asked: Any) -> str:
    """A new table at which this person sits."""
    await call(context, "POST", "/api/guests", {})
    table = str((await call(context, "POST", "/api/tables", {"game": game, "seats": seats} | asked))["id"])
    await call(context, "POST", f"/api/tables/{table}/seat", {"cut": "tsuru"})
    return table


async def play_until(context: BrowserContext, table: str, reached: Callable[[Json], bool]) -> Json:
    """Play the first legal action again and again until the table has come to where it should; the table then."""
    async with asyncio.timeout(PATIENCE):
        while True:
            whole: Json = await call(context, "GET", f"/api/tables/{table}")
            if reached(whole):
                return whole
            view, head = whole["view"], whole["head"]
            if view["legal"]:
                # What only takes back what was done leads nowhere.
                action = next(each["action"] for each in view["legal"] if each["text"]["id"] != "words.take-back")
                first = {"version": view["version"], "action": action}
                await call(context, "POST", f"/api/tables/{table}/actions", first)
            elif view["over"] and head["state"] == "running" and not head["seats"][whole["you"]]["ready"]:
                await call(context, "POST", f"/api/tables/{table}/ready", {"round": head["round"]})
            else:
                await asyncio.sleep(0.01)  # others think


def round_over(table: Json) -> bool:
    return bool(table["view"] and table["view"]["over"])


def match_over(table: Json) -> bool:
    return bool(table["head"]["state"] == "over")


def to_choose(table: Json) -> bool:
    """A turn at which not every card of the hand may be played: often because another is to be chosen first."""
    return bool(table["view"]["legal"] and table["view"]["refused"])


def to_play(table: Json) -> bool:
    """One's own turn, some way into the round."""
    view = table["view"]
    own = {card for zone in view["zones"] if zone["kind"] == "hand" and zone["owner"] == view["you"] for card in zone["cards"]}
    return view["version"] > 18 and any(each["action"] in own for each in view["legal"])


def to_answer(table: Json) -> bool:
    """One's own turn, whatever is asked."""
    return bool(table["view"]["legal"])


async def brought(context: BrowserContext, game: str, seats: list[str], wanted: Callable[[Json], bool]) -> str:
    """A table that has come to where it should, in this round or in a later one. Not every match does: then another is begun."""
    for _ in range(TABLES):
        table = await seated(context, game, seats)
        if wanted(await play_until(context, table, lambda whole: wanted(whole) or match_over(whole))):
            return table
    raise AssertionError(f"{TABLES} matches of {game} and none that comes to {wanted.__name__}")


async def choose(page: Page, **settings: Any) -> None:
    """Change settings, as from another tab."""
    await page.evaluate(
        """settings => {
          const kept = JSON.parse(localStorage.getItem("mekuri") ?? "{}");
          localStorage.setItem("mekuri", JSON.stringify({ ...kept, ...settings }));
          dispatchEvent(new StorageEvent("storage", { key: "mekuri" }));
        }""",
        settings,
    )
    if "lang" in settings:
        await page.wait_for_function("lang => document.documentElement.lang === lang", arg=settings["lang"])
        await settled(page)


async def settled(page: Page) -> None:
    """Wait until the page has drawn all that it has, and nothing that it had asked for is on its way."""
    # A text that is to be evaluated again and again is forbidden by the page's own policy; a function is not.
    await page.wait_for_function(
        "() => performance.getEntriesByType('resource').every((each) => each.responseEnd || /stream/.test(each.name))"
    )
    await page.evaluate(
        "document.fonts.ready.then(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))"
    )
