"""Tables from the log: replayed, closed where they no longer replay, or left alone until their rules are here."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from functools import partial

from mekuri import games
from mekuri.engine.errors import UnknownGame
from mekuri.server.store import Store
from mekuri.server.work import WorkerThread
from mekuri.table.errors import ProblemError
from mekuri.table.log import Conflict, Row
from mekuri.table.table import Table, Unreplayable

_log = logging.getLogger("mekuri.server")


class Waiting(ProblemError):
    """A table that waits for its rules. The log has been told so once."""


class Loader:
    """Reads tables from the log, and replays them in a backroom."""

    def __init__(self, store: Store, worker: WorkerThread) -> None:
        self._store = store
        self._worker = worker
        self._left: set[str] = set()  # tables of which the log has been told that they wait for their rules

    async def load(self, id: str) -> Table:
        """A table. One that the present rules do not replay is closed with a notice; nothing is guessed.

        Raises ProblemError where there is none of this id, and where its rules are not here.
        """
        match = await self._store.match(id)
        if match is None:
            raise ProblemError("no-such-table")
        rows = await self._store.rows(id)
        self._need_rules(id, match.game, rows)
        names = await self._store.names(people_of(rows))
        try:
            # However long it was played.
            return await self._worker.do(partial(Table.load, id, match.root, rows, names=names))
        except Unreplayable as error:
            table = Table.stopped(id, match.root, rows, names)
            if table.fresh:
                _log.warning("A match of %s no longer replays and is closed: %s", match.game, error)
                try:
                    await self._store.append(id, table.fresh, table.state, False)
                except Conflict:
                    return await self.load(id)  # another process has closed it
                table.fresh = []
            return table

    def _need_rules(self, id: str, game: str, rows: Sequence[Row]) -> None:
        """A match whose game is not installed, or was newer, goes on when the right rules are there again."""
        try:
            newer = rows[0].body["version"] > games.find(game).version
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


def people_of(rows: Iterable[Row]) -> list[str]:
    """Everybody whom rows of a table name: who has sat there, and for whom seats were kept."""
    found: dict[str | None, None] = {}
    for row in rows:
        if row.kind == "sit":
            found[row.person] = None
        elif row.kind == "make":
            found |= dict.fromkeys(row.body.get("after", {}).get("kept_for", ()))
    return [person for person in found if person]
