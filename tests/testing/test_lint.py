"""Forbidden constructions in rules are found, with file and line; allowed ones pass."""

import importlib.util
import inspect
from pathlib import Path
from textwrap import dedent

import pytest

from mekuri import games
from mekuri.engine import compiled
from mekuri.testing import lint
from tests.helpers.tables import GAMES

HEAD = """\
from mekuri.cards import card, each
from mekuri.engine.compiled import count, first, rule, shared_rule
from mekuri.engine.entry import entry
from mekuri.engine.fields import RoundState, copy
from mekuri.engine.options import Choice

TABLE, NAMES, HALF, LARGE = (1, 2, 3), [1, 2], 0.5, 1 << 63
TEXTS = ((1, 2), ("a", 2))


class Phase(Choice):
    PLAY = 0


@rule
def known(s: RoundState, n: int = 1) -> int:
    return n


def unmarked(n):
    return n


@entry
def outside(states):
    pass
"""

# Forbidden code, its replacement, and the report of it. It is in the first line, or in the marked one.
EACH = {
    "recursion": ("    return bad(s)", "    return known(s)", "calls itself, bad → bad: write a loop"),
    "recursion by way of another": (
        "    return other(s)\n\n\n@rule\ndef other(s: RoundState) -> int:\n    return bad(s)",
        "    return known(s)",
        "calls itself, bad → other → bad",
    ),
    "float": ("    return s.stock * 0.5", "    return s.stock >> 1", "has 0.5: rules count in whole numbers"),
    "float that is read": ("    return s.stock * HALF", "    return s.stock * TABLE[1]", "reads HALF, a float"),
    "division": ("    return s.stock / 2", "    return s.stock // 2", "divides with /: write //"),
    "division in place": ("    s.stock /= 2", "    s.stock //= 2", "divides with /"),
    "text": ('    return s.stock == "one"', "    return s.stock == 1", "has the text 'one'"),
    "formatted text": ('    return f"{s.stock}"', "    return s.stock", "builds a text"),
    "dict": ("    return {1: 2}[s.stock]", "    return TABLE[s.stock]", "builds a dict"),
    "set": ("    return s.stock in {1, 2}", "    return s.stock in (1, 2)", "builds a set"),
    "list": ("    return [1, 2][s.stock]", "    return (1, 2)[s.stock]", "builds a list"),
    "comprehension": ("    return sum([n for n in s.pack])", "    return s.pack[0] + s.pack[1]", "has a comprehension"),
    "generator": ("    return max(n for n in s.pack)", "    return max(s.pack[0], s.pack[1])", "has a generator"),
    "yield": ("    yield s.stock", "    return s.stock", "is a generator"),
    "try": ("    try:\n        s.stock = 1\n    except ValueError:\n        pass", "    s.stock = 1", "catches exceptions"),
    "raise": ("    raise ValueError", "    return 0", "raises an exception"),
    "assert": ("    assert s.stock", "    return s.stock", "asserts"),
    "with": ("    with s:\n        pass", "    pass", "has a with"),
    "lambda": ("    double = lambda n: n", "    return known(s)", "has a lambda"),
    "import": ("    import math", "    pass", "imports"),
    "global": ("    global TABLE", "    pass", "writes to a global name"),
    "whole row": ("    s.pack = t.pack", "    s.pack[0] = t.pack[0]", "assigns the whole row pack"),
    "whole row among others": ("    s.stock, s.pack = 1, t.pack", "    s.stock, s.turns = 1, 2", "assigns the whole row pack"),
    "row from its end": ("    return s.pack[-1]", "    return s.pack[s.stock - 1]", "counts from the end, [-1]"),
    "row from its end, by another name": (
        "    row = s.pack\n    return row[-2]  # here",
        "    return TABLE[-1]",
        "counts from the end, [-2]",
    ),
    "slice": ("    return len(s.pack[1:])", "    return len(s.pack)", "takes a slice"),
    "what is no rule": ("    return unmarked(s.stock)", "    return known(s, n=2)", "unmarked is no rule, and rules call it"),
    "what is no rule of the library": (
        "    return card(1, 0)",
        "    return count(1)",
        "calls card of mekuri.cards.deck, which is no rule",
    ),
    "what Python alone may call": ("    outside(s)", "    copy(s, t)", "calls outside, an entry"),
    "method": ("    s.pack.reverse()", "    first(s.stock)", "calls s.pack.reverse, which is a method"),
    "function of Python": ("    return sorted(s.pack)[0]", "    return abs(s.pack[0])", "calls sorted, which is no rule"),
    "list that is read": ("    return NAMES[0]", "    return TABLE[0]", "reads NAMES, a list"),
    "texts in a tuple": (
        "    return TEXTS[0][1]",
        "    return TABLE[1]",
        "reads TEXTS, a tuple that holds a tuple that holds a str",
    ),
    "bit beyond 62": ("    return 1 << 63", "    return 1 << 62", "shifts by 63: a set has the bits 0 to 62"),
    "number beyond 62 bits": ("    return 0x8000000000000000", "    return 0x7FFFFFFFFFFFFFFF", "has bits beyond 62"),
    "number that is read": ("    return LARGE", "    return Phase.PLAY", "reads LARGE, a number that has bits beyond 62"),
    "no name": ("    return nowhere", "    return s.turns", "reads nowhere, which is nowhere"),
    "no field": ("    return s.contract", "    return s.turns", "reads s.contract, which is no field of the state"),
}
BAD = "\n\n@rule\ndef bad(s: RoundState, t: RoundState) -> int:\n{}\n"


