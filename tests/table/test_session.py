"""A table played over a log, without a server."""

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from mekuri.desk.memory import MemoryLog
from mekuri.protocol import table as wire
from mekuri.server.storage.store import Store
from mekuri.table import commands
from mekuri.table.commands import Answer, Turn
from mekuri.table.errors import ProblemError
from mekuri.table.log import Conflict, LogError, Row
from mekuri.table.rows import load
from mekuri.table.session import Closed, Context, Session, new_match
from mekuri.table.showing import record_of, show
from mekuri.table.table import Table
from mekuri.table.tasks import Tasks
from tests.helpers.server.databases import ready
from tests.helpers.server.stores import ROOT
from tests.helpers.tables import USUAL, seats_for
from tests.helpers.time import Counting, FakeTime, until

AT = 1_700_000_000_000
ANN = "ann"
Kept = MemoryLog | Store


@pytest.fixture(params=["memory", "sql"])
async def log(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Kept]:
    time = Counting(1000)
    if request.param == "memory":
        yield MemoryLog(time)
        return
    store = await Store.open(ready(tmp_path / "mekuri.db"), time)
    yield store
    await store.close()


class Played(Session):
    """A session that records its events, and holds the turns of bots until they are released.

    Attributes:
        announced: the events of a spectator.
        turns: the turns of bots.
    """

    def __init__(self, id: str, log: Kept) -> None:
        self.announced: list[wire.Event] = []
        self.turns: list[Turn] = []
        self.quick = True
        self.slow = asyncio.Event()
        self.tasks = Tasks()
        super().__init__(id, Context(log, FakeTime(AT, moves=False), self._read, self._think, self.tasks))
        self.log = log

    async def _read(self, id: str) -> Table:
        match = await self.log.match(id)
        if match is None:
            raise ProblemError("no-such-table")
        return load(id, match.root, await self.log.rows(id))

    async def _think(self, turn: Turn) -> Answer:
        self.turns.append(turn)
        if not self.quick:
            await self.slow.wait()
        return Answer(commands.think(turn), turn.bot)

    def exchange(self, table: Table) -> None:
        super().exchange(table)
        table.history.watched = {None}

    def tell(self, table: Table) -> None:
        self.announced += [event for _, event in table.history.pending]
        super().tell(table)

    async def sit(self) -> None:
        await self.do(lambda table, at: commands.sit(table, ANN, "Ann", wire.AskSeat(), at))

    async def play(self) -> None:
        """The first thing that the person may do."""

        def first(table: Table, at: int) -> None:
            legal = table.running.legal_for(0)
            if legal:
                commands.play(table, ANN, wire.AskAction(version=table.version(0), action=legal[0]), at)
            elif table.resting:
                commands.ready(table, ANN, wire.AskReady(round=table.rounds), at)

        await self.do(first)


@pytest.fixture
async def session(log: Kept) -> AsyncIterator[Played]:
    """Return a table of a person, who has not sat down yet, and bots."""
    asked = wire.AskTable(game=USUAL, seats=seats_for(USUAL, "person", "random"), match_options={"rounds": "2"})
    await log.add_match(new_match(commands.make("t", ROOT, asked, ANN, AT)))
    session = Played("t", log)
    yield session
    session.stop()
    await session.tasks.finish()


def failing(log: Kept, error: Exception, monkeypatch: pytest.MonkeyPatch, after: Callable[[], Any] | None = None) -> None:
    """Let the next writing fail, after something has been done."""
    append = log.append

    async def fail(*_: Any) -> None:
        monkeypatch.setattr(log, "append", append)
        if after:
            await after()
        raise error

    monkeypatch.setattr(log, "append", fail)


async def test_played_match_replays_from_its_log(session: Played) -> None:
    await session.sit()
    while await session.read(lambda table: table.state) != "over":
        await session.play()
        await until(lambda: session.bots is None)
    rows = await session.log.rows("t")
    again = load("t", ROOT, rows, names={ANN: "Ann"})
    assert await session.read(lambda table: (show(table, 0), record_of(table))) == (show(again, 0), record_of(again))
    assert [event.version for event in session.announced] == list(range(1, again.version(None) + 1))
    match = await session.log.match("t")
    assert match
    assert (match.state, match.bot_due) == ("over", False)
    assert not session.busy


