"""Loading of tables from the log: their rows are replayed, and a match that no longer replays is closed."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence
from functools import partial

from mekuri import games
from mekuri.desk.stores import Stores
from mekuri.desk.work import Work
from mekuri.engine.errors import UnknownGame
from mekuri.match.deals import Deals
from mekuri.table.errors import ProblemError
from mekuri.table.log import Conflict, Moved, Row
from mekuri.table.rows import load, load_stopped
from mekuri.table.table import Table
from mekuri.table.transitions import KINDS, Unreplayable

_log = logging.getLogger("mekuri.desk")


class Waiting(ProblemError):
    """A table whose game is not installed or only in an older version, or that was written by a newer release.

    The server's log has a message about it.
    """


class Loader:
    """Reads tables from the log, and replays them in a worker."""

    def __init__(self, store: Stores, work: Work, deals: Callable[[bytes], Deals | None] = lambda root: None) -> None:
        self._store = store
        self._deals = deals
        self._work = work
        self._left: set[str] = set()  # tables about which a message was logged

    async def load(self, id: str) -> Table:
        """Return a table. A table that the installed rules do not replay is closed, and its people see that.

        Raises:
            ProblemError: there is no such table.
            Waiting: its game is not installed or only in an older version, or a newer release has written rows of it.
        """
        match = await self._store.match(id)
        if match is None:
            raise ProblemError("no-such-table")
        rows = await self._store.rows(id)
        self._need_rules(id, match.game, rows)
        names = await self._store.names(people_of(rows))
        try:
            # In the worker, as a long match takes long to replay.
            return await self._work.do(partial(load, id, match.root, rows, self._deals(match.root), names))
        except Unreplayable as error:
            table = load_stopped(id, match.root, rows, names)
            if table.fresh:
                _log.warning("A match of %s no longer replays and is closed: %s", match.game, error)
                try:
                    await self._store.append(id, table.fresh, table.state, False)
                except Moved:
                    pass  # its home will close it
                except Conflict:
                    return await self.load(id)  # another process has closed it
                table.fresh = []
            return table

    def _need_rules(self, id: str, game: str, rows: Sequence[Row]) -> None:
        """Raises Waiting for a match whose game is not installed or older than the match, so that it can go on later.

        Neither do rows of a newer release prove that a match cannot go on.
        """
        try:
            newer = rows[0].body["version"] > games.find(game).version or any(row.kind not in KINDS for row in rows)
        except UnknownGame:
            self._leave(id, game)
            raise Waiting("no-such-game") from None
        if newer:
            self._leave(id, game)
            raise Waiting("newer")

    def _leave(self, id: str, game: str) -> None:
        if id not in self._left:
            self._left.add(id)
            _log.error("A match waits for rules of %s that are not here, or are newer than those here", game)

    def waits(self, id: str) -> bool:
        """Whether a table was found to be Waiting. In this process it will not be anything else."""
        return id in self._left


def people_of(rows: Iterable[Row]) -> list[str]:
    """Return all people in the rows of a table: people who have sat there, and people for whom seats are kept."""
    found: dict[str | None, None] = {}
    for row in rows:
        if row.kind == "sit":
            found[row.person] = None
        elif row.kind == "make":
            found |= dict.fromkeys(row.body.get("after", {}).get("kept_for", ()))
    return [person for person in found if person]
