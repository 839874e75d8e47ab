"""The registry of bots: Mekuri's own (a file each in `ours`), the characters, those of single games, and those of other packages.

Another package names its bots under the entry point group `mekuri.bots`. They are not imported into this process but run in
processes of their own (see `apart`); one that cannot be loaded is left out, without harm to the others.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from itertools import cycle, islice

from mekuri import games
from mekuri.bots import ours
from mekuri.bots.characters import CHARACTERS
from mekuri.bots.levels import levels
from mekuri.engine.bot import About, Bot
from mekuri.engine.contract import Contract
from mekuri.engine.errors import MekuriError
from mekuri.engine.rulebook import Rulebook
from mekuri.engine.validation import bot_fault

_GROUP = "mekuri.bots"
_USUAL, _MIDDLE = "greedy", "kiku"
_SPACE = {"en": " ", "ja": ""}  # between two sentences
_NO_BOTS = ("person", "you", "open")  # reserved: words that are given for a seat in place of a bot's name


class UnknownBot(MekuriError):
    """There is no bot of this name."""


class UnfinishedBot(UnknownBot):
    """A bot is installed and cannot be used.

    Attributes:
        bot: its name.
        why: the fault.
    """

    def __init__(self, bot: str, why: str) -> None:
        self.bot, self.why = bot, why
        super().__init__(f"the bot {bot} is left out: {why}")


# --- Mekuri's own bots, characters and bots of single games, which run in this process ---


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
    """Return the characters of a game: the characters with a level in it, weakest first, then the game's own bots."""
    return (*(_CHARACTERS[level.who] for level in levels(contract) if level.who in _CHARACTERS), *contract.bots)


def temper(bot: About, book: Rulebook) -> dict[str, str]:
    """Return how a bot plays a game, by language: its line of help, and for a character its habit, as the rule book says it."""
    own = book.tables["habits"].get(bot.id) if bot in CHARACTERS else None
    return {lang: _SPACE[lang].join((text, own[lang])) if own else text for lang, text in bot.help.items()}


def level(name: str, contract: Contract) -> int | None:
    """Return a character's place among the levels of a game, from 1 for the weakest; None for a bot without a level in it."""
    order = [level.who for level in levels(contract)]
    return order.index(name) + 1 if name in order else None


def _own(contract: Contract | None) -> dict[str, Bot]:
    """Return the characters of a game, by name; without a game all characters."""
    return {bot.id: bot for bot in characters(contract)} if contract else _CHARACTERS


# --- Bots of other packages ---


@cache
def _places() -> dict[str, tuple[str, ...]]:
    """Return the entry points of other packages by the bot's name: for each name one, or more where packages clash."""
    from importlib.metadata import entry_points  # takes long to import

    found: dict[str, tuple[str, ...]] = {}
    for point in entry_points(group=_GROUP):
        found[point.name] = tuple(dict.fromkeys((*found.get(point.name, ()), point.value)))
    return found


def distribution(name: str) -> str | None:
    """Return the name and the version of the distribution that a bot of another package comes with; None for any other bot."""
    from importlib.metadata import entry_points

    point = next((point for point in entry_points(group=_GROUP) if point.name == name), None)
    return f"{point.dist.name} {point.dist.version}" if point and point.dist else None


def weights_of(name: str, contract: Contract) -> str:
    """Return the version of the weights that a bot states; empty if it states none, or there is no such bot."""
    bot = _ours().get(name) or _own(contract).get(name) or (_looked_at(name) if name in _places() else None)
    return bot.weights if isinstance(bot, About) else ""


@cache
def _looked_at(name: str) -> About | str:
    """Return the description of a bot of another package, or a text that says its fault. Cached: the bot is loaded once for it."""
    places = _places()[name]
    taken = (
        name in _NO_BOTS or name in NAMES or name in _CHARACTERS or any(name in _own(games.find(game)) for game in games.names())
    )
    if taken or len(places) > 1:
        return f"{', '.join(places)} has the name of another: call it otherwise"
    # Imported only here: in an environment without processes, such as a browser, no bot of another package is installed.
    from mekuri.bots import apart

    try:
        return apart.describe(name)
    except apart.Failed as failed:
        message = str(failed)
        return message if message.startswith(places[0]) else f"{places[0]} {message}"


def installed() -> tuple[About, ...]:
    """Return the bots of other packages that can be used, weakest first."""
    found = [bot for name in sorted(_places()) if isinstance(bot := _looked_at(name), About)]
    return tuple(sorted(found, key=lambda bot: bot.strength))


