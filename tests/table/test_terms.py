"""Tables that are played turn by turn: until when people owe something, what happens after that, and what stays hidden."""

from random import Random

import pytest

from mekuri import games
from mekuri.match.daily import DAY_MS
from mekuri.protocol import table as wire
from mekuri.table import commands
from mekuri.table.errors import ProblemError
from mekuri.table.rows import add, load_stopped
from mekuri.table.showing import owed_by, record_of, show
from mekuri.table.stalling import MOST_MISSED
from mekuri.table.table import Table
from tests.helpers.at_table import AT, PEOPLE, ROOT, act, bots_play, refused, replayed, seated, shown
from tests.helpers.tables import USUAL, each_game

TERM = 3 * DAY_MS
LEAPS = (100 * DAY_MS, -400 * DAY_MS)


def made(name: str = USUAL, seats: list[str] | None = None, late: wire.Late = "bot") -> Table:
    """Return a table with people in all their seats, with three days a move."""
    least = games.find(name).seats[0]
    asked = wire.AskTable(game=name, seats=seats or ["person"] * least, term=wire.AskTerm(days=3, late=late))
    return seated(asked, window=8000, pace=320)


def shouting(seats: list[str] | None = None, late: wire.Late = "bot", term: int | None = 3, **options: str) -> Table:
    """Return a table of Tenshu at which all but the dealer, in the last seat, may call "Notta!" at once."""
    asked = wire.AskTable(
        game="tenshu",
        seats=seats or ["person"] * 4,
        options={"onifuda_on_field": "any-card", **options},
        first_dealer=3,
        term=wire.AskTerm(days=term, late=late) if term else None,
    )
    table = seated(asked)
    assert table.running.silence == "pass"
    return table


class TestMaking:
    def test_term_is_shown_and_logged(self) -> None:
        table = made(late="end")
        assert show(table, None).term == wire.Term(days=3, late="end")
        assert table.fresh[0].body["term"] == {"days": 3, "late": "end", "club": False}

    def test_table_without_a_term_logs_none(self) -> None:
        table = commands.make("t", ROOT, wire.AskTable(game=USUAL), "ann", AT)
        assert "term" not in table.fresh[0].body
        assert (show(table, None).term, commands.due_at(table)) == (None, None)

    @pytest.mark.parametrize("seats", [None, ["person", "random"]])
    def test_term_needs_two_people(self, seats: list[str] | None) -> None:
        with pytest.raises(ProblemError, match="at least two seats") as refusal:
            commands.make("t", ROOT, wire.AskTable(game=USUAL, seats=seats, term=wire.AskTerm(days=1)), "ann", AT)
        assert refusal.value.problem.error == "term-alone"

    def test_rematch_keeps_the_term(self) -> None:
        table = made(late="end")
        commands.abandon(table, AT)
        commands.rematch(table, "ann", AT, "u", ROOT, 90_000)
        assert table.founded
        assert table.founded.term == table.term
        assert table.founded.kept_until == AT + TERM, "nobody comes back within seconds here"


class TestOwing:
    def test_seat_to_move_has_the_whole_term(self) -> None:
        table = made()
        (seat,) = table.running.waiting
        assert (table.owing, commands.due_at(table)) == ([seat], AT + TERM)
        assert show(table, seat).owed == wire.Owed(what="action", until=AT + TERM)
        assert show(table, 1 - seat).owed is None
        for viewer in (0, 1, None):
            view = show(table, viewer).view
            assert view
            assert view.due == AT + TERM

    def test_next_decision_has_its_own_term(self) -> None:
        table = made()
        (seat,) = table.running.waiting
        act(table, seat, None, AT + 500)
        assert commands.due_at(table) == AT + 500 + TERM

    def test_saying_does_not_extend_the_term(self) -> None:
        table = made()
        commands.say(table, "ann", wire.AskSay(version=table.version(0), said="stamps.tea"), AT + 500)
        assert commands.due_at(table) == AT + TERM

    def test_confirming_the_next_round_is_owed(self) -> None:
        table, at = made(), AT
        while not table.resting:
            seat = table.running.waiting[0]
            at += 10
            act(table, seat, None, at)
        assert table.owing == [0, 1]
        assert show(table, 1).owed == wire.Owed(what="ready", until=at + TERM)
        commands.ready(table, "ann", wire.AskReady(round=1), at + 70)
        assert (table.owing, commands.due_at(table)) == ([1], at + TERM)
        commands.pass_term(table, at + TERM)
        assert table.rounds == 2

    def test_finished_match_owes_nothing(self) -> None:
        table = made()
        commands.abandon(table, AT)
        view = show(table, 0).view
        assert view
        assert (table.owing, commands.due_at(table), view.due) == ([], None, None)


