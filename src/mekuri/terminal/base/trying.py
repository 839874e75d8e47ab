"""The retry of a finished round: it is played on from a decision with the same cards, against bots. It counts nowhere."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from mekuri.bots.review import Moment
from mekuri.engine.contract import Text, Worth
from mekuri.engine.errors import MekuriError
from mekuri.match.view import Event
from mekuri.protocol.review import AskRetry, Retried
from mekuri.table.errors import ProblemError
from mekuri.terminal.base.finished import Finished
from mekuri.terminal.base.follower import refusal_of
from mekuri.terminal.base.line import ServerRefusal
from mekuri.terminal.base.play import Play, Refusal, RoundResult, Stage
from mekuri.terminal.base.texts import AS_SENT, TableTexts
from mekuri.terminal.base.translate import YOU


class TryPlay(Play):
    """A retry of a round from a decision on, until the round is over.

    Attributes:
        book: the texts of the table.
        tried: the round.
        moment: the decision at which the retry begins.
        before: the events of the round that the seat had seen by then.
        result: what the round changed for the seat when it was played.
    """

    book: TableTexts

    def __init__(self, finished: Finished, moment: Moment, events: Sequence[Event], result: int, pace: float) -> None:
        super().__init__(finished.contract, TableTexts(finished.contract), finished.seat, pace, 0)
        self.tried, self.moment, self.before = finished, moment, events[: moment.seen]
        self.result = result
        self._view = self.before[-1].view
        self._since = moment.seen  # how many events have been seen
        self._line = ""
        self._bot = ""
        self._asking = False
        self._result: RoundResult | None = None
        self._done = asyncio.Event()

    # --- As it stands ---

    @property
    def seats(self) -> tuple[str, ...]:
        """Who sits in each seat: `you`, and the bot that answers in all others."""
        return tuple(YOU if seat == self.you else self._bot for seat in range(self.tried.seats))

    @property
    def number(self) -> int:
        """The number of the round, from 1."""
        return self.tried.number

    @property
    def results(self) -> Sequence[RoundResult]:
        """The result of the retry, once it is over."""
        return [self._result] if self._result else []

    @property
    def ledger(self) -> Sequence[Mapping[str, int]]:
        """Empty accounts for every seat: a retry counts nowhere."""
        return [{} for _ in range(self.tried.seats)]

    @property
    def accounts(self) -> Mapping[str, int]:
        """No accounts: a retry counts nowhere."""
        return {}

    @property
    def over(self) -> bool:
        """Whether the retried round is over."""
        return self._result is not None

    @property
    def outcome(self) -> Text:
        """The result of the retry in words."""
        told = self._result.summary if self._result else None
        return told or Text("table.end-abandoned", {})

    @property
    def sending(self) -> bool:
        """Whether the bots are being asked for their moves."""
        return self._asking

    @property
    def practice(self) -> bool:
        """True: a retry is always practice."""
        return True

    # --- What is done ---

    async def run(self, stage: Stage) -> None:
        """Show the round up to the decision, and wait for the end of the retry."""
        self._stage = stage
        try:
            self._bot = (await self._ask("")).bot
        except MekuriError as error:
            stage.break_off(str(error))
            return
        stage.begin_round()
        stage.show_events(self.before, self._view)
        await self._done.wait()
        assert self._result, "it is over"
        await stage.end_round(self._result)

    async def choose(self, action: str) -> Refusal | None:
        """Play an action and show the answers of the bots. While events are still being shown, only show them faster."""
        if self._telling:
            self._hurry.set()
        elif not self._asking and not self.over:
            self._asking = True
            self._stage.show_news()
            try:
                retried = await self._ask(f"{self._line} {self.you}:{action}".strip())
            except (ProblemError, ServerRefusal) as refused:
                return refusal_of(self.book, refused.problem.text, refused.problem)
            except MekuriError as error:
                return Refusal(Text(AS_SENT, {"message": str(error)}))
            finally:
                self._asking = False
                self._stage.show_news()
            self._line = retried.line
            await self._show(retried)
        return None

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

    async def _show(self, retried: Retried) -> None:
        self._telling = True
        for happened in retried.events:
            if happened.seat != self.you:
                await self._pause()
            self._view, self._since = happened.view, happened.view.version
            self._stage.show_events([happened], self._view)
        self._telling = False
        self._hurry.clear()
        view = self._view
        if retried.result is not None:
            returns = view.returns or ()
            self._result = RoundResult(self.number, view.ending or "", view.score, returns, view.result, brings=view.brings)
            self._done.set()
