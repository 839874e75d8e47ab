"""Every game at every setting: what the generic tests run over. Nothing here names a game."""

from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from random import Random
from typing import Any

import pytest
from hypothesis import strategies as st

import mekuri
from mekuri import bots, games
from mekuri.engine.fields import MOST_SEATS, RoundState, checked
from mekuri.engine.options import OptionInfo, info
from mekuri.engine.setup import new_state
from mekuri.lab import playout
from mekuri.match.setting import Setting

GAMES = tuple(games.names())
# For what is the same whatever is played. Everybody has played before anybody wins, so a match is there to be looked at.
USUAL = next(name for name in GAMES if games.find(name).shape == "faces")
BOTS = bots.NAMES
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
    return pytest.mark.parametrize("name", in_turn(GAMES, first, of))


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
each_bot = pytest.mark.parametrize("bot", BOTS)


def with_options(name: str, options: dict[str, Any], seats: int | None = None) -> mekuri.Game:
    """A game at some options, with its usual seats or so many."""
    return mekuri.game(name, seats=seats, **options)


# Presets that choose for a match too, by game and name.
MATCH_PRESETS = [pair for pair in EVERY_PRESET if games.find(pair[0]).preset(pair[1])[1]]
each_match_preset = parametrize_presets(MATCH_PRESETS)


def random_text(option: OptionInfo, chance: Random) -> str:
    """A value of an option, as text: its default in at least one case of three."""
    if chance.random() < 1 / 3:
        return option.default
    if option.values:
        return chance.choice(option.values)
    if option.row:
        row = [str(n) for n in range(option.least, option.most + 1) if chance.random() < 0.8]
        return ",".join(row) or option.default
    return str(chance.randint(option.least, option.most))


def random_game(name: str, chance: Random, most_seats: int = MOST_SEATS) -> mekuri.Game:
    """A game at random options and with any of its numbers of seats, drawn again until they go together."""
    contract = games.find(name)
    options, numbers = info(contract.options), [seats for seats in contract.seats if seats <= most_seats]
    for _ in range(1000):
        seats = chance.choice(numbers) if len(numbers) > 1 else numbers[0]
        try:
            return with_options(name, {option.name: random_text(option, chance) for option in options}, seats)
        except mekuri.OptionError:
            pass
    raise AssertionError(f"a thousand combinations of options of {name} and none that goes together")


def random_games(name: str, n: int, most_seats: int = MOST_SEATS) -> list[mekuri.Game]:
    """The same n games at random options on every run; the default first."""
    chance = Random(f"options of {name}")
    return [mekuri.game(name), *(random_game(name, chance, most_seats) for _ in range(n - 1))]


def one_change(name: str) -> list[mekuri.Game]:
    """The game with one option away from its default, for every value of every option (the ends of a range), where that can be."""
    found = []
    for option in info(games.find(name).options):
        least, most = option.least, option.most
        ends = (f"{least}-{most - 1}", f"{least + 1}-{most}") if option.row else (str(least), str(most))
        for value in option.values or ends:
            if value != option.default:
                with suppress(mekuri.OptionError):
                    found.append(with_options(name, {option.name: value}))
    return found


def any_game() -> st.SearchStrategy[mekuri.Game]:
    """Any game at random options."""
    return st.builds(random_game, st.sampled_from(GAMES), st.randoms(use_true_random=False))


def seats_for(name: str, *who: str, bot: str = "random") -> list[str]:
    """Seats for these, and bots in as many more as the game needs at least."""
    least = min(seats for seats in games.find(name).seats if seats >= len(who))
    return [*who, *[bot] * (least - len(who))]


@cache
def checked_state(name: str) -> type[RoundState]:
    """The state class of a game that raises where a value leaves its field's range."""
    return checked(games.find(name).state)


def start(game: Setting, dealer: int = 0, state: type[RoundState] | None = None) -> RoundState:
    """A plain state at the start of a round."""
    return new_state(game.contract, game.options, game.seats, dealer, state)


def plain_states(game: mekuri.Game, dealer: int = 0, state: type[RoundState] | None = None) -> list[RoundState]:
    """Plain states as `playout` wants them, the first at the start of a round."""
    kind = state or game.contract.state
    return [start(game, dealer, kind), *(kind() for _ in range(playout.STATES - 1))]


def records(game: mekuri.Game, n: int = playout.STATES, dealer: int = 0) -> Any:
    """An array of n compiled states, the first at the start of a round, the others empty."""
    import numpy as np

    from mekuri.engine import machine

    found = np.zeros(n, machine.record(game.contract))
    for place in range(n):
        machine.to_record(game.contract.state() if place else start(game, dealer), found[place])
    return found


def words(*values: int) -> Any:
    """A row of ints as compiled code takes it."""
    import numpy as np

    return np.array(values, np.int64)


def assert_share(found: int, of: int, expected: float) -> None:
    """Whether a count is what chance makes of an expected share: within four standard deviations."""
    deviation = (of * expected * (1 - expected)) ** 0.5
    assert abs(found - of * expected) <= 4 * deviation, f"{found / of:.4%} is not {expected:.4%}, give or take {deviation / of:.4%}"
