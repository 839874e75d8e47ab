"""The command-line application, and the options and functions that several commands share."""

from __future__ import annotations

import locale
import sys
from typing import Annotated, Any, Literal

from cyclopts import App, Parameter

from mekuri import __version__, bots, games
from mekuri.cards.given import typed
from mekuri.engine.errors import MekuriError, OptionError
from mekuri.engine.options import info
from mekuri.engine.rulebook import LANGUAGES, Lang
from mekuri.match.game import Game, make_game

app = App(
    name="mekuri",
    version=__version__,
    help="Traditional Japanese card games. Without a command: their page, in your browser. In the terminal: `mekuri menu`.",
)

LangOption = Annotated[Literal["en", "ja"] | None, Parameter(help="Language: en or ja.")]
Options = Annotated[
    tuple[str, ...],
    Parameter(name="--option", consume_multiple=True, negative=(), help="Options of the game or the match, as name=value."),
]
Overwrite = Annotated[bool, Parameter(name="--overwrite", negative=(), help="Replace a file that is there already.")]
Preset = Annotated[str, Parameter(help="A named set of options.")]


def parse_options(name: str, given: tuple[str, ...]) -> tuple[dict[str, str], dict[str, str]]:
    """Split options written `name=value` into those of the game and those of the match.

    Args:
        name: the game's name.
        given: the options; a hyphen in a name stands for an underscore.

    Returns:
        The values by the options' names: those of the game, then those of the match.

    Raises:
        OptionError: one has no `=`.
    """
    of_match = {option.name for option in info(games.look_up(name)[0].match_options)}
    options: dict[str, str] = {}
    match_options: dict[str, str] = {}
    for pair in given:
        key, equals, value = pair.replace("＝", "=").partition("=")
        if not equals:
            raise OptionError(f"an option is written name=value, not {pair}")
        key = typed(key).strip().replace("-", "_")
        (match_options if key in of_match else options)[key] = value.strip()
    return options, match_options


def chosen_game(name: str, preset: str, given: tuple[str, ...], seats: int | None = None) -> tuple[Game, dict[str, Any]]:
    """Return a game with its options set, and the values of the match options by their names.

    Args:
        name: the game's name.
        preset: the name of a preset.
        given: options of the game or the match, written `name=value`.
        seats: the number of seats; None for the game's usual one.
    """
    options, match_options = parse_options(name, given)
    return make_game(name, preset, seats, options), match_options


def language(lang: Lang | None) -> Lang:
    """Return the language asked for, else the system's if Mekuri has it, else English."""
    if lang:
        return lang
    system = (locale.getlocale()[0] or "en")[:2].lower()
    return next((known for known in LANGUAGES if known == system), LANGUAGES[0])


def in_terminal() -> bool:
    """Return whether standard input and output are a terminal."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def need_terminal() -> None:
    """Raise MekuriError unless standard input and output are a terminal."""
    if not in_terminal():
        raise MekuriError("this needs a terminal; try: mekuri games, mekuri rules, mekuri simulate")


def complain(message: str) -> None:
    """Print a message as one line on standard error."""
    print(f"mekuri: {' '.join(message.split())}", file=sys.stderr)


def tell_left_out() -> None:
    """Print a line on standard error for each installed game or bot that is left out because of its faults."""
    for error in (*games.left_out(), *bots.left_out()):
        complain(str(error))
