"""Windows in which silence alone is a pass, and the order in which bots speak at the same moment."""

import pytest
from msgspec import structs

from mekuri.protocol import table as wire
from mekuri.table import commands
from mekuri.table.errors import ProblemError
from mekuri.table.events import EventReader
from mekuri.table.rows import load
from mekuri.table.showing import show
from mekuri.table.table import Table
from tests.helpers.at_table import AT, ROOT, act, seated


def begun(seats: list[str], dealer: int, options: dict[str, str], pace: int = 0) -> Table:
    """A table of Tenshu at which "Notta!" may be called at once."""
    asked = wire.AskTable(game="tenshu", seats=seats, options={"onifuda_on_field": "any-card", **options})
    after = {"first_dealer": dealer, "kept_for": [None] * 4, "kept_until": 0}
    table = seated(asked, after=after, pace=pace)
    assert table.running.silence == "pass"
    return table


def offered(table: Table, seat: int) -> list[str]:
    view = show(table, seat).view
    assert view
    return [legal.action for legal in view.legal]


class TestSilence:
    def test_silent_pass_cannot_be_submitted(self) -> None:
        table = begun(["person"] * 4, 0, {"notta_pass": "silence"})
        assert [offered(table, seat) for seat in range(4)] == [[], ["notta"], ["notta"], ["notta"]]
        before = (show(table, 1), len(table.fresh))
        with pytest.raises(ProblemError, match="You cannot say that here") as refused:
            act(table, 1, "pass", AT)
        assert refused.value.problem.error == "silence"
        assert (show(table, 1), len(table.fresh)) == before

    def test_silent_player_can_call_until_the_window_closes(self) -> None:
        table = begun(["person"] * 4, 0, {"notta_pass": "silence"})
        assert table.closes == AT + 8000
        assert act(table, 3, "notta", AT + 7999).action == "notta"
        assert offered(table, 3) == ["left", "right"]

    def test_closed_window_records_passes(self) -> None:
        table = begun(["person"] * 4, 0, {"notta_pass": "silence"})
        commands.close_window(table, AT + 8000)
        assert [offered(table, seat) for seat in range(4)] == [["left", "right"]] * 4
        assert [row.body["action"] for row in table.fresh if row.decision is not None] == ["pass"] * 3

    def test_submitted_pass_is_final(self) -> None:
        table = begun(["person"] * 4, 0, {})
        assert offered(table, 1) == ["notta", "pass"]
        act(table, 1, "pass", AT)
        assert offered(table, 1) == []


class TestPace:
    """The time of a window begins for everyone after the events before it are shown; the log determines how long that takes."""

    def test_window_starts_after_the_deal_is_shown(self) -> None:
        table = begun(["person"] * 4, 0, {}, pace=320)
        closes = AT + 320 + 49 * 20 + 8000  # one thing that happens, and 49 cards that are dealt
        assert table.closes == closes
        assert [seen.closes for seat in (*range(4), None) if (seen := show(table, seat).view)] == [closes] * 5
        act(table, 1, "pass", AT + 5000)
        assert table.closes == closes, "it has begun, and nothing puts it off"

    def test_closing_time_replays_from_the_log(self) -> None:
        table = begun(["person"] * 4, 0, {}, pace=320)
        act(table, 1, "pass", AT + 100)
        again = load("t", ROOT, table.fresh, names=table.names)
        assert (again.closes, again.history.events(2, 0)) == (table.closes, table.history.events(2, 0))

    def test_log_without_pace_has_no_delay(self) -> None:
        table = begun(["person"] * 4, 0, {}, pace=320)
        (made, *rows) = table.fresh
        older = load("t", ROOT, [structs.replace(made, body={**made.body, "pace": 0}), *rows])
        assert "pace" not in begun(["person"] * 4, 0, {}).fresh[0].body
        assert older.closes == AT + 8000

    def test_delay_is_limited_to_a_few_events(self) -> None:
        """For any number of simultaneous events."""
        table = begun(["person"] * 4, 0, {}, pace=320)
        reader = EventReader(table.history.source, table.history.chapters[1:])
        while reader.behind:
            reader.next([])
        reader._shown = AT + 60_000
        reader.closes = None
        act(table, 1, "notta", AT)
        reader.next([])
        assert reader._shown == AT + 25 * 320

    def test_rematch_keeps_the_pace(self) -> None:
        table = begun(["person"] * 4, 0, {}, pace=320)
        commands.abandon(table, AT)
        commands.rematch(table, "ann", AT, "u", ROOT, 0)
        assert table.founded
        assert table.founded.history.source.pace == 320


@pytest.mark.parametrize("dealer", range(4))
def test_bots_answer_in_turn_order_after_the_dealer(dealer: int) -> None:
    table = begun(["person" if seat == dealer else "random" for seat in range(4)], dealer, {})
    spoken = []
    while table.running.silence:
        turn = commands.bot_turn(table, AT)
        assert turn
        spoken.append(turn.seat)
        commands.bot_answer(table, AT, turn, table.running.parse_action("pass"))
    assert spoken == [(dealer + 1) % 4, (dealer + 2) % 4, (dealer + 3) % 4]