class TestBotPlaysTheTurn:
    def test_bot_does_not_play_before_the_deadline(self) -> None:
        table = made()
        rows = len(table.fresh)
        commands.pass_term(table, AT + TERM - 1)
        assert len(table.fresh) == rows

    def test_bot_plays_one_late_turn(self) -> None:
        table = made()
        (seat,) = table.running.waiting
        commands.pass_term(table, AT + TERM)
        assert show(table, None).head.seats[seat].bot is None, "nobody holds the seat"
        assert set(bots_play(table, AT + TERM)) == {seat}
        assert table.running.waiting == (1 - seat,)
        assert (table.seats[seat].bot, table.seats[seat].missed) == (None, 1)
        assert [event.text.id for event in table.history.events(None, 0) or () if event.kind == "late"] == ["table.late-bot"]
        act(table, 1 - seat, None, AT + TERM + 5)
        while seat not in table.running.waiting:
            act(table, 1 - seat, None, AT + TERM + 6)
        assert table.owing == [seat], "the person decides the next"
        act(table, seat, None, AT + TERM + 7)
        assert table.seats[seat].missed == 0

    def test_late_player_can_act_before_the_bot(self) -> None:
        table = made()
        (seat,) = table.running.waiting
        commands.pass_term(table, AT + TERM)
        turn = commands.bot_turn(table, AT + TERM)
        assert turn
        act(table, seat, None, AT + TERM)
        rows = len(table.fresh)
        commands.bot_answer(table, AT + TERM, turn, commands.think(turn))
        assert len(table.fresh) == rows, "the bot has come too late"

    def test_bot_holds_the_seat_after_three_late_turns(self) -> None:
        table, at = made(), AT
        (seat,) = table.running.waiting
        for missed in range(1, MOST_MISSED + 1):
            while seat not in table.owing:
                other = table.owing[0]
                act(table, other, None, at)
            at += TERM
            commands.pass_term(table, at)
            held = missed == MOST_MISSED
            assert bool(show(table, None).head.seats[seat].bot) == held
            bots_play(table, at)
        assert table.seats[seat].bot
        commands.come_back(table, PEOPLE[seat], at + 5)
        assert (table.seats[seat].bot, table.seats[seat].missed) == (None, 0)
        if seat in table.owing:
            assert commands.due_at(table) == at + 5 + TERM, "whoever comes back has time"

    def test_match_ends_when_every_player_is_absent(self) -> None:
        table, at = made(), AT
        while table.state == "running":
            at += TERM
            commands.pass_term(table, at)
            bots_play(table, at)
        assert table.why == "abandoned"
        assert at <= AT + 2 * MOST_MISSED * TERM


