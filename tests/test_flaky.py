"""The tool that looks for tests that fail by chance: its runs and its output."""

from pathlib import Path

import pytest

from tests.helpers.folders import CHECKOUT
from tools import flaky

SEEDS = (2, 3)  # with the latter alone the second test of this module comes before the first
TESTS = """
import random
import pytest

seen = []

@pytest.mark.parametrize("number", [1, 2])
class TestOrder:
    def test_of_both(self, number):
        seen.append(number)
        assert seen != [2]

def test_drawn():
    assert random.random() in [random.Random(f"{seed} tests/test_it.py::test_drawn").random() for seed in (2, 3)]
"""
PLUGINS = [word for name in ("xdist", "_hypothesis_pytestplugin", "tests.helpers.order") for word in ("-p", name)]


@pytest.fixture
def _checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_it.py").write_text(TESTS, encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text('[tool.pytest]\ntestpaths = ["tests"]\n', encoding="utf-8")
    monkeypatch.setattr(flaky, "CHECKOUT", tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(CHECKOUT))
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")


@pytest.mark.usefixtures("_checkout")
def test_test_failing_in_one_order_is_named(capfd: pytest.CaptureFixture[str]) -> None:
    assert flaky.main(["--times", "2", "--load", "1", "--seed", str(SEEDS[0]), "-n", "0", *PLUGINS]) == 1
    _, said = capfd.readouterr().out.split("== 2 runs: ")
    again = ".venv/bin/python -m pytest --shuffle=3 --hypothesis-seed=3 --no-loadscope-reorder -n 0"
    assert said.splitlines()[:2] == ["1 tests have failed", "1 of 2: tests/test_it.py::TestOrder::test_of_both[2]"]
    assert f"PYTHONHASHSEED=3 {again}" in said


def test_broken_run_without_a_failed_test_is_a_failure() -> None:
    assert list(flaky.said({}, [7], 1, []))[-1].startswith("no test has failed, but the run has: PYTHONHASHSEED=7 ")


def test_load_ends_with_the_run() -> None:
    with flaky.load(2) as busy:
        assert [process.poll() for process in busy] == [None, None]
    assert None not in [process.poll() for process in busy]
