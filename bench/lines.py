"""Servers in processes of their own and HTTP connections to them, written by hand so that the load of a bench costs little."""

from __future__ import annotations

import asyncio
import random
import re
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from zlib import crc32

import msgspec

_SERVED = Path(__file__).with_name("served.py")
NOBODY = "Host: localhost\r\n"  # the headers of a client that is no guest
_BETWEEN = 0.5  # seconds between two attempts to open a connection again
_LENGTH = re.compile(rb"content-length: *(\d+)", re.IGNORECASE)


def open_many_files() -> None:
    """Let this process have as many files and connections open as the machine allows."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def resident(process: str = "self") -> tuple[float, float]:
    """Return the resident memory of a process, and the most since its start or `forget_peak`, both in MiB. (From Linux's /proc.)"""
    fields = dict(one.split(":", 1) for one in Path("/proc", process, "status").read_text().splitlines())
    now, most = (int(fields[name].split()[0]) / 1024 for name in ("VmRSS", "VmHWM"))
    return now, most


def forget_peak(process: str = "self") -> None:
    """Count the most memory of a process from now on."""
    Path("/proc", process, "clear_refs").write_text("5")


class Process:
    """A server in another process, which ends with this one.

    Attributes:
        port: the port of the server.
    """

    def __init__(self, *role: str) -> None:
        command = [sys.executable, str(_SERVED), *role]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.port = int(self._said())

    def port_of(self, table: str) -> int:
        """Return the port for the connections of a table."""
        return self.port

    def usage(self) -> tuple[float, int]:
        """Return the seconds of processor time used so far, and the bytes of memory held."""
        cpu, memory, *_ = self._asked()
        return cpu, int(memory)

    def resident(self) -> tuple[float, float]:
        """Return what `resident` returns of the process of the server."""
        return resident(str(self._process.pid))

    def forget_peak(self) -> None:
        """Count the most memory of the server from now on."""
        forget_peak(str(self._process.pid))

    def held(self) -> dict[str, float]:
        """Return memory in MiB, and the numbers of open files, threads and tables in memory."""
        _, memory, tables, *_ = self._asked()
        here = Path("/proc", str(self._process.pid))
        files, threads = len(list((here / "fd").iterdir())), len(list((here / "task").iterdir()))
        return {"memory": round(memory / (1 << 20), 1), "files": files, "threads": threads, "tables": int(tables)}

    def bot_turns(self) -> tuple[int, int]:
        """Return how many turns of bots took at most a second, and how many there were in all."""
        *_, within, turns = self._asked()
        return int(within), int(turns)

    def _asked(self) -> list[float]:
        assert self._process.stdin
        print("usage", file=self._process.stdin, flush=True)
        return [float(word) for word in self._said().split()]

    def _said(self) -> str:
        assert self._process.stdout
        return self._process.stdout.readline()

    def stop(self) -> None:
        """Let the server close its connections and end."""
        self._process.communicate()


class Group:
    """Several servers with one database, and its processes.

    Attributes:
        servers: the servers.
        size: returns the bytes of the database.
        by_table: whether all connections of a table go to one server, as behind a proxy that hashes; otherwise each to any.
    """

    def __init__(
        self, servers: Sequence[Process], size: Callable[[], int], beside: Callable[[], float] = float, by_table: bool = False
    ) -> None:
        self.servers = servers
        self.size = size
        self.by_table = by_table
        self._beside = beside
        self._chance = random.Random(0)

    @property
    def port(self) -> int:
        """The port of a random server: of servers in turn each table's first viewer would get the same, and it all homes."""
        return self._chance.choice(self.servers).port

    def port_of(self, table: str) -> int:
        """Return the port for the connections of a table."""
        return self.servers[crc32(table.encode()) % len(self.servers)].port if self.by_table else self.port

    def usage(self) -> tuple[float, int]:
        """Return the seconds of processor time used so far by all, those of the database included, and the bytes of memory."""
        found = [server.usage() for server in self.servers]
        return sum(cpu for cpu, _ in found) + self._beside(), sum(memory for _, memory in found)

    def held(self) -> dict[str, float]:
        """Return what all hold together, as one does, and the size of the database in MiB."""
        found = [server.held() for server in self.servers]
        return {name: sum(one[name] for one in found) for name in found[0]} | {"database": round(self.size() / (1 << 20), 1)}


@contextmanager
def process(*role: str) -> Iterator[Process]:
    """Run a server as long as the context is open."""
    running = Process(*role)
    try:
        yield running
    finally:
        running.stop()


class Line(asyncio.Protocol):
    """A connection that is kept open and sends one request after the other. It is opened again if the server has closed it.

    Attributes:
        headers: the headers of every request.
        refused: how many requests have been refused.
    """

    def __init__(self, port: int) -> None:
        self._port = port
        self._got = b""
        self._answer: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        self._one = asyncio.Lock()
        self.headers = NOBODY + "Content-Type: application/json\r\n"
        self.refused = 0

    def connection_made(self, transport: Any) -> None:
        self._transport = transport
        self._got = b""

    def data_received(self, data: bytes) -> None:
        self._got += data
        head, whole, body = self._got.partition(b"\r\n\r\n")
        found = _LENGTH.search(head)
        if not whole or len(body) < int(found[1] if found else 0):
            return
        self._got = b""
        # If several seats may act at once, another may have been first (409), which does not count as a refusal.
        self.refused += not head.startswith((b"HTTP/1.1 2", b"HTTP/1.1 409"))
        if not self._answer.done():
            self._answer.set_result(body)

    def connection_lost(self, error: Exception | None) -> None:
        if not self._answer.done():
            self._answer.set_exception(error or ConnectionResetError("closed before the answer came"))

    async def ask(self, path: str, body: bytes, method: str = "POST") -> bytes:
        """Send a request and return the body of its answer. It is sent again where an idle connection was just being closed."""
        async with self._one:
            while True:
                if self._transport.is_closing():
                    await asyncio.get_running_loop().create_connection(lambda: self, "127.0.0.1", self._port)
                self._answer = asyncio.get_running_loop().create_future()
                head = f"{method} {path} HTTP/1.1\r\n{self.headers}Content-Length: {len(body)}\r\n\r\n"
                self._transport.write(head.encode() + body)
                with suppress(ConnectionError):
                    return await self._answer

    async def post(self, path: str, **body: Any) -> Any:
        return msgspec.json.decode(await self.ask(path, msgspec.json.encode(body)))

    def move(self, port: int) -> None:
        """Go on with a connection to another port."""
        if port != self._port:
            self._port = port
            self.close()

    def close(self) -> None:
        self._transport.close()


class Follower(asyncio.Protocol):
    """A connection that receives server-sent events. It is opened again if the server has closed it.

    Attributes:
        first: a future that is done when the first event has come.
        bytes: the bytes received.
        again: how often it has been opened again.
    """

    def __init__(self, port: int, path: str, headers: str = NOBODY, hear: Any = None) -> None:
        self._port = port
        self._request = f"GET {path} HTTP/1.1\r\n{headers}\r\n".encode()
        self._hear = hear
        self._raw, self._text = b"", b""
        self._begun = False
        self.first = asyncio.get_running_loop().create_future()
        self.bytes = self.again = 0
        self._closed = False

    def connection_made(self, transport: Any) -> None:
        self._transport = transport
        transport.write(self._request)

    def connection_lost(self, error: Exception | None) -> None:
        if self.first.done() and not self._closed:
            self._opening = asyncio.ensure_future(self._open_again())

    async def _open_again(self) -> None:
        self._raw, self._text, self._begun = b"", b"", False
        self.again += 1
        while not self._closed:
            with suppress(OSError):
                await asyncio.get_running_loop().create_connection(lambda: self, "127.0.0.1", self._port)
                return
            await asyncio.sleep(_BETWEEN)

    def data_received(self, data: bytes) -> None:
        self._raw += data
        if not self._begun:
            head, mark, rest = self._raw.partition(b"\r\n\r\n")
            if not mark:
                return
            assert head.startswith(b"HTTP/1.1 200"), head
            self._begun, self._raw = True, rest
        while (end := self._raw.find(b"\r\n")) >= 0:
            stop = end + 2 + int(self._raw[:end], 16)
            if len(self._raw) < stop + 2:
                return
            self._take(self._raw[end + 2 : stop])
            self._raw = self._raw[stop + 2 :]

    def _take(self, chunk: bytes) -> None:
        self.bytes += len(chunk)
        *messages, self._text = (self._text + chunk).split(b"\n\n")
        for message in messages:
            _, found, data = message.rpartition(b"data: ")
            if found and self._hear:
                self._hear(data)
            if found and not self.first.done():
                self.first.set_result(None)

    def close(self) -> None:
        self._closed = True
        self._transport.close()


async def line(port: int) -> Line:
    return (await asyncio.get_running_loop().create_connection(lambda: Line(port), "127.0.0.1", port))[1]


async def follower(port: int, *arguments: Any) -> Follower:
    """Return a follower that has received its first event. `arguments` are those of `Follower` after the port."""
    make = lambda: Follower(port, *arguments)  # noqa: E731
    made = (await asyncio.get_running_loop().create_connection(make, "127.0.0.1", port))[1]
    await made.first
    return made


async def guest(port: int) -> Line:
    """Return a connection of a new guest."""
    made = await line(port)
    token = (await made.post("/api/guests", name="Aki"))["token"]
    made.headers += f"Authorization: Bearer {token}\r\n"
    return made
