"""The type of a row of a state in machine code.

Rules never count from the end of a row, so a row of a state is read and written as if indices had no sign, and its values, of
whatever width, are 64-bit numbers to the rules. That is true of our records alone, so their rows are a type of their own.
"""

from __future__ import annotations

import operator
from functools import partial
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.datamodel import models
from numba.core.imputils import RefType, iternext_impl
from numba.core.typing import signature
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate, infer_global
from numba.extending import infer_getattr, lower_builtin, lower_getattr, register_model

from mekuri.engine.fields import Field, RoundState, fields


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


def type_rows(kind: Any, state: type[RoundState]) -> None:
    """Give the rows of the record of a game's states the type `Row`."""
    rows = {field.name: Row(field) for field in fields(state) if field.length}

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
