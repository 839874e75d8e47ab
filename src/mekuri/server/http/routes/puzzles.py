"""Routes of the puzzles of a game. The solution is sent after the tries only."""

from __future__ import annotations

from typing import Annotated

from litestar import Response, Router, get, post
from litestar.openapi.spec import Example
from litestar.params import PathParameter

from mekuri.engine.contract import Contract
from mekuri.protocol import puzzles as wire
from mekuri.server.base.asked import Asked
from mekuri.server.base.cached_response import SAME
from mekuri.server.http.routes.dependencies import body, refusals
from mekuri.server.http.routes.games import GameName, cached, game_of
from mekuri.table.errors import ProblemError

PuzzleName = Annotated[str, PathParameter(description="A puzzle's id.", max_length=16, examples=[Example(value="3f9a0c12")])]
NewTry = Annotated[wire.AskPuzzleTry, body(wire.AskPuzzleTry(action="7I"))]


def _with(game: str, id: str) -> Contract:
    """Return the game of a puzzle. Raises ProblemError (404) where there is no such game or puzzle."""
    contract = game_of(game)
    if wire.find(contract, id) is None:
        raise ProblemError("no-such-puzzle")
    return contract


@get("/", summary="The puzzles of a game", operation_id="puzzles", responses=SAME | refusals(404))
async def list_puzzles(request: Asked, game: GameName) -> Response[wire.Puzzles]:
    """Return the list of a game's puzzles, the easiest first."""
    contract = game_of(game)
    if wire.puzzles(contract) is None:
        raise ProblemError("no-puzzles")
    return cached(wire.puzzles, contract).answer(request)


@get("/{puzzle:str}", summary="A puzzle", operation_id="puzzle", responses=SAME | refusals(404))
async def show_puzzle(request: Asked, game: GameName, puzzle: PuzzleName) -> Response[wire.Puzzle]:
    """Return a puzzle: a seat's view of a round in which one choice is clearly the best."""
    return cached(wire.puzzle, _with(game, puzzle), puzzle).answer(request)


@post("/{puzzle:str}", summary="Answer a puzzle", operation_id="try_puzzle", responses=refusals(404, body=True), status_code=200)
async def try_puzzle(data: NewTry, game: GameName, puzzle: PuzzleName) -> wire.PuzzleTried:
    """Answer a puzzle. After a wrong first answer there is a hint and a second try; then the solution is sent.

    Nothing is stored, and no guest is needed.
    """
    tried = wire.tried(_with(game, puzzle), puzzle, data)
    if tried is None:
        raise ProblemError("action", reason=f"{data.action} is not among the choices")
    return tried


router = Router("/api/games/{game:str}/puzzles", route_handlers=[list_puzzles, show_puzzle, try_puzzle], tags=["games"])
