"""Servers whose clocks leap: tables of all kinds that time ends, and what becomes of them."""

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import pytest

from mekuri.match.daily import DAY_MS
from mekuri.server.http.background import sweep_once
from mekuri.server.ops.admin import Admin, opened
from tests.helpers.server.databases import place_of
from tests.helpers.server.gathering import begun
from tests.helpers.server.serving import Guest, Serving, play_out
from tests.helpers.tables import USUAL, seats_for
from tests.helpers.time import FakeTime, until

DAY = DAY_MS // 1000
FAR = 100 * DAY
SETTINGS: dict[str, Any] = {
    "retention": 30,
    "grace": 30,
    "unused": DAY,
    "unattended": DAY,
    "forgotten": DAY,
    "alone": DAY,
    "unfilled": DAY,
}


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "mekuri.db"


@pytest.fixture
def time() -> FakeTime:
    return FakeTime()


def keeping(database: Path, time: FakeTime) -> AbstractAsyncContextManager[Admin]:
    """An operator at the machine of the server."""
    return opened(place_of(database), time)


async def slow(people: Sequence[Guest], days: int = 1) -> str:
    """Return a table that is played turn by turn, and whose match ends where a term passes."""
    seats = seats_for(USUAL, "person", "person")
    table = await people[0].make(USUAL, seats=seats, term={"days": days, "late": "end"}, match_options={"rounds": "2"})
    for guest in people:
        await guest.sit(table)
    return table


async def all_kinds(people: Sequence[Guest]) -> tuple[str, dict[str, str]]:
    """Return a table that is played turn by turn, and tables of all kinds that time ends, by their states."""
    aki, _ = people
    over = await begun(people, USUAL, rounds=1)
    await play_out(over, list(people))
    alone = await aki.make(USUAL)
    await aki.sit(alone)
    term = await slow(people)
    return term, {
        over: "over",
        await begun(people, USUAL): "running",
        term: "running",
        alone: "running",
        await aki.make(USUAL, seats=["person", "person"]): "open",
        await aki.make(USUAL, seats=["person", "person"], public=True): "open",
        await aki.make(USUAL, seats=["person", "person"], term={"days": 2}): "open",
    }


async def states(guest: Guest, tables: dict[str, str]) -> dict[str, str]:
    """Return the present states of tables; `gone` where one was deleted."""
    found = {}
    for table in tables:
        answer = await guest.http.get(f"/api/tables/{table}")
        found[table] = answer.json()["head"]["state"] if answer.status_code == 200 else "gone"
    return found


async def due_of(people: Sequence[Guest], table: str) -> int:
    """Return the deadline of the move that a player owes at a table."""
    (due,) = [whole["owed"]["until"] for guest in people if (whole := await guest.look(table))["owed"]]
    return int(due)


async def sweeps(time: FakeTime, seconds: int, *servers: Serving) -> None:
    for _ in range(seconds):
        time.move(1)
        for server in servers:
            await sweep_once(server.desk)


async def confirm(database: Path, time: FakeTime, *servers: Serving) -> None:
    """Confirm the new time, and wait until every server has heard of it."""
    async with keeping(database, time) as keeper:
        await keeper.confirm_clock()
    await until(lambda: not any(server.desk.store.clock.leap for server in servers))


def logged(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if "clock" in record.getMessage()]


def caught_up(server: Serving, table: str) -> bool:
    """Return whether a table is in memory as it is after the leap was confirmed, or not at all."""
    live = server.desk.tables.live_tables.get(table)
    if server.desk.store.clock.leap:
        return False
    return live is None or live.table is None or any(event.kind == "clock" for event in live.table.history.events(None, 0) or ())
