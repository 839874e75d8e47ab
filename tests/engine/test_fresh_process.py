"""Machine code from a cache on disk: whole, never stale, never another game's, and never needed.

Only a new process shows whether Numba reads its cache on disk or its memory, so every test here starts some.
"""

import ast
import importlib
import itertools
import json
import os
import pkgutil
import shutil
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import mekuri
from mekuri.bots import find
from mekuri.bots.search import exact
from mekuri.bots.search.flat import COUNTED, HANDS_OPEN, HONEST, OPEN, STATES, WHOLE
from mekuri.bots.search.later import memory
from mekuri.bots.search.worlds import done_by_others
from mekuri.engine import numba_backend
from mekuri.engine.called import choices_of
from mekuri.engine.chance import stream
from mekuri.engine.compiled import bit, count, first
from mekuri.engine.contract import LAST_WORD
from mekuri.engine.entry import Entry, _one_by_one
from mekuri.engine.executor import MACHINE_CODE, PLAIN, Executor
from mekuri.lab import playout
from mekuri.lab import unfold as lab_unfold
from mekuri.testing.states import as_values, start
from tests.helpers.asked import asked
from tests.helpers.folders import CHECKOUT
from tests.helpers.tables import BOTS, GAMES, one_game

PACKAGE = Path(mekuri.__file__).parent
NO_PROGRAM = {"mekuri.__main__"}  # modules that do not wait to be called


