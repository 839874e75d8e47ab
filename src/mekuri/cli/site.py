"""The command that writes Mekuri as a site without a server."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from mekuri.cli.arguments import app

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

    size = write_site(out)
    print(f"{out}: {size / 1e6:.1f} MB")
    if preview:
        _serve(out, port)


def _serve(folder: Path, port: int) -> None:
    """Serve the files of a folder on this machine."""
    from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

    with ThreadingHTTPServer(("127.0.0.1", port), partial(SimpleHTTPRequestHandler, directory=folder)) as server:
        print(f"http://127.0.0.1:{server.server_port}/", flush=True)
        server.serve_forever()
