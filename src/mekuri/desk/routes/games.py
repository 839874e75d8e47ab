"""Routes of the games: their options, texts, rule books, lessons and puzzles. Most are cached for as long as the process runs."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import cache
from itertools import product
from typing import Any

import msgspec
from msgspec.structs import replace

from mekuri import games
from mekuri.desk.cached_response import CHECKED, CachedResponse
from mekuri.desk.desk import Desk
from mekuri.desk.route import Param, Route, Visitor, param
from mekuri.engine.contract import Contract
from mekuri.engine.errors import UnknownGame
from mekuri.engine.rulebook import LANGUAGES, Entry, Lang
from mekuri.protocol import games as wire
from mekuri.protocol import lesson as lessons
from mekuri.protocol import library, puzzles
from mekuri.protocol.coding import encode
from mekuri.table.errors import ProblemError

_log = logging.getLogger("mekuri.desk")


def game_of(name: str) -> Contract:
    """Return the game of a name. Raises ProblemError (404) where there is none."""
    try:
        return games.find(name)
    except UnknownGame:
        raise ProblemError("no-such-game") from None


def _cached(name: str, make: Callable[..., Any], *given: Any) -> CachedResponse:
    """Return the cached message about a game or an entry of a game. Raises ProblemError (404) where there is none of that id."""
    contract, entry = games.entries().get(name) or (game_of(name), None)
    return cached(_of_entry, entry, make, contract, *given) if entry else cached(make, contract, *given)


def _of_entry(entry: Entry, make: Callable[..., Any], *given: Any) -> Any:
    return library.as_entry(entry, make(*given))


def _language(given: str) -> Lang:
    for lang in LANGUAGES:
        if lang == given:
            return lang
    raise ProblemError("no-such-language", languages=", ".join(LANGUAGES))


@cache
def cached(make: Callable[..., msgspec.Struct | None], *given: Any) -> CachedResponse:
    """Return the JSON of what `make` returns for its arguments, cached for as long as the process runs."""
    return CachedResponse(encode(make(*given)))


def _all_games(public_url: str | None, brief: bool = False) -> wire.Games:
    return replace(library.brief_games() if brief else library.all_games(), public_url=public_url)


def prepare(public_url: str | None = None, stopped: Callable[[], bool] = lambda: False) -> None:
    """Encode and compress all responses about games, so that no request waits for that.

    Args:
        public_url: the address of the server for others, if it has one.
        stopped: whether the rest is no longer wanted; asked before each game.
    """
    for brief in (False, True):
        _ = cached(_all_games, public_url, brief).compressed
    for name in (*games.names(), *games.entries()):
        if stopped():
            return
        try:
            _prepare(name)
        except Exception:
            # A request for what has failed is answered 500; all else is cached.
            _log.exception("Failed to prepare the responses about %s", name)


def _prepare(name: str) -> None:
    contract, _ = games.look_up(name)
    _ = _cached(name, library.game_info).compressed
    if lessons.lesson(contract):
        _ = _cached(name, lessons.lesson).compressed
    if puzzles.puzzles(contract):
        _ = cached(puzzles.puzzles, contract).compressed
    for make, lang in product((library.catalogue, library.rule_book), LANGUAGES):
        _ = _cached(name, make, lang).compressed


async def list_games(desk: Desk, who: Visitor, brief: bool = False) -> CachedResponse:
    """Return every game with its options, and every bot."""
    return cached(_all_games, desk.options.public_url, brief)


async def show_game(desk: Desk, who: Visitor, game: str) -> CachedResponse:
    """Return a game with its options, presets and numbers of seats."""
    return _cached(game, library.game_info)


async def show_texts(desk: Desk, who: Visitor, game: str, lang: str) -> CachedResponse:
    """Return all texts that the views, events and errors of a game refer to, in one language."""
    return _cached(game, library.catalogue, _language(lang))


async def show_rules(desk: Desk, who: Visitor, game: str, lang: str) -> CachedResponse:
    """Return every clause of a game with its sources and worked examples, in one language."""
    return _cached(game, library.rule_book, _language(lang))


async def show_lesson(desk: Desk, who: Visitor, game: str) -> CachedResponse:
    """Return the lesson of a game: a summary of one minute, then step by step, with the outcome of every answer."""
    contract, _ = games.entries().get(game) or (game_of(game), None)
    if lessons.lesson(contract) is None:
        raise ProblemError("no-lesson")
    return _cached(game, lessons.lesson)


# --- Puzzles. The solution is sent after the tries only ---


def _with(game: str, id: str) -> Contract:
    """Return the game of a puzzle. Raises ProblemError (404) where there is no such game or puzzle."""
    contract = game_of(game)
    if puzzles.find(contract, id) is None:
        raise ProblemError("no-such-puzzle")
    return contract


async def list_puzzles(desk: Desk, who: Visitor, game: str) -> CachedResponse:
    """Return the list of a game's puzzles, the easiest first."""
    contract = game_of(game)
    if puzzles.puzzles(contract) is None:
        raise ProblemError("no-puzzles")
    return cached(puzzles.puzzles, contract)


async def show_puzzle(desk: Desk, who: Visitor, game: str, puzzle: str) -> CachedResponse:
    """Return a puzzle: a seat's view of a round in which one choice is clearly the best."""
    return cached(puzzles.puzzle, _with(game, puzzle), puzzle)


async def try_puzzle(desk: Desk, who: Visitor, game: str, puzzle: str, asked: puzzles.AskPuzzleTry) -> puzzles.PuzzleTried:
    """Answer a puzzle. After a wrong first answer there is a hint and a second try; then the solution is sent.

    Nothing is stored, and no guest is needed.
    """
    tried = puzzles.tried(_with(game, puzzle), puzzle, asked)
    if tried is None:
        raise ProblemError("action", reason=f"{asked.action} is not among the choices")
    return tried


def _kept(path: str, id: str, summary: str, do: Callable[..., Any], answer: Any, *params: Param) -> Route:
    return Route("GET", path, id, summary, do, answer, params=params, caching=CHECKED)


_BRIEF = param("brief", bool, "Whether to leave out options, presets and how each game's bots play.", True, False)
_PUZZLE, _TRY = "/api/games/{game}/puzzles/{puzzle}", puzzles.AskPuzzleTry(action="7I")
ROUTES = (
    _kept("/api/games", "games", "All games and bots", list_games, wire.Games, _BRIEF),
    _kept("/api/games/{game}", "game", "A game", show_game, wire.GameInfo),
    _kept("/api/games/{game}/texts/{lang}", "texts", "The texts of a game", show_texts, wire.Catalogue),
    _kept("/api/games/{game}/rules/{lang}", "rules", "The rule book of a game", show_rules, wire.RuleBook),
    _kept("/api/games/{game}/lesson", "lesson", "The lesson of a game", show_lesson, lessons.Lesson),
)
PUZZLE_ROUTES = (
    _kept("/api/games/{game}/puzzles", "puzzles", "The puzzles of a game", list_puzzles, puzzles.Puzzles),
    _kept(_PUZZLE, "puzzle", "A puzzle", show_puzzle, puzzles.Puzzle),
    Route("POST", _PUZZLE, "try_puzzle", "Answer a puzzle", try_puzzle, puzzles.PuzzleTried, _TRY),
)
