"""Digests of functions of the rules and of all that they use. Equal digests mean equal machine code.

A digest covers the bytecode of each function and of the functions that it calls, and the values that all of them read: defaults,
constants, tables, enums. Comments, docstrings, line numbers and whatever else stands in a file do not count.
"""

from __future__ import annotations

import ast
import builtins
import dis
import hashlib
import inspect
import pickle
from collections.abc import Callable, Iterable, Mapping
from enum import EnumMeta
from types import CodeType, FunctionType, ModuleType
from typing import Any

from mekuri.engine import compiled

# Modules whose functions Numba compiles in its own way, which depends on their versions alone.
_FOREIGN = {"builtins", "math", "numba", "numpy"}
_READS = {"LOAD_GLOBAL", "LOAD_NAME"}
_STARRED = inspect.CO_VARARGS | inspect.CO_VARKEYWORDS


def digest(values: Iterable[object], named: Iterable[Callable[..., Any]] = ()) -> str:
    """A digest of functions and values, and of everything that these use.

    Args:
        values: the functions and values.
        named: functions that count by their names alone, as generic functions do, because machine code runs others in their place.

    Returns:
        16 hexadecimal digits.
    """
    return _Reach(named).of(values)


def without_words(source: str) -> str:
    """The syntax tree of a source text, as text. It is equal for sources that differ only in comments, docstrings and layout."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node, clean=False) is not None:
            del node.body[0]
    return ast.dump(tree)


class _Reach:
    """A walk through all values that functions reach, which feeds a hash.

    A value that it meets again is represented by its number, so cycles end.
    """

    def __init__(self, named: Iterable[Callable[..., Any]]) -> None:
        self._named = {*named, *compiled.generics}
        self._numbers: dict[object, int] = {}
        self._digest = hashlib.sha256()

    def of(self, values: Iterable[object]) -> str:
        for value in values:
            self._look(value)
        return self._digest.hexdigest()[:16]

    def _tell(self, *values: object) -> None:
        self._digest.update(f"{values!r}\n".encode(errors="backslashreplace"))

    def _look(self, value: Any, names: Iterable[str] = ()) -> None:
        """Feed a value to the hash.

        Args:
            value: the value.
            names: all names in the code that reads it; of a module or a class only attributes with these names count.
        """
        kind = type(value)
        if value is None or kind in {bool, int, float, complex, str, bytes}:
            self._tell(kind.__name__, value)
        elif isinstance(value, tuple):
            self._row(value)
        elif kind is frozenset:
            self._row(sorted(value, key=repr))
        elif isinstance(kind, EnumMeta):
            self._tell(kind.__qualname__, value.name)
            self._look(value.value)
        elif self._comes_first_to(value):
            self._look_into(value, names)

    def _row(self, values: Iterable[object]) -> None:
        values = [*values]
        self._tell("row", len(values))
        for value in values:
            self._look(value)

    def _comes_first_to(self, value: object) -> bool:
        """Whether the walk meets a value for the first time; True for a value that cannot be hashed."""
        try:
            first = value not in self._numbers
        except TypeError:
            return True
        self._tell("number", self._numbers.setdefault(value, len(self._numbers)))
        return first

    def _look_into(self, value: Any, names: Iterable[str]) -> None:
        function = getattr(value, "py_func", value)  # the plain function, where a game has compiled it with Numba itself
        root = (getattr(value, "__module__", None) or "").partition(".")[0]
        if isinstance(value, EnumMeta):
            self._tell("enum", value.__qualname__)
            members: Mapping[str, Any] = value.__members__
            self._row((name, member.value) for name, member in members.items())
        elif function is value and root in _FOREIGN and hasattr(value, "__qualname__"):
            self._tell("named", root, value.__qualname__)
        elif isinstance(function, FunctionType):
            self._function(function)
        elif isinstance(value, ModuleType | type):
            self._tell("place", value.__name__)
            self._reads({name: getattr(value, name) for name in names if hasattr(value, name)}, names)
        elif hasattr(value, "tobytes"):  # an array
            self._tell("array", str(value.dtype), value.shape, value.tobytes())
        else:
            self._tell("other", pickle.dumps(value))

    def _function(self, function: FunctionType) -> None:
        if function in self._named:
            self._tell("named", function.__module__, function.__qualname__)
            return
        self._tell("function", function in compiled.shared)
        self._look(function.__defaults__)
        self._row(sorted((function.__kwdefaults__ or {}).items()))
        inner = {name: cell.cell_contents for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ())}
        self._code(function.__code__, {**vars(builtins), **function.__globals__, **inner})

    def _code(self, code: CodeType, values: dict[str, Any]) -> None:
        """Feed the instructions of a code object to the hash, and the values that it reads from outside."""
        takes = code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags & _STARRED
        self._tell("code", *takes, code.co_varnames, code.co_exceptiontable)
        found = [*code.co_freevars]
        for step in dis.get_instructions(code):
            if isinstance(step.argval, CodeType):
                self._code(step.argval, values)
            elif step.opcode in dis.hasconst:
                self._tell(step.opname)
                self._look(step.argval)
            elif step.opname != "EXTENDED_ARG":
                self._tell(step.opname, step.argval)
            if step.opname in _READS:
                found.append(step.argval)
        self._reads({name: values[name] for name in found if name in values}, code.co_names)

    def _reads(self, values: dict[str, Any], names: Iterable[str]) -> None:
        for name, value in values.items():
            self._tell("reads", name)
            self._look(value, names)
