"""A finished round as it can be looked back on: its review, what was seen to happen in it, and how it goes otherwise."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence

from mekuri.engine.contract import Contract
from mekuri.match.round import Round
from mekuri.match.view import Event
from mekuri.protocol.library import worths
from mekuri.protocol.review import AskRetry, Retried, Review
from mekuri.protocol.table import Worth
from mekuri.table.retrying import retry
from mekuri.table.reviewing import reviewed

Progress = Callable[[int, int], None]  # hears how many decisions have been judged, of how many


class Finished(ABC):
    """A finished round, for one who sat there.

    Attributes:
        contract: the game's contract.
        number: of the round, from 1.
        seat: whose.
        seats: how many there are.
    """

    def __init__(self, contract: Contract, number: int, seat: int, seats: int) -> None:
        self.contract, self.number, self.seat, self.seats = contract, number, seat, seats

    @abstractmethod
    async def review(self, progress: Progress) -> Review:
        """What each decision cost, and what was luck. Raises MekuriError where that cannot be had."""

    @abstractmethod
    async def events(self) -> Sequence[Event]:
        """What the seat saw happen, with the views after it. Raises MekuriError where that cannot be had."""

    @abstractmethod
    async def worths(self) -> Mapping[str, Worth]:
        """What every card in play counts, by notation. Raises MekuriError where that cannot be had."""

    @abstractmethod
    async def retry(self, asked: AskRetry) -> Retried:
        """What comes of doing something else. Raises MekuriError; a `problem` of it says what is refused."""


class FinishedHere(Finished):
    """A finished round that is known in this process."""

    def __init__(self, round: Round, number: int, seat: int) -> None:
        super().__init__(round.contract, number, seat, round.game.seats)
        self._round = round

    async def review(self, progress: Progress) -> Review:
        """Made beside what is shown."""

        async def tell(done: int, total: int) -> None:
            progress(done, total)

        return await reviewed(self._round, self.number, self.seat, asyncio.to_thread, tell, asyncio.sleep)

    async def events(self) -> Sequence[Event]:
        """From the round."""
        return self._round.events(self.seat)

    async def worths(self) -> Mapping[str, Worth]:
        """As the rules have it."""
        return worths("", self._round.game).cards

    async def retry(self, asked: AskRetry) -> Retried:
        """Played beside what is shown. Raises ProblemError."""
        return await asyncio.to_thread(retry, self._round, asked.seat, asked.seen, asked.line, asked.since)
