"""The order in which tests run: at random with a seed, and those that wait for real time alone."""

from collections.abc import Callable
from itertools import groupby
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from tests.helpers import order
from tests.helpers.order import REAL_TIME, InTurn

NAMES = [f"tests/test_{module}.py::test_{number}" for module in "abcd" for number in range(6)]


def items(names: list[str]) -> list[Any]:
    return [SimpleNamespace(nodeid=name) for name in names]


class TestShuffled:
    def test_a_seed_is_an_order_of_modules_and_of_tests(self) -> None:
        found = [test.nodeid for test in order.shuffled(items(NAMES), 1)]
        assert sorted(found) == sorted(NAMES)
        assert found == [test.nodeid for test in order.shuffled(items(NAMES), 1)]
        modules = [name.split("::")[0] for name in found]
        blocks = [module for module, _ in groupby(modules)]
        assert len(blocks) == 4
        assert blocks != sorted(blocks)
        assert found[:6] != sorted(found[:6])
        assert len({tuple(test.nodeid for test in order.shuffled(items(NAMES), seed)) for seed in range(20)}) == 20

    def test_a_module_alone_keeps_its_order(self) -> None:
        module = [name for name in NAMES if "test_c" in name]
        whole = [test.nodeid for test in order.shuffled(items(NAMES), 7)]
        assert [test.nodeid for test in order.shuffled(items(module), 7)] == [name for name in whole if name in module]


class Node:
    """A worker of xdist, which runs a test only when it knows what comes next."""

    def __init__(self, name: str) -> None:
        self.gateway = SimpleNamespace(id=name)
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


def run(names: list[str], workers: int, seed: int, crash: Callable[[str], bool] = lambda _: False) -> list[str]:
    """Run tests in any order of what workers may do, each for a while; check that those for real time have nothing beside them."""
    random = Random(seed)
    config: Any = SimpleNamespace(option=SimpleNamespace(loadscopereorder=True), getvalue=lambda _: ["popen"] * workers)
    scheduler = InTurn(config)
    nodes: list[Any] = []

    def start() -> None:
        nodes.append(Node(f"gw{len(nodes)}"))
        scheduler.add_node(nodes[-1])
        scheduler.add_node_collection(nodes[-1], names)
        if scheduler.collection_is_completed:
            scheduler.schedule()

    for _ in range(workers):
        start()
    ran: list[str] = []
    running: dict[Any, str] = {}
    while busy := [node for node in nodes if node in running or node.runs]:
        node = random.choice(busy)
        if node not in running:
            running[node] = names[node.waiting[0]]
            if any(REAL_TIME in name for name in running.values()):
                assert len(running) == 1
                assert all(REAL_TIME in name or name in ran for name in names if name not in running.values())
            continue
        name = running.pop(node)
        ran.append(name)
        if crash(name):
            nodes.remove(node)
            assert scheduler.remove_node(node) == name
            start()
        else:
            scheduler.mark_test_complete(node, node.waiting.pop(0))
    assert scheduler.tests_finished
    return ran


class TestInTurn:
    @pytest.mark.parametrize("workers", [1, 2, 4])
    @pytest.mark.parametrize("late", [0, 1, 3])
    @pytest.mark.parametrize("others", [0, 1, 2, 24])
    def test_real_time_comes_last_and_alone(self, workers: int, late: int, others: int) -> None:
        names = [*NAMES[:others], *(f"tests/test_{number % 2}.py::test_{number}@{REAL_TIME}" for number in range(late))]
        for seed in range(10):
            Random(seed).shuffle(names)
            assert sorted(run(names, workers, seed)) == sorted(names)
