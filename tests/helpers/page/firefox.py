"""Firefox, as Debian has it, driven over WebDriver BiDi. Playwright drives Firefox only as it builds it itself."""

import asyncio
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from mekuri.server.routes.page import FOLDER
from tests.helpers.page.browser import NO_PAGE
from tests.helpers.patience import PATIENCE
from tools.build_page import find_node

ROOT = Path(__file__).parents[3]
Step = tuple[Any, ...]


def driven(script: str) -> list[str]:
    """Return the command that runs a script with Firefox. Skips the test where it cannot run."""
    firefox = shutil.which("firefox-esr") or shutil.which("firefox")
    if firefox is None:
        pytest.skip("NO FIREFOX: the page is not tested in it. Install firefox-esr (Debian, Ubuntu: apt install firefox-esr)")
    if not (FOLDER / "index.html").exists():
        pytest.skip(NO_PAGE)
    node = find_node(ROOT)
    if node is None or not (ROOT / "web" / "node_modules" / "puppeteer-core").exists():
        pytest.skip("NO PUPPETEER: Firefox is not driven. Install it: cd web && npm ci")
    return [str(node / "node"), str(ROOT / "web" / "firefox" / script), firefox]


async def told(stories: dict[str, list[Step]]) -> dict[str, list[Any]]:
    """Return what functions give back in stories, each in a context of its own, and what went wrong at last.

    Args:
        stories: the steps of each story by its name, as web/firefox/steps.js takes them.
    """
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(*driven("steps.js"), stdin=pipe, stdout=pipe)
    try:
        async with asyncio.timeout(2 * PATIENCE):
            printed, _ = await process.communicate(json.dumps(stories).encode())
    finally:
        if process.returncode is None:
            process.terminate()  # Puppeteer closes the browser
            await process.wait()
    found: dict[str, list[Any]] = json.loads(printed)
    return found