class TestLateMatchEnds:
    def test_late_end_names_the_player(self) -> None:
        table = made(late="end")
        (seat,) = table.running.waiting
        commands.pass_term(table, AT + TERM)
        assert (table.state, table.why) == ("over", "late")
        head = show(table, None).head
        assert (head.late, head.winners, head.why) == (seat, None, "late")
        last = (table.history.events(None, 0) or [])[-1]
        assert (last.text.id, last.text.args) == ("table.end-late", {"name": PEOPLE[seat]})
        assert record_of(table)

    def test_unconfirmed_next_round_ends_the_match(self) -> None:
        table = made(late="end")
        while not table.resting:
            seat = table.running.waiting[0]
            act(table, seat, None, AT)
        commands.ready(table, "ann", wire.AskReady(round=1), AT)
        commands.pass_term(table, AT + TERM)
        assert (table.why, table.head.late) == ("late", 1)

    def test_silence_in_a_window_does_not_end_the_match(self) -> None:
        table = shouting(late="end")
        commands.pass_term(table, AT + TERM)
        assert table.state == "running"
        assert [row.body["action"] for row in table.fresh if row.decision is not None] == ["pass"] * 3


class TestWindows:
    def test_window_stays_open_until_all_have_answered(self) -> None:
        table = shouting()
        assert table.closes == AT + TERM
        commands.close_window(table, AT + 8_000)
        assert act(table, 2, "notta", AT + 9_000).action == "notta"
        act(table, 0, "pass", AT + 9_001)
        assert not any(row.decision is not None for row in table.fresh)
        act(table, 1, "pass", AT + 9_002)
        assert [(row.seat, row.body["action"]) for row in table.fresh if row.decision is not None] == [
            (0, "pass"),
            (1, "pass"),
            (2, "notta"),
        ]

    def test_turn_order_decides_between_answers(self) -> None:
        table = shouting()
        act(table, 2, "notta", AT + 1)
        act(table, 1, "notta", AT + 2)
        act(table, 0, "pass", AT + 3)
        played = [(row.seat, row.body["action"]) for row in table.fresh if row.decision is not None]
        assert played == [(0, "pass"), (1, "notta")]

    def test_window_answer_is_final(self) -> None:
        table = shouting()
        answer = act(table, 2, "notta", AT + 1)
        assert act(table, 2, "notta", AT + 2) == answer, "sent again, it is answered again"
        assert refused(table, lambda: act(table, 2, "pass", AT + 3)) == "decided-otherwise"

    def test_player_sees_the_own_answer(self) -> None:
        table = shouting()
        act(table, 2, "notta", AT + 1)
        whole = show(table, 2)
        assert whole.view
        assert (whole.answer, whole.owed, whole.view.legal, whole.view.waiting) == ("notta", None, (), (0, 1))
        assert [event.kind for event in table.history.events(2, 0) or ()][-1] == "answer"

    def test_silent_pass_can_be_submitted_with_a_term(self) -> None:
        table = shouting(notta_pass="silence")
        for seat in range(3):
            assert act(table, seat, "pass", AT + 1).action == "pass"
        assert table.closes is None

    def test_bots_answer_when_people_have(self) -> None:
        table = shouting(["person", "random", "person", "person"])
        act(table, 2, "notta", AT + 1)
        assert commands.bot_due(table, AT + TERM) is None
        act(table, 0, "pass", AT + 2)
        assert commands.bot_due(table, AT + 3) == 1
        turn = commands.bot_turn(table, AT + 3)
        assert turn
        commands.bot_answer(table, AT + 3, turn, table.running.parse_action("pass"))
        played = [(row.seat, row.body["action"]) for row in table.fresh if row.decision is not None]
        assert played == [(0, "pass"), (1, "pass"), (2, "notta")]

    def test_answers_of_others_are_hidden(self) -> None:
        """Two tables that differ only in a seat's answer, or in whether it has answered, look the same to all others."""
        views = []
        for answers in ([], [(1, "pass")], [(1, "notta")], [(1, "notta"), (2, "notta")]):
            table = shouting()
            for seat, action in answers:
                act(table, seat, action, AT + 5 + seat)
            views.append([shown(table, viewer) for viewer in (0, 3, None)])
        assert all(other == views[0] for other in views)


