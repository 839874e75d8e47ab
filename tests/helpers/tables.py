"""Every game at every setting: what the generic tests run over. Nothing here names a game."""

from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import strategies as st

import mekuri
from mekuri import bots, games
from mekuri.engine.options import info
from mekuri.testing.settings import FEW_SEATS, random_game, random_games

GAMES = tuple(games.names())
# For what is the same whatever is played. Everybody has played before anybody wins, so a match is there to be looked at.
USUAL = next(name for name in GAMES if games.find(name).shape == "faces")
LEVELLED = [name for name in GAMES if bots.level(bots.usual(games.find(name)), games.find(name))]  # games of skill
LARGER = next(name for name in LEVELLED if games.find(name).seats[0] > 2)
BOTS = bots.OF_RULES
EVERY_PRESET = [(name, preset) for name in GAMES for preset in games.find(name).presets]
# Presets between which sources do not differ play the same game: the first of them stands for all.
_PLAYED = [repr(mekuri.game(*pair)) for pair in EVERY_PRESET]
PRESETS = [pair for n, pair in enumerate(EVERY_PRESET) if _PLAYED[n] not in _PLAYED[:n]]

each_game = pytest.mark.parametrize("name", GAMES)


def in_turn(settings: Iterable[Any], first: int = 0, of: int = 3) -> list[Any]:
    """Settings of a test that takes long and would find the same in almost any: every third is tried, with --slow all.

    Tests of a module begin with different ones, so that each setting is there in some of them.
    """
    return [
        pytest.param(*(each if isinstance(each, tuple) else (each,)), marks=() if n % of == first else pytest.mark.slow)
        for n, each in enumerate(settings)
    ]


def games_in_turn(first: int = 0, of: int = 3) -> pytest.MarkDecorator:
    """Every third game, and with --slow all. Side games, which are small, are left to what every game runs through."""
    main = [name for name in GAMES if not games.find(name).side]
    side = [pytest.param(name, marks=pytest.mark.slow) for name in GAMES if games.find(name).side]
    return pytest.mark.parametrize("name", [*in_turn(main, first, of), *side])


# What holds for every game alike and takes long: tried with the game of most seats, with --soak of all.
_MOST = max(GAMES, key=lambda name: max(games.find(name).seats))
one_game = pytest.mark.parametrize("name", [pytest.param(name, marks=() if name == _MOST else pytest.mark.soak) for name in GAMES])


def parametrize_presets(presets: list[tuple[str, str]]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize(("name", "preset"), [pytest.param(*pair, id="-".join(pair)) for pair in presets])


# Every word that stands in place of a number among the options of a match, and the number that older records have there.
WORDS = [
    (name, option.name, older, word)
    for name in GAMES
    for option in info(games.find(name).match_options)
    for older, word in option.older.items()
]

each_preset, every_preset = parametrize_presets(PRESETS), parametrize_presets(EVERY_PRESET)
# The games that are looked at from every side: every preset, and options at random.
PLAYED = [
    *(mekuri.game(name, preset) for name, preset in PRESETS),
    *(game for name in GAMES for game in random_games(name, 4, FEW_SEATS)[1:]),
]
# Of every game the default and one at random options; with --slow every preset and two more.
_IN_SHORT = [PRESETS.index((name, "default")) for name in GAMES] + list(range(len(PRESETS), len(PLAYED), 3))


def _played(in_short: list[int]) -> pytest.MarkDecorator:
    tried = [
        pytest.param(game, id=f"{game.id}-{n}", marks=() if n in in_short else pytest.mark.slow) for n, game in enumerate(PLAYED)
    ]
    return pytest.mark.parametrize("game", tried)


each_played = _played(_IN_SHORT)
each_played_in_turn = _played(_IN_SHORT[::3])  # for what takes long

each_bot = pytest.mark.parametrize("bot", BOTS)


def with_options(name: str, options: dict[str, Any], seats: int | None = None) -> mekuri.Game:
    """A game at some options, with its usual seats or so many."""
    return mekuri.game(name, seats=seats, **options)


# Presets that choose for a match too, by game and name.
MATCH_PRESETS = [pair for pair in EVERY_PRESET if games.find(pair[0]).preset(pair[1])[1]]
each_match_preset = parametrize_presets(MATCH_PRESETS)


def any_game() -> st.SearchStrategy[mekuri.Game]:
    """Any game at random options."""
    return st.builds(random_game, st.sampled_from(GAMES), st.randoms(use_true_random=False))


def seats_for(name: str, *who: str, bot: str = "random") -> list[str]:
    """Seats for these, and bots in as many more as the game needs at least."""
    least = min(seats for seats in games.find(name).seats if seats >= len(who))
    return [*who, *[bot] * (least - len(who))]


def assert_share(found: int, of: int, expected: float) -> None:
    """Whether a count is what chance makes of an expected share: within four standard deviations."""
    deviation = (of * expected * (1 - expected)) ** 0.5
    assert abs(found - of * expected) <= 4 * deviation, f"{found / of:.4%} is not {expected:.4%}, give or take {deviation / of:.4%}"
