"""What has happened at a table, as it happens and told again."""

from __future__ import annotations

from mekuri.match.round import Round
from mekuri.protocol import table as wire
from mekuri.protocol import view as wired
from mekuri.table.seating import Names
from mekuri.table.telling import Chapter, Step, Teller, Told, Viewer


class History:
    """The history of a table, chapter by chapter: one before any round, and one a round.

    Attributes:
        chapters: what has happened.
        watched: the viewers for whom events are made.
        names: what people are called now.
        told: events that nobody has been told yet, for the viewers that are watched.
    """

    def __init__(self, table: str, seats: int, window: int, pace: int, names: Names) -> None:
        self.chapters = [Chapter(None, dict.fromkeys([*range(seats), None], 0))]
        self.watched: set[Viewer] = set()
        self.told: list[tuple[Viewer, wire.Event]] = []
        self.names = names
        self._table = table
        self._window = window
        self._pace = pace
        self._teller = Teller(table, self.chapters, window, pace, names)

    def begin(self, round: Round) -> None:
        """A round begins, and with it a chapter."""
        self.chapters.append(Chapter(round, dict(self._teller.versions)))

    def step(self, at: int, steps: int = 1) -> None:
        """Tell the next things that have happened in the round."""
        self.chapters[-1].entries += [Step(at)] * steps
        self._tell_on()

    def tell(self, told: Told) -> None:
        """Tell of something about the table."""
        self.chapters[-1].entries.append(told)
        self._tell_on()

    def _tell_on(self) -> None:
        while self._teller.behind:
            self.told += self._teller.next(self.watched).items()

    def version(self, viewer: Viewer) -> int:
        """How many things a viewer has seen happen."""
        return self._teller.versions[viewer]

    @property
    def closes(self) -> int | None:
        """When silence counts as an answer, in milliseconds since 1970; None where the table waits."""
        return self._teller.closes

    @property
    def unspoken(self) -> str | None:
        """The word that nobody may say while the table waits, since silence alone means it; None where all may be said."""
        return self._teller.unspoken

    def view(self, viewer: Viewer) -> wired.View | None:
        """The present round as a viewer sees it; None before the first."""
        return self._teller.view(viewer)

    def since(self, viewer: Viewer, version: int) -> list[wire.Event] | None:
        """What a viewer has seen happen after a version; None where that is too much to tell."""
        if not 0 <= self.version(viewer) - version <= wire.MOST_EVENTS:
            return None
        start = max(at for at, chapter in enumerate(self.chapters) if chapter.versions[viewer] <= version)
        return self._again(viewer, start, len(self.chapters), version)

    def round(self, viewer: Viewer, number: int) -> list[wire.Event]:
        """A round, from 1, as a viewer saw it."""
        return self._again(viewer, number, number + 1, self.chapters[number].versions[viewer])

    def _again(self, viewer: Viewer, start: int, end: int, since: int) -> list[wire.Event]:
        teller = Teller(self._table, self.chapters[:end], self._window, self._pace, self.names, start)
        found: list[wire.Event] = []
        while teller.behind:
            found += teller.next([viewer] if teller.versions[viewer] >= since else []).values()
        return found
