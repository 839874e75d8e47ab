"""The events of a table, made for each viewer from what happened in its rounds and around them.

The events of one viewer are the same bytes whenever they are made, except that people have the names that they have now. A viewer
is a seat, or None for all spectators.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

import msgspec

from mekuri.engine.contract import Text
from mekuri.engine.fields import RoundState
from mekuri.match.round import Chronicle, Round
from mekuri.match.view import View
from mekuri.protocol import table as wire
from mekuri.table.seating import GONE, Names, named

Viewer = int | None

UNTIMED_MS = 1 << 40  # the length of a window that closes only when all have answered, for people who share a screen
WINDOW_MS = 8000  # the default length of a window, in milliseconds: after it, silence counts as an answer
_BEHIND = 24  # events by which a page's animation lags at most: where more are waiting, it shows all of them at once
_DEALT = 16  # cards that a page deals in the time in which it shows one event


class Step(NamedTuple):
    """One step of the chapter's round, and its time in milliseconds since 1970."""

    at: int


class Resumed(NamedTuple):
    """A round that is played on from an earlier moment, because actions were taken back.

    Attributes:
        round: the round as it is played from that moment.
        steps: the number of steps that it had at that moment.
    """

    round: Round
    steps: int


class Ledger(NamedTuple):
    """The accounts of a match.

    Attributes:
        seats: for each seat its accounts, by name.
        accounts: the accounts that belong to no seat, by name.
    """

    seats: tuple[dict[str, int], ...]
    accounts: dict[str, int]


@dataclass(frozen=True)
class TableEvent:
    """Something that happened at the table outside the play of a round, such as a person who sits down.

    Attributes:
        at: the time, in milliseconds since 1970.
        kind, seat, text: as in `mekuri.protocol.table.Event`.
        person: the id of the person whose name is the argument `name` of the text; None where the text has no such argument.
        head: the table's head after it, with people's ids in place of their names.
        ledger: the accounts after it.
        again: the earlier moment from which the round goes on after a take-back; None for all other kinds.
        only: the only seat that gets this event; None where all viewers get it.
        moved: by how many milliseconds all deadlines move with it: by a leap of the server's clock.
        asks: whether people are asked something new, as after the kinds in `_ASKING`.
    """

    at: int
    kind: wire.Kind
    seat: int | None
    text: Text
    person: str | None
    head: wire.Head
    ledger: Ledger
    again: Resumed | None = None
    only: int | None = None
    moved: int = 0
    asks: bool = False


@dataclass
class Chapter:
    """One round, and all that happened from its beginning until the next begins; the first chapter comes before any round.

    Attributes:
        round: the chapter's round; None in the first chapter.
        versions: each viewer's version before the chapter.
        entries: the steps of the round and the events about the table, in order.
    """

    round: Round | None
    versions: dict[Viewer, int]
    entries: list[Step | TableEvent] = field(default_factory=list)


@dataclass(frozen=True)
class Source:
    """The settings of a table from which its events are made.

    Attributes:
        table: the table's id.
        names: people's names by their ids.
        window: the length of a window, in milliseconds.
        pace: the time in which a page shows one event, in milliseconds. A window begins when all events have been shown.
        term: the term of each decision, in milliseconds, at a table that is played turn by turn; None elsewhere.
    """

    table: str
    names: Names
    window: int = WINDOW_MS
    pace: int = 0
    term: int | None = None

    @property
    def untimed(self) -> bool:
        """Whether windows have no time limit of their own. Then silence must be said."""
        return self.term is not None or self.window >= UNTIMED_MS


_ASKING = ("round", "open", "back", "take-back")  # the kinds of events about a table after which people are asked anew


