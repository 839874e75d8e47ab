"""Compiles rules to machine code with Numba. `numba_rows` has the rows of states, `numba_words` single instructions.

Four facts about Numba shape this file. Two records of equal layout are one type to it, so every record begins with a field of
length 0, whose name no other game and no other version of the game's rules has: dispatch and the disk cache are then exact. Its
cache watches only the file of the outermost function, so the cache is keyed by a digest of all that the function reaches (`reach`).
In the names of compiled functions it tells records apart by numbers that every process counts anew, so of two games compiled in two
processes one would run the other's rules in a third that loads both: records are named by a hash of their type instead. And mutual
recursion may crash when loaded from the cache, so rules use none.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import llvmlite
import numba
import numpy as np
from llvmlite import ir
from numba import njit, typeof, types
from numba.core import cgutils
from numba.core.caching import IndexDataCacheFile
from numba.core.errors import NumbaError
from numba.extending import intrinsic, overload, register_jitable
from numba.np.numpy_support import from_dtype

from mekuri.engine import bot as seam
from mekuri.engine import compiled, linking, numba_rows, numba_words, observe, recall
from mekuri.engine.bot import Bot
from mekuri.engine.compile_errors import why_refused
from mekuri.engine.contract import FIRST_WORD, Contract
from mekuri.engine.errors import CannotCompile
from mekuri.engine.fields import (
    MIX,
    RoundState,
    clear,
    copy,
    fields,
    fingerprint,
    from_bytes,
    in_record,
    show,
    to_bytes,
)
from mekuri.engine.reach import digest, without_words

try:
    import fcntl
except ImportError:  # on Windows
    fcntl = None  # type: ignore[assignment]

# Overloads below are not `strict`: Numba would want a lambda's arguments to carry the annotations of the function around it.

_PARTS = tuple(str(one.__file__) for one in (linking, numba_rows, numba_words))
# Machine code depends on the rules, on this file and its parts, and on the versions of the packages that it uses.
_HERE = (
    *(without_words(Path(file).read_text("utf-8")) for file in (__file__, *_PARTS)),
    sys.version,
    np.__version__,
    numba.__version__,
    llvmlite.__version__,
    MIX,
)
# Functions whose machine code is made here, whatever their plain code is.
_LOWERED = (
    *(compiled.count, compiled.first, compiled.wrap, copy, show, clear, fingerprint, seam.ask, seam.is_blind),
    *(observe.encode, recall.note, recall.keep, recall.forget, recall.publicly_differ, *observe.LAYING),
)

types.Record.mangling_args = property(lambda kind: ("Record", (sha256(kind.name.encode()).hexdigest(),)))

_functions: dict[tuple[Any, str], Callable[..., Any]] = {}
_states: dict[Any, type[RoundState]] = {}
_bots: dict[Any, Bot] = {}
_layouts: dict[Any, observe.Layout] = {}
_done = {"rules": 0, "generics": 0, "contracts": 0}


@cache
def record(contract: Contract) -> np.dtype[np.void]:
    """The NumPy record type of a game's states. Its first field, of length 0, is a tag that makes the type unique to the game."""
    tag = (f"{contract.id}_{_rules_digest(contract)}", "i1", (0,))
    kinds = ((f.name, f"{'i' if f.signed else 'u'}{f.size}", (f.length,) if f.length else ()) for f in in_record(contract.state))
    return np.dtype([tag, *kinds], align=True)


def _rules_digest(contract: Contract) -> str:
    """A digest of all that a game's rules reach, and of the facts about its fields that `clear` and `show` use."""
    made = tuple((f.name, f.length, f.size, f.signed, f.public, f.empty) for f in in_record(contract.state))
    return digest_of(*(getattr(contract.rules, function.__name__) for function in compiled.generics), made)


def digest_of(*values: object) -> str:
    """Return a digest of functions and values, of all that they reach, and of the way in which they are compiled."""
    return digest([*values, compiled.nth, _HERE], _LOWERED)


@cache
def bot_record(bot: Bot) -> Any:
    """A record that stands for a bot whose choice is a rule. Its type is unique to the bot, so machine code is compiled for it."""
    made = _stand_in(f"{bot.id}_{digest_of(bot.rule, bot.blind)}")
    _bots[typeof(made)] = bot
    return made


@cache
def layout_record(layout: observe.Layout) -> Any:
    """A record that stands for the layout of observations. Its type is unique to the encoder, as a bot's is to the bot."""
    made = _stand_in(f"layout_{digest_of(*layout.rules)}")
    _layouts[typeof(made)] = layout
    return made


def _stand_in(tag: str) -> Any:
    return np.zeros(1, [(tag, "i1", (0,)), ("word", "i8")])[0]


def bot_of(argument: Any) -> Bot | None:
    """Return the bot for which an argument of compiled code stands, if any."""
    return _bots.get(typeof(argument))


def to_record(state: RoundState, into: Any) -> None:
    """Write a plain state into one record of an array."""
    [made] = np.frombuffer(to_bytes(state), into.dtype)
    for name in into.dtype.names:
        into[name] = made[name]


