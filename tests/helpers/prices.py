"""The price list: the processor time of the tests of each folder, and the folders that exceed their budgets. A plugin of pytest.

Each process that runs tests measures itself and all processes below it, and sends that to the process that reports. This prints the
list, and fails a run of the whole suite in which a folder is over its budget (`tool.mekuri.prices` in pyproject.toml).

The same work takes more processor time on a slow machine, and on a busy one, whose programs share cores and caches. So the budgets
are in units of a fixed loop that runs now and then between the tests: it gets dearer as they do.
"""

from __future__ import annotations

import os
import time
import tomllib
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

import pytest

LOOP = 0.015  # seconds of processor time that the loop takes where a unit is a second
BETWEEN = 5  # seconds of processor time from one such loop to the next
COLLECTION = "collection"  # with the imports before it; its budget is for each process
CONTROLLER = "controller"  # the process that reports, where others run the tests
DEAREST = 10
# With these a run is not that of the whole suite as ./test has it.
PARTIAL = (
    "keyword",
    "markexpr",
    "deselect",
    "ignore",
    "ignore_glob",
    "lf",
    "slow",
    "soak",
    "postgresql",
    "shuffle",
    "golden_write",
)
_TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100


@dataclass
class Bill:
    """The processor time of one process and of those below it, in seconds.

    Attributes:
        folders: of the tests of each folder, and of the collection.
        tests: of the dearest tests.
        loops: of each run of the loop.
    """

    folders: dict[str, float] = field(default_factory=dict)
    tests: dict[str, float] = field(default_factory=dict)
    loops: list[float] = field(default_factory=list)


class Meter:
    """Measures the tests of this process."""

    def __init__(self, spent: Callable[[], float], spent_with_living: Callable[[], float], loop: Callable[[], float]) -> None:
        self.bill = Bill()
        self._spent, self._spent_with_living, self._loop = spent, spent_with_living, loop
        self._booked = self._looped = 0.0

    def collected(self) -> None:
        """Book everything since the process has begun."""
        self._book(COLLECTION)

    def run(self, test: str, following: str | None) -> Generator[None, object, object]:
        """Measure one test while this is suspended. Processes that live longer than their test are looked for after each folder."""
        before = self._spent()
        if not self.bill.loops or before - self._looped > BETWEEN:
            self._looped = before
            self.bill.loops.append(self._loop())
        result = yield
        self.bill.tests[test] = self._spent() - before
        if len(self.bill.tests) > 50 * DEAREST:
            self.bill.tests = dearest(self.bill.tests)
        if following is None or folder(following) != folder(test):
            self._book(folder(test))
        return result

    def _book(self, name: str) -> None:
        now = self._spent_with_living()
        self.bill.folders[name] = self.bill.folders.get(name, 0) + max(0.0, now - self._booked)
        self._booked = now


def folder(test: str) -> str:
    """Return the folder of a test below tests/, or `tests` for a test at the top."""
    parts = test.split("::", maxsplit=1)[0].split("/")
    return "/".join(parts[:2]) if len(parts) > 2 else parts[0]


def dearest(tests: dict[str, float]) -> dict[str, float]:
    """Return the dearest tests, the dearest first."""
    return dict(sorted(tests.items(), key=lambda test: -test[1])[:DEAREST])


def spent() -> float:
    """Return the processor time of this process, and of those below it that have ended."""
    now = os.times()
    return now.user + now.system + now.children_user + now.children_system


def spent_with_living() -> float:
    """Return the processor time of this process and all below it. Living processes are known on Linux only."""
    below: dict[int, list[int]] = {}
    times: dict[int, float] = {}
    for file in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = file.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
        except OSError:
            continue  # it has just ended
        process = int(file.parent.name)
        below.setdefault(int(fields[1]), []).append(process)
        times[process] = sum(map(int, fields[11:15])) / _TICKS
    total, looked_at = spent(), [os.getpid()]
    for process in looked_at:  # it grows meanwhile
        looked_at += below.get(process, [])
    return total + sum(times[process] for process in looked_at[1:])


