"""Windows in which silence alone is a pass, and the order in which bots speak at the same moment."""

import pytest

from mekuri.protocol import table as wire
from mekuri.table import commands
from mekuri.table.refused import Refused
from mekuri.table.table import Table
from tests.helpers.server.stores import ROOT

AT = 1000
PEOPLE = ("ann", "ben", "cyd", "dan")


def begun(seats: list[str], dealer: int, options: dict[str, str]) -> Table:
    """A table of Tenshu at which "Notta!" may be called at once."""
    asked = wire.AskTable(game="tenshu", seats=seats, options={"onifuda_on_field": "any-card", **options})
    table = commands.make("t", ROOT, asked, "ann", AT, after={"first_dealer": dealer, "kept_for": [None] * 4, "kept_until": 0})
    for person, _ in zip(PEOPLE, [kind for kind in seats if kind == "person"], strict=False):
        commands.sit(table, person, person, wire.AskSeat(), AT)
    assert table.running.silence == "pass"
    return table


def offered(table: Table, seat: int) -> list[str]:
    view = table.whole(seat, []).view
    assert view
    return [legal.action for legal in view.legal]


def say(table: Table, seat: int, word: str, at: int) -> wire.Answer:
    return commands.play(table, PEOPLE[seat], wire.AskAction(version=table.version(seat), action=word), at)


class TestSilence:
    def test_nobody_says_it(self) -> None:
        table = begun(["person"] * 4, 0, {"notta_pass": "silence"})
        assert [offered(table, seat) for seat in range(4)] == [[], ["notta"], ["notta"], ["notta"]]
        before = (table.whole(1, []), len(table.fresh))
        with pytest.raises(Refused, match="Nobody says that here") as refused:
            say(table, 1, "pass", AT)
        assert refused.value.problem.error == "silence"
        assert (table.whole(1, []), len(table.fresh)) == before

    def test_whoever_is_silent_may_call_to_the_end(self) -> None:
        table = begun(["person"] * 4, 0, {"notta_pass": "silence"})
        assert table.closes == AT + 8000
        assert say(table, 3, "notta", AT + 7999).action == "notta"
        assert offered(table, 3) == ["left", "right"]

    def test_all_have_passed_when_the_time_is_over(self) -> None:
        table = begun(["person"] * 4, 0, {"notta_pass": "silence"})
        commands.close_window(table, AT + 8000)
        assert [offered(table, seat) for seat in range(4)] == [["left", "right"]] * 4
        assert [row.body["action"] for row in table.fresh if row.decision is not None] == ["pass"] * 3

    def test_a_pass_that_is_said_is_final(self) -> None:
        table = begun(["person"] * 4, 0, {})
        assert offered(table, 1) == ["notta", "pass"]
        say(table, 1, "pass", AT)
        assert offered(table, 1) == []


@pytest.mark.parametrize("dealer", range(4))
def test_bots_speak_in_turn_order_from_the_dealers_right(dealer: int) -> None:
    table = begun(["person" if seat == dealer else "random" for seat in range(4)], dealer, {})
    spoken = []
    while table.running.silence:
        turn = commands.bot_turn(table, AT)
        assert turn
        spoken.append(turn.seat)
        commands.bot_answer(table, AT, turn, table.running.parse_action("pass"))
    assert spoken == [(dealer + 1) % 4, (dealer + 2) % 4, (dealer + 3) % 4]
