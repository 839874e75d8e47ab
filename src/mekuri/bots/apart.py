"""Run bots of other packages in processes of their own, with a time limit.

A process is no sandbox: a bot runs with the rights of the user who runs Mekuri. But it is given only what its seat may know, it
cannot disturb the server by hanging, crashing or printing, and it is killed when it takes longer than its time limit.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from mekuri.bots.wire import packed
from mekuri.engine.bot import About, Budget, Seen
from mekuri.engine.compiled import count, first
from mekuri.engine.contract import LAST_WORD, legal, undoing

LOADING = 30.0  # seconds in which a process must have started and loaded its bot
_EACH = 4  # processes of one bot at the same time, at most
_MOST = 1 << 16  # bytes of an answer, at most
_BEGIN = "import json, sys; sys.path[:] = json.loads(sys.argv[2]); from mekuri.bots.child import main; main(sys.argv[1])"


class Failed(Exception):
    """A bot has not answered in time, or not with a legal action. The message continues a sentence that begins with its name."""


def describe(name: str) -> About:
    """Load a bot of another package in a process of its own, and return its description.

    Raises:
        Failed: the bot cannot be loaded.
    """
    process = _Process(name)
    try:
        return process.about
    finally:
        process.end()


class Apart:
    """A pool of bot processes, started when a bot is first asked and kept for its later turns.

    Args:
        limit: the most seconds that a bot may take for one action.
    """

    def __init__(self, limit: float) -> None:
        self._limit = limit
        self._lock = threading.Lock()
        self._idle: defaultdict[str, list[_Process]] = defaultdict(list)
        self._room: defaultdict[str, threading.Semaphore] = defaultdict(lambda: threading.Semaphore(_EACH))
        self._all: set[_Process] = set()
        self._closed = False

    def choose(self, name: str, seen: Seen, chance: list[int], budget: Budget) -> int:
        """Ask a bot for its action. An only choice is returned without asking; with no idle process the call waits for one.

        Args:
            name: the bot's name.
            seen: what its seat has seen.
            chance: four words, which the bot is sent; its process advances only its own copy.
            budget: how much it may think, which the bot is sent.

        Returns:
            A legal action, as a number.

        Raises:
            Failed: the bot crashed, or gave no legal action within the time limit. Its process is then killed.
        """
        choices = legal(seen.hidden, seen.seat) & ~undoing(seen.hidden, seen.seat)
        if count(choices) == 1:
            return first(choices)
        return self.choose_each(name, [seen], [chance], budget)[0]

    def choose_each(self, name: str, seen: Sequence[Seen], chances: Sequence[list[int]], budget: Budget) -> list[int]:
        """Ask a bot for several actions in one request; as `choose`, with its time limit for each action."""
        legal_sets = [legal(one.hidden, one.seat) & ~undoing(one.hidden, one.seat) for one in seen]
        with self._lock:
            room = self._room[name]
        with room:
            process = self._take(name)
            try:
                actions = process.ask(packed(seen, chances, budget), self._limit * len(seen)).get("actions")
                if not isinstance(actions, list) or len(actions) != len(seen) or not all(map(_allowed, actions, legal_sets)):
                    raise Failed("has chosen something that the rules forbid")
            except BaseException:
                self._drop(process)
                raise
            self._put_back(name, process)
            return actions

    def close(self) -> None:
        """Kill every process. Calls of `choose` that wait for an answer raise Failed, and so do later ones."""
        with self._lock:
            self._closed, running = True, set(self._all)
            self._all.clear()
            self._idle.clear()
        for process in running:
            process.end()

    def _take(self, name: str) -> _Process:
        """Return an idle process of a bot, or start one."""
        with self._lock:
            while self._idle[name]:
                process = self._idle[name].pop()
                if process.alive:
                    return process
                process.end()
                self._all.discard(process)
            if self._closed:
                raise Failed("is asked no more")
            process = _Process(name, load=False)
            self._all.add(process)
        try:
            process.load()
        except BaseException:
            self._drop(process)
            raise
        return process

    def _put_back(self, name: str, process: _Process) -> None:
        with self._lock:
            self._idle[name].append(process)

    def _drop(self, process: _Process) -> None:
        process.end()
        with self._lock:
            self._all.discard(process)


def _allowed(action: object, choices: int) -> bool:
    return isinstance(action, int) and 0 <= action <= LAST_WORD and choices >> action & 1 == 1


class _Process:
    """A process of one bot.

    Attributes:
        about: the bot's description; set once it is loaded.
    """

    about: About

    def __init__(self, name: str, *, load: bool = True) -> None:
        self._name = name
        # Mekuri's own settings are kept from the bot: the address of a database may hold a password.
        environment = {key: value for key, value in os.environ.items() if not key.startswith("MEKURI_")}
        try:
            self._process = subprocess.Popen(
                [sys.executable or "python", "-c", _BEGIN, name, json.dumps(sys.path)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=environment,
                start_new_session=True,  # so that Ctrl-C in a terminal does not end it
            )
        except OSError as error:
            raise Failed(f"has no process: {error}") from error
        assert self._process.stdin
        assert self._process.stdout
        self._to, self._from = self._process.stdin, self._process.stdout
        if load:
            self.load()

    @property
    def alive(self) -> bool:
        """Whether the process is running."""
        return self._process.poll() is None

    def load(self) -> None:
        """Wait until the bot is loaded. Raises Failed where that takes longer than `LOADING` seconds."""
        try:
            about = self.ask(b"", LOADING, "has not been loaded")
        except BaseException:
            self.end()
            raise
        games = None if about["games"] is None else tuple(about["games"])
        self.about = About(id=self._name, **{**about, "games": games})

    def ask(self, line: bytes, limit: float, late: str = "has not answered") -> dict[str, Any]:
        """Send a line to the process, and return its answer. Raises Failed where there is none in time, or it reports an error.

        Args:
            line: the request, with its newline; b"" only waits for the next answer.
            limit: seconds after which the process is killed.
            late: the message of Failed in that case, without the limit.
        """
        overran = threading.Event()

        def stop() -> None:
            overran.set()
            self._kill()

        timer = threading.Timer(limit, stop)
        timer.daemon = True
        timer.start()
        answer = b""
        with contextlib.suppress(OSError, ValueError):  # of a pipe that is broken, or has been closed
            self._to.write(line)
            self._to.flush()
            answer = self._from.readline(_MOST)
        timer.cancel()
        timer.join()
        if overran.is_set():
            raise Failed(f"{late} within {limit:g} s")
        try:
            parsed = json.loads(answer) if answer else {"failed": "has ended its process"}
        except ValueError:
            raise Failed("has answered something that cannot be read") from None
        if not isinstance(parsed, dict) or "failed" in parsed:
            raise Failed(str(parsed["failed"]) if isinstance(parsed, dict) else "has answered something that cannot be read")
        return parsed

    def end(self) -> None:
        """Kill the process and, on POSIX, its children, and close its pipes."""
        self._kill()
        self._process.wait()
        for pipe in (self._to, self._from):
            with contextlib.suppress(OSError):
                pipe.close()

    def _kill(self) -> None:
        if self._process.returncode is not None:
            return  # it has ended, and its process id may have been given to another
        with contextlib.suppress(OSError):
            if os.name == "posix":
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()
