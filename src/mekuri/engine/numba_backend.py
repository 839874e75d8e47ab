"""Compiles rules to machine code with Numba. Everything here needs Numba, and only `linking` imports it besides.

Four facts about Numba shape this file. Two records of equal layout are one type to it, so every record begins with a field of
length 0, whose name no other game and no other version of the game's rules has: dispatch and the disk cache are then exact. Its
cache watches only the file of the outermost function, so the cache is keyed by a digest of all that the function reaches (`reach`).
In the names of compiled functions it tells records apart by numbers that every process counts anew, so of two games compiled in two
processes one would run the other's rules in a third that loads both: records are named by a hash of their type instead. And mutual
recursion may crash when loaded from the cache, so rules use none.
"""

from __future__ import annotations

import contextlib
import operator
import sys
from collections.abc import Callable, Iterator
from functools import cache, partial
from hashlib import sha256
from pathlib import Path
from typing import Any

import llvmlite
import numba
import numpy as np
from llvmlite import binding, ir
from numba import config, njit, typeof, types
from numba.core import cgutils
from numba.core.caching import IndexDataCacheFile
from numba.core.datamodel import models
from numba.core.errors import NumbaError
from numba.core.imputils import RefType, iternext_impl
from numba.core.typing import signature
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate, infer_global
from numba.extending import infer_getattr, intrinsic, lower_builtin, lower_getattr, overload, register_jitable, register_model
from numba.np.numpy_support import from_dtype

