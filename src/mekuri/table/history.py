"""The history of a table: its chapters, the events made as it grows, and the same events made again later."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass, replace

from mekuri.bots import Seen
from mekuri.match.round import Round
from mekuri.protocol import table as wire
from mekuri.table.events import Chapter, EventReader, Source, Step, TableEvent, Viewer


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
    _source: Source
    _chapters: Sequence[Chapter]

    def tells(self, text: str) -> bool:
        """Return whether an event about the table with this text, by its id, is in the range."""
        first, *later = self._chapters
        # Before the first round, all viewers get the same events.
        entries = first.entries if first.round else first.entries[self.after - first.versions[self.viewer] :]
        entries = [*entries, *(entry for chapter in later for entry in chapter.entries)]
        return any(isinstance(entry, TableEvent) and entry.text.id == text for entry in entries)

    def tell(self, known: Container[int] = ()) -> list[wire.Event]:
        """Return the events in order, except the events whose versions are in `known`."""
        reader = EventReader(self._source, [*self._chapters])
        found: list[wire.Event] = []
        while reader.behind:
            version = reader.versions[self.viewer]
            wanted = version >= self.after and version + 1 not in known
            found += reader.next([self.viewer] if wanted else []).values()
        return found

    def seen(self, version: int) -> Seen | None:
        """Return all that the viewer, who must be a seat, had seen of the round at a version; None before the first round."""
        assert self.viewer is not None
        reader = EventReader(self._source, [*self._chapters])
        while reader.behind and reader.versions[self.viewer] < version:
            reader.next([])
        hidden = reader.hidden(self.viewer)
        return Seen(hidden, self.viewer) if hidden else None

    def step(self, version: int) -> int | None:
        """Return the index, from 0, of the round's step that led to a version; None where none did, or it was taken back.

        The range must be of one chapter, as that of `History.round` is.
        """
        (chapter,) = self._chapters
        reader = EventReader(self._source, [chapter])
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
    """The history of a table: one chapter before any round, and one for each round.

    Args:
        source: the settings of the table. Its names are kept, not copied, and may change.
        seats: the number of seats.

    Attributes:
        source: the settings of the table.
        chapters: the chapters so far.
        now: the reader at the end of the history, with the time limits and each viewer's version.
        watched: the viewers for whom events are made.
        pending: events for the watched viewers that have not been sent yet.
        lost: whether the match no longer replays, so that its events cannot be made again.
    """

    def __init__(self, source: Source, seats: int) -> None:
        self.source = source
        self.chapters = [Chapter(None, dict.fromkeys([*range(seats), None], 0))]
        self.now = EventReader(source, self.chapters)
        self.watched: set[Viewer] = set()
        self.pending: list[tuple[Viewer, wire.Event]] = []
        self.lost = False

    def begin(self, round: Round) -> None:
        """Begin a chapter for a round that begins."""
        self.chapters.append(Chapter(round, dict(self.now.versions)))

    def step(self, at: int, steps: int = 1) -> None:
        """Add the next steps of the round, of this time in milliseconds since 1970, and make their events."""
        self._add([Step(at)] * steps)

    def tell(self, event: TableEvent) -> None:
        """Add an event that does not belong to the play of a round, and make it for each watched viewer."""
        self._add([event])

    def _add(self, entries: Sequence[Step | TableEvent]) -> None:
        self.chapters[-1].entries += entries
        while self.now.behind:
            self.pending += self.now.next(self.watched).items()

    def since(self, viewer: Viewer, version: int) -> Again | None:
        """Return a viewer's events after a version.

        None if they are more than `MOST_EVENTS`, the version is not reached yet, or the match no longer replays.
        """
        if self.lost or not 0 <= self.now.versions[viewer] - version <= wire.MOST_EVENTS:
            return None
        start = max(at for at, chapter in enumerate(self.chapters) if chapter.versions[viewer] <= version)
        return self._again(viewer, version, self.chapters[start:], self.now.versions[viewer])

    def events(self, viewer: Viewer, version: int) -> list[wire.Event] | None:
        """Return the events of `since` as a list; None where that is None."""
        again = self.since(viewer, version)
        return again.tell() if again else None

    def round(self, viewer: Viewer, number: int) -> Again:
        """Return a viewer's events of a round, by its number from 1."""
        chapter, *later = self.chapters[number:]
        until = later[0].versions if later else self.now.versions
        return self._again(viewer, chapter.versions[viewer], [chapter], until[viewer])

    def _again(self, viewer: Viewer, after: int, chapters: Sequence[Chapter], until: int) -> Again:
        # Entries never change, but the last chapter grows: hence the copies.
        copies = [replace(chapter, entries=[*chapter.entries]) for chapter in chapters]
        return Again(viewer, after, until, replace(self.source, names=dict(self.source.names)), copies)
