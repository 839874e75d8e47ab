"""The order in which tests run: at random with a seed, and tests of real time alone."""

import json
import random
import secrets
from datetime import date
from itertools import groupby
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from tests.helpers import order
from tests.helpers.order import REAL_TIME, OneAfterAnother

NAMES = [f"tests/test_{module}.py::test_{number}" for module in "abcd" for number in range(6)]


def items(names: list[str]) -> list[Any]:
    return [SimpleNamespace(nodeid=name) for name in names]


class TestShuffled:
    def test_seed_gives_one_order_of_modules_and_tests(self) -> None:
        found = [test.nodeid for test in order.shuffled(items(NAMES), 1)]
        assert sorted(found) == sorted(NAMES)
        assert found == [test.nodeid for test in order.shuffled(items(NAMES), 1)]
        modules = [name.split("::")[0] for name in found]
        blocks = [module for module, _ in groupby(modules)]
        assert len(blocks) == 4
        assert blocks != sorted(blocks)
        assert found[:6] != sorted(found[:6])
        assert len({tuple(test.nodeid for test in order.shuffled(items(NAMES), seed)) for seed in range(20)}) == 20

    def test_order_within_a_module_is_independent_of_others(self) -> None:
        module = [name for name in NAMES if "test_c" in name]
        whole = [test.nodeid for test in order.shuffled(items(NAMES), 7)]
        assert [test.nodeid for test in order.shuffled(items(module), 7)] == [name for name in whole if name in module]


class Setting:
    """A setting of a test, which is run on one of so many days."""

    def __init__(self, test: str, number: int, marks: dict[str, int]) -> None:
        self.nodeid = f"{test}[{number}]"
        self._marks = marks

    def get_closest_marker(self, name: str) -> Any:
        return SimpleNamespace(args=(self._marks[name],)) if name in self._marks else None


def settings(test: str, number: int, **marks: int) -> list[Any]:
    return [Setting(test, n, marks) for n in range(number)]


def by_day(tests: list[Any], days: int) -> list[list[Any]]:
    """Return the tests of each of so many days."""
    found: list[list[Any]] = []
    for day in range(1, days + 1):
        today, later = order.in_turn(tests, date(2026, 11, day))
        assert sorted([*today, *later], key=tests.index) == tests
        assert today == sorted(today, key=tests.index)
        found.append(list(today))
    return found


def test_settings_take_turns_by_day() -> None:
    many, few, one = (settings(test, number, in_turn=3) for test, number in (("many", 7), ("few", 2), ("one", 1)))
    always = settings("always", 2)
    tests = [*few, *one, *always, *many]
    Random(7).shuffle(tests)  # the settings of a test may be apart from one another
    days = by_day(tests, 6)
    for today in days:
        assert len([test for test in few if test in today]) == 1
        assert all(test in today for test in (*one, *always))
    for three in (days[:3], days[1:4], days[3:]):
        assert [sum(test in today for today in three) for test in many] == [1] * 7


def test_expensive_tests_take_turns_by_day() -> None:
    dear = [settings(f"dear-{n}", 1, every_days=3)[0] for n in range(6)]
    both = settings("both", 3, every_days=3, in_turn=3)
    days = by_day([*dear[:3], *settings("always", 1), *dear[3:], *both], 9)
    for today in days:
        assert sum(test in today for test in dear) == 2
    for n in range(7):
        assert all(sum(test in today for today in days[n : n + 3]) == 1 for test in dear)
    assert [sum(test in today for today in days) for test in both] == [1] * 3


def test_random_draws_of_a_test_are_stable(request: pytest.FixtureRequest) -> None:
    seed = f"{request.config.getoption('--shuffle') or 0} {request.node.nodeid}"
    assert secrets.token_bytes(8) == Random(seed).randbytes(8)
    assert random.random() == Random(seed).random()
    assert len({secrets.token_hex(), secrets.token_hex()}) == 2


