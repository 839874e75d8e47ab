"""Sayings across a table: which are possible, how often, from a seat, and once per request."""

from typing import Any

from mekuri.protocol import table as wire
from mekuri.protocol.texts import all_texts, sayings
from mekuri.table import commands
from mekuri.table.rows import load, load_stopped
from mekuri.table.table import Table
from tests.helpers.at_table import ROOT, refused
from tests.helpers.tables import USUAL

ANN, BEN = "ann", "ben"


def made(*people: str) -> Table:
    table = commands.make("t", ROOT, wire.AskTable(game=USUAL, seats=["person", "person"]), ANN, 0)
    table.history.watched = {None, 0, 1}
    for person in people:
        commands.sit(table, person, person, wire.AskSeat(), 0)
    return table


def say(table: Table, person: str = ANN, said: str = "stamps.wow", at: int = 0, version: int | None = None) -> None:
    seat = commands.seat_of(table, person)
    commands.say(table, person, wire.AskSay(said=said, version=table.version(seat) if version is None else version), at)


def heard(table: Table) -> list[tuple[Any, ...]]:
    """Return the sayings that spectators get, with their speakers."""
    return [
        (event.seat, event.text.args["name"], event.text.args["said"].id)
        for viewer, event in table.history.pending
        if viewer is None and event.kind == "say"
    ]


def refusal(table: Table, **asked: Any) -> str:
    return refused(table, lambda: say(table, **asked))


def test_saying_reaches_everyone_and_is_replayed() -> None:
    for people in ((ANN,), (ANN, BEN)):
        table = made(*people)
        say(table, said="phrases.hello")
        assert heard(table) == [(0, ANN, "phrases.hello")]
        again = load("t", ROOT, table.fresh, names={ANN: ANN, BEN: BEN})
        assert again.people.said == table.people.said == {ANN: [0]}


def test_unknown_saying_is_refused() -> None:
    table = made(ANN, BEN)
    assert len(all_texts()["stamps"]) == len(all_texts()["stamp-signs"]) == 6
    for said in ("", "wow", "stamps.nothing", "errors.busy", "stamps.wow ", "<b>hello</b>", "stamp-signs.wow"):
        assert said not in sayings()
        assert refusal(table, said=said) == "no-such-phrase"


def test_saying_needs_a_seat() -> None:
    table = made(ANN, BEN)
    assert refusal(table, person="carl") == "not-seated"
    commands.leave(table, BEN, 0)
    assert refusal(table, person=BEN) == "not-seated"
    say(table)


def test_repeated_saying_counts_once() -> None:
    table = made(ANN, BEN)
    version = table.version(0)
    for _ in range(5):
        say(table, version=version)
    say(table, version=0)
    assert len(heard(table)) == 1
    say(table)
    assert len(heard(table)) == 2
    assert refusal(table, version=table.version(0) + 1) == "ahead"


def test_sayings_are_limited() -> None:
    table = made(ANN, BEN)
    for at in (0, 1000, 2000):
        say(table, at=at)
    assert refusal(table, at=14_999) == "said-much"
    say(table, person=BEN, at=14_999)
    say(table, at=15_000)
    for n in range(95):
        say(table, at=100_000 * (n + 1))
    assert refusal(table, at=1 << 40) == "said-all"
    assert len([row for row in table.fresh if row.kind == "say" and row.person == ANN]) == 99


def test_leaving_does_not_reset_the_limit() -> None:
    table = made(ANN)
    for _ in range(3):
        say(table)
        commands.leave(table, ANN, 0)
        commands.sit(table, ANN, ANN, wire.AskSeat(), 0)
    assert refusal(table) == "said-much"


def test_saying_does_not_invalidate_a_move() -> None:
    """The player to move is still asked."""
    table = made(ANN, BEN)
    seat = table.running.waiting[0]
    version, action = table.version(seat), table.running.legal_for(seat)[0]
    say(table, person=(ANN, BEN)[1 - seat])
    answer = commands.play(table, (ANN, BEN)[seat], wire.AskAction(version=version, action=action), 0)
    assert answer.action == action


def test_sayings_are_possible_after_the_match() -> None:
    table = made(ANN, BEN)
    commands.close(table, 0)
    say(table, said="phrases.bye")
    assert load("t", ROOT, table.fresh).state == "over"
    assert load_stopped("t", ROOT, table.fresh).state == "over"
