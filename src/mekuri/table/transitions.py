"""What each kind of row does to a table: one function for each, and `apply`, which finds it.

The driver's actions that follow a row are put into `Table.driven`, for rows of their own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mekuri import games
from mekuri.bots import names_for, usual
from mekuri.cards import card_text
from mekuri.engine.contract import Text
from mekuri.engine.errors import MekuriError
from mekuri.match.daily import DAY_MS
from mekuri.match.fair import FairDeals
from mekuri.match.game import Game, make_game
from mekuri.match.match import Match
from mekuri.match.result import match_result
from mekuri.protocol import table as wire
from mekuri.table.events import WINDOW_MS, Ledger, Resumed, Source, TableEvent
from mekuri.table.history import History
from mekuri.table.log import Row
from mekuri.table.seating import PERSON, Decision, Sitter
from mekuri.table.table import Ending, InRound, Table, number_names

DRAWN = "table.drawn"  # the id of the text of the event after lots have been drawn for the seats


class Unreplayable(MekuriError):
    """The rows of a log cannot be replayed by the present rules."""


def apply(table: Table, row: Row) -> None:
    """Apply a row to a table. Raises Unreplayable where it does not fit."""
    table.changed_at = row.at
    _EFFECTS[row.kind](table, row)
    _ask(table)


# --- Seats and people ---


def _make(table: Table, row: Row) -> None:
    table.maker, body = row.person, row.body
    options = games.find(body["game"]).as_given(int(body["version"]), body["options"])
    set_up(table, body, make_game(body["game"], "default", len(body["seats"]), options))


def set_up(table: Table, body: dict[str, Any], game: Game) -> None:
    """Set what the body of a row `make` says about a table of this game. Older logs lack some of the entries."""
    table.game = game
    table.match_options = game.match_options(body["match_options"])
    table.entry = body["entry"] if body.get("entry") in game.rulebook.entries else None
    table.public = bool(body["public"])
    table.seating = body.get("seating", "order")
    table.seats = [Sitter(kind, bot=None if kind == PERSON else kind) for kind in body["seats"]]
    after = body.get("after", {})
    table.goes_on = bool(after)
    table.first_dealer = body.get("first_dealer", after.get("first_dealer"))
    table.kept_until = after.get("kept_until", 0)
    for sitter, kept_for in zip(table.seats, after.get("kept_for", ()), strict=False):
        sitter.kept_for = kept_for
    table.day = body.get("day")
    table.term = wire.Term(**body["term"]) if "term" in body else None
    term = table.term.days * DAY_MS if table.term else None
    source = Source(table.id, table.called, body.get("window", WINDOW_MS), body.get("pace", 0), term)
    table.history = History(source, len(table.seats))


def _sit(table: Table, row: Row) -> None:
    seat, sitter = _seat(table, row)
    sitter.person, sitter.cut = row.person, row.body["cut"]
    table.people.came[str(row.person)] = None
    table.people.comings[str(row.person)] += 1
    number_names(table)
    _tell(table, "sit", seat, row.person)


def _draw(table: Table, row: Row) -> None:
    table.drawn, before = tuple(row.body["seats"]), list(table.seats)
    if sorted(row.body["from"]) != list(table.drawn):
        raise Unreplayable("these are no lots for these seats")
    for seat, place in zip(table.drawn, row.body["from"], strict=True):
        table.seats[seat] = before[place]
    _tell(table, "sit", text="drawn")


def _free(table: Table, row: Row) -> None:
    """Free the seat of a person on behalf of the table's maker. The event is of the kind `leave`."""
    seat, sitter = _seat(table, row)
    person, keep_out = sitter.person, row.body["keep_out"]
    if keep_out and person:
        table.people.kept_out.add(person)
    table.people.freed[table.version(None)] = seat, keep_out
    _stand_up(table, sitter)
    _tell(table, "leave", seat, person, "freed")


def _stand_up(table: Table, sitter: Sitter) -> None:
    """Take a person from a seat before the match begins."""
    table.people.came.pop(str(sitter.person), None)
    sitter.stand_up()
    number_names(table)


