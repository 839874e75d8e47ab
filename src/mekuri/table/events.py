"""What has happened at a table, told to each viewer as a row of events. Told again, it is the same to the last
byte, but for people's names: everybody is called as they are called now.

A viewer is a seat, or None for a spectator.
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
from mekuri.protocol import view as wired
from mekuri.table.seating import GONE, Names, named

Viewer = int | None

WINDOW_MS = 8000  # how long a table waits where silence is an answer, and nobody has said otherwise
_BEHIND = 24  # things by which a page is behind at most: where more have come together, it shows all at once
_DEALT = 16  # cards that are dealt in the time for which one thing is looked at


class Step(NamedTuple):
    """The next thing that happened in the chapter's round, and when."""

    at: int


class Resumed(NamedTuple):
    """A round from an earlier time on: what was done since has been taken back.

    Attributes:
        round: the round as it is played from there.
        steps: how many things had happened in it then.
    """

    round: Round
    steps: int


@dataclass(frozen=True)
class TableEvent:
    """Something that happened about the table.

    Attributes:
        at: when.
        kind, seat, text: as in the event.
        person: whose name the text tells as `name`, by id; None for nobody's.
        head: the table's head after it, with ids in place of names.
        ledger: the accounts after it.
        again: where the round goes on from an earlier time; None where it does not.
    """

    at: int
    kind: wire.Kind
    seat: int | None
    text: Text
    person: str | None
    head: wire.Head
    ledger: wired.Ledger
    again: Resumed | None = None


@dataclass
class Chapter:
    """What happened in one round and until the next; the first chapter comes before any round.

    Attributes:
        round: its round; None in the first chapter.
        versions: each viewer's version before it.
        entries: what happened, in order.
    """

    round: Round | None
    versions: dict[Viewer, int]
    entries: list[Step | TableEvent] = field(default_factory=list)


class EventReader:
    """Goes through the chapters of a table, entry by entry, also those that come while it is kept.

    Attributes:
        versions: how many things each viewer has seen happen so far.
        closes: when silence counts as an answer, in milliseconds since 1970; None where the table waits.
    """

    def __init__(self, table: str, chapters: list[Chapter], window: int, pace: int, names: Names, start: int = 0) -> None:
        self._table = table
        self._names = names
        self._window = window  # how long the table waits where silence is an answer, in milliseconds
        self._pace = pace  # for how long one thing is looked at that happens, likewise
        self._chapters = chapters
        self._open(start)
        self.versions = dict(chapters[start].versions)

    def _open(self, chapter: int) -> None:
        round = self._chapters[chapter].round
        self._at, self._next = chapter, 0
        self._chronicle = Chronicle(round) if round else None
        self._ledger = wired.Ledger([], {})
        self._shown = 0  # when all that has happened has been shown to those who look on
        self.closes: int | None = None

    @property
    def chapter(self) -> int:
        """The place of the chapter that the next entry stands in."""
        turn = self._next == len(self._chapters[self._at].entries) and self._at + 1 < len(self._chapters)
        return self._at + turn

    @property
    def behind(self) -> bool:
        """Whether there is something to tell."""
        return self.chapter > self._at or self._next < len(self._chapters[self._at].entries)

    def next(self, viewers: Iterable[Viewer]) -> dict[Viewer, wire.Event]:
        """Tell the next entry to these viewers; those who saw nothing of it are left out."""
        if self.chapter > self._at:
            self._open(self.chapter)
        entry = self._chapters[self._at].entries[self._next]
        self._next += 1
        return self._step(entry, viewers) if isinstance(entry, Step) else self._tell(entry, viewers)

    def view(self, viewer: Viewer) -> wired.View | None:
        """The round at this point; None before the first."""
        return self._wire(self._chronicle.view(viewer), viewer) if self._chronicle else None

    def hidden(self, seat: int) -> RoundState | None:
        """What a seat sees of the round at this point; None before the first."""
        return self._chronicle.hidden(seat) if self._chronicle else None

    def _tell(self, told: TableEvent, viewers: Iterable[Viewer]) -> dict[Viewer, wire.Event]:
        self._ledger = told.ledger
        if told.again:
            self._resume(told.again)
        self._time(told.at)
        for viewer in self.versions:
            self.versions[viewer] += 1
        text, head = wired.text(_said(told, self._names)), with_names(told.head, self._names)
        return {
            viewer: wire.Event(
                table=self._table,
                version=self.versions[viewer],
                kind=told.kind,
                seat=told.seat,
                action=None,
                text=text,
                head=head,
                view=self.view(viewer),
            )
            for viewer in viewers
        }

    def _resume(self, again: Resumed) -> None:
        """Go back to an earlier time of the round. What happened until then has been told."""
        self._chronicle = Chronicle(again.round)
        for _ in range(again.steps):
            self._chronicle.step()
        self.closes = None

    def _step(self, step: Step, viewers: Iterable[Viewer]) -> dict[Viewer, wire.Event]:
        chronicle = self._chronicle
        assert chronicle, "only a round has steps"
        before, stock = chronicle.versions, chronicle.stock
        asked = set(chronicle.waiting)
        events = chronicle.step(viewers)
        if not set(chronicle.waiting) < asked:
            self.closes = None  # not the same window with one answer more
        after = chronicle.versions
        for viewer, version in after.items():
            self.versions[viewer] += version - before[viewer]
        if after[None] > before[None]:
            behind = min(max(0, self._shown - step.at), _BEHIND * self._pace)
            self._shown = step.at + behind + self._pace + max(0, stock - chronicle.stock) * self._pace // _DEALT
        self._time(step.at)
        return {
            viewer: wire.Event(
                table=self._table,
                version=self.versions[viewer],
                kind="play",
                seat=event.seat,
                action=event.action,
                text=wired.text(event.text),
                head=None,
                view=self._wire(event.view, viewer),
            )
            for viewer, event in events.items()
        }

    @property
    def unspoken(self) -> str | None:
        """The word that nobody may say while the table waits, since silence alone means it; None where all may be said."""
        chronicle = self._chronicle
        return chronicle.silence if chronicle and chronicle.unspoken and self.closes is not None else None

    def _time(self, at: int) -> None:
        """See whether a window has opened or closed by what has just happened."""
        if self._chronicle is None or self._chronicle.silence is None:
            self.closes = None
        elif self.closes is None:
            # It is asked at once, and the time begins for everybody when what led to it has been seen.
            self.closes = max(at, self._shown) + self._window

    def _wire(self, view: View, viewer: Viewer) -> wired.View:
        return wired.view(view, self.versions[viewer], self._ledger, self.closes, self.unspoken)


def _said(told: TableEvent, names: Names) -> Text:
    """What is said of something, with the name that the person who did it has now."""
    if told.person is None:
        return told.text
    return Text(told.text.id, {**told.text.args, "name": names.get(told.person, GONE)})


def with_names(head: wire.Head, names: Names) -> wire.Head:
    """A head with names in place of ids."""
    return msgspec.structs.replace(head, seats=[named(seat, names) for seat in head.seats])
