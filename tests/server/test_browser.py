"""Bare `mekuri` serves and opens its page, or opens the page of a running server."""

import asyncio
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from mekuri.server.base.settings import Settings
from mekuri.server.http import run
from mekuri.server.http.browser import has_desktop, is_mekuri, open_page
from mekuri.server.http.run import PortInUse, serve
from tests.helpers.server.serving import Serving


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The addresses that were opened, in place of opening them."""
    addresses: list[str] = []
    monkeypatch.setattr(run, "open_page", addresses.append)
    return addresses


@pytest.fixture
def stranger() -> Iterator[int]:
    """A port at which something answers that is not Mekuri."""

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"[]")

        def log_message(self, format: str, *args: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Answer) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server.server_port
        server.shutdown()
        thread.join()


class Quick:
    """A server that begins and ends at once."""

    def __init__(self, settings: object, listening: socket.socket, begun: object) -> None:
        assert callable(begun)
        self.serve_here = begun


@pytest.mark.parametrize("browse", [True, False])
def test_start_prints_and_opens_the_address(
    tmp_path: Path, opened: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, browse: bool
) -> None:
    monkeypatch.setattr(run, "Server", Quick)
    serve("127.0.0.1", 0, Settings(tmp_path / "mekuri.db"), browse=browse)
    said = capsys.readouterr().out
    address = said.split()[3]
    assert said == f"Mekuri is at {address}  (stop with Ctrl-C; in the terminal: mekuri menu)\n"
    assert address.startswith("http://127.0.0.1:")
    assert opened == [address.rstrip("/")] * browse


def test_refused_database_opens_no_page(tmp_path: Path, opened: list[str]) -> None:
    (tmp_path / "mekuri.db").write_bytes(b"not a database" * 100)
    with pytest.raises(Exception, match=r"mekuri\.db"):
        serve("127.0.0.1", 0, Settings(tmp_path / "mekuri.db"), browse=True)
    assert opened == []


async def test_page_of_a_running_server_is_opened(
    server: Serving, tmp_path: Path, opened: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    port = int(server.address.rpartition(":")[2])

    def again(browse: bool) -> None:
        serve("127.0.0.1", port, Settings(tmp_path / "other.db"), browse=browse)

    await asyncio.to_thread(again, True)
    assert opened == [server.address]
    assert capsys.readouterr().out == f"Mekuri is running already, at {server.address}/\n"
    assert not (tmp_path / "other.db").exists()
    with pytest.raises(PortInUse):
        await asyncio.to_thread(again, False)
    assert len(opened) == 1


def test_port_of_another_program_opens_nothing(stranger: int, tmp_path: Path, opened: list[str]) -> None:
    with pytest.raises(PortInUse):
        serve("127.0.0.1", stranger, Settings(tmp_path / "mekuri.db"), browse=True)
    assert opened == []


@pytest.fixture
def chatterbox() -> Iterator[int]:
    """Return a port that sends an endless answer."""
    stop = threading.Event()

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.end_headers()
            while not stop.wait(0.1):
                self.wfile.write(b": still here\n\n")

        def log_message(self, format: str, *args: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Answer) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield server.server_port
        stop.set()
        server.shutdown()
        thread.join()


async def test_endless_answer_is_not_taken_for_mekuri(chatterbox: int) -> None:
    assert not await asyncio.to_thread(is_mekuri, f"http://127.0.0.1:{chatterbox}")


async def test_only_a_mekuri_server_is_recognised(server: Serving, stranger: int) -> None:
    assert await asyncio.to_thread(is_mekuri, server.address)
    assert not await asyncio.to_thread(is_mekuri, f"http://127.0.0.1:{stranger}")
    assert not await asyncio.to_thread(is_mekuri, "http://127.0.0.1:9")


# --- Opening ---


@pytest.fixture
def desktop(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SSH_CONNECTION", raising=False)
    monkeypatch.setenv("DISPLAY", ":0")


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The commands that were started, in place of starting them."""
    commands: list[list[str]] = []

    class Process:
        def __init__(self, command: list[str], **options: object) -> None:
            assert options["stdin"] == options["stdout"] == options["stderr"] == subprocess.DEVNULL
            commands.append(command)

        def wait(self) -> int:
            return 0

    monkeypatch.setattr("subprocess.Popen", Process)
    return commands


@pytest.mark.usefixtures("desktop")
def test_browser_opens_on_a_desktop(started: list[list[str]]) -> None:
    open_page("http://127.0.0.1:8413")
    assert started == [[sys.executable, "-m", "webbrowser", "http://127.0.0.1:8413"]]


@pytest.mark.usefixtures("desktop")
def test_no_browser_opens_without_a_desktop(started: list[list[str]], monkeypatch: pytest.MonkeyPatch) -> None:
    """Text browsers would take over the terminal, and over SSH the desktop is another person's."""
    monkeypatch.setenv("SSH_CONNECTION", "192.0.2.1 50000 192.0.2.2 22")
    open_page("http://127.0.0.1:8413")
    monkeypatch.delenv("SSH_CONNECTION")
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.delenv("DISPLAY")
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    open_page("http://127.0.0.1:8413")
    assert started == []
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    assert has_desktop()
    monkeypatch.delenv("WAYLAND_DISPLAY")
    monkeypatch.setattr(sys, "platform", "darwin")
    assert has_desktop()
