"""A game at every setting: its presets, its options one by one, and options at random."""

from __future__ import annotations

from contextlib import suppress
from random import Random
from typing import Any

from mekuri import games
from mekuri.engine.errors import OptionError
from mekuri.engine.fields import MOST_SEATS
from mekuri.engine.options import OptionInfo, info
from mekuri.match.game import Game, game, make_game

FEW_SEATS = 7  # with more of them, what is looked at from every seat takes long


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


def random_game(name: str, chance: Random, most_seats: int = MOST_SEATS) -> Game:
    """A game at random options and with any of its numbers of seats, drawn again until they go together.

    Raises OptionError where a thousand such draws do not.
    """
    contract = games.find(name)
    options, numbers = info(contract.options), [seats for seats in contract.seats if seats <= most_seats]
    for _ in range(1000):
        seats = chance.choice(numbers) if len(numbers) > 1 else numbers[0]
        with suppress(OptionError):
            return make_game(name, "default", seats, {option.name: random_text(option, chance) for option in options})
    raise OptionError(f"a thousand combinations of options of {name} and none that goes together")


def random_games(name: str, n: int, most_seats: int = MOST_SEATS, seed: int = 0) -> list[Game]:
    """The same n games at random options on every run; the default first. Other seeds give others."""
    chance = Random(f"options of {name}" + (f" {seed}" if seed else ""))
    return [game(name), *(random_game(name, chance, most_seats) for _ in range(n - 1))]


def presets(name: str) -> list[Game]:
    """The game at each of its presets. Those between which nothing differs play the same game: the first stands for all."""
    found: dict[str, Game] = {}
    for preset in games.find(name).presets:
        one = game(name, preset)
        found.setdefault(repr(one), one)
    return list(found.values())


def match_of(game: Game, rounds: int) -> dict[str, Any]:
    """The options of a match of so many rounds; none where the game's own say how long a match is."""
    with suppress(OptionError):
        game.match_options({"rounds": rounds})
        return {"rounds": rounds}
    return {}


def one_change(name: str) -> list[Game]:
    """The game with one option away from its default, for every value of every option (the ends of a range), where that can be."""
    found = []
    for option in info(games.find(name).options):
        least, most = option.least, option.most
        ends = (f"{least}-{most - 1}", f"{least + 1}-{most}") if option.row else (str(least), str(most))
        for value in option.values or ends:
            if value != option.default:
                with suppress(OptionError):
                    found.append(make_game(name, "default", None, {option.name: value}))
    return found
