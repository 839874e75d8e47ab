"""Things told to a page that has a table open, as if its server had told them: what seldom comes about in play."""

from __future__ import annotations

from typing import Any

from playwright.async_api import Page

from tests.helpers.page.staging import Json

# As another tab that holds the line tells it to this one.
TELL = """event => {
  const channel = new BroadcastChannel("mekuri");
  channel.postMessage({ kind: "told", message: { kind: "event", event } });
  channel.close();
}"""


async def tell(page: Page, table: Json, text: Json, seat: int = 16, **changes: Any) -> Json:
    """Tell that something has happened which changes the view in this way; the table then."""
    version = table["version"] + 1
    view = table["view"] | {"version": version, "legal": [], "prompt": None} | changes
    told = {"table": table["id"], "version": version, "kind": "play", "seat": seat, "action": None, "text": text, "head": None}
    await page.evaluate(TELL, told | {"view": view})
    return table | {"version": version, "view": view}


def yaku_made(table: Json, yaku: str, cards: list[str], points: int) -> list[Json]:
    """The sheet of a table of two after the other seat has made a yaku that this one pays for."""
    told = {"cards": cards, "clause": ""}
    made = told | {"seat": 1 - table["you"], "text": {"id": "lines.yaku", "args": {"yaku": yaku}}, "points": points}
    paid = told | {"seat": table["you"], "text": {"id": "lines.yaku-paid", "args": {"yaku": yaku}}, "points": -points}
    return [*table["view"]["score"], made, paid]
