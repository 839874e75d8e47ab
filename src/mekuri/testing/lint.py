"""Find Python in the source of rules that cannot be compiled, with clearer messages than Numba gives.

The rules that a contract names, every rule in the game's folder, and all functions that these call are read. `docs/contract.md`
says what rules may use.
"""

from __future__ import annotations

import ast
import builtins
import enum
import inspect
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from mekuri.engine import compiled, fields
from mekuri.engine.contract import Contract
from mekuri.engine.entry import Entry

MOST, LEAST = (1 << 63) - 1, -(1 << 63)  # the range of a signed 64-bit integer
KNOWN = (abs, bool, divmod, enumerate, int, len, max, min, range, zip)
PRIMITIVES = (compiled.count, compiled.first, compiled.nth, compiled.wrap, fields.copy, fields.show, fields.clear)
# The library's own packages, which are not read: they have tests of their own.
OURS = ("mekuri.engine.", "mekuri.cards.", "mekuri.bots.")

REFUSED: dict[type[ast.AST], str] = {
    ast.JoinedStr: "builds a text: rules have none",
    ast.Dict: "builds a dict: rules build nothing",
    ast.Set: "builds a set: a set of cards is one whole number",
    ast.List: "builds a list: write into a row of the state",
    ast.ListComp: "has a comprehension: write a loop",
    ast.SetComp: "has a comprehension: write a loop",
    ast.DictComp: "has a comprehension: write a loop",
    ast.GeneratorExp: "has a generator: write a loop",
    ast.Yield: "is a generator: rules return a number or nothing",
    ast.YieldFrom: "is a generator: rules return a number or nothing",
    ast.Try: "catches exceptions: rules have none",
    ast.Raise: "raises an exception: what may not be done is not among the legal actions",
    ast.Assert: "asserts: rules have no exceptions",
    ast.With: "has a with: rules use nothing that is opened",
    ast.Lambda: "has a lambda: write a rule of its own",
    ast.FunctionDef: "has a function inside it: write a rule of its own",
    ast.ClassDef: "has a class inside it",
    ast.Import: "imports: do so at the head of the file",
    ast.ImportFrom: "imports: do so at the head of the file",
    ast.Global: "writes to a global name: all that changes stands in the state",
    ast.Nonlocal: "writes to a name outside it: all that changes stands in the state",
    ast.Delete: "deletes: rules change values",
    ast.Await: "waits: rules never do",
}


@dataclass(frozen=True, order=True)
class Fault:
    """A place in a rule that cannot be compiled.

    Attributes:
        file: the path of its file.
        line: its line, from 1.
        what: the rule's name and its fault.
    """

    file: str
    line: int
    what: str

    def __str__(self) -> str:
        """Return the fault as one line, with file and line first."""
        return f"{self.file}, line {self.line}: {self.what}"


def faults(contract: Contract) -> list[Fault]:
    """Return all places in the rules of a game that cannot be compiled, sorted by file and line."""
    named = [inspect.unwrap(getattr(contract.rules, generic.__name__)) for generic in compiled.generics]
    own = [rule for rule in compiled.rules if contract.folder in Path(rule.__code__.co_filename).parents]
    return faults_of([*named, *own], contract)


def faults_of(functions: Iterable[Callable[..., Any]], contract: Contract) -> list[Fault]:
    """Return the places that cannot be compiled in some functions over a game's state, and in all that they call."""
    found: list[Fault] = []
    start = list(functions)
    readers: dict[Callable[..., Any], _Reader] = {}
    while start:
        function = start.pop(0)
        if function in readers or not isinstance(function, FunctionType) or f"{function.__module__}.".startswith(OURS):
            continue
        reader = readers[function] = _Reader(function, contract)
        if function not in compiled.rules:
            reader.note(reader.node, "is no rule, and rules call it: mark it @rule")
        found += reader.faults
        start += [called for called, _ in reader.calls]
    return sorted({*found, *_recursions(readers)})


