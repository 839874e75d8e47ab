"""The seats of a table, and who sits in them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import msgspec

from mekuri.engine.contract import Text
from mekuri.protocol import table as wire
from mekuri.protocol.texts import say

PERSON = "person"
GONE = Text("table.gone", {})  # what somebody is called who is known here no more

Names = Mapping[str, str]  # what people are called now, by their ids; whoever is not among them is known here no more


@dataclass
class Decision:
    """One decision of a seat, and the answer to it. Versions are the seat's own.

    Attributes:
        asked: the version at which it was asked.
        choices: what could be done.
        action: what was done; None while it is open, and where it was withdrawn.
        answered: the version after that.
        settled: the version after all that followed at once.
        withdrawn: whether it is asked no more, because somebody else was first, as with a shout.
        taken_back: whether what was done has been taken back.
    """

    asked: int
    choices: tuple[str, ...]
    action: str | None = None
    answered: int = 0
    settled: int = 0
    withdrawn: bool = False
    taken_back: bool = False

    @property
    def stands(self) -> bool:
        """Whether something was done, and is not taken back."""
        return self.action is not None and not self.taken_back

    @property
    def open(self) -> bool:
        """Whether it still asks for an answer."""
        return self.action is None and not self.withdrawn

    def covers(self, version: int) -> bool:
        """Whether whoever looked at this version of the table was asked this decision."""
        return not self.withdrawn and self.asked <= version and (self.open or version < self.answered)


@dataclass
class Sitter:
    """A seat.

    Attributes:
        kind: `person`, or the name of the bot that it is for.
        person: id of the person who sits in it.
        cut: what the seat has put into the shuffle.
        kept_for: id of the person of the match before for whom it is kept; None for nobody.
        bot: the bot that plays it now.
        left: whether the person has left it of their own will.
        ready: whether its person has asked to go on.
        enough: whether that person would have the round be the last.
        decisions: all its decisions in the match, in order.
        heard: the seat's version after what its person said last.
    """

    kind: str
    person: str | None = None
    cut: str = ""
    kept_for: str | None = None
    bot: str | None = None
    left: bool = False
    ready: bool = False
    enough: bool = False
    decisions: list[Decision] = field(default_factory=list)
    heard: int = 0

    def stand_up(self) -> None:
        """The seat is free again."""
        self.person, self.cut, self.heard = None, "", 0

    @property
    def taken(self) -> bool:
        """Whether the match can begin, as far as this seat goes."""
        return self.kind != PERSON or self.person is not None

    @property
    def stays(self) -> bool:
        """Whether it is kept for somebody of the match before, or that person sits in it."""
        return self.kept_for is not None and self.person in (None, self.kept_for)

    def label(self, names: Names) -> str:
        """What records call whoever sits here."""
        return name_of(self.person, names) if self.person else self.kind

    @property
    def waits(self) -> bool:
        """Whether the next round must wait for this seat."""
        return self.bot is None and not self.ready

    @property
    def open_decision(self) -> Decision | None:
        """The decision that the seat owes."""
        return self.decisions[-1] if self.decisions and self.decisions[-1].open else None

    def to_wire(self, seat: int, by_lot: bool) -> wire.Seat:
        """The seat as it travels, with ids where names are to stand. `by_lot`: a lot is still to be drawn for it."""
        return wire.Seat(
            seat=seat,
            kind="person" if self.kind == PERSON else "bot",
            name=self.person,
            bot=self.bot,
            ready=not self.waits,
            enough=self.enough,
            kept_for=self.kept_for if self.person is None else None,
            by_lot=by_lot,
        )


def name_of(person: str, names: Names) -> str:
    """What somebody is called in a single text, also one who is known here no more."""
    return names.get(person) or say(GONE.id, "en")


def named(seat: wire.Seat, names: Names) -> wire.Seat:
    """A seat with names in place of ids."""
    if seat.name is None and seat.kept_for is None:
        return seat
    return msgspec.structs.replace(
        seat,
        name=seat.name and name_of(seat.name, names),
        gone=seat.name is not None and seat.name not in names,
        kept_for=seat.kept_for and names.get(seat.kept_for),
    )
