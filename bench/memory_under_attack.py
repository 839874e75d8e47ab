"""How much memory strangers can cost: a server under each attack that its limits allow, and the terminal at a hostile server.

    python bench/memory_under_attack.py [--only streams,tables]

Each attack meets a real server of its own (a process on this machine, over loopback, with the limits of `mekuri serve`), at which a
match has been played. One line is printed for each: its resident memory before the attack, while it is held, the most at any time,
and after it; the limit, in MiB more than before; and what was done. The system's own memory for connections is not counted. The
second part has the terminal ask a server that answers without end, packed a thousand times smaller, or nested without end. The
status is 1 if a limit is exceeded.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import cyclopts
import uvloop
from attacks import ATTACKS, Attack, Scene, allow_many_connections
from lines import Process, forget_peak, process, resident

from mekuri.terminal.base.line import Line, LineError
from tests.terminal.test_hostile_server import ANSWERS, MESSAGES, Answer, server

app = cyclopts.App(help=__doc__)

GUESTS = 300  # new guests a minute at one address: ten minutes pass in one
CLIENT = 24.0  # MiB that the terminal may use for an answer
TERMINAL = (
    (ANSWERS, "packed a thousand times smaller"),
    (ANSWERS, "without end"),
    (ANSWERS, "nested without end"),
    (MESSAGES, "without end"),
    (MESSAGES, "of lines without end"),
)
_LET_GO = 3.0  # seconds until a server has let go of what was held
_NEAR = 0.5  # MiB by which the memory of a server that rests may change in a second
_LONGEST = 400.0  # seconds that one attack may take


def show(name: str, before: float, held: float, most: float, after: float, limit: float, done: str) -> bool:
    """Print the line of an attack; memory is in MiB. Returns whether it stays within the limit."""
    figures = f"{before:6.0f} {held:6.0f} {most:6.0f} {after:6.0f} {most - before:+6.0f} {limit:6.0f}"
    print(f"{name:46} {figures}  {'' if most - before <= limit else 'TOO MUCH  '}{done}", flush=True)
    return most - before <= limit


async def rest(served: Process) -> float:
    """Wait until a server rests, and return its resident memory in MiB."""
    last = -1.0
    while abs((now := served.resident()[0]) - last) > _NEAR:
        last = now
        await asyncio.sleep(1)
    return now


async def attacked(attack: Attack) -> bool:
    """Attack a new server, and print the line. Returns whether it stays within the limit."""
    with tempfile.TemporaryDirectory() as folder, process("guarded", folder, str(GUESTS)) as served:
        scene = await Scene.made(served.port, attack.rounds)
        before = 0.0

        async def measure() -> None:
            nonlocal before
            before = await rest(served)
            served.forget_peak()

        scene.measure = measure
        await measure()
        async with asyncio.timeout(_LONGEST):
            done = await attack.run(scene)
        held = served.resident()[0]
        scene.close()
        await asyncio.sleep(_LET_GO)
        after, most = served.resident()
        scene.maker.close()
    return show(attack.name, before, held, most, after, attack.limit, done)


# --- The terminal ---


@app.command
def client(address: str, *, follow: bool = False) -> None:
    """Ask a server as the terminal does, and print the memory before that, after it and at most, in MiB."""

    async def ask() -> str:
        async with Line(address) as line:
            try:
                await (anext(line.follow("t", "", lambda: None)) if follow else line.ask("GET", "/api/guests/me", Any))
            except LineError as error:
                return str(error)
        return "answered"

    before, _ = resident()
    forget_peak()
    said = asyncio.run(ask())
    print(before, *resident(), said)


async def asked(kinds: Mapping[str, Answer], name: str) -> bool:
    """Have the terminal ask a hostile server, and print the line. Returns whether it stays within the limit."""
    async with server(kinds[name]) as address:
        words = (sys.executable, __file__, "client", address, *(["--follow"] if kinds is MESSAGES else []))
        begun = time.monotonic()
        asking = await asyncio.create_subprocess_exec(*words, stdout=subprocess.PIPE)
        try:
            async with asyncio.timeout(_LONGEST):
                output, _ = await asking.communicate()
        finally:
            with suppress(ProcessLookupError):
                asking.kill()
    *figures, said = output.decode().strip().split(" ", 3)
    before, after, most = map(float, figures)
    what = f"{said[:60]} ({time.monotonic() - begun:.1f} s)"
    return show(f"terminal: {'message' if kinds is MESSAGES else 'answer'} {name}", before, after, most, after, CLIENT, what)


@app.default
def main(*, only: str = "") -> None:
    """Attack, and show the figures.

    Args:
        only: parts of the names of attacks, separated by commas; all attacks if left out.
    """
    allow_many_connections()
    print(f"{'MiB':46} before   held   most  after   more  limit", flush=True)
    parts = only.split(",")
    chosen = [attack for attack in ATTACKS if any(part in attack.name for part in parts)]
    within = [uvloop.run(attacked(attack)) for attack in chosen]
    asking = [(kinds, name) for kinds, name in TERMINAL if any(part in f"terminal: {name}" for part in parts)]
    within += [asyncio.run(asked(kinds, name)) for kinds, name in asking]
    sys.exit(not all(within))


if __name__ == "__main__":
    app()
