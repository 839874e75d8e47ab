"""A connected player who does not act: the countdown, the bot that plays then, and the end without a result."""

from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from mekuri.server.http.background import sweep_once
from tests.helpers.screens import on_screen, play_card, screen_text, table_of, until_asked
from tests.helpers.server.gathering import at, begun, guests, hearing, pair, usual_bot
from tests.helpers.server.leaping import FAR, caught_up, confirm
from tests.helpers.server.remotes import friend, sit
from tests.helpers.server.serving import Guest, Json, Refusal, Serving, act, play_out, refused, serving
from tests.helpers.tables import USUAL
from tests.helpers.time import FakeTime, moment, until

STALLED = 200
SETTINGS = {"stalled": STALLED}


@pytest.fixture
def time() -> FakeTime:
    return FakeTime()


async def pass_time(server: Serving, time: FakeTime, seconds: float) -> None:
    time.move(seconds)
    await sweep_once(server.desk)


async def apart(table: str, people: Sequence[Guest]) -> tuple[Guest, Guest]:
    """Return the person who has to act, and a person who waits."""
    wholes = [await guest.look(table) for guest in people]
    slow = next(n for n, whole in enumerate(wholes) if whole["view"]["legal"])
    assert not wholes[1 - slow]["view"]["legal"]
    return people[slow], people[1 - slow]


async def stalled_at(guest: Guest, table: str) -> list[int | None]:
    return [each["stalled_at"] for each in (await guest.look(table))["presence"]]


async def seats_of(guest: Guest, table: str) -> list[Json]:
    return [seat for seat in (await guest.look(table))["head"]["seats"] if seat["kind"] == "person"]


async def stand_in(guest: Guest, table: str) -> Json:
    return dict(await guest.call("POST", f"/api/tables/{table}/stand-in"))


async def break_off(guest: Guest, table: str) -> Json:
    return dict(await guest.call("POST", f"/api/tables/{table}/break-off"))


async def is_refused(guest: Guest, table: str) -> None:
    for ask in (stand_in, break_off):
        assert await refused(ask(guest, table)) == (409, "not-stalled")


async def test_last_minute_is_counted_down(server: Serving, people: list[Guest], time: FakeTime) -> None:
    table = await begun(people, USUAL)
    asked = time.now()
    slow, waits = await apart(table, people)
    async with hearing(slow, table), hearing(waits, table) as heard:
        await pass_time(server, time, STALLED - 61)
        assert await stalled_at(waits, table) == [None, None]
        await pass_time(server, time, 2)
        message = await heard.some("presence", lambda each: any(one["stalled_at"] for one in each["presence"]))
        (seen,) = (one for one in message["presence"] if one["stalled_at"])
        assert seen["seat"] == (await slow.look(table))["you"]
        assert 0 <= seen["stalled_at"] - asked - STALLED * 1000 < 5000
        await is_refused(waits, table)
        await pass_time(server, time, 60)
        await is_refused(slow, table)
        await stand_in(waits, table)


async def test_bot_plays_until_the_player_acts(server: Serving, people: list[Guest], time: FakeTime) -> None:
    table = await begun(people, USUAL)
    slow, waits = await apart(table, people)
    async with hearing(slow, table), hearing(waits, table) as heard:
        await pass_time(server, time, STALLED + 1)
        own = (await slow.look(table))["you"]
        whole = await stand_in(waits, table)
        assert (whole["head"]["seats"][own]["bot"], whole["head"]["seats"][own]["stalled"]) == (usual_bot(USUAL), True)
        held = await heard.some("event", lambda event: event["kind"] == "hold")
        assert (held["seat"], held["text"]["id"]) == (own, "table.stalled")
        await heard.some("event", lambda event: event["kind"] == "play" and event["seat"] == own)
        # Sent again, nothing more comes of it. The player is still connected, and that is no action.
        await stand_in(waits, table)
        await pass_time(server, time, 5)
        assert (await seats_of(waits, table))[own]["bot"]
        assert len([event for event in await waits.events(table) if event["kind"] == "hold"]) == 1
        await slow.sit(table)
        assert (await seats_of(waits, table))[own] == (await seats_of(slow, table))[own]
        assert not (await seats_of(slow, table))[own]["stalled"]
        await is_refused(waits, table)


