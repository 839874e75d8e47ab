"""The state of a table, and the values that are derived from it.

A table changes through rows alone, new ones and those replayed from the log, so that both lead to the same state:
`mekuri.table.rows` adds and replays rows, `mekuri.table.transitions` applies one. `mekuri.table.showing` makes what a viewer sees.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from mekuri.engine.contract import Text
from mekuri.engine.options import Options
from mekuri.match.daily import ends
from mekuri.match.deals import Deals
from mekuri.match.fair import commit
from mekuri.match.game import Game
from mekuri.match.match import Match
from mekuri.match.round import Round
from mekuri.protocol import table as wire
from mekuri.table.errors import ProblemError
from mekuri.table.events import Viewer, with_names
from mekuri.table.history import History
from mekuri.table.log import Row, State
from mekuri.table.names import made_distinct, shown
from mekuri.table.seating import PERSON, Sitter

Why = Literal["played", "agreed", "abandoned", "void", "restored", "closed", "late", "stalled"]


@dataclass
class People:
    """What people have done at a table beside playing, by their ids.

    Attributes:
        came: the people who sit here, in the order in which they sat down. The values are not used.
        comings: how often each person has sat down here, or come back after leaving.
        said: the times at which each person said a phrase, in milliseconds since 1970.
        kept_out: the people who may not sit down here.
        freed: the seats that the maker has freed, and whether their people were kept out, by the version of the table before it;
            None for whether if it was the maker's own seat.
    """

    came: dict[str, None] = field(default_factory=dict)
    comings: Counter[str] = field(default_factory=Counter)
    said: dict[str, list[int]] = field(default_factory=dict)
    kept_out: set[str] = field(default_factory=set)
    freed: dict[int, tuple[int, bool | None]] = field(default_factory=dict)


@dataclass
class InRound:
    """The state of a table that begins anew with each round.

    Attributes:
        packs: the number of packs of the round that the log has.
        lapsed: the seats whose bots have lost a turn.
        wished: whether a person has asked the others to end the match. Rows of older logs do not ask them.
    """

    packs: int = 0
    lapsed: set[int] = field(default_factory=set)
    wished: bool = False


@dataclass(frozen=True)
class Ending:
    """The end of a table.

    Attributes:
        why: the reason.
        winners: the seats in first place; None where the match was not played to an end.
        record: the record of the match as JSON, without people's names; None where no match was played.
        result: the winner and the margin; None where there is none.
        late: the seat whose passed term has ended the match; None for none.
    """

    why: Why
    winners: list[int] | None = None
    record: str | None = None
    result: Text | None = None
    late: int | None = None


@dataclass(eq=False, repr=False)
class Table:
    """The state of a table. Its `repr` leaves out the secret `root`.

    Attributes:
        id: the table's id.
        root: the 32 secret bytes from which its deals, its lots and its bots' chance are derived. They are never sent.
        deals: the source of its packs; None for fair deals from its root and the seats' cuts.
        game: the game and its options.
        match_options: the options of the match.
        entry: the id of the entry of the game under whose name it is played; None for the game's own name.
        history: the history of its events.
        maker: the id of the person who made it; None if no person did.
        public: whether it is listed while a seat is free.
        seating: `order` where people choose their seats, `lot` where lots are drawn for them when all are taken.
        first_dealer: the seat that deals the first round, where one was named or follows from the former match; None for a lot.
        term: the term of each decision, where the table is played turn by turn; None where people play at the same time.
        day: the day whose deal is played here, such as `2026-11-24`; None for any other deal. See `sealed`.
        goes_on: whether this is a rematch.
        kept_until: the end of the time in which seats are kept for people of the former match, in milliseconds since 1970.
        seats: the seats in playing order.
        drawn: the seats for which lots have been drawn; None before, and where none are drawn.
        names: the present names of its people, by their ids. A person without an entry has deleted their account.
        called: the names by which its people are shown here, by their ids: names that look alike have numbers.
        people: what people have done here beside playing.
        match: the match; None before it begins, and where it no longer replays.
        rounds: the number of rounds that have begun.
        opened: the number of rounds whose secrets have been opened.
        in_round: the state that begins anew with each round.
        commitment: the SHA-256, in hex, of the secret of the next round to be opened; empty without fair deals.
        secret: the secret that was opened last, in hex; None before.
        took_back: how often actions have been taken back.
        took_back_at: the version, after the last take-back, of the seat that took back; 0 before.
        ending: how the table has ended; None before.
        rematch: the table of the rematch; None until a player has asked for one.
        changed_at: when its last row was made, in milliseconds since 1970.
        rows: the number of its rows, fresh ones included.
        fresh: its rows that are not in the log yet.
        driven: bodies of rows for the driver's actions that have no rows yet.
        founded: the new table of a rematch that a fresh row names. Both are written to the log together. None for none.
    """

    id: str
    root: bytes
    deals: Deals | None = None

    game: Game = field(init=False)
    match_options: Options = field(init=False)
    entry: str | None = None
    history: History = field(init=False)
    maker: str | None = None
    public: bool = False
    seating: wire.Seating = "order"
    first_dealer: int | None = None
    term: wire.Term | None = None
    day: str | None = None
    goes_on: bool = False
    kept_until: int = 0

    seats: list[Sitter] = field(default_factory=list)
    drawn: tuple[int, ...] | None = None
    names: dict[str, str] = field(default_factory=dict)
    called: dict[str, str] = field(default_factory=dict)
    people: People = field(default_factory=People)

    match: Match | None = None
    rounds: int = 0
    opened: int = 0
    in_round: InRound = field(default_factory=InRound)
    commitment: str = field(init=False)
    secret: str | None = None
    took_back: int = 0
    took_back_at: int = 0
    ending: Ending | None = None
    rematch: wire.Rematch | None = None

    changed_at: int = 0
    rows: int = 0
    fresh: list[Row] = field(default_factory=list)
    driven: deque[dict[str, Any]] = field(default_factory=deque)
    founded: Table | None = None

    def __post_init__(self) -> None:
        """Make the commitment to the root."""
        self.commitment = "" if self.deals else commit(self.root)

    @property
    def state(self) -> State:
        """`open` until every seat is taken, then `running`, then `over`."""
        if self.ending:
            return "over"
        return "running" if self.rounds else "open"

    @property
    def why(self) -> Why | None:
        """The reason why the table is over; None before."""
        return self.ending.why if self.ending else None

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

        A deal of the day is shown only to the people at its table until that day is over, as others have yet to play it.

        Args:
            person: the person's id; None for a spectator.
            at: the time, in milliseconds since 1970.
        """
        if self.day is None or at >= ends(self.day):
            return False
        return person is None or all(sitter.person != person for sitter in self.seats)

    def label(self, seat: int) -> str:
        """Return the name of a seat in a record: the person's name, or the id of the bot for which it is."""
        return self.seats[seat].label(self.called)

    @property
    def agreed(self) -> bool:
        """Whether people play now, and all of them want the finished round to be the last."""
        players = [sitter for sitter in self.seats if sitter.bot is None]
        return bool(players) and all(sitter.enough for sitter in players)

    @property
    def wish(self) -> bool:
        """Whether a person who plays now has asked the others to end the match after the finished round."""
        return self.in_round.wished and any(sitter.enough and sitter.bot is None for sitter in self.seats)

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
        return [seat for seat, sitter in enumerate(self.seats) if not sitter.stays and not (self.goes_on and sitter.kind != PERSON)]

    def version(self, viewer: Viewer) -> int:
        """Return the number of events of this table that a viewer has got."""
        return self.history.now.versions[viewer]

    @property
    def closes(self) -> int | None:
        """When the open window closes and silence counts as an answer, in milliseconds since 1970; None where none is open."""
        return self.history.now.closes

    @property
    def due(self) -> int | None:
        """The deadline of the seats that are asked, in milliseconds since 1970; None without a term, and where none is asked."""
        return self.history.now.due if self.state == "running" and self.term else None

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
        """When the table asked for what it waits for now, as all viewers know it, in milliseconds since 1970."""
        return self.history.now.asked

    @property
    def waited_for(self) -> list[int]:
        """The seats for which the table waits, as all viewers know it."""
        if self.resting:
            return self.waiting
        return [*self.history.now.shown_waiting] if self.state == "running" else []

    @property
    def head(self) -> wire.Head:
        """The public data of the table except the round: its seats, state, commitment and result."""
        return with_names(self.head_of_ids, self.called)

    @property
    def head_of_ids(self) -> wire.Head:
        """The head with people's ids in place of their names."""
        to_draw, ending = self.to_draw, self.ending
        return wire.Head(
            state=self.state,
            why=self.why,
            round=self.rounds,
            seats=[sitter.to_wire(seat, seat in to_draw, self.waits(seat)) for seat, sitter in enumerate(self.seats)],
            commitment=self.commitment,
            secret=self.secret,
            cuts=[sitter.cut for sitter in self.seats] if self.match else [],
            winners=ending.winners if ending else None,
            rematch=self.rematch,
            practice=self.took_back > 0,
            result=ending.result if ending else None,
            late=ending.late if ending else None,
            maker=next((seat for seat, sitter in enumerate(self.seats) if sitter.person and sitter.person == self.maker), None),
        )


def learn(table: Table, names: Mapping[str, str | None]) -> None:
    """Set people's present names, by their ids; None for a person who has deleted their account."""
    for person, name in names.items():
        table.names.pop(person, None)
        if name is not None:
            table.names[person] = name
    number_names(table)


def number_names(table: Table) -> None:
    """Set the names by which the table's people are shown, after people or their names have changed."""
    table.called.clear()  # not replaced, since the history holds the same dictionary
    for person in dict.fromkeys([*table.people.came, *table.names]):
        if person in table.names:
            table.called[person] = made_distinct(shown(table.names[person]), table.called.values())
