"""A state's fields, declared once.

A game's state is a dataclass whose fields are made by the functions here. The plain state is that class; the compiled state
is a NumPy record with the same names, made from the same declaration. All fields are signed 64-bit ints or rows of them.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from typing import Any, ClassVar, Literal

from mekuri.cards import EXTRA, NONE

Kind = Literal["cards", "card", "count", "choice"]

# The most that any game may have: what states and counts have room for.
MOST_SEATS, MOST_REDEALS, MOST_ENDINGS, MOST_YAKU = 16, 4, 16, 62


@dataclass(frozen=True)
class Field:
    """What a field of a state holds: its kind, its length (0 for a single value), its range, and who may see it.

    A *public* field is copied into every seat's hidden state; any other only by the game's own `hide`. A *fixed* field is set
    when the round is made and stays: an option, or what follows from options.
    """

    kind: Kind
    length: int
    least: int
    most: int
    public: bool
    fixed: bool = False
    names: type[IntEnum] | None = None
    name: str = ""

    @property
    def empty(self) -> int:
        """The value of a cleared field."""
        return NONE if self.kind == "card" else 0


def _declare(field: Field) -> Any:
    if field.length:
        return dataclasses.field(default_factory=lambda: [field.empty] * field.length, metadata={"field": field})
    return dataclasses.field(default=field.empty, metadata={"field": field})


def cards(length: int = 0, *, public: bool = False, fixed: bool = False) -> Any:
    """A set of cards."""
    return _declare(Field("cards", length, 0, (1 << EXTRA + 1) - 1, public, fixed))


def card(length: int = 0, *, public: bool = False) -> Any:
    """A card, or NONE. One by itself notes a card that may lie elsewhere too; cards in a row lie there, in order."""
    return _declare(Field("card", length, NONE, EXTRA, public))


def count(most: int, length: int = 0, *, least: int = 0, public: bool = False, fixed: bool = False) -> Any:
    """A number from `least` to `most`."""
    return _declare(Field("count", length, least, most, public, fixed))


def choice(names: type[IntEnum], length: int = 0, *, public: bool = False) -> Any:
    """One of the values of an enum, from 0."""
    return _declare(Field("choice", length, 0, max(names), public, names=names))


def option() -> Any:
    """The game's option of the same name, as an int."""
    return _declare(Field("count", 0, 0, (1 << 62) - 1, public=True, fixed=True))


@dataclass(slots=True)
class RoundState:
    """What every round has. A game's state adds its own fields to these.

    Attributes:
        pack: the cards that are shuffled; those below `stock` lie face down, the next one to come is `pack[stock - 1]`.
        stock: how many cards of the pack have not been dealt or turned up.
        gathered: how many cards at the front of the pack are to be shuffled before the driver's next action.
        seats: how many seats play.
        dealer: the seat that deals.
        turns: turns begun in this round.
        ending: how the round ended, an index into the contract's `endings`, once it is over.
        redeals: how often the round was dealt again, for each of the contract's `redeals`.
    """

    contract: ClassVar[Any]  # the game's, which `contract` declares

    pack: list[int] = card(EXTRA + 1)
    stock: int = count(EXTRA + 1, public=True)
    gathered: int = count(EXTRA + 1, public=True)
    seats: int = count(MOST_SEATS, public=True, fixed=True)
    dealer: int = count(MOST_SEATS - 1, public=True)
    turns: int = count(1 << 40, public=True)
    ending: int = count(MOST_ENDINGS - 1, public=True)
    redeals: list[int] = count(1 << 40, MOST_REDEALS, public=True)


def fields(state: type[RoundState]) -> tuple[Field, ...]:
    """The fields of a state class, in order of declaration."""
    hashable: Any = state  # as every class is, but a type checker looks at its instances
    return _fields(hashable)


@cache
def _fields(state: Any) -> tuple[Field, ...]:
    return tuple(dataclasses.replace(f.metadata["field"], name=f.name) for f in dataclasses.fields(state))


def checked(state: type[RoundState]) -> type[RoundState]:
    """A state class for tests: it raises OverflowError where a value leaves its field's range. Machine code would not notice."""
    ranges = {field.name: field for field in fields(state)}

    def check(name: str, value: int) -> None:
        field = ranges[name]
        if not field.least <= value <= field.most:
            raise OverflowError(f"{name} holds {field.least} to {field.most}, not {value}")

    def forward(index: Any) -> None:
        # Machine code reads rows as if indices had no sign.
        if isinstance(index, int) and index < 0:
            raise OverflowError(f"a row has no place {index}")

    class Row(list[int]):
        __slots__ = ("name",)
        name: str

        def __getitem__(self, index: Any) -> Any:
            forward(index)
            return super().__getitem__(index)

        def __setitem__(self, index: Any, value: Any) -> None:
            forward(index)
            if isinstance(index, slice) and len(value) != len(self[index]):
                raise OverflowError(f"{self.name} holds {len(self)} values, no more and no fewer")
            for one in value if isinstance(index, slice) else [value]:
                check(self.name, one)
            super().__setitem__(index, value)

    def set_field(self: RoundState, name: str, value: Any) -> None:
        if isinstance(value, list):
            row = Row(value)
            row.name = name
            for one in row:
                check(name, one)
            value = row
        else:
            check(name, value)
        getattr(state, name).__set__(self, value)

    return type(f"Checked{state.__name__}", (state,), {"__slots__": (), "__setattr__": set_field})


# The three ways to write a whole state, and one to tell states apart. Their compiled forms are in `machine`; assigning one row to
# another would alias it when plain and copy it when compiled, so no rule does that.


def copy(into: RoundState, state: RoundState) -> None:
    """Make `into` equal to `state`."""
    kind: Any = type(state)
    _writer(kind, public=False)(into, state)


def clear(into: RoundState) -> None:
    """Empty every field: no cards, NONE, 0."""
    for field in fields(type(into)):
        if field.length:
            getattr(into, field.name)[:] = [field.empty] * field.length
        else:
            setattr(into, field.name, field.empty)


def show(into: RoundState, state: RoundState) -> None:
    """Copy the public fields, and nothing else."""
    kind: Any = type(state)
    _writer(kind, public=True)(into, state)


MIX = 0x9E3779B97F4A7C15 - (1 << 64)  # an odd word with no pattern in it
_WORD = (1 << 64) - 1


def fingerprint(state: RoundState) -> int:
    """A word that differs, but for one chance in 2**64, between states that differ in any field. Not meant to be kept."""
    told = 0
    for value in _values(state):
        told = ((told ^ value) * MIX) & _WORD
        told ^= told >> 32
    return told - (told >> 63 << 64)


def _values(state: RoundState) -> Iterator[int]:
    """Every value of a state, in the order of its record."""
    for field in fields(type(state)):
        value = getattr(state, field.name)
        if field.length:
            yield from value
        else:
            yield value


@cache
def _writer(state: Any, public: bool) -> Callable[[RoundState, RoundState], None]:
    """What writes a class's fields, or the public ones, into another state: a line for each, as the fastest way to do it is."""
    chosen = [field for field in fields(state) if field.public or not public]
    lines = [f"    into.{field.name}{'[:]' if field.length else ''} = state.{field.name}" for field in chosen]
    made: dict[str, Any] = {}
    exec("\n".join(["def write(into, state):", *lines]), made)  # names of fields, which are identifiers
    return made["write"]  # type: ignore[no-any-return]
