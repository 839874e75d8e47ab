"""The history of a table: its chapters, the events made as it grows, and the same events made again later."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass, replace

from mekuri.bots import Seen
from mekuri.match.round import Round
from mekuri.match.view import View
from mekuri.protocol import table as wire
from mekuri.table.events import Chapter, EventReader, Step, TableEvent, Viewer
from mekuri.table.seating import Names


@dataclass(frozen=True)
class Again:
    """A range of one viewer's events, to be made again. It is a copy of the history, so a thread may work on it.

    Attributes:
        viewer: the viewer: a seat, or None for spectators.
        after: the viewer's version before the first event.
        until: the viewer's version after the last event.
    """

    viewer: Viewer
    after: int
    until: int
    _table: str
    _window: int
    _pace: int
    _names: Names
    _chapters: Sequence[Chapter]
    _term: int | None = None

    def tells(self, text: str) -> bool:
        """Return whether an event about the table with this text, by its id, is in the range."""
        first, *later = self._chapters
        # Before the first round, everybody sees everything.
        entries = first.entries if first.round else first.entries[self.after - first.versions[self.viewer] :]
        told = [*entries, *(entry for chapter in later for entry in chapter.entries)]
        return any(isinstance(entry, TableEvent) and entry.text.id == text for entry in told)

    def tell(self, known: Container[int] = ()) -> list[wire.Event]:
        """Return the events in order, without those whose versions are in `known`."""
        reader = self._reader([*self._chapters])
        found: list[wire.Event] = []
        while reader.behind:
            version = reader.versions[self.viewer]
            wanted = version >= self.after and version + 1 not in known
            found += reader.next([self.viewer] if wanted else []).values()
        return found

    def seen(self, version: int) -> Seen | None:
        """Return all that the viewer, who must be a seat, had seen of the round at a version; None before the first round."""
        assert self.viewer is not None
        reader = self._reader([*self._chapters])
        while reader.behind and reader.versions[self.viewer] < version:
            reader.next([])
        hidden = reader.hidden(self.viewer)
        return Seen(hidden, self.viewer) if hidden else None

    def step(self, version: int) -> int | None:
        """Return the index, from 0, of the round's step that led to a version; None where none did, or it was taken back.

        The range must be of one chapter, as that of `History.round` is.
        """
        (chapter,) = self._chapters
        reader = self._reader([chapter])
        found: dict[int, int] = {}
        steps = 0
        for entry in chapter.entries:
            before = reader.versions[self.viewer]
            reader.next([])
            if isinstance(entry, Step):
                if reader.versions[self.viewer] > before:
                    found[reader.versions[self.viewer]] = steps
                steps += 1
            elif entry.again:
                steps = entry.again.steps
                found = {seen: step for seen, step in found.items() if step < steps}
        return found.get(version)

    def _reader(self, chapters: list[Chapter]) -> EventReader:
        return EventReader(self._table, chapters, self._window, self._pace, self._names, term=self._term)


class History:
    """The history of a table: one chapter before any round, and one for each round.

    Args:
        table: the table's id.
        seats: the number of seats.
        window: the length of a window, in milliseconds.
        pace: the time in which a page shows one event, in milliseconds.
        names: people's names by their ids. It is kept, not copied, and may change.
        term: the term of each decision, in milliseconds, at a table that is played turn by turn; None elsewhere.

    Attributes:
        chapters: the chapters so far.
        watched: the viewers for whom events are made.
        pending: events for the watched viewers that have not been sent yet.
        names: people's names by their ids.
    """

    def __init__(self, table: str, seats: int, window: int, pace: int, names: Names, term: int | None = None) -> None:
        self.chapters = [Chapter(None, dict.fromkeys([*range(seats), None], 0))]
        self.watched: set[Viewer] = set()
        self.pending: list[tuple[Viewer, wire.Event]] = []
        self.names = names
        self._table = table
        self._window = window
        self._pace = pace
        self._term = term
        self._reader = EventReader(table, self.chapters, window, pace, names, term=term)

    def begin(self, round: Round) -> None:
        """Begin a chapter for a round that begins."""
        self.chapters.append(Chapter(round, dict(self._reader.versions)))

    def step(self, at: int, steps: int = 1) -> None:
        """Add the next steps of the round, of this time in milliseconds since 1970, and make their events."""
        self.chapters[-1].entries += [Step(at)] * steps
        self._tell_on()

    def tell(self, told: TableEvent) -> None:
        """Add something that happened outside the play of a round, and make its events."""
        self.chapters[-1].entries.append(told)
        self._tell_on()

    def _tell_on(self) -> None:
        while self._reader.behind:
            self.pending += self._reader.next(self.watched).items()

    def version(self, viewer: Viewer) -> int:
        """Return the number of events that a viewer has got."""
        return self._reader.versions[viewer]

    @property
    def closes(self) -> int | None:
        """When the open window closes and silence counts as an answer, in milliseconds since 1970; None where none is open."""
        return self._reader.closes

    @property
    def asked(self) -> int:
        """When the seats that are to act now were asked, as everybody knows it, in milliseconds since 1970."""
        return self._reader.asked

    @property
    def shown_waiting(self) -> tuple[int, ...]:
        """The seats that are to act now, as spectators know it."""
        return self._reader.shown_waiting

    @property
    def due(self) -> int | None:
        """Until when those who are asked may take, in milliseconds since 1970; None without a term."""
        return self._reader.due

    @property
    def unspoken(self) -> str | None:
        """The action that nobody may send while a window is open, because only silence stands for it; None where there is none."""
        return self._reader.unspoken

    def view(self, viewer: Viewer) -> View | None:
        """Return the present round as a viewer sees it; None before the first round."""
        return self._reader.view(viewer)

    def since(self, viewer: Viewer, version: int) -> Again | None:
        """Return a viewer's events after a version; None where they are more than `MOST_EVENTS`, or the version is not reached."""
        if not 0 <= self.version(viewer) - version <= wire.MOST_EVENTS:
            return None
        start = max(at for at, chapter in enumerate(self.chapters) if chapter.versions[viewer] <= version)
        return self._again(viewer, version, self.chapters[start:], self.version(viewer))

    def round(self, viewer: Viewer, number: int) -> Again:
        """Return a viewer's events of a round, by its number from 1."""
        chapter, *later = self.chapters[number:]
        until = later[0].versions[viewer] if later else self.version(viewer)
        return self._again(viewer, chapter.versions[viewer], [chapter], until)

    def _again(self, viewer: Viewer, after: int, chapters: Sequence[Chapter], until: int) -> Again:
        # Entries never change, but the last chapter gets more of them: hence the copy.
        stood = [replace(chapter, entries=[*chapter.entries]) for chapter in chapters]
        return Again(viewer, after, until, self._table, self._window, self._pace, dict(self.names), stood, self._term)
