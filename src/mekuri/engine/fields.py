"""Declarations of the fields of a state, and functions that copy, clear and compare states.

A game's state is a dataclass whose fields are made by the functions here. The plain state is that class; the compiled state
is a NumPy record with the same names, made from the same declaration. Rules read and write ints or rows of ints. In a record a
single value has 64 bits, and the values of a row have as few as its declared range needs.
"""

from __future__ import annotations

import dataclasses
import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from itertools import islice
from struct import Struct, calcsize, error, unpack
from typing import Any, ClassVar, Literal, TypeVar

from mekuri.cards import EXTRA, NONE

Kind = Literal["cards", "card", "count", "choice", "seat", "seats"]

# The most of each that any game may have, for which states have room.
MOST_SEATS, MOST_REDEALS, MOST_ENDINGS, MOST_YAKU = 16, 4, 16, 62
ATTRIBUTES = re.compile(r"\n\nAttributes:\n(.*)", re.DOTALL)  # the end of a docstring that describes attributes
_ATTRIBUTE = re.compile(r"^    (\w[\w, ]*): (.*(?:\n {8}.*)*)", re.MULTILINE)
SEATS_SINCE = 3  # the version of the contract since which fields say what they hold of seats


@dataclass(frozen=True)
class Field:
    """The declaration of a field of a state.

    Attributes:
        kind: the kind of its values: a set of cards, a card, a number, a value of an enum, a seat, or a set of seats.
        length: how many values it holds, for instance one for each seat; 0 for a single value.
        least: the least value that it can hold.
        most: the greatest value that it can hold.
        public: whether it is copied into every seat's hidden state; any other field is copied only by the game's own `hide`.
        fixed: whether it is set when the round is made and never changes, as an option and whatever follows from options.
        names: the enum of a choice; None for any other kind.
        each_seat: the number of seats that the row has room for, with as many values for each; 0 where it belongs to no seats.
        none: the value of a seat field that stands for no seat; seat 0 is `none` + 1. None if it always holds a seat.
        name: the field's name; empty before the class is known.
    """

    kind: Kind
    length: int
    least: int
    most: int
    public: bool
    fixed: bool = False
    names: type[IntEnum] | None = None
    each_seat: int = 0
    none: int | None = None
    name: str = ""

    @property
    def empty(self) -> int:
        """The value of a cleared field."""
        return NONE if self.kind == "card" else 0

    @property
    def first(self) -> int:
        """The value by which a seat field holds seat 0."""
        return 0 if self.none is None else self.none + 1

    @property
    def size(self) -> int:
        """The number of bytes of one value in a record: in a row as few as its range needs, else 8."""
        return next((size for size in (1, 2, 4) if self.length and self._fits(8 * size)), 8)

    @property
    def signed(self) -> bool:
        """Whether a value of 1, 2 or 4 bytes in a record has a sign. One of 8 bytes always has."""
        return self.least < 0 or self.size == 8

    def _fits(self, bits: int) -> bool:
        """Whether a number of this many bits can hold every value."""
        return self.most < 1 << bits if self.least >= 0 else -self.least <= 1 << bits - 1 > self.most

    def of_seat(self, row: list[int], seat: int) -> list[int]:
        """The values of one seat in a row that has some for each."""
        width = self.length // self.each_seat
        return row[seat * width : (seat + 1) * width]


def _declare(field: Field) -> Any:
    if field.length:
        return dataclasses.field(default_factory=lambda: [field.empty] * field.length, metadata={"field": field})
    return dataclasses.field(default=field.empty, metadata={"field": field})


def cards(length: int = 0, *, each_seat: int = 0, public: bool = False, fixed: bool = False) -> Any:
    """Declare a field that holds a set of cards, or a row of sets.

    Args:
        length: the number of sets in the row, or of each seat's in the row; 0 for a single one.
        each_seat: the number of seats that the row has room for; 0 where it belongs to no seats.
        public: whether every seat may see it.
        fixed: whether it is set when the round is made and never changes.
    """
    return _declare(Field("cards", _row(length, each_seat), 0, (1 << EXTRA + 1) - 1, public, fixed, each_seat=each_seat))


def card(length: int = 0, *, each_seat: int = 0, public: bool = False) -> Any:
    """Declare a field that holds a card or NONE, or a row of cards. The arguments are those of `cards`.

    A single card only notes a card, which may lie elsewhere too; cards in a row lie there, in order.
    """
    return _declare(Field("card", _row(length, each_seat), NONE, EXTRA, public, each_seat=each_seat))


def count(most: int, length: int = 0, *, least: int = 0, each_seat: int = 0, public: bool = False, fixed: bool = False) -> Any:
    """Declare a field that holds an amount from `least` to `most`, or a row of amounts. It never holds a seat: see `seat`, `seats`.

    All other arguments are those of `cards`.
    """
    return _declare(Field("count", _row(length, each_seat), least, most, public, fixed, each_seat=each_seat))


