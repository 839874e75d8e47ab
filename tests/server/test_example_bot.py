"""The example bot plays whole matches against real servers, as a separate process."""

import asyncio
import sys
from asyncio.subprocess import PIPE, Process
from pathlib import Path
from typing import Any

import pytest

from mekuri.server.http.run import listen
from mekuri.table.time import REAL
from tests.helpers.folders import EXAMPLES
from tests.helpers.patience import PATIENCE
from tests.helpers.server.gathering import kinds_in_turn, pair
from tests.helpers.server.serving import Guest, Serving, serving
from tests.helpers.tables import USUAL

BOT = EXAMPLES / "bot.py"
SHORT: dict[str, Any] = {"match_options": {"rounds": "2"}}


@pytest.fixture
async def host(server: Serving) -> Guest:
    """A guest who makes tables and sits at none."""
    return await Guest(server.address).arrive("Host")


async def start(*arguments: str) -> Process:
    return await asyncio.create_subprocess_exec(sys.executable, str(BOT), *arguments, stdout=PIPE, stderr=PIPE)


async def result(bot: Process) -> str:
    """Return the output of a bot that plays to the end."""
    try:
        output, failed = await asyncio.wait_for(bot.communicate(), PATIENCE)
    except TimeoutError:
        bot.kill()
        raise
    assert (bot.returncode, failed.decode()) == (0, "")
    return output.decode()


async def assert_played(host: Guest, table: str, *results: str) -> None:
    """Assert that the match was played to its end, and that the bots printed the winners."""
    whole = await host.look(table)
    assert whole["head"]["why"] == "played"
    seats = [whole["head"]["seats"][seat] for seat in whole["head"]["winners"]]
    line = " ".join(["The match is over (played), first:", *(seat["name"] or seat["bot"] for seat in seats)])
    assert [text.strip() for text in results] == [line] * len(results)


@kinds_in_turn(1)
async def test_example_bot_plays_a_bot_of_the_server(server: Serving, host: Guest, name: str) -> None:
    table = await host.make(name, **SHORT)
    await assert_played(host, table, await result(await start(server.address, table)))


@kinds_in_turn(2)
async def test_two_example_bots_play_each_other(server: Serving, host: Guest, name: str) -> None:
    table = await host.make(name, **pair(name, **SHORT))
    bots = [await start(server.address, table) for _ in range(2)]
    await assert_played(host, table, *[await result(bot) for bot in bots])


async def test_example_bot_creates_a_table(server: Serving) -> None:
    output = await result(await start(server.address))
    assert output.startswith("The match is over (played), first:")


@pytest.mark.real_time
async def test_example_bot_retries_after_429(tmp_path: Path) -> None:
    """The bot asks again after a refusal, and the match is played."""
    async with serving(tmp_path / "mekuri.db", REAL, requests=4) as strict:
        host = await Guest(strict.address).arrive("Host")
        table = await host.make(USUAL, **pair(USUAL, match_options={"rounds": "1"}))
        bots = [await start(strict.address, table) for _ in range(2)]
        await assert_played(host, table, *[await result(bot) for bot in bots])


async def test_example_bot_resumes_after_a_server_restart(tmp_path: Path) -> None:
    """The stream is lost in mid-match; the bot resumes where it stopped."""
    with listen("127.0.0.1", 0) as reserved:
        port = reserved.getsockname()[1]
    async with serving(tmp_path / "mekuri.db", port=port) as server:
        host = await Guest(server.address).arrive("Host")
        table = await host.make(USUAL, **pair(USUAL, match_options={"rounds": "4"}))
        bots = [await start(server.address, table) for _ in range(2)]
        async with host.stream(table) as happening:
            async for _ in happening:
                if (await host.look(table))["version"] > 10:
                    break
    async with serving(tmp_path / "mekuri.db", port=port):
        await assert_played(host, table, *[await result(bot) for bot in bots])
        assert (await host.look(table))["head"]["round"] > 1


async def test_example_bot_exits_1_for_an_unknown_table(server: Serving) -> None:
    bot = await start(server.address, "nowhere")
    _, failed = await asyncio.wait_for(bot.communicate(), PATIENCE)
    assert bot.returncode == 1
    assert "404" in failed.decode()