class EventReader:
    """A cursor over the chapters of a table that makes the events of each entry. Entries added later are read as well.

    Args:
        source: the settings of the table.
        chapters: the table's chapters, which may grow.

    Attributes:
        versions: the number of events that each viewer has got so far.
        closes: when the open window closes and silence counts as an answer, in milliseconds since 1970; None where none is open.
        asked: when the seats that are to act now were asked, as all viewers know it, in milliseconds since 1970.
        due: the deadline of the seats that are asked, in milliseconds since 1970; None without a term.
        answered: the seats whose answers in the open window are kept until it closes.
    """

    def __init__(self, source: Source, chapters: list[Chapter]) -> None:
        self._source = source
        self._chapters = chapters
        self._open(0)
        self.versions = dict(chapters[0].versions)

    def _open(self, chapter: int) -> None:
        round = self._chapters[chapter].round
        self._at, self._next = chapter, 0
        self._chronicle = Chronicle(round) if round else None
        self._ledger = Ledger((), {})
        self._shown = 0  # when a spectator's page has shown all events so far, in milliseconds since 1970
        self.closes: int | None = None
        self.asked = 0
        self.due: int | None = None
        self.answered: set[int] = set()

    @property
    def chapter(self) -> int:
        """The index of the chapter to which the next entry belongs."""
        turn = self._next == len(self._chapters[self._at].entries) and self._at + 1 < len(self._chapters)
        return self._at + turn

    @property
    def behind(self) -> bool:
        """Whether there are entries that have not been read."""
        return self.chapter > self._at or self._next < len(self._chapters[self._at].entries)

    def next(self, viewers: Iterable[Viewer]) -> dict[Viewer, wire.Event]:
        """Read the next entry, and return its event for each of these viewers who saw something of it."""
        if self.chapter > self._at:
            self._open(self.chapter)
        entry = self._chapters[self._at].entries[self._next]
        self._next += 1
        return self._step(entry, viewers) if isinstance(entry, Step) else self._tell(entry, viewers)

    def view(self, viewer: Viewer) -> View | None:
        """Return the round at this point as a viewer sees it; None before the first round."""
        return self._wire(self._chronicle.view(viewer), viewer) if self._chronicle else None

    def hidden(self, seat: int) -> RoundState | None:
        """Return a seat's hidden state of the round at this point; None before the first round."""
        return self._chronicle.hidden(seat) if self._chronicle else None

    def _tell(self, event: TableEvent, viewers: Iterable[Viewer]) -> dict[Viewer, wire.Event]:
        self._ledger = event.ledger
        if event.again:
            self._resume(event.again)
        if event.asks or event.kind in _ASKING:
            self._ask(event.at)
        elif event.kind == "end":
            self.due = None
        elif event.kind == "answer" and event.seat is not None:
            self.answered.add(event.seat)
        self._move(event.moved)
        self._time(event.at)
        for viewer in self.versions:
            self.versions[viewer] += event.only in (None, viewer)
        text, head = _text(event, self._source.names), with_names(event.head, self._source.names)
        return {
            viewer: wire.Event(
                table=self._source.table,
                version=self.versions[viewer],
                kind=event.kind,
                seat=event.seat,
                action=None,
                text=text,
                head=head,
                view=self.view(viewer),
            )
            for viewer in viewers
            if event.only in (None, viewer)
        }

    def _resume(self, again: Resumed) -> None:
        """Go back to an earlier moment of the round. No events are made of the steps until then: viewers have got them."""
        self._chronicle = Chronicle(again.round)
        for _ in range(again.steps):
            self._chronicle.step()
        self.closes = None
        self.answered.clear()

    @property
    def shown_waiting(self) -> tuple[int, ...]:
        """The seats that act next, as spectators know it."""
        return self._chronicle.shown_waiting if self._chronicle else ()

    def _ask(self, at: int) -> None:
        """Note that the table asks for something new, at a time in milliseconds since 1970. A term begins then."""
        self.asked = at
        if self._source.term is not None:
            self.due = at + self._source.term

    def _step(self, step: Step, viewers: Iterable[Viewer]) -> dict[Viewer, wire.Event]:
        chronicle = self._chronicle
        assert chronicle, "only a round has steps"
        before, stock = chronicle.versions, chronicle.stock
        asked, shown = set(chronicle.waiting), set(self.shown_waiting)
        events = chronicle.step(viewers)
        if not set(chronicle.waiting) < asked:
            self.closes = None  # this is another window, not the same one with one more answer
            self.answered.clear()
        after = chronicle.versions
        for viewer, version in after.items():
            self.versions[viewer] += version - before[viewer]
        if after[None] > before[None] and not set(self.shown_waiting) < shown:
            self._ask(step.at)  # another question, which all viewers see
        if after[None] > before[None]:
            behind = min(max(0, self._shown - step.at), _BEHIND * self._source.pace)
            self._shown = step.at + behind + self._source.pace + max(0, stock - chronicle.stock) * self._source.pace // _DEALT
        self._time(step.at)
        return {
            viewer: wire.Event(
                table=self._source.table,
                version=self.versions[viewer],
                kind="play",
                seat=event.seat,
                action=event.action,
                text=event.text,
                head=None,
                view=self._wire(event.view, viewer),
            )
            for viewer, event in events.items()
        }

    @property
    def unspoken(self) -> str | None:
        """The action, in notation, that no client may send while a window is open, because only silence stands for it.

        None where no window is open, or the action may be sent.
        """
        chronicle = self._chronicle
        timed = self.closes is not None and not self._source.untimed
        return chronicle.silence if chronicle and chronicle.unspoken and timed else None

    def _move(self, by: int) -> None:
        """Move what is timed by a leap of the server's clock, in milliseconds."""
        self._shown += by
        self.asked += by
        self.due = None if self.due is None else self.due + by
        self.closes = None if self.closes is None else self.closes + by

    def _time(self, at: int) -> None:
        """Set `closes` after an entry of this time, in milliseconds since 1970."""
        if self._chronicle is None or self._chronicle.silence is None:
            self.closes = None
        elif self._source.term is not None:
            self.closes = self.due
        elif self.closes is None:
            # The seats are asked at once. The window begins for all of them when a page has shown the events that led to it.
            self.closes = max(at, self._shown) + self._source.window

    def _wire(self, view: View, viewer: Viewer) -> View:
        """Add the table's part to a view of the round, and return the view."""
        view.version, view.closes, view.due = self.versions[viewer], self.closes, self.due
        if self._source.untimed and self._source.term is None:
            view.closes = None
        view.ledger, view.accounts = self._ledger
        if (unspoken := self.unspoken) is not None:
            view.legal = tuple(one for one in view.legal if one.action != unspoken)
        if viewer in self.answered:
            view.waiting = tuple(seat for seat in view.waiting if seat != viewer)
            view.legal, view.refused, view.prompt = (), (), None
        return view


def _text(event: TableEvent, names: Names) -> Text:
    """Return an event's text with the present name of the person whom it is about."""
    if event.person is None:
        return event.text
    return Text(event.text.id, {**event.text.args, "name": names.get(event.person, GONE)})


def with_names(head: wire.Head, names: Names) -> wire.Head:
    """Return a head with people's names in place of their ids."""
    return msgspec.structs.replace(head, seats=[named(seat, names) for seat in head.seats])
