"""Players who wait for a stalled one: when they can call a bot, or end the match without a result."""

from random import Random

import pytest

from mekuri import games
from mekuri.protocol import table as wire
from mekuri.table import commands
from mekuri.table.errors import ProblemError
from mekuri.table.table import Table
from tests.helpers.at_table import AT, PEOPLE, act, bots_play, person_of, refused, replayed, seated
from tests.helpers.tables import USUAL, each_game, seats_for

LATER = AT + 400_000


def made(name: str = USUAL, people: int = 2, bots: int = 0, **more: object) -> Table:
    """Return a table at which so many people have sat down, with so many bots at least in the other seats."""
    seats = seats_for(name, *["person"] * people, *["random"] * bots)
    return seated(wire.AskTable(game=name, seats=seats, **more))  # type: ignore[arg-type]


def waits_for_one(table: Table) -> tuple[int, int]:
    """Return the only seat that has to act, and a seat that waits for it."""
    bots_play(table)
    (seat,) = commands.awaited(table, AT)
    return seat, commands.waiting(table)[0]


def refusal(table: Table, person: str, asked: int | None = None) -> str:
    return refused(table, lambda: commands.stand_in(table, person, table.asked if asked is None else asked, LATER))


def test_bot_plays_until_the_player_acts() -> None:
    table = made()
    slow, other = waits_for_one(table)
    commands.stand_in(table, person_of(table, other), table.asked, LATER)
    sitter = table.seats[slow]
    assert (sitter.bot is not None, sitter.stalled, table.head.seats[slow].stalled) == (True, True, True)
    bots_play(table, LATER)
    events = table.history.events(other, 0)
    assert events
    (held,) = (event for event in events if event.kind == "hold")
    assert held.text.id == "table.stalled"
    assert held.seat == slow
    commands.come_back(table, person_of(table, slow), LATER)
    assert not sitter.bot
    assert not sitter.stalled


def test_stand_in_replays_from_the_log() -> None:
    table = made()
    _, other = waits_for_one(table)
    commands.stand_in(table, person_of(table, other), table.asked, LATER)
    bots_play(table, LATER)
    replayed(table)


def test_only_waiting_players_can_call_a_bot() -> None:
    table = made(people=2)
    slow, other = waits_for_one(table)
    assert refusal(table, person_of(table, slow)) == "not-stalled"
    assert refusal(table, "somebody else") == "not-seated"
    assert refusal(table, person_of(table, other), table.asked - 1) == "not-stalled"  # what was waited for then is done
    commands.leave(table, person_of(table, other), LATER)
    assert refusal(table, person_of(table, other)) == "not-stalled"


def test_turn_by_turn_table_awaits_no_player() -> None:
    assert commands.awaited(made(term=wire.AskTerm(days=3)), LATER) == []


def test_player_alone_with_bots_is_not_awaited() -> None:
    table = made(people=1)
    bots_play(table)
    assert table.running.waiting
    assert commands.awaited(table, LATER) == []


def test_open_window_or_bot_turn_awaits_no_player() -> None:
    table = made("tenshu", 3, options={"onifuda_on_field": "any-card"}, first_dealer=3)
    assert table.closes is not None
    assert table.waited_for
    assert commands.awaited(table, AT) == []
    table = made("tokotoko", 2, bots=1)
    assert commands.bot_due(table, AT) is not None
    assert len(table.waited_for) > 1
    assert commands.awaited(table, AT) == []
    bots_play(table)
    assert commands.awaited(table, AT)


def test_wait_for_the_next_round_counts() -> None:
    table = made()
    while not table.resting:
        bots_play(table)
        for seat in commands.awaited(table, AT):
            act(table, seat)
    commands.ready(table, "ann", wire.AskReady(round=1), AT)
    assert [person_of(table, seat) for seat in commands.awaited(table, LATER)] == ["ben"]
    commands.stand_in(table, "ann", table.asked, LATER)
    assert table.rounds == 2


def test_broken_off_match_has_no_result() -> None:
    table = made()
    waits_for_one(table)
    commands.break_off(table, table.asked, LATER)
    assert (table.state, table.why, table.head.winners) == ("over", "stalled", None)
    with pytest.raises(ProblemError):
        commands.break_off(table, table.asked, LATER)


@each_game
def test_answers_of_others_do_not_extend_the_time(name: str) -> None:
    """If several are asked at once, a visible answer of one gives the others no more time."""
    most = min(games.find(name).seats[-1], len(PEOPLE))
    table = made(name, most)
    chance = Random(1)
    for _ in range(60):
        bots_play(table)
        awaited = commands.awaited(table, AT)
        if table.state == "over" or table.resting or not awaited:
            break
        seat = chance.choice([seat for seat in awaited if seat not in commands.waiting(table)])
        before, asked, secret = set(table.waited_for), table.asked, table.running.secret
        action = chance.choice(table.running.legal_for(seat))
        act(table, seat, action, table.changed_at + 1000)
        if not secret and not table.resting and set(table.waited_for) < before:
            assert table.asked == asked
