"""Which tests run on a day, in which order, and what each of them draws. A plugin of pytest.

Tests that wait for real time run last, one at a time. Every test has numbers and secrets of its own, the same in each run, so that
a server deals the same cards and makes the same tokens again; with --shuffle they follow from its seed.
"""

import json
import random
import secrets
import tempfile
from collections.abc import Generator, Iterable, Iterator, Sequence
from datetime import date
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling
from xdist.workermanage import WorkerController

REAL_TIME = "in real time"  # a group of tests


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="also run the tests that take minutes")
    parser.addoption("--soak", action="store_true", help="also run the long sweeps, and what --slow runs")
    parser.addoption(
        "--day", default=date.today().isoformat(), help="run what takes turns by date as on this day: --day=2026-11-26"
    )
    parser.addoption("--shuffle", type=int, metavar="SEED", help="run the modules and their tests in the random order of a seed")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> "OneAfterAnother":
    return OneAfterAnother(config, log)


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> Iterator[None]:
    yield
    # Tests given by name run on any day, and so do all with --slow.
    if config.args_source is pytest.Config.ArgsSource.TESTPATHS and not (config.getoption("--slow") or config.getoption("--soak")):
        items[:], later = in_turn(items, date.fromisoformat(config.getoption("--day")))
        config.hook.pytest_deselected(items=later)
    seed = config.getoption("--shuffle")
    items[:] = sorted(items if seed is None else shuffled(items, seed), key=_waits)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_finish(session: pytest.Session) -> None:
    """Leave the groups of the tests for `OneAfterAnother`: with pytest 9.2, --dist=loadgroup of xdist 3.8 knows none."""
    if hasattr(session.config, "workerinput"):
        groups = {item.nodeid: group for item in session.items if (group := _group(item))}
        _groups_file(session.config.workerinput).write_text(json.dumps(groups), encoding="utf-8")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    seed = f"{item.config.getoption('--shuffle') or 0} {item.nodeid}"
    random.seed(seed)
    drawn = random.Random(seed)
    with pytest.MonkeyPatch.context() as patch:
        # All that `secrets` has is made from these.
        patch.setattr(secrets, "token_bytes", lambda length=None: drawn.randbytes(length or secrets.DEFAULT_ENTROPY))
        patch.setattr(secrets, "randbelow", drawn.randrange)
        patch.setattr(secrets, "choice", drawn.choice)
        return (yield)


def shuffled(items: Iterable[pytest.Item], seed: int) -> list[pytest.Item]:
    """Return tests with their modules in random order, and those of each module too.

    The order inside a module does not depend on which others run.
    """
    modules = [list(tests) for _, tests in groupby(sorted(items, key=_module), key=_module)]
    random.Random(seed).shuffle(modules)
    for tests in modules:
        random.Random(f"{seed} {_module(tests[0])}").shuffle(tests)
    return [test for tests in modules for test in tests]


def in_turn(items: Sequence[pytest.Item], day: date) -> tuple[list[pytest.Item], list[pytest.Item]]:
    """Return the tests that run on a day, and those left to another day.

    Of a test marked `in_turn(3)` every third setting runs on one day, and all have run in three days. At least one runs every day.
    A test marked `every_days(3)` runs on every third day only, its neighbours of this kind on others.
    """
    tests: dict[str, list[pytest.Item]] = {}
    for item in items:
        tests.setdefault(item.nodeid.partition("[")[0], []).append(item)
    later: set[pytest.Item] = set()
    dear = 0
    for number, settings in enumerate(tests.values()):
        turn = day.toordinal()
        if mark := settings[0].get_closest_marker("every_days"):
            dear += 1
            turn, rest = divmod(turn + dear, mark.args[0])
            if rest:
                later.update(settings)
        if mark := settings[0].get_closest_marker("in_turn"):
            of = min(mark.args[0], len(settings))
            later.update(item for place, item in enumerate(settings) if (place + number + turn) % of)
    return [item for item in items if item not in later], [item for item in items if item in later]


class OneAfterAnother(LoadScopeScheduling):  # type: ignore[misc]
    """The scheduler of xdist; it keeps tests that wait for real time until all others have ended, and lets one worker run them.

    One worker runs all tests of a group (`xdist_group`). Tests without one are a group with their module, so that its fixtures are
    made once. A test that ended its worker is not tried again: one that hangs would end worker after worker.
    """

    def __init__(self, config: pytest.Config, log: Producer | None = None) -> None:
        super().__init__(config, log)
        self._groups: dict[str, str] = {}

    def add_node_collection(self, node: WorkerController, collection: Sequence[str]) -> None:
        file = _groups_file(node.workerinput)
        self._groups |= json.loads(file.read_text(encoding="utf-8"))
        file.unlink()
        super().add_node_collection(node, collection)

    def remove_node(self, node: WorkerController) -> str | None:
        groups = self.assigned_work[node].values()
        crashed = next((test for group in groups for test, complete in group.items() if not complete), None)
        for group in groups:
            if crashed in group:
                group[crashed] = True
        super().remove_node(node)
        return crashed

    def _split_scope(self, nodeid: str) -> str:
        return self._groups.get(nodeid, nodeid.split("::", maxsplit=1)[0])

    def _assign_work_unit(self, node: WorkerController) -> None:
        if not self._only_real_time():
            if next(iter(self.workqueue)) == REAL_TIME:
                self.workqueue.move_to_end(REAL_TIME)
            super()._assign_work_unit(node)

    def _reschedule(self, node: WorkerController) -> None:
        if not self._only_real_time():
            super()._reschedule(node)
        # A worker that takes the place of another may be given the last test of a module, and would wait for the next for ever.
        while not self._only_real_time() and not node.shutting_down and self._pending_of(self.assigned_work[node]) < 2:
            super()._reschedule(node)
        if not self._only_real_time():
            return
        # A worker runs its last test when it knows what comes next, which may be the end.
        last, *others = sorted(self.nodes, key=lambda node: node.shutting_down)
        for other in others:
            if not other.shutting_down:
                other.shutdown()
        if not last.shutting_down and not any(self._pending_of(self.assigned_work[other]) for other in others):
            super()._assign_work_unit(last)
            last.shutdown()

    def _only_real_time(self) -> bool:
        return len(self.workqueue) == 1 and REAL_TIME in self.workqueue


def _module(item: pytest.Item) -> str:
    return item.nodeid.split("::")[0]


def _waits(item: pytest.Item) -> bool:
    return item.get_closest_marker("real_time") is not None


def _group(item: pytest.Item) -> str | None:
    mark = item.get_closest_marker("xdist_group")
    return REAL_TIME if _waits(item) else str(mark.args[0]) if mark else None


def _groups_file(worker: dict[str, Any]) -> Path:
    return Path(tempfile.gettempdir()) / f"mekuri-groups-{worker['testrunuid']}-{worker['workerid']}.json"
