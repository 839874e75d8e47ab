"""A real browser, Chromium, and its users."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, BrowserContext, CDPSession, ConsoleMessage, Error, Page, async_playwright, expect

from tests.helpers.patience import PATIENCE

NAMED = "mekuri.test"  # a name of this machine that only the browsers of tests know
# Chromium must run in containers, look for no updates, and connect to the server of the test only.
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    f"--host-resolver-rules=MAP {NAMED} 127.0.0.1",
)

# Without motion there is nothing to wait for, unless a test chooses a pace.
AT_ONCE = """
if (matchMedia("(prefers-reduced-motion: reduce)").matches && location.origin !== "null") localStorage.mekuri ??= '{"pace":0}';
"""

expect.set_options(timeout=PATIENCE * 1000)

_visitors = count(1)


NO_PAGE = "NO PAGE: IT IS NOT TESTED. Build it: cd web && npm ci && npm run build"


def find_chromium() -> str | None:
    """Return the path of Chromium; None where it is not installed."""
    return shutil.which("chromium") or shutil.which("chromium-browser")


@dataclass(frozen=True)
class Screen:
    """A user's screen.

    Attributes:
        name: its name.
        width, height: its size in CSS pixels.
        touch: whether it is a touch screen without a mouse.
        scale: device pixels of a CSS pixel.
    """

    name: str
    width: int
    height: int
    touch: bool = False
    scale: float = 1


def screen_name(value: object) -> str | None:
    """Return the name of a screen as the id of a test's parameter; None for anything else."""
    return value.name if isinstance(value, Screen) else None


PHONE = Screen("phone", 360, 740, touch=True, scale=2)
DESKTOP = Screen("desktop", 1280, 800)
SCREENS = (PHONE, DESKTOP)
THEMES = ("light", "dark")
LOCALES = {"en": "en-US", "ja": "ja-JP"}


