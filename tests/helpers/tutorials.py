"""Running a tutorial: every block of its Markdown, in order, in a folder of its own.

| block | is |
|---|---|
| any language, with `title="FILE"` | written to the file |
| `diff`, with `title="FILE"` | applied to the file, which must contain the lines without a plus once, in sequence |
| `console` | run: the commands after `$`, each of which must succeed and print what follows (`...` is anything) |
| `console`, with any `title` | run beside the others until the end, once it has printed what follows |
| `python` | run as a doctest |
| `sh` | a suggestion that is not run: tests/test_docs.py checks that the command would be understood |
| `text` | not run |
"""

import contextlib
import doctest
import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from tests.helpers.folders import CHECKOUT
from tests.helpers.installing import environment_like_here
from tests.helpers.patience import PATIENCE
from tests.helpers.running import run_python
from tests.helpers.server.ports import free_port

FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
BLOCK = re.compile(r'^```(\w+)(?: title="([^"]+)")?\n(.*?)^```$', re.MULTILINE | re.DOTALL)
PORT = "8413"  # the port of `mekuri serve`; the tests use a free one

# A program that plays a round by pressing Enter whenever an action is asked for.
PLAY_BY_ENTER = """
import asyncio, sys
import mekuri
from mekuri.terminal.base.local import ask_table, local_play
from mekuri.terminal.screens.sheet import SheetScreen
from tests.helpers.screens import LARGE, on_screen, until_asked

async def play():
    play = await local_play(ask_table(mekuri.game(sys.argv[1]), ("you", "greedy"), {"rounds": 1}), 0, 1)
    async with on_screen(play, size=LARGE) as (app, pilot):
        while await until_asked(pilot):
            await pilot.press("enter")
        assert isinstance(app.screen, SheetScreen)
    print("played")

asyncio.run(play())
"""


@dataclass(frozen=True)
class Block:
    """A fenced block of Markdown.

    Attributes:
        language: its language.
        title: its title; empty for none.
        text: its text.
        line: the line of the file at which it begins, from 1.
    """

    language: str
    title: str
    text: str
    line: int

    def commands(self) -> list[tuple[str, str]]:
        """Return the commands of a console, each with the output it must have."""
        found = re.findall(r"^\$ (.*\n(?:> .*\n)*)((?:(?!\$ ).*\n)*)", self.text, re.MULTILINE)
        return [(command.replace("\n> ", "\n").strip(), printed) for command, printed in found]


def blocks(text: str) -> list[Block]:
    return [Block(found[1], found[2] or "", found[3], text[: found.start()].count("\n") + 1) for found in BLOCK.finditer(text)]


