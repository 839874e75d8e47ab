"""A link in a mail or a chat, whose program takes for the link only what ends with a letter or a digit."""

import re
from pathlib import Path

import pytest

from mekuri import games
from mekuri.desk.routes import tables
from mekuri.desk.tables import id_for, new_id
from mekuri.engine.puzzles import puzzles
from mekuri.engine.rulebook import rulebook
from mekuri.protocol.table import AskTable
from tests.helpers.server.serving import Guest, serving
from tests.helpers.tables import USUAL

WHOLE = re.compile(r"[A-Za-z0-9]|[\w.#/-]*[A-Za-z0-9]", re.ASCII)
MANY = 400  # ids, of which a twentieth would be cut by chance


def test_ids_end_with_a_letter_or_digit() -> None:
    ids = [new_id() for _ in range(MANY)] + [id_for("aki", AskTable(game=USUAL), str(key)) for key in range(MANY)]
    assert len({*ids}) == 2 * MANY
    assert {len(id) for id in ids} == {12}
    clauses = [clause for game in games.names() for clause in rulebook(games.find(game)).clauses]
    found = [puzzles(games.find(game)) for game in games.names()]
    named = [puzzle.id for each in found if each for puzzle in each.puzzles]
    assert clauses
    assert named
    assert [end for end in (*ids, *clauses, *named, *games.names()) if not WHOLE.fullmatch(end)] == []


async def test_older_id_ending_with_a_dash_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "new_id", lambda: "b7Zk2QxWm0R-")
    async with serving(tmp_path / "mekuri.db") as server:
        aki = await Guest(server.address).arrive()
        table = await aki.make(USUAL)
        assert table.endswith("-")
        assert (await aki.sit(table))["you"] == 0
        await aki.close()
