"""A server, a browser, and people before it."""

import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, BrowserContext, Page

from mekuri.server.routes.page import FOLDER
from tests.helpers.page.browser import DESKTOP, NO_PAGE, Screen, find_chromium, launched, listen, sit_down
from tests.helpers.server.child import Child

# What a browser says of a line that a test has cut.
CUT = r"net::ERR_"
# And what is thrown where a part of the page was wanted meanwhile.
PART = r"Unable to preload CSS|Failed to fetch dynamically imported module"


class Open:
    """Opens the page for somebody new.

    Attributes:
        contexts: of all that were opened.
        allowed: what may go wrong on the pages, as patterns. A test adds what it brings about itself.
    """

    def __init__(self, browser: Browser, house: Child) -> None:
        self.contexts: list[BrowserContext] = []
        self.allowed: list[str] = []
        self._browser = browser
        self._house = house
        self._heard: list[list[str]] = []

    async def __call__(
        self,
        path: str | None = "/",
        screen: Screen = DESKTOP,
        address: str = "",
        lang: str = "en",
        theme: str = "light",
        motion: bool = False,
    ) -> Page:
        """A page of somebody new; without a path an empty one."""
        context = await sit_down(self._browser, address or self._house.address, screen, lang, theme, motion)
        self.contexts.append(context)
        return await self.tab(context, path)

    async def tab(self, context: BrowserContext, path: str | None = "/") -> Page:
        """One more tab of the same person."""
        page = await context.new_page()
        self._heard.append(listen(page))
        if path is not None:
            await page.goto(path)
            await page.locator("h1").first.wait_for()
        return page

    @property
    def faults(self) -> list[str]:
        """What has gone wrong and may not."""
        return [fault for heard in self._heard for fault in heard if not any(re.search(each, fault) for each in self.allowed)]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All tests of the page share one browser, and so one event loop."""
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents and "open_page" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


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


@pytest_asyncio.fixture(loop_scope="session")
async def open_page(browser: Browser, house: Child) -> AsyncIterator[Open]:
    """Opens the page for somebody new. After the test nothing may have gone wrong on any of them."""
    opening = Open(browser, house)
    yield opening
    for context in opening.contexts:
        await context.close()
    assert opening.faults == []
