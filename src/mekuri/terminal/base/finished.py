"""A finished round that can be reviewed and retried, in this process or on a server."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence

from mekuri.bots.review import Review
from mekuri.engine.contract import Contract, Worth
from mekuri.match.round import Round
from mekuri.match.view import Happening
from mekuri.protocol.library import worths
from mekuri.protocol.review import AskRetry, Retried
from mekuri.table.retrying import retry
from mekuri.table.reviewing import reviewed

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
    """A finished round of a match in this process."""

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
