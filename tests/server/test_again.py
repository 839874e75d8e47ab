"""Playing again in the terminal: with the players of the old table, whichever player asks first."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual.pilot import Pilot

from mekuri.match.replay import replay
from mekuri.terminal.base.online import join_table
from mekuri.terminal.base.remote import RemotePlay
from mekuri.terminal.screens.app import MekuriApp
from mekuri.terminal.screens.sheet import ResultScreen, SheetScreen
from mekuri.terminal.screens.table import TableScreen, table_app
from tests.helpers.screens import SMALL, on_screen, play_through, screen_text, table_of, until_asked
from tests.helpers.server.remotes import GAME, busy, friend, sit
from tests.helpers.server.serving import Guest, Serving, serving
from tests.helpers.time import until
from tests.server.test_online import command, sit_at


async def to_the_result(pilot: Pilot[None]) -> None:
    """Play a match of one round to its end."""
    await play_through(pilot)
    await until(lambda: isinstance(pilot.app.screen, SheetScreen | ResultScreen))
    if isinstance(pilot.app.screen, SheetScreen):
        await pilot.press("enter")
    await until(lambda: isinstance(pilot.app.screen, ResultScreen))
    await pilot.pause()


def on(play: RemotePlay) -> RemotePlay:
    """The match after this one."""
    assert play.next
    return play.next


@asynccontextmanager
async def two_at_the_result(server: Serving) -> AsyncIterator[tuple[RemotePlay, Guest, MekuriApp, Pilot[None]]]:
    """One at the terminal and a friend, whose match of one round is over."""
    play = await sit(server, GAME, ("person", "person"))
    app = table_app(play)
    async with friend(server, play.id) as ben, app.run_test(size=SMALL) as pilot:
        async with busy(ben, play.id):
            await to_the_result(pilot)
        yield play, ben, app, pilot


@pytest.mark.every_days(4)
async def test_rematch_starts_with_one_key_and_keeps_the_seat(server: Serving) -> None:
    async with two_at_the_result(server) as (play, ben, app, pilot):
        assert "play again" in screen_text(app)
        await pilot.press("p")
        await until(lambda: play.next and table_of(app).play is play.next)
        await until(lambda: "kept for Ben" in screen_text(app))
        # He comes by the same press.
        table = (await ben.rematch(play.id))["id"]
        assert table == on(play).id
        await ben.sit(table)
        async with busy(ben, table):
            await to_the_result(pilot)
        await pilot.press("enter")
        await until(lambda: app.return_code is not None)
    assert app.failure == ""


@pytest.mark.every_days(4)
async def test_rematch_of_the_other_player_is_shown(server: Serving) -> None:
    async with two_at_the_result(server) as (play, ben, app, pilot):
        assert "would like to play again" not in screen_text(app)
        table = (await ben.rematch(play.id))["id"]
        await until(lambda: "Ben would like to play again." in screen_text(app))
        await ben.sit(table)
        await pilot.press("p")
        async with busy(ben, table):
            await until(lambda: table_of(app).play is play.next)
            await to_the_result(pilot)
    assert on(play).id == table
    assert (on(play).you, on(play).over) == (0, True)


@pytest.mark.every_days(4)
async def test_failed_rematch_shows_the_reason_and_can_be_retried(tmp_path: Path) -> None:
    async with serving(tmp_path / "mekuri.db", tables=1) as server:
        play = await sit(server)
        aki = Guest(server.address, headers={"authorization": f"Bearer {play._line.token}"})
        async with on_screen(play) as (app, pilot):
            await to_the_result(pilot)
            other = await aki.make(GAME)
            await aki.sit(other)
            await pilot.press("p")
            await until(lambda: "limit of tables" in screen_text(app))
            await aki.leave(other)
            await pilot.press("p")
            await until(lambda: isinstance(app.screen, TableScreen))
            assert await until_asked(pilot)


async def test_spectator_gets_no_rematch(server: Serving) -> None:
    play = await sit(server, GAME, ("person", "person"))
    async with friend(server, play.id) as ben:
        aki = Guest(server.address, headers={"authorization": f"Bearer {play._line.token}"})
        async with on_screen(await join_table(play.link, "", "", True, 0)) as (app, pilot), busy(ben, play.id), busy(aki, play.id):
            await until(lambda: isinstance(app.screen, ResultScreen))
            await pilot.pause()
            assert "play again" not in screen_text(app)
            await aki.rematch(play.id)
            await until(lambda: "would like to play again" in screen_text(app))
            await pilot.press("p")
            await pilot.pause()
            assert isinstance(app.screen, ResultScreen)


@pytest.mark.every_days(4)
async def test_each_match_writes_its_record(
    server: Serving, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    async def press(pilot: Pilot[None]) -> None:
        await to_the_result(pilot)
        await pilot.press("p")
        await until(lambda: isinstance(pilot.app.screen, TableScreen))
        await to_the_result(pilot)
        await pilot.press("enter")

    sit_at(monkeypatch, press)
    words = f"play {GAME} --server {server.address} --seats you,greedy --option rounds=1 --pace 0 --record"
    assert await command(*words.split(), str(tmp_path / "match.json")) == 0
    first, second = (replay((tmp_path / file).read_bytes()) for file in ("match.json", "match-2.json"))
    assert second.finished[0].dealer == first.round.next_dealer
    out, _ = capsys.readouterr()
    assert out.count("mekuri verify") == 2
