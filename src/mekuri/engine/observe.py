"""The encoder: it writes what a seat may know of a state as a row of bytes, for learners.

The encoder of a game is generated from the declared fields as Python source, which runs plain and compiled. Its layout (the name,
first byte, length and meaning of each part) is made in the same pass, so documents cannot differ from it. All is relative to the
viewer: the viewer's own values come first, and seats are counted from it.

Public fields are read in place. For all others the encoder calls the game's `hide` into a state to work in, and reads them there: a
secret that `hide` does not copy cannot reach a byte.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from mekuri.cards import EXTRA
from mekuri.engine.compiled import rule, wrap
from mekuri.engine.contract import MOST, Contract, hide
from mekuri.engine.fields import Field, Kind, RoundState, descriptions, fields
from mekuri.engine.options import Options
from mekuri.engine.recall import Recall, after, recalling, round_table

# The order of the pack is secret, and the other two say nothing about what a seat should choose.
_LEFT_OUT = ("pack", "gathered", "redeals")
_LARGEST = (1 << 32) - 1  # the greatest number that is written; a greater one is written as this
_LONG = 16  # values of a row that are written by a loop
_WIDE = 64  # bits that are laid at once
_TURNED = 60  # bits of sets of seats that are turned at once
_FEW = 7  # bytes of a row that are written as one number, which has no sign
_BYTE = 0xFF


@dataclass(frozen=True)
class Part:
    """A field's place in an observation.

    Attributes:
        name: the name of the field.
        first: the place of its first byte.
        size: its length in bytes.
        meaning: what the bytes say.
        kind: the kind of the field's values; see `Field.kind`.
        values: the names of the field's values 0, 1 and so on, if they have names.
        about: what the field holds, in a sentence; empty if Python runs without docstrings.
    """

    name: str
    first: int
    size: int
    meaning: str
    # The bytes do not depend on these, so they do not count in the version of a layout.
    kind: Kind = field(repr=False)
    values: tuple[str, ...] = field(repr=False)
    about: str = field(repr=False)


@dataclass(frozen=True, eq=False)
class Layout:
    """An encoder and its layout, for a game with a number of seats.

    Attributes:
        parts: the parts of an observation, in order.
        words: the length of an observation in words of 8 bytes, lowest byte first.
        source: the source of the encoder.
        rule: the encoder, as rules text: state, seat, row of words to write.
        version: 8 hexadecimal digits, which change with the parts.
        recall: the functions that note the events of a round; None for the last view alone.
    """

    parts: tuple[Part, ...]
    words: int
    source: str = field(repr=False)
    rule: Callable[[Any, int, Any], None] = field(repr=False)
    version: str
    recall: Recall | None = field(default=None, repr=False)

    @property
    def rules(self) -> tuple[Callable[..., Any], ...]:
        """All rules text that machine code runs for the layout."""
        return (self.rule, *self.recall.rules) if self.recall else (self.rule,)

    @property
    def size(self) -> int:
        """The length of an observation in bytes."""
        return 8 * self.words

    def observe(self, s: RoundState, seat: int) -> bytes:
        """The observation of a seat, 0 or more, of a full state, or of the hidden state of that seat, as a bot is given it."""
        out = [0] * self.words
        self.rule(s, seat, out)
        return b"".join(word.to_bytes(8, "little", signed=True) for word in out)


def encode(layout: Any, s: RoundState, seat: int, out: Any) -> None:
    """Write the observation of a seat. The same call runs plain and compiled; compiled, `layout` is its record.

    Args:
        layout: the layout.
        s: the full state.
        seat: the seat, which must be one of the game's.
        out: a row of `layout.words` words.
    """
    layout.rule(s, seat, out)


def spread(bits: int) -> int:
    """A word whose bytes are the lowest eight bits of a set: byte i is 1 if the set holds i, else 0."""
    # Each byte keeps its own bit of a copy of the set; a byte that is not 0 then carries into its highest bit.
    each = (bits & 0xFF) * 0x0101010101010101 & -0x7FBFDFEFF7FBFDFF
    return each + 0x7F7F7F7F7F7F7F7F >> 7 & 0x0101010101010101


def lay(bits: int, out: Any, at: int, words: int) -> None:
    """Write a byte for each of the lowest bits of a set, in 2, 4 or 8 words from place `at` on: 1 if the set holds it, else 0."""
    for word in range(words):
        out[at + word] = spread(bits >> 8 * word)


def lay_row(row: Any, size: int, out: Any, at: int) -> None:
    """Write a whole row of a state, whose values have `size` bytes in a record and no sign, in words from place `at` on."""
    each = 8 // size
    for word in range(len(row) // each):
        out[at + word] = wrap(packed(row, each * word, each, size))


def lay_seats(row: Any, first: int, seat: int, seats: int, out: Any, at: int) -> None:
    """Write a byte for each seat of a row, in words from place `at` on: 1 + the places from a viewer to the seat; 0 for no seat.

    Args:
        row: a row of a state, of a multiple of 8 values, which have a byte each in a record.
        first: the value by which it holds seat 0; lower values are no seats.
        seat: the viewer.
        seats: how many play.
        out: a row of words.
        at: the place of the first word.
    """
    for word in range(len(row) // 8):
        out[at + word] = wrap(sum(after(row[8 * word + i] - first, seat, seats) + 1 << 8 * i for i in range(8)))


def packed(row: Any, at: int, n: int, size: int) -> int:
    """A word of n values of a row from place `at` on, lowest byte first, all other bytes 0.

    Args:
        row: a row of a state, whose values have `size` bytes in a record.
        at: the place of the first value.
        n: how many values. Together they have less than 8 bytes, but in `lay_row`.
        size: the bytes of a value.
    """
    return sum((row[at + i] & (1 << 8 * size) - 1) << 8 * size * i for i in range(n))


def room(s: RoundState) -> RoundState:
    """A state of the same game to work in. Machine code clears none of its fields."""
    return type(s)()


@rule
def one_of(value: int) -> int:
    """The set that holds a value alone; the empty set if the value is negative."""
    return 0 if value < 0 else 1 << value


@rule
def turned_sets(sets: int, seat: int, seats: int, ones: int) -> int:
    """Sets of seats as counted from a viewer. They lie in one word, one after the other; `ones` has the lowest bit of each."""
    stay = ones * ((1 << seats - seat) - 1)  # the places of the seats from the viewer on
    return sets >> seat & stay | sets << seats - seat & ones * ((1 << seats) - 1) - stay


LAYING = (lay, lay_row, lay_seats, packed, room, spread)  # functions whose machine code is made by hand
_USED = {function.__name__: function for function in (*LAYING, one_of, after, round_table, turned_sets, wrap, hide)}


def layout(contract: Contract, options: Options, seats: int, *, recall: bool = False) -> Layout:
    """The layout of a game's observations, and its encoder.

    Args:
        contract: the game.
        options: the options of the round, of which only the pack counts.
        seats: how many play.
        recall: whether actions are noted as well, as each seat saw them.
    """
    return _layout(contract, max(EXTRA, max(contract.rules.pack(options)) + 1), seats, recall)


@cache
def _layout(contract: Contract, cards: int, seats: int, recall: bool) -> Layout:
    if not recall:
        return _Writer(contract, cards, seats).made()
    last, noted = _layout(contract, cards, seats, False), recalling(contract, seats)
    return replace(last, recall=noted, version=hashlib.sha256(f"{last.version} {noted.version}".encode()).hexdigest()[:8])


class _Writer:
    """Writes the source of an encoder and, in the same pass, its layout."""

    def __init__(self, contract: Contract, cards: int, seats: int) -> None:
        self._name, self._cards, self._seats = contract.id.replace("-", "_"), cards, seats
        self._endings, self._about = contract.endings, descriptions(contract.state)
        self._clear: list[str] = []
        self._lines: list[str] = []
        self._terms: list[str] = []  # of the word that `_at` is in
        # What has a byte a bit before `_at` and is not yet written: sets of seats, and after them other values, with their bits.
        self._sets: list[tuple[str, int]] = []
        self._few: list[tuple[str, int]] = []
        self._at = self._values = self._least = 0
        self._parts: list[Part] = []
        shown = [f for f in fields(contract.state) if not f.fixed and f.name not in _LEFT_OUT]
        for one in sorted(shown, key=self._order):
            self._field(one, contract.longest if one.name == "turns" and contract.longest < MOST else one.most)
        self._write_few()
        self._align(8)
        self.parts, self._words = tuple(self._parts), max(self._at // 8, self._least)

    def made(self) -> Layout:
        """The layout of what has been written."""
        version = hashlib.sha256(repr((self._name, self._seats, self.parts)).encode()).hexdigest()[:8]
        # Machine code knows functions by their names and the types of their arguments, so the name is unique.
        others = [f"p{k} = round_table(seat - {self._seats - k}, {self._seats})" for k in range(1, self._seats)]
        body = ["h = room(s)", "p0 = seat", *others, *self._clear]
        called = f"encode_{self._name}_{self._seats}_{version}"
        source = "\n    ".join([f"def {called}(s, seat, out):", *body, "hide(s, seat, h)", *self._lines]) + "\n"
        space: dict[str, Any] = {**_USED, "__name__": __name__}
        exec(source, space)  # names of fields, which are identifiers
        return Layout(self.parts, self._words, source, rule(space[called]), version)

    def _order(self, one: Field) -> int:
        """Sets of cards and long rows come first, where each begins a word; then what is written together, with a byte a bit."""
        if one.kind == "cards" or (one.kind == "card" and not one.length):
            return 0
        if one.length >= _LONG:
            return 1
        if one.kind == "seats" or (one.kind == "seat" and not one.length):
            return 2
        return 3 if one.kind == "choice" and not one.length else 4

    def _field(self, one: Field, most: int) -> None:
        """Write the values of a field."""
        begin = "s" if one.public else "h"
        if not one.public:
            # `hide` may leave out what the seat may not know, so the last table's values go first.
            place = f"h.{one.name}"
            used = one.length // one.each_seat * self._seats if one.each_seat else one.length
            while used < one.length and used & used - 1:
                used += 1  # one instruction writes so many, and a processor need not wait to read a part of them
            every = f"for i in range({used}): {place}[i] = {one.empty}"
            self._clear.append(every if one.length else f"{place} = {one.empty}")
        value = f"{begin}.{one.name}"
        places = [value]
        if one.each_seat:
            width = one.length // one.each_seat
            places = [f"{value}[p{k}{f' * {width} + {j}' if width > 1 else ''}]" for k in range(self._seats) for j in range(width)]
        elif one.length:
            places = [f"{value}[{i}]" for i in range(one.length)]
        order = self._order(one)
        if order < 2 or (order < 4 and not self._sets and not self._few):
            self._align(8)
        elif order == 4:
            self._write_few()
        size, meaning, write = self._form(one, most)
        if one.kind == "count" and one.length:
            self._align(size)
        at = self._at
        if not self._in_words(one, size, value):
            for number, place in enumerate(places):
                if one.kind == "count":
                    self._align(size)
                at = at if number else self._at
                write(place)
        many = len(places) // self._seats if one.each_seat else len(places)
        row = f"; {many} of these" if many > 1 else ""
        if one.each_seat:
            row = f"{row or ';'} for each seat, the viewer first"
        named = {int(value): value.name.lower().replace("_", "-") for value in one.names or ()}
        values = (
            self._endings if one.name == "ending" else tuple(named.get(value, "") for value in range(max(named, default=-1) + 1))
        )
        self._parts.append(Part(one.name, at, self._at - at, meaning + row, one.kind, values, self._about.get(one.name, "")))

    def _in_words(self, one: Field, size: int, value: str) -> bool:
        """Write a row as the bytes that it has in a record, all or several of its values at once, if these are what is written."""
        width = one.length // one.each_seat if one.each_seat else one.length
        if not one.length or one.size != size or one.kind not in ("card", "count", "seat"):
            return False
        if one.length >= _LONG and not one.each_seat and not one.length * size % 8 and one.kind != "card" and not one.least > 0:
            if one.kind == "seat":
                self._lines.append(f"lay_seats({value}, {one.first}, seat, {self._seats}, out, {self._at // 8})")
            elif not one.signed and not one.least:
                self._lines.append(f"lay_row({value}, {size}, out, {self._at // 8})")
            else:
                return False
            self._at += one.length * size
            return True
        if width == 1 or width * size > _FEW or one.kind == "seat" or (one.kind == "count" and one.least):
            return False
        for place in [f"p{k} * {width}" for k in range(self._seats)] if one.each_seat else ["0"]:
            self._bytes(f"packed({value}, {place}, {width}, {size})", width * size, one_more=one.kind == "card")
        return True

    def _bytes(self, word: str, size: int, one_more: bool = False) -> None:
        """Write the lowest bytes of a word, each of them plus 1 where the word holds cards, of which NONE is a byte of ones."""
        self._values += 1
        value = f"v{self._values}"
        self._lines.append(f"{value} = {word}")
        if one_more:
            low, high, ones = (int.from_bytes(bytes([byte] * size), "little") for byte in (0x7F, 0x80, 1))
            self._lines.append(f"{value} = ({value} & {low}) + {ones} ^ {value} & {high}")
        done = 0
        while done < size:
            room = min(8 - self._at % 8, size - done)
            part = f"({value}{f' >> {8 * done}' if done else ''} & {(1 << 8 * room) - 1})"
            self._put(value if room == size else part, room)
            done += room

    def _form(self, one: Field, most: int) -> tuple[int, str, Callable[[str], None]]:
        """How a value of a field is written: its bytes, their meaning, and the function that writes it."""
        if one.kind == "cards":
            wide = -(-self._cards // 8) * 8
            return wide, "1 for each card of the set, from card 0 on", lambda place: self._bits(place, wide)
        if one.kind == "card" and not one.length:
            wide = -(-self._cards // 8) * 8
            return wide, "1 for the card, from card 0 on; all 0 for none", lambda place: self._bits(f"one_of({place})", wide)
        if one.kind == "choice" and not one.length:
            return most + 1, "1 for the value, from 0 on", lambda place: self._wait(self._few, f"1 << {place}", most + 1)
        if one.kind == "seats":
            return (
                self._seats,
                "1 for each seat of the set, the viewer first",
                lambda place: self._wait(self._sets, f"({place} & {(1 << self._seats) - 1})", self._seats),
            )
        if one.kind == "seat" and not one.length:
            return (
                self._seats,
                "1 for the seat, the viewer first; all 0 for none",
                lambda place: self._wait(self._sets, f"(1 << {place}{f' >> {one.first}' if one.first else ''})", self._seats),
            )
        if one.kind == "seat":
            size, meaning = 1, "1 + the number of places from the viewer to the seat; 0 for none"
        elif one.kind == "card":
            size, meaning = 1, "1 + the card; 0 for none"
        else:
            spread = most - one.least
            size = 1 if spread <= _BYTE else 2 if spread < 1 << 16 else 4
            meaning = "the number" + (f" + {-one.least}" if one.least < 0 else f" - {one.least}" if one.least else "")
            meaning += f", lowest byte first{'' if spread <= _LARGEST else f', {_LARGEST} at most'}" if size > 1 else ""
        return size, meaning, lambda place: self._put(self._number(one, place, most), size)

    def _seat(self, one: Field, place: str) -> str:
        """A seat as the number of places after the viewer, or -1."""
        return f"after({place}{f' - {one.first}' if one.first else ''}, seat, {self._seats})"

    def _number(self, one: Field, place: str, most: int) -> str:
        if one.kind == "seat":
            return f"({self._seat(one, place)} + 1)"
        if one.kind == "card":
            return f"({place} + 1)"
        moved = f"({place} - {one.least})" if one.least > 0 else f"({place} + {-one.least})" if one.least else place
        return moved if most - one.least <= _LARGEST else f"min({moved}, {_LARGEST})"

    def _wait(self, some: list[tuple[str, int]], value: str, width: int) -> None:
        """Add a value with a byte a bit to the values that are written together; see `_write_few`."""
        some.append((value, width))
        self._at += width

    def _write_few(self) -> None:
        """Write the values that wait: sets of seats are turned together, and few words are put together and stored."""
        seats, waiting = self._seats, []
        for i in range(0, len(self._sets), many := _TURNED // seats):
            some = self._sets[i : i + many]
            word = " | ".join(f"{one} << {seats * k}" for k, (one, _) in enumerate(some))
            ones = sum(1 << seats * k for k in range(len(some)))
            waiting.append((f"turned_sets({word}, seat, {seats}, {ones})", seats * len(some)))
        waiting += self._few
        self._sets, self._few, at = [], [], 0
        width = sum(bits for _, bits in waiting)
        terms: list[list[str]] = [[] for _ in range(0, width, _WIDE)]
        for value, bits in waiting:
            self._values += 1
            self._lines.append(f"v{self._values} = {value}")
            for number in range(at // _WIDE, -(-(at + bits) // _WIDE)):
                place = at - number * _WIDE
                terms[number].append(f"v{self._values} {'<<' if place > 0 else '>>'} {abs(place)}" if place else f"v{self._values}")
            at += bits
        self._at -= width
        for number, parts in enumerate(terms):
            self._bits(" | ".join(parts), min(_WIDE, width - number * _WIDE))

    def _bits(self, value: str, width: int) -> None:
        """Write a byte for each of the first `width` bits of a value, from the beginning of a word on."""
        self._values += 1
        self._lines.append(f"v{self._values} = {value}")
        words, rest = divmod(width, 8)
        if words > 1:
            laid = next(many for many in (2, 4, 8) if many >= words)  # what these write too much is written over
            self._lines.append(f"lay(v{self._values}, out, {self._at // 8}, {laid})")
            self._least = max(self._least, self._at // 8 + laid)
            self._at += 8 * words
        elif words:
            self._put(f"spread(v{self._values})", 8)
        if rest:
            self._put(f"spread(v{self._values}{f' >> {8 * words}' if words else ''} & {(1 << rest) - 1})", rest)

    def _put(self, term: str, size: int) -> None:
        """Write bytes that lie in one word."""
        self._terms.append(f"{term} << {self._at % 8 * 8}" if self._at % 8 else term)
        self._at += size
        if self._at % 8 == 0:
            self._end_word()

    def _align(self, size: int) -> None:
        """Go on to a place that is a multiple of a size; the bytes before it are 0."""
        if self._at % size:
            self._at += size - self._at % size
            if self._at % 8 == 0:
                self._end_word()

    def _end_word(self) -> None:
        self._lines.append(f"out[{self._at // 8 - 1}] = wrap({' | '.join(self._terms)})")
        self._terms = []