async def test_unwritten_command_is_not_announced(session: Played, monkeypatch: pytest.MonkeyPatch) -> None:
    """What came of it in memory is forgotten."""
    failing(session.log, LogError("disk full"), monkeypatch)
    with pytest.raises(ProblemError, match="try again"):
        await session.sit()
    assert session.announced == []
    assert await session.read(lambda table: (table.state, table.seats[0].person)) == ("open", None)
    await session.sit()
    assert session.announced[0].kind == "sit"
    assert [row.kind for row in await session.log.rows("t")][:2] == ["make", "sit"]


async def test_conflict_retries_on_the_new_table(session: Played, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command is tried again on the present table."""
    row = Row(1, "sit", 0, {"name": "Ben", "cut": ""}, AT, person="ben")
    append = session.log.append

    async def first() -> None:
        await append("t", [row], "open", False)

    failing(session.log, Conflict("somebody else was first"), monkeypatch, first)
    tried: list[int] = []

    def sit(table: Table, at: int) -> None:
        tried.append(table.version(None))
        commands.leave(table, "ben", at)
        commands.sit(table, ANN, "Ann", wire.AskSeat(), at)

    await session.do(sit)
    assert tried == [0, 1]
    assert [(row.kind, row.person) for row in await session.log.rows("t")][:4] == [
        ("make", ANN),
        ("sit", "ben"),
        ("leave", "ben"),
        ("sit", ANN),
    ]


async def test_refused_command_changes_nothing(session: Played) -> None:
    await session.sit()
    before = await session.log.rows("t")
    with pytest.raises(ProblemError, match="not over"):
        await session.do(lambda table, at: commands.rematch(table, ANN, at, "u", ROOT, 0))
    await until(lambda: session.bots is None)
    assert (await session.log.rows("t"))[: len(before)] == before


async def test_fault_of_a_command_leaves_the_table_unchanged(session: Played) -> None:
    def fault(table: Table, at: int) -> None:
        commands.sit(table, ANN, "Ann", wire.AskSeat(), at)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await session.do(fault)
    assert await session.read(lambda table: table.state) == "open"
    assert len(await session.log.rows("t")) == 1


async def test_table_is_free_while_a_bot_thinks(session: Played) -> None:
    session.quick = False
    await session.sit()
    while not session.turns:
        await session.play()
        await asyncio.sleep(0)
    assert session.busy
    version = await session.read(lambda table: table.version(0))
    session.slow.set()
    await until(lambda: session.bots is None)
    assert await session.read(lambda table: table.version(0)) > version


async def test_stopped_session_begins_no_turn(session: Played) -> None:
    session.stop()
    await session.sit()
    for _ in range(3):
        await session.play()
    assert session.turns == []
    assert session.bots is None
    match = await session.log.match("t")
    assert match
    assert match.bot_due, "whoever reads the log next plays them"


async def test_unknown_table_closes_the_session(log: Kept) -> None:
    session = Played("nothing", log)
    with pytest.raises(ProblemError):
        await session.read(lambda table: table.id)
    with pytest.raises(Closed):
        await session.read(lambda table: table.id)


async def test_cancelled_command_is_completed(session: Played, monkeypatch: pytest.MonkeyPatch) -> None:
    append, reached, go_on = session.log.append, asyncio.Event(), asyncio.Event()

    async def slow(*given: Any) -> None:
        reached.set()
        await go_on.wait()
        await append(*given)

    monkeypatch.setattr(session.log, "append", slow)
    sitting = asyncio.create_task(session.sit())
    await reached.wait()
    sitting.cancel()
    go_on.set()
    await asyncio.gather(sitting, return_exceptions=True)
    await until(lambda: not session.tasks)
    assert await session.read(lambda table: table.seats[0].person) == ANN
    assert session.announced


async def test_table_of_bots_starts_at_once(log: Kept) -> None:
    asked = wire.AskTable(game=USUAL, seats=seats_for(USUAL, "random", "greedy"), match_options={"rounds": "2"})
    table = commands.make("t", ROOT, asked, None, AT)
    assert (table.state, table.rounds) == ("running", 1)
    await log.add_match(new_match(table))
    session = Played("t", log)
    await session.read(session.wake)
    await until(lambda: session.table and session.table.state == "over")
    assert len(await session.read(record_of)) > 100
