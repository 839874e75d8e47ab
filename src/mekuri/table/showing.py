"""The parts of a table that are sent to its viewers: its head, views, events, replays and its record."""

from __future__ import annotations

import json
from typing import Any

from mekuri.engine.contract import Text
from mekuri.engine.options import differing
from mekuri.match.round import Round
from mekuri.match.view import View
from mekuri.protocol import table as wire
from mekuri.table.errors import ProblemError
from mekuri.table.events import Ledger, Resumed, TableEvent, Viewer, with_names
from mekuri.table.history import Again
from mekuri.table.state import TableState


class Showing(TableState):
    """A table's state, with the structs and events that are made of it for each viewer: a seat, or None for spectators."""

    def _tell(
        self,
        kind: wire.Kind,
        by: int | None,
        person: str | None = None,
        text: str | Text = "",
        again: Resumed | None = None,
        only: int | None = None,
        moved: int = 0,
        asks: bool = False,
        **args: Any,
    ) -> None:
        """Add an event about the table to the history.

        Args:
            kind: the event's kind.
            by: the seat that did it; None for none.
            person: the id of the person whose name the text needs; None for none.
            text: the key of its text in the catalogue's table `table`, or a text of the game; the kind if left out.
            again: the earlier moment from which the round goes on after a take-back.
            only: the seat that alone is told of it; None where everybody is.
            moved: by how many milliseconds all deadlines move with it.
            asks: whether people are asked something new, for which a term begins.
            args: the arguments of the text.
        """
        said = text if isinstance(text, Text) else Text(f"table.{text or kind}", args)
        head, ledger = self._head(), self._ledger()
        self.history.tell(TableEvent(self.changed_at, kind, by, said, person, head, ledger, again, only, moved, asks))

    def _ledger(self) -> Ledger:
        if self.match is None:
            return Ledger((), {})
        return Ledger(tuple(map(dict, self.match.ledger)), dict(self.match.accounts))

    @property
    def head(self) -> wire.Head:
        """All that is public about the table except the round: its seats, state, commitment and result."""
        return with_names(self._head(), self.called)

    def _head(self) -> wire.Head:
        to_draw = self.to_draw
        return wire.Head(
            state=self.state,
            why=self.why,
            round=self.rounds,
            seats=[sitter.to_wire(seat, seat in to_draw, self.waits(seat)) for seat, sitter in enumerate(self.seats)],
            commitment=self._commitment,
            secret=self._secret,
            cuts=[sitter.cut for sitter in self.seats] if self.match else [],
            winners=self._winners,
            rematch=self.rematch,
            practice=self.took_back > 0,
            result=self._result,
            late=self.late,
            maker=next((seat for seat, sitter in enumerate(self.seats) if sitter.person and sitter.person == self.maker), None),
        )

    def owed(self, viewer: Viewer) -> wire.Owed | None:
        """Return what a table that is played turn by turn waits for from a viewer; None for nothing, and where there is no term."""
        if self.due is None or viewer not in self.owing:
            return None
        if self.resting:
            return wire.Owed(what="ready", until=self.due)
        return wire.Owed(what="action" if self.closes is None else "answer", until=self.due)

    def whole(self, viewer: Viewer, presence: list[wire.Presence]) -> wire.Table:
        """Return the whole table as a viewer sees it, with the presence of its people."""
        decision = None if viewer is None or viewer >= len(self.seats) else self.seats[viewer].open_decision
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
            day=self.day,
            term=self.term,
            owed=self.owed(viewer),
            answer=decision.kept if decision else None,
            version=self.version(viewer),
            you=viewer,
            head=self.head,
            presence=presence,
            view=self.history.view(viewer) if self.match else None,
        )

    def again(self, viewer: Viewer, since: int) -> Again | None:
        """Return a viewer's events after a version; None where they are more than `MOST_EVENTS`, or the match no longer replays."""
        return None if self._lost_count else self.history.since(viewer, since)

    def events(self, viewer: Viewer, since: int) -> list[wire.Event] | None:
        """Return the events of `again` as a list; None where that is None."""
        again = self.again(viewer, since)
        return again.tell() if again else None

    def replay(self, viewer: Viewer, number: int) -> Again:
        """Return a viewer's events of a finished round, by its number from 1. Raises ProblemError where there is none."""
        if not self.match or not 1 <= number <= self.rounds:
            raise ProblemError("no-such-round")
        if number > self.opened:
            raise ProblemError("round-running")
        return self.history.round(viewer, number)

    def finished(self, number: int) -> Round:
        """Return a finished round, by its number from 1. Raises ProblemError where there is none."""
        self.replay(None, number)
        assert self.match, "a round that can be replayed"
        return self.match.finished[number - 1]

    def outcome(self, number: int) -> View:
        """Return the spectators' view at the end of a finished round, numbered from 1. Raises ProblemError where there is none."""
        return self.finished(number).view()

    @property
    def record(self) -> str:
        """The record of a match that is over, as JSON with people's present names. Raises ProblemError where there is none."""
        if self.state != "over":
            raise ProblemError("not-over")
        if self._record is None:
            raise ProblemError("not-running")
        # The record in the log holds no names of people.
        told = json.loads(self._record) | {"players": [self.label(seat) for seat in range(len(self.seats))]}
        return json.dumps(told, ensure_ascii=False, indent=1)
