"""Players who wait for one who does not act: when they may have a bot play, or end the match without a result."""

from random import Random

import pytest

from mekuri import games
from mekuri.protocol import table as wire
from mekuri.protocol.coding import encode
from mekuri.table import commands
from mekuri.table.errors import ProblemError
from mekuri.table.rows import load
from mekuri.table.showing import show
from mekuri.table.table import Table
from tests.helpers.server.stores import ROOT
from tests.helpers.tables import USUAL, each_game, seats_for

AT = 1_000
LATER = AT + 400_000
PEOPLE = ("ann", "ben", "cyd", "dan", "eve", "fay", "gus", "hal")


def made(name: str = USUAL, people: int = 2, bots: int = 0, **more: object) -> Table:
    """Return a table at which so many people have sat down, with so many bots at least in the other seats."""
    seats = seats_for(name, *["person"] * people, *["random"] * bots)
    table = commands.make("t", ROOT, wire.AskTable(game=name, seats=seats, **more), "ann", AT)  # type: ignore[arg-type]
    for person in PEOPLE[:people]:
        commands.sit(table, person, person, wire.AskSeat(), AT)
    return table


def to_a_person(table: Table, at: int = AT) -> None:
    """Let bots play until only people have to act."""
    while turn := commands.bot_turn(table, at):
        commands.bot_answer(table, at, turn, commands.think(turn))


def person_of(table: Table, seat: int) -> str:
    person = table.seats[seat].person
    assert person
    return person


def waits_for_one(table: Table) -> tuple[int, int]:
    """Return the only seat that has to act, and one that waits for it."""
    to_a_person(table)
    (seat,) = commands.awaited(table, AT)
    return seat, commands.waiting(table)[0]


def refused(table: Table, person: str, asked: int | None = None) -> str:
    before = len(table.fresh)
    with pytest.raises(ProblemError) as caught:
        commands.stand_in(table, person, table.asked if asked is None else asked, LATER)
    assert len(table.fresh) == before
    return caught.value.problem.error


def test_a_bot_plays_until_the_player_acts() -> None:
    table = made()
    slow, other = waits_for_one(table)
    commands.stand_in(table, person_of(table, other), table.asked, LATER)
    sitter = table.seats[slow]
    assert (sitter.bot is not None, sitter.stalled, table.head.seats[slow].stalled) == (True, True, True)
    to_a_person(table, LATER)
    events = table.history.events(other, 0)
    assert events
    (held,) = (event for event in events if event.kind == "hold")
    assert held.text.id == "table.stalled"
    assert held.seat == slow
    commands.come_back(table, person_of(table, slow), LATER)
    assert not sitter.bot
    assert not sitter.stalled


def test_it_is_the_same_from_the_log() -> None:
    table = made()
    slow, other = waits_for_one(table)
    commands.stand_in(table, person_of(table, other), table.asked, LATER)
    to_a_person(table, LATER)
    again = load("t", ROOT, table.fresh, names=dict(zip(PEOPLE, PEOPLE, strict=True)))
    for viewer in (None, slow, other):
        assert encode(show(again, viewer)) == encode(show(table, viewer))
        assert again.history.events(viewer, 0) == table.history.events(viewer, 0)


def test_only_a_player_who_waits_may_ask() -> None:
    table = made(people=2)
    slow, other = waits_for_one(table)
    assert refused(table, person_of(table, slow)) == "not-stalled"
    assert refused(table, "somebody else") == "not-seated"
    assert refused(table, person_of(table, other), table.asked - 1) == "not-stalled"  # what was waited for then is done
    commands.leave(table, person_of(table, other), LATER)
    assert refused(table, person_of(table, other)) == "not-stalled"


def test_nobody_is_awaited_where_days_are_played() -> None:
    assert commands.awaited(made(term=wire.AskTerm(days=3)), LATER) == []


def test_nobody_is_awaited_by_bots_alone() -> None:
    table = made(people=1)
    to_a_person(table)
    assert table.running.waiting
    assert commands.awaited(table, LATER) == []


def test_nobody_is_awaited_while_a_window_is_open_or_a_bot_has_to_act() -> None:
    table = made("tenshu", 3, options={"onifuda_on_field": "any-card"}, first_dealer=3)
    assert table.closes is not None
    assert table.waited_for
    assert commands.awaited(table, AT) == []
    table = made("tokotoko", 2, bots=1)
    assert commands.bot_due(table, AT) is not None
    assert len(table.waited_for) > 1
    assert commands.awaited(table, AT) == []
    to_a_person(table)
    assert commands.awaited(table, AT)


def test_the_wait_for_the_next_round_counts_too() -> None:
    table = made()
    while not table.resting:
        to_a_person(table)
        for seat in commands.awaited(table, AT):
            person = person_of(table, seat)
            action = table.running.legal_for(seat)[0]
            commands.play(table, person, wire.AskAction(version=table.version(seat), action=action), AT)
    commands.ready(table, "ann", wire.AskReady(round=1), AT)
    assert [person_of(table, seat) for seat in commands.awaited(table, LATER)] == ["ben"]
    commands.stand_in(table, "ann", table.asked, LATER)
    assert table.rounds == 2


def test_an_end_without_a_result() -> None:
    table = made()
    waits_for_one(table)
    commands.break_off(table, table.asked, LATER)
    assert (table.state, table.why, table.head.winners) == ("over", "stalled", None)
    with pytest.raises(ProblemError):
        commands.break_off(table, table.asked, LATER)


@each_game
def test_the_others_act_and_the_clock_of_the_last_stays(name: str) -> None:
    """Where several are asked at once, an answer of one of them gives the others no more time, if all may see it."""
    most = min(games.find(name).seats[-1], len(PEOPLE))
    table = made(name, most)
    chance = Random(1)
    for _ in range(60):
        to_a_person(table)
        awaited = commands.awaited(table, AT)
        if table.state == "over" or table.resting or not awaited:
            break
        seat = chance.choice([seat for seat in awaited if seat not in commands.waiting(table)])
        before, asked, secret = set(table.waited_for), table.asked, table.running.secret
        action = chance.choice(table.running.legal_for(seat))
        at = table.changed_at + 1000
        commands.play(table, person_of(table, seat), wire.AskAction(version=table.version(seat), action=action), at)
        if not secret and not table.resting and set(table.waited_for) < before:
            assert table.asked == asked