def fresh(code: str, *paths: Path, **environment: str | Path) -> Any:
    """Run code in a new process, and read what it prints last as JSON. `paths` come first among the places of modules."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("NUMBA_", "PYTEST_", "COV_"))}
    kept["PYTHONPATH"] = os.pathsep.join(map(str, (*paths, PACKAGE.parent, CHECKOUT)))
    kept |= {name: str(value) for name, value in environment.items()}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=CHECKOUT, env=kept, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, f"status {done.returncode}\n{done.stdout}\n{done.stderr}"
    return json.loads(done.stdout.splitlines()[-1])


# --- Every entry of the package ---


def entries() -> dict[str, Entry[..., Any]]:
    """Every compiled entry of the package, by its name; those of the checks are compared with plain rules wherever they run."""
    modules = [info.name for info in pkgutil.walk_packages([str(PACKAGE)], "mekuri.") if info.name not in NO_PROGRAM]
    found = [value for name in modules for value in vars(importlib.import_module(name)).values() if isinstance(value, Entry)]
    named = {f"{one.plain.__module__}.{one.plain.__name__}": one for one in found}
    return {name: one for name, one in named.items() if not name.startswith("mekuri.testing.")}


def call(run: Executor, entry: Entry[..., Any], *arguments: Any) -> None:
    run.prepare(entry, *arguments)
    run.call(entry, *arguments)


def run_play_rounds(entry: Entry[..., Any], game: mekuri.Game, run: Executor) -> Any:
    results = []
    for bot in map(find, BOTS):
        states = run.states(game.contract, playout.STATES)
        run.write(states, 0, start(game))
        counts, each = run.words(playout.empty_counts()), run.zeros(20 * (playout.ROUND_RETURNS + game.seats))
        for at_random, kept in ((0, each), (2, run.zeros(0))):
            call(run, entry, states, run.words(stream(1)), run.zeros(4), 0, 20, run.bot(bot), at_random, counts, kept)
        results.append([int(n) for n in (*counts, *each)])
    return results


def run_compare_rounds(entry: Entry[..., Any], game: mekuri.Game, run: Executor) -> Any:
    width, sums = playout.ROUND_RETURNS + game.seats, run.zeros(playout.SUMS)
    each, base = (run.words(i * step % 7 for i in range(30 * width)) for step in (5, 3))
    sides = run.words(game.sides)
    call(run, entry, each, base, 30, sides, sides, run.zeros(2 * playout.MEASURES), sums)
    return [int(n) for n in sums]


def run_try_out(entry: Entry[..., Any], game: mekuri.Game, run: Executor) -> Any:
    (round, seat), results = asked(game.contract.id, 1, 3), []
    others = done_by_others(round.seen(seat))
    kinds = (HONEST, WHOLE, 40), (HONEST, WHOLE, 0), (HANDS_OPEN, WHOLE, 0), (OPEN, WHOLE, 0), (HONEST, 0, 0), (HONEST, 1, 0)
    for bot, (open_cards, sight, learns) in itertools.product(map(find, BOTS), kinds):
        seen = round._state if open_cards else round.hidden(seat)
        states, past = run.states(game.contract, STATES + bot.states), run.states(game.contract, len(others))
        run.write(states, 0, seen)
        for i, one in enumerate(others):
            run.write(past, i, one.before)
        done = run.words(word for one in others for word in (one.seat, one.action, one.played))
        tally, kept = run.zeros(COUNTED * (LAST_WORD + 1)), run.words(memory(learns))
        choices = choices_of(seen, seat)
        ends, brought = run.states(game.contract, 2 * (1 + count(choices))), run.zeros(2 * count(choices))
        rows = run.words(stream(2)), run.zeros(8), run.bot(bot), tally, past, done, kept, brought, ends
        call(run, entry, states, seat, choices, open_cards, sight, 2, *rows)
        values = [as_values(end) for end in run.read(ends, game.contract.state)]
        results.append([[int(n) for n in (*tally, *kept, *brought)], values])
    return results


def run_search(entry: Entry[..., Any], game: mekuri.Game, run: Executor) -> Any:
    round, results = game.deal(seed=1), []
    while not round.over:
        past = round.actions[:]
        round.play(round.legal[0])
    end = game.deal(seed=1)
    for seat, action in past[:-6]:
        end.play(action, seat)
    for width, lucky, seat in itertools.product((1, game.seats), (0, 1), end.waiting[:1]):
        sizes = (exact.DEPTH * (exact.VALUES + width), 64 * (exact.KNOWN + width), exact.SIDES * exact.ACTIONS)
        states = run.states(game.contract, exact.DEPTH)
        run.write(states, 0, end._state)
        rows = [*map(run.zeros, sizes), run.words(stream(2)), run.zeros(exact.BROUGHT + width)]
        call(run, entry, states, seat, width, lucky, *game.contract.returns_range, 400, *rows)
        results.append([[int(n) for n in row] for row in rows])
    return results


def run_unfold(entry: Entry[..., Any], game: mekuri.Game, run: Executor) -> Any:
    round, results = game.deal(seed=1), list[Any]()
    while not round.over:
        past = round.actions[:]
        round.play(round.legal[0])
    end = game.deal(seed=1)
    for seat, action in past[:-4]:
        end.play(action, seat)
    s, seat = end._state, end.waiting[0]
    pool = sum(bit(card) for card in s.pack[: s.stock])
    given = run.states(game.contract, 1)
    run.write(given, 0, s)
    for chooses, opened, policy in ((1, 0, lab_unfold.GREED), (0, 0, lab_unfold.BLIND), (1, 1, lab_unfold.ASK)):
        rows = run.zeros(lab_unfold.ROW)
        rows[lab_unfold.POOL], rows[lab_unfold.ASKED] = pool, seat
        places, actions = run.zeros(2), run.words((lab_unfold.NOTHING, first(choices_of(s, seat))))
        work, found = run.states(game.contract, lab_unfold.OPEN + 128), run.states(game.contract, 128)
        made = run.zeros(128 * lab_unfold.ROW), run.zeros(2), found, run.zeros(128 * lab_unfold.ROW), run.zeros(1)
        how = seat, chooses, opened, policy, s.turns + 1
        call(run, entry, given, rows, places, actions, 0, *how, work, *made)
        _, totals, found, found_rows, sizes = made
        numbers = [[int(n) for n in row] for row in (totals, found_rows, sizes)]
        results.append([numbers, [as_values(one) for one in run.read(found[: sizes[0]], game.contract.state)]])
    return results


def run_environment(entry: Entry[..., Any], game: mekuri.Game, run: Executor) -> Any:
    results: list[Any] = []
    settings: dict[str, Any] = {"dealer": None, "plain": run is PLAIN}
    for threads, bot, learners, skips in ((1, BOTS[0], range(game.seats), False), (2, BOTS[-1], (0,), True)):
        env = mekuri.vector(game, 3, learners=learners, opponents=bot, skip_forced=skips, threads=threads, **settings)
        for _ in range(20):
            actions = env.sample().tolist()
            results.append([actions, *(rows.tolist() for rows in env.step(actions))])
        results.append([env.ask(find(BOTS[-1])).tolist(), *(rows.tolist() for rows in env.afterstates())])
    return results


# How each entry is run for a game: every path through it that matters, a second's work at most.
RUNS: dict[str, Callable[[Entry[..., Any], mekuri.Game, Executor], Any]] = {
    "mekuri.bots.search.exact.search": run_search,
    "mekuri.bots.search.flat.try_out": run_try_out,
    **{f"mekuri.engine.env.{name}": run_environment for name in ("advance", "consult", "first_illegal", "sample", "try_each")},
    "mekuri.lab.playout.compare_rounds": run_compare_rounds,
    "mekuri.lab.playout.play_rounds": run_play_rounds,
    "mekuri.lab.unfold.unfold": run_unfold,
}


def run_entries(game: str) -> None:
    """In a new process: every entry for a game; prints results, and how often the cache had the code."""
    outcomes = {}
    for name, entry in entries().items():
        results = RUNS[name](entry, mekuri.game(game), MACHINE_CODE)
        stats = entry._compiled.stats  # type: ignore[union-attr]
        outcomes[name] = {"results": results, "hits": sum(stats.cache_hits.values()), "misses": sum(stats.cache_misses.values())}
    print(json.dumps(outcomes))


def test_every_entry_has_a_run() -> None:
    assert entries().keys() == RUNS.keys(), "every entry needs its line in RUNS"


@pytest.mark.slow
@one_game
def test_second_process_compiles_no_entry_again(name: str, tmp_path: Path) -> None:
    code = f"from tests.engine.test_fresh_process import run_entries; run_entries({name!r})"
    first, second = (fresh(code, NUMBA_CACHE_DIR=tmp_path / "cache") for _ in range(2))
    for called, entry in entries().items():
        plain = json.loads(json.dumps(RUNS[called](entry, mekuri.game(name), PLAIN)))
        assert first[called]["results"] == second[called]["results"] == plain
        assert (first[called]["hits"], second[called]["misses"]) == (0, 0)
        assert first[called]["misses"] == second[called]["hits"] >= 1


ENVIRONMENTS = """
import json
import mekuri
from mekuri import games
from mekuri.bots import find
from mekuri.engine import env
games.names = lambda: ["GAME"]
if WARMS:
    from mekuri.cli.lab import app
    app(["warm", "--environments"], result_action="return_value")