def found(folder: Path, text: str, monkeypatch: pytest.MonkeyPatch) -> list[lint.Fault]:
    """Return the faults in a file of rules, of which the one called `bad` is checked."""
    monkeypatch.setattr(compiled, "rules", [*compiled.rules])
    path = folder / f"rules{len(list(folder.iterdir()))}.py"
    path.write_text(HEAD + text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return lint.faults_of([module.bad], games.find(GAMES[0]))


@pytest.mark.parametrize(("bad", "good", "message"), EACH.values(), ids=EACH)
def test_bad_rule_is_found_and_good_rule_passes(
    bad: str, good: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    faults = found(tmp_path, BAD.format(bad), monkeypatch)
    assert [fault for fault in faults if message in fault.what], faults
    lines = (HEAD + BAD.format(bad)).splitlines()
    marked = [n for n, line in enumerate(lines, 1) if line.endswith("# here")]
    begins = lines.index("def unmarked(n):" if "and rules call it" in message else "def bad(s: RoundState, t: RoundState) -> int:")
    place = (marked or [begins + (1 if "and rules call it" in message else 2)])[0]
    assert str(next(fault for fault in faults if message in fault.what)).startswith(f"{tmp_path / 'rules0.py'}, line {place}: ")
    assert found(tmp_path, BAD.format(good), monkeypatch) == []


def test_mutable_default_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    head = BAD.replace("t: RoundState", "row: list[int] = {}")
    faults = found(tmp_path, head.format("[]", "    return 0"), monkeypatch)
    assert ["has a default that is no whole number" in fault.what for fault in faults] == [True]
    assert found(tmp_path, head.format("1", "    return 0"), monkeypatch) == []


def test_function_called_by_a_rule_is_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = """
        @shared_rule
        def deep(n: int) -> float:
            return n / 2
        """
    faults = found(tmp_path, dedent(text) + BAD.format("    return deep(s.stock)"), monkeypatch)
    assert [fault.what for fault in faults] == ["deep divides with /: write //, rules count in whole numbers"]


@pytest.mark.parametrize("name", GAMES)
def test_own_games_pass(name: str) -> None:
    assert lint.faults(games.find(name)) == []


def test_unmarked_rule_of_the_contract_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    contract = games.find(GAMES[0])
    monkeypatch.setattr(compiled, "rules", [rule for rule in compiled.rules if rule is not inspect.unwrap(contract.rules.legal)])
    assert [fault.what for fault in lint.faults(contract)] == ["legal is no rule, and rules call it: mark it @rule"]
