"""How a table stands: who sits there, what is being played, and how far it has come."""

from __future__ import annotations

from collections import deque
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

Why = Literal["played", "agreed", "abandoned", "void", "restored", "closed"]


class Unreplayable(MekuriError):
    """A log that the present rules do not replay."""


class TableState:
    """How a table stands.

    Attributes:
        id: its name.
        game: what is played.
        match_options: how its matches are played.
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
        day: the day whose deal is played here, of which its people alone are told until that day is over; None for others.
        kept_until: until when seats are kept for those of the match before, in milliseconds since 1970.
        match: the match; None before it begins, and where it no longer replays.
        rematch: the table at which those who sat here play again; None until one of them has asked for it.
        said: when each of its people has said something here, by id, in milliseconds since 1970.
        rounds: how many rounds have begun.
        lapsed: the seats whose bots have lost a turn in the present one.
        opened: of how many rounds the secrets have been opened.
        root: from which its deals, the lots for its seats and its bots' chance come: never shown.
        deals: where its packs come from instead; None for fair deals of its root and the seats' cuts.
        history: what has happened, and who is told of it.
        took_back: how often something has been taken back.
        took_back_at: the version, of whoever has done so, after the last time.
        changed_at: when its last row was written, in milliseconds since 1970.
        fresh: its rows that the log does not have yet.
    """

    game: Game
    match_options: Options
    history: History

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
        self.day: str | None = None
        self.match: Match | None = None
        self.rematch: wire.Rematch | None = None
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
        self._packs = 0  # of the present round that the log has
        self._commitment = "" if deals else commit(root)
        self._secret: str | None = None
        self._winners: list[int] | None = None
        self._result: Text | None = None  # of the match
        self._record: str | None = None
        self._came: dict[str, None] = {}  # those who sit here, in the order in which they came
        self._goes_on = False  # whether it goes on from a match before
        self._lost_count = False  # of what was told of a match that no longer replays
        self._due: deque[dict[str, Any]] = deque()  # what the driver has done and has no rows for yet
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
        """Whether somebody may not look at it yet: what one sees of a deal of the day must not reach those who play it later."""
        if self.day is None or at >= ends(self.day):
            return False
        return person is None or all(sitter.person != person for sitter in self.seats)

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
