"""What several commands are told: options that they share, and what is made of them."""

from __future__ import annotations

import locale
import sys
from typing import Annotated, Any, Literal

from cyclopts import App, Parameter

from mekuri import __version__, bots, games
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
Preset = Annotated[str, Parameter(help="A named set of options.")]


def parse_options(name: str, told: tuple[str, ...]) -> tuple[dict[str, str], dict[str, str]]:
    """Options written name=value: those of the game, and those of the match."""
    of_match = {option.name for option in info(games.find(name).match_options)}
    options: dict[str, str] = {}
    match_options: dict[str, str] = {}
    for pair in told:
        key, equals, value = pair.partition("=")
        if not equals:
            raise OptionError(f"an option is written name=value, not {pair}")
        key = key.strip().replace("-", "_")
        (match_options if key in of_match else options)[key] = value.strip()
    return options, match_options


def chosen_game(name: str, preset: str, told: tuple[str, ...], seats: int | None = None) -> tuple[Game, dict[str, Any]]:
    """A game with its options, and those options that are the match's."""
    options, match_options = parse_options(name, told)
    return make_game(name, preset, seats, options), match_options


def language(lang: Lang | None) -> Lang:
    """The language asked for, or the system's where Mekuri speaks it."""
    if lang:
        return lang
    system = (locale.getlocale()[0] or "en")[:2].lower()
    return next((known for known in LANGUAGES if known == system), LANGUAGES[0])


def need_terminal() -> None:
    """Raises MekuriError where the command is not used in a terminal."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise MekuriError("this needs a terminal; try: mekuri games, mekuri rules, mekuri simulate")


def complain(message: str) -> None:
    """One line on standard error."""
    print(f"mekuri: {' '.join(message.split())}", file=sys.stderr)


def tell_left_out() -> None:
    """Of all games and bots some may be left out, and that is no failure."""
    for error in (*games.left_out(), *bots.left_out()):
        complain(str(error))
