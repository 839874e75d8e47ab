"""The browser of whoever started the server: opening the page in it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading

_PATIENCE = 2.0  # seconds in which a server on this machine answers


def open_page(address: str) -> None:
    """Open an address in the browser, where there is a desktop for whoever sits here. Never waits, never says anything."""
    if not has_desktop():
        return
    # A process of its own: what browsers print, and what Ctrl-C does here, are then none of each other's business.
    opening = subprocess.Popen(
        [sys.executable, "-m", "webbrowser", address],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    threading.Thread(target=opening.wait, daemon=True).start()  # a process must be told that its end was noticed


def has_desktop() -> bool:
    """Whether a browser would be seen: not over a line from another machine, nor in a terminal without windows."""
    if os.environ.get("SSH_CONNECTION"):
        return False
    return sys.platform in ("darwin", "win32") or any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY")))


def is_mekuri(address: str) -> bool:
    """Whether it is Mekuri that answers at an address."""
    import httpx

    try:
        with httpx.stream("GET", f"{address}/api/games", timeout=_PATIENCE, trust_env=False) as answer:
            # Something else may send without end.
            if answer.headers.get("content-type") != "application/json":
                return False
            told = json.loads(answer.read())
    except (httpx.HTTPError, ValueError):
        return False
    return isinstance(told, dict) and {"games", "bots"} <= told.keys()