async def test_all_waiting_players_can_end_the_match(server: Serving, time: FakeTime) -> None:
    async with guests(server, "Aki", "Ben", "Cyd", "Dan") as people:
        table = await begun(people, "mutsuichi")  # all wait for the bank
        waiting = [guest for guest in people if not (await guest.look(table))["view"]["legal"]]
        assert len(waiting) == 3
        await pass_time(server, time, STALLED + 1)
        for guest in waiting[:2]:
            whole = await break_off(guest, table)
            assert whole["head"]["state"] == "running"
        assert [each["ends"] for each in whole["presence"]].count(True) == 2
        assert (await break_off(waiting[0], table))["head"]["state"] == "running"
        whole = await break_off(waiting[2], table)
        assert (whole["head"]["state"], whole["head"]["why"], whole["head"]["winners"]) == ("over", "stalled", None)
        assert (await break_off(waiting[2], table))["head"]["why"] == "stalled"


async def test_only_stalled_players_are_replaced(server: Serving, time: FakeTime) -> None:
    """In secret phases a bot replaces only players who have not acted."""
    async with guests(server, "Aki", "Ben", "Cyd", "Dan") as people:
        table = await begun(people, "mutsuichi")
        wholes = [await guest.look(table) for guest in people]
        bank = next(n for n, whole in enumerate(wholes) if whole["view"]["legal"])
        bettors = [guest for n, guest in enumerate(people) if n != bank]
        await pass_time(server, time, STALLED + 1)
        await stand_in(bettors[0], table)
        await until(lambda: server.desk.tables.live_tables[table].bots is None)
        for guest in bettors[:2]:
            while (whole := await guest.look(table))["view"]["legal"]:
                await guest.play(table, whole["view"]["version"], whole["view"]["legal"][-1]["action"])
        assert (await bettors[2].look(table))["view"]["legal"]
        assert (await bettors[0].look(table))["head"]["round"] == 1
        await pass_time(server, time, STALLED + 1)
        await stand_in(bettors[0], table)
        held = [seat["stalled"] for seat in await seats_of(bettors[0], table)]
        assert held == [guest in (people[bank], bettors[2]) for guest in people]


async def test_match_ended_by_a_stall_counts_for_no_player(server: Serving, people: list[Guest], time: FakeTime) -> None:
    """Not even the rounds that were played to their end."""
    table = await begun(people, USUAL)
    chance = Random(1)
    while (whole := await people[0].look(table))["head"]["round"] == 1:
        for guest in people:
            await act(guest, table, chance)
    assert whole["head"]["state"] == "running"
    _, waits = await apart(table, people)
    await pass_time(server, time, STALLED + 1)
    assert (await break_off(waits, table))["head"]["why"] == "stalled"
    for guest in people:
        played = await guest.call("GET", "/api/guests/matches")
        assert (played["games"], played["matches"]) == ([], [])


async def test_round_ended_by_a_stand_in_does_not_count(server: Serving, people: list[Guest], time: FakeTime) -> None:
    table = await begun(people, USUAL, rounds=1)
    slow, waits = await apart(table, people)
    await pass_time(server, time, STALLED + 1)
    await stand_in(waits, table)
    await play_out(table, [waits])
    assert (await slow.call("GET", "/api/guests/matches"))["matches"] == []
    assert [each["rounds"] for each in (await waits.call("GET", "/api/guests/matches"))["matches"]] == [[1]]


async def test_late_action_ends_the_stall(server: Serving, people: list[Guest], time: FakeTime) -> None:
    table = await begun(people, USUAL)
    slow, waits = await apart(table, people)
    await pass_time(server, time, STALLED + 1)
    view = (await slow.look(table))["view"]
    await slow.play(table, view["version"], view["legal"][0]["action"])
    await is_refused(waits, table)
    assert await stalled_at(waits, table) == [None, None]


