"""Running the command `mekuri` in this process."""

import asyncio
import sys
from collections.abc import Iterator

import pytest

from mekuri import cli


def run_command(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    """Run the command. Returns its exit status, its standard output and its standard error."""
    try:
        cli.main([*map(str, words)])
        status = 0
    except SystemExit as leaving:
        status = leaving.code if isinstance(leaving.code, int) else 1
    return status, *capsys.readouterr()


class Said:
    """Runs the command in a thread, beside a server in this process, with words before and after those of each call."""

    def __init__(self, capsys: pytest.CaptureFixture[str], verb: str, *after: str) -> None:
        self._capsys, self._verb, self._after = capsys, verb, after

    async def __call__(self, *words: str) -> str:
        """Return the output of the command, or the reason why it refuses."""
        self._capsys.readouterr()
        status, out, err = await asyncio.to_thread(run_command, self._capsys, self._verb, *words, *self._after)
        return err if status else out


def type_answers(monkeypatch: pytest.MonkeyPatch, answers: list[str] | None) -> Iterator[str]:
    """Type answers in a terminal, each after its prompt. Without answers there is no terminal. Return the unused answers."""
    left = iter(answers or [])
    monkeypatch.setattr("builtins.input", lambda prompt: (print(prompt), next(left))[1])
    for stream in (sys.stdin, sys.stdout):
        monkeypatch.setattr(stream, "isatty", lambda: answers is not None, raising=False)
    return left
