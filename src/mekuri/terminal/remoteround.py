"""A finished round of a table on a server, for its review and retries."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence

from mekuri.bots.review import Review
from mekuri.engine.contract import Contract, Worth
from mekuri.match.view import Event
from mekuri.protocol import table as wire
from mekuri.protocol.review import AskRetry, Retried, Reviewed
from mekuri.terminal.finished import Finished, Progress
from mekuri.terminal.line import Line

_LOOK = 0.5  # seconds between two requests for a review that is being made


class FinishedThere(Finished):
    """A finished round of a table on a server."""

    def __init__(
        self, line: Line, table: str, contract: Contract, number: int, seat: int, seats: int, seen: Callable[[wire.Event], Event]
    ) -> None:
        """Keep the connection for later requests.

        Args:
            line: the open connection.
            table: the table's id.
            contract: the game's contract.
            number: the number of the round, from 1.
            seat: the person's seat.
            seats: the number of seats.
            seen: converts an event of the wire into one of the match.
        """
        super().__init__(contract, number, seat, seats)
        self._line = line
        self._table = f"/api/tables/{table}"
        self._path = f"{self._table}/rounds/{number}"
        self._seen = seen

    async def review(self, progress: Progress) -> Review:
        """Ask for the review until it has been made. One of an earlier judge is made again.

        Raises:
            LineError: the server cannot be reached or refuses.
        """
        while True:
            told = await self._line.insist("GET", f"{self._path}/review?seat={self.seat}&again=true", Reviewed)
            if told.review:
                return told.review
            progress(told.done, told.total)
            await asyncio.sleep(_LOOK)

    async def events(self) -> Sequence[Event]:
        """Fetch the events of the round.

        Raises:
            LineError: the server refuses, or its answer cannot be understood.
        """
        replay = await self._line.insist("GET", f"{self._path}?seat={self.seat}", wire.Replay)
        return [self._seen(event) for event in replay.events if event.kind == "play"]

    async def worths(self) -> Mapping[str, Worth]:
        """Fetch what every card in play counts.

        Raises:
            LineError: the server refuses, or its answer cannot be understood.
        """
        return (await self._line.insist("GET", f"{self._table}/cards", wire.Worths)).cards

    async def retry(self, asked: AskRetry) -> Retried:
        """Ask the server to play on from a moment of the round with another action.

        Raises:
            LineError: the server refuses, or its answer cannot be understood.
        """
        return await self._line.insist("POST", f"{self._path}/retry", Retried, asked)