async def test_stall_counts_from_a_restart(tmp_path: Path, time: FakeTime) -> None:
    """Players could not act while the server was down."""
    async with serving(tmp_path / "again.db", time, stalled=STALLED) as server, guests(server, "Aki", "Ben") as people:
        table = await begun(people, USUAL)
        _, waits = await apart(table, people)
    time.move(10 * STALLED)
    async with serving(tmp_path / "again.db", time, stalled=STALLED) as server:
        here = at(server, waits)
        await here.look(table)
        await pass_time(server, time, STALLED - 5)
        await is_refused(here, table)
        await pass_time(server, time, 6)
        assert (await stand_in(here, table))["head"]["state"] == "running"


@pytest.mark.parametrize("settings", [{"stalled": 0}, {"term": {"days": 1}}])
async def test_stall_rule_can_be_off(settings: Json, tmp_path: Path, time: FakeTime) -> None:
    stalled = {key: value for key, value in settings.items() if key == "stalled"}
    asked = {key: value for key, value in settings.items() if key == "term"}
    async with serving(tmp_path / "off.db", time, **stalled) as server, guests(server, "Aki", "Ben") as people:
        table = await people[0].make(USUAL, **pair(USUAL), **asked)
        for guest in people:
            await guest.sit(table)
        _, waits = await apart(table, people)
        await pass_time(server, time, 4_000)
        assert await stalled_at(waits, table) == [None, None]
        await is_refused(waits, table)


# --- In the terminal ---


async def test_terminal_calls_a_bot_and_takes_its_seat_back(tmp_path: Path) -> None:
    async with serving(tmp_path / "mekuri.db", stalled=3) as server:
        play = await sit(server, USUAL, ("person", "person"))
        async with on_screen(play) as (app, pilot), friend(server, play.id) as ben:
            await until(lambda: table_of(app).view)
            while not (await ben.look(play.id))["view"]["legal"]:  # a turn can ask more than once
                assert await until_asked(pilot)
                await play_card(pilot)
            await until(lambda: play.slow)
            await until(lambda: "Ben has not moved for a long time: press b" in screen_text(app))
            await pilot.press("b")
            await until(lambda: "let a bot play" in screen_text(app))
            await pilot.press("enter")
            await until(lambda: play._head.seats[1].stalled)
            assert not play.slow
            # Now it is the person before the terminal who does not act.
            assert await until_asked(pilot)
            await ben.sit(play.id)
            await until(lambda: (play._presence[0].stalled_at or 0) > 0)
            answer = await until_stands_in(ben, play.id)
            assert answer["head"]["seats"][0]["stalled"]
            await until(lambda: "plays for you: press b to return" in screen_text(app))
            assert play.replaced
            await pilot.press("b")
            await until(lambda: not play.replaced)
            assert play._head.seats[0].bot is None


async def until_stands_in(guest: Guest, table: str) -> Json:
    """Have a bot play as soon as the server permits it."""
    while True:
        try:
            return await stand_in(guest, table)
        except Refusal:
            await moment()


# --- Where the clock leaps ---


@pytest.mark.parametrize("leap", [FAR, -FAR])
async def test_confirmed_clock_leap_changes_no_stall(
    server: Serving, people: list[Guest], time: FakeTime, tmp_path: Path, leap: int
) -> None:
    table = await begun(people, USUAL)
    _, waits = await apart(table, people)
    await pass_time(server, time, STALLED - 50)
    time.leap(leap)
    await pass_time(server, time, 20)
    await is_refused(waits, table)
    await confirm(tmp_path / "mekuri.db", time, server)
    await until(lambda: caught_up(server, table))
    await pass_time(server, time, 1)
    await is_refused(waits, table)
    await pass_time(server, time, STALLED)
    assert (await stand_in(waits, table))["head"]["state"] == "running"