from mekuri.engine import bot as seam
from mekuri.engine import compiled, linking, observe
from mekuri.engine.bot import Bot
from mekuri.engine.compile_errors import why_refused
from mekuri.engine.contract import Contract
from mekuri.engine.errors import CannotCompile
from mekuri.engine.fields import (
    MIX,
    Field,
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

# Machine code depends on the rules, on this file and on the versions of the packages that it uses.
_HERE = (
    *(without_words(Path(file).read_text("utf-8")) for file in (__file__, linking.__file__)),
    sys.version,
    np.__version__,
    numba.__version__,
    llvmlite.__version__,
    MIX,
)
# Functions whose machine code is made here, whatever their plain code is.
_LOWERED = (
    *(compiled.count, compiled.first, compiled.wrap, copy, show, clear, fingerprint, seam.ask, seam.is_blind),
    *(observe.encode, observe.note, observe.keep, observe.forget, observe.publicly_differ, *observe.LAYING),
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
        _type_rows(kind)
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
def _(layout: Any, s: Any, h: Any, seat: Any, out: Any) -> Any:
    rule = _layouts[layout].rule
    return lambda layout, s, h, seat, out: rule(s, h, seat, out)


@overload(observe.note, strict=False, jit_options={"forceinline": True})
def _(layout: Any, b: Any, s: Any, hides: Any, seat: Any, action: Any, viewers: Any, events: Any, happened: Any) -> Any:
    noting = _layouts[layout].noting
    if noting is None:
        return lambda layout, b, s, hides, seat, action, viewers, events, happened: None
    return lambda layout, b, s, hides, seat, action, viewers, events, happened: noting(
        b, s, hides, seat, action, viewers, events, happened
    )


@overload(observe.keep, strict=False, jit_options={"forceinline": True})
def _(layout: Any, into: Any, s: Any, action: Any) -> Any:
    secret, keep_if_needed = _layouts[layout].secret, observe.keep_if_needed
    if secret is None:
        return lambda layout, into, s, action: False
    return lambda layout, into, s, action: keep_if_needed(bool(secret(s)), into, s, action)


@overload(observe.publicly_differ, strict=False)
def _(b: Any, s: Any) -> Any:
    runs = tuple(_runs(s))

    def differ(b: Any, s: Any) -> bool:
        found = 0
        for start, size in runs:
            for place in range(start, start + size - 7, 8):
                found |= _word_at(b, place) ^ _word_at(s, place)
            for place in range(start + size - size % 8, start + size):
                found |= _byte_at(b, place) ^ _byte_at(s, place)
        return found != 0

    return differ


@overload(observe.forget, strict=False, jit_options={"forceinline": True})
def _(layout: Any, events: Any, happened: Any) -> Any:
    clear_rings = observe.clear_rings
    if _layouts[layout].noting is None:
        return lambda layout, events, happened: None
    return lambda layout, events, happened: clear_rings(events, happened)


@intrinsic
def _ones(_: Any, cards: Any) -> Any:
    return types.int64(types.int64), lambda context, builder, signature, values: builder.ctpop(values[0])


@intrinsic
def _trailing_zeros(_: Any, cards: Any) -> Any:
    never_zero = ir.Constant(ir.IntType(1), 1)
    return types.int64(types.int64), lambda context, builder, signature, values: builder.cttz(values[0], never_zero)


@overload(compiled.count, strict=False)
def _(cards: Any) -> Any:
    return lambda cards: _ones(cards)


@overload(compiled.first, strict=False)
def _(cards: Any) -> Any:
    return lambda cards: _trailing_zeros(cards)


@intrinsic
def _deposit(_: Any, word: Any, places: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        i64 = ir.IntType(64)
        deposit = cgutils.get_or_insert_function(builder.module, ir.FunctionType(i64, [i64, i64]), "llvm.x86.bmi.pdep.64")
        return builder.call(deposit, values)

    return types.int64(types.int64, types.int64), build


# Processors with BMI2 deposit a word's bits at given places in one instruction; for all others the plain loop is compiled.
if config.CPU_NAME is None and config.CPU_FEATURES is None and binding.get_host_cpu_features().get("bmi2"):

    @overload(compiled.nth, strict=False)
    def _(cards: Any, n: Any) -> Any:
        return lambda cards, n: _trailing_zeros(_deposit(1 << n, cards))

    @overload(observe.spread, strict=False)
    def _(bits: Any) -> Any:
        return lambda bits: _deposit(bits, 0x0101010101010101)

else:
    register_jitable(compiled.nth)
    register_jitable(observe.spread)


@overload(compiled.wrap, strict=False)
def _(value: Any) -> Any:
    return lambda value: value


@cache
def _laying(bits: int) -> Any:
    @intrinsic
    def lay(_: Any, some: Any, out: Any, at: Any) -> Any:
        def build(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            flags = builder.bitcast(builder.trunc(values[0], ir.IntType(bits)), ir.VectorType(ir.IntType(1), bits))
            row = context.make_array(signature.args[1])(context, builder, values[1])
            into = builder.gep(row.data, [values[2]])
            flat = ir.VectorType(ir.IntType(8), bits)
            store = builder.store(builder.zext(flags, flat), builder.bitcast(into, flat.as_pointer()))
            store.align = 8
            return context.get_dummy_value()

        return types.none(types.int64, out, types.int64), build

    return lay


@overload(observe.lay, strict=False, prefer_literal=True)
def _(bits: Any, out: Any, at: Any, words: Any) -> Any:
    laid = _laying(8 * words.literal_value)
    return lambda bits, out, at, words: laid(bits, out, at)


@intrinsic
def _lay_row(_: Any, row: Any, out: Any, at: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        into = builder.gep(context.make_array(signature.args[1])(context, builder, values[1]).data, [values[2]])
        cgutils.raw_memcpy(builder, into, values[0], context.get_constant(types.intp, row.length * row.size), 1)
        return context.get_dummy_value()

    return types.none(row, out, types.int64), build


@intrinsic
def _lay_seats(_: Any, row: Any, first: Any, seat: Any, seats: Any, out: Any, at: Any) -> Any:
    flat = ir.VectorType(ir.IntType(8), row.length)

    def build(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        def all_of(value: Any) -> Any:
            one = builder.insert_element(ir.Constant(flat, ir.Undefined), builder.trunc(value, ir.IntType(8)), ir.IntType(32)(0))
            mask = ir.Constant(ir.VectorType(ir.IntType(32), row.length), None)
            return builder.shuffle_vector(one, ir.Constant(flat, ir.Undefined), mask)

        lying, seat, seats = values[0], all_of(values[2]), all_of(values[3])
        held = builder.sub(builder.load(builder.bitcast(lying, flat.as_pointer()), align=1), all_of(values[1]))
        nothing = ir.Constant(flat, None)
        ahead = builder.sub(held, seat)
        ahead = builder.select(builder.icmp_signed("<", ahead, nothing), builder.add(ahead, seats), ahead)
        place = builder.add(ahead, all_of(ir.IntType(64)(1)))
        found = builder.select(builder.icmp_signed("<", held, nothing), nothing, place)
        into = builder.gep(context.make_array(signature.args[4])(context, builder, values[4]).data, [values[5]])
        builder.store(found, builder.bitcast(into, flat.as_pointer()), align=8)
        return context.get_dummy_value()

    return types.none(row, types.int64, types.int64, types.int64, out, types.int64), build


def _packing(size: int) -> Any:
    @intrinsic
    def packed(_: Any, row: Any, at: Any) -> Any:
        def build(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            word = ir.IntType(8 * size)
            found = builder.load(builder.bitcast(builder.gep(values[0], [values[1]]), word.as_pointer()), align=1)
            return builder.zext(found, ir.IntType(64))

        return types.int64(row, types.int64), build

    return packed


@overload(observe.lay_row, strict=False)
def _(row: Any, size: Any, out: Any, at: Any) -> Any:
    return lambda row, size, out, at: _lay_row(row, out, at)


@overload(observe.lay_seats, strict=False)
def _(row: Any, first: Any, seat: Any, seats: Any, out: Any, at: Any) -> Any:
    return lambda row, first, seat, seats, out, at: _lay_seats(row, first, seat, seats, out, at)


@overload(observe.packed, strict=False, prefer_literal=True)
def _(row: Any, at: Any, n: Any, size: Any) -> Any:
    word = _packing(n.literal_value * size.literal_value)
    return lambda row, at, n, size: word(row, at)


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


def _runs(kind: Any) -> list[tuple[int, int]]:
    """Offset and size in bytes of every run of adjacent public fields in a record."""
    runs: list[tuple[int, int]] = []
    for field in in_record(_states[kind]):
        if field.public:
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


# Rules never count from the end of a row, so a row of a state is read and written as if indices had no sign, and its values, of
# whatever width, are 64-bit numbers to the rules. That is true of our records alone, so their rows are a type of their own.


class Row(types.IterableType):
    """A field of a state that holds several values."""

    def __init__(self, field: Field) -> None:
        self.size, self.signed, self.length = field.size, field.signed, field.length
        super().__init__(f"Row({self.size}, {self.signed}, {self.length})")

    @property
    def iterator_type(self) -> RowIterator:
        """The type of what a loop over the row reads from."""
        return RowIterator(self)


class RowIterator(types.SimpleIteratorType):
    """A place in a row, from which a loop goes on."""

    def __init__(self, row: Row) -> None:
        self.row = row
        super().__init__(f"iter({row})", types.int64)


@register_model(Row)
class _RowModel(models.PrimitiveModel):
    """A row is a pointer to its first value."""

    def __init__(self, manager: Any, row: Row) -> None:
        super().__init__(manager, row, ir.IntType(8 * row.size).as_pointer())


@register_model(RowIterator)
class _RowIteratorModel(models.StructModel):
    def __init__(self, manager: Any, kind: RowIterator) -> None:
        super().__init__(manager, kind, [("place", types.EphemeralPointer(types.int64)), ("row", kind.row)])


def _type_rows(kind: Any) -> None:
    """Give the rows of a game's record the type `Row`."""
    rows = {field.name: Row(field) for field in fields(_states[kind]) if field.length}

    @infer_getattr
    class _(AttributeTemplate):
        key = kind

        def generic_resolve(self, record: Any, name: str) -> Any:
            return rows.get(name) or record.typeof(name)

    for name, row in rows.items():
        lower_getattr(kind, name)(partial(_row_of, row, kind.offset(name)))


def _row_of(row: Row, offset: int, context: Any, builder: Any, kind: Any, state: Any) -> Any:
    return cgutils.get_record_member(builder, state, offset, ir.IntType(8 * row.size))


@infer_global(operator.getitem)
class _GetValue(AbstractTemplate):
    def generic(self, kinds: Any, named: Any) -> Any:
        row, place = kinds
        return signature(types.int64, row, types.int64) if isinstance(row, Row) and isinstance(place, types.Integer) else None


@infer_global(operator.setitem)
class _SetValue(AbstractTemplate):
    def generic(self, kinds: Any, named: Any) -> Any:
        row, place, value = kinds
        numbers = isinstance(place, types.Integer) and isinstance(value, types.Integer | types.Boolean)
        return signature(types.none, row, types.int64, types.int64) if isinstance(row, Row) and numbers else None


@infer_global(len)
class _Length(AbstractTemplate):
    def generic(self, kinds: Any, named: Any) -> Any:
        return signature(types.int64, *kinds) if isinstance(kinds[0], Row) else None


@lower_builtin(operator.getitem, Row, types.int64)
def _(context: Any, builder: Any, kinds: Any, values: Any) -> Any:
    value = builder.load(builder.gep(values[0], [values[1]]))
    row = kinds.args[0]
    return value if row.size == 8 else (builder.sext if row.signed else builder.zext)(value, ir.IntType(64))


@lower_builtin(operator.setitem, Row, types.int64, types.int64)
def _(context: Any, builder: Any, kinds: Any, values: Any) -> Any:
    row, place, value = values
    size = kinds.args[0].size
    builder.store(value if size == 8 else builder.trunc(value, ir.IntType(8 * size)), builder.gep(row, [place]))
    return context.get_dummy_value()


@lower_builtin(len, Row)
def _(context: Any, builder: Any, kinds: Any, values: Any) -> Any:
    return context.get_constant(types.int64, kinds.args[0].length)


@lower_builtin("getiter", Row)
def _(context: Any, builder: Any, kinds: Any, values: Any) -> Any:
    iterator = context.make_helper(builder, kinds.return_type)
    iterator.place, iterator.row = cgutils.alloca_once_value(builder, context.get_constant(types.int64, 0)), values[0]
    return iterator._getvalue()


@lower_builtin("iternext", RowIterator)
@iternext_impl(RefType.UNTRACKED)
def _(context: Any, builder: Any, kinds: Any, values: Any, result: Any) -> None:
    row = kinds.args[0].row
    iterator = context.make_helper(builder, kinds.args[0], value=values[0])
    place = builder.load(iterator.place)
    valid = builder.icmp_signed("<", place, context.get_constant(types.int64, row.length))
    result.set_valid(valid)
    with builder.if_then(valid):
        read = context.get_function(operator.getitem, signature(types.int64, row, types.int64))
        result.yield_(read(builder, [iterator.row, place]))
        builder.store(builder.add(place, context.get_constant(types.int64, 1)), iterator.place)