def choice(names: type[IntEnum], length: int = 0, *, each_seat: int = 0, public: bool = False) -> Any:
    """Declare a field that holds a value of an enum, from 0, or a row of such values. All other arguments are those of `cards`."""
    return _declare(Field("choice", _row(length, each_seat), 0, max(names), public, names=names, each_seat=each_seat))


def seat(length: int = 0, *, none: Literal[-1, 0] | None = None, each_seat: int = 0, public: bool = False) -> Any:
    """Declare a field that holds a seat, or a row of seats.

    Args:
        length: as in `cards`.
        none: the value that stands for no seat: with 0 the field holds 1 + the seat; with -1 it holds the seat itself. None for a
            field that always holds a seat.
        each_seat: as in `cards`.
        public: as in `cards`.
    """
    least = 0 if none is None else none
    return _declare(Field("seat", _row(length, each_seat), least, MOST_SEATS + least, public, each_seat=each_seat, none=none))


def seats(length: int = 0, *, each_seat: int = 0, public: bool = False) -> Any:
    """Declare a field that holds a set of seats (bit i = seat i), or a row of such sets. The arguments are those of `cards`."""
    return _declare(Field("seats", _row(length, each_seat), 0, (1 << MOST_SEATS) - 1, public, each_seat=each_seat))


def _row(length: int, each_seat: int) -> int:
    """The number of values in a row."""
    return max(length, 1) * each_seat if each_seat else length


def option() -> Any:
    """Declare a field that holds the game's option of the same name, as an int."""
    return _declare(Field("count", 0, 0, (1 << 62) - 1, public=True, fixed=True))


