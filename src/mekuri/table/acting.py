"""Commands of people who sit at a table: play an action, ask for the next round, say a phrase, let a window close."""

from __future__ import annotations

from mekuri.cards import NotationError
from mekuri.protocol import table as wire
from mekuri.protocol.texts import sayings
from mekuri.table.coming import come_back, own_seat
from mekuri.table.course import go_on
from mekuri.table.errors import IllegalActionError, ProblemError
from mekuri.table.table import Table

_SAID = 99  # phrases that one person may say at one table
_AT_ONCE, _BREATH_MS = 3, 15_000  # a person may say at most _AT_ONCE phrases within _BREATH_MS milliseconds


def play(table: Table, person: str, asked: wire.AskAction, at: int) -> wire.Answer:
    """Play an action for a person's seat. The same action sent again for the same decision gets the same answer.

    Args:
        table: the table.
        person: the id of the person who sent the action.
        asked: the action, and the version of the view that it answers.
        at: the time, in milliseconds since 1970.

    Returns:
        The action in notation, and the seat's version after it and after all that followed at once.

    Raises:
        ProblemError: the person has no seat, the version is not one at which this decision was open, another action has been
            played for it, the text is no action, or the action may only be made by silence.
        IllegalActionError: the rules forbid the action.
    """
    seat = own_seat(table, person)
    if asked.version > table.version(seat):
        raise ProblemError("ahead")
    action = _action(table, asked.action)
    decision = next((decision for decision in reversed(table.seats[seat].decisions) if decision.covers(asked.version)), None)
    given = decision and (decision.action or decision.kept)
    if decision and given:
        if given != action:
            raise ProblemError("decided-otherwise")
        return wire.Answer(table=table.id, action=action, version=decision.settled)
    if decision is None and asked.version < table.version(seat):
        raise ProblemError("stale")
    need_legal(table, seat, action)
    if action == table.unspoken:
        raise ProblemError("silence")
    assert decision, "whoever may act has been asked"
    come_back(table, person, at)
    if table.term and table.closes is not None:
        table.add("answer", {"action": action}, at, seat, person=person)
        settled = decision.settled
        go_on(table, at)
        return wire.Answer(table=table.id, action=action, version=max(settled, decision.settled))
    act(table, seat, action, at, person)
    return wire.Answer(table=table.id, action=action, version=decision.settled)


def _action(table: Table, told: str) -> str:
    """Return an action in the notation of the log. Raises ProblemError where no match is being played or it is no action."""
    if not table.match:
        raise ProblemError("not-running")
    try:
        return table.match.round.action_text(table.match.round.parse_action(told))
    except NotationError as error:
        raise ProblemError("action", reason=str(error)) from None


def need_legal(table: Table, seat: int, action: str) -> None:
    """Raise IllegalActionError where the rules forbid an action, in notation, to a seat."""
    refusal = table.running.refusal(action, seat)
    if refusal:
        raise IllegalActionError(*refusal, table.game.rulebook)


def act(table: Table, seat: int, action: str, at: int, person: str | None = None) -> None:
    """Play a legal action for a seat, and do all that follows from it without a further decision.

    Args:
        table: the table.
        seat: the seat that plays; it must have an open decision.
        action: the action in notation. It is not checked here: see `need_legal`.
        at: the time, in milliseconds since 1970.
        person: the id of the person who plays; None for a bot, and where a window has closed.
    """
    table.add("play", {"action": action}, at, seat, decision=len(table.seats[seat].decisions) - 1, person=person)
    go_on(table, at)


def silent(table: Table) -> list[int]:
    """Return the seats played by people who have not answered in the open window; empty where no window is open."""
    round = table.round if table.state == "running" and table.closes is not None else None
    return [seat for seat in round.waiting if table.seats[seat].owes] if round else []


def close_window(table: Table, at: int) -> None:
    """Play the action that silence means for every seat of a person who has not answered before the window closed.

    Args:
        table: the table.
        at: the time, in milliseconds since 1970. Before the window closes nothing is done.
    """
    for seat in silent(table):
        # An answer may have closed the window, opened another, or ended the match.
        if seat in silent(table) and table.closes is not None and at >= table.closes:
            word = table.running.silence
            assert word, "a window has a word for silence"
            act(table, seat, word, at)


def ready(table: Table, person: str, asked: wire.AskReady, at: int) -> None:
    """Note that a person is ready for the next round, or wants the finished one to be the last. Asking again changes nothing.

    While somebody wants it to be the last, everybody else is asked, and no round begins before they have answered.

    Args:
        table: the table.
        person: the person's id.
        asked: the finished round's number, and whether it should be the last.
        at: the time, in milliseconds since 1970.

    Raises:
        ProblemError: the person has no seat, no match is being played, the round has not begun or is not over, or another player
            has answered such a wish after this round that they would play on.
    """
    seat = own_seat(table, person)
    if asked.round < table.rounds or (table.state == "over" and asked.round == table.rounds):
        return
    if table.state != "running" or asked.round > table.rounds:
        raise ProblemError("ahead" if table.state == "running" else "not-running")
    if not table.resting:
        raise ProblemError("round-running")
    sitter = table.seats[seat]
    if (
        asked.enough
        and not table.wish
        and any(other.plays_on and other.bot is None for other in table.seats if other is not sitter)
    ):
        raise ProblemError("plays-on")
    come_back(table, person, at)
    if asked.enough or (table.wish and asked.enough is not None):
        if not (asked.enough and sitter.enough):
            table.add("wish", {"stop": asked.enough}, at, seat, person=person)
            go_on(table, at)
    elif not sitter.ready:
        table.add("ready", {}, at, seat, person=person)
        go_on(table, at)


def say(table: Table, person: str, asked: wire.AskSay, at: int) -> None:
    """Say one of the catalogue's stamps or phrases to the whole table. The same request sent again says it once.

    Args:
        table: the table.
        person: the person's id.
        asked: the phrase's id, and the version of the person's view. A version from before their last phrase does nothing.
        at: the time, in milliseconds since 1970.

    Raises:
        ProblemError: the person has no seat or has left it, there is no such phrase, the version has not been reached, or the
            person has said too much: 3 phrases within 15 seconds, or 99 at this table.
    """
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
