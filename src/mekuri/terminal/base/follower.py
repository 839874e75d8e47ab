"""A match shown from the events of its table, whether the table is in this process or on a server."""

from __future__ import annotations

import asyncio
from abc import abstractmethod
from collections import deque

from mekuri.engine.contract import DRIVER, Contract
from mekuri.match.view import Happening, View
from mekuri.protocol import table as wire
from mekuri.table.time import REAL, Time
from mekuri.terminal.base.play import Play
from mekuri.terminal.base.texts import TableTexts

News = wire.Table | wire.Event | Exception


class Follower(Play):
    """A match that follows the events of its table and shows them one after the other.

    Attributes:
        id: the table's id.
    """

    def __init__(self, contract: Contract, table: wire.Table, pace: float, time: Time = REAL) -> None:
        super().__init__(contract, table.head, table.you, pace, table.length, time)
        self.id = table.id
        self.book = TableTexts(contract, table.entry)
        self.first_dealer = table.first_dealer
        self._news: deque[News] = deque()
        self._something = asyncio.Event()  # set while there are news
        self._answered = 0  # the version after the player's last answer to the question for the next round

    @abstractmethod
    async def _go_on(self, asked: wire.AskReady) -> wire.Table | None:
        """Ask for the next round, or for the end of the match. Returns the table after it; None if that is refused."""

    def _put(self, news: News) -> None:
        """Queue a piece of news until it is shown. An exception is raised when its turn comes."""
        self._news.append(news)
        self._something.set()

    async def _show_all(self) -> None:
        """Show the news in order until the match is over."""
        while not await self._show(await self._next()):
            pass
        self._showing = False
        await self._stage.end_match()

    async def _next(self) -> wire.Table | wire.Event:
        if not self._news:
            self._showing = False
            if self.you is None or (self._view and self._view.legal):
                self._hurry.clear()
            self._something.clear()
            self._all_shown()
            await self._something.wait()
        self._showing = True
        news = self._news.popleft()
        if isinstance(news, Exception):
            raise news
        return news

    def _all_shown(self) -> None:
        """Called when all news so far has been shown."""

    async def _show(self, news: wire.Table | wire.Event) -> bool:
        """Show the next piece of news. Returns whether it was the last."""
        assert isinstance(news, wire.Event)
        await self._show_event(news)
        return news.kind == "end"

    async def _show_event(self, event: wire.Event) -> None:
        if event.kind == "round":
            self._number = event.head.round if event.head else self._number + 1
            self._stage.begin_round()
        if event.kind == "say" and event.seat != self.you and not self.hears:
            return
        if event.view is None:
            self._stage.note(event.text)
            return
        if event.kind == "play" and event.seat != self.you:
            await self._pause()
        shown = [self.seen(event)]
        while self._at_once and self._news and isinstance(news := self._news[0], wire.Event) and news.kind == "play":
            shown.append(self.seen(news))
            self._news.popleft()
        self._set_view(shown[-1].view)
        self._stage.show_events(shown, shown[-1].view)
        again = event.kind == "ready" and event.head and event.version > self._answered and self._has_to_answer(event.head)
        if event.kind == "open" or (again and self._has_to_answer(self._head)):
            await self._end_round(shown[-1].view)

    @property
    def _at_once(self) -> bool:
        """Whether all remaining events are shown without pauses."""
        return self.pace <= 0 or self._hurry.is_set()

    def _set_view(self, view: View | None) -> None:
        """Keep the view that is shown, and until when the table waits in it: seconds for a window, or days."""
        self._view = view
        self._due = view.due if view else None
        self._closes = view.closes if view and view.due is None else None

    async def _end_round(self, view: View) -> None:
        """Show the result of the round, then ask for the next one. If the server needs another answer, show it again."""
        number = self._number
        result = self._note_result(number, view)
        self._showing = False
        while True:
            await self._stage.end_round(result)
            if self.you is None or self.over:
                return
            asked = wire.AskReady(round=number, enough=self.enough)
            self.enough = None
            table = await self._go_on(asked)
            if table and not self._has_to_answer(table.head):
                self._answered = table.version
                return

    def seen(self, event: wire.Event) -> Happening:
        """Return an event of the wire as an event of the match."""
        assert event.view, "what is shown has a view"
        seat = DRIVER if event.seat is None else event.seat
        return Happening(seat, event.action, event.text, event.view)
