"""Small faults in Python source, as a programmer might make them: mutation operators for `tools/mutants.py`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass

COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
}
REPLACED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}


@dataclass(frozen=True)
class Fault:
    """A fault that can be planted in a source text.

    Attributes:
        line: its line, from 1.
        kind: what is changed: compare, and-or, operator, number, branches, not, statement.
        was: the source of the node that is changed.
        now: the source in its place.
        text: the whole source text with the fault.
    """

    line: int
    kind: str
    was: str
    now: str
    text: str


def faults(source: str, within: tuple[int, int] | None = None) -> Iterator[Fault]:
    """Yield every fault for a source text, in the order of its nodes.

    Classes, decorators, annotations and strings are not changed: they declare, and do not compute.

    Args:
        source: the source text.
        within: the first and last line that are changed, from 1; None for all lines.
    """
    lines = source.splitlines(keepends=True)
    for node in _nodes(ast.parse(source)):
        if within and not within[0] <= node.lineno <= within[1]:
            continue
        for kind, place, changed in _changes(node):
            before, after = _around(lines, place)
            now = ast.unparse(changed)
            held = f"({now})" if isinstance(changed, ast.expr) else now
            yield Fault(place.lineno, kind, ast.unparse(place), now, before + held + after)


def _nodes(node: ast.AST) -> Iterator[ast.expr | ast.stmt]:
    for child in ast.iter_child_nodes(node):
        match child:
            case ast.ClassDef() | ast.JoinedStr() | ast.Import() | ast.ImportFrom() | ast.arg():
                continue
            case ast.FunctionDef():
                inner: list[ast.expr | ast.stmt] = [*child.args.defaults, *child.body]
            case ast.AnnAssign():
                inner = [child.value] if child.value else []
            case ast.expr() | ast.stmt():
                inner = [child]
            case _:
                yield from _nodes(child)
                continue
        for one in inner:
            yield one
            yield from _nodes(one)


def _changes(node: ast.expr | ast.stmt) -> Iterator[tuple[str, ast.expr | ast.stmt, ast.expr | ast.stmt]]:
    """Yield the changes of a node, each as a kind, the node that is replaced, and the node in its place."""
    match node:
        case ast.Compare(ops=[op, *_]) if type(op) in COMPARED:
            yield "compare", node, _with(node, ops=[COMPARED[type(op)](), *node.ops[1:]])
        case ast.BoolOp():
            yield "and-or", node, _with(node, op=ast.Or() if isinstance(node.op, ast.And) else ast.And())
        case ast.BinOp() | ast.AugAssign() if type(node.op) in REPLACED:
            yield "operator", node, _with(node, op=REPLACED[type(node.op)]())
        case ast.Constant(value=bool()):
            yield "number", node, ast.Constant(not node.value)
        case ast.Constant(value=int(n)):
            yield "number", node, ast.Constant(n + 1)
        case ast.IfExp():
            yield "branches", node, _with(node, body=node.orelse, orelse=node.body)
        case ast.If() | ast.While():
            yield "branches", node.test, ast.UnaryOp(ast.Not(), node.test)
        case ast.UnaryOp(op=ast.Not() | ast.Invert()):
            yield "not", node, node.operand
    if isinstance(node, ast.Assign | ast.AugAssign) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)):
        yield "statement", node, ast.Pass()


def _with(node: ast.expr | ast.stmt, **changed: object) -> ast.expr | ast.stmt:
    other = deepcopy(node)
    for name, value in changed.items():
        setattr(other, name, value)
    return other


def _around(lines: list[str], node: ast.expr | ast.stmt) -> tuple[str, str]:
    """Return the text before a node and after it. Python counts columns in bytes of UTF-8."""
    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    first, last = (lines[n - 1].encode() for n in (node.lineno, node.end_lineno))
    before = "".join(lines[: node.lineno - 1]) + first[: node.col_offset].decode()
    return before, last[node.end_col_offset :].decode() + "".join(lines[node.end_lineno :])
