"""A name is stored once, and a table shows the present name."""

import gzip
import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from mekuri.desk.route import Visitor
from mekuri.desk.routes.tables import sit_down
from mekuri.desk.stores import Person
from mekuri.match.verify import verify
from mekuri.protocol import table as wire
from mekuri.protocol.texts import say
from mekuri.server.http.background import sweep_once
from mekuri.server.storage.database import migrate
from mekuri.server.storage.side import StoreError
from tests.helpers.folders import OLDER
from tests.helpers.server.gathering import at, begun, guests, hearing, pair
from tests.helpers.server.serving import Guest, Json, Serving, play_out, serving
from tests.helpers.server.stores import sql
from tests.helpers.tables import USUAL
from tests.helpers.time import moment

GONE = say("table.gone", "en")
NAMES = ("Aki-of-the-log", "Ben-of-the-log")


@pytest.fixture
async def people(server: Serving) -> Any:
    async with guests(server, *NAMES) as found:
        yield found


def names_of(table: Json) -> list[str | None]:
    return [seat["name"] for seat in table["head"]["seats"]]


async def test_rows_of_the_log_hold_no_name(server: Serving, people: list[Guest], tmp_path: Path) -> None:
    table = await begun(people, USUAL, rounds=1)
    await people[0].leave(table)
    await people[0].sit(table)
    await play_out(table, people)
    await people[0].rematch(table)
    rows = sql(tmp_path / "mekuri.db", "SELECT kind, body, person FROM log")
    assert {"make", "sit", "leave", "back", "round", "play", "open", "end", "rematch"} <= {kind for kind, _, _ in rows}
    assert not [row for row in rows if "of-the-log" in str(row)]
    assert {person for kind, _, person in rows if kind == "sit"} == {guest.id for guest in people}


@pytest.mark.alone
async def test_new_name_is_shown_at_once_at_every_table(server: Serving, people: list[Guest]) -> None:
    aki, ben = people
    over, running = await begun(people, USUAL, rounds=1), await begun(people, USUAL)
    await play_out(over, people)
    next_one = (await aki.rematch(over))["id"]
    async with hearing(ben, running) as heard:
        await aki.call("POST", "/api/guests", {"name": "Ume"})
        message = await heard.some("table", lambda table: "Ume" in names_of(table))
        assert message["version"] == (await ben.look(running))["version"], "nothing has happened on the table"
    for table in (over, running):
        assert names_of(await ben.look(table)) == ["Ume", NAMES[1]]
        sits = [event for event in await ben.events(table) if event["kind"] == "sit"]
        assert sits[0]["text"]["args"] == {"name": "Ume"}
        assert sits[0]["head"]["seats"][0]["name"] == "Ume"
    assert [seat["kept_for"] for seat in (await ben.look(next_one))["head"]["seats"]] == ["Ume", NAMES[1]]
    assert (await ben.call("GET", f"/api/tables/{over}/rounds/1"))["seats"] == ["Ume", NAMES[1]]
    record = (await ben.http.get(f"/api/tables/{over}/record")).text
    assert json.loads(record)["players"] == ["Ume", NAMES[1]]
    assert verify(record)


async def test_new_name_wins_over_a_concurrent_seat_request(server: Serving, people: list[Guest]) -> None:
    aki = people[0]
    table = await aki.make(USUAL, **pair(USUAL))
    await aki.call("POST", "/api/guests", {"name": "Ume"})
    # A request that had begun before brings the name of then.
    before = Person(aki.id, NAMES[0], made_at=0, device=0, seen_at=0)
    await sit_down(server.desk, table, Visitor(before), wire.AskSeat())
    assert names_of(await aki.look(table))[0] == "Ume"


async def test_new_name_reaches_other_processes(server: Serving, people: list[Guest], tmp_path: Path) -> None:
    aki, ben = people
    table = await begun(people, USUAL)
    async with serving(tmp_path / "mekuri.db") as two:
        there = Guest(two.address, headers={"authorization": ben.http.headers["authorization"]})
        asking = Guest(two.address, headers={"authorization": aki.http.headers["authorization"]})
        assert (await asking.call("GET", "/api/guests/me"))["name"] == NAMES[0]
        async with hearing(there, table) as heard:
            await heard.some("table")
            await aki.call("POST", "/api/guests", {"name": "Ume"})
            await heard.some("table", lambda table: "Ume" in names_of(table))
        while (await asking.call("GET", "/api/guests/me"))["name"] != "Ume":  # it is kept for a minute otherwise
            await moment()


