"""The order in which tests run: those that wait for real time last, one at a time; with --shuffle at random. A plugin of pytest."""

import random
from collections.abc import Iterable, Iterator
from itertools import groupby

import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadGroupScheduling
from xdist.workermanage import WorkerController

REAL_TIME = "in real time"  # a group of tests


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--shuffle", type=int, metavar="SEED", help="run the modules and their tests in the random order of a seed")


def pytest_cmdline_main(config: pytest.Config) -> None:
    if hasattr(config, "workerinput"):
        config.option.loadgroup = True  # as --dist=loadgroup has it


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> "InTurn":
    return InTurn(config, log)


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> Iterator[None]:
    # pytest-xdist, inside this, adds the group to a test's name.
    for item in filter(_waits, items):
        item.add_marker(pytest.mark.xdist_group(REAL_TIME))
    yield
    seed = config.getoption("--shuffle")
    items[:] = sorted(items if seed is None else shuffled(items, seed), key=_waits)


def pytest_runtest_setup(item: pytest.Item) -> None:
    seed = item.config.getoption("--shuffle")
    if seed is not None:
        random.seed(f"{seed} {item.nodeid}")


def shuffled(items: Iterable[pytest.Item], seed: int) -> list[pytest.Item]:
    """Return tests with their modules in random order, and those of each module too.

    The order inside a module does not depend on which others run.
    """
    modules = [list(tests) for _, tests in groupby(sorted(items, key=_module), key=_module)]
    random.Random(seed).shuffle(modules)
    for tests in modules:
        random.Random(f"{seed} {_module(tests[0])}").shuffle(tests)
    return [test for tests in modules for test in tests]


class InTurn(LoadGroupScheduling):
    """The scheduler of xdist; it keeps tests that wait for real time until all others have ended, and lets one worker run them.

    Tests without a group are a group with their module, so that a module's fixtures are made once.
    """

    def _split_scope(self, nodeid: str) -> str:
        group = super()._split_scope(nodeid)
        return nodeid.split("::", maxsplit=1)[0] if group == nodeid else group

    def _assign_work_unit(self, node: WorkerController) -> None:
        while not self._only_real_time():
            scope = next(iter(self.workqueue))
            if REAL_TIME not in scope:
                return super()._assign_work_unit(node)
            self.workqueue.move_to_end(scope)
        return None

    def _reschedule(self, node: WorkerController) -> None:
        if not self.workqueue or not self._only_real_time():
            return super()._reschedule(node)
        # A worker runs its last test when it knows what comes next, which may be the end.
        last, *others = sorted(self.nodes, key=lambda node: node.shutting_down)
        for other in others:
            if not other.shutting_down:
                other.shutdown()
        if not any(self._pending_of(self.assigned_work[other]) for other in others):
            while self.workqueue:
                super()._assign_work_unit(last)
            last.shutdown()
        return None

    def _only_real_time(self) -> bool:
        return all(REAL_TIME in scope for scope in self.workqueue)


def _module(item: pytest.Item) -> str:
    return item.nodeid.split("::")[0]


def _waits(item: pytest.Item) -> bool:
    return item.get_closest_marker("real_time") is not None
