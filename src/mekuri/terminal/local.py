"""A match played in this process, by a person and bots, or by bots alone."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from mekuri.bots import bot
from mekuri.engine.errors import OptionError
from mekuri.match.match import Match
from mekuri.match.round import Round
from mekuri.terminal.play import Play, Refusal, RoundResult, Stage
from mekuri.terminal.voice import YOU


class LocalPlay(Play):
    """A match in this process.

    Attributes:
        match: the match.
    """

    def __init__(self, match: Match, seats: Sequence[str], pace: float) -> None:
        if len(seats) != match.game.seats:
            raise OptionError(f"{match.game.id} has {match.game.seats} seats, and {len(seats)} were named")
        if seats.count(YOU) > 1:
            raise OptionError("one person plays at a terminal: name one seat you, and bots for the others")
        you = seats.index(YOU) if YOU in seats else None
        super().__init__(match.game.contract, match.game.rulebook, you, pace, match.length)
        self.match = match
        self._seats = tuple(seats)
        self._bots = {seat: bot(name, contract=match.game.contract) for seat, name in enumerate(seats) if name != YOU}
        self._told = 0  # events of this round that have been shown
        self._action = asyncio.Event()

    # --- The match as it stands ---

    @property
    def seats(self) -> tuple[str, ...]:
        """`you`, and bots' names."""
        return self._seats

    @property
    def number(self) -> int:
        """Of the round being played, or just finished."""
        return len(self.match.finished) + (self.match.round not in self.match.finished)

    @property
    def results(self) -> Sequence[RoundResult]:
        """Of the rounds in the ledger."""
        return [self._result(number, round) for number, round in enumerate(self.match.finished, 1)]

    def _result(self, number: int, round: Round) -> RoundResult:
        next_dealer = None if self.match.over and number == len(self.match.finished) else round.next_dealer
        return RoundResult(number, round.ending, round.score_sheet().lines, round.returns, next_dealer)

    @property
    def ledger(self) -> Sequence[Mapping[str, int]]:
        """The match's."""
        return self.match.ledger

    @property
    def house(self) -> Mapping[str, int]:
        """The match's."""
        return self.match.house

    @property
    def over(self) -> bool:
        """The match's."""
        return self.match.over

    @property
    def winners(self) -> tuple[int, ...]:
        """The match's."""
        return self.match.winners

    # --- What is done ---

    async def run(self, stage: Stage) -> None:
        """Play the match to its end."""
        while not self.match.over:
            self._begin_round(stage)
            await self._play_round(stage)
            self.match.enter()
            await stage.end_round(self.results[-1])
            if self.enough:
                self.match.leave_off()
            self.match.next_round()
        await stage.end_match()

    async def choose(self, action: str) -> Refusal | None:
        """The person plays."""
        if self._telling:
            self._hurry.set()
            return None
        refusal = self.match.round.refusal(action, self.you)
        if refusal:
            return Refusal(*refusal)
        self.match.round.play(action, self.you)
        self._action.set()
        return None

    def _begin_round(self, stage: Stage) -> None:
        """Show a new deal from its beginning; a round in progress, or one set up by hand, as it stands."""
        round = self.match.round
        stage.begin_round()
        self._told = 0
        events = round.events(self.you)
        if round.actions or not events:
            self._told = len(events)
            stage.show_events(events, round.view(self.you))

    async def _play_round(self, stage: Stage) -> None:
        round = self.match.round
        while True:
            await self._tell(stage)
            if round.over:
                return
            seat = next((seat for seat in round.waiting_in_turn if seat in self._bots), None)
            # Where whoever answers first has it, bots answer after the person: they would always be faster.
            if seat is None or (round.silence and self.you in round.waiting):
                self._hurry.clear()
                self._action.clear()
                await self._action.wait()
                continue
            # The person may act meanwhile, where both are asked.
            action = await asyncio.to_thread(self._bots[seat].choose, round.hidden(seat), seat)
            round.play(action, seat)

    async def _tell(self, stage: Stage) -> None:
        """Show what has happened since the last time, one thing after the other."""
        round = self.match.round
        start = self._told
        events = round.events(self.you, since=start)
        self._telling = True
        while self._told - start < len(events):
            event = events[self._told - start]
            if self._told and event.seat != self.you:
                await self._pause()
            until = start + len(events) if self._at_once else self._told + 1
            shown, self._told = events[self._told - start : until - start], until
            stage.show_events(shown, shown[-1].view)
        self._telling = False
        if self.you is None:
            self._hurry.clear()
