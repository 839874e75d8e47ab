"""Routes of the games: their options, texts, rule books and lessons. All responses are cached for as long as the server runs."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import cache
from itertools import product
from typing import Annotated, Any

import msgspec
from litestar import Response, Router, get
from litestar.openapi.spec import Example
from litestar.params import PathParameter, QueryParameter
from msgspec.structs import replace

from mekuri import games
from mekuri.engine.contract import Contract
from mekuri.engine.errors import UnknownGame
from mekuri.engine.rulebook import LANGUAGES, Lang
from mekuri.protocol import games as wire
from mekuri.protocol import lesson as lessons
from mekuri.protocol import library, puzzles
from mekuri.protocol.coding import encode
from mekuri.server.base.asked import Asked
from mekuri.server.base.cached_response import SAME, CachedResponse
from mekuri.server.http.routes.dependencies import refusals
from mekuri.table.errors import ProblemError

GameName = Annotated[str, PathParameter(description="A game's name.", max_length=64, examples=[Example(value=games.names()[0])])]
Brief = Annotated[
    bool,
    QueryParameter(
        description="Whether to leave out options, presets and how each game's bots play.", examples=[Example(value=True)]
    ),
]
Language = Annotated[str, PathParameter(description="en or ja.", max_length=8, examples=[Example(value=LANGUAGES[0])])]

_log = logging.getLogger("mekuri.server")


def game_of(name: str) -> Contract:
    """Return the game of a name. Raises ProblemError (404) where there is none."""
    try:
        return games.find(name)
    except UnknownGame:
        raise ProblemError("no-such-game") from None


def _language(told: str) -> Lang:
    for lang in LANGUAGES:
        if lang == told:
            return lang
    raise ProblemError("no-such-language", languages=", ".join(LANGUAGES))


@cache
def cached(tell: Callable[..., msgspec.Struct | None], *told: Any) -> CachedResponse:
    """Return the JSON of what `tell` returns for its arguments, cached for as long as the server runs."""
    return CachedResponse(encode(tell(*told)), "application/json")


def _all_games(public_url: str | None, brief: bool = False) -> wire.Games:
    return replace(library.brief_games() if brief else library.all_games(), public_url=public_url)


def tell_all(public_url: str | None = None) -> None:
    """Encode and compress all responses about games, so that no request waits for that."""
    for brief in (False, True):
        _ = cached(_all_games, public_url, brief).compressed
    for contract in map(games.find, games.names()):
        try:
            _tell(contract)
        except Exception:
            # A request for what has failed is answered 500; all else is cached.
            _log.exception("Not all that there is to tell of %s can be told", contract.id)


def _tell(contract: Contract) -> None:
    _ = cached(library.game_info, contract).compressed
    if lessons.lesson(contract):
        _ = cached(lessons.lesson, contract).compressed
    if puzzles.puzzles(contract):
        _ = cached(puzzles.puzzles, contract).compressed
    for tell, lang in product((library.catalogue, library.rule_book), LANGUAGES):
        _ = cached(tell, contract, lang).compressed


@get("/", summary="All games and bots", operation_id="games", responses=SAME | refusals())
async def list_games(request: Asked, brief: Brief = False) -> Response[wire.Games]:
    """Return every game with its options, and every bot."""
    return cached(_all_games, request.app.state.settings.public_url, brief).answer(request)


@get("/{game:str}", summary="A game", operation_id="game", responses=SAME | refusals(404))
async def show_game(request: Asked, game: GameName) -> Response[wire.GameInfo]:
    """Return a game with its options, presets and numbers of seats."""
    return cached(library.game_info, game_of(game)).answer(request)


@get("/{game:str}/texts/{lang:str}", summary="The texts of a game", operation_id="texts", responses=SAME | refusals(404))
async def show_texts(request: Asked, game: GameName, lang: Language) -> Response[wire.Catalogue]:
    """Return all texts that the views, events and errors of a game refer to, in one language."""
    return cached(library.catalogue, game_of(game), _language(lang)).answer(request)


@get("/{game:str}/rules/{lang:str}", summary="The rule book of a game", operation_id="rules", responses=SAME | refusals(404))
async def show_rules(request: Asked, game: GameName, lang: Language) -> Response[wire.RuleBook]:
    """Return every clause of a game with its sources and worked examples, in one language."""
    return cached(library.rule_book, game_of(game), _language(lang)).answer(request)


@get("/{game:str}/lesson", summary="The lesson of a game", operation_id="lesson", responses=SAME | refusals(404))
async def show_lesson(request: Asked, game: GameName) -> Response[lessons.Lesson]:
    """Return the lesson of a game: a summary of one minute, then step by step, with the outcome of every answer."""
    contract = game_of(game)
    if lessons.lesson(contract) is None:
        raise ProblemError("no-lesson")
    return cached(lessons.lesson, contract).answer(request)


router = Router("/api/games", route_handlers=[list_games, show_game, show_texts, show_rules, show_lesson], tags=["games"])