@pytest.mark.parametrize("by", LEAPS)
class TestClockLeap:
    """And its new time was confirmed."""

    def test_clock_leap_moves_the_term(self, by: int) -> None:
        table = made()
        (seat,) = table.running.waiting
        asked, missed = len(table.seats[seat].decisions), table.seats[seat].missed
        add(table, "clock", {"by": by}, AT + by + 10)
        (owed, view) = (owed_by(table, seat), show(table, seat).view)
        assert owed
        assert view
        assert (owed.until, view.due, commands.due_at(table)) == (AT + TERM + by,) * 3
        assert (len(table.seats[seat].decisions), table.seats[seat].missed) == (asked, missed)
        commands.pass_term(table, AT + TERM + by - 1)
        assert table.owing == [seat]
        commands.pass_term(table, AT + TERM + by)
        assert table.owing == []

    def test_clock_leap_moves_a_window(self, by: int) -> None:
        """With people present, and with a window open for days."""
        slow = shouting()
        assert slow.closes == AT + TERM
        add(slow, "clock", {"by": by}, AT + by)
        assert slow.closes == AT + TERM + by
        quick = shouting(term=None)
        assert quick.closes
        closes = quick.closes
        add(quick, "clock", {"by": by}, AT + by)
        commands.close_window(quick, closes + by - 1)
        assert quick.closes == closes + by
        commands.close_window(quick, closes + by)
        assert quick.closes is None

    def test_clock_leap_moves_reserved_seats(self, by: int) -> None:
        table = made()
        commands.leave(table, "ben", AT)
        commands.leave(table, "ann", AT)
        commands.rematch(table, "ann", AT, "again", ROOT, 1_000)
        assert table.founded
        kept = table.founded.kept_until
        add(table.founded, "clock", {"by": by}, AT + by)
        assert table.founded.kept_until == kept + by

    def test_clock_leap_does_not_change_a_void_table(self, by: int) -> None:
        asked = wire.AskTable(game=USUAL, seats=["person"] * games.find(USUAL).seats[0])
        table = commands.make("t", ROOT, asked, "ann", AT)
        add(table, "clock", {"by": by}, AT + by)
        stopped = load_stopped("t", ROOT, table.fresh)
        assert (stopped.why, stopped.rounds, stopped.fresh[0].at) == ("void", 0, AT + by)


@pytest.mark.in_turn(2)
@each_game
def test_hidden_actions_do_not_change_the_term(name: str) -> None:
    """While some act unseen, the others are shown the same, until when they may take included."""
    one, other, at = made(name), made(name), AT
    for _ in range(60):
        if one.resting or one.state == "over":
            break
        at += 10
        seat = one.running.waiting[-1]
        action = one.running.legal_for(seat)[0]
        unseen = one.running.unseen(action, seat)
        act(one, seat, action, at)
        if unseen:
            others = [viewer for viewer in (*range(len(one.seats)), None) if viewer != seat]
            assert [shown(one, viewer) for viewer in others] == [shown(other, viewer) for viewer in others]
        act(other, seat, action, at)


@pytest.mark.in_turn(3)
@each_game
@pytest.mark.parametrize("seed", range(3))
def test_terms_replay_from_the_log(name: str, seed: int) -> None:
    """Any player may act or let the time pass."""
    chance, table, at = Random(seed), made(name), AT
    for _ in range(120):
        bots_play(table, at)
        if table.state != "running":
            break
        seat = chance.choice(table.owing)
        if chance.random() < 0.05:
            by = chance.choice(LEAPS)
            at += by
            add(table, "clock", {"by": by}, at)
        if chance.random() < 0.2:
            at += TERM
            commands.pass_term(table, at)
        elif table.resting:
            commands.ready(table, PEOPLE[seat], wire.AskReady(round=table.rounds), at)
        else:
            act(table, seat, chance.choice(table.running.legal_for(seat)), at)
        at += chance.randrange(DAY_MS // 10)
    again = replayed(table)
    assert (again.owing, again.due, again.closes) == (table.owing, table.due, table.closes)
    assert [(s.bot, s.passed, s.missed) for s in again.seats] == [(s.bot, s.passed, s.missed) for s in table.seats]
