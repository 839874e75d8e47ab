"""What people, bots and time can make happen at a table. Each command looks first, and then adds rows to it.

Times are milliseconds since 1970. Every command raises Refused where it cannot be done, and has then changed nothing.
"""

from __future__ import annotations

import hmac
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from mekuri.bots import Budget, Player, Seen, here, names_for, usual
from mekuri.cards import NotationError
from mekuri.engine.errors import OptionError, UnknownGame
from mekuri.engine.fields import RoundState
from mekuri.engine.options import differing
from mekuri.match.deals import Deals
from mekuri.match.fair import check_cuts
from mekuri.match.game import make_game
from mekuri.protocol import table as wire
from mekuri.table.refused import Illegal, Refused
from mekuri.table.seating import PERSON
from mekuri.table.table import Table, Why

_BUDGET = Budget(1000, 1000)  # of our own bots: more brings little (docs/bots.md)


def make(
    id: str,
    root: bytes,
    asked: wire.AskTable,
    person: str | None,
    at: int,
    after: dict[str, Any] | None = None,
    window: int | None = None,
    deals: Deals | None = None,
    pace: int = 0,
) -> Table:
    """A new table. Where all seats are bots' the match begins at once.

    Args:
        id: its name.
        root: 32 bytes that nobody can foresee.
        asked: what is to be played, and by whom.
        person: who makes it; None for nobody.
        at: when.
        after: what it takes over from a match before.
        window: how many milliseconds silence is waited for; the usual time if left out.
        deals: where its packs come from; from the root and everybody's cut if left out.
        pace: for how many milliseconds one thing is looked at that happens.
    """
    try:
        made = make_game(asked.game, asked.preset, None if asked.seats is None else len(asked.seats), asked.options)
        match_options = made.match_options(asked.match_options)
    except UnknownGame:
        raise Refused("no-such-game") from None
    except OptionError as error:
        raise Refused("option", reason=str(error)) from None
    seats = asked.seats if asked.seats is not None else [PERSON, *[usual(made.contract)] * (made.seats - 1)]
    known = names_for(made.contract)
    strange = [who for who in seats if who != PERSON and who not in known]
    if strange:
        raise Refused("option", reason=f"nobody called {strange[0]} can sit here: name {PERSON}, {', '.join(known)}")
    if asked.first_dealer is not None and asked.first_dealer >= made.seats:
        raise Refused("no-seat", last=made.seats - 1)
    table = Table(id, root, deals)
    body = {
        "game": made.id,
        "version": made.version,
        "options": differing(made.options),
        "match_options": differing(match_options),
        "seats": seats,
        "public": asked.public,
        "seating": asked.seating,
    }
    if asked.first_dealer is not None:
        body["first_dealer"] = asked.first_dealer
    if window is not None:
        body["window"] = window
    if pace:
        body["pace"] = pace
    if after is not None:
        body["after"] = after
    table.add("make", body, at, person=person)
    _go_on(table, at)
    return table


def rematch(table: Table, person: str, at: int, id: str, root: bytes, keep_ms: int, deals: Deals | None = None) -> None:
    """Found the table at which a match that is over goes on; where somebody has founded it already, nothing.

    It has the same rules and seats. Each seat is kept for its person for a while, and the deal passes on.
    """
    seat = _own_seat(table, person)
    if table.state != "over":
        raise Refused("not-over")
    if table.rematch:
        return
    asked = wire.AskTable(
        game=table.game.id,
        options=differing(table.game.options),
        match_options=differing(table.match_options),
        seats=[sitter.kind for sitter in table.seats],
        public=table.public,
        seating=table.seating,
    )
    last = table.round
    after = {
        "table": table.id,
        "first_dealer": last.next_dealer if last and last.over else None,
        "kept_for": [None if sitter.left else sitter.person for sitter in table.seats],
        "kept_until": at + keep_ms,
    }
    table.founded = make(id, root, asked, person, at, after, table.window, deals, table.pace)
    table.founded.learn(table.names)
    table.add("rematch", {"table": id}, at, seat, person=person)


def seat_of(table: Table, person: str | None) -> int | None:
    """The seat in which a person sits; None for a spectator."""
    if person is None:
        return None
    return next((seat for seat, sitter in enumerate(table.seats) if sitter.person == person), None)


def _own_seat(table: Table, person: str) -> int:
    seat = seat_of(table, person)
    if seat is None:
        raise Refused("not-seated")
    return seat


def sit(table: Table, person: str, name: str, asked: wire.AskSeat, at: int) -> None:
    """Sit down, or come back to one's seat. The match begins when the last seat is taken."""
    own = seat_of(table, person)
    if own is not None:
        if asked.seat not in (None, own):
            raise Refused("seated-already", place=own)
        come_back(table, person, at)
        return
    if person in table.kept_out:
        raise Refused("kept-out")
    if table.state != "open":
        raise Refused("table-full" if table.state == "running" else "not-running")
    if table.seating == "lot" and asked.seat is not None:
        raise Refused("by-lot")
    free = free_seats(table, person, at)
    if asked.seat is not None and asked.seat >= len(table.seats):
        raise Refused("no-seat", last=len(table.seats) - 1)
    if asked.seat is not None and table.seats[asked.seat].taken:
        raise Refused("seat-taken")
    if not free or (asked.seat is not None and asked.seat not in free):
        raise Refused("seat-kept")
    try:
        check_cuts([asked.cut])
    except OptionError:
        raise Refused("cut") from None
    seat = asked.seat
    if seat is None:
        seat = next((place for place in free if table.seats[place].kept_for == person), None)
    if seat is None:
        seat = free[0]  # where lots are drawn, until all are there
    table.learn({person: name})
    table.add("sit", {"cut": asked.cut}, at, seat, person=person)
    _go_on(table, at)


