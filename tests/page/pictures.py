"""Pictures of every screen, on a phone and a desktop, in both languages and by day and by night, and a page with all of them.

    python -m tests.page.pictures [--out docs/screens] [--only table]

A server and a browser of their own are started. The deals are what they are: no two runs show the same cards.
"""

from __future__ import annotations

import asyncio
import base64
import tempfile
from itertools import product
from pathlib import Path
from typing import Annotated

import cyclopts
from playwright.async_api import Browser, Page

from mekuri import games
from mekuri.engine.rulebook import LANGUAGES
from tests.helpers.page.browser import SCREENS, THEMES, Screen, find_chromium, launched, sit_down
from tests.helpers.page.staging import choose, settled
from tests.helpers.page.tour import FACES, TOUR, Station, show, whole
from tests.helpers.server.child import Child

QUALITY = 72  # of 100
PICTURED = [(station, game) for station in TOUR for game in (games.names() if station.pictured else [FACES])]

HEAD = """\
# Screens

Pictures of the page, made by `python -m tests.page.pictures`: every screen on a phone (360 × 740) and a desktop (1280 × 800), in
English and Japanese, by day and by night. The cards are Mekuri's own drawings.
"""


def name_of(station: Station, game: str, screen: Screen, lang: str, theme: str) -> str:
    """The name of a picture's file."""
    stop = f"{station.name}-{game}" if station.pictured else station.name
    return f"{stop}-{screen.name}-{lang}-{theme}.webp"


async def take(page: Page, path: Path) -> None:
    """A picture of what the window shows."""
    session = await page.context.new_cdp_session(page)
    wanted = {"format": "webp", "quality": QUALITY, "optimizeForSpeed": False}
    picture = await session.send("Page.captureScreenshot", wanted)
    path.write_bytes(base64.b64decode(picture["data"]))
    await session.detach()


async def tour(browser: Browser, address: str, out: Path, only: str) -> list[Path]:
    """Take all pictures; their files, in the order of the tour."""
    written = []
    for (station, game), screen in product(PICTURED, SCREENS):
        if only and station.name != only:
            continue
        context = await sit_down(browser, address, screen)
        page = await context.new_page()
        await show(page, station, game)
        for lang, theme in product(LANGUAGES, THEMES):
            await choose(page, lang=lang, theme=theme)
            await whole(page, station)
            await settled(page)
            path = out / name_of(station, game, screen, lang, theme)
            await take(page, path)
            print(f"{path}  {path.stat().st_size / 1024:.0f} KiB")
            written.append(path)
        await context.close()
    return written


def index(written: list[Path]) -> str:
    """A page with all pictures: a heading for each screen, a row for each size, a column for each language and theme."""
    parts = [HEAD]
    stops: dict[str, dict[str, list[Path]]] = {}
    for path in written:
        stop, screen, _, _ = path.stem.rsplit("-", 3)
        stops.setdefault(stop, {}).setdefault(screen, []).append(path)
    titles = " | ".join(f"{lang} {theme}" for lang, theme in product(LANGUAGES, THEMES))
    for stop, screens in stops.items():
        parts.append(f"## {stop.replace('-', ', ')}\n")
        parts.append(f"| | {titles} |\n|---|{'---|' * len(LANGUAGES) * len(THEMES)}")
        for screen, paths in screens.items():
            parts.append(f"| {screen} | {' | '.join(f'![{path.stem}]({path.name})' for path in paths)} |")
        parts.append("")
    return "\n".join(parts)


async def photograph(out: Path, only: str) -> list[Path]:
    """Start what is needed, and take the pictures."""
    path = find_chromium()
    if path is None:
        raise SystemExit("This needs Chromium (Debian, Ubuntu: apt install chromium).")
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        child = Child(Path(folder) / "mekuri.db")
        await child.start()
        try:
            async with launched(path) as browser:
                return await tour(browser, child.address, out, only)
        finally:
            await child.kill()


def main(
    *,
    out: Annotated[Path, cyclopts.Parameter(help="The folder of the pictures.")] = Path("docs/screens"),
    only: Annotated[str, cyclopts.Parameter(help="Only this screen, such as table; the page with all is then left as it is.")] = "",
) -> None:
    """Take pictures of every screen."""
    written = asyncio.run(photograph(out, only))
    if not only:
        (out / "README.md").write_text(index(written), encoding="utf-8")
    print(f"{len(written)} pictures, {sum(path.stat().st_size for path in written) / 2**20:.1f} MiB")


if __name__ == "__main__":
    cyclopts.run(main)