def _leave(table: Table, row: Row) -> None:
    seat, sitter = _seat(table, row)
    person = sitter.person
    if table.state == "open":
        if person == table.maker:
            table.people.freed[table.version(None)] = seat, None
        _stand_up(table, sitter)
    else:
        sitter.bot, sitter.left, sitter.passed, sitter.stalled = usual(table.game.contract), True, False, False
    _tell(table, "leave", seat, person)


def _hold(table: Table, row: Row) -> None:
    seat, sitter = _seat(table, row)
    sitter.bot, sitter.passed = row.body["bot"], False
    _tell(table, "hold", seat, sitter.person, args=_bot(row))


def _stall(table: Table, row: Row) -> None:
    """Let a bot play for a person who has not acted for long. The event is of the kind `hold`, as older clients know it."""
    seat, sitter = _seat(table, row)
    sitter.bot, sitter.stalled = row.body["bot"], True
    _tell(table, "hold", seat, sitter.person, "stalled", _bot(row))


def _back(table: Table, row: Row) -> None:
    seat, sitter = _seat(table, row)
    table.people.comings[str(sitter.person)] += sitter.left
    sitter.bot, sitter.left, sitter.stalled, sitter.missed = None, False, False, 0
    _tell(table, "back", seat, sitter.person)


def _say(table: Table, row: Row) -> None:
    seat, sitter = _seat(table, row)
    table.people.said.setdefault(str(sitter.person), []).append(row.at)
    _tell(table, "say", seat, sitter.person, args={"said": Text(row.body["said"], {})})
    sitter.heard = table.version(seat)


def _rematch(table: Table, row: Row) -> None:
    seat, sitter = _seat(table, row)
    table.rematch = wire.Rematch(table=row.body["table"], seat=seat)
    _tell(table, "rematch", seat, sitter.person)


# --- Rounds ---


def _ready(table: Table, row: Row) -> None:
    seat, sitter = _seat(table, row)
    sitter.ready, sitter.enough, sitter.missed = True, bool(row.body.get("enough")), 0
    _tell(table, "ready", seat, sitter.person, "enough" if sitter.enough else "")


def _wish(table: Table, row: Row) -> None:
    """Note that a person wants the finished round to be the last, or to play on. The event is of the kind `ready`.

    To play on withdraws every wish to stop, the person's own too, and asks the people who had one again whether they are ready.
    """
    (seat, sitter), stop = _seat(table, row), row.body["stop"]
    if not stop:
        _drop_wish(table, stays_ready=False)
    sitter.ready, sitter.enough, sitter.plays_on, sitter.missed = True, stop, not stop, 0
    table.in_round.wished |= stop
    _tell(table, "ready", seat, sitter.person, "enough" if stop else "plays-on", asks=True)


def _drop_wish(table: Table, stays_ready: bool) -> None:
    for sitter in table.seats:
        sitter.ready &= stays_ready or not sitter.enough
        sitter.enough = False
    table.in_round.wished = False


def _round(table: Table, row: Row) -> None:
    if table.match is None:
        deals = table.deals or FairDeals(table.root, [sitter.cut for sitter in table.seats])
        players = [table.label(seat) for seat in range(len(table.seats))]
        table.match = Match(table.game, table.match_options, deals, players, first_dealer=table.first_dealer, drawn=table.drawn)
    elif not table.resting or not table.match.next_round():
        raise Unreplayable("no round begins here")
    for sitter in table.seats:
        sitter.ready = sitter.enough = sitter.plays_on = False
    table.rounds += 1
    table.in_round = InRound()
    table.history.begin(table.match.round)
    _tell(table, "round", args={"number": len(table.match.finished) + 1, "seat": table.match.dealer})
    _follow(table, 0, row.at)


def _play(table: Table, row: Row) -> None:
    (seat, sitter), round = _seat(table, row), table.running
    decision = sitter.open_decision
    if decision is None or row.decision != len(sitter.decisions) - 1:
        raise Unreplayable(f"seat {seat} was not asked this")
    if row.person is not None:
        sitter.missed = 0
    done, asked = len(round.history), set(round.waiting)
    round.play(row.body["action"], seat)
    decision.action = row.body["action"]
    table.history.step(row.at)
    decision.answered = table.version(seat)
    _follow(table, done + 1, row.at)
    decision.settled = table.version(seat)
    if len(round.history) > done + 1 or not set(round.waiting) < asked:
        # This is another question, not the same one with one more answer: answers that were kept for the window are dropped.
        for each in table.seats:
            if each.open_decision:
                each.open_decision.kept = each.open_decision.kept_by = None


