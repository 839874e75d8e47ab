"""Games of other distributions on a server that has them: a match at a table, and a round on the page."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Page

from mekuri.server.http.routes.page import FOLDER as PAGE
from tests.helpers.page.browser import DESKTOP, NO_PAGE, find_chromium, launched, listen, sit_down
from tests.helpers.page.hands import Mouse, play_round
from tests.helpers.server.child import Child
from tests.helpers.server.serving import Guest, play_out


@asynccontextmanager
async def child_at(folder: Path) -> AsyncIterator[Child]:
    """Run a server that starts now, with what is installed now."""
    child = Child(folder / "mekuri.db", true=True)
    await child.start()
    try:
        yield child
    finally:
        await child.kill()


@asynccontextmanager
async def arrived(address: str) -> AsyncIterator[Guest]:
    """Return a guest of a server."""
    guest = await Guest(address).arrive()
    try:
        yield guest
    finally:
        await guest.close()


async def play_match(guest: Guest, game: str, bots: list[str], rounds: int) -> dict[str, Any]:
    """Play a match with bots to its end. Returns the table as the guest sees it then."""
    table = await guest.make(game, seats=["person", *bots], match_options={"rounds": str(rounds)})
    await guest.sit(table)
    whole: dict[str, Any] = await play_out(table, [guest])
    assert whole["head"]["why"] == "played"
    return whole


@asynccontextmanager
async def round_on_the_page(address: str, game: str) -> AsyncIterator[Page]:
    """Play a round on the page, and yield the page. Fails on errors in the browser, then and until the context ends."""
    path = find_chromium()
    if path is None or not (PAGE / "index.html").exists():
        pytest.skip(NO_PAGE if path else "no browser: install chromium (Debian, Ubuntu: apt install chromium)")
    async with launched(path) as browser:
        context = await sit_down(browser, address, DESKTOP)
        page, hands = await context.new_page(), Mouse()
        faults = listen(page)
        await page.goto("/")
        await hands.deal(page, game)
        await page.wait_for_url("**/t/*")
        await play_round(page, hands)
        yield page
        assert faults == []
        await context.close()
