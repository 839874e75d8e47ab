"""The terminal's table over the network: played by keyboard at a real server."""

import re
from itertools import cycle
from pathlib import Path
from random import Random
from typing import Any

import pytest

from mekuri import bots, games
from mekuri.bots import Budget
from mekuri.cards import parse_card
from mekuri.engine.contract import Text
from mekuri.engine.rulebook import LANGUAGES, Lang
from mekuri.match.replay import replay
from mekuri.match.result import match_result
from mekuri.match.verify import verify
from mekuri.protocol import table as wire
from mekuri.protocol.texts import texts_of
from mekuri.server.ops.admin import opened
from mekuri.table import reviewing, weighing
from mekuri.terminal.base import line
from mekuri.terminal.base.online import join_table
from mekuri.terminal.base.play import refusal_of
from mekuri.terminal.base.translate import sign
from mekuri.terminal.screens.review import ReviewScreen
from mekuri.terminal.screens.rules import RulesScreen
from mekuri.terminal.screens.sheet import LogScreen, ResultScreen, SheetScreen, TrySheet
from mekuri.terminal.screens.table import TableScreen, table_app
from mekuri.terminal.screens.yaku import YakuScreen
from tests.helpers.machine_code import without_machine_code
from tests.helpers.screens import SMALL, illegal_place, on_screen, play_card, play_through, screen_text, table_of, until_asked
from tests.helpers.server.databases import place_of
from tests.helpers.server.gathering import KINDS, MANY, guests, usual_bot
from tests.helpers.server.remotes import busy, friend, sit
from tests.helpers.server.serving import Guest, Refusal, Serving, act, serving
from tests.helpers.tables import USUAL, games_in_turn, in_turn, seats_for
from tests.helpers.time import FakeTime, moment, until

# --- Playing ---


# Every game is played at this table without a server in between elsewhere: here it is the line that is tried.
@pytest.mark.parametrize(("name", "lang"), in_turn(zip(KINDS, cycle(LANGUAGES), strict=False)))
async def test_match_is_played_by_keyboard(server: Serving, name: str, lang: Lang) -> None:
    play = await sit(server, name, rounds=2)
    app = table_app(play, lang)
    acted = 0
    async with app.run_test(size=SMALL) as pilot:
        for number in (1, 2):
            while await until_asked(pilot):
                assert play.number == number
                await play_card(pilot)
                acted += 1
            assert isinstance(app.screen, SheetScreen)
            translator = app.screen.translator
            assert translator.table("endings", play.results[-1].ending)[:20] in screen_text(app)
            await pilot.press("r")
            await until(
                lambda: all(line.clause in screen_text(app) for line in play.results[-1].lines[:1])
            )  # none where nobody bets
            await until(lambda number=number: play.over == (number == 2))  # type: ignore[misc]
            await pilot.press("enter")
            await pilot.pause()
        await until(lambda: isinstance(app.screen, ResultScreen))
        await pilot.press("enter")
        await pilot.pause()
    assert app.return_code == 0
    text = await play.record()
    match = replay(text)
    assert match.over
    assert acted == sum(len([seat for seat, _ in round.actions if seat == 0]) for round in match.finished)
    assert play.outcome == match_result(match.game.contract.match, match.ledger)
    assert [result.returns for result in play.results] == [round.returns for round in match.finished]
    assert [dict(accounts) for accounts in play.ledger] == match.ledger
    assert [result.lines for result in play.results] == [round.score_sheet().lines for round in match.finished]
    assert "2" in str(verify(text))


async def test_yaku_screen_shows_worths_of_the_server(server: Serving) -> None:
    play = await sit(server, "mushi")
    async with on_screen(play) as (app, pilot):
        assert await until_asked(pilot)
        await pilot.press("y")
        await until(lambda: isinstance(app.screen, YakuScreen))
        assert (await play.worths())["1H"].yaku == ("three",)


