"""The programs of ./test and its output, with stand-ins for all programs."""

import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers.folders import CHECKOUT
from tests.helpers.patience import PATIENCE

ENVIRONMENT = 'environment() { [ "${venv-}" != "$LACKS" ]; }\npip_install() { :; }\n'
MODULE = 'import os, sys, time\nprint("{name}", sys.argv[1:], flush=True)\n{more}sys.exit("{name}" in os.environ["BAD"])\n'
WAITS = 'if "WAIT" in os.environ: time.sleep(600)\n'
PAGE = ["page: types, layout, svelte-check", "page: eslint, knip", "page: vitest"]
CHECKS = ["ruff check", "ruff format", "mypy", "lint-imports", *PAGE]

# Under coverage, each child Python reads the settings of coverage from its folder, and the files here are stand-ins.
AROUND = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE_")}

pytestmark = pytest.mark.skipif(os.name == "nt", reason="it is a shell script")


@pytest.fixture
def run(tmp_path: Path) -> list[str]:
    """The words that start it in a project of stand-ins, which claims one Python more than its .venv has."""
    here = f"{sys.version_info[0]}.{sys.version_info[1]}"
    for folder in ("tools", "node", "web", ".venv/bin", ".venv-3.99/bin"):
        (tmp_path / folder).mkdir(parents=True)
    shutil.copy(CHECKOUT / "test", tmp_path)
    (tmp_path / "pyproject.toml").write_text("".join(f'"Programming Language :: Python :: {each}",\n' for each in (here, "3.99")))
    (tmp_path / "tools" / "environment.sh").write_text(ENVIRONMENT)
    (tmp_path / "tools" / "build_page.py").write_text(f"print({str(tmp_path / 'node')!r})")
    for name, more in (("pytest", WAITS), ("coverage", "")):
        (tmp_path / f"{name}.py").write_text(MODULE.format(name=name, more=more))
    for program in ("node/npm", *(f".venv/bin/{name}" for name in ("ruff", "mypy", "lint-imports", "mekuri"))):
        name = Path(program).name
        file = tmp_path / program
        file.write_text(f'#!/bin/sh\necho {name} "$@"\ncase " $BAD " in *" {name} "*) exit 3 ;; esac\n')
        file.chmod(0o755)
    for venv in (".venv", ".venv-3.99"):
        (tmp_path / venv / "bin" / "python").write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
        (tmp_path / venv / "bin" / "python").chmod(0o755)
    return [str(tmp_path / "test")]


def said(words: list[str], *arguments: str, bad: str = "", lacks: str = "nothing") -> tuple[int, str]:
    around = AROUND | {"BAD": bad, "LACKS": lacks, "PYTHONPATH": ""}
    # Nothing of Debian's is looked for, or installed: every program is there.
    ended = subprocess.run(
        ["sh", "-c", f"command() {{ :; }}; . {words[0]}", words[0], *arguments], env=around, capture_output=True, check=False
    )
    return ended.returncode, ended.stdout.decode()


def headers(output: str) -> list[str]:
    return re.findall(r"^== (.*)$", output, re.MULTILINE)


def test_every_check_runs_and_prints_in_one_piece(run: list[str]) -> None:
    status, output = said(run)
    assert (status, headers(output)[:-1]) == (0, ["machine code", "pytest", *CHECKS])
    assert "\n== ruff format\nruff format --check\n\n== mypy\n" in output


def test_failed_checks_are_named_last(run: list[str]) -> None:
    status, output = said(run, "-n", "2", bad="mypy npm")
    assert status == 3
    assert output.splitlines()[-1] == f"== failed: mypy, {', '.join(PAGE)}"
    assert "lint-imports --no-logo" in output, "what comes later runs all the same"
    assert said(run, bad="pytest mypy")[0] == 1, "the first"


def test_slow_run_covers_the_other_python(run: list[str]) -> None:
    status, output = said(run, "--slow")
    assert status == 0, output
    assert headers(output)[1:5] == ["pytest", "pytest on PostgreSQL", "pytest on Python 3.99", "coverage"]
    assert "coverage ['run', '-m', 'pytest', '-p', 'no:tests.helpers.prices', '-n', 'auto']" in output
    status, output = said(run, "--slow", lacks=".venv-3.99")
    assert status == 1
    assert "NOTHING IS TESTED ON PYTHON 3.99" in output
    assert output.splitlines()[-1] == "== failed: Python 3.99"


def test_interrupt_ends_every_program(run: list[str]) -> None:
    around = AROUND | {"BAD": "", "LACKS": "nothing", "PYTHONPATH": "", "WAIT": ""}
    words = ["sh", "-c", f"command() {{ :; }}; . {run[0]}", run[0]]
    with subprocess.Popen(words, env=around, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as script:
        assert script.stdout
        assert any(line.startswith(b"pytest [") for line in script.stdout)
        script.send_signal(signal.SIGINT)
        script.communicate(timeout=PATIENCE)  # whose end comes when nobody holds the other side
    assert script.returncode == 130
