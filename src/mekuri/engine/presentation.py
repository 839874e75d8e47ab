"""What a game tells of itself: texts, places on the table, lines of a score sheet, refusals.

Nobody changes one of these once it is made. That Python does not forbid it makes each five times as fast to make, and a view
holds dozens.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from mekuri.cards import each

ZoneKind = Literal["hand", "pile", "stock", "field", "captured", "dead", "offer", "bet", "board"]
Layout = Literal["fan", "grid", "row", "stack", "mats", "cloth"]


@dataclass(slots=True, unsafe_hash=True)
class Text:
    """A text to be rendered in a reader's language: an id of the game's rule book, such as `events.deal`, and its arguments."""

    id: str
    args: Mapping[str, Any]


@dataclass(slots=True, unsafe_hash=True)
class Zone:
    """A place on the table and what lies there. A card that the viewer may not see is None.

    What lies in the layout `cloth` lies face up under a cloth. `stake` is what is staked on the cards. A `hidden` place does not
    show even how many cards lie there.
    """

    id: str
    owner: int | None
    kind: ZoneKind
    layout: Layout
    cards: tuple[int | None, ...]
    stake: int = 0
    hidden: bool = False

    @property
    def count(self) -> int | None:
        """How many cards lie here; None where that is hidden."""
        return None if self.hidden else len(self.cards)


def face_down(seen: int, unseen: int) -> tuple[int | None, ...]:
    """What lies face down: the cards of it that may be seen, as all may in a full state, then those that may not."""
    return (*each(seen), *[None] * unseen)


@dataclass(slots=True, unsafe_hash=True)
class SheetLine:
    """A line of a score sheet: what a seat has, with which cards, what it counts, and the clause that says so.

    In place of a seat may stand an account that is nobody's, such as a kitty.
    """

    seat: int | str
    text: Text
    cards: int
    points: int
    clause: str


@dataclass(slots=True, unsafe_hash=True)
class Near:
    """A yaku within a seat's reach: the cards it still lacks."""

    yaku: str
    missing: int


@dataclass(slots=True, unsafe_hash=True)
class Goal:
    """What a seat works towards, as everybody can see it.

    Attributes:
        seat: whose it is.
        text: what it is called.
        value: what it brings; None where that is not a number.
        needs: how many steps there are to it, such as cards.
        has: how many of them are done.
        made: the cards of it that the seat has.
        lacks: those that it lacks.
        lost: whether it can no longer be reached.
    """

    seat: int
    text: Text
    value: int | None
    needs: int
    has: int
    made: int = 0
    lacks: int = 0
    lost: bool = False


def yaku_goal(seat: int, yaku: str, value: int | None, made: int, lacks: int, lost: bool) -> Goal:
    """A yaku as a goal: the cards of it that a seat has, and those that it lacks."""
    has = made.bit_count()
    return Goal(seat, Text("goals.yaku", {"yaku": yaku}), value, has + lacks.bit_count(), has, made, lacks, lost)


def within_reach(goals: Iterable[Goal]) -> list[Near]:
    """The yaku among goals of which at most two steps are lacking, and which can still be reached."""
    near = (goal for goal in goals if "yaku" in goal.text.args and 0 < goal.needs - goal.has <= 2 and not goal.lost)
    return [Near(goal.text.args["yaku"], goal.lacks) for goal in near]


@dataclass(slots=True, unsafe_hash=True)
class Counted:
    """How a seat stands in what is counted up in a round, from nothing.

    Attributes:
        points: what it has.
        wins_from: from how much on the round brings it something, as things stand; None where nothing is fixed.
    """

    points: int
    wins_from: int | None


@dataclass(frozen=True)
class Worth:
    """What a card counts under a table's options.

    Attributes:
        points: what it counts by itself; None where the game gives cards no points.
        yaku: the ids of those it can be part of.
        wild: whether it can stand for others, from a hand.
    """

    points: int | None
    yaku: tuple[str, ...]
    wild: bool = False


@dataclass(frozen=True)
class Refusal:
    """Why an action is forbidden: an id among the rule book's refusals, which name the clause."""

    id: str
    args: Mapping[str, Any]
