"""A database of the last landed version continues, and clients of other wire versions get a refusal."""

import gzip
import json
import re
import sqlite3
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

import httpx
import msgspec
import pytest
from jsonschema_rs import validator_for

from mekuri.match.verify import verify
from mekuri.protocol import version
from mekuri.protocol.schema import schema
from mekuri.server.storage.side import StoreError
from mekuri.server.storage.store import Store
from mekuri.terminal.base.kept import kept_token
from mekuri.terminal.base.line import Line, LineError
from tests.helpers.folders import CHECKOUT, OLDER
from tests.helpers.older import counted, renamed, unordered
from tests.helpers.server.databases import unpacked
from tests.helpers.server.serving import Guest, Serving, act, play_out, refused, serving
from tests.helpers.tables import GAMES
from tests.helpers.time import Counting

FIRST = OLDER / "first"
SHAPES = OLDER / "third" / "view.schema.json.gz"  # of the oldest version that is served
TOLD: dict[str, Any] = json.loads((FIRST / "database.json").read_text("utf-8"))
THEN = 1_800_000_100_000  # a moment after it was written, in milliseconds since 1970: nothing in it has been forgotten


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return unpacked(FIRST / "mekuri.db.gz", tmp_path / "mekuri.db")


@asynccontextmanager
async def opened(database: Path) -> AsyncIterator[tuple[Serving, Guest, Guest]]:
    """Start a server on it, with the two players and their tokens of then."""
    async with serving(database, time=Counting(THEN, 50)) as server:
        found = [Guest(server.address, headers={"authorization": f"Bearer {token}"}) for token in TOLD["tokens"].values()]
        try:
            yield server, found[0], found[1]
        finally:
            for guest in found:
                await guest.close()


class TestDatabase:
    async def test_people_and_tables_are_loaded(self, database: Path) -> None:
        async with opened(database) as (_, aki, ben):
            assert [(await one.call("GET", "/api/guests/me"))["name"] for one in (aki, ben)] == list(TOLD["tokens"])
            states = {name: (await aki.look(TOLD[name]))["head"]["state"] for name in ("over", "running", "alone", "open")}
        assert states == {"over": "over", "running": "running", "alone": "running", "open": "open"}

    async def test_running_match_is_unchanged_and_playable(self, database: Path) -> None:
        async with opened(database) as (_, aki, ben):
            for guest, view in zip((aki, ben), TOLD["views"]["running"].values(), strict=True):
                now = (await guest.look(TOLD["running"]))["view"]
                assert {key: unordered(now)[key] for key in renamed(view)} == renamed(view) | {"score": counted(view["score"])}
            whole = await play_out(TOLD["running"], [aki, ben])
            assert whole["head"]["why"] == "played"
            record = await aki.http.get(f"/api/tables/{TOLD['running']}/record")
        assert verify(record.text)

    async def test_match_against_a_bot_continues(self, database: Path) -> None:
        async with opened(database) as (_, aki, _):
            before = (await aki.look(TOLD["alone"]))["version"]
            while not await act(aki, TOLD["alone"], Random(1)):
                pass
            assert (await aki.look(TOLD["alone"]))["version"] > before

    async def test_record_of_a_finished_match_is_unchanged(self, database: Path) -> None:
        async with opened(database) as (_, aki, _):
            record = await aki.http.get(f"/api/tables/{TOLD['over']}/record")
        assert record.json() == TOLD["record"]
        assert verify(record.text)

    async def test_finished_matches_are_counted(self, database: Path) -> None:
        async with opened(database) as (_, aki, _):
            (match,) = (await aki.call("GET", "/api/guests/matches"))["matches"]
            record = (await aki.http.get(f"/api/tables/{match['table']}/record")).json()
            assert match["returns"] == [round["returns"][match["seat"]] for round in record["rounds"]]

    @pytest.mark.sqlite
    async def test_newer_database_is_refused_unchanged(self, database: Path) -> None:
        with sqlite3.connect(database) as connection:
            connection.execute("UPDATE alembic_version SET version_num = 'b0001'")
        before = database.read_bytes()
        with pytest.raises(StoreError, match="was written by a newer Mekuri: update this one"):
            await Store.open(database)
        assert database.read_bytes() == before


def test_stored_tokens_of_the_terminal_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mekuri.terminal.base.kept.kept_file", FIRST.joinpath)
    assert kept_token("http://localhost:8413") == TOLD["tokens"]["Aki"]


# --- The version of the wire ---


async def refusal(server: Serving, headers: dict[str, str], path: str = "/api/games") -> httpx.Response:
    async with httpx.AsyncClient(base_url=server.address, headers=headers) as http:
        return await http.get(path)