def loop() -> float:
    """Return the processor time of a fixed piece of work, in this thread."""
    before = time.thread_time()
    found: dict[str, int] = {}
    for number in range(50_000):
        word = str(number * 7919 % 10_007)
        found[word] = found.get(word, 0) + len(word)
    return time.thread_time() - before


@dataclass
class Prices:
    """The bills of all processes of a run, and the budgets of the folders in units."""

    bills: list[Bill]
    budgets: Mapping[str, float]

    @property
    def unit(self) -> float:
        """Seconds of processor time."""
        return median([loop for bill in self.bills for loop in bill.loops] or [LOOP]) / LOOP

    @property
    def folders(self) -> dict[str, float]:
        total: Counter[str] = Counter()
        for bill in self.bills:
            total.update(bill.folders)
        return dict(total.most_common())

    def faults(self) -> list[str]:
        """Say which folders cost more than they may."""
        counted = self.folders
        if COLLECTION not in counted:
            return ["nothing was measured"]
        counted[COLLECTION] /= sum(COLLECTION in bill.folders for bill in self.bills)
        found = []
        for name, seconds in counted.items():
            units = seconds / self.unit
            if name not in self.budgets:
                found.append(f"{name} costs {units:.0f} units, and has no budget in pyproject.toml")
            elif units > self.budgets[name]:
                found.append(f"{name} costs {units:.0f} units, and its budget is {self.budgets[name]}")
        return found

    def lines(self) -> Iterator[str]:
        """Lay the list out."""
        folders = self.folders
        yield f"{sum(folders.values()):8.1f} CPU s in all; a unit of the budgets is {self.unit:.2f} CPU s here"
        for name, seconds in folders.items():
            each = f" for each of {sum(name in bill.folders for bill in self.bills)} processes" if name == COLLECTION else ""
            yield f"{seconds:8.1f} {name} (budget: {self.budgets.get(name, 'none')} units{each})"
        yield "The dearest tests:"
        for test, seconds in dearest({test: each for bill in self.bills for test, each in bill.tests.items()}).items():
            yield f"{seconds:8.1f} {test}"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--prices", action="store_true", help="print what the tests cost also where not the whole suite is run")


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Plugin(config))


class Plugin:
    """The hooks of the reporting process and of the processes that run tests."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._meter = Meter(spent, spent_with_living, loop)
        self._faults: list[str] = []
        file = config.rootpath / "pyproject.toml"
        settings = tomllib.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
        self._prices = Prices([], settings.get("tool", {}).get("mekuri", {}).get("prices", {}))

    def pytest_collection_finish(self) -> None:
        self._meter.collected()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item, nextitem: pytest.Item | None) -> Generator[None, object, object]:
        return (yield from self._meter.run(item.nodeid, nextitem.nodeid if nextitem else None))

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        sent = getattr(node, "workeroutput", {}).get("prices")
        if sent:  # a process that has crashed sends none
            self._prices.bills.append(Bill(**sent))

    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        bill = self._meter.bill
        bill.tests = dearest(bill.tests)
        if hasattr(self._config, "workeroutput"):
            self._config.workeroutput["prices"] = asdict(bill)
            return
        if self._prices.bills:
            bill.folders[CONTROLLER] = time.process_time()
        self._prices.bills.append(bill)
        if exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED) and _whole(self._config):
            self._faults = self._prices.faults()
        if self._faults:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if not (_whole(self._config) or self._config.getoption("prices")):
            return
        terminalreporter.section("prices")
        for line in self._prices.lines():
            terminalreporter.write_line(line)
        for fault in self._faults:
            terminalreporter.write_line(f"OVER BUDGET: {fault}", red=True, bold=True)


def _whole(config: pytest.Config) -> bool:
    named = config.args_source is not pytest.Config.ArgsSource.TESTPATHS
    return not named and not any(config.getoption(option, None) for option in PARTIAL)
