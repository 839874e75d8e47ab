"""State transitions: the method of each kind of row that applies it to a table, and the driver's actions that follow."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mekuri import games
from mekuri.bots import names_for, usual
from mekuri.cards import card_text
from mekuri.engine.contract import Text
from mekuri.match.fair import FairDeals
from mekuri.match.game import Game, make_game
from mekuri.match.match import Match
from mekuri.match.result import match_result
from mekuri.protocol import table as wire
from mekuri.table.events import WINDOW_MS, Resumed
from mekuri.table.history import History
from mekuri.table.log import Row
from mekuri.table.seating import PERSON, Decision, Sitter
from mekuri.table.showing import Showing
from mekuri.table.state import DAY_MS, Unreplayable

DRAWN = "table.drawn"  # the id of the text of the event after lots have been drawn for the seats


class Transitions(Showing):
    """A table to which rows can be applied."""

    def _happen(self, row: Row) -> None:
        """Apply a row. The driver's actions that follow are put into `_due`, for rows of their own."""
        self.changed_at = row.at
        _HAPPENINGS[row.kind](self, row)
        self._ask()

    def _make(self, row: Row) -> None:
        self.maker, body = row.person, row.body
        options = games.find(body["game"]).as_given(int(body["version"]), body["options"])
        self._set_up(body, make_game(body["game"], "default", len(body["seats"]), options))

    def _set_up(self, body: dict[str, Any], made: Game) -> None:
        self.game = made
        self.match_options = made.match_options(body["match_options"])
        self.public = bool(body["public"])
        self.seating = body.get("seating", "order")  # older logs do not have it
        self.seats = [Sitter(kind, bot=None if kind == PERSON else kind) for kind in body["seats"]]
        after = body.get("after", {})
        self._goes_on = bool(after)
        self.first_dealer = body.get("first_dealer", after.get("first_dealer"))
        self.kept_until = after.get("kept_until", 0)
        for sitter, kept_for in zip(self.seats, after.get("kept_for", ()), strict=False):
            sitter.kept_for = kept_for
        self.window = body.get("window", WINDOW_MS)
        self.pace = body.get("pace", 0)  # older logs do not have it
        self.day = body.get("day")
        term_ms = None
        if "term" in body:  # other tables, and older logs, do not have it
            self.term = wire.Term(**body["term"])
            term_ms = self.term.days * DAY_MS
        self.history = History(self.id, len(self.seats), self.window, self.pace, self.called, term_ms)

    def _sit(self, row: Row) -> None:
        seat = self._seat(row)
        sitter = self.seats[seat]
        sitter.person, sitter.cut = row.person, row.body["cut"]
        self._came[str(row.person)] = None
        self.comings[str(row.person)] += 1
        self._call()
        self._tell("sit", seat, row.person)

    def _draw(self, row: Row) -> None:
        self.drawn, before = tuple(row.body["seats"]), list(self.seats)
        if sorted(row.body["from"]) != list(self.drawn):
            raise Unreplayable("these are no lots for these seats")
        for seat, place in zip(self.drawn, row.body["from"], strict=True):
            self.seats[seat] = before[place]
        self._tell("sit", None, text="drawn")

    def _free(self, row: Row) -> None:
        """Free the seat of a person on behalf of the table's maker. The event is of the kind `leave`."""
        seat = self._seat(row)
        sitter = self.seats[seat]
        person = sitter.person
        if row.body["keep_out"] and person:
            self.kept_out.add(person)
        self.freed[self.version(None)] = seat, row.body["keep_out"]
        self._stand_up(sitter)
        self._tell("leave", seat, person, "freed")

    def _stand_up(self, sitter: Sitter) -> None:
        """Take a person from a seat before the match begins."""
        self._came.pop(str(sitter.person), None)
        sitter.stand_up()
        self._call()

    def _leave(self, row: Row) -> None:
        seat = self._seat(row)
        sitter = self.seats[seat]
        person = sitter.person
        if self.state == "open":
            if person == self.maker:
                self.freed[self.version(None)] = seat, None
            self._stand_up(sitter)
        else:
            sitter.bot, sitter.left, sitter.passed, sitter.stalled = usual(self.game.contract), True, False, False
        self._tell("leave", seat, person)

    def _hold(self, row: Row) -> None:
        seat = self._seat(row)
        self.seats[seat].bot, self.seats[seat].passed = row.body["bot"], False
        self._tell("hold", seat, self.seats[seat].person, bot=Text(f"bots.{row.body['bot']}", {}))

    def _stall(self, row: Row) -> None:
        """Let a bot play for a person who has not acted for long. The event is of the kind `hold`, as older clients know it."""
        seat = self._seat(row)
        sitter = self.seats[seat]
        sitter.bot, sitter.stalled = row.body["bot"], True
        self._tell("hold", seat, sitter.person, "stalled", bot=Text(f"bots.{row.body['bot']}", {}))

    def _back(self, row: Row) -> None:
        seat = self._seat(row)
        sitter = self.seats[seat]
        self.comings[str(sitter.person)] += sitter.left
        sitter.bot, sitter.left, sitter.stalled, sitter.missed = None, False, False, 0
        self._tell("back", seat, self.seats[seat].person)

    def _lapse(self, row: Row) -> None:
        """Note that a bot has lost its turn to another bot.

        In a round whose actions are hidden there is one event of it for each seat, as more would show how often the seat acts.
        """
        seat = self._seat(row)
        if seat not in self.lapsed or not self.running.secret:
            self.lapsed.add(seat)
            self._tell("lapse", seat, bot=self._bot(row.body["bot"]), other=self._bot(row.body["by"]))

    def _bot(self, bot: str) -> Text | str:
        """Return the text of a bot's name, or the bot's id where it is not installed any more."""
        return Text(f"bots.{bot}", {}) if bot in names_for(self.game.contract) else bot

    def _ready(self, row: Row) -> None:
        seat = self._seat(row)
        sitter = self.seats[seat]
        sitter.ready, sitter.enough, sitter.missed = True, bool(row.body.get("enough")), 0
        self._tell("ready", seat, sitter.person, "enough" if sitter.enough else "")

    def _wish(self, row: Row) -> None:
        """Note that a person wants the finished round to be the last, or to play on. The event is of the kind `ready`.

        To play on withdraws every such wish, the person's own too, and those who had one are asked whether they are ready.
        """
        seat, stop = self._seat(row), row.body["stop"]
        if not stop:
            self._drop_wish(stays_ready=False)
        sitter = self.seats[seat]
        sitter.ready, sitter.enough, sitter.plays_on, sitter.missed = True, stop, not stop, 0
        self._wished |= stop
        self._tell("ready", seat, sitter.person, "enough" if stop else "plays-on", asks=True)

    def _drop_wish(self, stays_ready: bool) -> None:
        for sitter in self.seats:
            sitter.ready &= stays_ready or not sitter.enough
            sitter.enough = False
        self._wished = False

    def _round(self, row: Row) -> None:
        if self.match is None:
            deals = self.deals or FairDeals(self.root, [sitter.cut for sitter in self.seats])
            players = [self.label(seat) for seat in range(len(self.seats))]
            self.match = Match(self.game, self.match_options, deals, players, first_dealer=self.first_dealer, drawn=self.drawn)
            self.state = "running"
        elif not self.resting or not self.match.next_round():
            raise Unreplayable("no round begins here")
        for sitter in self.seats:
            sitter.ready = sitter.enough = sitter.plays_on = False
        self._wished = False
        self.rounds += 1
        self._packs = 0
        self.lapsed = set()
        self.history.begin(self.match.round)
        self._tell("round", None, number=len(self.match.finished) + 1, seat=self.match.dealer)
        self._follow(0, row.at)

    def _play(self, row: Row) -> None:
        seat, round = self._seat(row), self.running
        decision = self.seats[seat].open_decision
        if decision is None or row.decision != len(self.seats[seat].decisions) - 1:
            raise Unreplayable(f"seat {seat} was not asked this")
        if row.person is not None:
            self.seats[seat].missed = 0
        done, asked = len(round.history), set(round.waiting)
        round.play(row.body["action"], seat)
        decision.action = row.body["action"]
        self.history.step(row.at)
        decision.answered = self.version(seat)
        self._follow(done + 1, row.at)
        decision.settled = self.version(seat)
        if len(round.history) > done + 1 or not set(round.waiting) < asked:
            self._drop_kept()  # this is another question, not the same one with one more answer

    def _answer(self, row: Row) -> None:
        """Keep a person's answer in a window until it closes. Nobody else is told."""
        seat = self._seat(row)
        sitter = self.seats[seat]
        decision = sitter.open_decision
        if decision is None or decision.kept or row.body["action"] not in decision.choices:
            raise Unreplayable(f"seat {seat} was not asked this")
        decision.kept, decision.kept_by, sitter.missed = row.body["action"], row.person, 0
        self._tell("answer", seat, only=seat)
        decision.answered = decision.settled = self.version(seat)

    def _drop_kept(self) -> None:
        """Forget the answers that were kept for a window, which no longer stands."""
        for sitter in self.seats:
            if sitter.open_decision:
                sitter.open_decision.kept = sitter.open_decision.kept_by = None

    def _late(self, row: Row) -> None:
        """Note that a person's term has passed: they are ready, or silent in a window, or a bot plays this turn."""
        seat = self._seat(row)
        sitter = self.seats[seat]
        sitter.missed += 1
        if self.resting:
            if self.wish:
                self._drop_wish(stays_ready=True)  # the match goes on unless all agree to end it
            sitter.ready = True
            self._tell("late", seat, sitter.person, "late-ready")
        elif self.closes is not None and sitter.open_decision:
            sitter.open_decision.kept = self.running.silence
            self._tell("late", seat, sitter.person, "late-silence")
        else:
            sitter.bot, sitter.passed = row.body["bot"], True
            self._tell("late", seat, sitter.person, "late-bot", bot=Text(f"bots.{row.body['bot']}", {}))

    def _take_back(self, row: Row) -> None:
        """Set the round back to an earlier moment. Decisions since then are marked; asked again, they are new decisions."""
        seat = self._seat(row)
        if not self.match:
            raise Unreplayable("no match is being played")
        before = self.match.round.actions
        round = self.match.take_back(row.body["to"])
        self._packs = len(round.packs)
        for place, sitter in enumerate(self.seats):
            if decision := sitter.open_decision:
                decision.withdrawn = True
            undone = sum(who == place for who, _ in before[len(round.actions) :])
            stood = [decision for decision in sitter.decisions if decision.stands]
            for decision in stood[len(stood) - undone :]:
                decision.taken_back = True
        self.took_back += 1
        self._tell("take-back", seat, self.seats[seat].person, again=Resumed(round, len(round.history)))
        self.took_back_at = self.version(seat)

    def _open(self, row: Row) -> None:
        if not self.match or not self.running.over:
            raise Unreplayable("the round is not over")
        self.match.enter()
        if self.deals is None:
            self._secret = self._commitment = FairDeals(self.root, ()).secret(self.opened)
        self.opened += 1
        self._tell("open", None, None, "" if self._secret else "entered", number=self.opened)
        self._tell_paid()

    def _tell_paid(self) -> None:
        """Add an event of what was left in an account of no seat and has been paid, if anything was."""
        if self.match and self.match.paid_out and not self._told_paid:
            self._told_paid = True
            self._tell("settle", None, text=self.match.paid_out)

    def _end(self, row: Row) -> None:
        pays_out = bool(row.body.get("settled"))  # a match of an older log keeps the ledger that it ended with
        if row.body["why"] == "agreed" and self.match:
            self.match.leave_off(pays_out=pays_out)
        elif self.match and pays_out:
            self.match.settle()
        self._tell_paid()
        self.state, self.why, self.late = "over", row.body["why"], row.body.get("late")
        self._winners, self._record = row.body.get("winners"), row.body.get("record")
        self._result = match_result(self.game.contract, self.match.ledger) if self._winners and self.match else None
        late = None if self.late is None else self.seats[self.late].person
        self._tell("end", None, late, f"end-{self.why}")

    def _clock(self, row: Row) -> None:
        """Move all deadlines by a leap of the server's clock, whose new time was confirmed. Nobody is asked anew."""
        by = row.body["by"]
        self.kept_until += by if self.kept_until else 0
        self.said = {person: [at + by for at in times] for person, times in self.said.items()}
        self._tell("clock", None, moved=by)

    def _rematch(self, row: Row) -> None:
        seat = self._seat(row)
        self.rematch = wire.Rematch(table=row.body["table"], seat=seat)
        self._tell("rematch", seat, self.seats[seat].person)

    def _say(self, row: Row) -> None:
        seat = self._seat(row)
        sitter = self.seats[seat]
        self.said.setdefault(str(sitter.person), []).append(row.at)
        self._tell("say", seat, sitter.person, said=Text(row.body["said"], {}))
        sitter.heard = self.version(seat)

    def _seat(self, row: Row) -> int:
        if row.seat is None or not 0 <= row.seat < len(self.seats):
            raise Unreplayable("there is no such seat")
        return row.seat

    def _follow(self, since: int, at: int) -> None:
        """Make events and rows of the driver's actions, those of the round's history from index `since` on.

        Args:
            since: the length of the round's history before them.
            at: the time, in milliseconds since 1970.
        """
        round = self.running
        done = [{"action": round.action_text(action)} for _, action in round.history[since:]]
        if done and len(round.packs) > self._packs:
            # The first row holds the new packs, so that the deals can be read from the log alone.
            done[0]["packs"] = "/".join(" ".join(map(card_text, pack)) for pack in round.packs[self._packs :])
            self._packs = len(round.packs)
        self._due += done
        self.history.step(at, len(done))

    def _ask(self) -> None:
        """Open a decision for each seat that has something new to choose, and withdraw those that do not stand any more."""
        round = self.round
        if round is None or self.state != "running":
            return
        for seat, sitter in enumerate(self.seats):
            choices = round.legal_for(seat)
            decision = sitter.open_decision
            if decision and decision.choices != choices:
                decision.withdrawn = True
            if choices and sitter.open_decision is None:
                sitter.decisions.append(Decision(self.version(seat), choices))
            if sitter.passed and not choices:
                sitter.bot, sitter.passed = None, False  # the turn that a bot has played for the person is over


_HAPPENINGS: dict[str, Callable[[Transitions, Row], None]] = {
    "make": Transitions._make,
    "sit": Transitions._sit,
    "draw": Transitions._draw,
    "free": Transitions._free,
    "leave": Transitions._leave,
    "hold": Transitions._hold,
    "stall": Transitions._stall,
    "back": Transitions._back,
    "lapse": Transitions._lapse,
    "ready": Transitions._ready,
    "wish": Transitions._wish,
    "round": Transitions._round,
    "play": Transitions._play,
    "take-back": Transitions._take_back,
    "answer": Transitions._answer,
    "late": Transitions._late,
    "open": Transitions._open,
    "end": Transitions._end,
    "clock": Transitions._clock,
    "rematch": Transitions._rematch,
    "say": Transitions._say,
}
KINDS = _HAPPENINGS.keys()  # all kinds of rows. A row of another kind was written by a newer release.
