"""A match as the table in the terminal needs it, wherever it is played: in this process, or on a server."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from mekuri.engine.contract import Contract, SheetLine, Text
from mekuri.engine.errors import MekuriError
from mekuri.engine.rulebook import Rulebook
from mekuri.match.view import Event, View
from mekuri.protocol.analysis import Analysis, Why
from mekuri.protocol.table import Worth
from mekuri.terminal.finished import Finished
from mekuri.terminal.translate import Translator


@dataclass(frozen=True)
class Refusal:
    """Why something cannot be done.

    Attributes:
        text: the reason.
        clause: the clause that forbids it; empty where it is not the rules that do.
    """

    text: Text
    clause: str = ""


@dataclass(frozen=True)
class RoundResult:
    """What came of a finished round.

    Attributes:
        number: of the round, from 1.
        ending: how it ended.
        lines: its score sheet.
        returns: what it changed for each seat.
        summary: who has won it, and what decided it, in one sentence; None where an older server does not tell.
        next_dealer: who deals next; None where that is not known, or the match is over.
        brings: what it changed in each seat's accounts; empty where an older server does not tell.
    """

    number: int
    ending: str
    lines: tuple[SheetLine, ...]
    returns: tuple[int, ...]
    summary: Text | None
    next_dealer: int | None = None
    brings: tuple[Mapping[str, int], ...] = ()

    def change(self, seat: int) -> int:
        """What it changed for a seat, in the unit that its game counts rounds in."""
        return next(iter(self.brings[seat].values()), 0) if self.brings else self.returns[seat]


class Stage(Protocol):
    """Where a match is shown."""

    def begin_round(self) -> None:
        """A round begins."""

    def show_events(self, events: Sequence[Event], view: View) -> None:
        """Show what has happened next, most often one thing, and the table as it then stood."""

    def note(self, text: Text) -> None:
        """Note in the log something that has not changed the table."""

    def show_news(self) -> None:
        """Show again what stands around the cards: who is there, whether something is on its way."""

    async def end_round(self, result: RoundResult) -> None:
        """Show a finished round, until the person goes on."""

    async def end_match(self) -> None:
        """Show who has won."""

    def break_off(self, reason: str) -> None:
        """The match cannot be followed any longer."""


class Play(ABC):
    """A match with its seats, shown one thing at a time; a person is never kept waiting.

    Attributes:
        contract: the game's contract.
        book: the texts of the table.
        you: the person's seat; None for a spectator.
        pace: seconds between two things that happen; 0 shows all at once.
        rounds: how many rounds the match has, where it has a number of them; else 0.
        link: what a friend needs to sit down, where one can.
        first_dealer: the seat that was settled to deal first; None where a lot is drawn.
    """

    def __init__(self, contract: Contract, book: Rulebook, you: int | None, pace: float, rounds: int) -> None:
        self.contract = contract
        self.book = book
        self.you = you
        self.pace = pace
        self.rounds = rounds
        self.link = ""
        self.first_dealer: int | None = None
        self.hears = True  # whether it is shown what others say
        self.enough = False  # whether the person would have the round that has ended be the last
        self._telling = False
        self._hurry = asyncio.Event()

    # --- The match as it stands ---

    @property
    @abstractmethod
    def seats(self) -> tuple[str, ...]:
        """Who sits in each seat: `you`, a bot's name, `open` for nobody yet, or a person's name."""

    @property
    def people(self) -> frozenset[int]:
        """The seats in which people with names of their own sit."""
        return frozenset()

    @property
    @abstractmethod
    def number(self) -> int:
        """Of the round that is shown, from 1; 0 before the first."""

    @property
    @abstractmethod
    def results(self) -> Sequence[RoundResult]:
        """Of the finished rounds, as far as they are known."""

    @property
    @abstractmethod
    def ledger(self) -> Sequence[Mapping[str, int]]:
        """Each seat's accounts in the match."""

    @property
    @abstractmethod
    def accounts(self) -> Mapping[str, int]:
        """The accounts of the match that are nobody's."""

    @property
    @abstractmethod
    def over(self) -> bool:
        """Whether the match is over."""

    @property
    @abstractmethod
    def outcome(self) -> Text:
        """Who has won a match that is over, and by how much; or why nobody has."""

    # --- What goes on around it ---

    @property
    def sending(self) -> bool:
        """Whether what the person has chosen is on its way."""
        return False

    @property
    def seconds_left(self) -> int | None:
        """For how long the table still waits for answers; None where it waits as long as it takes."""
        return None

    @property
    def awaited(self) -> tuple[int, ...]:
        """The seats for which the next round waits, beside one's own."""
        return ()

    def absent(self, seat: int) -> bool:
        """Whether the person of a seat is out of touch."""
        return False

    def kept_for(self, seat: int) -> str:
        """The person of the match before for whom a free seat is kept; empty for nobody."""
        return ""

    def by_lot(self, seat: int) -> bool:
        """Whether a lot is still to be drawn for a seat."""
        return False

    def frees(self, seat: int) -> bool:
        """Whether the person may free a seat in which somebody else sits."""
        return False

    @property
    def coached(self) -> bool:
        """Whether all others are bots, so that a person may have hints and take back."""
        return False

    @property
    def practice(self) -> bool:
        """Whether something has been taken back."""
        return False

    @property
    def talks(self) -> bool:
        """Whether there is somebody to whom the person may say something."""
        return False

    @property
    def can_go_on(self) -> bool:
        """Whether the person may play again with the same people, now that the match is over."""
        return False

    @property
    def wishes(self) -> int | None:
        """The seat that has asked first to play again; None while none has."""
        return None

    @property
    def leaving(self) -> str:
        """The question before leaving: the id of a text."""
        return "quit.table"

    def trouble(self, translator: Translator) -> str:
        """What is amiss at the table, such as a lost connection; empty if nothing is."""
        return ""

    # --- What is done ---

    @abstractmethod
    async def run(self, stage: Stage) -> None:
        """Show the match to its end."""

    @abstractmethod
    async def choose(self, action: str) -> Refusal | None:
        """The person does something. Gives back why not, where it is refused.

        While what has happened is still being shown, this only makes it go faster: nobody plays on a table not yet seen.
        """

    async def hint(self) -> Analysis:
        """What the person may do now, weighed. Raises MekuriError where that cannot be."""
        raise MekuriError("there is no coach at this table")

    async def why(self) -> Why:
        """Why another has done what they did last. Raises MekuriError where that cannot be told."""
        raise MekuriError("there is no coach at this table")

    def finished(self, number: int) -> Finished | None:
        """A finished round, to be looked back on; None where it cannot be: by whoever only watches."""
        return None

    @abstractmethod
    async def worths(self) -> Mapping[str, Worth]:
        """What every card in play counts, by notation. Raises MekuriError where that cannot be had."""

    async def take_back(self) -> Refusal | None:
        """Take back what the person has chosen last. Gives back why not, where it is refused."""
        return None

    async def play_again(self) -> Play:
        """The next match with the same people. Raises MekuriError where it cannot go on."""
        raise MekuriError("this match does not go on at another table: begin a new one")

    async def free(self, seat: int, keep_out: bool) -> None:
        """Have somebody stand up. Raises MekuriError where that cannot be."""
        raise MekuriError("nobody else sits here")

    async def say(self, said: str) -> None:
        """Say something across the table, a text of `stamps` or `phrases`. Raises MekuriError where that cannot be."""
        raise MekuriError("nobody else sits here")

    async def leave(self) -> None:  # noqa: B027 - at a table of one's own nobody need be told
        """Stand up from the table."""

    def hurry(self) -> None:
        """Show the rest of what has happened at once."""
        if self._telling:
            self._hurry.set()

    async def _pause(self) -> None:
        """Wait before the next thing is shown."""
        if self.pace <= 0:
            await asyncio.sleep(0)
        elif not self._hurry.is_set():
            try:
                await asyncio.wait_for(self._hurry.wait(), self.pace)
            except TimeoutError:
                return

    @property
    def _at_once(self) -> bool:
        """Whether all that is left is shown at once: without pace, and for a person in a hurry."""
        return self.pace <= 0 or self._hurry.is_set()
