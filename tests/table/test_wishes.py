"""The wish to end the match after a round: who is asked, the result of each answer, and that no table hangs."""

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from random import Random

import pytest

from mekuri.match.daily import DAY_MS
from mekuri.protocol import table as wire
from mekuri.table import commands
from mekuri.table.errors import ProblemError
from mekuri.table.log import Row
from mekuri.table.rows import load
from mekuri.table.stalling import MOST_MISSED
from mekuri.table.table import Table
from tests.helpers.at_table import AT, PEOPLE, ROOT, play_round, refused, replayed, seated
from tests.helpers.tables import LARGER, USUAL, seats_for

TERM = 3 * DAY_MS
NAMES = {name: name for name in PEOPLE}


def made(people: int = 2, name: str = USUAL, **more: object) -> Table:
    """Return a table at which the first round is over, with so many people and bots in the other seats."""
    match = {"rounds": "6"}
    seats = seats_for(name, *["person"] * people)
    asked = wire.AskTable(game=name, seats=seats, match_options=match, **more)  # type: ignore[arg-type]
    table = seated(asked)
    play_round(table)
    return table


def answer(table: Table, person: str, enough: bool | None = None, at: int = AT) -> None:
    commands.ready(table, person, wire.AskReady(round=table.rounds, enough=enough), at)


def shown_answers(table: Table) -> list[tuple[str, str]]:
    """Return the texts of all answers after the present round, with the names in them."""
    events = table.history.events(None, 0) or []
    since = max(at for at, event in enumerate(events) if event.kind == "open")
    return [(event.text.id, str((event.text.args or {}).get("name", ""))) for event in events[since + 1 :]]


def asked(table: Table) -> list[int]:
    """Return the seats that are not ready, as shown to everyone."""
    seats = table.head.seats
    assert [seat.seat for seat in seats if not seat.ready] == table.waited_for
    return table.waited_for


def test_next_round_waits_for_answers_to_the_wish() -> None:
    table = made()
    answer(table, "ben")
    answer(table, "ann", True)
    assert (table.rounds, asked(table)) == (1, [1])
    answer(table, "ben")  # to be ready is no answer
    assert (table.rounds, asked(table)) == (1, [1])
    assert shown_answers(table) == [("table.ready", "ben"), ("table.enough", "ann")]
    assert [seat.enough for seat in table.head.seats] == [True, False]


def test_match_ends_when_all_agree() -> None:
    table = made(3, LARGER)
    answer(table, "ann", True)
    answer(table, "cyd", True)
    assert (table.state, asked(table)) == ("running", [1])
    answer(table, "ben", True)
    assert (table.why, table.rounds) == ("agreed", 1)
    assert table.head.winners == list(table.match.leading if table.match else ())


def test_refusal_is_shown_and_the_next_round_waits_for_all() -> None:
    table = made(3, LARGER)
    answer(table, "cyd")
    answer(table, "ann", True)
    answer(table, "ben", False)
    assert shown_answers(table) == [("table.ready", "cyd"), ("table.enough", "ann"), ("table.plays-on", "ben")]
    assert [(seat.enough, seat.plays_on) for seat in table.head.seats[:3]] == [(False, False), (False, True), (False, False)]
    assert asked(table) == [0]  # who has said before that they are ready still are
    answer(table, "ann")
    assert table.rounds == 2
    assert not any(seat.enough or seat.plays_on for seat in table.head.seats)
    before = len(table.fresh)
    commands.ready(table, "ann", wire.AskReady(round=1, enough=True), AT)  # a request that was late
    assert len(table.fresh) == before


def test_refused_players_are_asked_for_the_next_round() -> None:
    table = made(3, LARGER)
    answer(table, "ann", True)
    answer(table, "ben", True)
    answer(table, "cyd", False)
    assert asked(table) == [0, 1]


def test_wish_can_be_withdrawn() -> None:
    table = made()
    answer(table, "ann", True)
    answer(table, "ann", False)
    assert shown_answers(table) == [("table.enough", "ann"), ("table.plays-on", "ann")]
    assert asked(table) == [1]
    answer(table, "ben")
    assert table.rounds == 2


def test_refused_wish_cannot_be_repeated_after_the_same_round() -> None:
    table = made()
    answer(table, "ann", True)
    answer(table, "ben", False)
    assert refused(table, lambda: answer(table, "ann", True)) == "plays-on"
    answer(table, "ben", True)  # who has played on may have the wish later
    assert asked(table) == [0]
    answer(table, "ann", True)
    assert table.why == "agreed"


@pytest.mark.parametrize("enough", [True, False, None])
def test_repeated_request_changes_nothing(enough: bool | None) -> None:
    table = made(3, LARGER)
    answer(table, "ann", True)
    answer(table, "ben", enough)
    before = len(table.fresh)
    answer(table, "ben", enough)
    assert len(table.fresh) == before


@pytest.mark.parametrize(("person", "round", "error"), [("eve", 1, "not-seated"), ("ben", 2, "ahead")])
def test_wish_of_a_stranger_or_another_round_is_refused(person: str, round: int, error: str) -> None:
    table = made()
    answer(table, "ann", True)
    for enough in (True, False):
        assert refused(table, partial(commands.ready, table, person, wire.AskReady(round=round, enough=enough), AT)) == error


