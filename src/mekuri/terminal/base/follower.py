"""A match shown from the events of its table, whether the table is in this process or on a server."""

from __future__ import annotations

import asyncio
from abc import abstractmethod
from collections import deque
from collections.abc import Mapping, Sequence
from math import ceil

from mekuri.engine.contract import DRIVER, Contract, Text
from mekuri.match.view import Event, View
from mekuri.protocol import table as wire
from mekuri.table.time import REAL, Time
from mekuri.terminal.base.play import Play, Refusal, RoundResult, Stage
from mekuri.terminal.base.texts import AS_SENT, TableTexts
from mekuri.terminal.base.translate import YOU

FREE = "open"  # the name of a seat in which nobody sits yet
LEFT = "gone"  # the name of a seat whose person's account was deleted

News = wire.Table | wire.Event | Exception


def refusal_of(book: TableTexts, told: Text, problem: wire.Problem) -> Refusal:
    """Return a refusal in the texts of a book, or as the server's English message where the book does not have the text.

    Args:
        book: the texts of the table.
        told: the reason, as the table has sent it.
        problem: the problem, which has the message and the clause.
    """
    if not book.knows(told):
        told = Text(AS_SENT, {"message": problem.message})
    return Refusal(told, problem.clause or "")


class Follower(Play):
    """A match that follows the events of its table and shows them one after the other.

    Attributes:
        id: the table's id.
        book: the texts of the table.
    """

    book: TableTexts
    _stage: Stage

    def __init__(self, contract: Contract, table: wire.Table, pace: float, time: Time = REAL) -> None:
        super().__init__(contract, TableTexts(contract), table.you, pace, table.length)
        self.id = table.id
        self.first_dealer = table.first_dealer
        self._time = time  # the table's
        # The newest state that the table has sent. The state that is shown may be older.
        self._head = table.head
        self._news: deque[News] = deque()
        self._something = asyncio.Event()
        # The state that is shown.
        self._number = 0
        self._view: View | None = None
        self._results: dict[int, RoundResult] = {}
        self._closes: int | None = None  # when the window of the shown view closes, in milliseconds since 1970
        self._due: int | None = None  # until when those who are asked in the shown view may take, in milliseconds since 1970
        self._sent: int | None = None  # the version of the view for which an action was sent
        self._answered = 0  # the version after the person's last answer to the question for the next round

    # --- The match as it stands ---

    @property
    def seats(self) -> tuple[str, ...]:
        """Who sits in each seat: `you`, a bot's name, `open`, `gone`, or a person's name."""
        return tuple(self._who(seat) for seat in self._head.seats)

    def _who(self, seat: wire.Seat) -> str:
        if seat.seat == self.you:
            return YOU
        return LEFT if seat.gone else seat.name or seat.bot or FREE

    @property
    def people(self) -> frozenset[int]:
        """The seats in which other people sit."""
        return frozenset(seat.seat for seat in self._head.seats if seat.name and not seat.gone and seat.seat != self.you)

    @property
    def number(self) -> int:
        """The number of the round that is shown, from 1."""
        return self._number

    @property
    def results(self) -> Sequence[RoundResult]:
        """The results of the rounds that have been seen or fetched, in order."""
        return [self._results[number] for number in sorted(self._results)]

    @property
    def ledger(self) -> Sequence[Mapping[str, int]]:
        """Each seat's accounts in the match, from the view that is shown."""
        return (self._view.ledger if self._view else None) or [{} for _ in self._head.seats]

    @property
    def accounts(self) -> Mapping[str, int]:
        """The accounts of the match that are nobody's, from the view that is shown."""
        return self._view.accounts if self._view else {}

    @property
    def over(self) -> bool:
        """Whether the table has said that the match is over."""
        return self._head.state == "over"

    @property
    def outcome(self) -> Text:
        """The result of the match in words, or why it ended without one."""
        told, late = self._head.result, self._head.late
        name = {} if late is None else {"name": self._head.seats[late].name or ""}
        return told or Text(f"table.end-{self._head.why}", name)

    # --- What goes on around it ---

    @property
    def sending(self) -> bool:
        """Whether an action has been sent and its result is not shown yet."""
        return self._sent is not None and self._view is not None and self._view.version == self._sent

    @property
    def seconds_left(self) -> int | None:
        """Seconds until the window of the shown view closes; None where the table waits without limit."""
        return None if self._closes is None else max(0, ceil((self._closes - self._now()) / 1000))

    def _now(self) -> int:
        """Return the time by the table's clock, in milliseconds since 1970."""
        return self._time.now()

    @property
    def due(self) -> int | None:
        """Until when those who are asked in the shown view may take, in milliseconds since 1970; None where it is not days."""
        return self._due

    @property
    def awaited(self) -> tuple[int, ...]:
        """The seats that have not asked for the next round; empty until the person has asked for it."""
        seats = self._head.seats
        if self._head.state != "running" or (self.you is not None and not seats[self.you].ready):
            return ()
        return tuple(seat.seat for seat in seats if not seat.ready)

    @property
    def stopping(self) -> tuple[int, ...]:
        """The seats of the people who would like the match to end after the finished round."""
        return tuple(seat.seat for seat in self._head.seats if seat.enough and not seat.bot and self._head.state == "running")

    @property
    def asked_to_stop(self) -> bool:
        """Whether other people would like the match to end here, and the person has not answered."""
        return bool(self.stopping) and self._has_to_answer(self._head)

    @property
    def playing_on(self) -> tuple[int, ...]:
        """The seats of the other people who have answered, after the finished round, that they would play on."""
        return tuple(seat.seat for seat in self._head.seats if seat.plays_on and not seat.bot and seat.seat != self.you)

    def _has_to_answer(self, head: wire.Head) -> bool:
        """Return whether the person has to answer after the shown round: be ready, or answer a wish to end the match."""
        return self.you is not None and head.state == "running" and head.round == self._number and not head.seats[self.you].ready

    @property
    def can_go_on(self) -> bool:
        """Whether the match is over and the person sat in it."""
        return self.over and self.you is not None

    @property
    def coached(self) -> bool:
        """Whether the match is running and all other seats are bots."""
        others = [seat for seat in self._head.seats if seat.seat != self.you]
        return self._head.state == "running" and self.you is not None and all(seat.kind == "bot" for seat in others)

    @property
    def practice(self) -> bool:
        """Whether the match is practice."""
        return self._head.practice

    # --- What the person does ---

    async def choose(self, action: str) -> Refusal | None:
        """Send an action and wait for its answer. While events are still being shown, only show them faster."""
        if self._telling:
            self._hurry.set()
        elif self._view and not self.sending:
            self._sent = self._view.version
            self._stage.show_news()
            problem = await self._act(wire.AskAction(version=self._sent, action=action))
            if problem:
                self._sent = None
                self._stage.show_news()
                return self._refusal(problem)
        return None

    async def take_back(self) -> Refusal | None:
        """Ask to take back the person's last action, for the view that is shown."""
        if not self._view:
            return None
        problem = await self._retract(wire.AskTakeBack(version=self._view.version))
        return self._refusal(problem) if problem else None

    @abstractmethod
    async def _retract(self, asked: wire.AskTakeBack) -> wire.Problem | None:
        """Send a take-back. Returns the problem where it is refused."""

    @abstractmethod
    async def _act(self, asked: wire.AskAction) -> wire.Problem | None:
        """Send an action. Returns the problem where it is refused."""

    @abstractmethod
    async def _go_on(self, asked: wire.AskReady) -> wire.Table | None:
        """Ask for the next round, or for the end of the match. Returns the table after it; None where that is refused."""

    def _refusal(self, problem: wire.Problem) -> Refusal:
        return refusal_of(self.book, problem.text, problem)

    # --- Showing what happens, one thing after the other ---

    def _put(self, news: News) -> None:
        self._news.append(news)
        self._something.set()

    async def _tell(self) -> None:
        """Show the news in order until the match is over."""
        while not await self._show(await self._next()):
            pass
        self._telling = False
        await self._stage.end_match()

    async def _next(self) -> wire.Table | wire.Event:
        if not self._news:
            self._telling = False
            if self.you is None or (self._view and self._view.legal):
                self._hurry.clear()
            self._something.clear()
            self._all_shown()
            await self._something.wait()
        self._telling = True
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
        shown = [self._seen(event)]
        last = event.view
        while self._at_once and self._news and isinstance(news := self._news[0], wire.Event) and news.kind == "play":
            shown.append(self._seen(news))
            last = news.view or last
            self._news.popleft()
        self._view = shown[-1].view
        self._note_times(last)
        self._stage.show_events(shown, self._view)
        again = event.kind == "ready" and event.head and event.version > self._answered and self._has_to_answer(event.head)
        if event.kind == "open" or (again and self._has_to_answer(self._head)):
            await self._end_round(self._view)

    def _note_times(self, view: View | None) -> None:
        """Note until when the table waits in the view that is shown: seconds for a window, or days."""
        self._due = view.due if view else None
        self._closes = view.closes if view and view.due is None else None

    async def _end_round(self, view: View) -> None:
        """Show the result of the round, then ask for the next one. Where that is not enough of an answer, show it again."""
        number = self._number
        result = self._note_result(number, view)
        self._telling = False
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

    def _note_result(self, number: int, view: View) -> RoundResult:
        next_dealer = None if self.over else view.next_dealer
        returns, ending = view.returns or (), view.ending or ""
        self._results[number] = RoundResult(number, ending, view.score, returns, view.result, next_dealer, view.brings)
        return self._results[number]

    def _seen(self, event: wire.Event) -> Event:
        """Return an event of the wire as an event of the match."""
        assert event.view, "what is shown has a view"
        seat = DRIVER if event.seat is None else event.seat
        return Event(seat, event.action, event.text, event.view)