for bot in ("random", "greedy"):
    for recall, threads in ((False, 1), (True, 2)):
        tables = mekuri.vector("GAME", 3, opponents=bot, recall=recall, threads=threads)
        tables.step(tables.ask(find("greedy")))
        tables.sample()
        tables.afterstates()
entries = env.advance, env.consult, env.first_illegal, env.sample, env.try_each
print(json.dumps([sum(one._compiled.stats.cache_misses.values()) for one in entries]))
"""


@pytest.mark.slow
@one_game
def test_warm_command_compiles_environments_of_later_processes(name: str, tmp_path: Path) -> None:
    first, second = (
        fresh(ENVIRONMENTS.replace("GAME", name).replace("WARMS", warms), NUMBA_CACHE_DIR=tmp_path) for warms in ("True", "False")
    )
    assert min(first) > 0
    assert second == [0] * 5


# --- A small entry, which compiles at once: what the tag of a record is for, and caches that cannot be used ---

SMALL = '''
import json, sys
from mekuri import games
from mekuri.engine import numba_backend
from mekuri.engine.entry import entry
from mekuri.engine.contract import legal, waiting
from mekuri.engine.setup import new_state
import helper
import numpy as np

@entry
def small(states, found):
    found[0] = waiting(states[0])
    found[1] = legal(states[0], 0)
    found[2] = helper.with_extra(states[0])

def run(contract):
    """The entry's findings, plain and compiled, and how often the cache had it."""
    start = new_state(contract, contract.options(), contract.seats[0])
    plain, found = [0, 0, 0], np.zeros(3, np.int64)
    small([start], plain)
    records = np.zeros(1, numba_backend.record(contract))
    numba_backend.to_record(start, records[0])
    small.compiled(records, found)
    stats = small._compiled.stats
    return {"plain": plain, "compiled": found.tolist(), "hits": sum(stats.cache_hits.values())}