def left_out() -> list[UnfinishedBot]:
    """Return the bots of other packages that cannot be used, each as an error that says its fault."""
    return [UnfinishedBot(name, bot) for name in sorted(_places()) if isinstance(bot := _looked_at(name), str)]


def load(name: str) -> Bot:
    """Import a bot of another package into this process.

    Raises:
        UnfinishedBot: it is not installed, cannot be imported, or is no valid bot.
    """
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


# --- All bots ---


def about(contract: Contract) -> tuple[About, ...]:
    """Return the bots that play a game: its characters, those of other packages, then Mekuri's own, which are for study."""
    return (*characters(contract), *(bot for bot in installed() if bot.plays(contract.id)), *_ours().values())


def of_every_game() -> tuple[About, ...]:
    """Return the bots that play every game: those of other packages, then Mekuri's own, which are for study. No characters."""
    return (*(bot for bot in installed() if bot.games is None), *_ours().values())


def names_for(contract: Contract | None) -> tuple[str, ...]:
    """Return the names of the bots that play a game (see `about`); without a game, of the bots that play every game."""
    return tuple(bot.id for bot in (about(contract) if contract else of_every_game()))


def known(name: str) -> About | None:
    """Return the description of a bot, whatever games it plays; None where there is no bot of that name."""
    if name in _CHARACTERS:
        return _CHARACTERS[name]
    own = (_own(games.find(game)).get(name) for game in games.names())
    return _ours().get(name) or next(filter(None, own), None) or next((bot for bot in installed() if bot.id == name), None)


def look_up(name: str, contract: Contract) -> About:
    """Return the description of a bot that plays a game. Raises UnknownBot where no bot of that name plays it."""
    found = next((bot for bot in about(contract) if bot.id == name), None)
    if found:
        return found
    for error in left_out():
        if error.bot == name:
            raise error
    raise UnknownBot(f"there is no bot {name}: there are {', '.join(names_for(contract))}")


def usual(contract: Contract) -> str:
    """Return the name of a game's default bot, which also replaces one that fails.

    That is the first of the game's own bots, else O-Kiku, else the character of its middle level, else `greedy`.
    """
    if contract.bots:
        return contract.bots[0].id
    order = [level.who for level in levels(contract)]
    return _MIDDLE if _MIDDLE in order else order[(len(order) - 1) // 2] if order else _USUAL


def weakest(contract: Contract) -> str:
    """Return the name of a game's weakest character, a newcomer's first opponent; of the default bot where it has no characters."""
    return next((bot.id for bot in characters(contract)), usual(contract))


def company(contract: Contract, count: int, asked: str = "") -> tuple[str, ...]:
    """Choose the bots that play beside a person.

    The first is the bot that the person asked for. The next ones are the other characters, each once before any comes again, the
    nearest to its level first. A bot that is no character of the game fills all the seats.

    Args:
        contract: the game.
        count: how many bots are needed.
        asked: the name of the bot that is asked for; the default bot (see `usual`) if left out.

    Returns:
        `count` names of bots.
    """
    first = asked or usual(contract)
    order = [bot.id for bot in characters(contract)]
    if first not in order:
        return (first,) * count
    rank = level(first, contract) or 0
    nearest = sorted((other for other in order if other != first), key=lambda other: abs((level(other, contract) or 0) - rank))
    return tuple(islice(cycle((first, *nearest)), count))


def here(name: str, contract: Contract | None = None) -> Bot | None:
    """Return a bot that is trusted to run in this process; None for any other.

    That is one of Mekuri's own, a character, or a game's own bot whose choice is rules text.
    """
    own = _own(contract).get(name)
    return _ours().get(name) or (own if own and (own.compiled or name in _CHARACTERS) else None)


def find(name: str, contract: Contract | None = None) -> Bot:
    """Return a bot by its name, imported into this process.

    Args:
        name: the bot's name.
        contract: the game; needed only for a bot that is a game's own.

    Raises:
        UnknownBot: there is no bot of that name.
        UnfinishedBot: the bot is installed and cannot be loaded.
    """
    bot = _ours().get(name) or _own(contract).get(name)
    if bot:
        return bot
    if name in _places():
        return load(name)
    raise UnknownBot(f"there is no bot {name}: there are {', '.join(names_for(contract))}")
