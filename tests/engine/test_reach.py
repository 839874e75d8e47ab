"""The digest of a game's machine code: every fault in reached code changes it, and nothing else does."""

import ast
import dataclasses
import dis
import inspect
from collections.abc import Callable, Iterator
from enum import Enum, EnumMeta, IntEnum
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any
from unittest.mock import patch

import pytest

import mekuri
from mekuri import games
from mekuri.bots.registry import find, names_for
from mekuri.bots.search import exact, flat
from mekuri.engine import compiled, env, numba_backend
from mekuri.engine.contract import Contract, Rules
from mekuri.engine.fields import in_record
from mekuri.engine.observe import layout
from mekuri.engine.phases import _driven
from mekuri.engine.reach import _Reach, digest, without_words
from mekuri.lab import playout, unfold
from mekuri.testing import invariants, perft
from tests.helpers.tables import GAMES, each_game, one_game
from tools.faults import faults

# Bots whose choice is rules text, and so machine code.
BOTS = {bot for name in GAMES for bot in (find(id, games.find(name)) for id in names_for(games.find(name)))}
BOT_RULES = sorted((bot.rule for bot in BOTS if bot.rule), key=lambda rule: (rule.__module__, rule.__name__))
SEARCHES = [exact.search.plain, flat.try_out.plain]
OF_ENVIRONMENTS = [one.plain for one in (env.advance, env.consult, env.first_illegal, env.sample, env.try_each)]
ENTRIES = [playout.play_rounds.plain, playout.compare_rounds.plain, unfold.unfold.plain, *SEARCHES, *OF_ENVIRONMENTS]
RULES = ("deal", "legal", "play", "returns", "hide", "redeal")


def roots(contract: Contract) -> list[Callable[..., Any]]:
    return [getattr(contract.rules, function.__name__) for function in compiled.generics]


def reached(values: list[Any]) -> list[FunctionType]:
    """Return the functions whose code counts and whose values are traced."""
    walk = _Reach(numba_backend._LOWERED)
    walk.of(values)
    return [value for value in walk._numbers if isinstance(value, FunctionType) and value not in walk._named]


def test_recursive_rule_has_a_digest() -> None:
    """No game may have a recursive rule, and other checks refuse it. The walk ends all the same."""

    def around(n: int) -> int:
        return around(n - 1)

    assert digest([around]) == digest([around])


def with_faults(function: FunctionType) -> Iterator[tuple[str, CodeType]]:
    """The code of a function with a fault, one of each kind that it has room for."""
    if function.__closure__:
        return  # it is made anew for each game: see `test_changed_word_of_a_phase_changes_the_digest`
    file = Path(inspect.getfile(function))
    lines, first = inspect.getsourcelines(function)
    kinds = set()
    for fault in faults(file.read_text("utf-8"), (first, first + len(lines) - 1)):
        if fault.kind in kinds or fault.now == fault.was:
            continue
        kinds.add(fault.kind)
        made: dict[str, Any] = {}
        tree = ast.parse(fault.text)
        found = next(node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == function.__name__)
        found.decorator_list, found.returns = [], None
        for argument in found.args.args:
            argument.annotation = None
        exec(compile(ast.Module([found], []), file, "exec"), made)
        yield f"{file.name}:{fault.line} {fault.was} -> {fault.now}", made[function.__name__].__code__


