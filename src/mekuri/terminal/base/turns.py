"""The decisions that the player owes at turn-by-turn tables, on all servers that have a kept token."""

from __future__ import annotations

import asyncio
from typing import NamedTuple

from mekuri import games
from mekuri.engine.errors import UnknownGame
from mekuri.engine.rulebook import Lang, rulebook
from mekuri.protocol import table as wire
from mekuri.terminal.base.kept import kept_servers, kept_token
from mekuri.terminal.base.line import Line, LineError
from mekuri.terminal.base.texts import say, when
from mekuri.terminal.base.translate import printable

_PATIENCE = 3.0  # seconds for all servers together, so that the menu never waits for a dead one


class Owed(NamedTuple):
    """A decision that the player owes at a table.

    Attributes:
        game: the game's name.
        others: the names of the other people there.
        until: the deadline, in milliseconds since 1970.
        link: the link of the table.
    """

    game: str
    others: tuple[str, ...]
    until: int
    link: str

    def text(self, lang: Lang) -> str:
        """Return the decision in one line, with the command that opens the table."""
        try:
            name = rulebook(games.find(self.game)).tables["name"][lang]
        except UnknownGame:
            name = printable(self.game)
        others = ("、" if lang == "ja" else ", ").join(self.others)
        return say("turns.owed", lang, game=name, others=others, until=when(self.until, lang), link=self.link)


class Turns(NamedTuple):
    """The answers of servers.

    Attributes:
        owed: the decisions that the player owes, the most urgent first.
        unreached: the addresses of the servers that failed, were late, or did not reach all of their tables. The player may owe
            more decisions there.
    """

    owed: list[Owed]
    unreached: list[str]


async def owed() -> Turns:
    """Return the answers of all servers that have a kept token. Raises KeptError if the kept tokens cannot be read."""
    asked = kept_servers()
    tasks = [asyncio.create_task(owed_at(server)) for server in asked]
    if not tasks:
        return Turns([], [])
    _, late = await asyncio.wait(tasks, timeout=_PATIENCE)
    for task in late:
        task.cancel()
    await asyncio.gather(*late, return_exceptions=True)
    found, unreached = list[Owed](), list[str]()
    for server, task in zip(asked, tasks, strict=True):
        turns = Turns([], [server]) if task in late or task.exception() else task.result()
        found += turns.owed
        unreached += turns.unreached
    return Turns(sorted(found, key=lambda decision: decision.until), unreached)


async def owed_at(server: str) -> Turns:
    """Return the answer of one server.

    Raises:
        LineError: the server cannot be reached or refuses, or there is no kept token for it.
    """
    token = kept_token(server)
    if not token:
        raise LineError(f"nobody here is a guest of {server}")
    async with Line(server, token) as line:
        tables = await line.ask("GET", "/api/tables", wire.Tables)
    return Turns([_owed(table, server) for table in tables.yours if table.owed], [server] if tables.unanswered else [])


def _owed(table: wire.Table, server: str) -> Owed:
    assert table.owed
    others = [printable(seat.name) for seat in table.head.seats if seat.name and seat.seat != table.you]
    return Owed(table.game, tuple(others), table.owed.until, f"{server}/t/{table.id}")