def free_seats(table: Table, person: str | None, at: int) -> list[int]:
    """The seats in which a person may sit down now: not those that are kept for others."""
    kept = at < table.kept_until
    return [
        seat
        for seat, sitter in enumerate(table.seats)
        if not sitter.taken and not (kept and sitter.kept_for in table.names.keys() - {person})
    ]


def free(table: Table, person: str, asked: wire.AskFree, at: int) -> None:
    """Free the seat of somebody who is away, or not welcome, at a table of one's own before the match begins."""
    if person != table.maker:
        raise Refused("not-maker")
    if table.state != "open":
        raise Refused("begun")
    if asked.seat >= len(table.seats):
        raise Refused("no-seat", last=len(table.seats) - 1)
    # Before the match everybody has seen the same. Whoever sits there now may be another than was meant.
    if asked.version != table.version(None):
        raise Refused("stale" if asked.version < table.version(None) else "ahead")
    if table.seats[asked.seat].person is None:
        raise Refused("seat-empty")
    if table.seats[asked.seat].person == person:
        leave(table, person, at)
    else:
        table.add("free", {"keep_out": asked.keep_out}, at, asked.seat, person=person)


def leave(table: Table, person: str, at: int) -> None:
    """Leave. A seat in a running match is played by a bot while another person plays; else the match ends here."""
    seat = seat_of(table, person)
    if seat is None or table.state == "over" or table.seats[seat].left:
        return
    table.add("leave", {}, at, seat, person=person)
    if table.state == "running" and not any(sitter.person and not sitter.left for sitter in table.seats):
        _end(table, "abandoned", at)
    _go_on(table, at)


def let_go(table: Table, at: int, person: str, made: bool) -> None:
    """Stand up for somebody who is gone; a table that they have `made`, and at which nobody waits, is closed."""
    leave(table, person, at)
    if made and table.state == "open" and not any(sitter.person for sitter in table.seats):
        abandon(table, at)


def come_back(table: Table, person: str, at: int) -> None:
    """Take one's seat back from the bot that held it."""
    seat = _own_seat(table, person)
    if table.state == "running" and table.seats[seat].bot:
        table.add("back", {}, at, seat, person=person)


def hold(table: Table, at: int, seat: int) -> None:
    """Let a bot play for a person who is away."""
    if table.state == "running" and table.seats[seat].bot is None:
        table.add("hold", {"bot": usual(table.game.contract)}, at, seat)
        _go_on(table, at)


def ready(table: Table, person: str, asked: wire.AskReady, at: int) -> None:
    """Ask for the next round, or for none. To ask again changes nothing."""
    seat = _own_seat(table, person)
    if asked.round < table.rounds or (table.state == "over" and asked.round == table.rounds):
        return
    if table.state != "running" or asked.round > table.rounds:
        raise Refused("ahead" if table.state == "running" else "not-running")
    if not table.resting:
        raise Refused("round-running")
    come_back(table, person, at)
    if not table.seats[seat].ready:
        table.add("ready", {"enough": True} if asked.enough else {}, at, seat, person=person)
        _go_on(table, at)


def play(table: Table, person: str, asked: wire.AskAction, at: int) -> wire.Answer:
    """Do something on the table. The same action for the same decision gets the same answer, however often it is sent."""
    seat = _own_seat(table, person)
    if asked.version > table.version(seat):
        raise Refused("ahead")
    action = _action(table, asked.action)
    decision = next((decision for decision in reversed(table.seats[seat].decisions) if decision.covers(asked.version)), None)
    if decision and decision.action is not None:
        if decision.action != action:
            raise Refused("decided-otherwise")
        return wire.Answer(table=table.id, action=action, version=decision.settled)
    if decision is None and asked.version < table.version(seat):
        raise Refused("stale")
    _need_legal(table, seat, action)
    if action == table.unspoken:
        raise Refused("silence")
    assert decision, "whoever may act has been asked"
    come_back(table, person, at)
    _play(table, seat, action, at, person)
    return wire.Answer(table=table.id, action=action, version=decision.settled)


def _action(table: Table, told: str) -> str:
    """An action as it is written in the log."""
    if not table.match:
        raise Refused("not-running")
    try:
        return table.match.round.action_text(table.match.round.parse_action(told))
    except NotationError as error:
        raise Refused("action", reason=str(error)) from None


def _need_legal(table: Table, seat: int, action: str) -> None:
    refusal = table.running.refusal(action, seat)
    if refusal:
        raise Illegal(*refusal, table.game.rulebook)


