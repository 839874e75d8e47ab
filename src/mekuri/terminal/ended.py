"""What a table shows when a round has ended, and when the match has: the score sheet, the review, the result."""

from __future__ import annotations

from mekuri.terminal.app import Page
from mekuri.terminal.coach import Coached
from mekuri.terminal.play import Play, RoundResult
from mekuri.terminal.reviewscreen import ReviewScreen
from mekuri.terminal.sheet import ResultScreen, SheetScreen
from mekuri.terminal.trying import TryPlay
from mekuri.terminal.trysheet import TrySheet


class Ended(Coached):
    """A table whose rounds end."""

    def another(self, play: Play) -> Page[None]:
        """A table like this one for another match."""
        raise NotImplementedError

    def leave(self) -> None:
        """Go back to where the table was entered."""
        raise NotImplementedError

    async def end_round(self, result: RoundResult) -> None:
        """Show the score sheet until it is put away. Where nobody plays it goes by itself; without pace it does not come."""
        if isinstance(self.play, TryPlay):
            await self._end_try(self.play, result)
        elif self.play.you is not None or self.play.pace > 0:
            seconds = self.play.pace * 10 if self.play.you is None else 0
            await self.mekuri.push_screen_wait(SheetScreen(self.play, result, lambda: self.translator, seconds, self._review))

    async def _end_try(self, play: TryPlay, result: RoundResult) -> None:
        """Show what came of trying, then go back, or to the same moment once more."""
        screen = TrySheet(play, result, lambda: self.translator)
        await self.mekuri.push_screen_wait(screen)
        if screen.again:
            self.mekuri.switch_screen(self.another(play.afresh()))
        else:
            self.leave()

    async def end_match(self) -> None:
        """Show the result, then leave, or go on to the next match with the same people."""
        screen = ResultScreen(self.play, lambda: self.translator)
        await self.mekuri.push_screen_wait(screen)
        if screen.next:
            self.mekuri.switch_screen(self.another(screen.next))
        else:
            self.leave()

    def _review(self, number: int) -> None:
        """What a finished round was: each decision, and what was luck."""
        finished = self.play.finished(number)
        if finished:
            self.mekuri.push_screen(ReviewScreen(finished, lambda: self.translator, self.another))