async def test_failed_renaming_is_announced_later(
    server: Serving, people: list[Guest], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with serving(tmp_path / "mekuri.db") as two:
        over_there = [at(two, guest) for guest in people]
        table = await begun(over_there, USUAL)
        aki, there = people[0], over_there[1]
        find = two.desk.tables._names
        failed: list[Sequence[str]] = []

        async def names(ids: Sequence[str]) -> dict[str, str]:
            if not failed:
                failed.append(ids)
                raise StoreError("not just now")
            return await find(ids)

        async with hearing(there, table) as heard:
            await heard.some("table")
            monkeypatch.setattr(two.desk.tables.live_tables[table], "_names", names)
            await aki.call("POST", "/api/guests", {"name": "Ume"})
            await heard.some("table", lambda message: "Ume" in names_of(message))
        assert failed


async def test_deleted_player_has_no_name(server: Serving, people: list[Guest]) -> None:
    aki, ben = people
    over, running, waiting = [await begun(people, USUAL, rounds=1) for _ in range(2)] + [await ben.make(USUAL, **pair(USUAL))]
    await aki.sit(waiting)
    await play_out(over, people)
    await server.desk.store.forget_person(aki.id)
    await server.desk.refresh({aki.id})
    for table in (over, running):
        seats = (await ben.look(table))["head"]["seats"]
        assert [(seat["name"], seat["gone"]) for seat in seats] == [(GONE, True), (NAMES[1], False)]
        sat = next(event for event in await ben.events(table) if event["kind"] == "sit")
        assert sat["text"]["args"] == {"name": {"id": "table.gone", "args": {}}}
    record = (await ben.http.get(f"/api/tables/{over}/record")).text
    assert json.loads(record)["players"] == [GONE, NAMES[1]]
    assert verify(record)
    assert [seat["kept_for"] for seat in (await ben.rematch(over))["head"]["seats"]] == [None, NAMES[1]]
    # Their seats are freed by the process that sweeps the tables.
    await sweep_once(server.desk)
    assert (await ben.look(running))["head"]["seats"][0]["bot"]
    assert names_of(await ben.look(waiting)) == [None, None]


@pytest.mark.sqlite
async def test_deleted_names_leave_the_database_file(tmp_path: Path) -> None:
    path = tmp_path / "mekuri.db"
    async with serving(path) as server, guests(server, *NAMES) as (aki, ben):
        await aki.call("POST", "/api/guests", {"name": "Ume"})
        await server.desk.store.forget_person(ben.id)
    assert not path.with_name("mekuri.db-wal").exists()
    assert [name for name in NAMES if name.encode() in path.read_bytes()] == []
    assert b"Ume" in path.read_bytes()


# --- A database of before ---

LAST = [["p1", "Aki-of-the-log"], None]
AFTER = {"table": "t", "first_dealer": 0, "kept_until": 5}
MADE = {"game": USUAL, "seats": ["person", "greedy"]}
RECORD = {"mekuri": 1, "players": ["Aki-of-the-log", "greedy"], "x": "札"}
BEFORE: dict[str, Any] = {
    "make": MADE | {"after": AFTER | {"kept_for": LAST}},
    "sit": {"name": "Aki-of-the-log", "cut": "鶴"},
    "end": {
        "why": "played",
        "winners": [0],
        "record": json.dumps({"mekuri": 1, "players": ["Aki-of-the-log", "greedy"], "x": "札"}),
    },
}


@pytest.fixture
def older(tmp_path: Path) -> Path:
    path = tmp_path / "older.db"
    path.write_bytes(gzip.decompress((OLDER / "first" / "mekuri.db.gz").read_bytes()))
    return path


@pytest.mark.sqlite
def test_migration_removes_names_from_rows(older: Path) -> None:
    with closing(sqlite3.connect(older)) as connection, connection:
        people = dict(connection.execute("SELECT id, token_hash FROM people"))
        insert = "INSERT INTO log (match, n, kind, body, at, writer) SELECT id, ?, ?, ?, 1, 'w' FROM matches LIMIT 1"
        connection.execute("DELETE FROM log WHERE match = (SELECT id FROM matches LIMIT 1)")
        for n, (kind, body) in enumerate(BEFORE.items()):
            connection.execute(insert, (n, kind, json.dumps(body)))
        known = {name for (name,) in connection.execute("SELECT name FROM people")}
    migrate(older)
    rows = {kind: json.loads(body) for kind, body in sql(older, "SELECT kind, body FROM log WHERE writer = 'w'")}
    assert rows["make"] == MADE | {"after": AFTER | {"kept_for": ["p1", None]}}
    assert rows["sit"] == {"cut": "鶴"}
    assert json.loads(rows["end"].pop("record")) == RECORD | {"players": ["person", "greedy"]}
    assert rows["end"] == {"why": "played", "winners": [0]}
    bodies = " ".join(body for (body,) in sql(older, "SELECT body FROM log"))
    assert [name for name in (*known, *NAMES) if f'"{name}"' in bodies] == []
    assert dict(sql(older, "SELECT person, token_hash FROM devices")) == people, "everybody is known by the same token"
    assert {name for (name,) in sql(older, "SELECT name FROM people")} == known