def _answer(table: Table, row: Row) -> None:
    """Keep a person's answer in a window until it closes. Only the person gets an event."""
    seat, sitter = _seat(table, row)
    decision = sitter.open_decision
    if decision is None or decision.kept or row.body["action"] not in decision.choices:
        raise Unreplayable(f"seat {seat} was not asked this")
    decision.kept, decision.kept_by, sitter.missed = row.body["action"], row.person, 0
    _tell(table, "answer", seat, only=seat)
    decision.answered = decision.settled = table.version(seat)


def _lapse(table: Table, row: Row) -> None:
    """Note that a bot has lost its turn to another bot.

    In a round whose actions are hidden there is one event of it for each seat, as more would show how often the seat acts.
    """
    seat, _ = _seat(table, row)
    if seat not in table.in_round.lapsed or not table.running.secret:
        table.in_round.lapsed.add(seat)
        known = names_for(table.game.contract)
        # A bot that is not installed any more is shown by its id.
        bot, other = (Text(f"bots.{id}", {}) if id in known else id for id in (row.body["bot"], row.body["by"]))
        _tell(table, "lapse", seat, args={"bot": bot, "other": other})


def _late(table: Table, row: Row) -> None:
    """Note that a person's term has passed: they are ready, or silent in a window, or a bot plays this turn."""
    seat, sitter = _seat(table, row)
    sitter.missed += 1
    if table.resting:
        if table.wish:
            _drop_wish(table, stays_ready=True)  # the match goes on unless all agree to end it
        sitter.ready = True
        _tell(table, "late", seat, sitter.person, "late-ready")
    elif table.closes is not None and sitter.open_decision:
        sitter.open_decision.kept = table.running.silence
        _tell(table, "late", seat, sitter.person, "late-silence")
    else:
        sitter.bot, sitter.passed = row.body["bot"], True
        _tell(table, "late", seat, sitter.person, "late-bot", _bot(row))


def _take_back(table: Table, row: Row) -> None:
    """Set the round back to an earlier moment. Decisions since then are marked; asked again, they are new decisions."""
    seat, asker = _seat(table, row)
    if not table.match:
        raise Unreplayable("no match is being played")
    before = table.match.round.actions
    round = table.match.take_back(row.body["to"])
    table.in_round.packs = len(round.packs)
    for place, sitter in enumerate(table.seats):
        if decision := sitter.open_decision:
            decision.withdrawn = True
        undone = sum(who == place for who, _ in before[len(round.actions) :])
        stood = [decision for decision in sitter.decisions if decision.stands]
        for decision in stood[len(stood) - undone :]:
            decision.taken_back = True
    table.took_back += 1
    _tell(table, "take-back", seat, asker.person, again=Resumed(round, len(round.history)))
    table.took_back_at = table.version(seat)


def _open(table: Table, row: Row) -> None:
    if not table.match or not table.running.over:
        raise Unreplayable("the round is not over")
    paid = table.match.paid_out
    table.match.enter()
    if table.deals is None:
        table.secret = table.commitment = FairDeals(table.root, ()).secret(table.opened)
    table.opened += 1
    _tell(table, "open", text="" if table.secret else "entered", args={"number": table.opened})
    _tell_paid(table, paid)


def _tell_paid(table: Table, before: Text | None) -> None:
    """Add an event of what was left in an account of no seat, if it has been paid out just now."""
    if table.match and table.match.paid_out and not before:
        _tell(table, "settle", text=table.match.paid_out)


