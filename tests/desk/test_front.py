"""A front without a network: its operations, its refusals, and a match played through it."""

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from itertools import product
from random import Random
from typing import Any

import pytest

import mekuri
from mekuri import games
from mekuri.desk.desk import Desk
from mekuri.desk.front import Front, Reply
from mekuri.desk.memory_store import MemoryStore
from mekuri.desk.routes import ROUTES
from mekuri.engine.options import differing
from mekuri.engine.rulebook import LANGUAGES
from mekuri.match.verify import verify
from tests.helpers.server.addresses import example_of, operations
from tests.helpers.tables import USUAL
from tests.helpers.time import fake_time, moment

Json = dict[str, Any]


@dataclass
class Client:
    """A client of a front: a guest with a token, or a visitor."""

    front: Front
    token: str | None = None

    async def ask(self, method: str, url: str, body: Any = None) -> Reply:
        return await self.front.ask(method, url, b"" if body is None else json.dumps(body).encode(), self.token)

    async def call(self, method: str, url: str, body: Any = None) -> Any:
        """Return the JSON of an answer that is no refusal."""
        reply = await self.ask(method, url, body)
        assert isinstance(reply.body, bytes)
        assert reply.status < 300, reply.body
        return json.loads(reply.body)

    async def arrive(self) -> "Client":
        made = await self.call("POST", "/api/guests", {"name": "Aki"})
        return replace(self, token=made["token"])

    async def sit(self, **asked: object) -> str:
        """Make a table for one round, sit down, and return its path."""
        made = await self.call("POST", "/api/tables", {"game": USUAL, "match_options": {"rounds": "1"}, **asked})
        path = f"/api/tables/{made['id']}"
        assert (await self.call("POST", f"{path}/seat", {"cut": "1f0a"}))["you"] == 0
        return path


@pytest.fixture
async def desk() -> AsyncIterator[Desk]:
    found = Desk(MemoryStore(fake_time()))
    yield found
    await found.close()


@pytest.fixture
async def aki(desk: Desk) -> Client:
    return await Client(Front(desk)).arrive()


async def refusal(asked: Reply) -> tuple[int, str]:
    assert isinstance(asked.body, bytes)
    return asked.status, json.loads(asked.body)["error"]


async def test_both_fronts_have_the_same_operations(desk: Desk) -> None:
    over_http = {(id, each["method"].upper(), each["path"]) for id, each in operations().items()}
    assert over_http == {(route.id, route.method, route.path) for route in ROUTES}
    nobody = Client(Front(desk))
    for route in ROUTES:
        reply = await nobody.ask(*example_of(route))
        assert reply.status in (200, 201, 400, 401, 404)
        if reply.status >= 400:
            assert (await refusal(reply))[1] not in ("no-such-page", "method", "malformed"), route.id


async def test_whole_match_is_played_without_a_network(aki: Client) -> None:
    path, chance = await aki.sit(), Random(0)
    assert [table["id"] for table in (await aki.call("GET", "/api/tables"))["yours"]] == [path.rpartition("/")[2]]
    while (whole := await aki.call("GET", path))["head"]["state"] == "running":
        view = whole["view"]
        if view["legal"]:
            action = chance.choice(view["legal"])["action"]
            await aki.call("POST", f"{path}/actions", {"version": view["version"], "action": action})
        elif view["over"]:
            await aki.call("POST", f"{path}/ready", {"round": whole["head"]["round"]})
        else:
            await moment()
    assert verify(json.dumps(await aki.call("GET", f"{path}/record")))
    replay = await aki.call("GET", f"{path}/rounds/1?seat=0")
    assert replay["events"][-1]["view"]["over"]
    [match] = (await aki.call("GET", "/api/guests/matches"))["matches"]
    assert path.endswith(match["table"])
    assert len((await aki.call("GET", f"{path}/events?since=0"))["events"]) == whole["version"]


async def test_stream_sends_events(desk: Desk, aki: Client) -> None:
    path = await aki.sit(seats=["person", "greedy"])
    reply = await aki.ask("GET", f"/api/stream?table={path.rpartition('/')[2]}")
    assert (reply.status, reply.headers["content-type"]) == (200, "text/event-stream")
    assert isinstance(reply.body, AsyncIterator)
    first = (await anext(reply.body)).decode()
    assert first.startswith("retry: ")
    assert "event: table" in first
    view = (await aki.call("GET", path))["view"]
    while not view["legal"]:
        await moment()
        view = (await aki.call("GET", path))["view"]
    asked = {"version": view["version"], "action": view["legal"][0]["action"]}
    playing = asyncio.create_task(aki.call("POST", f"{path}/actions", asked))
    assert "event: event" in (await anext(reply.body)).decode()
    assert (await playing)["action"]
    desk.hang_up()
    assert [part async for part in reply.body][-1].endswith(b"event: bye\ndata: {}\n\n")


