"""A site without a server, below a path of a plain file server."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.helpers.pocket.browser import Browser
from tests.helpers.pocket.worker import make_site


@pytest.fixture
def host(tmp_path: Path) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """The address of a site, and the server of its files."""
    make_site(tmp_path / "some" / "path")
    command = [sys.executable, "-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory", str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        assert server.stdout
        port = server.stdout.readline().split(" port ")[1].split()[0]
        yield f"http://127.0.0.1:{port}/some/path/", server
        server.kill()


@pytest.fixture
def address(host: tuple[str, subprocess.Popen[str]]) -> str:
    return host[0]


@pytest.fixture
async def browser() -> Browser:
    found = Browser()
    assert (await found.ask("POST", "/api/guests", {"name": "Aki"}))[0] == 201
    return found