def from_records(records: Any, kind: type[RoundState]) -> list[RoundState]:
    """Return the records of an array as plain states of a class."""
    return [from_bytes(kind, record.tobytes()) for record in records]


def start() -> None:
    """Register with Numba every rule, generic function and game that has been declared since the last call.

    Raises:
        TypeError: if two games have one record type.
    """
    for function in compiled.rules[_done["rules"] :]:
        register_jitable(forceinline=function not in compiled.shared)(function)
    for function in compiled.generics[_done["generics"] :]:
        _overload_generic(function)
    for contract in compiled.contracts[_done["contracts"] :]:
        kind = from_dtype(record(contract))
        if kind in _states:
            raise TypeError(f"{contract.id} has the record of {_states[kind].contract.id}")
        _states[kind] = contract.state
        numba_rows.type_rows(kind, contract.state)
        for function in compiled.generics:
            _functions[kind, function.__name__] = getattr(contract.rules, function.__name__)
    _done.update(rules=len(compiled.rules), generics=len(compiled.generics), contracts=len(compiled.contracts))


def prepare(function: Callable[..., Any], dispatcher: Any, arguments: tuple[Any, ...]) -> Any:
    """A dispatcher for `function`, compiled for the types of these arguments or loaded from the disk cache.

    Rules allocate nothing, so the machine code counts no references (`_nrt`).

    Args:
        function: the function to compile.
        dispatcher: the dispatcher that an earlier call returned for it; None at the first call.
        arguments: arguments of the types to compile for. They are not changed.

    Raises:
        CannotCompile: if Numba refuses a rule.
    """
    start()
    kinds = tuple(typeof(argument) for argument in arguments)
    try:
        dispatcher = dispatcher or _kept(function)
        with refusals(), linking.emitting_only(function):
            dispatcher.compile(kinds)
    except CannotCompile:
        raise
    except Exception:
        # No place for a cache, a full disk, a file that was cut short: none of these may stop anything, so the function is
        # compiled for this process alone, and the broken files are removed for the next.
        with contextlib.suppress(Exception):
            dispatcher._cache.flush()
        dispatcher = njit(nogil=True, _nrt=False)(function)
        dispatcher.compile(kinds)
    return dispatcher


@contextlib.contextmanager
def refusals() -> Iterator[None]:
    """A context in which an error of Numba is raised as CannotCompile."""
    try:
        yield
    except NumbaError as error:
        raise CannotCompile(why_refused(error, compiled.rules)) from error


class _CacheFile(IndexDataCacheFile):
    """The machine code of an entry on disk. Processes that store theirs at the same time lose none of it.

    Numba reads the index, adds to it and writes it, and so do others meanwhile.
    """

    def save(self, key: Any, data: Any) -> None:
        with open(f"{self._index_path}.lock", "w", encoding="ascii") as lock:
            if fcntl:
                fcntl.flock(lock, fcntl.LOCK_EX)  # until it is closed
            super().save(key, data)


def _kept(function: Callable[..., Any]) -> Any:
    """A dispatcher whose machine code is cached on disk, by a digest of all that the function reaches.

    That digest leaves out generic functions: the rules that they call are part of the names of the records.
    """
    dispatcher = njit(cache=True, nogil=True, _nrt=False)(function)
    name = f"{function.__module__}.{function.__name__}.{sys.implementation.cache_tag}"
    dispatcher._cache._cache_file = _CacheFile(dispatcher._cache.cache_path, name, digest_of(function))
    return dispatcher


def cache_folder(function: Callable[..., Any]) -> Path | None:
    """Return the folder in which machine code of a function is kept; None where none can be."""
    try:
        return Path(njit(cache=True)(function)._cache.cache_path)
    except RuntimeError:
        return None


def _overload_generic(function: Callable[..., Any]) -> None:
    name = function.__name__

    @overload(function, strict=False, jit_options={"forceinline": True})
    def _(state: Any, *arguments: Any) -> Any:
        rule = _functions.get((state, name))
        if rule in compiled.shared:
            return lambda state, *arguments: rule(state, *arguments)
        return rule  # is inlined where it is called, without the compilation of a function around it


@overload(seam.ask, strict=False, jit_options={"forceinline": True})
def _(bot: Any, h: Any, seat: Any, chance: Any, states: Any) -> Any:
    rule: Any = _bots[bot].rule
    return lambda bot, h, seat, chance, states: rule(h, seat, chance, states)


@overload(seam.is_blind, strict=False, jit_options={"forceinline": True})
def _(bot: Any) -> Any:
    blind = _bots[bot].blind
    return lambda bot: blind


@overload(observe.encode, strict=False, jit_options={"forceinline": True})
def _(layout: Any, s: Any, seat: Any, out: Any) -> Any:
    rule = _layouts[layout].rule
    return lambda layout, s, seat, out: rule(s, seat, out)