class TestWire:
    @pytest.mark.parametrize("named", [{}, {"Mekuri-Api": str(version.API)}])
    async def test_missing_version_means_the_present_one(self, server: Serving, named: dict[str, str]) -> None:
        answer = await refusal(server, named)
        assert answer.status_code == 200
        assert answer.headers[version.HEADER] == str(version.API)

    @pytest.mark.parametrize("path", ["/api/games", "/api/guests/me", "/api/tables/none", "/api/stream?table=none"])
    async def test_newer_client_gets_server_outdated(self, server: Serving, path: str) -> None:
        answer = await refusal(server, {"Mekuri-Api": str(version.API + 1)}, path)
        assert answer.status_code == 426
        assert answer.json()["error"] == "server-outdated"
        assert answer.headers["upgrade"] == f"mekuri-api/{version.API}"

    @pytest.mark.parametrize("path", ["/api/games", "/api/guests/me", "/api/tables/none", "/api/stream?table=none"])
    async def test_older_client_gets_outdated(self, server: Serving, path: str) -> None:
        """Pages, terminals and programs of the version before name it, also where they follow a table."""
        named = {"Mekuri-Api": str(version.OLDEST - 1)}
        answer = await refusal(server, named, path)
        assert answer.status_code == 426
        problem = answer.json()
        assert problem["text"] == {"id": "errors.outdated", "args": {}}
        assert (problem["error"], problem["message"].count(".")) == ("outdated", 1)
        assert "reload the page, or update Mekuri" in problem["message"]
        assert (await refusal(server, named, "/")).status_code == 200, "the page itself is had by everybody"

    async def test_supported_older_version_is_served(self, server: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(version, "API", version.OLDEST + 1)
        asked = range(version.OLDEST - 1, version.OLDEST + 3)
        assert [(await refusal(server, {"Mekuri-Api": str(one)})).status_code for one in asked] == [426, 200, 200, 426]

    @pytest.mark.parametrize("value", ["0", "-1", "one", "1.0", "9" * 40, "²"])
    async def test_invalid_version_gets_400(self, server: Serving, value: str) -> None:
        answer = await refusal(server, {b"Mekuri-Api": value.encode()})  # type: ignore[dict-item]
        assert (answer.status_code, answer.json()["error"]) == (400, "malformed")

    async def test_terminal_reports_an_old_server_in_one_line(self, server: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("mekuri.terminal.base.line.API", version.API + 1)
        async with Line(server.address) as line:
            with pytest.raises(LineError, match=r"^This server is too old for .*: its keeper must update Mekuri\.$"):
                await line.fetch("GET", "/api/games")
            with pytest.raises(LineError, match="This server is too old"):
                async for _ in line.follow("none", "", lambda: None):
                    pass

    async def test_version_is_checked_before_the_request(self, server: Serving) -> None:
        guest = Guest(server.address, headers={"Mekuri-Api": "7", "authorization": "Bearer nobody"})
        assert (await refused(guest.call("POST", "/api/tables", {"nonsense": 1})))[0] == 426

    def test_page_terminal_and_example_name_the_present_version(self) -> None:
        page = (CHECKOUT / "web/src/lib/version.svelte.ts").read_text("utf-8")
        bot = (CHECKOUT / "examples/bot.py").read_text("utf-8")
        assert re.findall(r'"mekuri-api": "(\d+)"', page, re.IGNORECASE) == [str(version.API)]
        assert re.findall(r'"mekuri-api": "(\d+)"', bot, re.IGNORECASE) == [str(version.API)]


# Values that came later, each for something that no earlier server did: an older client meets it there alone.
GROWN: dict[str, list[str]] = {
    **{key: ["late", "stalled"] for key in ("Head.why", "PlayedMatch.why", "ExportedMatch.why", "AskBring.why")},
    "Event.kind": ["answer", "late", "clock", "settle"],
}
# Texts that people write: how long they may be is no matter of their shape any more, so that a sentence says what is wrong.
LIFTED = ("AskGuest.name", "AskDevice.code", "AskSeat.cut", "AskDailyCut.cut")
# Fields that a request need not have any more: null stands for a field that is left out, and requests of older clients keep their
# meaning.
LEFT_OUT = ("AskReady.enough",)


class TestShapes:
    """Messages of version 2 have the shapes of its first release, and at most more fields."""

    def first(self) -> dict[str, Any]:
        shapes: dict[str, Any] = json.loads(gzip.decompress(SHAPES.read_bytes()))["$defs"]
        return shapes

    def test_fields_of_the_oldest_version_are_kept(self) -> None:
        assert version.OLDEST == 2, "a version that is served no more needs no look at its shapes: take the next one's"
        now = json.loads(msgspec.json.encode(schema()))["$defs"]
        for name, was in self.first().items():
            assert name in now, f"{name} is gone: raise the version"
            for field, shape in was.get("properties", {}).items():
                lengths = ("minLength", "maxLength") if f"{name}.{field}" in LIFTED else ()
                present = now[name]["properties"].get(field)
                if f"{name}.{field}" in LEFT_OUT:
                    present = {**present["anyOf"][0], "default": shape["default"]}
                found = bare(present, GROWN.get(f"{name}.{field}", ()))
                assert found == bare(shape, lengths), f"{name}.{field} is another: raise the version"
            asked = set(now[name].get("required", ())) - set(was.get("required", ()))
            missing = set(was.get("required", ())) - set(now[name].get("required", ()))
            assert not (asked if name.startswith("Ask") else missing), f"{name}: raise the version"

    @pytest.mark.alone
    @pytest.mark.parametrize("name", GAMES)
    async def test_oldest_client_understands_every_answer(self, server: Serving, name: str) -> None:
        shapes = self.first()
        aki = await Guest(server.address).arrive("Aki")
        table = await aki.make(name)
        await aki.sit(table)
        await act(aki, table, Random(1))
        asked = {
            **{"games": "Games", f"games/{name}/texts/ja": "Catalogue", f"games/{name}/rules/en": "RuleBook"},
            **{"guests/me": "Guest", "tables": "Tables", f"tables/{table}": "Table", f"tables/{table}/events?since=0": "Events"},
            **{f"tables/{table}/cards": "Worths", "tables/none": "Problem"},
        }
        for path, kind in asked.items():
            answer = await aki.http.get(f"/api/{path}")
            validator_for({"$defs": shapes, "$ref": f"#/$defs/{kind}"}).validate(answer.json())


def bare(shape: Any, without: Collection[str] = ()) -> Any:
    """Return a shape without descriptions, and without some values."""
    if isinstance(shape, dict):
        return {
            key: bare(value, without) for key, value in shape.items() if key not in ("description", "examples", "title", *without)
        }
    return [bare(one, without) for one in shape if one not in without] if isinstance(shape, list) else shape
