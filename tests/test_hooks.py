"""The hooks for pre-commit: their programs exist, they pass the repository's files, and stop faulty ones."""

import importlib
import json
import re
import shlex
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.folders import CHECKOUT

yaml: Any = importlib.import_module("yaml")
REPOS = yaml.safe_load((CHECKOUT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))["repos"]
HOOKS = {hook["id"]: hook for repo in REPOS for hook in repo["hooks"]}


def run(id: str, *files: Path) -> int:
    return subprocess.run([*shlex.split(HOOKS[id]["entry"]), *files], cwd=CHECKOUT, capture_output=True, check=False).returncode


def test_hooks_fetch_nothing() -> None:
    assert [repo["repo"] for repo in REPOS] == ["local"]
    assert {hook["language"] for hook in HOOKS.values()} == {"system"}


@pytest.mark.parametrize("id", [id for id, hook in HOOKS.items() if hook.get("pass_filenames", True)])
def test_sound_file_passes_and_faulty_one_is_stopped(id: str, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.py"
    wrong.write_text("import os\nx = ( 1)\n")
    assert run(id, CHECKOUT / "src/mekuri/__init__.py") == 0
    assert run(id, wrong) == 1


def test_import_rules_pass() -> None:
    assert run("lint-imports") == 0


def test_page_hook_runs_the_checks_of_test() -> None:
    scripts = json.loads((CHECKOUT / "web/package.json").read_text(encoding="utf-8"))["scripts"]
    called = re.findall(r"npm --prefix web run --silent (\w+)", HOOKS["page"]["entry"])
    assert called == ["check", "lint"]
    assert set(called) <= scripts.keys()
    assert subprocess.run(["sh", "-n", "-c", shlex.split(HOOKS["page"]["entry"])[2]], check=False).returncode == 0


@pytest.mark.parametrize("id", [id for id, hook in HOOKS.items() if "files" in hook])
def test_patterns_of_hooks_match_files(id: str) -> None:
    there = [
        path.relative_to(CHECKOUT).as_posix() for folder in ("src", "web/src", "docs") for path in (CHECKOUT / folder).rglob("*")
    ]
    assert any(re.search(HOOKS[id]["files"], path) for path in there)
