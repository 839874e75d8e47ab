"""The interface between a match and the screen that shows it, wherever the match is played: in this process or on a server."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from mekuri.engine.contract import Contract, SheetLine, Text, Worth
from mekuri.engine.errors import MekuriError
from mekuri.engine.rulebook import Rulebook
from mekuri.match.view import Event, View
from mekuri.protocol.analysis import Analysis, Why
from mekuri.terminal.base.finished import Finished
from mekuri.terminal.base.translate import Translator


@dataclass(frozen=True)
class Refusal:
    """Why something cannot be done.

    Attributes:
        text: the reason.
        clause: the id of the clause that forbids it; empty where no rule forbids it.
    """

    text: Text
    clause: str = ""


@dataclass(frozen=True)
class RoundResult:
    """The result of a finished round.

    Attributes:
        number: the number of the round, from 1.
        ending: the id of how it ended.
        lines: its score sheet.
        returns: what it changed for each seat, in seat order.
        summary: who won and why, in one sentence; None where an older server does not tell.
        next_dealer: the seat that deals next; None where it is unknown or the match is over.
        brings: what it changed in each seat's accounts, in seat order; empty where an older server does not tell.
    """

    number: int
    ending: str
    lines: tuple[SheetLine, ...]
    returns: tuple[int, ...]
    summary: Text | None
    next_dealer: int | None = None
    brings: tuple[Mapping[str, int], ...] = ()

    def change(self, seat: int) -> int:
        """Return what the round changed for a seat: in its first account, or its return where the accounts are unknown."""
        return next(iter(self.brings[seat].values()), 0) if self.brings else self.returns[seat]


class Stage(Protocol):
    """The interface of a screen that shows a match, as a `Play` calls it."""

    def begin_round(self) -> None:
        """Prepare for a new round."""

    def show_events(self, events: Sequence[Event], view: View) -> None:
        """Show the next events, most often one, and the view after the last."""

    def note(self, text: Text) -> None:
        """Add a line to the log for something that has not changed the cards."""

    def show_news(self) -> None:
        """Redraw the texts around the cards: who is present, whether an action is being sent, and the like."""

    async def end_round(self, result: RoundResult) -> None:
        """Show the result of a round. Returns when the person goes on."""

    async def end_match(self) -> None:
        """Show the result of the match."""

    def break_off(self, reason: str) -> None:
        """Close the table, with a reason for the person: the match cannot be followed any longer."""


class Play(ABC):
    """A match as one person plays it or watches it, shown event by event.

    Attributes:
        contract: the game's contract.
        book: the texts of the table.
        you: the person's seat; None for a spectator.
        pace: seconds between two events shown; 0 shows them without pauses.
        rounds: the number of rounds of the match; 0 where it has no fixed number.
        link: the link by which others can join; empty where nobody can.
        first_dealer: the seat that deals first; None for a lot.
        hears: whether messages of other people are shown.
        enough: whether the person wants the finished round to be the last one; None where the person has not said it.
    """

    def __init__(self, contract: Contract, book: Rulebook, you: int | None, pace: float, rounds: int) -> None:
        self.contract = contract
        self.book = book
        self.you = you
        self.pace = pace
        self.rounds = rounds
        self.link = ""
        self.first_dealer: int | None = None
        self.hears = True  # whether messages of others are shown
        self.enough: bool | None = None  # whether the person wants the finished round to be the last
        self._telling = False
        self._hurry = asyncio.Event()

    # --- The match as it stands ---

    @property
    @abstractmethod
    def seats(self) -> tuple[str, ...]:
        """Who sits in each seat: `you`, a bot's name, `open` for nobody yet, or a person's name."""

    @property
    def people(self) -> frozenset[int]:
        """The seats of people who have names of their own."""
        return frozenset()

    @property
    @abstractmethod
    def number(self) -> int:
        """The number of the round that is shown, from 1; 0 before the first."""

    @property
    @abstractmethod
    def results(self) -> Sequence[RoundResult]:
        """The results of the finished rounds, as far as they are known."""

    @property
    @abstractmethod
    def ledger(self) -> Sequence[Mapping[str, int]]:
        """Each seat's accounts in the match, by name, in seat order."""

    @property
    @abstractmethod
    def accounts(self) -> Mapping[str, int]:
        """The accounts of the match that are nobody's, by name."""

    @property
    @abstractmethod
    def over(self) -> bool:
        """Whether the match is over."""

    @property
    @abstractmethod
    def outcome(self) -> Text:
        """The result of a finished match in words, or why it ended without one."""

    # --- What goes on around it ---

    @property
    def sending(self) -> bool:
        """Whether the person's action is being sent."""
        return False

    @property
    def seconds_left(self) -> int | None:
        """Seconds for which the table still waits for answers; None where it waits without limit."""
        return None

    @property
    def due(self) -> int | None:
        """Until when those who are asked may take, in milliseconds since 1970, where days are; None elsewhere."""
        return None

    @property
    def awaited(self) -> tuple[int, ...]:
        """The seats, beside the person's own, for which the next round waits."""
        return ()

    def absent(self, seat: int) -> bool:
        """Return whether the person of a seat is disconnected."""
        return False

    def kept_for(self, seat: int) -> str:
        """Return the name of the person for whom a free seat is kept; empty for nobody."""
        return ""

    def by_lot(self, seat: int) -> bool:
        """Return whether a seat is still to be drawn by lot."""
        return False

    def frees(self, seat: int) -> bool:
        """Return whether the person may free a seat in which somebody else sits."""
        return False

    @property
    def slow(self) -> tuple[int, ...]:
        """The seats for which the person waits and has waited so long that a bot may be called."""
        return ()

    @property
    def replaced(self) -> bool:
        """Whether a bot plays for the person because the person did not act for a long time."""
        return False

    @property
    def coached(self) -> bool:
        """Whether hints and taking back are available: the person plays against bots only."""
        return False

    @property
    def practice(self) -> bool:
        """Whether the match is practice: an action has been taken back."""
        return False

    @property
    def talks(self) -> bool:
        """Whether other people are there to whom the person may say something."""
        return False

    @property
    def can_go_on(self) -> bool:
        """Whether the match is over and the person may play again with the same people."""
        return False

    @property
    def wishes(self) -> int | None:
        """The seat that was the first to ask for another match; None while none has."""
        return None

    @property
    def stopping(self) -> tuple[int, ...]:
        """The seats of the people, the person among them, who would like the match to end after the finished round."""
        return ()

    @property
    def asked_to_stop(self) -> bool:
        """Whether other people would like the match to end here, and the person has not answered."""
        return False

    @property
    def playing_on(self) -> tuple[int, ...]:
        """The seats of the other people who have answered, after the finished round, that they would play on."""
        return ()

    @property
    def leaving(self) -> str:
        """The id of the text that asks whether to leave."""
        return "quit.table"

    def trouble(self, translator: Translator) -> str:
        """Return what is wrong at the table, such as a lost connection; empty if nothing is."""
        return ""

    # --- What is done ---

    @abstractmethod
    async def run(self, stage: Stage) -> None:
        """Show the match on a stage until it is over."""

    @abstractmethod
    async def choose(self, action: str) -> Refusal | None:
        """Play an action of the person. Returns the refusal where it is refused.

        While earlier events are still being shown, the action is not played and the events are shown faster: nobody plays before
        the table
        has been shown as it is.

        Args:
            action: the notation of the action.
        """

    async def settle(self, end: bool) -> None:
        """Have a bot play for players who do not act, or ask to end the match.

        Raises:
            MekuriError: nobody has been waited for for so long.
        """
        raise MekuriError("nobody is waited for here")

    async def return_to_seat(self) -> None:
        """Take the person's seat back from a bot.

        Raises:
            MekuriError: no bot plays for the person.
        """
        raise MekuriError("no bot plays for you")

    async def play_on(self) -> None:
        """Take back the person's wish to end the match after the finished round.

        Raises:
            MekuriError: the server cannot be reached or refuses.
        """
        raise MekuriError("you have no such wish")

    async def hint(self) -> Analysis:
        """Return the analysis of the person's decision.

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

    def finished(self, number: int) -> Finished | None:
        """Return a finished round by its number, to be reviewed; None where it cannot be, as for a spectator."""
        return None

    @abstractmethod
    async def worths(self) -> Mapping[str, Worth]:
        """Return what every card in play counts, by notation.

        Raises:
            MekuriError: the table of cards cannot be fetched.
        """

    async def take_back(self) -> Refusal | None:
        """Take back the person's last action. Returns the refusal where it is refused."""
        return None

    async def play_again(self) -> Play:
        """Return the next match with the same people.

        Raises:
            MekuriError: the match cannot go on.
        """
        raise MekuriError("this match does not go on at another table: begin a new one")

    async def free(self, seat: int, keep_out: bool) -> None:
        """Make somebody else stand up from a seat.

        Args:
            seat: the seat.
            keep_out: whether the person may not sit down at this table again.

        Raises:
            MekuriError: the seat cannot be freed.
        """
        raise MekuriError("nobody else sits here")

    async def say(self, said: str) -> None:
        """Say something to the other people at the table.

        Args:
            said: the id of a text of `stamps` or `phrases`.

        Raises:
            MekuriError: it cannot be said.
        """
        raise MekuriError("nobody else sits here")

    async def leave(self) -> None:  # noqa: B027 - at a table of one's own nobody need be told
        """Stand up from the table."""

    def hurry(self) -> None:
        """Show the remaining events without pauses."""
        if self._telling:
            self._hurry.set()

    async def _pause(self) -> None:
        """Wait for the pace, or until the person is in a hurry."""
        if self.pace <= 0:
            await asyncio.sleep(0)
        elif not self._hurry.is_set():
            try:
                await asyncio.wait_for(self._hurry.wait(), self.pace)
            except TimeoutError:
                return

    @property
    def _at_once(self) -> bool:
        """Whether all remaining events are shown without pauses."""
        return self.pace <= 0 or self._hurry.is_set()
