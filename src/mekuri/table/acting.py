"""Commands of people who sit at a table: play an action, take it back, ask for the next round, say a phrase, close a window."""

from __future__ import annotations

from mekuri.cards import NotationError
from mekuri.match.round import Round
from mekuri.protocol import table as wire
from mekuri.protocol.texts import sayings
from mekuri.table.coming import come_back, own_seat
from mekuri.table.course import go_on, put
from mekuri.table.errors import IllegalActionError, ProblemError
from mekuri.table.rows import add
from mekuri.table.seating import Decision
from mekuri.table.table import Table

MOST_TAKEN_BACK = 99  # take-backs at one table
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
    round = table.round
    if round is None:
        raise ProblemError("not-running")
    action = round.action_text(read_action(round, asked.action))
    decision = next((decision for decision in reversed(table.seats[seat].decisions) if decision.covers(asked.version)), None)
    given = decision and (decision.action or decision.kept)
    if decision and given:
        if given != action:
            raise ProblemError("decided-otherwise")
        return wire.Answer(table=table.id, action=action, version=decision.settled)
    if decision is None and asked.version < table.version(seat):
        raise ProblemError("stale")
    need_legal(table.running, seat, action)
    if action == table.history.now.unspoken:
        raise ProblemError("silence")
    assert decision, "a seat that may act has been asked"
    come_back(table, person, at)
    if table.term and table.closes is not None:
        add(table, "answer", {"action": action}, at, seat, person=person)
        settled = decision.settled
        go_on(table, at)
        return wire.Answer(table=table.id, action=action, version=max(settled, decision.settled))
    act(table, seat, action, at, person)
    return wire.Answer(table=table.id, action=action, version=decision.settled)


def read_action(round: Round, text: str) -> int:
    """Return the action that a text means in a round. Raises ProblemError where it means none."""
    try:
        return round.parse_action(text)
    except NotationError as error:
        raise ProblemError("action", reason=str(error)) from None


def need_legal(round: Round, seat: int, action: int | str) -> None:
    """Raise IllegalActionError where the rules forbid an action, a number or in notation, to a seat."""
    if refusal := round.refusal(action, seat):
        raise IllegalActionError(*refusal, round.game.rulebook)


def act(table: Table, seat: int, action: str, at: int, person: str | None = None) -> None:
    """Play a legal action for a seat, and do all that follows from it without a further decision.

    Args:
        table: the table.
        seat: the seat that plays; it must have an open decision.
        action: the action in notation. It is not checked here: see `need_legal`.
        at: the time, in milliseconds since 1970.
        person: the id of the person who plays; None for a bot, and where a window has closed.
    """
    put(table, seat, action, at, person)
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

    While a player wants it to be the last, all others are asked, and no round begins before they have answered.

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
            add(table, "wish", {"stop": asked.enough}, at, seat, person=person)
            go_on(table, at)
    elif not sitter.ready:
        add(table, "ready", {}, at, seat, person=person)
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
    times = table.people.said.get(person, ())
    if len(times) >= _SAID:
        raise ProblemError("said-all")
    wait = times[-_AT_ONCE] + _BREATH_MS - at if len(times) >= _AT_ONCE else 0
    if wait > 0:
        raise ProblemError("said-much", seconds=-(-wait // 1000))
    add(table, "say", {"said": asked.said}, at, seat, person=person)


def take_back(table: Table, person: str, asked: wire.AskTakeBack, at: int) -> None:
    """Go back to before a person's last choice in the round, with the same cards. The match is practice from then on.

    Practice counts in no statistics, and its record says so. A request sent again with the same version goes back once.

    Args:
        table: the table.
        person: the person's id.
        asked: the version of the person's view.
        at: the time, in milliseconds since 1970.

    Raises:
        ProblemError: the person has no seat, other people play here, no match is being played or the round is over, there is no
            choice to take back, the version is too old or has not been reached, or 99 take-backs have been made.
    """
    seat = own_seat(table, person)
    if asked.version > table.version(seat):
        raise ProblemError("ahead")
    if asked.version < table.took_back_at:
        return
    round = table.running
    if not table.lone:
        raise ProblemError("others-play-on")
    if round.over:
        raise ProblemError("round-counted")
    to, decision = _last_choice(table, seat)
    if decision is None:
        raise ProblemError("nothing-to-take-back")
    if asked.version < decision.answered:
        raise ProblemError("stale")
    if table.took_back >= MOST_TAKEN_BACK:
        raise ProblemError("took-back-all")
    add(table, "take-back", {"to": to}, at, seat, person=person)


def _last_choice(table: Table, seat: int) -> tuple[int, Decision | None]:
    """Return the seat's last decision with two choices or more, and the number of actions in the round before it.

    The decision is None, and the number 0, where the seat has made none.
    """
    own = [place for place, (who, _) in enumerate(table.running.actions) if who == seat]
    stood = [decision for decision in table.seats[seat].decisions if decision.stands]
    for place, decision in zip(reversed(own), reversed(stood), strict=False):
        if len(decision.choices) > 1:
            return place, decision
    return 0, None