@dataclass(slots=True)
class RoundState:
    """Base of every game's state, with the fields that all rounds have.

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

    contract: ClassVar[Any]  # the contract of the game; set when that is made

    pack: list[int] = card(EXTRA + 1)
    stock: int = count(EXTRA + 1, public=True)
    gathered: int = count(EXTRA + 1, public=True)
    seats: int = count(MOST_SEATS, public=True, fixed=True)
    dealer: int = seat(public=True)
    turns: int = count(1 << 40, public=True)
    ending: int = count(MOST_ENDINGS - 1, public=True)
    redeals: list[int] = count(1 << 40, MOST_REDEALS, public=True)


S = TypeVar("S", bound=RoundState)


def fields(state: type[RoundState]) -> tuple[Field, ...]:
    """The fields of a state class, in order of declaration. Seats have the range of the game's, once its contract is made.

    A game of a contract before version 3 cannot say which rows have a value for each seat: those of as many values as it has seats.
    """
    hashable: Any = state  # as every class is, but a type checker looks at its instances
    contract = getattr(state, "contract", None)
    return _fields(hashable, max(contract.seats), contract.api < SEATS_SINCE) if contract else _fields(hashable, 0, False)


@cache
def _fields(state: Any, seats: int, guessed: bool) -> tuple[Field, ...]:
    found = [dataclasses.replace(f.metadata["field"], name=f.name) for f in dataclasses.fields(state)]
    return tuple(_of_game(field, seats, guessed) for field in found) if seats else tuple(found)


def _of_game(field: Field, seats: int, guessed: bool) -> Field:
    """A field as it is in a game of so many seats at most. A row of fewer, as `DealtState` has two hands, is of no use to it."""
    if guessed and field.length == seats:
        field = dataclasses.replace(field, each_seat=seats)
    elif field.each_seat < seats:
        field = dataclasses.replace(field, each_seat=0)
    if field.kind == "seat":
        return dataclasses.replace(field, most=field.first + seats - 1)
    return dataclasses.replace(field, most=(1 << seats) - 1) if field.kind == "seats" else field


def attributes(*docstrings: str) -> dict[str, str]:
    """The description of each attribute in the docstrings of a class and of its bases, as one line."""
    found = filter(None, map(ATTRIBUTES.search, map(inspect.cleandoc, docstrings)))
    rows = [row for attributes in found for row in _ATTRIBUTE.findall(attributes[1])]
    return {name: " ".join(says.split()) for names, says in rows for name in names.split(", ")}


def descriptions(state: type[RoundState]) -> dict[str, str]:
    """The description of each field of a state class but options. It is empty if Python runs without docstrings."""
    return attributes(*(kind.__doc__ or "" for kind in reversed(state.__mro__)))


def checked(state: type[RoundState]) -> type[RoundState]:
    """A subclass of a state class for tests, which raises OverflowError where a value leaves its field's range.

    Machine code does not check ranges.
    """
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


# The three ways to write a whole state, and one to tell states apart. Their compiled forms are in `numba_backend`. Assigning a row
# to another would alias it when plain and copy it when compiled, so no rule does that.


def copy(into: RoundState, state: RoundState) -> None:
    """Copy every field of `state` into `into`."""
    kind: Any = type(state)
    _writer(kind, public=False)(into, state)


def clear(into: RoundState) -> None:
    """Set every field to its empty value: the empty set, NONE, or 0."""
    for field in fields(type(into)):
        if field.length:
            getattr(into, field.name)[:] = [field.empty] * field.length
        else:
            setattr(into, field.name, field.empty)


def show(into: RoundState, state: RoundState) -> None:
    """Copy the public fields of `state` into `into`, and no others."""
    kind: Any = type(state)
    _writer(kind, public=True)(into, state)


def copied(s: S) -> S:
    """A new state that is equal to `s`."""
    into = type(s)()
    copy(into, s)
    return into


def turned(s: S, by: int = 1) -> S:
    """A copy of a state in which each seat has become the seat that sits `by` places further on."""
    into, seats = copied(s), s.seats
    for field in fields(type(s)):
        value = getattr(s, field.name)
        if field.kind in ("seat", "seats"):
            further = _next_seat if field.kind == "seat" else _next_seats
            value = [further(field, one, seats, by) for one in value] if field.length else further(field, value, seats, by)
        if field.each_seat:
            moved = [field.of_seat(value, (seat - by) % seats if seat < seats else seat) for seat in range(field.each_seat)]
            value = [one for values in moved for one in values]
        setattr(into, field.name, value if not field.length else [*value])
    return into


def _next_seat(field: Field, value: int, seats: int, by: int) -> int:
    return value if value == field.none else (value - field.first + by) % seats + field.first


def _next_seats(field: Field, value: int, seats: int, by: int) -> int:
    return sum(1 << (seat + by) % seats for seat in range(seats) if value >> seat & 1)


MIX = 0x9E3779B97F4A7C15 - (1 << 64)  # an odd word with no pattern in it
_WORD = (1 << 64) - 1
_CODES = {1: "b", 2: "h", 4: "i", 8: "q"}  # of `struct`, for numbers with a sign


def fingerprint(state: RoundState) -> int:
    """A signed 64-bit hash of a state. Different states share it with a chance of one in 2**64. It is not meant to be stored."""
    hashed, body = 0, to_bytes(state)
    for value in unpack(f"<{len(body) // 8}q", body):
        hashed = ((hashed ^ value) * MIX) & _WORD
        hashed ^= hashed >> 32
    return hashed - (hashed >> 63 << 64)


# A record holds a state as bytes, the same in every executor: the widest values first, so that no byte lies between them, and zeros
# at the end up to a multiple of 8 bytes.


def in_record(kind: type[RoundState]) -> tuple[Field, ...]:
    """The fields of a state class in the order of its record."""
    hashable: Any = kind  # as every class is, but a type checker looks at its instances
    return _packing(hashable)[1]


def record_size(kind: type[RoundState]) -> int:
    """The number of bytes of a state of a class in a record, a multiple of 8."""
    hashable: Any = kind
    return _packing(hashable)[0].size


def to_bytes(state: RoundState) -> bytes:
    """Return the record of a state. Raises OverflowError where a value of a row has no room in it."""
    kind: Any = type(state)
    packing, found, values = *_packing(kind), list[int]()
    for field in found:
        value = getattr(state, field.name)
        values += value if field.length else (value,)
    try:
        return packing.pack(*values)
    except error as wrong:
        raise OverflowError(f"a state of {kind.__name__} has a value that its fields do not hold: {wrong}") from wrong


def from_bytes(kind: type[S], body: bytes) -> S:
    """Return the state of a class that a record holds."""
    made: Any = kind
    packing, found = _packing(made)
    values = iter(packing.unpack(body))
    named = {field.name: [*islice(values, field.length)] if field.length else next(values) for field in found}
    return made(**named)  # type: ignore[no-any-return]


@cache
def _packing(kind: Any) -> tuple[Struct, tuple[Field, ...]]:
    """Return how the record of a state class is packed, and its fields in order."""
    found = sorted(fields(kind), key=lambda field: (-field.size, field.public))
    body = "".join(f"{field.length or 1}{_CODES[field.size] if field.signed else _CODES[field.size].upper()}" for field in found)
    return Struct(f"<{body}{-calcsize(f'<{body}') % 8}x"), tuple(found)


@cache
def _writer(state: Any, public: bool) -> Callable[[RoundState, RoundState], None]:
    """Make a function that copies a state's fields, or the public ones. It has one assignment a field, which is the fastest way."""
    chosen = [field for field in fields(state) if field.public or not public]
    lines = [f"    into.{field.name}{'[:]' if field.length else ''} = state.{field.name}" for field in chosen]
    made: dict[str, Any] = {}
    exec("\n".join(["def write(into, state):", *lines]), made)  # names of fields, which are identifiers
    return made["write"]  # type: ignore[no-any-return]
