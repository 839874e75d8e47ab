"""What has happened at a table, as it happens and told again."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass, replace

from mekuri.bots import Seen
from mekuri.match.round import Round
from mekuri.protocol import table as wire
from mekuri.protocol import view as wired
from mekuri.table.events import Chapter, EventReader, Step, TableEvent, Viewer
from mekuri.table.seating import Names


@dataclass(frozen=True)
class Again:
    """Things that a viewer has seen happen, to be told again: of a table as it stood, so that a thread may tell them meanwhile.

    Attributes:
        viewer: who saw them.
        after: the viewer's version before the first of them.
        until: the viewer's version after the last.
    """

    viewer: Viewer
    after: int
    until: int
    _table: str
    _window: int
    _pace: int
    _names: Names
    _chapters: Sequence[Chapter]

    def tells(self, text: str) -> bool:
        """Whether one with this text is among them."""
        first, *later = self._chapters
        # Before the first round, everybody sees everything.
        entries = first.entries if first.round else first.entries[self.after - first.versions[self.viewer] :]
        told = [*entries, *(entry for chapter in later for entry in chapter.entries)]
        return any(isinstance(entry, TableEvent) and entry.text.id == text for entry in told)

    def tell(self, known: Container[int] = ()) -> list[wire.Event]:
        """The events in order, but for those of versions that are known."""
        reader = EventReader(self._table, [*self._chapters], self._window, self._pace, self._names)
        found: list[wire.Event] = []
        while reader.behind:
            version = reader.versions[self.viewer]
            wanted = version >= self.after and version + 1 not in known
            found += reader.next([self.viewer] if wanted else []).values()
        return found

    def seen(self, version: int) -> Seen | None:
        """What the viewer, who has a seat, had seen of the round at a version; None where there was none yet."""
        assert self.viewer is not None
        reader = EventReader(self._table, [*self._chapters], self._window, self._pace, self._names)
        while reader.behind and reader.versions[self.viewer] < version:
            reader.next([])
        hidden = reader.hidden(self.viewer)
        return Seen(hidden, self.viewer) if hidden else None

    def step(self, version: int) -> int | None:
        """Which thing of the round, from 0, led to a version; None where none did, or it was taken back."""
        (chapter,) = self._chapters
        reader = EventReader(self._table, [chapter], self._window, self._pace, self._names)
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


class History:
    """The history of a table, chapter by chapter: one before any round, and one a round.

    Attributes:
        chapters: what has happened.
        watched: the viewers for whom events are made.
        names: what people are called now.
        pending: events that nobody has been told yet, for the viewers that are watched.
    """

    def __init__(self, table: str, seats: int, window: int, pace: int, names: Names) -> None:
        self.chapters = [Chapter(None, dict.fromkeys([*range(seats), None], 0))]
        self.watched: set[Viewer] = set()
        self.pending: list[tuple[Viewer, wire.Event]] = []
        self.names = names
        self._table = table
        self._window = window
        self._pace = pace
        self._reader = EventReader(table, self.chapters, window, pace, names)

    def begin(self, round: Round) -> None:
        """A round begins, and with it a chapter."""
        self.chapters.append(Chapter(round, dict(self._reader.versions)))

    def step(self, at: int, steps: int = 1) -> None:
        """Tell the next things that have happened in the round."""
        self.chapters[-1].entries += [Step(at)] * steps
        self._tell_on()

    def tell(self, told: TableEvent) -> None:
        """Tell of something about the table."""
        self.chapters[-1].entries.append(told)
        self._tell_on()

    def _tell_on(self) -> None:
        while self._reader.behind:
            self.pending += self._reader.next(self.watched).items()

    def version(self, viewer: Viewer) -> int:
        """How many things a viewer has seen happen."""
        return self._reader.versions[viewer]

    @property
    def closes(self) -> int | None:
        """When silence counts as an answer, in milliseconds since 1970; None where the table waits."""
        return self._reader.closes

    @property
    def unspoken(self) -> str | None:
        """The word that nobody may say while the table waits, since silence alone means it; None where all may be said."""
        return self._reader.unspoken

    def view(self, viewer: Viewer) -> wired.View | None:
        """The present round as a viewer sees it; None before the first."""
        return self._reader.view(viewer)

    def since(self, viewer: Viewer, version: int) -> Again | None:
        """What a viewer has seen happen after a version; None where that is too much to tell."""
        if not 0 <= self.version(viewer) - version <= wire.MOST_EVENTS:
            return None
        start = max(at for at, chapter in enumerate(self.chapters) if chapter.versions[viewer] <= version)
        return self._again(viewer, version, self.chapters[start:], self.version(viewer))

    def round(self, viewer: Viewer, number: int) -> Again:
        """A round, from 1, as a viewer saw it."""
        chapter, *later = self.chapters[number:]
        until = later[0].versions[viewer] if later else self.version(viewer)
        return self._again(viewer, chapter.versions[viewer], [chapter], until)

    def _again(self, viewer: Viewer, after: int, chapters: Sequence[Chapter], until: int) -> Again:
        # What is told of a chapter never changes; more is told of the last.
        stood = [replace(chapter, entries=[*chapter.entries]) for chapter in chapters]
        return Again(viewer, after, until, self._table, self._window, self._pace, dict(self.names), stood)
