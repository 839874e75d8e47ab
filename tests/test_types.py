"""The types that a type checker finds in a user's file."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers.installing import kept_folder

GOOD = """
import mekuri
from mekuri.games import tensho
from mekuri.games.tensho.options import TenshoOptions

game = mekuri.game(tensho.contract, yaku_set="two")
round = game.deal(seed=7)
hand: int = round.hidden(0).hand[0]
chosen: TenshoOptions = game.options
two: bool = game.options.yaku_set == 2
stacks: list[int] = game.match(seed=1).round.hidden(None).stack


def seats(any_game: mekuri.Game) -> int:
    return any_game.deal().view().dealer + any_game.seats


seats(game) + seats(mekuri.game("mushi"))
"""


# A line after GOOD, and what is said of it.
FAULTS = {
    "round.hidden(0).wager": '"TenshoState" has no attribute "wager"',
    "game.options.misdeal": '"TenshoOptions" has no attribute "misdeal"',
    "hand = round.hidden(0).hand": "list[int]",
    # Of a game that is named by a text nothing more is known.
    'mekuri.game("tensho").options.yaku_set': '"Options" has no attribute "yaku_set"',
}


def test_types_of_states_and_options_are_checked(tmp_path: Path, pytestconfig: pytest.Config, subtests: pytest.Subtests) -> None:
    """All files are looked at in one run. They lie outside of the checkout, and mypy has nothing but its strictest settings."""
    files = {f"fault{n}.py": f"{GOOD}{line}\n" for n, line in enumerate(FAULTS)} | {"good.py": GOOD}
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    # mypy itself holds what it has kept against the files that are there now.
    kept = kept_folder(pytestconfig, "mypy")
    flags = ["--strict", "--follow-imports=silent", "--no-error-summary", "--config-file=", "--cache-dir", str(kept)]
    words = [sys.executable, "-m", "mypy", *flags, *files]
    ended = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, encoding="utf-8", check=False)
    assert not ended.stderr
    lines = ended.stdout.splitlines()
    assert len(lines) == len(FAULTS), lines
    for n, (line, fault) in enumerate(FAULTS.items()):
        with subtests.test(line):
            (found,) = (said for said in lines if said.startswith(f"fault{n}.py:{GOOD.count(chr(10)) + 1}: error: "))
            assert fault in found
