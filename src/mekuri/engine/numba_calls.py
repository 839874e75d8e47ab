"""Calls of compiled entries whose arguments are always the same.

Between two steps of an environment its arrays push the interpreter out of the processor's caches. To check and unpack twenty
arguments then takes as long as to play some hundred tables. So their data, shapes and strides are written once into a block of
words, and a function of machine code reads them there.
"""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
from llvmlite import ir
from numba import typeof, types
from numba.core.compiler_lock import global_compiler_lock

_WORD, _PLACE = ir.IntType(64), ir.IntType(64).as_pointer()
FAILED = -(1 << 63)  # what a function returns if its entry raised an error
RAISED = "machine code raised an error"
_call_of = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)  # runs without Python's lock


class Bound:
    """An entry with its arguments, which have been prepared. It is called without any, and returns a number, or 0 for None.

    Attributes:
        code: the address of the function.
        block: the address of its only argument.
    """

    def __init__(self, dispatcher: Any, arguments: tuple[Any, ...]) -> None:
        """Write the block.

        Args:
            dispatcher: the compiled entry.
            arguments: arrays and numbers, and records that stand for a bot or a layout, which are copied.
        """
        made = dispatcher.overloads[tuple(typeof(one) for one in arguments)]
        self._kept = [np.array([one]) if isinstance(one, np.void) else one for one in arguments]
        self._words = np.array([word for one, kind in zip(self._kept, made.signature.args) for word in _words(one, kind)], np.int64)
        self.code, self.block = _unpacking(made), self._words.ctypes.data
        self._call = _call_of(self.code)

    def __call__(self) -> int:
        """Run the entry."""
        found = self._call(self.block)
        if found == FAILED:
            raise RuntimeError(RAISED)
        return int(found)


def _words(value: Any, kind: Any) -> list[int]:
    """The words of an argument, in the order of Numba's own."""
    if isinstance(kind, types.Record):
        return [value.ctypes.data]
    if isinstance(value, np.ndarray):
        return [0, 0, value.size, value.itemsize, value.ctypes.data, *value.shape, *value.strides]
    return [int(value)]


_made: dict[str, Any] = {}  # libraries of the functions that read blocks, by the names of the functions that they call


def _unpacking(made: Any) -> int:
    """The address of a function that reads the arguments of a compiled one from a block, and calls it."""
    called = made.fndesc.llvm_func_name
    name = f"bound.{called}"
    with global_compiler_lock:
        library = _made.get(called) or _made.setdefault(called, _compiled(made, name))
        return int(library.get_pointer_to_function(name))


def _compiled(made: Any, name: str) -> Any:
    """The library of such a function, which has this name."""
    context, kinds, returns = made.target_context, made.signature.args, made.signature.return_type
    library = context.codegen().create_library("bound")
    module = library.create_ir_module("bound")
    function = ir.Function(module, ir.FunctionType(_WORD, [_PLACE]), name)
    builder, at, values = ir.IRBuilder(function.append_basic_block()), 0, []
    for kind in kinds:
        form = context.get_value_type(kind)
        place = builder.gep(function.args[0], [_WORD(at)])
        if isinstance(form, ir.IntType):
            values.append(builder.trunc(builder.load(place), form) if form.width < 64 else builder.load(place))
        else:
            values.append(builder.load(builder.bitcast(place, form.as_pointer())))
        at += context.get_abi_sizeof(form) // 8 or 1
    callee_type = context.call_conv.get_function_type(returns, kinds)
    address = made.library.get_pointer_to_function(made.fndesc.llvm_func_name)
    callee = builder.inttoptr(_WORD(address), callee_type.as_pointer())
    status, found = context.call_conv.call_function(builder, callee, returns, kinds, values)
    builder.ret(builder.select(status.is_error, _WORD(FAILED), found if returns == types.int64 else _WORD(0)))
    library.add_ir_module(module)
    library.finalize()
    return library
