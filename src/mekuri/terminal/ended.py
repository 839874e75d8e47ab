"""The windows of a table after a round and after the match: score sheet, review and result."""

from __future__ import annotations

from mekuri.terminal.app import Page
from mekuri.terminal.coach import Coached
from mekuri.terminal.play import Play, RoundResult
from mekuri.terminal.reviewscreen import ReviewScreen
from mekuri.terminal.sheet import ResultScreen, SheetScreen
from mekuri.terminal.trying import TryPlay
from mekuri.terminal.trysheet import TrySheet


class Ended(Coached):
    """Base class of a table's screen: what it shows when a round or the match has ended."""

    def another(self, play: Play) -> Page[None]:
        """Return a screen like this one for another match."""
        raise NotImplementedError

    def leave(self) -> None:
        """Return to the screen from which the table was opened."""
        raise NotImplementedError

    async def end_round(self, result: RoundResult) -> None:
        """Show the score sheet until it is closed.

        For a spectator it closes by itself after ten times the pace, and is not shown at all where the pace is 0.
        """
        if isinstance(self.play, TryPlay):
            await self._end_try(self.play, result)
        elif self.play.you is not None or self.play.pace > 0:
            seconds = self.play.pace * 10 if self.play.you is None else 0
            await self.mekuri.push_screen_wait(SheetScreen(self.play, result, lambda: self.translator, seconds, self._review))

    async def _end_try(self, play: TryPlay, result: RoundResult) -> None:
        """Show the result of a retry, then return to the review, or start the retry again."""
        screen = TrySheet(play, result, lambda: self.translator)
        await self.mekuri.push_screen_wait(screen)
        if screen.again:
            self.mekuri.switch_screen(self.another(play.afresh()))
        else:
            self.leave()

    async def end_match(self) -> None:
        """Show the result of the match, then leave the table, or open the next match with the same people."""
        screen = ResultScreen(self.play, lambda: self.translator)
        await self.mekuri.push_screen_wait(screen)
        if screen.next:
            self.mekuri.switch_screen(self.another(screen.next))
        else:
            self.leave()

    def _review(self, number: int) -> None:
        """Open the review of a finished round, by its number."""
        finished = self.play.finished(number)
        if finished:
            self.mekuri.push_screen(ReviewScreen(finished, lambda: self.translator, self.another))
