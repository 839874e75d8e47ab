"""A finished round that can be reviewed and retried, of a record or of a table."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from mekuri.bots.review import Review
from mekuri.engine.contract import Contract, Worth
from mekuri.match.round import Round
from mekuri.match.view import Happening
from mekuri.protocol import table as wire
from mekuri.protocol.library import worths
from mekuri.protocol.review import AskRetry, Retried, Reviewed
from mekuri.table.errors import ProblemError
from mekuri.table.retrying import retry
from mekuri.table.reviewing import reviewed

if TYPE_CHECKING:
    from mekuri.terminal.base.line import Line

_LOOK = 0.5  # seconds between two requests for a review that is being made

Progress = Callable[[int, int], None]  # called with the number of decisions judged so far, and of all decisions


class Finished(ABC):
    """A finished round as one of its seats saw it.

    Attributes:
        contract: the game's contract.
        number: the number of the round, from 1.
        seat: the seat.
        seats: the number of seats.
    """

    def __init__(self, contract: Contract, number: int, seat: int, seats: int) -> None:
        self.contract, self.number, self.seat, self.seats = contract, number, seat, seats

    @abstractmethod
    async def review(self, progress: Progress) -> Review:
        """Return what each decision of the seat cost, and how much of the result was luck.

        Args:
            progress: called while the review is made.

        Raises:
            MekuriError: the review cannot be made or fetched.
        """

    @abstractmethod
    async def events(self) -> Sequence[Happening]:
        """Return the events of the round as the seat saw them, with the view after each.

        Raises:
            MekuriError: the events cannot be fetched.
        """

    @abstractmethod
    async def worths(self) -> Mapping[str, Worth]:
        """Return what every card in play counts, by the card's notation.

        Raises:
            MekuriError: the table of cards cannot be fetched.
        """

    @abstractmethod
    async def retry(self, asked: AskRetry) -> Retried:
        """Play on from a moment of the round with another action.

        Raises:
            MekuriError: the retry fails. If it is refused, the error is a ProblemError.
        """


class FinishedHere(Finished):
    """A finished round of a record."""

    def __init__(self, round: Round, number: int, seat: int) -> None:
        super().__init__(round.contract, number, seat, round.game.seats)
        self._round = round

    async def review(self, progress: Progress) -> Review:
        """Make the review in a thread."""

        async def report(done: int, total: int) -> None:
            progress(done, total)

        return await reviewed(self._round, self.number, self.seat, asyncio.to_thread, report, asyncio.sleep)

    async def events(self) -> Sequence[Happening]:
        """Return the events of the round as the seat saw them."""
        return self._round.events(self.seat)

    async def worths(self) -> Mapping[str, Worth]:
        """Return what every card in play counts by the rules, by notation."""
        return worths("", self._round.game).cards

    async def retry(self, asked: AskRetry) -> Retried:
        """Play the retry in a thread.

        Raises:
            ProblemError: the retry is refused.
        """
        return await asyncio.to_thread(retry, self._round, asked.seat, asked.seen, asked.line, asked.since)


class FinishedThere(Finished):
    """A finished round of a table, on a server or in this process."""

    def __init__(
        self,
        line: Line,
        table: str,
        seen: Callable[[wire.Event], Happening],
        contract: Contract,
        number: int,
        seat: int,
        seats: int,
    ) -> None:
        super().__init__(contract, number, seat, seats)
        self._line, self._seen = line, seen
        self._table = f"/api/tables/{table}"
        self._path = f"{self._table}/rounds/{number}"

    async def review(self, progress: Progress) -> Review:
        """Ask for the review until it and another in progress have been made. A review by an earlier judge is made again.

        Raises:
            LineError: the server cannot be reached or refuses.
        """
        while True:
            try:
                reviewed = await self._line.insist("GET", f"{self._path}/review?seat={self.seat}&again=true", Reviewed)
            except ProblemError as refused:
                if refused.problem.error != "reviewing":
                    raise
            else:
                if reviewed.review:
                    return reviewed.review
                progress(reviewed.done, reviewed.total)
            await self._line.time.sleep(_LOOK)

    async def events(self) -> Sequence[Happening]:
        """Fetch the events of the round.

        Raises:
            LineError: the server refuses, or its answer cannot be understood.
        """
        replay = await self._line.insist("GET", f"{self._path}?seat={self.seat}", wire.Replay)
        return [self._seen(event) for event in replay.events if event.kind == "play"]

    async def worths(self) -> Mapping[str, Worth]:
        """Ask the server what every card in play counts.

        Raises:
            LineError: the server cannot be reached or refuses.
        """
        return (await self._line.ask("GET", f"{self._table}/cards", wire.Worths)).cards

    async def retry(self, asked: AskRetry) -> Retried:
        """Ask the server to play on from a moment of the round with another action.

        Raises:
            LineError: the server refuses, or its answer cannot be understood.
        """
        return await self._line.insist("POST", f"{self._path}/retry", Retried, asked)