async def test_client_that_closes_its_stream_is_no_longer_present(aki: Client) -> None:
    path = await aki.sit(seats=["person", "greedy"])
    reply = await aki.ask("GET", f"/api/stream?table={path.rpartition('/')[2]}")
    assert [presence["here"] for presence in (await aki.call("GET", path))["presence"]] == [True]
    reply.close()
    reply.close()
    assert [presence["here"] for presence in (await aki.call("GET", path))["presence"]] == [False]


@pytest.mark.parametrize(
    ("method", "url", "body", "expected"),
    [
        ("GET", "/api/nothing", None, (404, "no-such-page")),
        ("DELETE", "/api/tables", None, (405, "method")),
        ("GET", "/api/tables/none", None, (404, "no-such-table")),
        ("POST", "/api/tables", {"game": "none"}, (404, "no-such-game")),
        ("POST", "/api/tables", {"seats": 7}, (400, "malformed")),
        ("GET", "/api/stream", None, (400, "malformed")),
        ("GET", "/api/tables/none/rounds/0", None, (400, "malformed")),
        ("GET", "/api/tables/none/rounds/one", None, (400, "malformed")),
        ("GET", "/api/tables/none/rounds/1/review?seat=99", None, (400, "malformed")),
        ("GET", f"/api/games/{'x' * 65}", None, (400, "malformed")),
    ],
)
async def test_refusal_is_a_problem(aki: Client, method: str, url: str, body: Any, expected: tuple[int, str]) -> None:
    assert await refusal(await aki.ask(method, url, body)) == expected


async def test_requests_without_a_guest_get_401(aki: Client) -> None:
    nobody, unknown = replace(aki, token=None), replace(aki, token="unknown")
    assert await refusal(await nobody.ask("GET", "/api/guests/me")) == (401, "not-signed-in")
    assert await refusal(await unknown.ask("GET", "/api/guests/me")) == (401, "guest-gone")
    assert (await aki.ask("POST", "/api/guests", {"name": "Ume"})).status == 200
    assert (await aki.call("GET", "/api/guests/me"))["name"] == "Ume"


async def test_guest_is_exported_and_deleted(aki: Client) -> None:
    path = await aki.sit()
    reply = await aki.ask("GET", "/api/guests/export")
    assert isinstance(reply.body, AsyncIterator)
    exported = json.loads(b"".join([part async for part in reply.body]))
    assert [path.endswith(match["table"]) for match in exported["matches"]] == [True]
    assert await aki.call("DELETE", "/api/guests/me") == {"devices": []}
    assert await refusal(await aki.ask("GET", "/api/guests/me")) == (401, "guest-gone")
    assert (await replace(aki, token=None).call("GET", path))["head"]["state"] == "over"


async def test_failure_of_a_function_is_answered_500(aki: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("the pack is 7I 7K")

    monkeypatch.setattr("mekuri.desk.routes.games.cached", fail)
    reply = await aki.ask("GET", "/api/games")
    assert await refusal(reply) == (500, "server")
    assert b"7I" not in reply.body  # type: ignore[operator]


# --- Entries: variants of games under names of their own ---


@pytest.mark.parametrize("id", games.entries())
async def test_entry_is_shown_as_its_game_is(desk: Desk, id: str) -> None:
    client, (contract, entry) = Client(Front(desk)), games.entries()[id]
    of, found = [await client.call("GET", f"/api/games/{name}") for name in (contract.id, id)]
    assert (found["id"], found["of"], found["name"], found["summary"]) == (id, contract.id, entry.name, entry.summary)
    assert found["packs"][0]["id"] == (entry.names or of["packs"][0]["id"])
    assert sorted(pack["id"] for pack in found["packs"]) == sorted(pack["id"] for pack in of["packs"])
    assert [preset["options"] for preset in found["presets"]] == [preset["options"] | entry.options for preset in of["presets"]]
    listed = await client.call("GET", "/api/games")
    assert found in listed["entries"]
    assert id not in {game["id"] for game in listed["games"]}
    for lang, what in product(LANGUAGES, ("texts", "rules")):
        book, named = [await client.call("GET", f"/api/games/{name}/{what}/{lang}") for name in (contract.id, id)]
        assert named == book | {"game": id, "name": entry.name[lang], "summary": entry.summary[lang]}
    lesson, named = [await client.call("GET", f"/api/games/{name}/lesson") for name in (contract.id, id)]
    assert named == lesson | {"game": id}


@pytest.mark.parametrize("id", games.entries())
async def test_table_of_an_entry_is_played(aki: Client, id: str) -> None:
    contract, entry = games.entries()[id]
    table = await aki.call("GET", await aki.sit(game=id, preset="first", match_options={}))
    assert (table["game"], table["entry"]) == (contract.id, id)
    first = mekuri.game(id, "first")
    assert table["options"] == differing(first.options)
    assert table["options"].items() >= entry.options.items()
    assert table["view"]
