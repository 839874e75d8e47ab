"""Output to files and pipes of other encodings: whole, in UTF-8 or with replacement characters, of every command."""

import asyncio
import io
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from mekuri import cli, games
from mekuri.cli.arguments import app
from mekuri.engine.rulebook import rulebook
from mekuri.server.storage.store import Store
from mekuri.terminal.base import kept
from tests.helpers.records import full_record as record_of
from tests.helpers.tables import GAMES, USUAL

ENCODINGS = ("cp932", "cp1252", "ascii")
RECORD = "match.json"
# For each command of `mekuri` words with which it ends by itself, in Japanese where it has a language. None: see below.
COMMANDS: dict[str, str | None] = {
    "admin": "admin list people --database mekuri.db",
    "arena": f"arena {USUAL} greedy random --pairs 2 --json",
    "backup": "backup ひな形.db --database mekuri.db",
    "bots": "bots --lang ja",
    "cards": "cards --out 札 --marks kanji",
    "check": "check 無い",
    "daily": f"daily {USUAL} --server 無い",
    "dataset": f"dataset {USUAL} --rounds 3 --plain --seed 種 --out 手",
    "games": "games --lang ja",
    "guest": "guest 無い",
    "join": "join 無い",
    "lab": f"lab {USUAL} --rounds 3 --pairs 0 --plain --seed 種",
    "learn": f"learn {USUAL} --lang ja",
    "menu": "menu --lang ja",
    "mine": None,  # plays for long; what it prints is a file of puzzles: tests/cli/test_puzzles.py
    "move-database": "move-database mekuri.db 新しい.db",
    "new": "new 新しい",
    "play": f"play {USUAL} --seats あなた",
    "practice": f"practice {RECORD} --seat 9 --lang ja",
    "puzzles": f"puzzles {USUAL} --lang ja",
    "replay": f"replay {RECORD} --lang ja",
    "restore": "restore ひな形.db --database 無い.db",
    "review": f"review {RECORD} --round 9",
    "rules": "rules tokotoko --lang ja --sources --examples",
    "serve": "serve --public-url 無い",
    "simulate": f"simulate {USUAL} --rounds 3 --plain --json --seed 種",
    "site": "site .",  # a folder that is not empty; else it compiles for minutes
    "turns": "turns --lang ja",
    "verify": f"verify {RECORD}",
    "warm": None,  # compiles for minutes, and prints names of games and seconds
}
Run = Callable[..., tuple[str, str]]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a record and a database, and a person with data of their own."""
    monkeypatch.setattr("builtins.input", lambda prompt="": print(prompt) or "q")
    monkeypatch.setattr(kept, "kept_file", (tmp_path / "data").joinpath)
    home = tmp_path / "home"
    home.mkdir()
    (home / RECORD).write_text(json.dumps(record_of(USUAL)), encoding="utf-8")

    async def make() -> None:
        store = await Store.open(home / "mekuri.db")
        await store.add_person("aki", "hash", "お菊")
        await store.close()

    asyncio.run(make())
    return home


@pytest.fixture
def run(home: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run commands with their output in files of an encoding: what each has printed, on standard output and standard error."""

    def command(words: str, folder: str, encoding: str, *, asked: bool) -> tuple[str, str]:
        if not home.with_name(folder).exists():
            shutil.copytree(home, home.with_name(folder))
        kept = [io.BytesIO(), io.BytesIO()]
        with monkeypatch.context() as patched:
            patched.chdir(home.with_name(folder))
            for stream, file in zip(("stdout", "stderr"), kept, strict=True):
                patched.setattr(sys, stream, io.TextIOWrapper(file, encoding, write_through=True))
            patched.setenv("PYTHONIOENCODING", encoding if asked else "")
            with suppress(SystemExit):  # an error in a line; all others fail here
                cli.main(words.split())
            out, err = (file.getvalue().decode(encoding if asked else "utf-8") for file in kept)
        return out.replace(folder, "home"), err.replace(folder, "home")

    return command


def _plain(out: str) -> list[str]:
    """Return the figures and Latin letters of some lines, without figures that differ from run to run."""
    return [re.sub("[^0-9A-Za-z]", "", re.sub(r'("seconds": )[\d.e-]+', r"\1", line)) for line in out.splitlines()]


def test_list_of_commands_is_complete() -> None:
    assert {name for name in app if not name.startswith("-")} == {*COMMANDS}


@pytest.mark.every_days(4)
def test_every_command_prints_in_every_encoding(run: Run, subtests: pytest.Subtests) -> None:
    """The output is in UTF-8 or the requested encoding, with replacement characters, and never truncated."""
    for name, words in COMMANDS.items():
        if words is None:
            continue
        lines = run(words, "in-utf8", "utf-8", asked=True)
        assert any(lines), name
        with subtests.test(name, asked=False):
            assert [_plain(part) for part in run(words, "in-no-encoding", "ascii", asked=False)] == [_plain(part) for part in lines]
        for encoding in ENCODINGS:
            with subtests.test(name, encoding=encoding):
                printed = run(words, f"in-{encoding}", encoding, asked=True)
                assert [_plain(part) for part in printed] == [_plain(part) for part in lines]


def test_json_is_whole_in_every_encoding(run: Run) -> None:
    words = "admin list people --json --database mekuri.db"
    for encoding in ENCODINGS:
        out, _ = run(words, f"in-{encoding}", encoding, asked=True)
        assert [person["name"] for person in json.loads(out)] == ["お菊"]


@pytest.mark.every_days(4)
def test_command_runs_in_a_locale_without_utf8(home: Path) -> None:
    words = [sys.executable, "-m", "mekuri", "games", "--lang", "ja"]
    for more, encoding in (({"PYTHONIOENCODING": "cp932"}, "cp932"), ({"LC_ALL": "C"}, "utf-8")):
        around = os.environ | {"PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"} | more
        ended = subprocess.run(words, capture_output=True, env=around, cwd=home, check=False)
        assert (ended.returncode, ended.stderr) == (0, b"")
        lines = {line.split()[0]: line for line in ended.stdout.decode(encoding).splitlines()}
        assert [id for id in lines if id not in games.entries()] == list(GAMES)
        assert all(rulebook(games.find(name)).tables["name"]["ja"] in lines[name] for name in GAMES)
