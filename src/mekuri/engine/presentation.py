"""The data classes in which games describe a table: texts, zones, goals, lines of a score sheet, refusals.

They are never changed once they are made. Most are not frozen all the same, as making them is then five times as fast, and a view
holds dozens. They travel as they are declared here; `protocol/descriptions.toml` describes their fields on the wire.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal

from mekuri.cards import Card, Cards, each
from mekuri.cards.values import CARDS

if TYPE_CHECKING:
    ZoneKind = Literal["hand", "pile", "stock", "field", "captured", "dead", "offer", "bet", "board"]
    Layout = Literal["fan", "grid", "row", "stack", "mats", "cloth"]
    Args = Mapping[str, Any]
else:
    # A message of a later version may name other kinds and layouts.
    ZoneKind = Layout = str

    class Args(dict):
        """The arguments of a text that has been read from a message."""


LANGUAGES: tuple[Literal["en", "ja"], ...] = ("en", "ja")  # of texts
_NO_ARGS: Args = {}


@dataclass(unsafe_hash=True)
class Text:
    """A text that is yet to be rendered in a reader's language.

    Attributes:
        id: a table and a key of the game's rule book, such as `events.deal`.
        args: the values of its arguments, by name: a seat is called `seat`, a card `card`, a set of cards `cards`, the id of a yaku
            `yaku`; any other is a number, a string or a text. A card or a set given as a number becomes a `Card` or `Cards`.
    """

    id: str
    args: Args = field(default_factory=dict)

    def __init__(self, id: str, args: Args = _NO_ARGS) -> None:
        if "card" in args and type(args["card"]) is int:
            args = {**args, "card": CARDS[args["card"]]}
        if "cards" in args and type(args["cards"]) is int:
            args = {**args, "cards": Cards(args["cards"])}
        self.id, self.args = id, args


@dataclass(unsafe_hash=True)
class Zone:
    """A place on the table and the cards that lie there.

    Attributes:
        id: the place's id, unique on the table.
        owner: the seat that it belongs to; None for a place of the whole table.
        kind: its purpose in the game.
        layout: how its cards are laid out; in the layout `cloth` they lie face up under a cloth.
        cards: the cards, in order; None for a card that the viewer may not see.
        count: the number of cards that lie here; None where that is hidden.
        stake: the amount that is staked on the cards, in the game's unit; 0 for none.
    """

    id: str
    owner: int | None
    kind: ZoneKind
    layout: Layout
    cards: tuple[Card | None, ...]
    count: int | None
    stake: int = 0

    def __init__(
        self,
        id: str,
        owner: int | None,
        kind: ZoneKind,
        layout: Layout,
        cards: Iterable[int | None],
        stake: int = 0,
        hidden: bool | None = None,
        count: int | None = 0,
    ) -> None:
        """Make a zone.

        Args:
            id, owner, kind, layout, cards, stake: as above.
            hidden: whether even the number of cards may not be seen; as `count` says if left out.
            count: the count of the zone that is replaced by this one, for `dataclasses.replace`: None where it is hidden.
        """
        self.id, self.owner, self.kind, self.layout, self.stake = id, owner, kind, layout, stake
        self.cards = _lying(tuple(cards))
        self.count = None if (count is None if hidden is None else hidden) else len(self.cards)

    @property
    def hidden(self) -> bool:
        """Whether even the number of cards may not be seen."""
        return self.count is None


@lru_cache(1 << 14)  # views for several viewers show the same cards
def _lying(cards: tuple[int | None, ...]) -> tuple[Card | None, ...]:
    return tuple(None if card is None else CARDS[card] for card in cards)


def face_down(seen: int, unseen: int) -> tuple[int | None, ...]:
    """The cards of a place that lie face down.

    Args:
        seen: the set of the cards that the viewer may know; in a full state, all of them.
        unseen: the number of the others.

    Returns:
        The seen cards, lowest first, then None for each other.
    """
    return (*each(seen), *[None] * unseen)


@dataclass(unsafe_hash=True)
class Line:
    """A line of a score sheet.

    Attributes:
        seat: the seat that it counts for, or the id of an account that belongs to no seat, such as a kitty.
        text: the text of the line.
        cards: the set of cards that it counts; 0 for none.
        points: the amount, in the unit of `returns`, negative for a loss.
        clause: id of the clause that it rests on; empty for none.
    """

    seat: int | str
    text: Text
    cards: Cards
    points: int
    clause: str

    def __init__(self, seat: int | str, text: Text, cards: int, points: int, clause: str) -> None:
        self.seat, self.text, self.cards, self.points, self.clause = seat, text, Cards(cards), points, clause


SheetLine = Line


@dataclass(unsafe_hash=True)
class Near:
    """A yaku within a seat's reach.

    Attributes:
        yaku: the yaku's id.
        missing: the set of cards of it that the seat lacks.
        steps: how many of them it needs.
    """

    yaku: str
    missing: Cards
    steps: int


@dataclass(unsafe_hash=True)
class Goal:
    """An aim of a seat, such as a yaku, with the progress towards it that everybody can see.

    Attributes:
        seat: the seat whose aim it is.
        text: the name of the aim.
        value: the points that it brings; None where it wins the round instead.
        needs: the number of steps to it, such as cards.
        has: the number of steps that are done.
        made: the set of cards of it that the seat has.
        lacks: the set of cards of it that the seat lacks. If there are more than `needs - has`, any `needs - has` of them will do.
        lost: whether it can no longer be reached.
    """

    seat: int
    text: Text
    value: int | None
    needs: int
    has: int
    made: Cards
    lacks: Cards
    lost: bool

    def __init__(
        self,
        seat: int,
        text: Text,
        value: int | None,
        needs: int,
        has: int,
        made: int = 0,
        lacks: int = 0,
        lost: bool = False,
    ) -> None:
        self.seat, self.text, self.value, self.needs, self.has = seat, text, value, needs, has
        self.made, self.lacks, self.lost = Cards(made), Cards(lacks), lost


def yaku_goal(seat: int, yaku: str, value: int | None, made: int, lacks: int, lost: bool) -> Goal:
    """A yaku as a goal, with one step for each card.

    Args:
        seat: the seat whose goal it is.
        yaku: the yaku's id.
        value: the points that it brings; None where it wins the round instead.
        made: the set of its cards that the seat has.
        lacks: the set of its cards that the seat lacks.
        lost: whether it can no longer be reached.
    """
    has = made.bit_count()
    return Goal(seat, Text("goals.yaku", {"yaku": yaku}), value, has + lacks.bit_count(), has, made, lacks, lost)


def within_reach(goals: Iterable[Goal]) -> list[Near]:
    """The yaku among some goals that lack one or two steps and can still be reached."""
    near = (goal for goal in goals if "yaku" in goal.text.args and 0 < goal.needs - goal.has <= 2 and not goal.lost)
    return [Near(goal.text.args["yaku"], goal.lacks, goal.needs - goal.has) for goal in near]


@dataclass(unsafe_hash=True)
class Counted:
    """The points that a seat has counted up in a round so far.

    Attributes:
        points: the points, counted from 0.
        wins_from: the least points with which the round brings the seat a gain, as things stand; None if there is no such number.
    """

    points: int
    wins_from: int | None


@dataclass(frozen=True)
class Worth:
    """The value of a card under a table's options.

    Attributes:
        points: the points that it counts by itself; None where the game gives cards no points.
        yaku: the ids of the yaku that it can be part of.
        wild: whether it can stand for other cards when it is played from a hand.
    """

    points: int | None
    yaku: tuple[str, ...]
    wild: bool = False


@dataclass(frozen=True)
class Refusal:
    """The reason why an action is forbidden.

    Attributes:
        id: a key of the rule book's `refusals`, which has the text and the clause.
        args: the values of the text's arguments, as in `Text`.
    """

    id: str
    args: Mapping[str, Any]
