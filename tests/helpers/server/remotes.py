"""Tables of the terminal at a real server, and other guests who come to them."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from random import Random
from typing import Any

from mekuri.protocol import table as wire
from mekuri.terminal.base.online import make_table
from mekuri.terminal.base.remote import RemotePlay
from tests.helpers.server.serving import Guest, Serving, act
from tests.helpers.tables import USUAL, seats_for

GAME = USUAL


async def sit(server: Serving, name: str = GAME, seats: tuple[str, ...] = ("person", "greedy"), **asked: Any) -> RemotePlay:
    """Make a table of one round and sit down in its first seat. Bots have the seats that are left."""
    pace = asked.pop("pace", 0)
    made = wire.AskTable(game=name, seats=seats_for(name, *seats), match_options={"rounds": str(asked.pop("rounds", 1))}, **asked)
    return await make_table(server.address, made, 0, "Aki", pace)


@contextlib.asynccontextmanager
async def busy(guest: Guest, table: str, *, ready: bool = True) -> AsyncIterator[None]:
    """Let a guest act in the background, and ask for the next round if `ready`."""

    async def play() -> None:
        chance = Random(0)
        while True:
            whole = await guest.look(table)
            if (whole["view"]["over"] and not ready) or not await act(guest, table, chance, whole):
                await asyncio.sleep(0.1)  # the keyboard of the pilot waits until the process is idle

    task = asyncio.create_task(play())
    try:
        yield
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


@contextlib.asynccontextmanager
async def friend(server: Serving, table: str) -> AsyncIterator[Guest]:
    """Return another guest who has sat down at a table."""
    guest = await Guest(server.address).arrive("Ben")
    await guest.sit(table)
    yield guest
    await guest.close()