def test_wish_during_a_round_is_refused() -> None:
    table = made()
    answer(table, "ann")
    answer(table, "ben")
    assert refused(table, lambda: answer(table, "ann", True)) == "round-running"


def test_bots_agree_to_the_wish() -> None:
    table = made(1)
    answer(table, "ann", True)
    assert table.why == "agreed"


@pytest.mark.parametrize(
    "take",
    [
        lambda table: commands.hold(table, AT, 1),
        lambda table: commands.leave(table, "ben", AT),
        lambda table: commands.stand_in(table, "ann", table.asked, AT),
    ],
    ids=["away", "left", "slow"],
)
def test_stand_in_bot_agrees_to_the_wish(take: Callable[[Table], None]) -> None:
    table = made()
    answer(table, "ann", True)
    take(table)
    assert table.why == "agreed"


def test_wish_ends_when_its_player_leaves() -> None:
    table = made(3, LARGER)
    answer(table, "ben")
    answer(table, "ann", True)
    assert asked(table) == [1, 2]
    commands.leave(table, "ann", AT)
    assert asked(table) == [2]
    commands.come_back(table, "ann", AT)
    assert asked(table) == [1, 2]
    commands.leave(table, "ann", AT)
    answer(table, "cyd")
    assert table.rounds == 2


def test_waiting_time_starts_with_the_wish() -> None:
    table = made()
    answer(table, "ben", at=AT + 10)
    answer(table, "ann", True, at=AT + 20)
    assert (table.asked, commands.awaited(table, AT + 20), commands.waiting(table)) == (AT + 20, [1], [0])
    answer(table, "ben", False, at=AT + 30)
    assert (table.asked, commands.awaited(table, AT + 30), commands.waiting(table)) == (AT + 30, [0], [1])


class TestTurnByTurn:
    def made(self, late: wire.Late = "bot") -> Table:
        return made(term=wire.AskTerm(days=3, late=late))

    def test_answer_to_the_wish_has_its_own_term(self) -> None:
        table = self.made()
        answer(table, "ann", True, at=AT + 10)
        assert (table.owing, commands.due_at(table)) == ([1], AT + 10 + TERM)
        answer(table, "ben", False, at=AT + 20)
        assert (table.owing, commands.due_at(table)) == ([0], AT + 20 + TERM)

    def test_silence_refuses_the_wish(self) -> None:
        table = self.made()
        answer(table, "ann", True)
        commands.pass_term(table, AT + TERM)
        assert (table.state, table.rounds) == ("running", 2)

    def test_silence_ends_the_match_with_late_end(self) -> None:
        table = self.made("end")
        answer(table, "ann", True)
        commands.pass_term(table, AT + TERM)
        assert (table.why, table.head.late) == ("late", 1)

    def test_seat_taken_over_by_a_bot_agrees(self) -> None:
        table = self.made()
        answer(table, "ann", True)
        table.seats[1].missed = MOST_MISSED - 1
        commands.pass_term(table, AT + TERM)
        assert table.why == "agreed"


@pytest.mark.parametrize("seed", range(8))
def test_wishes_replay_from_the_log(seed: int) -> None:
    """After every row, for any answers; and no table hangs while people answer."""
    table, chance = made(3, LARGER), Random(seed)
    for _ in range(24):
        person = chance.choice(PEOPLE[:3])
        if table.state == "over" or table.rounds > 1:
            break
        if chance.random() < 0.15:
            commands.leave(table, person, AT)
        else:
            with suppress(ProblemError):  # another player would play on
                answer(table, person, chance.choice([True, False, None]))
        again = replayed(table)
        assert (again.wish, again.asked, again.waited_for) == (table.wish, table.asked, table.waited_for)
    for person in PEOPLE[:3]:
        if table.state == "running" and table.rounds == 1:
            answer(table, person, False)
    for person in PEOPLE[:3]:
        if table.state == "running" and table.rounds == 1:
            answer(table, person)
    assert table.rounds == 2 or table.state == "over"


def older(table: Table, *answers: tuple[str, bool]) -> list[Row]:
    """Return the rows of an earlier release, in which a wish asked no player, after those of a table."""
    rows = list(table.fresh)
    for person, enough in answers:
        seat = next(seat for seat, sitter in enumerate(table.seats) if sitter.person == person)
        rows.append(Row(len(rows), "ready", seat, {"enough": True} if enough else {}, AT, person=person))
    return rows


class TestOlderLogs:
    def test_older_log_dealt_the_next_round(self) -> None:
        table = made()
        rows = older(table, ("ann", True), ("ben", False))
        answer(table, "ann")
        answer(table, "ben")
        again = load("t", ROOT, [*rows, *table.fresh[len(rows) :]], names=NAMES)
        assert (again.rounds, again.wish) == (2, False)
        events = again.history.events(None, 0) or []
        assert [event.text.id for event in events if event.kind == "ready"] == ["table.enough", "table.ready"]

    def test_older_log_asks_only_unready_players(self) -> None:
        table = load("t", ROOT, older(made(3, LARGER), ("ann", True), ("ben", False)), names=NAMES)
        assert (asked(table), table.asked) == ([2], AT)
        answer(table, "cyd")
        assert table.rounds == 2

    def test_wish_of_an_older_log_can_be_agreed_to(self) -> None:
        table = load("t", ROOT, older(made(), ("ann", True)), names=NAMES)
        answer(table, "ben", True)
        assert table.why == "agreed"
