"""A server, a browser, and people before it: fixtures for every test of the page. A plugin of pytest."""

import re
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Browser, BrowserContext, Page

from mekuri.server.http.routes.page import FOLDER
from tests.helpers.page.browser import DESKTOP, NO_PAGE, Place, Screen, dress, find_chromium, kind_of, launched, listen, sit_down
from tests.helpers.server.child import Child

# The browser's message for a connection that a test has cut.
CUT = r"net::ERR_"
# And what is thrown where a part of the page was wanted meanwhile.
PART = r"Unable to preload CSS|Failed to fetch dynamically imported module"

# Places that wait for their next user: so many are seldom taken at once, and more would only take memory.
MOST_FREE = 6


class Open:
    """Opens the page for a new user.

    Attributes:
        allowed: patterns of errors that may occur on the pages. A test adds the errors that it causes itself.
    """

    def __init__(self, browser: Browser, house: Child, free: list[Place]) -> None:
        self.allowed: list[str] = []
        self._browser = browser
        self._house = house
        self._free = free
        self._taken: list[Place] = []
        self._once: list[BrowserContext] = []
        self._looks: dict[BrowserContext, tuple[Screen, str, bool]] = {}
        self._heard: list[list[str]] = []

    async def __call__(
        self,
        path: str | None = "/",
        screen: Screen = DESKTOP,
        address: str = "",
        lang: str = "en",
        theme: str = "light",
        motion: bool = False,
        once: bool = False,
        workers: bool = False,
    ) -> Page:
        """Return a page of a new user; without a path, an empty one. Only with `workers` it starts service workers.

        If a test permanently changes the browser's state for a user, such as the clock, it opens the page `once`: no other test
        gets it.
        """
        if once or address or workers:
            context = await sit_down(self._browser, address or self._house.address, screen, lang, theme, motion, workers)
            self._once.append(context)
            page = await context.new_page()
            self._heard.append(listen(page))
        else:
            place = await self._place(screen, lang)
            await place.sit_down(screen, theme, motion)
            page = place.page
            self._heard.append(place.heard)
        self._looks[page.context] = screen, theme, motion
        return await self._at(page, path)

    async def tab(self, context: BrowserContext, path: str | None = "/") -> Page:
        """One more tab of the same person."""
        page = await context.new_page()
        await dress(page, *self._looks[context])
        self._heard.append(listen(page))
        return await self._at(page, path)

    async def _place(self, screen: Screen, lang: str) -> Place:
        fit = next((place for place in self._free if place.kind == kind_of(screen, lang)), None)
        if fit:
            self._free.remove(fit)
        place = fit or await Place.made(self._browser, self._house.address, screen, lang)
        self._taken.append(place)
        return place

    async def _at(self, page: Page, path: str | None) -> Page:
        if path is not None:
            await page.goto(path)
            await page.locator("h1").first.wait_for()
        return page

    async def close(self) -> None:
        """All of them leave."""
        for context in self._once:
            await context.close()
        for place in self._taken:
            if await place.get_up():
                self._free.append(place)
            else:
                await place.page.context.close()
        while len(self._free) > MOST_FREE:
            await self._free.pop(0).page.context.close()

    @property
    def faults(self) -> list[str]:
        """What has gone wrong and may not."""
        return [fault for heard in self._heard for fault in heard if not any(re.search(each, fault) for each in self.allowed)]


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    path = find_chromium()
    if path is None:
        pytest.skip("NO BROWSER: THE PAGE IS NOT TESTED. Install chromium (Debian, Ubuntu: apt install chromium)")
    if not (FOLDER / "index.html").exists():
        pytest.skip(NO_PAGE)
    async with launched(path) as running:
        yield running


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def house(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Child]:
    """A server for all tests that do no harm to it."""
    child = Child(tmp_path_factory.mktemp("page") / "mekuri.db")
    await child.start()
    yield child
    await child.kill()


@pytest.fixture(scope="session")
def free() -> list[Place]:
    """Places at which nobody sits just now."""
    return []


@pytest_asyncio.fixture(loop_scope="session")
async def open_page(browser: Browser, house: Child, free: list[Place]) -> AsyncIterator[Open]:
    """Opens the page for a new user. Fails after the test if an error occurred on any page."""
    opening = Open(browser, house, free)
    yield opening
    await opening.close()
    assert opening.faults == []
