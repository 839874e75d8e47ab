"""Firefox, as Debian has it, over WebDriver BiDi. Playwright drives Firefox only as it builds it itself."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import Mapping
from typing import Any

import pytest

from mekuri.server.routes.page import FOLDER
from tests.helpers.folders import CHECKOUT
from tests.helpers.page.browser import NO_PAGE
from tests.helpers.patience import PATIENCE
from tools.build_page import find_node


def driven(script: str) -> list[str]:
    """Return the command that runs a script of `web/firefox` with Firefox. Skips the test where there is none."""
    firefox = shutil.which("firefox-esr") or shutil.which("firefox")
    if firefox is None:
        pytest.skip("NO FIREFOX: the page is not tested in it. Install firefox-esr (Debian, Ubuntu: apt install firefox-esr)")
    if not (FOLDER / "index.html").exists():
        pytest.skip(NO_PAGE)
    node = find_node(CHECKOUT)
    if node is None or not (CHECKOUT / "web" / "node_modules" / "puppeteer-core").exists():
        pytest.skip("NO PUPPETEER: Firefox is not driven. Install it: cd web && npm ci")
    return [str(node / "node"), str(CHECKOUT / "web" / "firefox" / script), firefox]


async def stepped(*steps: tuple[str, ...], prefs: Mapping[str, Any] | None = None) -> list[Any]:
    """Do steps in a new Firefox, as `web/firefox/steps.js` has them, and return what they have found."""
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(*driven("steps.js"), stdin=pipe, stdout=pipe, stderr=pipe)
    try:
        async with asyncio.timeout(2 * PATIENCE):
            out, err = await process.communicate(json.dumps({"prefs": prefs or {}, "steps": steps}).encode())
    finally:
        if process.returncode is None:
            process.terminate()  # Puppeteer closes the browser
            await process.wait()
    assert process.returncode == 0, err.decode()
    found: list[Any] = json.loads(out)
    return found
