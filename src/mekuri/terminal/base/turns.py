"""What waits for the person at tables that are played turn by turn, on the servers at which they are a guest."""

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

_PATIENCE = 3.0  # seconds for all servers together: the menu does not wait for one that does not answer


class Owed(NamedTuple):
    """Something that a table waits for from the person.

    Attributes:
        game: the game's name.
        others: the names of the other people there.
        until: when the term passes, in milliseconds since 1970.
        link: the link of the table.
    """

    game: str
    others: tuple[str, ...]
    until: int
    link: str

    def text(self, lang: Lang) -> str:
        """Return it in one line, with the command that opens the table."""
        try:
            name = rulebook(games.find(self.game)).tables["name"][lang]
        except UnknownGame:
            name = printable(self.game)
        others = ("、" if lang == "ja" else ", ").join(self.others)
        return say("turns.owed", lang, game=name, others=others, until=when(self.until, lang), link=self.link)


class Turns(NamedTuple):
    """What servers have told.

    Attributes:
        owed: what their tables wait for from the person, the most urgent first.
        unreached: the addresses of the servers that have failed, were late, or did not hear of all tables: what waits there is not
            known, or not all of it.
    """

    owed: list[Owed]
    unreached: list[str]


async def owed() -> Turns:
    """Return what the servers at which the person is a guest tell. Raises KeptError where the kept tokens cannot be read."""
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
        told = Turns([], [server]) if task in late or task.exception() else task.result()
        found += told.owed
        unreached += told.unreached
    return Turns(sorted(found, key=lambda one: one.until), unreached)


async def owed_at(server: str) -> Turns:
    """Return what one server tells.

    Raises:
        LineError: the server cannot be reached or refuses, or the person is no guest there.
    """
    token = kept_token(server)
    if not token:
        raise LineError(f"nobody here is a guest of {server}")
    async with Line(server, token) as line:
        told = await line.ask("GET", "/api/tables", wire.Tables)
    return Turns([_owed(table, server) for table in told.yours if table.owed], [server] if told.unanswered else [])


def _owed(table: wire.Table, server: str) -> Owed:
    assert table.owed
    others = [printable(seat.name) for seat in table.head.seats if seat.name and seat.seat != table.you]
    return Owed(table.game, tuple(others), table.owed.until, f"{server}/t/{table.id}")