@asynccontextmanager
async def launched(path: str) -> AsyncIterator[Browser]:
    """Run a browser. Its windows are private ones."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        await browser.close()


@asynccontextmanager
async def settled_down(path: str, profile: Path, address: str) -> AsyncIterator[BrowserContext]:
    """Run a browser with a profile in a folder. Its windows are not private, as those of `launched` are."""
    async with async_playwright() as playwright:
        context = await playwright.chromium.launch_persistent_context(
            profile, executable_path=path, args=ARGUMENTS, base_url=address, reduced_motion="reduce", service_workers="allow"
        )
        context.set_default_timeout(PATIENCE * 1000)
        await context.add_init_script(AT_ONCE)
        yield context
        await context.close()


async def sit_down(
    browser: Browser,
    address: str,
    screen: Screen = DESKTOP,
    lang: str = "en",
    theme: str = "light",
    motion: bool = False,
    workers: bool = False,
) -> BrowserContext:
    """Return the browser context of a new user, with nothing stored.

    Without `workers` it starts no service worker: what one answers or keeps is beyond the routes of a test.
    """
    context = await browser.new_context(
        base_url=address,
        viewport={"width": screen.width, "height": screen.height},
        device_scale_factor=screen.scale,
        has_touch=screen.touch,
        is_mobile=screen.touch,
        locale=LOCALES[lang],
        color_scheme="dark" if theme == "dark" else "light",
        reduced_motion="no-preference" if motion else "reduce",
        extra_http_headers=_from_elsewhere(),
        service_workers="allow" if workers else "block",
    )
    context.set_default_timeout(PATIENCE * 1000)
    await context.add_init_script(AT_ONCE)
    return context


def _from_elsewhere() -> dict[str, str]:
    """Return the headers of a user at an address of their own, as behind a proxy: the server limits new guests from one address."""
    visitor = next(_visitors)
    return {"x-forwarded-for": f"10.0.{visitor // 250}.{visitor % 250 + 1}"}


def listen(page: Page) -> list[str]:
    """Return a list to which exceptions and console errors of a page are added from now on."""
    faults: list[str] = []

    def hear(message: ConsoleMessage) -> None:
        if message.type == "error":
            faults.append(f"console: {message.text} {message.location.get('url', '')}")

    page.on("pageerror", lambda error: faults.append(f"exception: {error}"))
    page.on("console", hear)
    return faults


@dataclass(eq=False)
class Place:
    """A browser context with a page, at which one user sits after the other.

    A new context starts a process and compiles the page's scripts, which takes five times as long as to load the page once more.
    So these stay from user to user, and nothing else does.

    Attributes:
        page: the page.
        address: the address of its server.
        kind: what a context is made for, and keeps: touch, device pixels and the language.
        heard: what has gone wrong on the page since its user has come.
    """

    page: Page
    address: str
    kind: tuple[bool, float, str]
    heard: list[str]
    _session: CDPSession
    _undo: AsyncExitStack = field(default_factory=AsyncExitStack)

    @classmethod
    async def made(cls, browser: Browser, address: str, screen: Screen, lang: str, workers: bool = False) -> Place:
        """Return a new place."""
        context = await sit_down(browser, address, screen, lang, workers=workers)
        page = await context.new_page()
        place = cls(page, address, kind_of(screen, lang), listen(page), await context.new_cdp_session(page))
        # Init scripts of a test and changes over a session of the developer tools end with its user.
        page.add_init_script = place._undone(page.add_init_script)  # type: ignore[method-assign]
        context.add_init_script = place._undone(context.add_init_script)  # type: ignore[method-assign]
        context.new_cdp_session = place._detached(context.new_cdp_session)  # type: ignore[method-assign]
        return place

    async def sit_down(self, screen: Screen, theme: str, motion: bool) -> None:
        """Make the place ready for a new user."""
        self.heard.clear()
        await self.page.context.set_extra_http_headers(_from_elsewhere())
        await dress(self.page, screen, theme, motion)

    async def get_up(self) -> bool:
        """Forget the user. Returns whether another one can sit here."""
        if self.page.is_closed():
            return False
        context = self.page.context
        try:
            for tab in context.pages:
                if tab is not self.page:
                    await tab.close()
            await self._undo.aclose()
            await self.page.unroute_all(behavior="ignoreErrors")
            await context.unroute_all(behavior="ignoreErrors")
            await context.set_offline(False)
            heard = list(self.heard)  # the browser may say something of where no page is
            await self.page.goto("/icon.svg")  # no script runs there; an empty page would begin another process
            await context.clear_cookies()
            await context.clear_permissions()
            await self._session.send("Storage.clearDataForOrigin", {"origin": self.address, "storageTypes": "all"})
            await self._session.send("Page.resetNavigationHistory")
            self.heard[:] = heard
        except Error:
            return False
        return True

    def _undone(self, change: Callable[..., Awaitable[Any]]) -> Any:
        async def changed(*what: Any, **how: Any) -> Any:
            return await self._undo.enter_async_context(await change(*what, **how))

        return changed

    def _detached(self, attach: Callable[..., Awaitable[CDPSession]]) -> Any:
        async def attached(*what: Any) -> CDPSession:
            session = await attach(*what)
            self._undo.push_async_callback(_detach, session)
            return session

        return attached


async def _detach(session: CDPSession) -> None:
    with suppress(Error):  # its page is closed, or it is detached already
        await session.detach()


def kind_of(screen: Screen, lang: str) -> tuple[bool, float, str]:
    """Return what only a new context can have otherwise."""
    return screen.touch, screen.scale, lang


async def dress(page: Page, screen: Screen, theme: str, motion: bool) -> None:
    """Give a page what can be changed at any time: the size of its window, day or night, and whether things move."""
    await page.set_viewport_size({"width": screen.width, "height": screen.height})
    await page.emulate_media(
        media="null",
        color_scheme="dark" if theme == "dark" else "light",
        reduced_motion="no-preference" if motion else "reduce",
    )
