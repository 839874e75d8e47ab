"""A process that has imported the server and is forked for each child, as to import it takes longer than to start it.

There is one for each process of the tests, from the first child on. When that process ends, however it does, the zygote kills the
children that are left and ends.
"""

import asyncio
import atexit
import gc
import json
import os
import resource
import runpy
import select
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from typing import Any

from tests.helpers.folders import CHECKOUT

_LARGEST = 1 << 17  # bytes of a request

# --- In the process of the tests ---


class Forked:
    """The process of a command, with as much of the interface of `asyncio.subprocess.Process` as its users need.

    Attributes:
        spent: the seconds of processor time of all that have ended, which the system counts as the zygote's.
        stdout: its output.
        returncode: its exit status, negative for a signal; None until it has ended.
    """

    spent = 0.0

    def __init__(self, stdout: asyncio.StreamReader, stderr: asyncio.StreamReader, status: asyncio.StreamReader, pid: int) -> None:
        self.stdout = stdout
        self.returncode: int | None = None
        self._stderr = stderr
        self._pid = pid
        self._end = asyncio.create_task(self._wait(status))

    async def _wait(self, status: asyncio.StreamReader) -> None:
        line = await status.read()  # to its end, so that the pipe is closed
        # Where the zygote has ended, it tells nothing, and has killed this one.
        code, seconds = line.split() if line else (-signal.SIGKILL, 0)
        self.returncode = int(code)
        Forked.spent += float(seconds)

    def send_signal(self, number: signal.Signals) -> None:
        if self.returncode is None:
            os.kill(self._pid, number)

    async def communicate(self) -> tuple[bytes, bytes]:
        """Wait until the process has ended. Returns the rest of its output and its errors."""
        out, err, _ = await asyncio.gather(self.stdout.read(), self._stderr.read(), self._end)
        return out, err


async def fork(words: Sequence[str], environment: Mapping[str, str], files: int = 0, line: socket.socket | None = None) -> Forked:
    """Run the command `mekuri` in a process that is forked.

    Args:
        words: the arguments of the command.
        environment: its environment variables.
        files: its limit of open files; 0 for that of the zygote.
        line: the line to a zygote; None for that of this process.
    """
    pipes = [os.pipe() for _ in range(3)]
    try:
        asked = {"words": list(words), "environment": dict(environment), "folder": os.getcwd(), "files": files}
        socket.send_fds(line or _zygote(), [json.dumps(asked).encode()], [end for _, end in pipes])
    finally:
        for _, end in pipes:
            os.close(end)
    out, err, status = [await _reader(end) for end, _ in pipes]
    return Forked(out, err, status, int(await status.readline()))


async def _reader(end: int) -> asyncio.StreamReader:
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(end, "rb", 0))
    return reader


def zygote(prepared: bool = True) -> tuple[socket.socket, subprocess.Popen[bytes]]:
    """Start a zygote. Returns the line to it, and its process."""
    ours, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    command = [sys.executable, "-c", f"from {__name__} import live; live({its.fileno()}, {prepared})"]
    environment, null = os.environ | {"PYTHONUNBUFFERED": "1"}, subprocess.DEVNULL
    process = subprocess.Popen(
        command, stdin=null, stdout=null, env=environment, cwd=CHECKOUT, pass_fds=[its.fileno()], start_new_session=True
    )
    its.close()
    return ours, process


@cache
def _zygote() -> socket.socket:
    ours, process = zygote()

    def end() -> None:
        ours.close()
        process.wait()

    atexit.register(end)
    return ours


# --- In the zygote ---


def live(line: int, prepared: bool) -> None:
    """Fork children until the process of the tests has ended. Returns in a child, when its command has returned."""
    if prepared:
        _prepare()
    asked, (waker, wakes) = socket.socket(fileno=line), socket.socketpair()
    wakes.setblocking(False)
    signal.set_wakeup_fd(wakes.fileno())
    signal.signal(signal.SIGCHLD, lambda *_: None)
    running: dict[int, int] = {}  # where the status of each child is told, by its id
    while True:
        ready, _, _ = select.select([asked, waker], [], [])
        if waker in ready:
            waker.recv(4096)
            _reap(running)
        if asked in ready:
            message, ends, _, _ = socket.recv_fds(asked, _LARGEST, 3)
            if not message:
                break
            pid = os.fork()
            if pid == 0:
                for kept in (asked, waker, wakes):
                    kept.close()
                for end in running.values():
                    os.close(end)
                _become(json.loads(message), *ends)
                return
            out, err, running[pid] = ends
            os.close(out)
            os.close(err)
            os.write(running[pid], f"{pid}\n".encode())
    for pid in running:
        os.kill(pid, signal.SIGKILL)


def _prepare() -> None:
    """Import all that a server uses, and make what is the same for every one; but start no thread, and open no database."""
    import mekuri.cli
    from mekuri.server.base.settings import Settings
    from mekuri.server.http.app import _prepare, create_app
    from mekuri.server.http.run import _config
    from mekuri.table.time import REAL

    settings = Settings()
    app = create_app(settings)
    config = _config(app, app.state.places, settings, REAL)
    config.load()
    config.get_loop_factory()
    _prepare(settings.public_url)
    assert mekuri.cli
    assert threading.active_count() == len(os.listdir("/proc/self/task")) == 1
    gc.collect()
    gc.freeze()


def _reap(running: dict[int, int]) -> None:
    with suppress(ChildProcessError):
        while (ended := os.wait4(-1, os.WNOHANG))[0]:
            pid, status, used = ended
            with suppress(BrokenPipeError), os.fdopen(running.pop(pid), "wb", 0) as pipe:
                pipe.write(f"{os.waitstatus_to_exitcode(status)} {used.ru_utime + used.ru_stime}\n".encode())


def _become(asked: dict[str, Any], out: int, err: int, status: int) -> None:
    """Become the process of a command, as `python -m mekuri` runs it."""
    os.close(status)
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.setsid()
    for fresh, usual in ((out, 1), (err, 2)):
        os.dup2(fresh, usual)
        os.close(fresh)
    os.environ.clear()
    os.environ.update(asked["environment"])
    os.chdir(asked["folder"])
    sys.path[0] = asked["folder"]
    if asked["files"]:
        resource.setrlimit(resource.RLIMIT_NOFILE, (asked["files"], asked["files"]))
    sys.argv = ["mekuri", *asked["words"]]
    # `random` has seeded itself anew after the fork, and nothing else that the server draws from has a state.
    runpy.run_module("mekuri", run_name="__main__", alter_sys=True)
