"""What a type checker knows of Mekuri in somebody else's file."""

import subprocess
import sys
from pathlib import Path

import pytest

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


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("mypy")


def told(text: str, folder: Path, cache: Path) -> list[str]:
    """What mypy says of a file that lies outside of the checkout, with nothing but its strictest settings."""
    (folder / "mine.py").write_text(text, encoding="utf-8")
    flags = ["--strict", "--follow-imports=silent", "--no-error-summary", "--config-file=", "--cache-dir", str(cache)]
    ended = subprocess.run(
        [sys.executable, "-m", "mypy", *flags, "mine.py"], cwd=folder, capture_output=True, text=True, encoding="utf-8", check=False
    )
    assert not ended.stderr
    return ended.stdout.splitlines()


def test_states_and_options_are_the_games_own(tmp_path: Path, cache: Path) -> None:
    assert told(GOOD, tmp_path, cache) == []


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("round.hidden(0).wager", '"TenshoState" has no attribute "wager"'),
        ("game.options.misdeal", '"TenshoOptions" has no attribute "misdeal"'),
        ("hand = round.hidden(0).hand", "list[int]"),
        # Of a game that is named by a text nothing more is known.
        ('mekuri.game("tensho").options.yaku_set', '"Options" has no attribute "yaku_set"'),
    ],
)
def test_what_is_not_there_is_told(line: str, fault: str, tmp_path: Path, cache: Path) -> None:
    (found,) = told(f"{GOOD}{line}\n", tmp_path, cache)
    assert found.startswith(f"mine.py:{GOOD.count(chr(10)) + 1}: error: ")
    assert fault in found
