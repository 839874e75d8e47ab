"""A real browser, Chromium, and its users."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import count

from playwright.async_api import Browser, BrowserContext, ConsoleMessage, Page, async_playwright, expect

from tests.helpers.patience import PATIENCE

# Chromium must run in containers, look for no updates, and connect to the server of the test only.
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

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
    """Run a browser."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        await browser.close()


async def sit_down(
    browser: Browser, address: str, screen: Screen = DESKTOP, lang: str = "en", theme: str = "light", motion: bool = False
) -> BrowserContext:
    """Return the browser context of a new user, with nothing stored."""
    visitor = next(_visitors)
    context = await browser.new_context(
        base_url=address,
        viewport={"width": screen.width, "height": screen.height},
        device_scale_factor=screen.scale,
        has_touch=screen.touch,
        is_mobile=screen.touch,
        locale=LOCALES[lang],
        color_scheme="dark" if theme == "dark" else "light",
        reduced_motion="no-preference" if motion else "reduce",
        # The server limits new guests from one address. As behind a proxy, every user has an address of their own.
        extra_http_headers={"x-forwarded-for": f"10.0.{visitor // 250}.{visitor % 250 + 1}"},
    )
    context.set_default_timeout(PATIENCE * 1000)
    return context


def listen(page: Page) -> list[str]:
    """Return a list to which exceptions and console errors of a page are added from now on."""
    faults: list[str] = []

    def hear(told: ConsoleMessage) -> None:
        if told.type == "error":
            faults.append(f"console: {told.text} {told.location.get('url', '')}")

    page.on("pageerror", lambda error: faults.append(f"exception: {error}"))
    page.on("console", hear)
    return faults
