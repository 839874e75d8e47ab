"""Pictures of seeded tables: every shape, number of seats and kind of question, in every window; and what differs from older ones.

    python -m tests.page.tables OUT [--against OLDER] [--only tensho] [--theme dark] [--lang ja]

A server and a browser of their own are started. The deals are the same in every run, so a picture differs only where the page does:
take pictures before a change, and after it, and look at `index.html` of the second folder, which has the changed ones first.
"""

from __future__ import annotations

import asyncio
import tempfile
from html import escape
from pathlib import Path
from typing import Annotated

import cyclopts
from playwright.async_api import Browser

from mekuri import games
from tests.helpers.page.browser import Screen, find_chromium, launched, sit_down
from tests.helpers.page.fixtures import stage, staged
from tests.helpers.page.staging import settled
from tests.helpers.server.child import Child
from tests.page.test_fixtures import SIZES

Found = dict[str, bytes]  # pictures by name


async def photograph(browser: Browser, address: str, only: str, lang: str, theme: str) -> Found:
    """All pictures, of one game or of each."""
    found: Found = {}
    for game in games.names():
        if only and game != only:
            continue
        for seats in sorted(games.find(game).seats):
            for each in staged(game, seats):
                context = await sit_down(browser, address, Screen("window", *SIZES[0]), lang, theme)
                page = await context.new_page()
                await page.goto(await stage(context, each))
                await page.locator(".table .seat, .result").first.wait_for()
                for width, height in SIZES:
                    await page.set_viewport_size({"width": width, "height": height})
                    await settled(page)
                    found[f"{game}-{seats} {each.name} {width}x{height}"] = await page.screenshot()
                await context.close()
            print(f"{game}, {seats} seats: {len(found)} pictures so far", flush=True)
    return found


def write(found: Found, out: Path, older: Path | None) -> list[str]:
    """Write the pictures and a page with them, the changed ones first. Return the names of the changed ones."""
    out.mkdir(parents=True, exist_ok=True)
    changed = []
    for name, picture in found.items():
        before = older / f"{name}.png" if older else None
        if before and (not before.exists() or before.read_bytes() != picture):
            changed.append(name)
        (out / f"{name}.png").write_bytes(picture)
    parts = ["<!doctype html><meta charset=utf-8><title>Tables</title><style>img { max-width: 48%; border: 1px solid }</style>"]
    for name in [*changed, *(name for name in found if name not in changed)]:
        both = [older / f"{name}.png", out / f"{name}.png"] if older and name in changed else [out / f"{name}.png"]
        pictures = "".join(f'<img src="{escape(path.resolve().as_uri())}" loading="lazy">' for path in both)
        parts.append(f"<h2>{escape(name)}{' (changed)' if name in changed else ''}</h2>{pictures}")
    (out / "index.html").write_text("\n".join(parts), encoding="utf-8")
    return changed


async def all_pictures(only: str, lang: str, theme: str) -> Found:
    path = find_chromium()
    if path is None:
        raise SystemExit("This needs Chromium (Debian, Ubuntu: apt install chromium).")
    with tempfile.TemporaryDirectory() as folder:
        child = Child(Path(folder) / "mekuri.db")
        await child.start()
        try:
            async with launched(path) as browser:
                return await photograph(browser, child.address, only, lang, theme)
        finally:
            await child.kill()


def main(
    out: Annotated[Path, cyclopts.Parameter(help="The folder of the pictures.")],
    *,
    against: Annotated[Path | None, cyclopts.Parameter(help="A folder of older pictures that they are compared with.")] = None,
    only: Annotated[str, cyclopts.Parameter(help="Only this game.")] = "",
    lang: Annotated[str, cyclopts.Parameter(help="The language: en or ja.")] = "en",
    theme: Annotated[str, cyclopts.Parameter(help="By day or by night: light or dark.")] = "light",
) -> None:
    """Take pictures of seeded tables, and compare them with older ones."""
    found = asyncio.run(all_pictures(only, lang, theme))
    changed = write(found, out, against)
    suffix = f"; {len(changed)} differ from those in {against}" if against else ""
    print(f"{len(found)} pictures in {out / 'index.html'}{suffix}")
    for name in changed:
        print(f"  {name}")


if __name__ == "__main__":
    cyclopts.run(main)