class Tutorial:
    """A tutorial that is being run.

    Attributes:
        folder: the folder of its files and commands.
        left: the programs that this machine lacks, whose commands were left out.
    """

    def __init__(self, document: Path, folder: Path) -> None:
        self._text = document.read_text(encoding="utf-8")
        self._name = document.name
        self._port = str(free_port())
        self._running: list[subprocess.Popen[str]] = []
        self.left: set[str] = set()
        self._venv = folder / "venv"
        self.folder = folder / "work"
        self.folder.mkdir()
        self._around = self._environment(folder)

    def _environment(self, folder: Path) -> dict[str, str]:
        """Return the variables of an environment that has Mekuri, and in which pip installs without asking a registry."""
        environment_like_here(self._venv)
        programs = self._venv / "bin"
        for name, words in (("mekuri", "-m mekuri"), ("pip", "-m pip")):
            program = programs / name
            program.write_text(f'#!/bin/sh\nexec "{programs / "python"}" {words} "$@"\n', encoding="utf-8")
            program.chmod(0o755)
        return {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")} | {
            "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
            "PYTHONUNBUFFERED": "1",
            "COLUMNS": "100",
            "PIP_NO_INDEX": "1",
            "PIP_NO_BUILD_ISOLATION": "0",  # pip reads this as --no-build-isolation
            "PIP_DISABLE_PIP_VERSION_CHECK": "1",
            "MEKURI_SERVE_PORT": self._port,
            "MEKURI_SERVE_DATABASE": str(folder / "mekuri.db"),
            "MEKURI_SERVE_PACE": "0",
        }

    def do(self) -> None:
        """Run all blocks, in order.

        Raises:
            AssertionError: something is not as the tutorial says.
        """
        try:
            for block in blocks(self._text):
                with self._at(block):
                    self._do(block)
        finally:
            for process in self._running:
                process.kill()
                process.communicate()

    def _do(self, block: Block) -> None:
        match block.language:
            case "console" if block.title:
                for command, printed in block.commands():
                    self._start(command, printed)
            case "console":
                for command, printed in block.commands():
                    self._run(command, printed)
            case "diff":
                self._change(self.folder / block.title, block.text)
            case _ if block.title:
                path = self.folder / block.title
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(self._here(block.text), encoding="utf-8")
            case "python":
                self._try(block)
            case language:
                assert language in {"sh", "text"}, language

    @contextlib.contextmanager
    def _at(self, block: Block) -> Any:
        try:
            yield
        except AssertionError as error:
            raise AssertionError(f"{self._name}, line {block.line}: {error}") from None

    def _here(self, text: str) -> str:
        return text.replace(PORT, self._port)

    def _python(self, *words: str, path: str = "") -> subprocess.CompletedProcess[str]:
        return run_python(*words, cwd=self.folder, env=self._around | ({"PYTHONPATH": path} if path else {}), venv=self._venv)

    def _shell(self, command: str) -> subprocess.CompletedProcess[str]:
        given: dict[str, Any] = {"cwd": self.folder, "env": self._around, "text": True, "encoding": "utf-8", "timeout": PATIENCE}
        return subprocess.run(["sh", "-c", command], capture_output=True, check=False, **given)

    def _check(self, command: str, ended: subprocess.CompletedProcess[str]) -> None:
        assert ended.returncode == 0, f"{command}\n{ended.stdout[-4000:]}\n{ended.stderr[-4000:]}"

    def _run(self, command: str, printed: str) -> None:
        if command.startswith("curl ") and not shutil.which("curl"):
            self.left.add("curl")
            return
        if played := re.fullmatch(r"mekuri play (\w+)", command):
            path = os.pathsep.join(filter(None, [str(CHECKOUT), os.environ.get("PYTHONPATH", "")]))
            ended = self._python("-c", PLAY_BY_ENTER, played[1], path=path)
        elif re.fullmatch(r"mekuri [\w ./-]+", command):
            ended = self._python("-m", *command.split())
        else:
            ended = self._shell(self._here(command))
        self._check(command, ended)
        if printed.strip():
            self._compare(command, printed, ended.stdout)

    def _compare(self, command: str, printed: str, out: str) -> None:
        wanted = self._here(printed)
        assert doctest.OutputChecker().check_output(wanted, out, FLAGS), f"$ {command}\n{out}\nis not\n\n{wanted}"

    def _start(self, command: str, printed: str) -> None:
        process = subprocess.Popen(
            ["sh", "-c", f"exec {command}"], cwd=self.folder, env=self._around, stdout=subprocess.PIPE, text=True, encoding="utf-8"
        )
        self._running.append(process)
        out: IO[str] | None = process.stdout
        assert out
        self._compare(command, printed, "".join(out.readline() for _ in printed.splitlines()))

    def _change(self, path: Path, text: str) -> None:
        lines = text.splitlines(keepends=True)
        before = "".join(line[1:] or "\n" for line in lines if line[:1] != "+")
        after = "".join(line[1:] or "\n" for line in lines if line[:1] != "-")
        there = path.read_text(encoding="utf-8")
        assert there.count(before) == 1, f"this stands {there.count(before)} times in {path.name}:\n{before}"
        path.write_text(there.replace(before, after), encoding="utf-8")

    def _try(self, block: Block) -> None:
        """Run a block as a doctest in the tutorial's environment."""
        typed = self.folder.parent / "typed.txt"
        typed.write_text(block.text, encoding="utf-8")
        words = ["-m", "doctest", "-o", "ELLIPSIS", "-o", "NORMALIZE_WHITESPACE", str(typed)]
        self._check("a doctest", self._python(*words))


def do_tutorial(document: Path, folder: Path) -> set[str]:
    """Run a tutorial. Returns the programs that are missing here, whose commands were left out."""
    tutorial = Tutorial(document, folder)
    tutorial.do()
    return tutorial.left
