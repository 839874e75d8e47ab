"""What people do at a table: they play, ask for the next round, say something, or let silence be their answer."""

from __future__ import annotations

from mekuri.cards import NotationError
from mekuri.protocol import table as wire
from mekuri.protocol.texts import sayings
from mekuri.table.coming import come_back, own_seat
from mekuri.table.course import go_on
from mekuri.table.errors import IllegalActionError, ProblemError
from mekuri.table.table import Table

_SAID = 99  # times that somebody says something at one table
_AT_ONCE, _BREATH_MS = 3, 15_000  # as many times in so long


def play(table: Table, person: str, asked: wire.AskAction, at: int) -> wire.Answer:
    """Do something on the table. The same action for the same decision gets the same answer, however often it is sent."""
    seat = own_seat(table, person)
    if asked.version > table.version(seat):
        raise ProblemError("ahead")
    action = _action(table, asked.action)
    decision = next((decision for decision in reversed(table.seats[seat].decisions) if decision.covers(asked.version)), None)
    if decision and decision.action is not None:
        if decision.action != action:
            raise ProblemError("decided-otherwise")
        return wire.Answer(table=table.id, action=action, version=decision.settled)
    if decision is None and asked.version < table.version(seat):
        raise ProblemError("stale")
    need_legal(table, seat, action)
    if action == table.unspoken:
        raise ProblemError("silence")
    assert decision, "whoever may act has been asked"
    come_back(table, person, at)
    act(table, seat, action, at, person)
    return wire.Answer(table=table.id, action=action, version=decision.settled)


def _action(table: Table, told: str) -> str:
    """An action as it is written in the log."""
    if not table.match:
        raise ProblemError("not-running")
    try:
        return table.match.round.action_text(table.match.round.parse_action(told))
    except NotationError as error:
        raise ProblemError("action", reason=str(error)) from None


def need_legal(table: Table, seat: int, action: str) -> None:
    """Raises Illegal where the rules forbid what a seat would do."""
    refusal = table.running.refusal(action, seat)
    if refusal:
        raise IllegalActionError(*refusal, table.game.rulebook)


def act(table: Table, seat: int, action: str, at: int, person: str | None = None) -> None:
    """Do what a seat may do, and what follows by itself."""
    table.add("play", {"action": action}, at, seat, decision=len(table.seats[seat].decisions) - 1, person=person)
    go_on(table, at)


def silent(table: Table) -> list[int]:
    """The seats of people whose silence will count as an answer."""
    round = table.round if table.state == "running" and table.closes is not None else None
    return [seat for seat in round.waiting if table.seats[seat].bot is None] if round else []


def close_window(table: Table, at: int) -> None:
    """Let silence be the answer of the people who have said nothing in time."""
    for seat in silent(table):
        # An answer may have closed the window, opened another, or ended the match.
        if seat in silent(table) and table.closes is not None and at >= table.closes:
            word = table.running.silence
            assert word, "a window has a word for silence"
            act(table, seat, word, at)


def ready(table: Table, person: str, asked: wire.AskReady, at: int) -> None:
    """Ask for the next round, or for none. To ask again changes nothing."""
    seat = own_seat(table, person)
    if asked.round < table.rounds or (table.state == "over" and asked.round == table.rounds):
        return
    if table.state != "running" or asked.round > table.rounds:
        raise ProblemError("ahead" if table.state == "running" else "not-running")
    if not table.resting:
        raise ProblemError("round-running")
    come_back(table, person, at)
    if not table.seats[seat].ready:
        table.add("ready", {"enough": True} if asked.enough else {}, at, seat, person=person)
        go_on(table, at)


def say(table: Table, person: str, asked: wire.AskSay, at: int) -> None:
    """Say something across the table, of what can be said. What has been heard already is not said again."""
    seat = own_seat(table, person)
    sitter = table.seats[seat]
    if sitter.left:
        raise ProblemError("not-seated")
    if asked.said not in sayings():
        raise ProblemError("no-such-phrase")
    if asked.version > table.version(seat):
        raise ProblemError("ahead")
    if asked.version < sitter.heard:
        return
    times = table.said.get(person, ())
    if len(times) >= _SAID:
        raise ProblemError("said-all")
    wait = times[-_AT_ONCE] + _BREATH_MS - at if len(times) >= _AT_ONCE else 0
    if wait > 0:
        raise ProblemError("said-much", seconds=-(-wait // 1000))
    table.add("say", {"said": asked.said}, at, seat, person=person)
