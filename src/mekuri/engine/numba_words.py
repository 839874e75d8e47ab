"""The machine code of the engine's words: sets of cards as single instructions, and the parts of observations as whole words."""

from __future__ import annotations

from functools import cache
from typing import Any

from llvmlite import binding, ir
from numba import config, types
from numba.core import cgutils
from numba.extending import intrinsic, overload, register_jitable

from mekuri.engine import compiled, observe


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


@intrinsic
def _room(_: Any, state: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        place = cgutils.alloca_once(builder, context.get_data_type(state))
        place.align = 64
        return place

    return state(state), build


@overload(observe.room, strict=False)
def _(s: Any) -> Any:
    return lambda s: _room(s)


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
