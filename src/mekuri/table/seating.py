"""The seats of a table, the people in them, and the decisions that each seat has had."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import msgspec

from mekuri.engine.contract import Text
from mekuri.protocol import table as wire
from mekuri.protocol.texts import say

PERSON = "person"
GONE = Text("table.gone", {})  # stands for the name of a person who has had their account deleted

Names = Mapping[str, str]  # people's present names by their ids; a person without an entry has had their account deleted


@dataclass
class Decision:
    """One decision of a seat, and the action it chose. Versions are those of the seat.

    Attributes:
        asked: the version at which the seat was asked.
        choices: the legal actions, in notation.
        action: the chosen action, in notation; None while the decision is open, and where it was withdrawn.
        answered: the version after the action; 0 before.
        settled: the version after the action and all that followed from it at once; 0 before.
        withdrawn: whether the seat need not decide any more, such as when another seat was first with a shout.
        taken_back: whether the action has been taken back.
        kept: the answer in an open window, in notation, that is kept until the window closes; None for none. It is cleared where
            the question is not asked any more.
        kept_by: the id of the person who gave that answer; None where it is silence.
    """

    asked: int
    choices: tuple[str, ...]
    action: str | None = None
    answered: int = 0
    settled: int = 0
    withdrawn: bool = False
    taken_back: bool = False
    kept: str | None = None
    kept_by: str | None = None

    @property
    def stands(self) -> bool:
        """Whether an action was chosen and has not been taken back."""
        return self.action is not None and not self.taken_back

    @property
    def open(self) -> bool:
        """Whether the seat still has to choose."""
        return self.action is None and not self.withdrawn

    def covers(self, version: int) -> bool:
        """Return whether the seat was asked for this decision at a version of its view."""
        return not self.withdrawn and self.asked <= version and (self.open or version < self.answered)


@dataclass
class Sitter:
    """A seat, and the person or bot who plays it.

    Attributes:
        kind: `person`, or the id of the bot for which the seat is.
        person: the id of the person who sits in it; None if it is empty.
        cut: the seat's cut, which goes into every shuffle.
        kept_for: in a rematch, the id of the person for whom the seat is kept; None if it is not kept.
        bot: the id of the bot that plays it now; None for none.
        left: whether the person has left a running match by command.
        ready: whether the person is ready for the next round.
        enough: whether the person wants the finished round to be the last.
        plays_on: whether the person has answered, after this round, that the match should go on.
        decisions: all its decisions in the match, in order.
        heard: the seat's version after the last phrase that its person said; 0 before.
        passed: whether the person's term has passed, so that the bot plays this turn only.
        stalled: whether the other players have replaced the person by a bot after a long wait, until the person acts.
        missed: how many terms of the person have passed in a row.
    """

    kind: str
    person: str | None = None
    cut: str = ""
    kept_for: str | None = None
    bot: str | None = None
    left: bool = False
    ready: bool = False
    enough: bool = False
    plays_on: bool = False
    decisions: list[Decision] = field(default_factory=list)
    heard: int = 0
    passed: bool = False
    stalled: bool = False
    missed: int = 0

    def stand_up(self) -> None:
        """Make the seat free again."""
        self.person, self.cut, self.heard = None, "", 0

    @property
    def taken(self) -> bool:
        """Whether the seat is for a bot, or a person sits in it."""
        return self.kind != PERSON or self.person is not None

    @property
    def stays(self) -> bool:
        """Whether the seat is kept for a person of the former match, and is empty or that person sits in it."""
        return self.kept_for is not None and self.person in (None, self.kept_for)

    def label(self, names: Names) -> str:
        """Return the seat's name in a record: the person's name, or the seat's kind."""
        return name_of(self.person, names) if self.person else self.kind

    @property
    def owes(self) -> bool:
        """Whether a person plays the seat who has not answered what it is asked, if it is asked anything."""
        return self.bot is None and not (self.open_decision and self.open_decision.kept)

    @property
    def open_decision(self) -> Decision | None:
        """The decision that the seat has to make now; None for none."""
        return self.decisions[-1] if self.decisions and self.decisions[-1].open else None

    def to_wire(self, seat: int, by_lot: bool, waits: bool) -> wire.Seat:
        """Return the struct of the seat, with people's ids in place of their names.

        Args:
            seat: the seat's number.
            by_lot: whether a lot is still to be drawn for the seat.
            waits: whether the next round must wait for the seat.
        """
        return wire.Seat(
            seat=seat,
            kind="person" if self.kind == PERSON else "bot",
            name=self.person,
            bot=None if self.passed else self.bot,
            ready=not waits,
            enough=self.enough,
            kept_for=self.kept_for if self.person is None else None,
            by_lot=by_lot,
            stalled=self.stalled,
            plays_on=self.plays_on,
        )


def name_of(person: str, names: Names) -> str:
    """Return a person's name by their id; for a person whose account has been deleted, an English text that says so."""
    return names.get(person) or say(GONE.id, "en")


def named(seat: wire.Seat, names: Names) -> wire.Seat:
    """Return a seat with people's names in place of their ids."""
    if seat.name is None and seat.kept_for is None:
        return seat
    return msgspec.structs.replace(
        seat,
        name=seat.name and name_of(seat.name, names),
        gone=seat.name is not None and seat.name not in names,
        kept_for=seat.kept_for and names.get(seat.kept_for),
    )
