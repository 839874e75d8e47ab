"""At every end of a match, the seats and the accounts that no seat owns sum to their beginning."""

from collections.abc import Callable, Mapping
from random import Random

import pytest
from msgspec import json

import mekuri
from mekuri import games
from mekuri.engine.options import differing
from mekuri.match.daily import DAY_MS
from mekuri.protocol import table as wire
from mekuri.protocol.coding import encode
from mekuri.table import commands
from mekuri.table.log import Row
from mekuri.table.rows import load
from mekuri.table.showing import record_of, show
from mekuri.table.table import Table
from tests.helpers.at_table import AT, act, bots_play, seated
from tests.helpers.folders import OLDER
from tests.helpers.tables import GAMES

LATER = AT + 30 * DAY_MS
PEOPLE = ("ann", "ben")
KEPT = [name for name in GAMES if games.find(name).has("accounts")]
OLD_ROOT = bytes([1]) * 32


def made(name: str, root: int, term: bool = False) -> Table:
    """Return a table for two people and bots, of three rounds, with as many seats as it can have up to seven.

    Tables take turns at the presets, as not every preset has an account.
    """
    contract = games.find(name)
    seats = max(number for number in contract.seats if number <= 7)
    preset = list(contract.presets)[root % len(contract.presets)]
    asked = wire.AskTable(
        game=name,
        options=differing(mekuri.game(name, preset).options),
        match_options={"rounds": "3"},
        seats=[*["person"] * len(PEOPLE), *["random"] * (seats - len(PEOPLE))],
        term=wire.AskTerm(days=1, late="end") if term else None,
    )
    return seated(asked, root=bytes([root]) * 32)


def play(table: Table, actions: int = 1 << 30) -> None:
    """Play until the round is over, or for so many actions of people."""
    chance = Random(actions)
    while table.state == "running" and not table.resting:
        if bots_play(table):
            continue
        if actions:
            asked = {seat: table.seats[seat].open_decision for seat in table.running.waiting if seat < len(PEOPLE)}
            seat = next(seat for seat, decision in asked.items() if decision and not decision.kept)
            act(table, seat, chance.choice(table.running.legal_for(seat)))
            actions -= 1
        else:
            return


def ready(table: Table, enough: bool = False) -> None:
    for person in PEOPLE:
        commands.ready(table, person, wire.AskReady(round=table.rounds, enough=enough), AT)


def one_round(name: str, term: bool = False) -> Table:
    """Return a table after one round, with something in an account that no seat owns."""
    for root in range(100):
        table = made(name, root, term)
        play(table)
        assert table.match
        if any(table.match.accounts.values()):
            return table
    raise AssertionError("never anything in the account")


def played(table: Table) -> None:
    while table.state != "over":
        ready(table)
        play(table)


def agreed(table: Table) -> None:
    ready(table, enough=True)


def everybody_leaves(table: Table) -> None:
    for person in PEOPLE:
        commands.leave(table, person, AT)


def amid_the_next(ends: Callable[[Table], None]) -> Callable[[Table], None]:
    def end(table: Table) -> None:
        ready(table)
        play(table, 1)
        ends(table)

    return end


def broken_off(table: Table) -> None:
    ready(table)
    play(table, 0)
    waits = commands.waiting(table)
    if not waits:  # both decide at once: one of them does
        play(table, 1)
    commands.break_off(table, table.asked, LATER)


def late(table: Table) -> None:
    for _ in range(20):  # in a window silence is an answer, and bots go on
        commands.pass_term(table, LATER)
        play(table, 0)


ENDS: dict[str, Callable[[Table], None]] = {
    "played": played,
    "agreed": agreed,
    "abandoned": amid_the_next(everybody_leaves),
    "stalled": broken_off,
    "late": amid_the_next(late),
    "closed": amid_the_next(lambda table: commands.close(table, AT)),
    "restored": amid_the_next(lambda table: commands.close_restored(table, AT)),
}


@pytest.mark.parametrize("name", KEPT)
def test_accounts_keep_their_sum_at_every_end(name: str, subtests: pytest.Subtests) -> None:
    rank = games.find(name).match.ranking
    for why, ends in ENDS.items():
        with subtests.test(why=why):
            table = one_round(name, term=why == "late")
            assert table.match
            began = table.match.game.contract.match.opening(table.match_options, table.game.seats, 0)
            ends(table)
            assert (table.state, table.why) == ("over", why)
            view = show(table, None).view
            assert view
            has = sum(rank(own)[0] if own else 0 for own in began)  # what a seat has of its own, without loans
            assert sum(rank(own)[0] for own in view.ledger) + sum(view.accounts.values()) == has
            again = load("t", table.root, table.fresh)
            assert encode(show(again, None).view) == encode(view)


def test_last_winner_gets_the_rest_of_the_pot(subtests: pytest.Subtests) -> None:
    """An event before the end shows it."""
    for why, ends in ENDS.items():
        if why == "played":
            continue  # then what is left is paid in the last round, which has a stake
        with subtests.test(why=why):
            table = one_round("tokotoko", term=why == "late")
            assert table.match
            left, before = table.match.accounts["odd"], [own["chips"] for own in table.match.ledger]
            assert left > 0
            assert sum(before) == -left
            ends(table)
            view, events = show(table, None).view, table.history.events(1, 0)
            assert view
            assert events
            paid, end = events[-2:]
            assert (paid.kind, paid.text.id, paid.text.args["n"], end.kind) == ("settle", "events.pay-left", left, "end")
            assert view.accounts == {"odd": 0}
            got = [own["chips"] - chips for own, chips in zip(view.ledger, before, strict=True)]
            assert got == [left if seat == paid.text.args["seat"] else 0 for seat in range(7)]
            first = next(seat for seat in order(table) if table.match.finished[0].returns[seat] > 0)
            assert paid.text.args["seat"] == first
            if table.head.winners:
                assert table.head.winners == [seat for seat, own in enumerate(view.ledger) if own == max(view.ledger, key=chips_of)]


def order(table: Table) -> list[int]:
    """The seats in the order of play of the first round, the dealer last."""
    assert table.match
    return [(table.match.finished[0].dealer + 1 + i) % table.game.seats for i in range(table.game.seats)]


def chips_of(own: Mapping[str, int]) -> int:
    return own["chips"]


def test_older_match_keeps_its_result() -> None:
    """It ended by agreement, when a chip left in the pot went to no seat, and two seats were first."""
    rows = json.decode((OLDER / "tokotoko-1-log.json").read_bytes(), type=list[Row])
    table = load("t", OLD_ROOT, rows)
    assert (table.why, table.head.winners) == ("agreed", [5, 6])
    view, events = show(table, 0).view, table.history.events(0, 0)
    assert view
    assert events
    assert (sum(own["chips"] for own in view.ledger), view.accounts) == (-1, {"odd": 1})
    assert "settle" not in {event.kind for event in events}
    running = load("t", OLD_ROOT, rows[:-2])
    commands.ready(running, "ann", wire.AskReady(round=2, enough=True), AT)
    assert (running.why, running.head.winners) == ("agreed", [5])
    assert record_of(running)
    assert mekuri.replay(record_of(running)).leading == (5,)