class Node:
    """A worker of xdist, which runs a test only when it knows what comes next."""

    def __init__(self, number: int, folder: Path) -> None:
        self.gateway = SimpleNamespace(id=f"gw{number}")
        self.workerinput = {"testrunuid": folder.name, "workerid": self.gateway.id}
        self.waiting: list[int] = []
        self.shutting_down = False

    def send_runtest_some(self, indices: list[int]) -> None:
        assert not self.shutting_down, "it would never run them"
        self.waiting += indices

    def shutdown(self) -> None:
        self.shutting_down = True

    @property
    def runs(self) -> bool:
        return len(self.waiting) > 1 or bool(self.waiting and self.shutting_down)


class Run:
    """Workers run tests, in any order of what they may do. Nothing runs beside tests that wait for real time, or after them.

    The worker of the test `crash` ends in it, and another takes its place.
    """

    def __init__(self, names: list[str], late: set[str], folder: Path, crash: str = "") -> None:
        self.names, self.late, self.folder, self.crash = names, late, folder, crash
        self.nodes: list[Any] = []
        self.started = 0

    def start(self) -> None:
        node: Any = Node(self.started, self.folder)
        self.started += 1
        self.nodes.append(node)
        self.scheduler.add_node(node)
        order._groups_file(node.workerinput).write_text(json.dumps(dict.fromkeys(self.late, REAL_TIME)))
        self.scheduler.add_node_collection(node, self.names)
        if self.scheduler.collection_is_completed:
            self.scheduler.schedule()

    def __call__(self, workers: int, seed: int) -> list[str]:
        """Return the tests that have run."""
        random = Random(seed)
        config: Any = SimpleNamespace(option=SimpleNamespace(loadscopereorder=True), getvalue=lambda _: ["popen"] * workers)
        self.scheduler = OneAfterAnother(config)
        for _ in range(workers):
            self.start()
        ran: list[str] = []
        running: dict[Any, str] = {}
        while busy := [node for node in self.nodes if node in running or node.runs]:
            node = random.choice(busy)
            if node not in running:
                running[node] = self.names[node.waiting[0]]
                assert len(running) == 1 or not self.late & set(running.values())
                continue
            ran.append(running.pop(node))
            if ran[-1] == self.crash:
                self.nodes.remove(node)
                assert self.scheduler.remove_node(node) == self.crash
                self.start()
            else:
                self.scheduler.mark_test_complete(node, node.waiting.pop(0))
        return ran


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))


class TestRealTime:
    @pytest.mark.parametrize("workers", [1, 2, 4])
    @pytest.mark.parametrize("late", [0, 1, 3])
    @pytest.mark.parametrize("others", [0, 1, 2, 24])
    def test_real_time_tests_run_last_and_alone(self, tmp_path: Path, workers: int, late: int, others: int) -> None:
        """Whatever the modules of the tests, and the order in which they were found."""
        for seed in range(10):
            names = [*NAMES[:others], *(f"tests/test_{number % 2}.py::test_{number}" for number in range(late))]
            waiting = set(names[others:])
            Random(seed).shuffle(names)
            ran = Run(names, waiting, tmp_path)(workers, seed)
            assert sorted(ran) == sorted(names)
            assert set(ran[others:]) == waiting

    @pytest.mark.parametrize("crashed", [0, 5, 23, 24, 26])
    def test_crashed_worker_loses_no_test(self, tmp_path: Path, crashed: int) -> None:
        names = [*NAMES, *(f"tests/test_late.py::test_{number}" for number in range(3))]
        for seed in range(10):
            ran = Run(names, set(names[24:]), tmp_path, names[crashed])(3, seed)
            assert sorted(ran) == sorted(names), "the test is not tried again"


def test_files_that_differ_are_compared_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    drawn = Random(1)
    one, other = (b"RIFF" + drawn.randbytes(60_000) for _ in range(2))
    with pytest.raises(AssertionError, match="60004 bytes and 60004 bytes differ at 4:"):
        assert one == other
