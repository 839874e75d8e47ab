"""The retry of a finished round: it is played on from a decision with the same cards, against bots. It counts nowhere."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from mekuri.bots.review import Moment
from mekuri.engine.contract import Worth
from mekuri.engine.errors import MekuriError
from mekuri.match.view import Happening
from mekuri.protocol import table as wire
from mekuri.protocol.review import AskRetry, Retried
from mekuri.terminal.base.finished import Finished
from mekuri.terminal.base.play import Play, Stage


def _head(finished: Finished, bot: str) -> wire.Head:
    """Return the state of a retry as that of a table: a person in the reviewed seat and a bot in all others."""
    seats = [
        wire.Seat(seat=seat, kind="bot", name=None, bot=bot, ready=False, enough=False, kept_for=None)
        for seat in range(finished.seats)
    ]
    seats[finished.seat] = replace(seats[finished.seat], kind="person", bot=None)
    return wire.Head(
        state="running",
        why=None,
        round=finished.number,
        seats=seats,
        commitment="",
        secret=None,
        cuts=[],
        winners=None,
        rematch=None,
        practice=True,
    )


class TryPlay(Play):
    """A retry of a round from a decision on, until the round is over.

    Attributes:
        tried: the round.
        moment: the decision at which the retry begins.
        before: the events of the round that the seat had seen by then.
        result: what the round changed for the seat when it was played.
    """

    def __init__(self, finished: Finished, moment: Moment, events: Sequence[Happening], result: int, pace: float) -> None:
        super().__init__(finished.contract, _head(finished, ""), finished.seat, pace, 0)
        self.tried, self.moment, self.before = finished, moment, events[: moment.seen]
        self.result = result
        self._number = finished.number
        self._view = self.before[-1].view
        self._since = moment.seen  # how many events have been seen
        self._line = ""
        self._done = asyncio.Event()

    @property
    def ledger(self) -> Sequence[Mapping[str, int]]:
        """Empty accounts for every seat: a retry counts nowhere."""
        return [{} for _ in self._head.seats]

    @property
    def accounts(self) -> Mapping[str, int]:
        """No accounts: a retry counts nowhere."""
        return {}

    @property
    def coached(self) -> bool:
        """False: there is no coach in a retry."""
        return False

    async def run(self, stage: Stage) -> None:
        """Show the round up to the decision, and wait for the end of the retry."""
        self._stage = stage
        try:
            self._head = _head(self.tried, (await self._ask("")).bot)
        except MekuriError as error:
            stage.break_off(str(error))
            return
        stage.begin_round()
        stage.show_events(self.before, self.before[-1].view)
        await self._done.wait()
        await stage.end_round(self.results[-1])

    async def _act(self, asked: wire.AskAction | wire.AskTakeBack) -> None:
        """Play an action and show the answers of the bots."""
        assert isinstance(asked, wire.AskAction), "nothing is taken back in a retry"
        retried = await self._ask(f"{self._line} {self.you}:{asked.action}".strip())
        self._line = retried.line
        self._showing = True
        for event in retried.events:
            if event.seat != self.you:
                await self._pause()
            self._view, self._since = event.view, event.view.version
            self._stage.show_events([event], event.view)
        self._showing = False
        self._hurry.clear()
        if retried.result is not None and self._view:
            self._head = replace(self._head, state="over")
            self._note_result(self._number, self._view)
            self._done.set()

    def afresh(self) -> TryPlay:
        """Return a new retry from the same decision."""
        return TryPlay(self.tried, self.moment, self.before, self.result, self.pace)

    async def worths(self) -> Mapping[str, Worth]:
        """Return what every card of the round counts, by notation.

        Raises:
            MekuriError: the table of cards cannot be fetched.
        """
        return await self.tried.worths()

    async def _ask(self, line: str) -> Retried:
        asked = AskRetry(seat=self.tried.seat, seen=self.moment.seen, line=line, since=self._since)
        return await self.tried.retry(asked)
