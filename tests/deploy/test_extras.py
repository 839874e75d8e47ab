"""The packages that the wheel requires without an extra, and with each, in otherwise empty environments."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.helpers.folders import CHECKOUT
from tests.helpers.installing import link_required, wheel_environment

# Runs commands in one process, and prints the status and the output of each as JSON.
RUN = """
import contextlib, io, json, sys
from mekuri.cli import main
ended = []
for words in json.loads(sys.argv[1]):
    out, err, status = io.StringIO(), io.StringIO(), 0
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main(words)
        except SystemExit as exit:
            status = exit.code
    ended.append((status, out.getvalue(), err.getvalue()))
print(json.dumps(ended))
"""
# Imports all modules of a package but the migrations, which only Alembic can import.
IMPORT_ALL = """
import importlib, pkgutil, sys
package = importlib.import_module(sys.argv[1])
for found in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
    if ".migrations." not in found.name:
        importlib.import_module(found.name)
"""
LACKING = {
    "server": ["", "serve --port 8413", "admin list", "backup file", "move-database here there"],
    "terminal": ["menu", "play tensho", "join http://127.0.0.1:8413/t/b7Zk2QxWm0Ra", "turns", "practice", "puzzles mushi"],
}


def run(lib: Path, *words: str, cwd: Path, path: str = "") -> str:
    """Run Python in an environment that knows nothing of the checkout.

    Args:
        lib: the environment's site-packages.
        words: the arguments of Python.
        cwd: the folder to run it in.
        path: a folder of further modules.

    Returns:
        Its output.
    """
    around = os.environ | {"PYTHONPATH": path}
    words = (str(lib.parents[2] / "bin" / "python"), *words)
    done = subprocess.run(words, cwd=cwd, env=around, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    return done.stdout


def commands(lib: Path, lines: list[str], cwd: Path) -> list[list[object]]:
    """Run commands. Returns the status, the output and the errors of each."""
    ended: list[list[object]] = json.loads(run(lib, "-c", RUN, json.dumps([line.split() for line in lines]), cwd=cwd))
    return ended


@pytest.fixture
def bare(pytestconfig: pytest.Config) -> Path:
    """The site-packages of an environment with the wheel and no extra."""
    return wheel_environment(pytestconfig)


def test_bare_wheel_runs_examples_of_readme(bare: Path, tmp_path: Path) -> None:
    run(bare, "-m", "doctest", "-o", "NORMALIZE_WHITESPACE", str(CHECKOUT / "README.md"), cwd=tmp_path)


def test_bare_wheel_brings_no_server_and_no_terminal(bare: Path, tmp_path: Path) -> None:
    looked = "from importlib.util import find_spec; import sys; print([name for name in sys.argv[1:] if find_spec(name)])"
    names = ("alembic", "faker", "httpx", "litestar", "numpy", "sqlalchemy", "textual", "uvicorn")
    assert run(bare, "-c", looked, *names, cwd=tmp_path) == "['numpy']\n"


def test_bare_wheel_simulates_and_lists_games(bare: Path, tmp_path: Path) -> None:
    lines = ["games", "simulate tensho --rounds 3 --plain --json", "arena tensho greedy random --pairs 1 --json"]
    ended = commands(bare, lines, tmp_path)
    assert [status for status, _, _ in ended] == [0, 0, 0], ended
    assert json.loads(str(ended[1][1]))["rounds"] == 3


@pytest.mark.parametrize("extra", LACKING)
def test_command_without_its_extra_names_it(bare: Path, tmp_path: Path, extra: str) -> None:
    message = f'mekuri: this needs packages that are not installed: pip install "mekuri[{extra}]"\n'
    assert commands(bare, LACKING[extra], tmp_path) == [[2, "", message]] * len(LACKING[extra])


@pytest.mark.parametrize("extra", LACKING)
def test_extra_brings_all_that_its_package_imports(bare: Path, tmp_path: Path, extra: str) -> None:
    link_required(bare, extra, tmp_path)
    run(bare, "-c", IMPORT_ALL, f"mekuri.{extra}", cwd=tmp_path, path=str(tmp_path))


def test_missing_module_of_no_extra_stays_an_error(bare: Path, tmp_path: Path) -> None:
    broken = RUN.replace("ended = []", "ended = []; sys.modules['mekuri.lab.simulate'] = None")
    with pytest.raises(AssertionError, match="ModuleNotFoundError"):
        run(bare, "-c", broken, json.dumps([["simulate", "tensho", "--rounds", "1"]]), cwd=tmp_path)
