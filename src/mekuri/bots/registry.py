"""Which bots there are: a file each under `ours`, those that games bring, and those of other distributions.

Another distribution names its bots under the entry point group `mekuri.bots`. They are not imported here but asked in processes of
their own (see `apart`): one that cannot be loaded is left out, and everything else goes on.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from importlib.metadata import entry_points
from itertools import cycle, islice

from mekuri import games
from mekuri.bots import ours
from mekuri.bots.characters import CHARACTERS
from mekuri.bots.levels import levels
from mekuri.engine.bot import About, Bot
from mekuri.engine.contract import Contract
from mekuri.engine.errors import MekuriError
from mekuri.engine.validation import bot_fault

_GROUP = "mekuri.bots"
_USUAL = "greedy"
_NO_BOTS = ("person", "you", "open")  # what else may be said of a seat


class UnknownBot(MekuriError):
    """No bot has this name."""


class UnfinishedBot(UnknownBot):
    """A bot that is installed and cannot play.

    Attributes:
        bot: its name.
        why: what is wrong with it.
    """

    def __init__(self, bot: str, why: str) -> None:
        self.bot, self.why = bot, why
        super().__init__(f"the bot {bot} is left out: {why}")


# --- Our own, and those of games, which run in this process ---


@cache
def _ours() -> dict[str, Bot]:
    modules = (importlib.import_module(f"{ours.__name__}.{info.name}") for info in pkgutil.iter_modules(ours.__path__))
    found: list[Bot] = sorted((module.bot for module in modules), key=lambda bot: bot.strength)
    return {bot.id: bot for bot in found}


NAMES = tuple(_ours())
"""The names of our own bots that play every game, weakest first."""

OF_RULES = tuple(bot.id for bot in _ours().values() if bot.compiled)
"""Those of them that are rules text."""


_CHARACTERS = {bot.id: bot for bot in CHARACTERS}


def characters(contract: Contract) -> tuple[Bot, ...]:
    """Whom one plays a game with: the people who have a level in it, the weakest first; then those that the game brings itself."""
    return (*(_CHARACTERS[level.who] for level in levels(contract) if level.who in _CHARACTERS), *contract.bots)


def level(name: str, contract: Contract) -> int | None:
    """A character's place among the levels of a game, from 1 for the weakest; None where it has no rank."""
    order = [level.who for level in levels(contract)]
    return order.index(name) + 1 if name in order else None


def _own(contract: Contract | None) -> dict[str, Bot]:
    """The characters of a game; without one the people of every game."""
    return {bot.id: bot for bot in characters(contract)} if contract else _CHARACTERS


# --- Those of other distributions ---


@cache
def _places() -> dict[str, tuple[str, ...]]:
    """The places that other distributions name for a bot, by its name: one, unless two have the same."""
    found: dict[str, tuple[str, ...]] = {}
    for point in entry_points(group=_GROUP):
        found[point.name] = tuple(dict.fromkeys((*found.get(point.name, ()), point.value)))
    return found


@cache
def _looked_at(name: str) -> About | str:
    """What a bot of another distribution tells of itself; what is wrong with it where it cannot play."""
    places = _places()[name]
    taken = (
        name in _NO_BOTS or name in NAMES or name in _CHARACTERS or any(name in _own(games.find(game)) for game in games.names())
    )
    if taken or len(places) > 1:
        return f"{', '.join(places)} has the name of another: call it otherwise"
    # Elsewhere than here, where no process can be started, there is no need of it.
    from mekuri.bots import apart

    try:
        return apart.describe(name)
    except apart.Failed as failed:
        told = str(failed)
        return told if told.startswith(places[0]) else f"{places[0]} {told}"


def installed() -> tuple[About, ...]:
    """The bots of other distributions, weakest first."""
    found = [told for name in sorted(_places()) if isinstance(told := _looked_at(name), About)]
    return tuple(sorted(found, key=lambda told: told.strength))


def left_out() -> list[UnfinishedBot]:
    """The bots that are installed and left out, each as an error that says what is wrong with it."""
    return [UnfinishedBot(name, told) for name in sorted(_places()) if isinstance(told := _looked_at(name), str)]


