"""How many ways the first actions of a round can go, as chess engines count them: pinned, and the same plain and compiled.

The counts of every preset, and of every game with one option changed, stand in tests/golden/GAME-perft.txt. How they are counted
stands in `mekuri.testing.perft`.
"""

from collections.abc import Callable

import pytest

import mekuri
from mekuri.engine.options import differing
from mekuri.testing import perft
from mekuri.testing.perft import DEPTH, count_compiled
from mekuri.testing.settings import one_change, random_games
from tests.helpers.tables import each_game

POSITIONS = 6000


def line(name: str, game: mekuri.Game) -> str:
    *counts, checksum = count_compiled(game, POSITIONS)
    return f"{name:<38}" + "".join(f"{n:>9}" for n in counts) + f"  {checksum & (1 << 64) - 1:016x}"


@each_game
def test_perft_counts_match_the_pinned_ones(name: str, golden: Callable[[str, str], None]) -> None:
    heads = "".join(f"{head:>9}" for head in (*range(DEPTH + 1), "ends"))
    settings = {preset: mekuri.game(name, preset) for preset in mekuri.game(name).contract.presets}
    for game in one_change(name):
        settings[" ".join(f"{option}={value}" for option, value in differing(game.options).items())] = game
    lines = [
        f"Positions of {name}: sequences of so many actions, rounds that end in them, and a checksum of how they end",
        " " * 38 + heads,
        *(line(*setting) for setting in settings.items()),
    ]
    golden(f"{name}-perft.txt", "\n".join(lines) + "\n")


@pytest.mark.every_days(4)
@pytest.mark.in_turn(2)
@pytest.mark.machine_code
@each_game
def test_plain_counts_match_compiled_ones(name: str, in_full: bool) -> None:
    """As many positions as plain rules count in no time; `--soak` for more."""
    for number, game in enumerate(random_games(name, 20 if in_full else 6)):
        perft.counts(game, 1, number)


@pytest.mark.soak
@each_game
def test_plain_counts_match_for_every_setting(name: str) -> None:
    for game in [mekuri.game(name, preset) for preset in mekuri.game(name).contract.presets] + one_change(name):
        perft.counts(game, 100)
