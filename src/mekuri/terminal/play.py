"""A match being played at a terminal: what happens is shown one thing at a time, and a person is never kept waiting."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Protocol

from mekuri.bots import bot
from mekuri.engine.contract import Text
from mekuri.engine.errors import OptionError
from mekuri.match.match import Match
from mekuri.match.round import Round
from mekuri.match.view import Event, View
from mekuri.terminal.voice import YOU


class Stage(Protocol):
    """Where a match is shown."""

    def begin_round(self) -> None:
        """A round begins."""

    def show_events(self, events: Sequence[Event], view: View) -> None:
        """Show what has happened next, most often one thing, and the table as it then stood."""

    async def end_round(self, round: Round) -> None:
        """Show a finished round, until the person goes on."""

    async def end_match(self) -> None:
        """Show who has won."""


class Play:
    """A match with its seats.

    Attributes:
        match: the match.
        seats: who sits in each seat: `you`, or a bot's name.
        you: the person's seat; None where only bots play.
        pace: seconds between two things that happen.
        acted: whether the person has acted and it is not yet shown.
    """

    def __init__(self, match: Match, seats: Sequence[str], pace: float) -> None:
        if len(seats) != match.game.seats:
            raise OptionError(f"{match.game.id} has {match.game.seats} seats, and {len(seats)} were named")
        if seats.count(YOU) > 1:
            raise OptionError("one person plays at a terminal: name one seat you, and bots for the others")
        self.match = match
        self.seats = tuple(seats)
        self.you = self.seats.index(YOU) if YOU in seats else None
        self.pace = pace
        self.acted = False
        self._bots = {seat: bot(name) for seat, name in enumerate(seats) if name != YOU}
        self._told = 0  # events of this round that have been shown
        self._telling = False
        self._hurry = asyncio.Event()
        self._action = asyncio.Event()

    async def run(self, stage: Stage) -> None:
        """Play the match to its end."""
        while not self.match.over:
            self._begin_round(stage)
            await self._play_round(stage)
            finished = self.match.round
            self.match.next_round()
            await stage.end_round(finished)
        await stage.end_match()

    def choose(self, action: str) -> tuple[Text, str] | None:
        """The person does something. Gives back why not, where the rules forbid it.

        While what has happened is still being shown, this only makes it go faster: nobody plays on a table not yet seen.
        """
        if self._telling:
            self._hurry.set()
            return None
        refusal = self.match.round.refusal(action, self.you)
        if refusal is None:
            self.match.round.play(action, self.you)
            self.acted = True
            self._action.set()
        return refusal

    def hurry(self) -> None:
        """Show the rest of what has happened at once."""
        if self._telling:
            self._hurry.set()

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
            seat = next((seat for seat in round.waiting if seat in self._bots), None)
            if seat is None:
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
        self.acted = False
        while self._told - start < len(events):
            event = events[self._told - start]
            if self._told and event.seat != self.you:
                await self._pause()
            # Without pace, and for a person in a hurry, all that is left is shown at once.
            until = start + len(events) if self.pace <= 0 or self._hurry.is_set() else self._told + 1
            shown, self._told = events[self._told - start : until - start], until
            stage.show_events(shown, shown[-1].view)
        self._telling = False
        if self.you is None:
            self._hurry.clear()

    async def _pause(self) -> None:
        if self.pace <= 0:
            await asyncio.sleep(0)
        elif not self._hurry.is_set():
            try:
                await asyncio.wait_for(self._hurry.wait(), self.pace)
            except TimeoutError:
                return
