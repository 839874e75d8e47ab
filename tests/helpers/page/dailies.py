"""The deal of the day on a page: the user's own try is real, the tries of others are made up."""

from __future__ import annotations

from playwright.async_api import Page, Route

from tests.helpers.page.staging import call, match_over, play_until

AROUND = {-9: 1, -4: 2, -1: 3, 3: 4, 8: 2, 17: 1}  # the points of others less the user's own, and how many of them had these


async def tried(page: Page, game: str) -> str:
    """Play the deal of the day in a game to its end. Returns the table's id."""
    await call(page.context, "POST", "/api/guests", {})
    table = str((await call(page.context, "POST", f"/api/daily/{game}"))["id"])
    await play_until(page.context, table, match_over)
    return table


async def compared(page: Page, game: str) -> int:
    """Make the page show made-up tries of others beside the user's own. Returns the user's points."""
    own = int((await call(page.context, "GET", f"/api/daily/{game}"))["yours"]["points"])

    async def answer(route: Route) -> None:
        body = await (await route.fetch()).json()
        for deal in body["deals"]:
            if deal["game"] == game:
                spread = {own + apart: times for apart, times in AROUND.items()} | {own: 1}
                deal["spread"] = [{"points": points, "times": times} for points, times in sorted(spread.items())]
                deal["tries"] = sum(spread.values())
                deal["better"] = sum(times for points, times in spread.items() if points < own)
        await route.fulfill(json=body)

    await page.route("**/api/daily", answer)
    return own
