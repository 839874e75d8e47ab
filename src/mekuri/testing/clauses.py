"""Check that the code under the id of a clause does what the clause says: the worked examples of the clause run it.

An id stands in a comment over a piece of code or behind it. Each piece must run in an example of the clause:

* of a function, a line of its body;
* of a statement in a function, one of its lines, but of an `if` or a loop a line inside it;
* of a constant, a class or a field, a line that reads its name.

Mekuri itself reads the contract, and declarations that no code of the game reads, such as most match options. These need not run.
"""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from mekuri.engine.contract import Contract
from mekuri.engine.rulebook import Example, rulebook
from mekuri.match.deals import SeedDeals
from mekuri.match.example import play_example
from mekuri.match.match import Match
from mekuri.testing.failure import check, hold, same

Line = tuple[str, int]  # the path of a file, and a line of it counted from 1
LAYOUT = (tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT)


@dataclass(frozen=True)
class Place:
    """A piece of code under the ids of clauses.

    Attributes:
        ids: the ids; one that ends with `*` stands for all clauses that begin as it does.
        code: its syntax tree.
        file: the path of its file.
        local: whether it is a function, or stands in one.
    """

    ids: tuple[str, ...]
    code: ast.stmt
    file: str
    local: bool

    def __str__(self) -> str:
        """Return its file and line, and the ids."""
        return f"{self.file}, line {self.code.lineno}: {', '.join(self.ids)}"

    def stands_under(self, clause: str) -> bool:
        """Return whether it stands under the id of a clause."""
        return any(clause == id or (id.endswith("*") and clause.startswith(id[:-1])) for id in self.ids)

    def forwards(self) -> bool:
        """Return whether it is a function that only calls another with its own arguments."""
        if not isinstance(self.code, ast.FunctionDef):
            return False
        body = [node for node in self.code.body if not isinstance(getattr(node, "value", None), ast.Constant)]
        called = body[0].value if len(body) == 1 and isinstance(body[0], ast.Return | ast.Expr) else None
        return isinstance(called, ast.Call) and all(isinstance(given, ast.Name) for given in called.args)

    def lines(self, trees: dict[str, ast.Module]) -> set[Line]:
        """Return the lines of which one must run in an example; none for a declaration that only Mekuri reads.

        Args:
            trees: the syntax trees of all files that may read the name of a constant, by their paths.
        """
        if self.local:
            inner = [node for node in ast.walk(self.code) if isinstance(node, ast.stmt) and node is not self.code]
            return {(self.file, line) for node in inner or [self.code] for line in _range(node)}
        found: set[Line] = set()
        names, known = _names(self.code) - {"contract"}, set[str]()
        while names:
            known |= names
            more: set[str] = set()
            for file, tree in trees.items():
                for node, local in _statements(tree):
                    if _reads(node) & names:
                        found |= {(file, line) for line in _range(node)} if local else set()
                        more |= set() if local else _names(node)
            names = more - known
        return found


def places(contract: Contract) -> list[Place]:
    """Return the pieces of code under the ids of a game's clauses, in its own files and in those beside its folder."""
    return [place for path in _files(contract) for place in places_in(path, contract.id)]


@check
def named(contract: Contract) -> None:
    """Check that the rule book has every clause that the code names, and that no id stands over a function that only forwards."""
    clauses, found = rulebook(contract).clauses, places(contract)
    hold(found or not clauses, f"no rule carries the id of the clause it does: write # {next(iter(clauses), '')} above that one's")
    ids = {id for place in found for id in place.ids if not id.endswith("*")} | {*contract.redeals}
    same(sorted(ids - clauses.keys()), [], "clauses that the code names and the rule book lacks")
    same([str(place) for place in found if place.forwards()], [], "ids over functions that only call the one that does it")


@check
def run(contract: Contract) -> None:
    """Check that the worked examples of a clause run each piece of code under its id."""
    trees = {str(path): _tree(path) for path in _files(contract)}
    under = {place: lines for place in places(contract) if (lines := place.lines(trees))}
    never = []
    for clause in rulebook(contract).clauses.values():
        idle = {place: lines for place, lines in under.items() if place.stands_under(clause.id)}
        for example in clause.examples:
            ran = lines_run(set().union(*idle.values()), partial(_play, contract, example)) if idle else set()
            idle = {place: lines for place, lines in idle.items() if ran.isdisjoint(lines)}
        never += [f"{clause.id}: {place}" for place in idle]
    same(never, [], "clauses of which no example runs the code under their id")


