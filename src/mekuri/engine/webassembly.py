"""The executor that runs a game's entries in WebAssembly, on states and rows of numbers in the memory of an instance.

`wasm_backend` makes the modules, where Numba is. An instance may run anywhere: in a browser it is one of the page's own.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from struct import pack
from typing import Any, Protocol

from mekuri.engine.bot import Bot
from mekuri.engine.contract import Contract
from mekuri.engine.entry import Entry
from mekuri.engine.executor import Executor
from mekuri.engine.fields import RoundState, from_bytes, record_size, to_bytes

_WORD = 8  # bytes
_ARGUMENTS = 128  # words that the arguments of an entry may have
PAGE = 1 << 16  # bytes by which memory grows


class Instance(Protocol):
    """An instance of a module."""

    @property
    def size(self) -> int:
        """How many bytes the memory has."""

    def grow(self, pages: int) -> None:
        """Add pages of zeros to the end of the memory."""

    def read(self, at: int, size: int) -> bytes:
        """Return bytes of the memory."""

    def write(self, at: int, body: bytes) -> None:
        """Write bytes into the memory."""

    def clear(self, at: int, size: int) -> None:
        """Set bytes of the memory to 0."""

    def has(self, name: str) -> bool:
        """Return whether the module exports an entry."""

    def call(self, name: str, at: int) -> None:
        """Run an entry with the arguments that lie at an address. Raises an error if the module traps."""


def export_name(entry: Entry[..., Any], bots: Iterable[Bot]) -> str:
    """Return the name under which a module exports an entry: its own, followed by those of the bots among its arguments."""
    return ".".join([entry.plain.__name__, *(bot.id for bot in bots)])


def executor(open: Callable[[], Instance]) -> Executor:
    """Return the executor of a game. `open` makes an instance of its module, when it is first needed."""
    return _WebAssembly(open)


class _Memory:
    """Gives out the memory of an instance that the module itself does not use."""

    def __init__(self, instance: Instance) -> None:
        self.instance = instance
        self._free = defaultdict[int, list[int]](list)  # by size, which is a power of two: addresses of blocks that were given back
        self._next = instance.size

    def take(self, size: int) -> _Block:
        """Return a block of zeros."""
        size = 1 << max(size - 1, _WORD - 1).bit_length()
        if self._free[size]:
            at = self._free[size].pop()
            self.instance.clear(at, size)
        else:
            at, self._next = self._next, self._next + size
            if self._next > self.instance.size:
                self.instance.grow(-(-(self._next - self.instance.size) // PAGE))
        return _Block(self, at, size)

    def give_back(self, at: int, size: int) -> None:
        self._free[size].append(at)


class _Block:
    """A block of memory, which is given back when no row is in it any more."""

    def __init__(self, memory: _Memory, at: int, size: int) -> None:
        self.memory, self.at, self._size = memory, at, size

    def __del__(self) -> None:
        self.memory.give_back(self.at, self._size)


class _Row:
    """A row in the memory of an instance: of numbers, each of which is one word, or of states.

    Args:
        block: the block in which it lies.
        n: the number of its elements.
        width: the words of an element.
        first: the address of its first element.
        step: how many elements further on the next one lies.
    """

    def __init__(self, block: _Block, n: int, width: int, first: int, step: int = 1) -> None:
        self._block, self._n, self._width, self._first, self._step = block, n, width, first, step

    def __len__(self) -> int:
        return self._n

    def __iter__(self) -> Iterator[int]:
        """Go through the numbers of the row."""
        return (int.from_bytes(body, "little", signed=True) for body in self.elements())

    def __getitem__(self, place: Any) -> Any:
        """Return a number, or a slice as a row."""
        if not isinstance(place, slice):
            place = range(self._n)[place]
            return next(iter(self[place : place + 1]))
        start, stop, step = place.indices(self._n)
        return _Row(self._block, len(range(start, stop, step)), self._width, self.address(start), self._step * step)

    def __setitem__(self, places: slice, numbers: Sequence[int]) -> None:
        """Write the numbers of a slice without gaps."""
        row = self[places]
        if len(row) != len(numbers) or row._step != 1:
            raise ValueError(f"{len(numbers)} numbers do not fit into a slice of {len(row)}")
        row.write(0, _words(numbers))

    def elements(self) -> list[bytes]:
        """Return the bytes of each element."""
        if not self._n:
            return []
        size, step = self._width * _WORD, self._step * self._width * _WORD
        read = self._block.memory.instance.read(self._first, step * (self._n - 1) + size)
        return [read[at : at + size] for at in range(0, len(read), step)]

    def write(self, place: int, body: bytes) -> None:
        """Write bytes from an element on."""
        self._block.memory.instance.write(self.address(place), body)

    def arguments(self) -> tuple[int, ...]:
        """Return the words by which an entry is given the row; it must have no gaps."""
        size = self._width * _WORD
        return 0, 0, self._n, size, self._first, self._n, size

    def address(self, place: int = 0) -> int:
        """Return the address of an element."""
        return self._first + place * self._step * self._width * _WORD


def _words(numbers: Sequence[int]) -> bytes:
    return pack(f"<{len(numbers)}q", *numbers)


class _WebAssembly:
    """Runs the entries of one game in an instance of their module."""

    def __init__(self, open: Callable[[], Instance]) -> None:
        self._open = open

    @cached_property
    def _memory(self) -> _Memory:
        return _Memory(self._open())

    @cached_property
    def _arguments(self) -> _Row:
        return self._row(_ARGUMENTS, 1)

    def _row(self, n: int, width: int) -> _Row:
        block = self._memory.take(n * width * _WORD)
        return _Row(block, n, width, block.at)

    def states(self, contract: Contract, n: int) -> Any:
        return self._row(n, record_size(contract.state) // _WORD)

    def words(self, values: Iterable[int]) -> Any:
        numbers = [*values]
        row = self.zeros(len(numbers))
        row.write(0, _words(numbers))
        return row

    def zeros(self, n: int) -> Any:
        return self._row(n, 1)

    def bot(self, bot: Bot) -> Any:
        return bot

    def write(self, states: Any, place: int, state: RoundState) -> None:
        states.write(place, to_bytes(state))

    def read(self, states: Any, kind: type[RoundState]) -> list[RoundState]:
        return [from_bytes(kind, body) for body in states.elements()]

    def prepare(self, entry: Entry[..., Any], *arguments: Any) -> None:
        if not self._memory.instance.has(name := self._name(entry, arguments)):
            raise ImportError(f"the module has no entry {name}")

    def call(self, entry: Entry[..., Any], *arguments: Any) -> Any:
        words = list[int]()
        for one in arguments:
            words += one.arguments() if isinstance(one, _Row) else [0 if isinstance(one, Bot) else one]
        self._arguments.write(0, _words(words))
        self._memory.instance.call(self._name(entry, arguments), self._arguments.address())

    @staticmethod
    def _name(entry: Entry[..., Any], arguments: Iterable[Any]) -> str:
        return export_name(entry, [one for one in arguments if isinstance(one, Bot)])
