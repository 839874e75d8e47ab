"""Every game at every setting, for the tests of all games. No game is named here."""

from collections.abc import Callable, Iterable
from typing import Any

import pytest
from hypothesis import strategies as st

import mekuri
from mekuri import bots, games
from mekuri.engine.fields import RoundState
from mekuri.engine.options import info
from mekuri.testing.chances import LEAST_LIKELY
from mekuri.testing.settings import FEW_SEATS, random_game, random_games
from mekuri.testing.worlds import Viewer, count_worlds, likelihood

GAMES = tuple(games.names())
# A game for tests of what is the same in all games. Every seat plays before one wins, so a round has events to look at.
USUAL = "mushi"
HELD = tuple(name for name in GAMES if not games.find(name).side)  # games in which cards are played from a hand
LEVELLED = [name for name in GAMES if bots.level(bots.usual(games.find(name)), games.find(name))]  # games of skill
LARGER = next(name for name in LEVELLED if games.find(name).seats[0] > 2)
BOTS = bots.OF_RULES
EVERY_PRESET = [(name, preset) for name in GAMES for preset in games.find(name).presets]
# Presets with equal options play the same game: the first of them stands for all.
_PLAYED = [repr(mekuri.game(*pair)) for pair in EVERY_PRESET]
PRESETS = [pair for n, pair in enumerate(EVERY_PRESET) if _PLAYED[n] not in _PLAYED[:n]]

each_game = pytest.mark.parametrize("name", GAMES)


def in_turn(settings: Iterable[Any], first: int = 0, of: int = 3) -> list[Any]:
    """Return the settings of a slow test as parameters: every `of`-th from `first` on, the others with --slow.

    A module's tests begin at different settings, so that each setting is in some of them.
    """
    return [
        pytest.param(*(each if isinstance(each, tuple) else (each,)), marks=() if n % of == first else pytest.mark.slow)
        for n, each in enumerate(settings)
    ]


def games_in_turn(first: int = 0, of: int = 3) -> pytest.MarkDecorator:
    """Parametrize a slow test with every `of`-th game, and with --slow all. Side games run with --slow only."""
    main = [name for name in GAMES if not games.find(name).side]
    side = [pytest.param(name, marks=pytest.mark.slow) for name in GAMES if games.find(name).side]
    return pytest.mark.parametrize("name", [*in_turn(main, first, of), *side])


# For slow tests of what is the same in all games: the game with the most seats, with --soak all.
_MOST = max(GAMES, key=lambda name: max(games.find(name).seats))
one_game = pytest.mark.parametrize("name", [pytest.param(name, marks=() if name == _MOST else pytest.mark.soak) for name in GAMES])


def parametrize_presets(presets: list[tuple[str, str]]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize(("name", "preset"), [pytest.param(*pair, id="-".join(pair)) for pair in presets])


# Every match option's word that stands for a number, with the number that older records have.
WORDS = [
    (name, option.name, older, word)
    for name in GAMES
    for option in info(games.find(name).match_options)
    for older, word in option.older.items()
]

each_preset, every_preset = parametrize_presets(PRESETS), parametrize_presets(EVERY_PRESET)
# The settings for thorough tests: every preset, and random options.
PLAYED = [
    *(mekuri.game(name, preset) for name, preset in PRESETS),
    *(game for name in GAMES for game in random_games(name, 4, FEW_SEATS)[1:]),
]
# For every game the default and one setting with random options; with --slow every preset and two more.
_IN_SHORT = [PRESETS.index((name, "default")) for name in GAMES] + list(range(len(PRESETS), len(PLAYED), 3))


def _played(in_short: list[int]) -> pytest.MarkDecorator:
    tried = [
        pytest.param(game, id=f"{game.id}-{n}", marks=() if n in in_short else pytest.mark.slow) for n, game in enumerate(PLAYED)
    ]
    return pytest.mark.parametrize("game", tried)


each_played = _played(_IN_SHORT)
each_played_in_turn = _played(_IN_SHORT[::3])  # for slow tests

each_bot = pytest.mark.parametrize("bot", BOTS)


def presets_and_bots(name: str) -> list[tuple[str, str]]:
    """Return every preset of a game with every bot of rules text."""
    return [(preset, bot) for game, preset in PRESETS if game == name for bot in BOTS]


def with_options(name: str, options: dict[str, Any], seats: int | None = None) -> mekuri.Game:
    """Return a game with options, and its usual seats unless a number is given."""
    return mekuri.game(name, seats=seats, **options)


# Presets that set match options too, by game and name.
MATCH_PRESETS = [pair for pair in EVERY_PRESET if games.find(pair[0]).preset(pair[1])[1]]
each_match_preset = parametrize_presets(MATCH_PRESETS)


def redealing(name: str) -> mekuri.Game:
    """Return a game that may be dealt again, with the option that this takes if its default does not."""
    return mekuri.game(name, field_four="redeal") if name == "sakura" else mekuri.game(name)


def any_game() -> st.SearchStrategy[mekuri.Game]:
    """Return a strategy of any game with random options."""
    return st.builds(random_game, st.sampled_from(GAMES), st.randoms(use_true_random=False))


def seats_for(name: str, *who: str, bot: str = "random") -> list[str]:
    """Return seats for these players, and bots in as many more as the game needs at least."""
    least = min(seats for seats in games.find(name).seats if seats >= len(who))
    return [*who, *[bot] * (least - len(who))]


def assert_share(found: int, of: int, expected: float) -> None:
    """Fail unless a count is within four standard deviations of an expected share."""
    deviation = (of * expected * (1 - expected)) ** 0.5
    assert abs(found - of * expected) <= 4 * deviation, f"{found / of:.4%} is not {expected:.4%}, give or take {deviation / of:.4%}"


def assert_uniform(s: RoundState, seed: str, possible: Callable[[RoundState], bool] = lambda world: True) -> None:
    """Fail unless redeals are uniform, for every viewer for whom there are few worlds."""
    viewers: list[Viewer] = [viewer for viewer in (*range(s.seats), None) if count_worlds(s, viewer) <= 200]
    assert viewers
    for viewer in viewers:
        assert likelihood(s, viewer, seed, possible=possible) > LEAST_LIKELY, viewer
