"""Events sent to a page with an open table as if by its server, for what seldom happens in play."""

from __future__ import annotations

from typing import Any

from playwright.async_api import Page

from tests.helpers.page.staging import Json

# The way in which another tab that holds the connection passes an event on to this one.
TELL = """event => {
  const channel = new BroadcastChannel("mekuri");
  channel.postMessage({ kind: "told", message: { kind: "event", event } });
  channel.close();
}"""


async def tell(page: Page, table: Json, text: Json, seat: int = 16, **changes: Any) -> Json:
    """Send the page an event that changes the view. Returns the table after it.

    Args:
        page: the page.
        table: the table before.
        text: the text of the event.
        seat: the seat that acted; 16 for the driver.
        changes: the fields of the view that change.
    """
    version = table["version"] + 1
    view = table["view"] | {"version": version, "legal": [], "prompt": None} | changes
    event = {"table": table["id"], "version": version, "kind": "play", "seat": seat, "action": None, "text": text, "head": None}
    await page.evaluate(TELL, event | {"view": view})
    return table | {"version": version, "view": view}


def yaku_made(table: Json, yaku: str, cards: list[str], points: int) -> list[Json]:
    """Return the score sheet of a table of two after the other seat has made a yaku for which the viewer pays."""
    line = {"cards": cards, "clause": ""}
    made = line | {"seat": 1 - table["you"], "text": {"id": "lines.yaku", "args": {"yaku": yaku}}, "points": points}
    paid = line | {"seat": table["you"], "text": {"id": "lines.yaku-paid", "args": {"yaku": yaku}}, "points": -points}
    return [*table["view"]["score"], made, paid]
