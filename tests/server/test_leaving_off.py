"""A match that the people end before its rounds are played."""

from pathlib import Path

import pytest
from textual.pilot import Pilot

import mekuri
from mekuri.server.http.background import sweep_once
from mekuri.terminal.base.remote import RemotePlay
from mekuri.terminal.screens.sheet import ResultScreen, SheetScreen
from tests.helpers.screens import on_screen, play_through, screen_text
from tests.helpers.server.gathering import begun, guests, hearing
from tests.helpers.server.remotes import busy, friend, sit
from tests.helpers.server.serving import Guest, Serving, play_round, refused, serving
from tests.helpers.tables import USUAL, games_in_turn
from tests.helpers.time import FakeTime, until


@pytest.mark.alone
@games_in_turn(0)
async def test_match_ends_when_all_want_to_stop(server: Serving, name: str) -> None:
    async with guests(server, "Aki", "Ben") as people:
        table = await begun(people, name, rounds=6)
        await play_round(table, people)
        aki, ben = people
        head = (await aki.ready(table, 1, enough=True))["head"]
        assert (head["state"], head["seats"][0]["enough"], head["seats"][1]["enough"]) == ("running", True, False)
        whole = await ben.ready(table, 1, enough=True)
        assert (whole["head"]["state"], whole["head"]["why"]) == ("over", "agreed")
        texts = [event["text"]["id"] for event in await aki.events(table) if event["kind"] in ("ready", "end")]
        assert texts == ["table.enough", "table.enough", "table.end-agreed"]
        match = mekuri.replay((await aki.http.get(f"/api/tables/{table}/record")).text)
        assert list(match.leading) == whole["head"]["winners"]
        assert len(match.finished) == 1


@pytest.mark.alone
async def test_match_continues_if_one_player_wants_to(server: Serving) -> None:
    async with guests(server, "Aki", "Ben") as people:
        table = await begun(people, USUAL, rounds=6)
        await play_round(table, people)
        aki, ben = people
        async with hearing(ben, table) as heard:
            await heard.some("table")
            await aki.ready(table, 1, enough=True)
            event = await heard.some("event")
            assert event["text"] == {"id": "table.enough", "args": {"name": "Aki"}}
            assert event["head"]["seats"][0]["enough"]
            head = (await ben.ready(table, 1))["head"]
            assert (head["round"], [seat["ready"] for seat in head["seats"]]) == (1, [True, False])
            head = (await ben.ready(table, 1, enough=False))["head"]
            assert [(seat["ready"], seat["enough"], seat["plays_on"]) for seat in head["seats"]] == [
                (False, False, False),
                (True, False, True),
            ]
            assert await refused(aki.ready(table, 1, enough=True)) == (409, "plays-on")
            head = (await aki.ready(table, 1))["head"]
        assert (head["state"], head["round"]) == ("running", 2)
        assert not any(seat["enough"] or seat["plays_on"] for seat in head["seats"])


@pytest.mark.parametrize("enough", [True, False])
async def test_wish_to_stop_survives_a_restart(tmp_path: Path, enough: bool) -> None:
    async with serving(tmp_path / "db") as server, guests(server, "Aki", "Ben") as people:
        table = await begun(people, USUAL, rounds=6)
        await play_round(table, people)
        await people[1].ready(table, 1)
        before = await people[0].ready(table, 1, enough=True)
        tokens = [guest.http.headers["authorization"] for guest in people]
    async with serving(tmp_path / "db") as server:
        aki, ben = [Guest(server.address, headers={"authorization": token}) for token in tokens]
        assert (await aki.look(table))["head"] == before["head"]
        await ben.ready(table, 1, enough=enough)
        head = (await aki.look(table))["head"]
        assert (head["why"], head["seats"][1]["plays_on"]) == ("agreed" if enough else None, not enough)


async def in_terminal_after_a_round(server: Serving, pilot: Pilot[None], ben: Guest, play: RemotePlay) -> None:
    async with busy(ben, play.id, ready=False):
        await play_through(pilot)
    await until(lambda: isinstance(pilot.app.screen, SheetScreen))


QUESTION = "Ben would like to stop here: end it, or play on?"


