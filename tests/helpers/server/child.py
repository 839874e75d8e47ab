"""A server in a process of its own, which can be killed, interrupted and started again."""

import asyncio
import os
import signal
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.helpers.server.databases import place, ready
from tests.helpers.server.ports import free_port
from tests.helpers.server.zygote import Forked, fork


class Child:
    """The process of `mekuri serve`, on one port and one database, with a limit of open files if one is given.

    It is forked from one that has imported the server, and has a database with tables; unless it is to be the true command, as
    people start it, or imports what was installed since, or is another release, installed for the Python `python`.

    Attributes:
        address: the address of the server.
        database: the path that stands for its database.
        out, err: its output, complete once it has ended.
        status: its exit status; None until it has ended.
    """

    def __init__(
        self,
        database: Path,
        port: int = 0,
        files: int = 0,
        more: Sequence[str] = (),
        url: str = "",
        true: bool = False,
        python: Path | None = None,
    ) -> None:
        self.database = database
        self.port = port or free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self.out = self.err = ""
        self.status: int | None = None
        # Users in the page's tests have separate addresses, as behind a proxy. They play as fast as they can and must not be
        # refused for it.
        limits = ("--requests", "--budget", "--budget-each")
        counted = [word for limit in limits if limit not in more for word in (limit, "0")]
        self._words = [
            "serve",
            "--port",
            str(self.port),
            "--database",
            url or str((place if true else ready)(database)),
            "--proxies",
            "127.0.0.1",
            *counted,
            *more,
        ]
        self._files = files
        self._python = python
        self._true = true or python is not None or sys.platform != "linux"
        self._process: asyncio.subprocess.Process | Forked | None = None

    async def start(self) -> None:
        """Start the process, and wait until it says that the server is open, or ends."""
        environment = {"MEKURI_SERVE_PACE": "0"} | os.environ | {"PYTHONUNBUFFERED": "1"}
        if self._python:
            environment.pop("PYTHONPATH", None)
        self._process = await (self._command if self._true else fork)(self._words, environment, self._files)
        assert self._process.stdout
        self.out = (await self._process.stdout.readline()).decode()

    async def _command(self, words: Sequence[str], environment: Mapping[str, str], files: int) -> asyncio.subprocess.Process:
        assert not files, "the limit of a true command is that of the tests"
        pipe = asyncio.subprocess.PIPE
        return await asyncio.create_subprocess_exec(
            self._python or sys.executable, "-m", "mekuri", *words, stdout=pipe, stderr=pipe, env=environment
        )

    def send(self, number: signal.Signals) -> None:
        assert self._process
        self._process.send_signal(number)

    async def ended(self) -> None:
        """Wait until the process has ended, and read its output."""
        assert self._process
        out, err = await self._process.communicate()
        self.out += out.decode()
        self.err = err.decode()
        self.status = self._process.returncode

    async def kill(self) -> None:
        """Kill the process if it runs."""
        if self._process and self._process.returncode is None:
            self.send(signal.SIGKILL)
            await self.ended()
