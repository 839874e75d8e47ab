"""Firefox, as Debian has it, driven over WebDriver BiDi. Playwright drives Firefox only as it builds it itself."""

import asyncio
import json
import shutil
from collections.abc import Mapping
from typing import Any

import pytest

from mekuri.server.http.routes.page import FOLDER
from tests.helpers.folders import CHECKOUT
from tests.helpers.page.browser import NO_PAGE
from tests.helpers.patience import PATIENCE
from tools.build_page import find_node

Step = tuple[Any, ...]


def driven(script: str) -> list[str]:
    """Return the command that runs a script with Firefox. Skips the test where it cannot run."""
    firefox = shutil.which("firefox-esr") or shutil.which("firefox")
    if firefox is None:
        pytest.skip("NO FIREFOX: the page is not tested in it. Install firefox-esr (Debian, Ubuntu: apt install firefox-esr)")
    if not (FOLDER / "index.html").exists():
        pytest.skip(NO_PAGE)
    node = find_node(CHECKOUT)
    if node is None or not (CHECKOUT / "web" / "node_modules" / "puppeteer-core").exists():
        pytest.skip("NO PUPPETEER: Firefox is not driven. Install it: cd web && npm ci")
    return [str(node / "node"), str(CHECKOUT / "web" / "firefox" / script), firefox]


async def run_stories(stories: dict[str, list[Step]], prefs: Mapping[str, Any] | None = None) -> dict[str, list[Any]]:
    """Run stories, each in a context of its own. Return what their functions give back, and the errors of each as its last item.

    Args:
        stories: the steps of each story by its name, as web/firefox/steps.js takes them.
        prefs: settings of Firefox.
    """
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(*driven("steps.js"), stdin=pipe, stdout=pipe)
    try:
        async with asyncio.timeout(2 * PATIENCE):
            printed, _ = await process.communicate(json.dumps({"prefs": prefs or {}, "stories": stories}).encode())
    finally:
        if process.returncode is None:
            process.terminate()  # Puppeteer closes the browser
            await process.wait()
    found: dict[str, list[Any]] = json.loads(printed)
    return found