@overload(recall.note, strict=False, jit_options={"forceinline": True})
def _(layout: Any, b: Any, s: Any, hides: Any, seat: Any, action: Any, viewers: Any, events: Any, happened: Any) -> Any:
    how = _layouts[layout].recall
    if how is None:
        return lambda layout, b, s, hides, seat, action, viewers, events, happened: None
    noting = how.noting
    return lambda layout, b, s, hides, seat, action, viewers, events, happened: noting(
        b, s, hides, seat, action, viewers, events, happened
    )


@overload(recall.keep, strict=False, jit_options={"forceinline": True})
def _(layout: Any, into: Any, s: Any, action: Any) -> Any:
    how = _layouts[layout].recall
    if how is None:
        return lambda layout, into, s, action: False
    keeping, secret = how.keeping, how.secret

    def keep(layout: Any, into: Any, s: Any, action: Any) -> bool:
        hides = bool(secret(s))
        if hides:
            show(into, s)
        elif action < FIRST_WORD:
            keeping(into, s)
        return hides

    return keep


@overload(recall.publicly_differ, strict=False)
def _(b: Any, s: Any) -> Any:
    runs = tuple(_runs(s, fixed=False))

    def differ(b: Any, s: Any) -> bool:
        found = 0
        for start, size in runs:
            for place in range(start, start + size - 7, 8):
                found |= _word_at(b, place) ^ _word_at(s, place)
            for place in range(start + size - size % 8, start + size):
                found |= _byte_at(b, place) ^ _byte_at(s, place)
        return found != 0

    return differ


@overload(recall.forget, strict=False, jit_options={"forceinline": True})
def _(layout: Any, events: Any, happened: Any) -> Any:
    clear_rings = recall.clear_rings
    if _layouts[layout].recall is None:
        return lambda layout, events, happened: None
    return lambda layout, events, happened: clear_rings(events, happened)


@intrinsic
def _copy(_: Any, into: Any, state: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        cgutils.raw_memcpy(builder, values[0], values[1], context.get_constant(types.intp, state.size), 1)
        return context.get_dummy_value()

    return types.none(into, state), build


@intrinsic
def _show(_: Any, into: Any, state: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        for start, size in _runs(state):
            pointers = [
                builder.gep(builder.bitcast(v, cgutils.voidptr_t), [context.get_constant(types.intp, start)]) for v in values
            ]
            cgutils.raw_memcpy(builder, pointers[0], pointers[1], context.get_constant(types.intp, size), 1)
        return context.get_dummy_value()

    return types.none(into, state), build


@intrinsic
def _clear(_: Any, into: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        whole = builder.bitcast(values[0], cgutils.voidptr_t)
        cgutils.memset(builder, whole, context.get_constant(types.intp, into.size), 0)
        for field in fields(_states[into]):
            if field.empty:  # NONE is -1: every bit set
                pointer = builder.gep(whole, [context.get_constant(types.intp, into.offset(field.name))])
                cgutils.memset(builder, pointer, context.get_constant(types.intp, field.size * max(field.length, 1)), 255)
        return context.get_dummy_value()

    return types.none(into), build


def _runs(kind: Any, fixed: bool = True) -> list[tuple[int, int]]:
    """Offset and size in bytes of every run of adjacent public fields in a record, without the fixed ones if so wanted."""
    runs: list[tuple[int, int]] = []
    for field in in_record(_states[kind]):
        if field.public and (fixed or not field.fixed):
            start, size = kind.offset(field.name), field.size * max(field.length, 1)
            if runs and sum(runs[-1]) == start:
                start, size = runs[-1][0], runs.pop()[1] + size
            runs.append((start, size))
    return runs


@overload(copy, strict=False)
def _(into: Any, state: Any) -> Any:
    return lambda into, state: _copy(into, state)


@overload(show, strict=False)
def _(into: Any, state: Any) -> Any:
    return lambda into, state: _show(into, state)


def _reading(bits: int) -> Any:
    @intrinsic
    def read(_: Any, state: Any, place: Any) -> Any:
        def build(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            at = builder.gep(builder.bitcast(values[0], cgutils.voidptr_t), [values[1]])
            return builder.zext(builder.load(builder.bitcast(at, ir.IntType(bits).as_pointer()), align=1), ir.IntType(64))

        return types.int64(state, types.int64), build

    return read


_word_at, _byte_at = _reading(64), _reading(8)


@intrinsic
def _word(_: Any, state: Any, place: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        words = builder.bitcast(values[0], ir.IntType(64).as_pointer())
        return builder.load(builder.gep(words, [values[1]]))

    return types.int64(state, types.int64), build


@overload(fingerprint, strict=False)
def _(state: Any) -> Any:
    words = state.size // 8

    def tell(state: Any) -> Any:
        hashed = 0
        for place in range(words):
            hashed = (hashed ^ _word(state, place)) * MIX
            hashed ^= hashed >> 32 & 0xFFFFFFFF
        return hashed

    return tell


@overload(clear, strict=False)
def _(into: Any) -> Any:
    return lambda into: _clear(into)
