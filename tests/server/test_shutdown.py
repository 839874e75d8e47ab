"""Ctrl-C: every request gets a whole answer or was never done, every stream its farewell, and all is quiet soon."""

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from pathlib import Path

import httpx
import pytest

from mekuri.server.base.settings import Settings
from mekuri.server.http import app
from mekuri.server.http.run import Server, listen
from tests.helpers.server.child import Child
from tests.helpers.server.gathering import begun, hearing, pair
from tests.helpers.server.serving import Guest, Json, serving
from tests.helpers.server.stores import sql
from tests.helpers.server.zygote import fork, zygote
from tests.helpers.tables import GAMES, USUAL, in_turn
from tests.helpers.time import moment, until


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "mekuri.db"


@pytest.fixture
async def child(database: Path, request: pytest.FixtureRequest) -> AsyncIterator[Child]:
    found = Child(database, true=getattr(request, "param", False))
    await found.start()
    yield found
    await found.kill()


class Player:
    """A player of match after match until the server does not answer any more.

    Attributes:
        acknowledged: every table and action that the server has acknowledged.
        unanswered: how many requests got no answer.
    """

    def __init__(self, guest: Guest) -> None:
        self.guest = guest
        self.acknowledged: list[tuple[str, str]] = []
        self.unanswered = 0

    async def play(self, name: str) -> None:
        try:
            while True:
                table = await begun([self.guest], name, rounds=1, bots=["greedy"])
                while await self._act(await self.guest.look(table)):
                    pass
        except (httpx.ConnectError, httpx.ReadError, httpx.WriteError):
            self.unanswered += 1
        except httpx.RemoteProtocolError as error:
            # A line that ends before an answer begins is a refusal; one that ends within it is half an answer.
            if "without sending a response" not in str(error):
                raise
            self.unanswered += 1

    async def _act(self, whole: Json) -> bool:
        if whole["head"]["state"] == "over":
            return False
        if whole["view"]["legal"]:
            action = whole["view"]["legal"][0]["action"]
            answer = await self.guest.play(whole["id"], whole["version"], action)
            self.acknowledged.append((answer["table"], answer["action"]))
        return True


@pytest.mark.every_days(4)
@pytest.mark.parametrize(("number", "child"), [(signal.SIGINT, True), (signal.SIGTERM, False)], indirect=["child"])
async def test_shutdown_keeps_every_acknowledged_move(child: Child, database: Path, number: signal.Signals) -> None:
    players = [Player(await Guest(child.address).arrive(f"Player {n}")) for n in range(6)]
    watcher = Guest(child.address)
    tables = [await watched(players[at % 6].guest, GAMES[at % len(GAMES)]) for at in range(8)]
    async with AsyncExitStack() as lines:
        streams = [await lines.enter_async_context(hearing(watcher, table)) for table in tables]
        streams += [await lines.enter_async_context(hearing(players[0].guest, *tables))]
        playing = [asyncio.create_task(player.play(GAMES[n % len(GAMES)])) for n, player in enumerate(players)]
        await until(lambda: sum(len(player.acknowledged) for player in players) > 60)
        child.send(number)
        await child.ended()
        await asyncio.gather(*playing)
        await until(lambda: all(stream.ended for stream in streams))
        assert [stream.messages[-1].event for stream in streams] == ["bye"] * len(streams)
    assert sum(player.unanswered for player in players) == len(players)
    assert child.err == "", child.err
    assert child.out == f"Mekuri is at http://127.0.0.1:{child.port}/  (stop with Ctrl-C; in the terminal: mekuri menu)\n"
    assert child.status == {signal.SIGINT: 130, signal.SIGTERM: -signal.SIGTERM}[number]
    # Whatever was done was answered.
    done = sql(database, "select match, body from log where kind = 'play' and person is not null order by id")
    acknowledged = sorted((table, f'{{"action":"{action}"}}') for player in players for table, action in player.acknowledged)
    assert sorted(done) == acknowledged
    for player in players:
        await player.guest.close()


async def watched(guest: Guest, name: str) -> str:
    """A table at which nothing happens."""
    table = await guest.make(name, **pair(name))
    await guest.sit(table)
    return table


async def test_second_interrupt_ends_the_server(child: Child) -> None:
    """The server ends after two interrupts."""
    watcher = await Guest(child.address).arrive()
    table = await watched(watcher, USUAL)
    async with hearing(watcher, table):
        child.send(signal.SIGINT)
        await moment()
        child.send(signal.SIGINT)
        await child.ended()
    assert child.err == "", child.err


def test_second_signal_does_not_cut_the_shutdown_short(database: Path) -> None:
    """It does not cut the shutdown short."""
    with listen("127.0.0.1", 0) as listening:
        server = Server(Settings(database=database), listening)

        class Interrupted(list[int]):
            def append(self, sig: int) -> None:
                super().append(sig)
                server.handle_exit(signal.SIGINT, None)

        server._captured_signals = Interrupted()
        server.handle_exit(signal.SIGINT, None)
        assert server.should_exit
        assert not server.force_exit
        assert server._captured_signals == [signal.SIGINT]


def test_signal_before_serving_ends_the_start(database: Path) -> None:
    """A signal that comes while it still makes ready: it ends without having served."""
    with listen("127.0.0.1", 0) as listening:
        begun: list[bool] = []
        server = Server(Settings(database=database), listening, lambda: begun.append(True))
        server.handle_exit(signal.SIGINT, None)
        with pytest.raises(KeyboardInterrupt):
            server.run([listening])
    assert not begun


async def test_children_end_with_the_test_process(database: Path) -> None:
    """However it ends, the pipe to their zygote is closed."""
    line, process = zygote(prepared=False)
    child = await fork(["serve", "--port", "0", "--database", str(database)], os.environ, line=line)
    line.close()
    await child.communicate()
    assert await asyncio.to_thread(process.wait) == 0
    assert child.returncode == -signal.SIGKILL


async def test_port_in_use_prints_one_line(child: Child, tmp_path: Path) -> None:
    other = Child(tmp_path / "other.db", child.port)
    await other.start()
    await other.ended()
    assert other.err == f"mekuri: port {child.port} is in use: is Mekuri running already? Choose another with --port\n"
    assert (other.status, other.out) == (2, "")


@pytest.mark.sqlite
@pytest.mark.parametrize("what", in_turn(["folder", "text", "another program"]))
async def test_unusable_database_prints_one_line(tmp_path: Path, what: str) -> None:
    path = tmp_path / "mekuri.db"
    if what == "folder":
        path.mkdir()
    elif what == "text":
        path.write_text("no database\n" * 1000, encoding="utf-8")
    else:
        sql(path, "create table other (id integer)")
    if path.is_file():
        path.chmod(0o644)
    child = Child(path)
    await child.start()
    await child.ended()
    assert child.err.startswith(f"mekuri: {path} ")
    assert child.err.count("\n") == 1
    assert (child.status, child.out) == (2, "")
    assert what == "folder" or path.stat().st_mode & 0o777 == 0o644, "what is not ours is not changed"
    if what == "text":
        assert path.read_text(encoding="utf-8").startswith("no database")


async def test_stopped_server_prepares_no_more_responses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are prepared in a thread, which a cancelled task would leave behind."""
    ended = []

    def prepare(public_url: str | None, stopped: Callable[[], bool]) -> None:
        while not stopped():
            time.sleep(0)
        ended.append(public_url)

    monkeypatch.setattr(app, "prepare", prepare)
    async with serving(tmp_path / "mekuri.db"):
        assert not ended
    assert ended == [None]