@pytest.mark.parametrize("before", [True, False])
@pytest.mark.parametrize("key", ["e", "enter", "q"])
async def test_terminal_shows_and_answers_the_wish_to_stop(tmp_path: Path, before: bool, key: str) -> None:
    """Whether the person had closed the sheet before the wish, or has not."""
    async with serving(tmp_path / "db") as server:
        play = await sit(server, USUAL, ("person", "person"), rounds=6)
        async with on_screen(play) as (app, pilot), friend(server, play.id) as ben:
            await in_terminal_after_a_round(server, pilot, ben, play)
            if before:
                await pilot.press("enter")
                await until(lambda: play._head.seats[0].ready and not isinstance(app.screen, SheetScreen))
            await ben.ready(play.id, 1, enough=True)
            await until(lambda: isinstance(app.screen, SheetScreen) and QUESTION in screen_text(app))
            assert "e end it" in screen_text(app)
            await pilot.press(key)
            if key == "e":
                await until(lambda: isinstance(app.screen, ResultScreen))
                assert (await ben.look(play.id))["head"]["why"] == "agreed"
                return
            await until(lambda: play._head.seats[0].plays_on)
            assert (await ben.look(play.id))["head"]["round"] == 1
            await ben.ready(play.id, 1)
            await until(lambda: play.number == 2)


async def test_terminal_sends_the_wish_to_stop(tmp_path: Path) -> None:
    async with serving(tmp_path / "db") as server:
        play = await sit(server, USUAL, ("person", "person"), rounds=6)
        async with on_screen(play) as (app, pilot), friend(server, play.id) as ben:
            await in_terminal_after_a_round(server, pilot, ben, play)
            await pilot.press("e")
            await until(lambda: "You would like to stop here: press b" in screen_text(app))
            assert "waiting for Ben" in screen_text(app)
            await pilot.press("b")
            await until(lambda: not play.stopping and play._head.seats[0].plays_on)
            await ben.ready(play.id, 1)
            await until(lambda: play.number == 2)
            await in_terminal_after_a_round(server, pilot, ben, play)
            await pilot.press("e")
            await until(lambda: play.stopping == (0,))
            await ben.ready(play.id, 2, enough=False)
            await until(lambda: isinstance(app.screen, SheetScreen) and "Ben would like to play on." in screen_text(app))
            assert "end the match" not in screen_text(app)
            await pilot.press("e")  # there is nothing to ask any more
            assert isinstance(app.screen, SheetScreen)
            await pilot.press("enter")
            await until(lambda: play.number == 3)


async def test_absent_player_does_not_delay_the_end(tmp_path: Path) -> None:
    time = FakeTime()
    async with serving(tmp_path / "db", time, grace=30) as server, guests(server, "Aki", "Ben") as people:
        table = await begun(people, USUAL, rounds=6)
        await play_round(table, people)
        aki, ben = people
        async with hearing(aki, table) as heard:
            await heard.some("table")
            await ben.ready(table, 1)
            await aki.ready(table, 1, enough=True)
            await heard.some("event", lambda event: event["text"]["id"] == "table.enough")
            time.move(31)
            await sweep_once(server.desk)
            end = await heard.some("event", lambda event: event["kind"] == "end")
            assert end["head"]["why"] == "agreed"


@pytest.mark.alone
async def test_bots_need_not_agree_to_stop(server: Serving) -> None:
    async with guests(server, "Aki") as people:
        table = await begun(people, USUAL, rounds=6, bots=["random"])
        await play_round(table, people)
        assert (await people[0].ready(table, 1, enough=True))["head"]["why"] == "agreed"


async def test_agreed_end_is_replayed_from_the_log(tmp_path: Path) -> None:
    async with serving(tmp_path / "db") as server, guests(server, "Aki") as people:
        table = await begun(people, USUAL, rounds=6, bots=["random"])
        await play_round(table, people)
        before = await people[0].ready(table, 1, enough=True)
        token = people[0].http.headers["authorization"]
    async with serving(tmp_path / "db") as server:
        again = Guest(server.address, headers={"authorization": token})
        assert (await again.look(table))["head"] == before["head"]