def _play(table: Table, seat: int, action: str, at: int, person: str | None = None) -> None:
    table.add("play", {"action": action}, at, seat, decision=len(table.seats[seat].decisions) - 1, person=person)
    _go_on(table, at)


@dataclass(frozen=True)
class Turn:
    """A bot's turn: all that the bot is given.

    Attributes:
        seen: what its seat has seen.
        bot: the bot's name.
        number: of the decision among the seat's.
        seed: from which the bot's chance comes. It has nothing to do with the cards, and every process finds the same.
    """

    seen: Seen
    bot: str
    number: int
    seed: bytes

    @property
    def seat(self) -> int:
        """Which seat it plays."""
        return self.seen.seat

    @property
    def hidden(self) -> RoundState:
        """What the seat may know."""
        return self.seen.hidden


class Answer(NamedTuple):
    """What comes of a bot's turn: an action, and the bot whose it is, another than was asked where that has failed."""

    action: int
    bot: str


def bot_due(table: Table, at: int) -> int | None:
    """The seat of a bot that owes a turn. While silence is an answer, bots speak only after the people."""
    round = table.round if table.state == "running" else None
    if round is None or (table.closes is not None and at < table.closes and silent(table)):
        return None
    return next((seat for seat in round.waiting_in_turn if table.seats[seat].bot), None)


def bot_turn(table: Table, at: int) -> Turn | None:
    """A turn that a bot owes."""
    seat = bot_due(table, at)
    if seat is None:
        return None
    bot, round, number = table.seats[seat].bot, table.running, len(table.seats[seat].decisions) - 1
    assert bot, "the seat of a bot"
    if round.secret and seat in table.lapsed:
        # To wait for it again and again would tell how often it is asked.
        bot = usual(table.game.contract)
    # Most of ours look at the hidden state alone, and it takes a while to tell what has happened.
    ours = here(bot, table.game.contract)
    seen = Seen(round.hidden(seat), seat) if ours and not ours.looks_back else round.seen(seat)
    return Turn(seen, bot, number, hmac.digest(table.root, b"bot %d %d" % (seat, number), "sha256"))


def seen_by_others(table: Table, turn: Turn, answer: Answer) -> bool:
    """Whether others see anything of what a bot has answered."""
    return _stands(table, turn) and (answer.bot != turn.bot or not table.running.unseen(answer.action, turn.seat))


def _stands(table: Table, turn: Turn) -> bool:
    """Whether a bot's turn has not been decided meanwhile, nor taken from it."""
    sitter = table.seats[turn.seat]
    return bool(table.state == "running" and sitter.bot and sitter.open_decision and len(sitter.decisions) - 1 == turn.number)


def think(turn: Turn) -> int:
    """The action a bot chooses."""
    return Player(turn.bot, turn.seed, turn.hidden.contract, _BUDGET).choose(turn.hidden, turn.seat, turn.seen.past)


def bot_answer(table: Table, at: int, turn: Turn, action: int, bot: str | None = None) -> None:
    """Do what a bot has chosen, unless the decision has been made meanwhile: one answer counts.

    Where it is not the choice of the bot that was asked, `bot` says whose it is.
    """
    if _stands(table, turn):
        told = table.running.action_text(action)
        _need_legal(table, turn.seat, told)
        if bot not in (None, turn.bot):
            table.add("lapse", {"bot": turn.bot, "by": bot}, at, turn.seat)
        _play(table, turn.seat, told, at)


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
            _play(table, seat, word, at)


def abandon(table: Table, at: int) -> None:
    """Close a table at which nobody plays any more."""
    if table.state != "over":
        _end(table, "abandoned", at)


def close(table: Table, at: int) -> None:
    """Close a table because the keeper of the server would have it so."""
    if table.state != "over":
        _end(table, "closed", at)


def close_restored(table: Table, at: int) -> None:
    """Close a table that comes from a backup: since that was made its cards may have been seen."""
    if table.state == "running":
        _end(table, "restored", at)


def _end(table: Table, why: Why, at: int) -> None:
    match = table.match
    winners = list(match.leading) if match and why in ("played", "agreed") else None
    # A match that was broken off opens the secret of its last round as well, so that its record can be verified whole.
    record = match.record(broken_off=why != "played") if match else None
    kept = replace(record, players=tuple(sitter.kind for sitter in table.seats)).to_json() if record else None
    table.add("end", {"why": why, "winners": winners, "record": kept}, at)


def _go_on(table: Table, at: int) -> None:
    """Whatever follows without anybody's doing: a round begins, its secret is opened, the match ends."""
    while True:
        if table.state == "open" and all(sitter.taken for sitter in table.seats):
            if len(table.to_draw) > 1:
                table.draw(at)
            table.add("round", {}, at)
        elif table.state == "running" and not table.resting and table.running.over:
            table.add("open", {}, at)
        elif table.resting and table.match and table.match.over:
            _end(table, "played", at)
        elif table.resting and not any(sitter.waits for sitter in table.seats):
            if table.agreed:
                _end(table, "agreed", at)
            else:
                table.add("round", {}, at)
        else:
            return