def lines_run(lines: set[Line], call: Callable[[], object]) -> set[Line]:
    """Return the lines among `lines` that run during a call."""
    ran: set[Line] = set()

    def step(frame: FrameType, event: str, _: Any) -> Any:
        if event == "line":
            ran.add((frame.f_code.co_filename, frame.f_lineno))
        return step

    @cache
    def has_some(code: CodeType) -> bool:
        return not lines.isdisjoint((code.co_filename, line) for *_, line in code.co_lines() if line)

    before = sys.gettrace()
    sys.settrace(lambda frame, *_: step if has_some(frame.f_code) else None)
    try:
        call()
    finally:
        sys.settrace(before)
    return ran & lines


def _play(contract: Contract, example: Example) -> None:
    """Play an example, look at it from every seat, and enter a finished round in a match."""
    round = play_example(contract, example).round
    for seat in (None, *range(round.game.seats)):
        round.view(seat)
    round.events()
    round.score_sheet()
    match = Match(round.game, contract.match_options(), SeedDeals(0))
    if round.over:
        match.round = round
        match.next_round()
        hold(match.length >= 0 and match.leading, "a match has no length, or nobody leads in it", round._state)


def _files(contract: Contract) -> list[Path]:
    """Return the files of a game, and those beside its folder if it lies in a package."""
    beside = contract.folder.parent
    return sorted([*contract.folder.glob("*.py"), *(beside.glob("*.py") if (beside / "__init__.py").exists() else ())])


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def places_in(path: Path, game: str) -> Iterator[Place]:
    """Yield the pieces of code in a file that stand under ids of a game."""
    statements = [*_statements(_tree(path))]
    over: list[str] = []
    for token in tokenize.generate_tokens(io.StringIO(path.read_text(encoding="utf-8")).readline):
        line, ids = token.start[0], re.findall(rf"(?<![\w.]){game}\.[a-z]+\.(?:[a-z0-9-]+|\*)", token.string)
        if token.type == tokenize.COMMENT and token.line.lstrip().startswith("#"):
            over += ids
        elif (token.type == tokenize.COMMENT and ids) or (over and token.type not in LAYOUT):
            around = [(node, local) for node, local in statements if line in _range(node)]
            # The statement that begins in this line, with all inside it; else the innermost one.
            node, local = next(((node, local) for node, local in around if _range(node).start == line), around[-1])
            yield Place(tuple(over or ids), node, str(path), local)
            over = []


def _statements(node: ast.AST, local: bool = False) -> Iterator[tuple[ast.stmt, bool]]:
    """Yield the statements inside a node, outer ones first, and whether each is a function or stands in one."""
    for inner in ast.iter_child_nodes(node):
        within = local or isinstance(inner, ast.FunctionDef)
        if isinstance(inner, ast.stmt):
            yield inner, within
        yield from _statements(inner, within)


def _range(node: ast.stmt) -> range:
    """Return the lines of a statement, from its first decorator on."""
    return range(min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", ()))]), (node.end_lineno or 0) + 1)


def _names(node: ast.stmt) -> set[str]:
    """Return the names that a statement outside of functions defines."""
    if isinstance(node, ast.ClassDef):
        return {node.name}
    targets = getattr(node, "targets", [getattr(node, "target", None)])
    return {name.id for target in targets if target for name in ast.walk(target) if isinstance(name, ast.Name)}


def _reads(node: ast.stmt) -> set[str]:
    """Return the names that a statement reads, without names that only statements inside it read."""
    found, left = set[str](), [each for each in ast.iter_child_nodes(node) if not isinstance(each, ast.stmt)]
    while left:
        each = left.pop()
        found |= {each.id} if isinstance(each, ast.Name) else {each.attr} if isinstance(each, ast.Attribute) else set()
        left += [inner for inner in ast.iter_child_nodes(each) if not isinstance(inner, ast.stmt)]
    return found
