"""Running Python in copies of a process that has imported Mekuri: as apart as a process of its own, without the time of its start.

A copy has looked at no distribution but Mekuri itself: each finds what is installed where it runs.
"""

import atexit
import json
import os
import runpy
import site
import socket
import subprocess
import sys
import traceback
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import NoReturn

from tests.helpers.folders import CHECKOUT

_AROUND = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}  # before any test changes it

spent: list[float] = []
"""The processor time of each copy, in seconds: copies are no children of this process, which counts that of its own."""


def run_python(
    *words: str, cwd: Path | None = None, env: Mapping[str, str] | None = None, venv: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Run Python with these words, such as `-m mekuri games`.

    Args:
        words: `-m MODULE` or `-c CODE`, and arguments.
        cwd: its folder; None for the one here.
        env: its variables; None for those here.
        venv: the environment whose Python it is; None for this one.
    """
    with TemporaryDirectory() as folder:
        asked = {"words": words, "cwd": str(cwd or Path.cwd()), "env": dict(os.environ if env is None else env)}
        _original().sendall(json.dumps(asked | {"venv": venv and str(venv), "folder": folder}).encode() + b"\n")
        answer = _original().recv(64).decode().split()
        assert answer, "the process that is copied has ended"
        out, err = ((Path(folder) / name).read_text(encoding="utf-8") for name in ("out", "err"))
    spent.append(float(answer[1]))
    return subprocess.CompletedProcess(words, int(answer[0]), out, err)


def python_prints(*words: str, cwd: Path | None = None) -> str:
    """Run Python with these words and return its output. Fails if Python fails."""
    ended = run_python(*words, cwd=cwd)
    assert ended.returncode == 0, f"{ended.stdout[-4000:]}\n{ended.stderr[-4000:]}"
    return ended.stdout


@cache
def _original() -> socket.socket:
    """Start the process that is copied. Returns the connection to it; it ends when that is closed."""
    here, there = socket.socketpair()
    words = [sys.executable, "-m", __name__, str(there.fileno())]
    path = os.pathsep.join(filter(None, [_AROUND.get("PYTHONPATH"), str(CHECKOUT)]))
    around = _AROUND | {"PYTHONPATH": path, "PYTHONIOENCODING": "utf-8"}
    process = subprocess.Popen(words, pass_fds=[there.fileno()], env=around, stdin=subprocess.DEVNULL)
    there.close()

    def end() -> None:
        here.close()
        process.wait()

    atexit.register(end)
    return here


def _serve(connection: socket.socket) -> None:
    """Copy this process for everything that is asked, one after the other, and answer with its exit status."""
    import numba  # noqa: F401 - the slowest to import

    from mekuri import cli, games, testing  # noqa: F401

    games.names()
    games._places.cache_clear()
    sys.path[:] = [path for path in sys.path[1:] if path not in os.environ["PYTHONPATH"].split(os.pathsep)]
    with connection.makefile("r", encoding="utf-8") as lines:
        for line in lines:
            copy = os.fork()
            if not copy:
                connection.close()
                _become(**json.loads(line))
            _, status, used = os.wait4(copy, 0)
            connection.sendall(f"{os.waitstatus_to_exitcode(status)} {used.ru_utime + used.ru_stime}".encode())


def _become(words: Sequence[str], cwd: str, env: Mapping[str, str], venv: str | None, folder: str) -> NoReturn:
    """Run what was asked for in this process, as if it had just begun, and end."""
    for number, name in ((1, "out"), (2, "err")):
        os.dup2(os.open(os.path.join(folder, name), os.O_WRONLY | os.O_CREAT), number)
    status = 1
    try:
        os.chdir(cwd)
        os.environ.clear()
        os.environ.update(env)
        added = [path for path in env.get("PYTHONPATH", "").split(os.pathsep) if path]
        sys.path[:] = [cwd, *added, *sys.path]
        sys.dont_write_bytecode = bool(env.get("PYTHONDONTWRITEBYTECODE"))
        if venv:
            sys.executable = os.path.join(venv, "bin", "python")
            for lib in Path(venv).glob("lib/python*/site-packages"):
                site.addsitedir(str(lib))
        how, what, *_ = words
        sys.argv[:] = [how, *words[2:]]
        if how == "-m":
            runpy.run_module(what, run_name="__main__", alter_sys=True)
        else:
            main = sys.modules["__main__"] = ModuleType("__main__")
            exec(what, main.__dict__)
        status = 0
    except SystemExit as leaving:
        status = leaving.code if isinstance(leaving.code, int) else int(leaving.code is not None)
        if status and not isinstance(leaving.code, int):
            print(leaving.code, file=sys.stderr)
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


if __name__ == "__main__":
    _serve(socket.socket(fileno=int(sys.argv[1])))