'''


HELPER = """
from mekuri.engine.compiled import rule
from mekuri.engine.contract import returns

EXTRA = 0

@rule
def with_extra(s):
    return returns(s, 0) + EXTRA
"""


def small_module(folder: Path) -> Path:
    folder.mkdir()
    (folder / "small.py").write_text(SMALL)
    (folder / "helper.py").write_text(HELPER)
    return folder


def run_small(name: str, *paths: Path, before: str = "", **environment: str | Path) -> Any:
    code = f"{before}\nimport json, small\nfrom mekuri import games\nprint(json.dumps(small.run(games.find({name!r}))))"
    found = fresh(code, *paths, **environment)
    assert found["plain"] == found["compiled"]
    return found


def copied(folder: Path) -> Path:
    """A copy of the package to be changed."""
    shutil.copytree(PACKAGE, folder / "mekuri", ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def in_other_words(source: str) -> str:
    """A source text that does the same, with none of its comments and other docstrings."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node):
            node.body[0] = ast.Expr(ast.Constant("Other words."))
    return ast.unparse(tree)


@one_game
class TestRules:
    @pytest.mark.every_days(4)
    def test_edited_rule_runs_at_once(self, name: str, tmp_path: Path) -> None:
        """The rule is in a file that Numba's cache does not watch."""
        package, module, cache = copied(tmp_path / "copy"), small_module(tmp_path / "module"), tmp_path / "cache"
        before = run_small(name, package, module, NUMBA_CACHE_DIR=cache)
        rule = mekuri.game(name).contract.rules.returns
        source = package / "mekuri" / Path(rule.__code__.co_filename).relative_to(PACKAGE)
        with source.open("a") as scoring:
            scoring.write(f"_before = {rule.__name__}\n@rule\ndef {rule.__name__}(s, seat):\n    return _before(s, seat) + 1000\n")
        after = run_small(name, package, module, NUMBA_CACHE_DIR=cache)
        assert after["hits"] == 0
        assert after["compiled"][:2] == before["compiled"][:2]
        assert after["compiled"][2] == before["compiled"][2] + 1000

    @pytest.mark.slow
    def test_edited_helper_of_an_entry_runs_at_once(self, name: str, tmp_path: Path) -> None:
        """The helper belongs to no game, so the tag of a record does not change."""
        module, cache = small_module(tmp_path / "module"), tmp_path / "cache"
        before = run_small(name, module, NUMBA_CACHE_DIR=cache)
        helper = module / "helper.py"
        helper.write_text(helper.read_text().replace("EXTRA = 0", "EXTRA = 1000"))
        after = run_small(name, module, NUMBA_CACHE_DIR=cache)
        assert after["hits"] == 0
        assert after["compiled"][2] == before["compiled"][2] + 1000

    @pytest.mark.every_days(4)
    def test_comments_and_unused_code_recompile_nothing(self, name: str, tmp_path: Path) -> None:
        """Comments, docstrings and lines of every file change, and so do other games' rules."""
        package, module, cache = copied(tmp_path / "copy"), small_module(tmp_path / "module"), tmp_path / "cache"
        assert run_small(name, package, module, NUMBA_CACHE_DIR=cache)["hits"] == 0
        for file in (*package.rglob("*.py"), *module.rglob("*.py")):
            file.write_text(f"# Other words.\n\n\n{in_other_words(file.read_text('utf-8'))}", "utf-8")
        other = mekuri.game(next(one for one in GAMES if one != name)).contract.rules.returns
        source = package / "mekuri" / Path(other.__code__.co_filename).relative_to(PACKAGE)
        with source.open("a") as scoring:
            scoring.write(f"@rule\ndef {other.__name__}(s, seat):\n    return 1000\n")
        assert run_small(name, package, module, NUMBA_CACHE_DIR=cache)["hits"] == 1


class TestTwins:
    """Games whose states have the same fields."""

    @pytest.mark.slow
    def test_games_of_equal_layout_do_not_mix(self, tmp_path: Path) -> None:
        """A twin game with a different rule, in either order, on one cache."""
        module, cache = small_module(tmp_path / "module"), tmp_path / "cache"
        (module / "twin.py").write_text(
            f"import dataclasses, json, sys, small\n"
            f"from mekuri import games\n"
            f"from mekuri.engine.compiled import rule\n"
            f"first = games.find({GAMES[0]!r})\n"
            f"first_returns = first.returns\n"
            f"@rule\n"
            f"def returns(s, seat):\n"
            f"    return first_returns(s, seat) + 1000\n"
            f"class Twin(first.state):\n"
            f"    __slots__ = ()\n"
            f"twin = dataclasses.replace(first, id='twin', state=Twin, returns=returns)\n"
            f"def both(order):\n"
            f"    found = [small.run((first, twin)[i]) for i in order]\n"
            f"    print(json.dumps([found[order.index(i)] for i in (0, 1)]))\n"
        )
        for hits, order in enumerate(((0, 1), (1, 0))):
            first, twin = fresh(f"import twin; twin.both({order})", module, NUMBA_CACHE_DIR=cache)
            assert first["plain"] == first["compiled"]
            assert twin["plain"] == twin["compiled"]
            assert first["plain"][2] + 1000 == twin["plain"][2]
            assert max(first["hits"], twin["hits"]) == 2 * hits  # counted in the process: what its second game finds

    def test_games_of_one_name_are_refused(self, tmp_path: Path) -> None:
        code = (
            f"import dataclasses, json\n"
            f"from mekuri import games\n"
            f"from mekuri.engine import numba_backend\n"
            f"first = games.find({GAMES[0]!r})\n"
            f"class Twin(first.state):\n"
            f"    __slots__ = ()\n"
            f"dataclasses.replace(first, state=Twin)\n"
            f"try:\n"
            f"    numba_backend.start()\n"
            f"except TypeError as error:\n"
            f"    print(json.dumps(str(error)))\n"
        )
        assert f"has the record of {GAMES[0]}" in fresh(code, NUMBA_CACHE_DIR=tmp_path)

    @pytest.mark.every_days(4)
    def test_compiled_names_are_stable_and_differ_by_game(self) -> None:
        """Else a process that loads what two others have compiled runs one game's rules for the other."""
        names = [
            fresh(
                f"import json, numpy\n"
                f"from mekuri import games\n"
                f"from mekuri.engine import numba_backend\n"
                f"from numba import typeof\n"
                f"from numba.core.itanium_mangler import mangle\n"
                f"records = {{n: numpy.zeros(1, numba_backend.record(games.find(n))) for n in {order}}}\n"
                f"print(json.dumps({{n: mangle('f', (typeof(r), typeof(r[0]))) for n, r in records.items()}}))\n"
            )
            for order in (GAMES, GAMES[::-1])
        ]
        assert names[0] == names[1]
        assert len(set(names[0].values())) == len(GAMES)


def test_threads_prepare_in_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    """A second thread would otherwise register a function with Numba twice, or in part."""

    def prepare(function: Callable[..., Any], *_: Any) -> Callable[..., Any]:
        assert not _one_by_one.acquire(blocking=False)
        return function

    monkeypatch.setattr(numba_backend, "prepare", prepare)
    made = Entry(lambda: None)
    made.prepare()
    assert made.prepared is made.plain


class TestCacheOnDisk:
    """Whether there is a cache does not depend on the game."""

    def test_concurrent_cache_writes_are_kept(self, tmp_path: Path) -> None:
        def store(writer: int) -> None:
            file = numba_backend._CacheFile(str(tmp_path), "name", "stamp")
            for number in range(25):
                file.save((writer, number), f"{writer} {number}")

        with ThreadPoolExecutor(4) as threads:
            list(threads.map(store, range(4)))
        file = numba_backend._CacheFile(str(tmp_path), "name", "stamp")
        keys = [(writer, number) for writer in range(4) for number in range(25)]
        assert [file.load(key) for key in keys] == [f"{writer} {number}" for writer, number in keys]

    @pytest.mark.slow
    def test_rules_run_without_a_cache_folder(self, tmp_path: Path) -> None:
        """No cache folder is writable: as in a read-only container."""
        module = small_module(tmp_path / "module")
        (tmp_path / "file").touch()
        (module / "__pycache__").touch()
        nowhere = tmp_path / "file" / "folder"
        found = run_small(GAMES[0], module, NUMBA_CACHE_DIR=nowhere, HOME=nowhere, XDG_CACHE_HOME=nowhere, LOCALAPPDATA=nowhere)
        assert found["hits"] == 0

    @pytest.mark.slow
    def test_full_disk_does_not_stop_later_processes(self, tmp_path: Path) -> None:
        """Files can be created but not written. Their remains stop no later process."""
        pytest.importorskip("resource")
        module, cache = small_module(tmp_path / "module"), tmp_path / "cache"
        full = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))"
        assert run_small(GAMES[0], module, before=full, NUMBA_CACHE_DIR=cache)["hits"] == 0
        run_small(GAMES[0], module, NUMBA_CACHE_DIR=cache)
        assert run_small(GAMES[0], module, NUMBA_CACHE_DIR=cache)["hits"] == 1

    @pytest.mark.slow
    @pytest.mark.parametrize("suffix", ["nbi", "nbc"])
    def test_broken_cache_is_ignored(self, suffix: str, tmp_path: Path) -> None:
        """The machine stopped before the data reached the disk."""
        module, cache = small_module(tmp_path / "module"), tmp_path / "cache"
        run_small(GAMES[0], module, NUMBA_CACHE_DIR=cache)
        files = list(cache.glob(f"**/*.{suffix}"))
        assert files
        for file in files:
            file.write_bytes(b"")
        run_small(GAMES[0], module, NUMBA_CACHE_DIR=cache)


# --- Numba code of others in the same process ---

FOREIGN = """
import json, warnings
import numpy as np

filters = list(warnings.filters)
import small
from mekuri import games
small.run(games.find(GAME))
assert list(warnings.filters) == filters

from numba import njit

@njit
def first_and_last(rows):
    return rows[1].a[0], rows[1].a[-1], rows[1]["a"][-2]

@njit
def write_last(rows):
    rows[1].a[-1] = 70
    rows[1]["a"][-2] = 60

rows = np.zeros(3, [("a", "i8", (3,))])
rows["a"] = np.arange(9).reshape(3, 3)
read = first_and_last(rows)
write_last(rows)
print(json.dumps([read, rows["a"].tolist()]))
"""


@pytest.mark.slow
def test_foreign_compiled_code_is_unaffected(tmp_path: Path) -> None:
    """Numba's code for foreign records and its warnings stay the same when our rules are compiled beside them."""
    code = FOREIGN.replace("GAME", repr(GAMES[0]))
    read, rows = fresh(code, small_module(tmp_path / "module"), NUMBA_CACHE_DIR=tmp_path / "cache")
    assert read == [3, 5, 4]
    assert rows == [[0, 1, 2], [3, 60, 70], [6, 7, 8]]


# --- Without Numba ---


def test_import_is_light() -> None:
    """Nothing that is slow to import is imported before it is needed."""
    code = (
        "import json, sys, mekuri, mekuri.bots, mekuri.lab.simulate\n"
        "from mekuri import games\n"
        "for name in games.names():\n"
        "    game = mekuri.game(name)\n"
        "    game.match(seed=1).round.view(0)\n"
        "    mekuri.lab.simulate.simulate(game, 2, plain=True)\n"
        "print(json.dumps(sorted({name.partition('.')[0] for name in sys.modules})))\n"
    )
    assert not {"numba", "numpy", "llvmlite", "scipy", "rich", "textual", "cyclopts"} & set(fresh(code))


def test_rules_run_plain_without_numba() -> None:
    """Without Numba all rules run plain, and functions that need machine code report it."""
    code = (
        "import json, sys\n"
        "sys.modules['numba'] = None\n"
        "import mekuri\n"
        "from mekuri import games\n"
        "from mekuri.engine.compiled import available\n"
        "from mekuri.lab import playout\n"
        "from mekuri.lab.simulate import simulate\n"
        "assert not available()\n"
        "checksums = [simulate(mekuri.game(name), 5, seed=1).checksum for name in games.names()]\n"
        "try:\n"
        "    playout.play_rounds.compiled([], [], [], 0, 0, 0, 0, [], [])\n"
        "except ImportError:\n"
        "    print(json.dumps(checksums))\n"
    )
    from mekuri.lab.simulate import simulate

    assert fresh(code) == [simulate(mekuri.game(name), 5, seed=1, plain=True).checksum for name in GAMES]
