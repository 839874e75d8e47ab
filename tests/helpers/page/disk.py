"""Chromium on a small disk of its own, which a test can fill: what it then refuses is what it refuses on a full device."""

from __future__ import annotations

import asyncio
import os
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from playwright.async_api import BrowserContext

from tests.helpers.page.browser import find_chromium, settled_down

_SIZE = "256m"
_MOUNTED = ("unshare", "--user", "--map-root-user", "--mount", "sh", "-c")
_MOUNT = f'mount -t tmpfs -o size={_SIZE} none "$1"'
_OFTEN = 0.02  # seconds between two times that what has become free is filled
# The process has this id until it is the browser.
_LAUNCHER = f"""#!/bin/sh
echo $$ > {{folder}}/process
exec {" ".join(_MOUNTED)} '{_MOUNT}; shift; exec "$@"' sh {{folder}}/disk {{chromium}} "$@"
"""


class Disk:
    """The disk of a browser.

    Args:
        root: its folder, as this process reaches it.
    """

    def __init__(self, root: Path) -> None:
        self._ballast = root / "ballast"

    @asynccontextmanager
    async def full(self) -> AsyncIterator[None]:
        """Fill the disk, and whatever the browser frees on it, until the end."""
        file = os.open(self._ballast, os.O_WRONLY | os.O_CREAT)
        _fill(file)

        async def fill_again() -> None:
            while True:
                await asyncio.sleep(_OFTEN)
                _fill(file)

        filling = asyncio.create_task(fill_again())
        try:
            yield
        finally:
            filling.cancel()
            os.close(file)
            self._ballast.unlink()


def _fill(file: int) -> None:
    for size in (1 << 20, 1 << 12, 1):
        try:
            while os.write(file, bytes(size)):
                pass
        except OSError:  # no space is left for so many bytes
            pass


@asynccontextmanager
async def on_a_small_disk(folder: Path, address: str) -> AsyncIterator[tuple[BrowserContext, Disk]]:
    """Run Chromium with its profile on a disk of 256 MB. The page at the address may ask it to delete nothing of its own accord."""
    chromium = find_chromium()
    if chromium is None:
        pytest.skip("NO CHROMIUM")
    place, launcher = folder / "disk", folder / "launcher"
    place.mkdir()
    tried = subprocess.run([*_MOUNTED, _MOUNT, "sh", place], capture_output=True, text=True, check=False)
    if tried.returncode:
        pytest.skip(f"NO SMALL DISK: this system does not let a user mount one ({tried.stderr.strip()})")
    launcher.write_text(_LAUNCHER.format(folder=folder, chromium=chromium))
    launcher.chmod(0o755)
    async with settled_down(str(launcher), place / "profile", address) as context:
        session = await context.new_cdp_session(context.pages[0])
        await session.send("Browser.grantPermissions", {"permissions": ["durableStorage"], "origin": address})
        process = (folder / "process").read_text().strip()
        yield context, Disk(Path(f"/proc/{process}/root{place}"))
