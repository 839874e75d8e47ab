"""Opening the page in the web browser of the person who starts a server."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading

_PATIENCE = 2.0  # seconds until a request times out


def open_page(address: str) -> None:
    """Open a URL in the web browser, if there is a desktop. Returns at once and prints nothing."""
    if not has_desktop():
        return
    # A process of its own: the browser's output does not appear here, and Ctrl-C here does not stop the browser.
    opening = subprocess.Popen(
        [sys.executable, "-m", "webbrowser", address],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    threading.Thread(target=opening.wait, daemon=True).start()  # reaps the process when it ends


def has_desktop() -> bool:
    """Whether a browser window would be visible: not over SSH, and not without a graphical session."""
    if os.environ.get("SSH_CONNECTION"):
        return False
    return sys.platform in ("darwin", "win32") or any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY")))


def is_mekuri(address: str) -> bool:
    """Whether the server at an address, such as `http://localhost:8000`, is a Mekuri server. Waits up to 2 seconds."""
    import httpx

    try:
        with httpx.stream("GET", f"{address}/api/games", timeout=_PATIENCE, trust_env=False) as answer:
            # Another server may send a body without end.
            if answer.headers.get("content-type") != "application/json":
                return False
            found = json.loads(answer.read())
    except (httpx.HTTPError, ValueError):
        return False
    return isinstance(found, dict) and {"games", "bots"} <= found.keys()
