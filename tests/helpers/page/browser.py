"""A real browser: Debian's Chromium, and the people who sit before it."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import count

from playwright.async_api import Browser, BrowserContext, ConsoleMessage, Page, async_playwright, expect

from tests.helpers.patience import PATIENCE

# It runs in containers too, asks nobody for updates, and speaks to nothing but the server of the test.
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
    """Where Chromium is, if it is anywhere."""
    return shutil.which("chromium") or shutil.which("chromium-browser")


@dataclass(frozen=True)
class Screen:
    """What somebody sits before.

    Attributes:
        name: of the screen.
        width, height: in CSS pixels.
        touch: whether it is touched and not pointed at.
        scale: device pixels of a CSS pixel.
    """

    name: str
    width: int
    height: int
    touch: bool = False
    scale: float = 1


def screen_name(value: object) -> str | None:
    """What a screen among the settings of a test is called there; other settings by themselves."""
    return value.name if isinstance(value, Screen) else None


PHONE = Screen("phone", 360, 740, touch=True, scale=2)
DESKTOP = Screen("desktop", 1280, 800)
SCREENS = (PHONE, DESKTOP)
THEMES = ("light", "dark")
LOCALES = {"en": "en-US", "ja": "ja-JP"}


@asynccontextmanager
async def launched(path: str) -> AsyncIterator[Browser]:
    """A browser that runs."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        await browser.close()


async def sit_down(
    browser: Browser, address: str, screen: Screen = DESKTOP, lang: str = "en", theme: str = "light", motion: bool = False
) -> BrowserContext:
    """Somebody new before a screen: nothing is kept of whoever sat there before."""
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
        # From one address only so many newcomers may come in a minute. As behind a proxy, everybody has one of his own.
        extra_http_headers={"x-forwarded-for": f"10.0.{visitor // 250}.{visitor % 250 + 1}"},
    )
    context.set_default_timeout(PATIENCE * 1000)
    return context


def listen(page: Page) -> list[str]:
    """What goes wrong on a page from now on: exceptions, and errors on its console."""
    faults: list[str] = []

    def hear(told: ConsoleMessage) -> None:
        if told.type == "error":
            faults.append(f"console: {told.text} {told.location.get('url', '')}")

    page.on("pageerror", lambda error: faults.append(f"exception: {error}"))
    page.on("console", hear)
    return faults