@pytest.mark.every_days(4)
async def test_round_is_reviewed_and_retried_on_the_server(server: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    """The match is unchanged and continues."""
    monkeypatch.setattr(reviewing, "FEW", (8, 100))
    without_machine_code(monkeypatch)
    play = await sit(server, USUAL, rounds=2)  # whose rounds never go by without a choice
    async with on_screen(play) as (app, pilot):
        await play_through(pilot)
        assert isinstance(app.screen, SheetScreen)
        brought = play.results[0].returns
        await pilot.press("v")
        await until(lambda: isinstance(app.screen, ReviewScreen) and app.screen._leaves and app.screen._moment)
        here = app.screen
        assert isinstance(here, ReviewScreen)
        assert here._telling
        assert here._telling.found.result == brought[0]
        assert here._moment
        await pilot.press("t")
        await until(lambda: isinstance(app.screen, TableScreen) and app.screen.view)
        there = table_of(app).view
        assert there
        assert [choice.action for choice in there.legal] == [choice.action for choice in here._moment.choices]
        await play_through(pilot)
        assert isinstance(app.screen, TrySheet)
        await pilot.press("enter")
        await until(lambda: app.screen is here)
        await pilot.press("escape", "enter")
        await until(lambda: play.number == 2)
        assert [result.returns for result in play.results] == [brought]


async def test_deal_is_animated_and_enter_skips_it(server: Serving) -> None:
    """Without that it would take minutes."""
    play = await sit(server, pace=60)
    async with on_screen(play) as (app, pilot):
        await until(lambda: table_of(app).view)
        first = table_of(app).view
        assert first
        assert not first.legal
        await until(lambda: play._showing)
        await pilot.press("enter")
        assert await until_asked(pilot)


@pytest.mark.parametrize("name", in_turn([USUAL, MANY]))
async def test_two_people_play_at_one_table(server: Serving, name: str) -> None:
    play = await sit(server, name, ("person", "person"), rounds=2, first_dealer=1)
    async with on_screen(play) as (app, pilot):
        await until(lambda: play.link in screen_text(app))
        assert "(free)" in screen_text(app)
        assert "Seat 2 deals first." in screen_text(app)
        async with friend(server, play.id) as ben:
            await until(lambda: table_of(app).view)
            assert getattr(table_of(app).view, "dealer", None) == 1
            assert table_of(app).translator.player(1) == "Ben"
            async with busy(ben, play.id, ready=False):
                await play_through(pilot)
            await pilot.press("enter")
            await until(lambda: "waiting for Ben" in screen_text(app))
            async with busy(ben, play.id):
                assert await until_asked(pilot)
                assert play.number == 2
                await play_through(pilot)
                await pilot.press("enter")
                await until(lambda: isinstance(app.screen, ResultScreen))


async def test_maker_frees_a_seat(server: Serving) -> None:
    play = await sit(server, MANY, ("person",) * 3, seating="lot")
    async with on_screen(play) as (app, pilot), guests(server, "Ben", "Chiyo") as (ben, chiyo):
        await until(lambda: play.link in screen_text(app))
        await ben.sit(play.id)
        await until(lambda: "[2] free this seat" in screen_text(app))
        assert screen_text(app).count("By lot") == len(seats_for(MANY, "person"))
        for keys, barred in ((("2", "escape"), None), (("2", "enter"), False), (("2", "k"), True)):
            if barred:
                await ben.sit(play.id)
                await until(lambda: "[2] free this seat" in screen_text(app))
            await pilot.press(keys[0])
            await until(lambda: "Free the seat of Ben?" in screen_text(app))
            await pilot.press(keys[1])
            await until(lambda: "Free the seat" not in screen_text(app))
            if barred is not None:
                await until(lambda: "[2] free this seat" not in screen_text(app))
        with pytest.raises(Refusal, match="kept-out"):
            await ben.sit(play.id)
        await chiyo.sit(play.id)
        async with friend(server, play.id):
            await until(lambda: table_of(app).view)
            names = [table_of(app).translator.player(seat) for seat in range(len(seats_for(MANY, "person")))]
            assert sorted(names) == sorted(["You", "Chiyo", "Ben", "Random"])
            assert play.you == names.index("You")
            assert "The seats have been drawn by lot" in " ".join(map(table_of(app).translator.text, table_of(app)._log))


async def test_stamps_are_sent_shown_and_muted(server: Serving) -> None:
    """A player can also mute the stamps."""
    play = await sit(server, seats=("person", "person"))
    app = table_app(play)

    def log_text() -> str:
        return " ".join(map(table_of(app).translator.text, table_of(app)._log))

    async with app.run_test(size=SMALL) as pilot, friend(server, play.id) as ben:
        await until(lambda: table_of(app).view)
        await pilot.press("t")
        await until(lambda: "Well played!" in screen_text(app))
        await pilot.press("b")
        await until(lambda: "Thank you!" in log_text())

        async def says(said: str) -> None:
            await ben.call("POST", f"/api/tables/{play.id}/say", {"version": (await ben.look(play.id))["version"], "said": said})

        await says("stamps.tea")
        await until(lambda: "Ben: A sip of tea..." in log_text())
        await pilot.press("t", "!")
        await until(lambda: not play.hears)
        await says("stamps.wow")
        await pilot.press("t", "m")
        await until(lambda: "Goodbye!" in log_text())
        assert "Astonishing!" not in log_text()


@pytest.mark.parametrize(("lang", "text"), [("en", "Closed at noon."), ("ja", "正午に閉める。")])
async def test_notice_stands_above_the_table(server: Serving, tmp_path: Path, lang: Lang, text: str) -> None:
    play = await sit(server)
    async with on_screen(play, lang) as (app, _), opened(place_of(tmp_path / "mekuri.db")) as keeper:
        await until(lambda: table_of(app).view)
        await keeper.announce("Closed at noon.", "正午に閉める。")
        await until(lambda: text in screen_text(app))
        await keeper.announce("", "")
        await until(lambda: text not in screen_text(app))


async def test_name_is_never_taken_for_a_bot_or_for_you(server: Serving) -> None:
    play = await sit(server, seats=("person", "person"))
    guest = await Guest(server.address).arrive("you")
    await guest.sit(play.id)
    async with on_screen(play, "ja") as (app, _):
        await until(lambda: table_of(app).view)
        translator = table_of(app).translator
        assert [translator.player(0), translator.player(1)] == ["あなた", "you"]
        assert [translator.is_you(0), translator.is_you(1)] == [True, False]


@pytest.mark.every_days(4)
@pytest.mark.parametrize("lang", LANGUAGES)
async def test_refused_action_shows_reason_and_clause(server: Serving, lang: Lang) -> None:
    play = await sit(server, "mushi")
    async with on_screen(play, lang) as (app, pilot):
        assert await until_asked(pilot)
        version = play._version
        illegal = illegal_place(table_of(app))
        assert illegal
        zone, i = illegal
        zone.focus()
        zone.point_at(i)
        await pilot.press("enter")
        refused = await until_refused(table_of(app))
        assert refused.clause
        assert table_of(app).translator.text(refused.text)[:30] in screen_text(app)
        assert refused.clause in screen_text(app)
        assert play._version == version
        await pilot.press("r")
        await until(lambda: isinstance(app.screen, RulesScreen) and refused.clause in screen_text(app))
        await pilot.press("escape")
        await pilot.pause()
        assert isinstance(app.screen, TableScreen)
        assert play._view
        assert play._view.legal
        assert not play.sending


async def until_refused(table: TableScreen) -> Any:
    await until(lambda: table._refusal)
    return table._refusal


@pytest.mark.parametrize("lang", LANGUAGES)
async def test_server_refusals_use_the_language_of_the_reader(server: Serving, lang: Lang) -> None:
    play = await sit(server)
    async with on_screen(play, lang) as (app, pilot):
        assert await until_asked(pilot)
        async with line.Line(server.address, play._line.token) as other:
            with pytest.raises(line.ServerRefusal) as refused:
                await other.ask("POST", f"/api/tables/{play.id}/actions", wire.Answer, wire.AskAction(version=10_000, action="1H"))
        refusal = refusal_of(play.book, refused.value.problem)
        assert refusal.clause == ""
        assert table_of(app).translator.text(refusal.text) == texts_of("errors.ahead")[lang]
        unknown = wire.Problem(error="new", message="Something new.", text=Text(id="errors.new"))
        assert table_of(app).translator.text(refusal_of(play.book, unknown).text) == "Something new."


# --- What may be amiss ---


@pytest.mark.every_days(4)
async def test_match_continues_after_a_server_restart(tmp_path: Path) -> None:
    database, acted = tmp_path / "mekuri.db", 0
    async with serving(database) as first:
        play = await sit(first)
        port = int(first.address.rpartition(":")[2])
        async with on_screen(play) as (app, pilot):
            for _ in range(2):
                assert await until_asked(pilot)
                await pilot.press("enter")
                acted += 1
            assert await until_asked(pilot)
            before = table_of(app).view
            await first.stop()
            await until(lambda: "Connection lost, trying again" in screen_text(app))
            await pilot.press("enter")
            acted += 1
            await until(lambda: "On its way" in screen_text(app))
            await pilot.press("l")
            await until(lambda: isinstance(app.screen, LogScreen))  # the table is alive meanwhile
            await pilot.press("escape")
            assert table_of(app).view is before
            async with serving(database, port=port):
                await until(lambda: not play.sending)
                assert "Connection lost" not in screen_text(app)
                while await until_asked(pilot):
                    await play_card(pilot)
                    acted += 1
                await pilot.press("enter")
                await until(lambda: isinstance(app.screen, ResultScreen))
                match = replay(await play.record())
    assert acted == sum(seat == 0 for seat, _ in match.round.actions)


@pytest.mark.every_days(4)
async def test_score_sheet_survives_a_lost_connection(tmp_path: Path) -> None:
    database = tmp_path / "mekuri.db"
    async with serving(database) as first:
        play = await sit(first, rounds=2)
        port = int(first.address.rpartition(":")[2])
        async with on_screen(play) as (app, pilot):
            await play_through(pilot)
            await first.stop()
            await pilot.press("enter")
            await until(lambda: "Connection lost, trying again" in screen_text(app))
            async with serving(database, port=port):
                assert await until_asked(pilot)
                assert play.number == 2


async def test_absence_stand_in_and_return_are_logged(tmp_path: Path) -> None:
    time = FakeTime()
    async with serving(tmp_path / "mekuri.db", time, grace=90) as server:
        play = await sit(server, seats=("person", "person"))
        app = table_app(play)
        stand_in = bots.look_up(usual_bot(USUAL), games.find(USUAL)).name["en"]
        async with friend(server, play.id) as ben, app.run_test(size=SMALL):
            async with ben.stream(play.id) as messages:
                await anext(messages)
                await until(lambda: play.number and not play.absent(1))
                assert play.trouble(table_of(app).translator) == ""
            await until(lambda: "Ben is disconnected" in screen_text(app).splitlines()[0])
            time.move(90)
            await until(lambda: f"{stand_in} plays for Ben" in screen_text(app).splitlines()[0])
            async with ben.stream(play.id) as messages:
                await anext(messages)
                await ben.sit(play.id)
                await until(lambda: f"{stand_in} plays" not in screen_text(app).splitlines()[0])
            log_text = "\n".join(table_of(app).translator.text(text) for text in table_of(app)._log)
            assert re.search(r"Ben is disconnected. The table waits \d+ s\.", log_text)
            assert f"Ben is away; {stand_in} plays the seat." in log_text
            assert log_text.count("Ben is back.") == 1


@pytest.mark.every_days(4)
async def test_seat_held_by_a_bot_is_taken_back(tmp_path: Path) -> None:
    async with serving(tmp_path / "mekuri.db") as server:
        play = await sit(server, seats=("person", "person"))
        async with friend(server, play.id) as ben, ben.stream(play.id) as messages:
            await anext(messages)
            while not (await ben.look(play.id))["head"]["seats"][0]["bot"]:
                await moment()
            async with on_screen(await join_table(play.link, "", "", False, 0)) as (app, _):
                await until(lambda: table_of(app).view)
                seat = (await ben.look(play.id))["head"]["seats"][0]
                assert (seat["kind"], seat["name"], seat["bot"]) == ("person", "Aki", None)


async def test_missing_table_ends_with_one_line(tmp_path: Path) -> None:
    async with serving(tmp_path / "one.db") as first:
        play = await sit(first)
        port = int(first.address.rpartition(":")[2])
        async with on_screen(play) as (app, pilot):
            assert await until_asked(pilot)
            await first.stop()
            async with serving(tmp_path / "other.db", port=port):
                await until(lambda: app.failure)
    assert app.failure == texts_of("errors.bad-token")["en"]


async def a_page(*asked: object) -> bytes:
    """What something between here and the server may answer."""
    return b"<html>Sign in to this network</html>"


async def test_invalid_answer_ends_with_one_line(server: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    play = await sit(server)
    async with on_screen(play) as (app, pilot):
        assert await until_asked(pilot)
        monkeypatch.setattr(play._line, "fetch", a_page)
        await pilot.press("enter")
        await until(lambda: app.failure)
    assert "is no Mekuri server" in app.failure


async def test_leaving_asks_once_and_ends_the_match(server: Serving) -> None:
    play = await sit(server)
    async with on_screen(play) as (app, pilot):
        assert await until_asked(pilot)
        await pilot.press("q")
        await until(lambda: "the match ends" in screen_text(app))
        await pilot.press("escape")
        assert isinstance(app.screen, TableScreen)
        await pilot.press("q", "enter")
        await until(lambda: app.return_code is not None)
    assert play.left
    async with line.Line(server.address) as other:
        table = await other.ask("GET", f"/api/tables/{play.id}", wire.Table)
    assert (table.head.state, table.head.why) == ("over", "abandoned")


async def test_abandoned_match_has_no_winner(server: Serving) -> None:
    play = await sit(server)
    guest = Guest(server.address)
    guest.http.headers["authorization"] = f"Bearer {play._line.token}"
    await guest.leave(play.id)
    async with on_screen(await join_table(play.link, "", "", True, 0)) as (app, pilot):
        await until(lambda: isinstance(app.screen, ResultScreen))
        await pilot.pause()
        assert "without a winner" in screen_text(app)


# --- Watching ---


async def until_shown(screen: TableScreen, table: wire.Table) -> None:
    """Wait until a screen shows a table in its present state, or a later one."""
    await until(lambda: screen.view and table.view and screen.view.version >= table.view.version)


@games_in_turn(0)
async def test_watching_shows_no_hand(server: Serving, name: str) -> None:
    play = await sit(server, name, ("person", "person"))
    async with friend(server, play.id) as ben:
        aki = Guest(server.address)
        aki.http.headers["authorization"] = f"Bearer {play._line.token}"
        app = table_app(await join_table(play.link, "", "", True, 0))
        chance = Random(1)
        async with app.run_test(size=SMALL):
            await until(lambda: table_of(app).view)
            while (await aki.look(play.id))["head"]["state"] == "running":
                hands: list[str] = []
                for guest in (aki, ben):
                    zones = (await guest.look(play.id))["view"]["zones"]
                    hands += [card for zone in zones if zone["kind"] == "hand" for card in zone["cards"] if card]
                async with line.Line(server.address) as nobody:
                    await until_shown(table_of(app), await nobody.ask("GET", f"/api/tables/{play.id}", wire.Table))
                for card in hands:
                    assert not re.search(rf"(?<!\d){re.escape(sign(parse_card(card)))}", screen_text(app).partition(" · ")[0])
                if not any([await act(guest, play.id, chance) for guest in (aki, ben)]):
                    await moment()
            await until(lambda: isinstance(app.screen, ResultScreen))


# --- The coach ---


async def test_hint_is_shown_and_move_taken_back(server: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weighing, "BUDGET", Budget(30))
    without_machine_code(monkeypatch)
    play = await sit(server)
    async with on_screen(play) as (app, pilot):
        assert await until_asked(pilot)
        table = table_of(app)
        first = table.view
        assert first
        await pilot.press("a")
        await until(lambda: "(a: all of it)" in " ".join(screen_text(app).split()))
        await play_card(pilot)
        assert await until_asked(pilot)
        await pilot.press("u")
        await pilot.pause()
        await pilot.press("enter")
        await until(lambda: table.view and table.view.zones == first.zones)
        assert play.practice
        await until_asked(pilot)
        await pilot.press("u")
        await until(lambda: "nothing to take back" in screen_text(app))
