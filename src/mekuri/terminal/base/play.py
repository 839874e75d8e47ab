"""A match as the player or a spectator sees it, and the interface of the screen that shows it."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Protocol

from mekuri.engine.contract import Contract, SheetLine, Text, Worth
from mekuri.engine.errors import MekuriError
from mekuri.match.view import Happening, View
from mekuri.protocol import table as wire
from mekuri.protocol.analysis import Analysis, Why
from mekuri.table.errors import ProblemError
from mekuri.table.time import REAL, Time
from mekuri.terminal.base.finished import Finished
from mekuri.terminal.base.texts import AS_SENT, TableTexts
from mekuri.terminal.base.translate import YOU, Translator

FREE = "open"  # the name of a free seat
LEFT = "gone"  # the name of a seat whose player's account was deleted


@dataclass(frozen=True)
class Refusal:
    """Why an action is refused.

    Attributes:
        text: the reason.
        clause: the id of the clause that forbids it; empty if no rule does.
    """

    text: Text
    clause: str = ""


def refusal_of(book: TableTexts, problem: wire.Problem) -> Refusal:
    """Return a problem as a refusal. A text that the book does not have is replaced by the server's English message.

    Args:
        book: the texts of the table.
        problem: the problem.
    """
    text = problem.text if book.knows(problem.text) else Text(AS_SENT, {"message": problem.message})
    return Refusal(text, problem.clause or "")


@dataclass(frozen=True)
class RoundResult:
    """The result of a finished round.

    Attributes:
        number: the number of the round, from 1.
        ending: the id of how it ended.
        lines: its score sheet.
        returns: what it changed for each seat, in seat order.
        summary: who won and why, in one sentence; None if an older server does not send it.
        next_dealer: the seat that deals next; None if it is unknown or the match is over.
        brings: what it changed in each seat's accounts, in seat order; empty if an older server does not send it.
    """

    number: int
    ending: str
    lines: tuple[SheetLine, ...]
    returns: tuple[int, ...]
    summary: Text | None
    next_dealer: int | None = None
    brings: tuple[Mapping[str, int], ...] = ()

    def change(self, seat: int) -> int:
        """Return what the round changed for a seat: in its first account, or its return if the accounts are unknown."""
        return next(iter(self.brings[seat].values()), 0) if self.brings else self.returns[seat]


class Stage(Protocol):
    """The interface of a screen that shows a match, as a `Play` calls it."""

    def begin_round(self) -> None:
        """Prepare for a new round."""

    def show_events(self, events: Sequence[Happening], view: View) -> None:
        """Show the next events, most often one, and the view after the last."""

    def note(self, text: Text) -> None:
        """Add a line to the log for an event that has not changed the cards."""

    def show_news(self) -> None:
        """Redraw the texts around the cards, such as who is present and whether an action is being sent."""

    async def end_round(self, result: RoundResult) -> None:
        """Show the result of a round. Returns when the player goes on."""

    async def end_match(self) -> None:
        """Show the result of the match."""

    def break_off(self, reason: str) -> None:
        """Close the table because the match cannot be followed any longer, and show the reason."""


class Play(ABC):
    """A match as one player plays it or a spectator watches it, shown event by event.

    Attributes:
        contract: the game's contract.
        book: the texts of the table.
        you: the player's seat; None for a spectator.
        pace: seconds between two events shown.
        rounds: the number of rounds of the match; 0 if it has no fixed number.
        link: the link by which others can join; empty if nobody can.
        first_dealer: the seat that deals first; None for a lot.
        hears: whether messages of other players are shown.
        enough: whether the player wants the finished round to be the last one; None before the player has answered.
    """

    _stage: Stage

    def __init__(self, contract: Contract, head: wire.Head, you: int | None, pace: float, rounds: int, time: Time = REAL) -> None:
        self.contract = contract
        self.book = TableTexts(contract)
        self.you = you
        self.pace = pace
        self.rounds = rounds
        self.link = ""
        self.first_dealer: int | None = None
        self.hears = True
        self.enough: bool | None = None
        self._time = time  # the table's
        # The newest state that the table has sent. The state that is shown may be older.
        self._head = head
        self._presence: list[wire.Presence] = []
        # The state that is shown.
        self._number = 0
        self._view: View | None = None
        self._results: dict[int, RoundResult] = {}
        self._closes: int | None = None  # when the window of the shown view closes, in milliseconds since 1970
        self._due: int | None = None  # the deadline of the decision in the shown view, if it is days, in milliseconds since 1970
        self._sent: int | None = None  # the version of the view for which an action was sent
        self._showing = False  # whether there are events that have not been shown yet
        self._hurry = asyncio.Event()

    # --- The match as it stands ---

    @property
    def seats(self) -> tuple[str, ...]:
        """The players in seat order: `you`, a bot's name, `open`, `gone`, or a person's name."""
        return tuple(
            YOU if seat.seat == self.you else LEFT if seat.gone else seat.name or seat.bot or FREE for seat in self._head.seats
        )

    @property
    def people(self) -> frozenset[int]:
        """The seats in which other people sit."""
        return frozenset(seat.seat for seat in self._head.seats if seat.name and not seat.gone and seat.seat != self.you)

    @property
    def number(self) -> int:
        """The number of the round that is shown, from 1; 0 before the first."""
        return self._number

    @property
    def results(self) -> Sequence[RoundResult]:
        """The results of the rounds that have been seen or fetched, in order."""
        return [self._results[number] for number in sorted(self._results)]

    @property
    def ledger(self) -> Sequence[Mapping[str, int]]:
        """Each seat's accounts in the match by name, from the view that is shown."""
        return (self._view.ledger if self._view else None) or [{} for _ in self._head.seats]

    @property
    def accounts(self) -> Mapping[str, int]:
        """The accounts of the match that belong to no seat by name, from the view that is shown."""
        return self._view.accounts if self._view else {}

    @property
    def over(self) -> bool:
        """Whether the match is over."""
        return self._head.state == "over"

    @property
    def outcome(self) -> Text:
        """The result of a finished match in words, or why it ended without one."""
        late = self._head.late
        name = {} if late is None else {"name": self._head.seats[late].name or ""}
        return self._head.result or Text(f"table.end-{self._head.why}", name)

    @property
    def sending(self) -> bool:
        """Whether an action has been sent and its result is not shown yet."""
        return self._sent is not None and self._view is not None and self._view.version == self._sent

    @property
    def seconds_left(self) -> int | None:
        """Seconds until the window of the shown view closes; None if the table waits without limit."""
        return None if self._closes is None else max(0, ceil((self._closes - self._now()) / 1000))

    def _now(self) -> int:
        """Return the time by the table's clock, in milliseconds since 1970."""
        return self._time.now()

    @property
    def due(self) -> int | None:
        """The deadline of the decision in the shown view, in milliseconds since 1970; None unless a move may take days."""
        return self._due

    @property
    def coached(self) -> bool:
        """Whether hints and taking back are available: the match is running and all other seats are bots."""
        others = [seat for seat in self._head.seats if seat.seat != self.you]
        return self._head.state == "running" and self.you is not None and all(seat.kind == "bot" for seat in others)

    @property
    def practice(self) -> bool:
        """Whether the match is practice: an action has been taken back."""
        return self._head.practice

    # --- The other seats ---

    def absent(self, seat: int) -> bool:
        """Return whether the player of a seat is disconnected."""
        return any(presence.seat == seat and not presence.here for presence in self._presence)

    def kept_for(self, seat: int) -> str:
        """Return the name of the player for whom a free seat is kept; empty for nobody."""
        return self._head.seats[seat].kept_for or ""

    def by_lot(self, seat: int) -> bool:
        """Return whether a seat is still to be drawn by lot."""
        return self._head.seats[seat].by_lot

    def frees(self, seat: int) -> bool:
        """Return whether the player has made the table and may free a seat before the match begins."""
        mine = self._head.state == "open" and self.you is not None and self._head.maker == self.you
        return mine and seat != self.you and seat < len(self._head.seats) and self._head.seats[seat].name is not None

    @property
    def slow(self) -> tuple[int, ...]:
        """The seats for which the player has waited so long that a bot may be called."""
        if self.you is None or self._head.state != "running" or self._head.seats[self.you].bot or self._owes:
            return ()
        return tuple(presence.seat for presence in self._presence if presence.stalled and presence.seat != self.you)

    @property
    def _owes(self) -> bool:
        """Whether the player has to act, or to be ready for the next round."""
        if self._view is None or self._view.over:
            return self.you is not None and not self._head.seats[self.you].ready
        return bool(self._view.legal)

    @property
    def replaced(self) -> bool:
        """Whether a bot plays for the player because the player did not act for a long time."""
        return self._head.state == "running" and self.you is not None and self._head.seats[self.you].stalled

    @property
    def talks(self) -> bool:
        """Whether the player can send messages to other people at the table."""
        return False

    # --- After a round and after the match ---

    @property
    def awaited(self) -> tuple[int, ...]:
        """The seats that have not asked for the next round; empty until the player has asked for it."""
        seats = self._head.seats
        if self._head.state != "running" or (self.you is not None and not seats[self.you].ready):
            return ()
        return tuple(seat.seat for seat in seats if not seat.ready)

    @property
    def stopping(self) -> tuple[int, ...]:
        """The seats of the players, you among them, who would like the match to end after the finished round."""
        return tuple(seat.seat for seat in self._head.seats if seat.enough and not seat.bot and self._head.state == "running")

    @property
    def asked_to_stop(self) -> bool:
        """Whether other players would like the match to end here, and the player has not answered."""
        return bool(self.stopping) and self._has_to_answer(self._head)

    @property
    def playing_on(self) -> tuple[int, ...]:
        """The seats of the other players who have answered, after the finished round, that they would play on."""
        return tuple(seat.seat for seat in self._head.seats if seat.plays_on and not seat.bot and seat.seat != self.you)

    def _has_to_answer(self, head: wire.Head) -> bool:
        """Return whether the player has to answer after the shown round: be ready, or answer a wish to end the match."""
        return self.you is not None and head.state == "running" and head.round == self._number and not head.seats[self.you].ready

    @property
    def can_go_on(self) -> bool:
        """Whether the match is over and the player may play again with the same players."""
        return self.over and self.you is not None

    @property
    def wishes(self) -> int | None:
        """The seat that was the first to ask for another match; None before that."""
        return self._head.rematch.seat if self._head.rematch else None

    @property
    def leaving(self) -> str:
        """The id of the question before leaving. In a running match on a server it says what becomes of the seat."""
        return "quit.seat" if self.link and self._head.state == "running" and self.you is not None else "quit.table"

    def trouble(self, translator: Translator) -> str:
        """Return what is wrong at the table, such as a lost connection; empty if nothing is."""
        return ""

    # --- What the player does ---

    @abstractmethod
    async def run(self, stage: Stage) -> None:
        """Show the match on a stage until it is over."""

    @abstractmethod
    async def _act(self, asked: wire.AskAction | wire.AskTakeBack) -> None:
        """Send an action or a take-back.

        Raises:
            MekuriError: it fails. If it is refused, the error is a ProblemError.
        """

    async def choose(self, action: str) -> Refusal | None:
        """Play an action of the player. Returns the refusal if it is refused.

        While earlier events are still being shown, the action is not played, and the events are shown faster: the player acts only
        after the table has been shown as it is.

        Args:
            action: the notation of the action.
        """
        if self._showing:
            self._hurry.set()
        elif self._view and not self.over and not self.sending:
            self._sent = self._view.version
            self._stage.show_news()
            refusal = await self._refused(self._act(wire.AskAction(version=self._sent, action=action)))
            if refusal:
                self._sent = None
                self._stage.show_news()
            return refusal
        return None

    async def take_back(self) -> Refusal | None:
        """Take back the player's last action. Returns the refusal if it is refused."""
        return await self._refused(self._act(wire.AskTakeBack(version=self._view.version))) if self._view else None

    async def _refused(self, work: Awaitable[None]) -> Refusal | None:
        try:
            await work
        except ProblemError as refused:
            return refusal_of(self.book, refused.problem)
        except MekuriError as error:
            return Refusal(Text(AS_SENT, {"message": str(error)}))
        return None

    @abstractmethod
    async def worths(self) -> Mapping[str, Worth]:
        """Return what every card in play counts, by notation.

        Raises:
            MekuriError: the table of cards cannot be fetched.
        """

    def finished(self, number: int) -> Finished | None:
        """Return a finished round by its number, to be reviewed; None if it cannot be reviewed, as by a spectator."""
        return None

    async def hint(self) -> Analysis:
        """Return the analysis of the player's decision.

        Raises:
            MekuriError: there is no coach at this table, or no decision to analyse.
        """
        raise MekuriError("there is no coach at this table")

    async def why(self) -> Why:
        """Return the reasons for another seat's last move.

        Raises:
            MekuriError: there is no coach at this table, or no such move.
        """
        raise MekuriError("there is no coach at this table")

    async def settle(self, end: bool) -> None:
        """Have bots play for players who do not act, or ask to end the match.

        Raises:
            MekuriError: the player has not waited long enough, or the server cannot be reached or refuses.
        """
        raise MekuriError("nobody is waited for here")

    async def return_to_seat(self) -> None:
        """Take the player's seat back from a bot.

        Raises:
            MekuriError: no bot plays for the player, or the server cannot be reached or refuses.
        """
        raise MekuriError("no bot plays for you")

    async def play_on(self) -> None:
        """Take back the player's wish to end the match after the finished round.

        Raises:
            MekuriError: the server cannot be reached or refuses.
        """
        raise MekuriError("you have no such wish")

    async def play_again(self) -> Play:
        """Return the next match with the same players.

        Raises:
            MekuriError: the match cannot go on.
        """
        raise MekuriError("this match does not go on at another table: begin a new one")

    async def free(self, seat: int, keep_out: bool) -> None:
        """Make the player of a seat stand up.

        Args:
            seat: the seat.
            keep_out: whether that player may not sit down at this table again.

        Raises:
            MekuriError: the seat cannot be freed.
        """
        raise MekuriError("nobody else sits here")

    async def say(self, said: str) -> None:
        """Send a message to the other players.

        Args:
            said: the id of a text of `stamps` or `phrases`.

        Raises:
            MekuriError: it cannot be sent.
        """
        raise MekuriError("nobody else sits here")

    async def leave(self) -> None:  # noqa: B027 - at a local table nobody has to be notified
        """Stand up from the table."""

    def hurry(self) -> None:
        """Show the remaining events without pauses."""
        if self._showing:
            self._hurry.set()

    async def _pause(self) -> None:
        """Wait for the pace, or until the player is in a hurry."""
        if self.pace <= 0:
            await asyncio.sleep(0)
        elif not self._hurry.is_set():
            try:
                await asyncio.wait_for(self._hurry.wait(), self.pace)
            except TimeoutError:
                return

    def _note_result(self, number: int, view: View) -> RoundResult:
        """Keep the result of a round, from the view at its end."""
        next_dealer = None if self.over else view.next_dealer
        result = RoundResult(number, view.ending or "", view.score, view.returns or (), view.result, next_dealer, view.brings)
        self._results[number] = result
        return result