def _end(table: Table, row: Row) -> None:
    body, match = row.body, table.match
    if match:
        paid, pays_out = match.paid_out, bool(body.get("settled"))  # a match of an older log keeps the ledger that it ended with
        if body["why"] == "agreed":
            match.leave_off(pays_out=pays_out)
        elif pays_out:
            match.settle()
        _tell_paid(table, paid)
    winners, late = body.get("winners"), body.get("late")
    result = match_result(table.game.contract.match, match.ledger, table.game.sides) if winners and match else None
    table.ending = Ending(body["why"], winners, body.get("record"), result, late)
    _tell(table, "end", None, None if late is None else table.seats[late].person, f"end-{body['why']}")


def _clock(table: Table, row: Row) -> None:
    """Move all deadlines by a leap of the server's clock, whose new time was confirmed. No seat is asked anew."""
    by = row.body["by"]
    table.kept_until += by if table.kept_until else 0
    table.people.said = {person: [at + by for at in times] for person, times in table.people.said.items()}
    _tell(table, "clock", moved=by)


_EFFECTS: dict[str, Callable[[Table, Row], None]] = {
    "make": _make,
    "sit": _sit,
    "draw": _draw,
    "free": _free,
    "leave": _leave,
    "hold": _hold,
    "stall": _stall,
    "back": _back,
    "lapse": _lapse,
    "ready": _ready,
    "wish": _wish,
    "round": _round,
    "play": _play,
    "take-back": _take_back,
    "answer": _answer,
    "late": _late,
    "open": _open,
    "end": _end,
    "clock": _clock,
    "rematch": _rematch,
    "say": _say,
}
KINDS = _EFFECTS.keys()  # all kinds of rows. A row of another kind was written by a newer release.


# --- What all of them use ---


def _seat(table: Table, row: Row) -> tuple[int, Sitter]:
    """Return the number of a row's seat, and the seat."""
    if row.seat is None or not 0 <= row.seat < len(table.seats):
        raise Unreplayable("there is no such seat")
    return row.seat, table.seats[row.seat]


def _bot(row: Row) -> dict[str, Text]:
    """Return the argument of a text with the name of a row's bot."""
    return {"bot": Text(f"bots.{row.body['bot']}", {})}


def _tell(
    table: Table,
    kind: wire.Kind,
    by: int | None = None,
    person: str | None = None,
    text: str | Text = "",
    args: dict[str, Any] | None = None,
    **more: Any,
) -> None:
    """Add an event about the table to the history.

    Args:
        table: the table.
        kind: the event's kind.
        by: the seat that did it; None for none.
        person: the id of the person whose name the text needs; None for none.
        text: the key of its text in the catalogue's table `table`, or a text of the game; the kind if left out.
        args: the arguments of the text.
        more: the further attributes of the TableEvent.
    """
    said = text if isinstance(text, Text) else Text(f"table.{text or kind}", args or {})
    match = table.match
    ledger = Ledger(tuple(map(dict, match.ledger)), dict(match.accounts)) if match else Ledger((), {})
    table.history.tell(TableEvent(table.changed_at, kind, by, said, person, table.head_of_ids, ledger, **more))


def _follow(table: Table, since: int, at: int) -> None:
    """Make events and rows of the driver's actions: the round's history from index `since` on.

    Args:
        table: the table.
        since: the length of the round's history before them.
        at: the time, in milliseconds since 1970.
    """
    round, packs = table.running, table.in_round.packs
    done = [{"action": round.action_text(action)} for _, action in round.history[since:]]
    if done and len(round.packs) > packs:
        # The first row holds the new packs, so that the deals can be read from the log alone.
        done[0]["packs"] = "/".join(" ".join(map(card_text, pack)) for pack in round.packs[packs:])
        table.in_round.packs = len(round.packs)
    table.driven += done
    table.history.step(at, len(done))


def _ask(table: Table) -> None:
    """Open a decision for each seat that has something new to choose, and withdraw the decisions that no longer stand."""
    round = table.round
    if round is None or table.state != "running":
        return
    for seat, sitter in enumerate(table.seats):
        choices = round.legal_for(seat)
        decision = sitter.open_decision
        if decision and decision.choices != choices:
            decision.withdrawn = True
        if choices and sitter.open_decision is None:
            sitter.decisions.append(Decision(table.version(seat), choices))
        if sitter.passed and not choices:
            sitter.bot, sitter.passed = None, False  # the turn that a bot has played for the person is over
