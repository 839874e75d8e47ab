"""Puzzles at a server: asked, tried, answered; and the answer does not travel before."""

from typing import Any

import httpx
import pytest

from mekuri import games
from mekuri.desk.routes import games as routes
from mekuri.engine.chance import stream
from mekuri.engine.puzzles import Puzzle, puzzles
from mekuri.match.puzzle import set_up
from mekuri.protocol import puzzles as wire
from mekuri.testing.worlds import leading_to, redealt
from tests.helpers.server.serving import Guest, Serving
from tests.helpers.tables import GAMES

PUZZLED = [name for name in GAMES if puzzles(games.find(name))]
GAME = PUZZLED[0]
LACKING = next(name for name in GAMES if name not in PUZZLED)
PATH = f"/api/games/{GAME}/puzzles"


@pytest.fixture
def http(server: Serving) -> httpx.AsyncClient:
    return Guest(server.address).http


def with_choices(more: bool) -> Puzzle:
    """A puzzle of more than two choices, or of two, whose answer is not what tempts."""
    found = [(name, one) for name in PUZZLED for one in of(name)]
    return next(one for name, one in found if name == GAME and one.tempts != one.best and (len(one.costs) > 1) == more)


def of(name: str) -> tuple[Puzzle, ...]:
    found = puzzles(games.find(name))
    assert found
    return found.puzzles


async def attempt(http: httpx.AsyncClient, puzzle: Puzzle, action: str | None, second: bool = False) -> Any:
    answer = await http.post(f"{PATH}/{puzzle.id}", json={"action": action, "second": second})
    assert answer.status_code == 200, answer.text
    return answer.json()


@pytest.mark.alone
async def test_answer_follows_success_or_the_second_try(http: httpx.AsyncClient) -> None:
    listed = (await http.get(PATH)).json()
    assert [one["id"] for one in listed["puzzles"]] == [one.id for one in of(GAME)]
    assert (await http.get(f"/api/games/{GAME}")).json()["puzzles"] == len(of(GAME))
    puzzle = with_choices(more=True)
    wrong = await attempt(http, puzzle, puzzle.tempts)
    assert (wrong["right"], wrong["over"], wrong["answer"]) == (False, False, None)
    unknown = await attempt(http, puzzle, None)
    assert unknown == wrong
    last = await attempt(http, puzzle, puzzle.tempts, second=True)
    assert (last["right"], last["over"], last["answer"]["best"]) == (False, True, puzzle.best)
    right = await attempt(http, puzzle, puzzle.best)
    assert (right["right"], right["over"], right["answer"]) == (True, True, last["answer"])
    assert {one["action"] for one in right["answer"]["costs"]} == {*puzzle.costs}
    assert "set-cookie" not in (await http.post(f"{PATH}/{puzzle.id}", json={"action": None})).headers, "nobody need be a guest"


@pytest.mark.alone
async def test_puzzle_with_two_choices_allows_one_try(http: httpx.AsyncClient) -> None:
    puzzle = with_choices(more=False)
    assert (await attempt(http, puzzle, puzzle.tempts))["answer"]["best"] == puzzle.best


@pytest.mark.alone
@pytest.mark.parametrize("name", PUZZLED)
async def test_question_contains_no_answer_or_hidden_card(http: httpx.AsyncClient, name: str) -> None:
    for puzzle in of(name)[::7]:
        answer = await http.get(f"/api/games/{name}/puzzles/{puzzle.id}")
        question = answer.json()
        assert question.keys() == {"game", "id", "level", "seat", "seats", "choices", "event", "cards"}
        assert question["event"]["view"]["you"] == puzzle.seat
        assert puzzle.packs[0] not in answer.text
        assert {choice["action"] for choice in question["choices"]} == {puzzle.best, *puzzle.costs}


async def test_unchanged_puzzle_gets_304(http: httpx.AsyncClient) -> None:
    for path in (PATH, f"{PATH}/{of(GAME)[0].id}"):
        tag = (await http.get(path)).headers["etag"]
        assert (await http.get(path, headers={"if-none-match": tag})).status_code == 304


@pytest.mark.parametrize("id", ["nothing", "x" * 16, "0" * 8, "__class__", "%00", "鶴", "..%2f..", "-1"])
async def test_unknown_puzzle_gets_404_and_is_not_cached(http: httpx.AsyncClient, id: str) -> None:
    kept = routes.cached.cache_info().currsize
    for answer in (await http.get(f"{PATH}/{id}"), await http.post(f"{PATH}/{id}", json={"action": None})):
        assert answer.status_code == 404, answer.text
        assert answer.json()["error"] in ("no-such-puzzle", "no-such-page")
    assert routes.cached.cache_info().currsize == kept


@pytest.mark.alone
async def test_invalid_attempt_is_refused(http: httpx.AsyncClient) -> None:
    path = f"{PATH}/{of(GAME)[0].id}"
    assert (await http.get(f"{PATH}/{'x' * 17}")).status_code == 400
    bodies: list[Any] = [
        {},
        {"action": 7},
        {"action": "x" * 33},
        {"action": "7I", "seat": 1},
        {"action": None, "second": "perhaps"},
        [],
        None,
    ]
    for body in bodies:
        answer = await http.post(path, json=body)
        assert (answer.status_code, answer.json()["error"]) == (400, "malformed"), body
    for action in ("", "77Z", "G", "nothing", "鶴"):
        if action not in {of(GAME)[0].best, *of(GAME)[0].costs}:
            answer = await http.post(path, json={"action": action})
            assert (answer.status_code, answer.json()["error"]) == (400, "action")


async def test_oversized_attempt_is_refused(http: httpx.AsyncClient) -> None:
    path = f"{PATH}/{of(GAME)[0].id}"
    assert (await http.get(f"{PATH}/{'x' * 5000}")).status_code in (400, 414)
    assert (
        await http.post(path, content=b'"' + b"x" * 100_000 + b'"', headers={"content-type": "application/json"})
    ).status_code == 413
    assert (await http.put(path, json={"action": None})).status_code == 405


@pytest.mark.alone
async def test_game_without_puzzles_gets_404(http: httpx.AsyncClient) -> None:
    answer = await http.get(f"/api/games/{LACKING}/puzzles")
    assert (answer.status_code, answer.json()["error"]) == (404, "no-puzzles")
    assert (await http.get(f"/api/games/{LACKING}")).json()["puzzles"] == 0
    assert (await http.get("/api/games/nothing/puzzles")).json()["error"] == "no-such-game"
    assert (await http.get(f"/api/games/{LACKING}/puzzles/{of(GAME)[0].id}")).json()["error"] == "no-such-puzzle"


async def test_page_of_puzzles_needs_a_game(http: httpx.AsyncClient) -> None:
    assert (await http.get(f"/puzzles/{GAME}")).status_code == 200
    assert (await http.get("/puzzles/nothing")).status_code == 404


@pytest.mark.parametrize("name", PUZZLED)
def test_two_worlds_give_one_question(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The question of a puzzle does not depend on hidden cards."""
    contract, chance = games.find(name), stream("two worlds")
    for puzzle in of(name)[::9]:
        answer = wire.puzzle(contract, puzzle.id)

        def elsewhere(*args: Any, seat: int = puzzle.seat) -> Any:
            round = set_up(*args)
            return leading_to(redealt(round.hidden(seat), seat, chance), round, seat)

        with monkeypatch.context() as patch:
            patch.setattr(wire, "set_up", elsewhere)
            assert wire.puzzle(contract, puzzle.id) == answer