@pytest.mark.every_days(4)
@one_game
def test_fault_in_any_reached_function_changes_the_digest(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    contract = games.find(name)
    before, planted = numba_backend._rules_digest(contract), 0
    for function in reached(roots(contract)):
        for fault, code in with_faults(function):
            with monkeypatch.context() as patch:
                patch.setattr(function, "__code__", code)
                assert numba_backend._rules_digest(contract) != before, fault
            planted += 1
    assert planted > 100
    assert numba_backend._rules_digest(contract) == before


def changed(value: Any) -> Any:
    """Return another value of the same kind; None if rules cannot change it."""
    match value:
        case Enum():
            return None
        case EnumMeta():
            return IntEnum(value.__name__, {name: member.value + 1 for name, member in value.__members__.items()})
        case int():
            return value + 1
        case tuple():
            return (*value[:-1], changed(value[-1])) if value else (0,)
        case str():
            return value + "."
    return None


@one_game
def test_change_of_any_read_value_changes_the_digest(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    contract = games.find(name)
    before, kinds = numba_backend._rules_digest(contract), set()
    for function in reached(roots(contract)):
        for read in function.__code__.co_names:
            value = function.__globals__.get(read)
            other = changed(value)
            if other is not None and read in globals_read(function):
                with monkeypatch.context() as patch:
                    patch.setitem(function.__globals__, read, other)
                    assert numba_backend._rules_digest(contract) != before, f"{function.__qualname__}: {read}"
                kinds.add(type(value) if not isinstance(value, EnumMeta) else EnumMeta)
    assert {int, EnumMeta} <= kinds


def globals_read(function: FunctionType) -> set[str]:
    return {step.argval for step in dis.get_instructions(function) if step.opname == "LOAD_GLOBAL"}


@each_game
def test_replaced_rule_changes_the_digest(name: str) -> None:
    """One for each member of a contract that is a rule."""
    contract = games.find(name)
    before = numba_backend._rules_digest(contract)

    def other(s: Any, *arguments: Any) -> int:
        return 0

    for rule in RULES:
        with patch.dict(vars(contract.rules), {rule: other}):
            assert numba_backend._rules_digest(contract) != before, rule
    assert numba_backend._rules_digest(contract) == before


@each_game
def test_changed_field_changes_the_digest(name: str, monkeypatch: pytest.MonkeyPatch, subtests: pytest.Subtests) -> None:
    """What `show` copies and what `clear` leaves behind comes of the fields."""
    contract = games.find(name)
    before, declared = numba_backend._rules_digest(contract), in_record(contract.state)
    every: list[dict[str, Any]] = [{"public": True}, {"public": False}, {"length": 5}, {"kind": "card"}, {"name": "other"}]
    for changes in every:
        with subtests.test(**changes):
            place = next(i for i, field in enumerate(declared) if dataclasses.replace(field, **changes) != field)
            other = (*declared[:place], dataclasses.replace(declared[place], **changes), *declared[place + 1 :])
            monkeypatch.setattr(numba_backend, "in_record", lambda state, other=other: other)
            assert numba_backend._rules_digest(contract) != before


def test_changed_word_of_a_phase_changes_the_digest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "rules", [])  # these are no game's

    def asked(s: Any, seat: int = 0) -> int:
        return 1

    def digests(*words: int) -> list[str]:
        return [numba_backend.digest_of(rule) for rule in _driven(words, asked, asked)]

    waiting, legal = digests(0, 60, -1)
    assert digests(0, 61, -1)[1] != legal
    assert waiting not in digests(60, 0, -1)
    assert waiting != legal


def test_games_do_not_reach_each_other() -> None:
    for name in GAMES:
        others = tuple(f"mekuri.games.{other}." for other in GAMES if other != name)
        assert not [function for function in reached(roots(games.find(name))) if function.__module__.startswith(others)]


def test_every_rule_is_reached() -> None:
    """Or it is a default for games. So a fault in any of them changes the digest of machine code."""
    found: set[Callable[..., Any]] = {function for name in GAMES for function in reached(roots(games.find(name)))}
    left_out = [field.default for field in dataclasses.fields(Rules) if callable(field.default)]
    made = [mekuri.game(name) for name in GAMES]
    layouts = [layout(game.contract, game.options, game.seats, recall=True) for game in made]
    encoders = [rule for one in layouts for rule in one.rules]
    encoders += [rule for rule in compiled.rules if rule.__code__.co_filename == "<string>"]  # of other tests
    found.update(reached([*ENTRIES, invariants.watch_rounds.plain, perft.perft.plain, *left_out, *encoders, *BOT_RULES]))
    found.update(function for function in compiled.rules if not function.__module__.startswith("mekuri."))
    plain = [function for function in compiled.rules if function not in found]
    assert {function.__module__.split(".")[1] for function in plain} <= {"games"}, plain


@pytest.mark.parametrize("root", [*ENTRIES, *BOT_RULES], ids=lambda root: f"{root.__module__}.{root.__name__}")
def test_fault_in_an_entry_or_bot_changes_its_digest(root: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Play-outs and bots are in no game, and no game's rules reach them."""
    before = numba_backend.digest_of(root)
    for function in reached([root]):
        for fault, code in with_faults(function):
            with monkeypatch.context() as patch:
                patch.setattr(function, "__code__", code)
                assert numba_backend.digest_of(root) != before, fault


def test_play_outs_reach_their_helpers() -> None:
    assert {"play_round", "count_end", "drive", "see"} <= {one.__name__ for one in reached([playout.play_rounds.plain])}


# --- What Python functions may look like ---


def of(source: str, **values: Any) -> str:
    """The digest of the function `f` of a source text."""
    exec(source, values)
    return digest([values["f"]])


PLAIN = "def f(s, n=1):\n    return s + n + T[0]\n"


@pytest.mark.parametrize(
    "same",
    [
        "# Why.\n\n\n" + PLAIN,
        PLAIN.replace("\n    return", "\n    # Why.\n    return"),
        PLAIN.replace("\n    return", '\n    """What it does."""\n    return'),
        PLAIN.replace("(s, n=1)", "(s: int, n: int = 1) -> int"),
        PLAIN.replace("s + n + T[0]", "(\n        s + n + T[0]\n    )"),
        PLAIN + "def g():\n    return f(1)\n",
    ],
)
def test_comments_and_lines_do_not_change_the_digest(same: str) -> None:
    assert of(same, T=(1, 2)) == of(PLAIN, T=(1, 2))


def test_docstring_does_not_change_the_digest() -> None:
    assert of("def f(s):\n    s.n = 1\n") == of('def f(s):\n    """What it does."""\n    s.n = 1\n')


@pytest.mark.parametrize(
    "other",
    [
        PLAIN.replace("n=1", "n=2"),
        PLAIN.replace("s + n", "s - n"),
        PLAIN.replace("[0]", "[1]"),
        PLAIN.replace("[0]", "[False]"),
        PLAIN.replace("(s, n=1)", "(s, *, n=1)"),
        PLAIN.replace("s + n + T[0]", "T"),
    ],
)
def test_other_code_changes_the_digest(other: str) -> None:
    assert of(other, T=(1, 2)) != of(PLAIN, T=(1, 2))


@pytest.mark.parametrize("table", [(1, 3), (1, 2, 3), (True, 2), (1.0, 2), ((1, 2),), [1, 2], "12"])
def test_other_table_changes_the_digest(table: object) -> None:
    assert of(PLAIN, T=table) != of(PLAIN, T=(1, 2))


def test_value_of_every_kind_changes_the_digest() -> None:
    """The digest covers the whole value of each kind that machine code can read."""
    import numpy as np

    class Word(IntEnum):
        ONE = 1

    long = np.arange(3000)
    short = long.copy()
    short[1500] = 0
    pairs: list[tuple[Any, Any]] = [
        (long, short),
        (np.int64(1), np.int64(2)),
        (np.int64(1), np.int32(1)),
        (Word, IntEnum("Word", {"ONE": 2})),
        (Word.ONE, 1),
        (frozenset({1, 2}), frozenset({1, 3})),
        ({1: 2}, {1: 3}),
        (None, 0),
        (max, min),
        (np.add, np.subtract),
    ]
    for one, other in pairs:
        assert digest([one]) == digest([one])
        assert digest([one]) != digest([other])


def test_value_of_a_closure_or_module_changes_the_digest() -> None:
    def made(n: int, helper: Callable[[int], int]) -> Callable[[int], int]:
        def f(s: int) -> int:
            return helper(s) + n

        return f

    assert digest([made(1, abs)]) == digest([made(1, abs)])
    assert digest([made(1, abs)]) != digest([made(2, abs)])
    assert digest([made(1, lambda s: s)]) != digest([made(1, lambda s: -s)])

    def module(**values: int) -> ModuleType:
        found = ModuleType("m")
        vars(found).update(values)
        return found

    source = "def f(s):\n    return s + m.n\n"
    assert of(source, m=module(n=1)) == of(source, m=module(n=1, unread=3))
    assert of(source, m=module(n=1)) != of(source, m=module(n=2))


def test_functions_of_one_name_have_different_digests() -> None:
    """For example a function wrapped by one that takes its name."""
    source = "def f(s):\n    return s\ng = f\ndef f(s):\n    return g(s) {}\n"
    assert of(source.format("+ 1")) != of(source.format("+ 2"))
    inner = "def f(s):\n    return {}\ng = f\ndef f(s):\n    return g(s)\n"
    assert of(inner.format("s")) != of(inner.format("-s"))


def test_mutually_recursive_functions_have_a_digest() -> None:
    source = "def f(s):\n    return g(s)\ndef g(s):\n    return f(s) {}\n"
    assert of(source.format("+ 1")) == of(source.format("+ 1"))
    assert of(source.format("+ 1")) != of(source.format("+ 2"))


def test_backend_counts_without_comments() -> None:
    source = Path(numba_backend.__file__).read_text("utf-8")
    assert without_words("# Why.\n" + source.replace('"""How rules', '"""How some rules')) == without_words(source)
    assert without_words(source.replace("strict=False", "strict=True", 1)) != without_words(source)
