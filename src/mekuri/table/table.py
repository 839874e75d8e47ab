"""A table: what the rows of its log come to.

Everything happens to a table through its rows, whether a row is new or is replayed from the log, so both come to the same. New rows
are `fresh` until the log has them; nobody is told of anything before. `commands` holds what people and bots can make happen.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal

from mekuri import games
from mekuri.bots import names_for, usual
from mekuri.cards import card_text
from mekuri.engine.contract import DRIVER, Text
from mekuri.engine.errors import MekuriError, OptionError
from mekuri.engine.options import differing
from mekuri.match.deals import Deals
from mekuri.match.fair import FairDeals, commit, draw_seats
from mekuri.match.game import Game, make_game
from mekuri.match.match import Match
from mekuri.match.round import Round
from mekuri.protocol import table as wire
from mekuri.protocol.view import Ledger
from mekuri.table.history import Again, History
from mekuri.table.log import Row, State
from mekuri.table.names import shown, told_apart
from mekuri.table.refused import Refused
from mekuri.table.seating import PERSON, Decision, Names, Sitter
from mekuri.table.telling import WINDOW_MS, Told, Viewer, with_names

DRAWN = "table.drawn"  # what is told when lots have been drawn for the seats

Why = Literal["played", "agreed", "abandoned", "void", "restored", "closed"]


class Unreplayable(MekuriError):
    """A log that the present rules do not replay."""


class Table:
    """A table.

    Attributes:
        id: its name.
        public: whether it is listed while a seat is free.
        maker: who made it; None for nobody.
        kept_out: the people who may not sit down here.
        seating: whether whoever sits down chooses a seat, or lots are drawn for the seats when everybody is there.
        drawn: the seats for which lots have been drawn; None before, and where none are.
        seats: who sits where.
        names: the names that its people have now, by id. Whoever is not among them is known here no more.
        called: what its people are called here, by id: two who look alike are told apart.
        state: `open` until every seat is taken, then `running`, then `over`.
        why: why it is over.
        first_dealer: who deals first, where a seat was named or the deal passes on from a match before; None for a lot.
        window: how long it waits where silence is an answer, in milliseconds.
        pace: for how long one thing is looked at that happens, in milliseconds; the time of a window begins that much later.
        kept_until: until when seats are kept for those of the match before, in milliseconds since 1970.
        match: the match; None before it begins, and where it no longer replays.
        rematch: the table at which those who sat here play again; None until one of them has asked for it.
        rounds: how many rounds have begun.
        lapsed: the seats whose bots have lost a turn in the present one.
        opened: of how many rounds the secrets have been opened.
        root: from which its deals, the lots for its seats and its bots' chance come: never shown.
        deals: where its packs come from instead; None for fair deals of its root and the seats' cuts.
        history: what has happened, and who is told of it.
        changed_at: when its last row was written, in milliseconds since 1970.
        fresh: its rows that the log does not have yet.
        founded: a table that the fresh rows name; it is written with them.
    """

    def __init__(self, id: str, root: bytes, deals: Deals | None = None, names: Names | None = None) -> None:
        self.id = id
        self.public = False
        self.maker: str | None = None
        self.kept_out: set[str] = set()
        self.seating: wire.Seating = "order"
        self.drawn: tuple[int, ...] | None = None
        self.seats: list[Sitter] = []
        self.names: dict[str, str] = {}
        self.called: dict[str, str] = {}
        self.state: State = "open"
        self.why: Why | None = None
        self.first_dealer: int | None = None
        self.kept_until = 0
        self.window = WINDOW_MS
        self.pace = 0
        self.match: Match | None = None
        self.rematch: wire.Rematch | None = None
        self.rounds = 0
        self.lapsed: set[int] = set()
        self.opened = 0
        self.changed_at = 0
        self.fresh: list[Row] = []
        self.founded: Table | None = None
        self.root = root
        self.deals = deals
        self._rows = 0
        self._packs = 0  # of the present round that the log has
        self._commitment = "" if deals else commit(root)
        self._secret: str | None = None
        self._winners: list[int] | None = None
        self._record: str | None = None
        self._came: dict[str, None] = {}  # those who sit here, in the order in which they came
        self._goes_on = False  # whether it goes on from a match before
        self._lost_count = False  # of what was told of a match that no longer replays
        self._due: deque[dict[str, Any]] = deque()  # what the driver has done and has no rows for yet
        self.learn(names or {})

    @classmethod
    def load(cls, id: str, root: bytes, rows: Iterable[Row], deals: Deals | None = None, names: Names | None = None) -> Table:
        """The table that a log comes to. Raises Unreplayable where the present rules do not lead through it."""
        table = cls(id, root, deals, names)
        table.catch_up(rows)
        if table._due:
            raise Unreplayable("the log breaks off amid what belongs together")
        return table

    @classmethod
    def stopped(cls, id: str, root: bytes, rows: Sequence[Row], names: Names | None = None) -> Table:
        """A table whose match no longer replays: who sat there and how it ended are kept, the cards are not looked at."""
        table = cls(id, root, names=names)
        for row in rows:
            if row.kind == "make":
                table.maker = row.person
                try:
                    table._make(row)
                except OptionError:
                    # Its options or its number of seats are among what the present rules have no more.
                    table._set_up({**row.body, "match_options": {}}, make_game(row.body["game"], "default", None, {}))
            elif row.kind in ("sit", "draw", "free", "leave", "hold", "back", "end", "rematch"):
                table._happen(row)
            else:
                # All other rows are those of a match that has begun.
                table.state = "running"
                table.rounds += row.kind == "round"
        table._rows, table._lost_count = len(rows), True
        if table.state != "over":
            table.add("end", {"why": "void"}, rows[-1].at)
        return table

    @property
    def round(self) -> Round | None:
        """The round being played, or just finished."""
        return self.match.round if self.match else None

    @property
    def running(self) -> Round:
        """The round being played. Raises Refused where no match is."""
        if self.state != "running" or not self.match:
            raise Refused("not-running")
        return self.match.round

    def learn(self, names: Mapping[str, str | None]) -> None:
        """People have these names now; None where they are known here no more."""
        for person, name in names.items():
            self.names.pop(person, None)
            if name is not None:
                self.names[person] = name
        self._call()

    def _call(self) -> None:
        self.called.clear()  # the history has it, too
        for person in dict.fromkeys([*self._came, *self.names]):
            if person in self.names:
                self.called[person] = told_apart(shown(self.names[person]), self.called.values())

    def label(self, seat: int) -> str:
        """What records call whoever sits in a seat."""
        return self.seats[seat].label(self.called)

    @property
    def agreed(self) -> bool:
        """Whether everybody who is there would have the finished round be the last."""
        there = [sitter for sitter in self.seats if sitter.bot is None]
        return bool(there) and all(sitter.enough for sitter in there)

    @property
    def lone(self) -> bool:
        """Whether one person plays here, with bots alone."""
        return self.state == "running" and sum(sitter.person is not None for sitter in self.seats) == 1

    @property
    def resting(self) -> bool:
        """Whether the round is over and opened, and the next one waits for the people."""
        return self.state == "running" and self.opened == self.rounds

    @property
    def to_draw(self) -> list[int]:
        """The seats for which lots are still to be drawn. After a match before, bots and whoever comes back stay where they sat."""
        if self.seating != "lot" or self.state != "open" or self.drawn is not None:
            return []
        return [
            seat for seat, sitter in enumerate(self.seats) if not sitter.stays and not (self._goes_on and sitter.kind != PERSON)
        ]

    # --- Rows ---

    def add(self, kind: str, body: dict[str, Any], at: int, seat: int | None = None, **more: Any) -> None:
        """Make something happen, and note it and what the driver did after it in fresh rows."""
        row = Row(n=self._rows, kind=kind, seat=seat, body=body, at=at, **more)
        self._happen(row)
        self._note(row)
        while self._due:
            self._note(Row(n=self._rows, kind="play", seat=DRIVER, body=self._due.popleft(), at=at))

    def draw(self, at: int) -> None:
        """Draw lots for the seats, from the secret of the first round and the cuts of all who wait."""
        seats = self.to_draw
        # In the order of their cuts, so that it means nothing who came when, and the record proves it.
        waiting = sorted(seats, key=lambda seat: self.seats[seat].cut)
        lots = draw_seats(seats, FairDeals(self.root, [sitter.cut for sitter in self.seats]).seats())
        self.add("draw", {"from": [waiting[lots.index(seat)] for seat in seats], "seats": seats}, at)

    def _note(self, row: Row) -> None:
        self.fresh.append(row)
        self._rows += 1

    def catch_up(self, rows: Iterable[Row]) -> None:
        """Go through rows that the log has and this table has not. Raises Unreplayable where they do not fit."""
        for row in rows:
            if row.n < self._rows:
                continue
            if row.n > self._rows:
                raise Unreplayable(f"row {self._rows} of the log is missing")
            try:
                self._replay(row)
            except (ValueError, LookupError, TypeError, AttributeError, AssertionError) as error:
                raise Unreplayable(f"row {row.n} of the log: {error}") from error
            self._rows += 1

    def _replay(self, row: Row) -> None:
        if row.kind == "play" and row.seat == DRIVER:
            if not self._due or self._due.popleft() != row.body:
                raise Unreplayable("the table would not do this by itself")
        elif self._due:
            raise Unreplayable("the table would do something else first")
        else:
            self._happen(row)

    def _happen(self, row: Row) -> None:
        """Let a row happen. What the driver does after it is due as rows of its own."""
        self.changed_at = row.at
        _HAPPENINGS[row.kind](self, row)
        self._ask()

    # --- What each kind of row does ---

    def _make(self, row: Row) -> None:
        self.maker, body = row.person, row.body
        options = games.find(body["game"]).as_given(int(body["version"]), body["options"])
        self._set_up(body, make_game(body["game"], "default", len(body["seats"]), options))

    def _set_up(self, body: dict[str, Any], made: Game) -> None:
        self.game = made
        self.match_options = made.match_options(body["match_options"])
        self.public = bool(body["public"])
        self.seating = body.get("seating", "order")  # which older logs do not say
        self.seats = [Sitter(kind, bot=None if kind == PERSON else kind) for kind in body["seats"]]
        after = body.get("after", {})
        self._goes_on = bool(after)
        self.first_dealer = body.get("first_dealer", after.get("first_dealer"))
        self.kept_until = after.get("kept_until", 0)
        for sitter, kept_for in zip(self.seats, after.get("kept_for", ()), strict=False):
            sitter.kept_for = kept_for
        self.window = body.get("window", WINDOW_MS)
        self.pace = body.get("pace", 0)  # which older logs do not say
        self.history = History(self.id, len(self.seats), self.window, self.pace, self.called)

    def _sit(self, row: Row) -> None:
        seat = self._seat(row)
        sitter = self.seats[seat]
        sitter.person, sitter.cut = row.person, row.body["cut"]
        self._came[str(row.person)] = None
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
        """The seat of somebody is freed. To whoever looks on, that is how one leaves."""
        seat = self._seat(row)
        sitter = self.seats[seat]
        person = sitter.person
        if row.body["keep_out"] and person:
            self.kept_out.add(person)
        self._stand_up(sitter)
        self._tell("leave", seat, person, "freed")

    def _stand_up(self, sitter: Sitter) -> None:
        """Somebody stands up from a table that waits for players."""
        self._came.pop(str(sitter.person), None)
        sitter.stand_up()
        self._call()

    def _leave(self, row: Row) -> None:
        seat = self._seat(row)
        sitter = self.seats[seat]
        person = sitter.person
        if self.state == "open":
            self._stand_up(sitter)
        else:
            sitter.bot, sitter.left = usual(self.game.contract), True
        self._tell("leave", seat, person)

    def _hold(self, row: Row) -> None:
        seat = self._seat(row)
        self.seats[seat].bot = row.body["bot"]
        self._tell("hold", seat, self.seats[seat].person, bot=Text(f"bots.{row.body['bot']}", {}))

    def _back(self, row: Row) -> None:
        seat = self._seat(row)
        self.seats[seat].bot, self.seats[seat].left = None, False
        self._tell("back", seat, self.seats[seat].person)

    def _lapse(self, row: Row) -> None:
        """A bot has lost its turn to another. While what seats do is hidden, so is how often they do something: it is told once."""
        seat = self._seat(row)
        if seat not in self.lapsed or not self.running.secret:
            self.lapsed.add(seat)
            self._tell("lapse", seat, bot=self._bot(row.body["bot"]), other=self._bot(row.body["by"]))

    def _bot(self, bot: str) -> Text | str:
        """What a bot is called; by its own name where it is not here any more."""
        return Text(f"bots.{bot}", {}) if bot in names_for(self.game.contract) else bot

    def _ready(self, row: Row) -> None:
        seat = self._seat(row)
        sitter = self.seats[seat]
        sitter.ready, sitter.enough = True, bool(row.body.get("enough"))
        self._tell("ready", seat, sitter.person, "enough" if sitter.enough else "")

    def _round(self, row: Row) -> None:
        if self.match is None:
            deals = self.deals or FairDeals(self.root, [sitter.cut for sitter in self.seats])
            players = [self.label(seat) for seat in range(len(self.seats))]
            self.match = Match(self.game, self.match_options, deals, players, first_dealer=self.first_dealer, drawn=self.drawn)
            self.state = "running"
        elif not self.resting or not self.match.next_round():
            raise Unreplayable("no round begins here")
        for sitter in self.seats:
            sitter.ready = sitter.enough = False
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
        done = len(round.history)
        round.play(row.body["action"], seat)
        decision.action = row.body["action"]
        self.history.step(row.at)
        decision.answered = self.version(seat)
        self._follow(done + 1, row.at)
        decision.settled = self.version(seat)

    def _open(self, row: Row) -> None:
        if not self.match or not self.running.over:
            raise Unreplayable("the round is not over")
        self.match.enter()
        if self.deals is None:
            self._secret = self._commitment = FairDeals(self.root, ()).secret(self.opened)
        self.opened += 1
        self._tell("open", None, None, "" if self._secret else "entered", number=self.opened)

    def _end(self, row: Row) -> None:
        if row.body["why"] == "agreed" and self.match:
            self.match.leave_off()
        self.state, self.why = "over", row.body["why"]
        self._winners, self._record = row.body.get("winners"), row.body.get("record")
        self._tell("end", None, None, f"end-{self.why}")

    def _rematch(self, row: Row) -> None:
        seat = self._seat(row)
        self.rematch = wire.Rematch(table=row.body["table"], seat=seat)
        self._tell("rematch", seat, self.seats[seat].person)

    def _seat(self, row: Row) -> int:
        if row.seat is None or not 0 <= row.seat < len(self.seats):
            raise Unreplayable("there is no such seat")
        return row.seat

    def _follow(self, since: int, at: int) -> None:
        """Tell what the driver has done since the round's history was so long, and note which rows that needs."""
        round = self.running
        done = [{"action": round.action_text(action)} for _, action in round.history[since:]]
        if done and len(round.packs) > self._packs:
            # With the first of them stand the packs that it was done with, so that the log alone tells the deals.
            done[0]["packs"] = "/".join(" ".join(map(card_text, pack)) for pack in round.packs[self._packs :])
            self._packs = len(round.packs)
        self._due += done
        self.history.step(at, len(done))

    def _ask(self) -> None:
        """Note which seats are asked something new, and which are asked no more what they were asked."""
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

    # --- Telling ---

    def _tell(self, kind: wire.Kind, by: int | None, person: str | None = None, text: str = "", **args: Any) -> None:
        """Tell of something about the table, which somebody may have done."""
        said = Text(f"table.{text or kind}", args)
        self.history.tell(Told(self.changed_at, kind, by, said, person, self._head(), self._ledger()))

    def _ledger(self) -> Ledger:
        if self.match is None:
            return Ledger([], {})
        return Ledger([dict(accounts) for accounts in self.match.ledger], dict(self.match.house))

    def version(self, viewer: Viewer) -> int:
        """How many things a viewer has seen happen at this table."""
        return self.history.version(viewer)

    @property
    def closes(self) -> int | None:
        """When silence counts as an answer, in milliseconds since 1970; None where the table waits."""
        return self.history.closes

    @property
    def unspoken(self) -> str | None:
        """The word that nobody may say while the table waits, since silence alone means it; None where all may be said."""
        return self.history.unspoken

    @property
    def head(self) -> wire.Head:
        """What is known of the table beside the cards."""
        return with_names(self._head(), self.called)

    def _head(self) -> wire.Head:
        to_draw = self.to_draw
        return wire.Head(
            state=self.state,
            why=self.why,
            round=self.rounds,
            seats=[sitter.told(seat, seat in to_draw) for seat, sitter in enumerate(self.seats)],
            commitment=self._commitment,
            secret=self._secret,
            cuts=[sitter.cut for sitter in self.seats] if self.match else [],
            winners=self._winners,
            rematch=self.rematch,
            maker=next((seat for seat, sitter in enumerate(self.seats) if sitter.person and sitter.person == self.maker), None),
        )

    def whole(self, viewer: Viewer, presence: list[wire.Presence]) -> wire.Table:
        """The table as a viewer sees it."""
        return wire.Table(
            id=self.id,
            game=self.game.id,
            ruleset=self.game.version,
            options=differing(self.game.options),
            match_options=differing(self.match_options),
            length=self.game.contract.length(self.match_options, self.game.seats),
            public=self.public,
            seating=self.seating,
            first_dealer=self.first_dealer,
            version=self.version(viewer),
            you=viewer,
            head=self.head,
            presence=presence,
            view=self.history.view(viewer) if self.match else None,
        )

    def again(self, viewer: Viewer, since: int) -> Again | None:
        """What a viewer has seen happen after a version; None where that is too much to tell, or cannot be told any more."""
        return None if self._lost_count else self.history.since(viewer, since)

    def events(self, viewer: Viewer, since: int) -> list[wire.Event] | None:
        """The same, told at once."""
        again = self.again(viewer, since)
        return again.tell() if again else None

    def replay(self, viewer: Viewer, number: int) -> Again:
        """A finished round, from 1, as a viewer saw it. Raises Refused where there is none."""
        if not self.match or not 1 <= number <= self.rounds:
            raise Refused("no-such-round")
        if number > self.opened:
            raise Refused("round-running")
        return self.history.round(viewer, number)

    @property
    def record(self) -> str:
        """The record of a match that is over, as JSON. Raises Refused before."""
        if self.state != "over":
            raise Refused("not-over")
        if self._record is None:
            raise Refused("not-running")
        # The log holds nobody's name.
        told = json.loads(self._record) | {"players": [self.label(seat) for seat in range(len(self.seats))]}
        return json.dumps(told, ensure_ascii=False, indent=1)


_HAPPENINGS: dict[str, Callable[[Table, Row], None]] = {
    "make": Table._make,
    "sit": Table._sit,
    "draw": Table._draw,
    "free": Table._free,
    "leave": Table._leave,
    "hold": Table._hold,
    "back": Table._back,
    "lapse": Table._lapse,
    "ready": Table._ready,
    "round": Table._round,
    "play": Table._play,
    "open": Table._open,
    "end": Table._end,
    "rematch": Table._rematch,
}
