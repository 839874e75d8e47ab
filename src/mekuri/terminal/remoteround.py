"""A finished round of a table on a server."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence

from mekuri.engine.contract import Contract
from mekuri.match.view import Event
from mekuri.protocol import table as wire
from mekuri.protocol.review import AskRetry, Retried, Review, Reviewed
from mekuri.terminal.finished import Finished, Progress
from mekuri.terminal.line import Line

_LOOK = 0.5  # seconds between two looks how far a review is


class FinishedThere(Finished):
    """It is asked of the server."""

    def __init__(
        self, line: Line, table: str, contract: Contract, number: int, seat: int, seats: int, seen: Callable[[wire.Event], Event]
    ) -> None:
        """`seen` understands what has happened on the table."""
        super().__init__(contract, number, seat, seats)
        self._line = line
        self._table = f"/api/tables/{table}"
        self._path = f"{self._table}/rounds/{number}"
        self._seen = seen

    async def review(self, progress: Progress) -> Review:
        """Asked until it is there. Raises LineError."""
        while True:
            told = await self._line.insist("GET", f"{self._path}/review?seat={self.seat}", Reviewed)
            if told.review:
                return told.review
            progress(told.done, told.total)
            await asyncio.sleep(_LOOK)

    async def events(self) -> Sequence[Event]:
        """Raises LineError."""
        replay = await self._line.insist("GET", f"{self._path}?seat={self.seat}", wire.Replay)
        return [self._seen(event) for event in replay.events if event.kind == "play"]

    async def worths(self) -> Mapping[str, wire.Worth]:
        """Raises LineError."""
        return (await self._line.insist("GET", f"{self._table}/cards", wire.Worths)).cards

    async def retry(self, asked: AskRetry) -> Retried:
        """Raises LineError."""
        return await self._line.insist("POST", f"{self._path}/retry", Retried, asked)
