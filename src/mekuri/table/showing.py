"""What a table shows of itself, to those who sit there and to those who look on."""

from __future__ import annotations

import json
from typing import Any

from mekuri.engine.contract import Text
from mekuri.engine.options import differing
from mekuri.match.round import Round
from mekuri.match.view import View
from mekuri.protocol import table as wire
from mekuri.protocol.view import Ledger
from mekuri.protocol.view import text as wired
from mekuri.table.errors import ProblemError
from mekuri.table.events import Resumed, TableEvent, Viewer, with_names
from mekuri.table.history import Again
from mekuri.table.state import TableState


class Showing(TableState):
    """A table as its viewers see it, now and again."""

    def _tell(
        self, kind: wire.Kind, by: int | None, person: str | None = None, text: str = "", again: Resumed | None = None, **args: Any
    ) -> None:
        """Tell of something about the table, which somebody may have done."""
        said = Text(f"table.{text or kind}", args)
        self.history.tell(TableEvent(self.changed_at, kind, by, said, person, self._head(), self._ledger(), again))

    def _ledger(self) -> Ledger:
        if self.match is None:
            return Ledger([], {})
        return Ledger([dict(accounts) for accounts in self.match.ledger], dict(self.match.accounts))

    @property
    def head(self) -> wire.Head:
        """What is known of the table beside the cards."""
        return with_names(self._head(), self.called)

    def _head(self) -> wire.Head:
        to_draw = self.to_draw
        return wire.Head(
            state=self.state,
            why=self.why,
            round=self.rounds,
            seats=[sitter.to_wire(seat, seat in to_draw) for seat, sitter in enumerate(self.seats)],
            commitment=self._commitment,
            secret=self._secret,
            cuts=[sitter.cut for sitter in self.seats] if self.match else [],
            winners=self._winners,
            rematch=self.rematch,
            practice=self.took_back > 0,
            result=wired(self._result) if self._result else None,
            maker=next((seat for seat, sitter in enumerate(self.seats) if sitter.person and sitter.person == self.maker), None),
        )

    def whole(self, viewer: Viewer, presence: list[wire.Presence]) -> wire.Table:
        """The table as a viewer sees it."""
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
            version=self.version(viewer),
            you=viewer,
            head=self.head,
            presence=presence,
            view=self.history.view(viewer) if self.match else None,
        )

    def again(self, viewer: Viewer, since: int) -> Again | None:
        """What a viewer has seen happen after a version; None where that is too much to tell, or cannot be told any more."""
        return None if self._lost_count else self.history.since(viewer, since)

    def events(self, viewer: Viewer, since: int) -> list[wire.Event] | None:
        """The same, told at once."""
        again = self.again(viewer, since)
        return again.tell() if again else None

    def replay(self, viewer: Viewer, number: int) -> Again:
        """A finished round, from 1, as a viewer saw it. Raises ProblemError where there is none."""
        if not self.match or not 1 <= number <= self.rounds:
            raise ProblemError("no-such-round")
        if number > self.opened:
            raise ProblemError("round-running")
        return self.history.round(viewer, number)

    def finished(self, number: int) -> Round:
        """A finished round, from 1: all of it lies open. Raises ProblemError where there is none."""
        self.replay(None, number)
        assert self.match, "a round that can be replayed"
        return self.match.finished[number - 1]

    def outcome(self, number: int) -> View:
        """What those who look on see at the end of a finished round, from 1. Raises ProblemError where there is none."""
        return self.finished(number).view()

    @property
    def record(self) -> str:
        """The record of a match that is over, as JSON. Raises ProblemError before."""
        if self.state != "over":
            raise ProblemError("not-over")
        if self._record is None:
            raise ProblemError("not-running")
        # The log holds nobody's name.
        told = json.loads(self._record) | {"players": [self.label(seat) for seat in range(len(self.seats))]}
        return json.dumps(told, ensure_ascii=False, indent=1)