class _Reader(ast.NodeVisitor):
    """A visitor that reads the syntax tree of one function.

    Attributes:
        function: the function.
        node: its syntax tree.
        faults: the faults found in it.
        calls: the functions that it calls, each with the place of the call.
    """

    def __init__(self, function: FunctionType, contract: Contract) -> None:
        self.function = function
        self.faults: list[Fault] = []
        self.calls: list[tuple[FunctionType, ast.AST]] = []
        declared = fields.fields(contract.state)
        self._fields = {field.name for field in declared}
        self._rows = {field.name for field in declared if field.length}
        self.node = _written(function)
        arguments = [*self.node.args.posonlyargs, *self.node.args.args, *self.node.args.kwonlyargs]
        self._states = {argument.arg for argument in arguments if self._is_state(argument.annotation)}
        stored = {node.id for node in ast.walk(self.node) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        self._local = stored | {argument.arg for argument in arguments}
        for default in filter(None, [*self.node.args.defaults, *self.node.args.kw_defaults]):
            if not isinstance(default, ast.Constant | ast.Name | ast.Attribute | ast.UnaryOp | ast.Tuple):
                self.note(default, "has a default that is no whole number")
        documented = ast.get_docstring(self.node) is not None
        for statement in self.node.body[1 if documented else 0 :]:
            self.visit(statement)

    def note(self, node: ast.AST, what: str) -> None:
        """Add a fault at a place of the function."""
        line = getattr(node, "lineno", self.node.lineno)
        self.faults.append(Fault(self.function.__code__.co_filename, line, f"{self.function.__name__} {what}"))

    def visit(self, node: ast.AST) -> None:
        """Read a node and its children; a node of a refused kind is noted, and its children are not read."""
        refused = REFUSED.get(type(node))
        if refused:
            self.note(node, refused)
            return  # one fault for all that is inside
        super().visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        """Refuse constants that are not whole numbers of at most 63 bits."""
        if isinstance(node.value, float | complex):
            self.note(node, f"has {node.value!r}: rules count in whole numbers")
        elif isinstance(node.value, str | bytes):
            self.note(node, f"has the text {node.value!r}: rules have none")
        elif isinstance(node.value, int) and node.value > MOST:
            self.note(node, f"has the number {node.value}, which has bits beyond 62")

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        """Read an annotated assignment, but not its annotation, which is not run."""
        self._assigned(node.target)
        if node.value:
            self.visit(node.value)

    def visit_Assign(self, node: ast.Assign) -> None:
        """Refuse the assignment of a whole row of the state."""
        for target in node.targets:
            self._assigned(target)
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        """Refuse the augmented assignment of a whole row, and operators as in `visit_BinOp`."""
        self._assigned(node.target)
        self._operation(node, node.op, node.value)
        self.generic_visit(node)

    def _assigned(self, target: ast.expr) -> None:
        if isinstance(target, ast.Tuple):
            for one in target.elts:
                self._assigned(one)
        elif isinstance(target, ast.Attribute) and target.attr in self._rows:
            self.note(target, f"assigns the whole row {target.attr}: write its values one by one, or copy the whole state")

    def visit_BinOp(self, node: ast.BinOp) -> None:
        """Refuse true division, and shifts by more than 62 places."""
        self._operation(node, node.op, node.right)
        self.generic_visit(node)

    def _operation(self, node: ast.AST, operator: ast.operator, right: ast.expr) -> None:
        if isinstance(operator, ast.Div):
            self.note(node, "divides with /: write //, rules count in whole numbers")
        elif isinstance(operator, ast.LShift):
            places = right.value if isinstance(right, ast.Constant) else self._value(right)
            if isinstance(places, int) and places > 62:
                self.note(node, f"shifts by {places}: a set has the bits 0 to 62")

    def visit_Subscript(self, node: ast.Subscript) -> None:
        """Refuse slices, and negative indices of a state's rows."""
        local = isinstance(node.value, ast.Attribute) or (isinstance(node.value, ast.Name) and node.value.id in self._local)
        if isinstance(node.slice, ast.Slice):
            self.note(node, "takes a slice: read values one by one")
        elif local and isinstance(node.slice, ast.UnaryOp) and isinstance(node.slice.op, ast.USub):
            self.note(node, f"counts from the end, [{ast.unparse(node.slice)}]: machine code reads beside the row")
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        """Refuse calls of anything but rules and a few built-in functions."""
        called, name = self._value(node.func), ast.unparse(node.func)
        if isinstance(called, Entry):
            self.note(node, f"calls {name}, an entry, which Python alone may call")
        elif isinstance(called, FunctionType):
            if called not in PRIMITIVES and called not in compiled.generics:
                self._called(called, node)
        elif called not in KNOWN:
            kind = "a method" if isinstance(node.func, ast.Attribute) and called is None else "no rule"
            self.note(node, f"calls {name}, which is {kind}: rules call rules, and " + ", ".join(one.__name__ for one in KNOWN))
        for argument in [*node.args, *(keyword.value for keyword in node.keywords)]:
            self.visit(argument)

    def _called(self, called: FunctionType, node: ast.Call) -> None:
        if called in compiled.rules or not f"{called.__module__}.".startswith(OURS):
            self.calls.append((called, node))
        else:
            self.note(node, f"calls {called.__name__} of {called.__module__}, which is no rule")

    def visit_Name(self, node: ast.Name) -> None:
        """Refuse unknown names, and global values that are not whole numbers, tuples of these, or bytes."""
        if node.id not in self._local and node.id not in self.function.__globals__ and not hasattr(builtins, node.id):
            self.note(node, f"reads {node.id}, which is nowhere")
        self._read(node)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        """Refuse attributes of a state that are not its fields, and values of modules and enums as in `visit_Name`."""
        if isinstance(node.value, ast.Name) and node.value.id in self._states:
            if node.attr not in self._fields:
                self.note(node, f"reads {ast.unparse(node)}, which is no field of the state")
        elif not self._read(node):
            self.visit(node.value)

    def _read(self, node: ast.Name | ast.Attribute) -> bool:
        """Note a global value that rules cannot read. Returns whether the node has a known global value at all."""
        value = self._value(node)
        wrong = _wrong(value)
        if wrong:
            self.note(node, f"reads {ast.unparse(node)}, {wrong}")
        return value is not None

    def _value(self, node: ast.expr) -> Any:
        """Return the global value of an expression; None for local names and unknown values."""
        if isinstance(node, ast.Name) and node.id not in self._local:
            return self.function.__globals__.get(node.id, getattr(builtins, node.id, None))
        if isinstance(node, ast.Attribute):
            holder = self._value(node.value)
            return getattr(holder, node.attr, None) if isinstance(holder, ModuleType | type) else None
        return None

    def _is_state(self, annotation: ast.expr | None) -> bool:
        kind = self.function.__globals__.get(annotation.id) if isinstance(annotation, ast.Name) else None
        return isinstance(kind, type) and issubclass(kind, fields.RoundState)


def _wrong(value: object) -> str:
    """Return why a rule cannot read a value; "" where it can."""
    if isinstance(value, int):
        return "" if LEAST <= value <= MOST else "a number that has bits beyond 62"
    if isinstance(value, tuple):
        return next((f"a tuple that holds {wrong}" for wrong in map(_wrong, value) if wrong), "")
    if isinstance(value, bytes) or value is None or callable(value) or isinstance(value, ModuleType | enum.EnumMeta):
        return ""
    return f"a {type(value).__name__}: rules read whole numbers, tuples of them and bytes"


def _written(function: FunctionType) -> ast.FunctionDef:
    """Return the syntax tree of a function. Raises OSError or SyntaxError where its file cannot be read."""
    return _functions(function.__code__.co_filename)[function.__code__.co_firstlineno]


@cache
def _functions(file: str) -> dict[int, ast.FunctionDef]:
    """Return the functions of a file by the line at which they, or their first decorators, begin."""
    tree = ast.parse(Path(file).read_text(encoding="utf-8"))
    found = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    return {min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)]): node for node in found}


def _recursions(readers: dict[Callable[..., Any], _Reader]) -> Iterator[Fault]:
    """Yield a fault for each call that makes a rule recursive."""
    for reader in readers.values():
        for called, node in reader.calls:
            way = _way(called, reader.function, readers)
            if way:
                chain = " → ".join(function.__name__ for function in (reader.function, *way))
                what = f"{reader.function.__name__} calls itself, {chain}: write a loop"
                yield Fault(reader.function.__code__.co_filename, getattr(node, "lineno", 0), what)


def _way(begin: FunctionType, end: FunctionType, readers: dict[Callable[..., Any], _Reader]) -> list[FunctionType]:
    """Return the shortest chain of calls from one function to another, with both of them; empty where there is none."""
    ways, seen = [[begin]], {begin}
    for way in ways:
        if way[-1] is end:
            return way
        for called, _ in readers[way[-1]].calls if way[-1] in readers else ():
            if called not in seen:
                seen.add(called)
                ways.append([*way, called])
    return []
