"""The state of a table: its seats, its options, its match, its history and its rows that are not in the log yet."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Mapping
from typing import Any, Literal

from mekuri.engine.contract import Text
from mekuri.engine.errors import MekuriError
from mekuri.engine.options import Options
from mekuri.match.daily import ends
from mekuri.match.deals import Deals
from mekuri.match.fair import commit
from mekuri.match.game import Game
from mekuri.match.match import Match
from mekuri.match.round import Round
from mekuri.protocol import table as wire
from mekuri.table.errors import ProblemError
from mekuri.table.events import WINDOW_MS, Viewer
from mekuri.table.history import History
from mekuri.table.log import Row, State
from mekuri.table.names import shown, told_apart
from mekuri.table.seating import PERSON, Names, Sitter

Why = Literal["played", "agreed", "abandoned", "void", "restored", "closed", "late", "stalled"]
DAY_MS = 86_400_000


class Unreplayable(MekuriError):
    """The rows of a log cannot be replayed by the present rules."""


class TableState:
    """The state of a table.

    Attributes:
        id: the table's id.
        game: the game and its options.
        match_options: the options of the match.
        public: whether it is listed while a seat is free.
        maker: the id of the person who made it; None for nobody.
        kept_out: the ids of people who may not sit down here.
        freed: the seats that the maker has freed, and whether their people were kept out, by the version of the table before it;
            None for whether where it was the maker's own seat.
        seating: `order` where people choose their seats, `lot` where lots are drawn for them when all are taken.
        drawn: the seats for which lots have been drawn; None before, and where none are drawn.
        seats: the seats in playing order.
        names: the present names of its people, by their ids. A person without an entry has had their account deleted.
        called: the names by which its people are shown here, by their ids: names that look alike have numbers.
        state: `open` until every seat is taken, then `running`, then `over`.
        why: the reason why it is over; None before.
        first_dealer: the seat that deals the first round, where one was named or follows from the former match; None for a lot.
        window: the length of a window, in milliseconds.
        pace: the time in which a page shows one event, in milliseconds; a window begins when all events have been shown.
        term: the term of each decision, where the table is played turn by turn; None where people play at the same time.
        late: the seat whose passed term has ended the match; None for none.
        day: the day whose deal is played here, such as `2026-11-24`; None for any other deal. See `sealed`.
        kept_until: until when seats are kept for people of the former match, in milliseconds since 1970.
        match: the match; None before it begins, and where it no longer replays.
        rematch: the table of the rematch; None until somebody has asked for one.
        comings: how often each person has sat down here, or come back after leaving, by the person's id.
        said: the times at which each person said a phrase, by the person's id, in milliseconds since 1970.
        rounds: the number of rounds that have begun.
        lapsed: the seats whose bots have lost a turn in the present round.
        opened: the number of rounds whose secrets have been opened.
        root: the 32 secret bytes from which its deals, its lots and its bots' chance are derived. They are sent to nobody.
        deals: the source of its packs; None for fair deals from its root and the seats' cuts.
        history: the history of its events.
        took_back: how often actions have been taken back.
        took_back_at: the version, after the last take-back, of the seat that took back; 0 before.
        changed_at: when its last row was made, in milliseconds since 1970.
        fresh: its rows that are not in the log yet.
    """

    game: Game
    match_options: Options
    history: History

    def __init__(self, id: str, root: bytes, deals: Deals | None = None, names: Names | None = None) -> None:
        self.id = id
        self.public = False
        self.maker: str | None = None
        self.kept_out: set[str] = set()
        self.freed: dict[int, tuple[int, bool | None]] = {}
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
        self.term: wire.Term | None = None
        self.late: int | None = None
        self.day: str | None = None
        self.match: Match | None = None
        self.rematch: wire.Rematch | None = None
        self.comings: Counter[str] = Counter()
        self.said: dict[str, list[int]] = {}
        self.rounds = 0
        self.lapsed: set[int] = set()
        self.opened = 0
        self.took_back = 0
        self.took_back_at = 0
        self.changed_at = 0
        self.fresh: list[Row] = []
        self.root = root
        self.deals = deals
        self._rows = 0
        self._packs = 0  # the number of packs of the present round that the log has
        self._commitment = "" if deals else commit(root)
        self._secret: str | None = None
        self._winners: list[int] | None = None
        self._result: Text | None = None  # of the match
        self._record: str | None = None
        self._wished = False  # whether the others are asked to end the match here: older logs have wishes that ask nobody
        self._told_paid = False  # whether an event has said who was paid at the end of the match
        self._came: dict[str, None] = {}  # the ids of people who sit here, in the order in which they sat down
        self._goes_on = False  # whether this is a rematch
        self._lost_count = False  # whether the match no longer replays, so that its events are lost
        self._due: deque[dict[str, Any]] = deque()  # bodies of rows for the driver's actions that have no rows yet
        self.learn(names or {})

    @property
    def round(self) -> Round | None:
        """The round being played, or just finished."""
        return self.match.round if self.match else None

    @property
    def running(self) -> Round:
        """The round being played. Raises ProblemError where no match is."""
        if self.state != "running" or not self.match:
            raise ProblemError("not-running")
        return self.match.round

    def sealed(self, person: str | None, at: int) -> bool:
        """Return whether a person may not watch this table yet.

        A deal of the day is shown to the people at its table alone until that day is over, as others have yet to play it.

        Args:
            person: the person's id; None for anybody.
            at: the time, in milliseconds since 1970.
        """
        if self.day is None or at >= ends(self.day):
            return False
        return person is None or all(sitter.person != person for sitter in self.seats)

    def learn(self, names: Mapping[str, str | None]) -> None:
        """Set people's present names, by their ids; None for a person whose account has been deleted."""
        for person, name in names.items():
            self.names.pop(person, None)
            if name is not None:
                self.names[person] = name
        self._call()

    def _call(self) -> None:
        self.called.clear()  # not replaced, since the history holds the same dictionary
        for person in dict.fromkeys([*self._came, *self.names]):
            if person in self.names:
                self.called[person] = told_apart(shown(self.names[person]), self.called.values())

    def label(self, seat: int) -> str:
        """Return the name of a seat in a record: the person's name, or the id of the bot for which it is."""
        return self.seats[seat].label(self.called)

    @property
    def agreed(self) -> bool:
        """Whether all people who play now, of whom there is one at least, want the finished round to be the last."""
        there = [sitter for sitter in self.seats if sitter.bot is None]
        return bool(there) and all(sitter.enough for sitter in there)

    @property
    def wish(self) -> bool:
        """Whether a person who plays now has asked the others to end the match after the finished round."""
        return self._wished and any(sitter.enough and sitter.bot is None for sitter in self.seats)

    def waits(self, seat: int) -> bool:
        """Return whether the next round must wait for a seat: its person is not ready, or has not answered a wish."""
        sitter = self.seats[seat]
        return sitter.bot is None and (not sitter.ready or (self.wish and not sitter.enough))

    @property
    def waiting(self) -> list[int]:
        """The seats for which the next round must wait."""
        return [seat for seat in range(len(self.seats)) if self.waits(seat)]

    @property
    def lone(self) -> bool:
        """Whether the match is running with one person alone, against bots."""
        return self.state == "running" and sum(sitter.person is not None for sitter in self.seats) == 1

    @property
    def resting(self) -> bool:
        """Whether the round is over and its secret opened, so that the table waits until people are ready for the next round."""
        return self.state == "running" and self.opened == self.rounds

    @property
    def to_draw(self) -> list[int]:
        """The seats for which lots are still to be drawn. In a rematch, bots and people who come back keep their seats."""
        if self.seating != "lot" or self.state != "open" or self.drawn is not None:
            return []
        return [
            seat for seat, sitter in enumerate(self.seats) if not sitter.stays and not (self._goes_on and sitter.kind != PERSON)
        ]

    def version(self, viewer: Viewer) -> int:
        """Return the number of events of this table that a viewer has got."""
        return self.history.version(viewer)

    @property
    def closes(self) -> int | None:
        """When the open window closes and silence counts as an answer, in milliseconds since 1970; None where none is open."""
        return self.history.closes

    @property
    def due(self) -> int | None:
        """Until when those who are asked may take, in milliseconds since 1970; None without a term, and where nobody is asked."""
        return self.history.due if self.state == "running" and self.term else None

    @property
    def owing(self) -> list[int]:
        """The seats of people for whom a table waits that is played turn by turn, in the order of their turns."""
        if self.due is None or self.round is None:
            return []
        if self.resting:
            return self.waiting
        return [seat for seat in self.round.waiting_in_turn if self.seats[seat].owes]

    @property
    def asked(self) -> int:
        """When the table asked for what it waits for now, as everybody knows it, in milliseconds since 1970."""
        return self.history.asked

    @property
    def waited_for(self) -> list[int]:
        """The seats for which the table waits, as everybody knows it."""
        if self.resting:
            return self.waiting
        return [*self.history.shown_waiting] if self.state == "running" else []

    @property
    def unspoken(self) -> str | None:
        """The action that nobody may send while a window is open, because only silence stands for it; None where there is none."""
        return self.history.unspoken
