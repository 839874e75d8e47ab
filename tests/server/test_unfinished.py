"""An unfinished game on a server: the log reports it to the operator, visitors see every other game, and its tables wait for it."""

import logging
import signal
from pathlib import Path

import pytest

from mekuri import games
from mekuri.desk.routes import games as routes
from mekuri.engine.contract import Contract
from mekuri.engine.errors import PositionError
from mekuri.engine.rulebook import LANGUAGES, Lang
from mekuri.protocol import library
from mekuri.protocol.games import RuleBook
from mekuri.server.http.background import sweep_once
from tests.helpers.server.child import Child
from tests.helpers.server.gathering import at, begun, guests
from tests.helpers.server.serving import Guest, Refusal, serving
from tests.helpers.server.stores import sql
from tests.helpers.tables import GAMES, USUAL
from tests.helpers.time import FakeTime
from tests.helpers.unfinished import GAME, LACKING, left_out, unfinished_example

FAULT = "/srv/private/book.toml [shelf] lacks dust"
OTHERS = [name for name in GAMES if name != USUAL]
UNUSED = 5000  # seconds after which a table that never filled is closed


def warnings(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]


async def test_unfinished_game_is_logged_and_left_out(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Paths of the server's files are not public."""
    with left_out(USUAL, FAULT):
        async with serving(tmp_path / "mekuri.db") as server, guests(server, "Aki") as (aki,):
            assert f"the game {USUAL} is left out: {FAULT}" in warnings(caplog)
            answer = await aki.http.get("/api/games")
            assert [game["id"] for game in answer.json()["games"]] == OTHERS
            for path in ("", *(f"/{what}/{lang}" for what in ("texts", "rules") for lang in LANGUAGES)):
                for name in OTHERS:
                    assert (await aki.http.get(f"/api/games/{name}{path}")).status_code == 200
                missing = await aki.http.get(f"/api/games/{USUAL}{path}")
                assert (missing.status_code, missing.json()["error"]) == (404, "no-such-game")
                assert FAULT not in missing.text
            refused = await aki.http.post("/api/tables", json={"game": USUAL})
            assert refused.json()["error"] == "no-such-game"
            assert FAULT not in answer.text + refused.text
            table = await aki.make(OTHERS[0])
            assert (await aki.sit(table))["game"] == OTHERS[0]


async def test_tables_of_an_unfinished_game_wait(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """They are kept unchanged for any time, and continue from their state."""
    path = tmp_path / "mekuri.db"
    async with serving(path) as server, guests(server, "Aki") as (aki,):
        running, free = await begun([aki], USUAL), await aki.make(USUAL)
        before = (await aki.look(running))["version"]
    rows = sql(path, "select * from log")
    with left_out(USUAL, FAULT):
        async with serving(path, time := FakeTime(), unused=UNUSED, forgotten=UNUSED) as server:
            time.move(UNUSED + 100)
            for _ in range(2):
                await sweep_once(server.desk)
            again = at(server, aki)
            with pytest.raises(Refusal) as refusal:
                await again.look(running)
            assert (refusal.value.error, FAULT in str(refusal.value.problem)) == ("no-such-game", False)
            assert (await again.call("GET", "/api/tables")) == {"open": [], "yours": [], "unanswered": 0}
    assert sql(path, "select * from log") == rows
    assert len([line for line in warnings(caplog) if "waits for rules" in line]) == 1
    async with serving(path) as server:
        again = at(server, aki)
        assert (await again.look(running))["version"] == before
        assert (await again.look(free))["head"]["state"] == "open"


async def test_failing_rule_book_blocks_no_other_game(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    """An unplayable example is a fault of the game that only rendering finds."""
    real, made = library.rule_book, []

    def rule_book(contract: Contract, lang: Lang) -> RuleBook:
        if contract.id == OTHERS[0]:
            raise PositionError("no such hand")
        made.append((contract.id, lang))
        return real(contract, lang)

    monkeypatch.setattr(library, "rule_book", rule_book)
    routes.prepare()
    shown = [(name, games.look_up(name)[0].id) for name in (*GAMES, *games.entries())]
    assert made == [(game, lang) for _, game in shown if game != OTHERS[0] for lang in LANGUAGES]
    assert warnings(caplog) == [f"Failed to prepare the responses about {name}" for name, game in shown if game == OTHERS[0]]


@pytest.mark.slow
async def test_unfinished_installed_game_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a process of its own: it starts, reports the fault, and serves the rest."""
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    book, child = unfinished_example(tmp_path), Child(tmp_path / "mekuri.db", true=True)
    await child.start()
    guest = Guest(child.address)
    info = await guest.call("GET", "/api/games")
    await guest.close()
    child.send(signal.SIGINT)
    await child.ended()
    assert [game["id"] for game in info["games"]] == list(GAMES)
    assert f"WARNING the game {GAME} is left out: {book} {LACKING}" in child.err
