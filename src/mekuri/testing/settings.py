"""Settings of a game for checks: its presets, one option changed at a time, and random options."""

from __future__ import annotations

from contextlib import suppress
from random import Random
from typing import Any

from mekuri import games
from mekuri.engine.contract import Contract
from mekuri.engine.errors import OptionError
from mekuri.engine.fields import MOST_SEATS
from mekuri.engine.options import OptionInfo, info
from mekuri.match.game import Game, game, make_game

FEW_SEATS = 7  # the most seats for checks that look from every seat and would take long with more


def random_text(option: OptionInfo, chance: Random) -> str:
    """Return a random value of an option, as text; with a probability of at least 1/3 its default."""
    if chance.random() < 1 / 3:
        return option.default
    if option.values:
        return chance.choice(option.values)
    if option.row:
        row = [str(n) for n in range(option.least, option.most + 1) if chance.random() < 0.8]
        return ",".join(row) or option.default
    return str(chance.randint(option.least, option.most))


def random_game(name: str, chance: Random, most_seats: int = MOST_SEATS) -> Game:
    """Return a game with random options and a random number of seats; combinations that make no sense are drawn again.

    Args:
        name: the game's name.
        chance: the source of chance.
        most_seats: the most seats; a game that needs more has the fewest it can have.

    Raises:
        OptionError: none of a thousand combinations makes sense.
    """
    contract = games.find(name)
    options, numbers = info(contract.options), [seats for seats in contract.seats if seats <= most_seats] or [min(contract.seats)]
    for _ in range(1000):
        seats = chance.choice(numbers) if len(numbers) > 1 else numbers[0]
        with suppress(OptionError):
            return make_game(name, "default", seats, {option.name: random_text(option, chance) for option in options})
    raise OptionError(f"a thousand combinations of options of {name} and none that goes together")


def random_games(name: str, n: int, most_seats: int = MOST_SEATS, seed: int = 0) -> list[Game]:
    """Return n settings of a game: its defaults, then random ones. Equal arguments give equal settings."""
    chance = Random(f"options of {name}" + (f" {seed}" if seed else ""))
    return [game(name), *(random_game(name, chance, most_seats) for _ in range(n - 1))]


def presets(name: str) -> list[Game]:
    """Return the game at each of its presets; of presets with equal options only the first."""
    found: dict[str, Game] = {}
    for preset in games.find(name).presets:
        one = game(name, preset)
        found.setdefault(repr(one), one)
    return list(found.values())


def match_of(game: Game, rounds: int) -> dict[str, Any]:
    """Return the options of a match of so many rounds; empty where the game has no option `rounds`."""
    with suppress(OptionError):
        game.match_options({"rounds": rounds})
        return {"rounds": rounds}
    return {}


def random_match(contract: Contract, chance: Random) -> dict[str, Any]:
    """Return random options of a match, other than its length."""
    return {option.name: random_text(option, chance) for option in info(contract.match_options) if option.name != "rounds"}


def one_change(name: str) -> list[Game]:
    """Return the game with one option changed, for every value of every option (of a range only its ends) that is allowed."""
    found = []
    for option in info(games.find(name).options):
        least, most = option.least, option.most
        ends = (f"{least}-{most - 1}", f"{least + 1}-{most}") if option.row else (str(least), str(most))
        for value in option.values or ends:
            if value != option.default:
                with suppress(OptionError):
                    found.append(make_game(name, "default", None, {option.name: value}))
    return found
