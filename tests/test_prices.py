"""The price list of the tests: measured and booked costs, and folders that fail a run."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers import prices
from tests.helpers.folders import CHECKOUT
from tests.helpers.prices import COLLECTION, LOOP, Bill, Meter, Prices

BUDGETS = {COLLECTION: 10, "tests/a": 30, "tests/b": 5}


def bills(times: float) -> list[Bill]:
    """Two processes on a machine that is so many times slower, with a pause while each runs the loop."""
    loops = [LOOP * times, LOOP * times, LOOP * times * 7]
    first = Bill({COLLECTION: 8 * times, "tests/a": 20 * times}, {"tests/a/test_1.py::test": 12 * times}, loops)
    second = Bill(
        {COLLECTION: 9 * times, "tests/a": 9 * times, "tests/b": 4 * times}, {"tests/b/test_2.py::test": 3 * times}, loops
    )
    return [first, second]


@pytest.mark.parametrize("times", [1, 2, 0.5])
def test_busy_machine_fails_no_budget(times: float) -> None:
    assert Prices(bills(times), BUDGETS).faults() == []


@pytest.mark.parametrize("times", [1, 2, 0.5])
def test_folder_over_budget_is_named_on_any_machine(times: float) -> None:
    assert Prices(bills(times), BUDGETS | {"tests/a": 28}).faults() == ["tests/a costs 29 units, and its budget is 28"]


def test_collection_is_counted_per_process() -> None:
    assert Prices(bills(1), BUDGETS | {COLLECTION: 8}).faults() == ["collection costs 8 units, and its budget is 8"]


def test_folder_without_a_budget_fails() -> None:
    assert Prices(bills(1), {COLLECTION: 10, "tests/a": 30}).faults() == [
        "tests/b costs 4 units, and has no budget in pyproject.toml"
    ]


def test_empty_measurement_fails() -> None:
    assert Prices([], BUDGETS).faults() == ["nothing was measured"]


def test_list_is_sorted_by_cost() -> None:
    shown = list(Prices(bills(2), BUDGETS).lines())
    assert shown[0] == "   100.0 CPU s in all; a unit of the budgets is 2.00 CPU s here"
    assert [line.split()[:2] for line in shown[1:]] == [
        ["58.0", "tests/a"],
        ["34.0", "collection"],
        ["8.0", "tests/b"],
        ["The", "dearest"],
        ["24.0", "tests/a/test_1.py::test"],
        ["6.0", "tests/b/test_2.py::test"],
    ]


def test_cost_of_a_long_lived_process_is_booked_to_its_folder() -> None:
    """A server costs 5 s beside the first folder's tests, and ends in the other."""
    ended, alive = 3.0, 0.0
    meter = Meter(lambda: ended, lambda: ended + alive, lambda: LOOP)
    meter.collected()
    for test, following in (("tests/a/x.py::1", "tests/a/y.py::2"), ("tests/a/y.py::2", "tests/test_3.py::3")):
        for _ in meter.run(test, following):
            ended, alive = ended + 1, alive + 2.5
    for _ in meter.run("tests/test_3.py::3", None):
        ended, alive = ended + 1 + alive, 0
    assert meter.bill.folders == {COLLECTION: 3, "tests/a": 7, "tests": 1}


def test_processes_are_measured_while_they_live() -> None:
    busy = "import time\nwhile time.process_time() < 0.3: pass\nprint(flush=True)\ninput()"
    before, before_ended = prices.spent_with_living(), prices.spent()
    with subprocess.Popen([sys.executable, "-c", busy], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdout
        child.stdout.readline()
        if sys.platform == "linux":
            assert prices.spent_with_living() - before >= 0.2
        child.communicate(b"\n")
    assert prices.spent() - before_ended >= 0.2


def test_run_of_the_whole_suite_fails_over_budget(tmp_path: Path) -> None:
    """Two processes run it, and tests that wait for real time come last."""
    budgets = '[tool.mekuri.prices]\ncollection = 600\ncontroller = 600\n"tests/a" = 0\n'
    (tmp_path / "pyproject.toml").write_text(f'[tool.pytest]\ntestpaths = ["tests"]\nmarkers = ["real_time"]\n{budgets}')
    (tmp_path / "tests" / "a").mkdir(parents=True)
    late = "@pytest.mark.real_time\n@pytest.mark.parametrize('number', range(2))\ndef test_late(number): pass\n"
    for name in ("a", "b", "c"):
        (tmp_path / "tests" / "a" / f"test_{name}.py").write_text(
            f"import pytest\n{late if name == 'a' else ''}def test_1(): pass\ndef test_2(): pass\n"
        )
    around = os.environ | {"PYTHONPATH": str(CHECKOUT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    plugins = (word for name in ("xdist", "tests.helpers.order", "tests.helpers.prices") for word in ("-p", name))

    command = [sys.executable, "-m", "pytest", "-v", "-n", "2", *plugins]
    said = subprocess.run(command, cwd=tmp_path, env=around, capture_output=True, text=True, check=False)
    passed = [line for line in said.stdout.splitlines() if "PASSED" in line]
    assert len(passed) == 8, said.stderr
    assert ["test_late" in line for line in passed] == [False] * 6 + [True] * 2
    assert "OVER BUDGET: tests/a costs 0 units, and its budget is 0" in said.stdout
    assert said.returncode == 1