def load(name: str) -> Bot:
    """A bot of another distribution, imported into this process. Raises UnfinishedBot where it cannot be, or is none."""
    if name not in _places():
        raise UnfinishedBot(name, "it is not installed")
    place = _places()[name][0]
    module, _, attribute = place.partition(":")
    try:
        bot = getattr(importlib.import_module(module), attribute or "bot")
    except (Exception, SystemExit) as error:
        raise UnfinishedBot(name, games.raised(place, error, (__file__, importlib.__file__))) from error
    wrong = bot_fault(bot)
    if wrong:
        raise UnfinishedBot(name, f"{place} {wrong}")
    assert isinstance(bot, Bot)
    if bot.id != name:
        raise UnfinishedBot(name, f"{place} is the bot {bot.id}: both must have one name")
    return bot


# --- All of them ---


def about(contract: Contract) -> tuple[About, ...]:
    """The bots that play a game: its characters, those of other distributions, and those that are there to be studied."""
    return (*characters(contract), *(told for told in installed() if told.plays(contract.id)), *_ours().values())


def of_every_game() -> tuple[About, ...]:
    """The bots that play every game: those of other distributions, and those that are there to be studied."""
    return (*(told for told in installed() if told.games is None), *_ours().values())


def names_for(contract: Contract | None) -> tuple[str, ...]:
    """The names of the bots that play a game; without one those that play every game."""
    return tuple(told.id for told in (about(contract) if contract else of_every_game()))


def known(name: str) -> About | None:
    """What a bot tells of itself, whatever it plays; None where there is none of that name."""
    if name in _CHARACTERS:
        return _CHARACTERS[name]
    own = (_own(games.find(game)).get(name) for game in games.names())
    return _ours().get(name) or next(filter(None, own), None) or next((told for told in installed() if told.id == name), None)


def look_up(name: str, contract: Contract) -> About:
    """What a bot that plays a game tells of itself. Raises UnknownBot where none of that name plays it."""
    found = next((told for told in about(contract) if told.id == name), None)
    if found:
        return found
    for error in left_out():
        if error.bot == name:
            raise error
    raise UnknownBot(f"there is no bot {name}: there are {', '.join(names_for(contract))}")


def usual(contract: Contract) -> str:
    """Who plays a game where nobody says who, or another fails: the first bot of its own, if it has any, else the middle level."""
    if contract.bots:
        return contract.bots[0].id
    order = levels(contract)
    return order[(len(order) - 1) // 2].who if order else _USUAL


def company(contract: Contract, count: int, asked: str = "") -> tuple[str, ...]:
    """Who sits in so many seats beside a person who has asked for one character, or for nobody: that one, or the usual one, first.

    After it come the others of about its level, each once before any comes again. Of a bot that is no character there are so many.
    """
    first = asked or usual(contract)
    order = [bot.id for bot in characters(contract)]
    if first not in order:
        return (first,) * count
    others = (other for other in order if other != first and _alike(first, other, contract))
    return tuple(islice(cycle((first, *others)), count))


def _alike(one: str, other: str, contract: Contract) -> bool:
    """Whether two characters are of about one level: next to each other, or without a rank in the game."""
    ranks = level(one, contract), level(other, contract)
    return ranks[0] is None or ranks[1] is None or abs(ranks[0] - ranks[1]) <= 1


def here(name: str, contract: Contract | None = None) -> Bot | None:
    """A bot that may think in this process: ours, one of the people, or one of rules text that is the game's own; else None."""
    own = _own(contract).get(name)
    return _ours().get(name) or (own if own and (own.compiled or name in _CHARACTERS) else None)


def find(name: str, contract: Contract | None = None) -> Bot:
    """A bot by its name, imported into this process. Raises UnknownBot where there is none of that name."""
    bot = _ours().get(name) or _own(contract).get(name)
    if bot:
        return bot
    if name in _places():
        return load(name)
    raise UnknownBot(f"there is no bot {name}: there are {', '.join(names_for(contract))}")
