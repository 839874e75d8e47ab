"""The seats of a table, and who sits in them."""

from __future__ import annotations

from dataclasses import dataclass, field

from mekuri.bots import USUAL
from mekuri.protocol import table as wire

PERSON = "person"
STAND_IN = USUAL  # the bot that plays for a person who is away


@dataclass
class Decision:
    """One decision of a seat, and the answer to it. Versions are the seat's own.

    Attributes:
        asked: the version at which it was asked.
        action: what was done; None while it is open.
        answered: the version after that.
        settled: the version after all that followed at once.
    """

    asked: int
    action: str | None = None
    answered: int = 0
    settled: int = 0

    def covers(self, version: int) -> bool:
        """Whether whoever looked at this version of the table was asked this decision."""
        return self.asked <= version and (self.action is None or version < self.answered)


@dataclass
class Sitter:
    """A seat.

    Attributes:
        kind: `person`, or the name of the bot that it is for.
        person: id of the person who sits in it.
        name: that person's name.
        cut: what the seat has put into the shuffle.
        bot: the bot that plays it now.
        left: whether the person has left it of their own will.
        ready: whether its person has asked for the next round.
        decisions: all its decisions in the match, in order.
    """

    kind: str
    person: str | None = None
    name: str | None = None
    cut: str = ""
    bot: str | None = None
    left: bool = False
    ready: bool = False
    decisions: list[Decision] = field(default_factory=list)

    @property
    def taken(self) -> bool:
        """Whether the match can begin, as far as this seat goes."""
        return self.kind != PERSON or self.person is not None

    @property
    def label(self) -> str:
        """What records call whoever sits here."""
        return self.name or self.kind

    @property
    def waits(self) -> bool:
        """Whether the next round must wait for this seat."""
        return self.bot is None and not self.ready

    @property
    def open_decision(self) -> Decision | None:
        """The decision that the seat owes."""
        return self.decisions[-1] if self.decisions and self.decisions[-1].action is None else None

    def told(self, seat: int) -> wire.Seat:
        """The seat as it travels."""
        return wire.Seat(
            seat=seat, kind="person" if self.kind == PERSON else "bot", name=self.name, bot=self.bot, ready=not self.waits
        )
