"""The command that writes Mekuri as a site without a server."""

from __future__ import annotations

from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from mekuri.cli.arguments import app
from mekuri.engine.errors import MekuriError

if TYPE_CHECKING:
    from http.server import ThreadingHTTPServer

_PORT = 8414


@app.command
def site(
    out: Path,
    /,
    *,
    preview: Annotated[bool, Parameter(negative="", help="Also serve the site on this machine, until Ctrl-C.")] = False,
    port: Annotated[int, Parameter(help="The port of the preview.")] = _PORT,
) -> None:
    """Write a site that needs no server: the page, with all of Mekuri inside it.

    Any host of files can serve it, at any path. People play there against bots, and their browsers keep their matches.
    The first time takes some minutes, because the search of each game is compiled.

    Args:
        out: a folder that is empty or does not exist.
    """
    from mekuri.pocket.site import write_site

    with _opened(out, port) if preview else nullcontext() as server:
        print(f"{out}: {write_site(out) / 1e6:.1f} MB")
        if server:
            print(f"http://127.0.0.1:{server.server_port}/", flush=True)
            server.serve_forever()


def _opened(folder: Path, port: int) -> ThreadingHTTPServer:
    """Return a server of the files of a folder on this machine. Raises MekuriError if it cannot listen."""
    from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

    try:
        return ThreadingHTTPServer(("127.0.0.1", port), partial(SimpleHTTPRequestHandler, directory=folder))
    except (OSError, OverflowError) as error:
        raise MekuriError(f"the preview cannot listen on port {port}: {error}. Name another with --port") from error
