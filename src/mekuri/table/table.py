"""The class Table: a table that is built from the rows of its log, and to which new rows are added.

A table changes through rows alone, new ones and those replayed from the log, so that both lead to the same state. New rows are
`fresh` until the log has them, and no events are sent before that. The commands that add rows are in `mekuri.table.commands`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from mekuri.engine.contract import DRIVER
from mekuri.engine.errors import OptionError
from mekuri.match.deals import Deals
from mekuri.match.fair import FairDeals, draw_seats
from mekuri.match.game import make_game
from mekuri.table.log import Row
from mekuri.table.seating import Names
from mekuri.table.state import Unreplayable
from mekuri.table.transitions import DRAWN, Transitions

__all__ = ["DRAWN", "Table", "Unreplayable"]


class Table(Transitions):
    """A table that is built from the rows of its log.

    Attributes:
        founded: the new table of a rematch that a fresh row names; both are written to the log together. None for none.
    """

    founded: Table | None = None

    @classmethod
    def load(cls, id: str, root: bytes, rows: Iterable[Row], deals: Deals | None = None, names: Names | None = None) -> Table:
        """Build a table from the rows of its log.

        Args:
            id: the table's id.
            root: its 32 secret bytes.
            rows: all rows, in order.
            deals: the source of the packs; None for fair deals.
            names: people's present names by their ids.

        Raises:
            Unreplayable: the present rules do not lead from row to row, or the rows break off within one command.
        """
        table = cls(id, root, deals, names)
        table.catch_up(rows)
        if table._due:
            raise Unreplayable("the log breaks off amid what belongs together")
        return table

    @classmethod
    def stopped(cls, id: str, root: bytes, rows: Sequence[Row], names: Names | None = None) -> Table:
        """Build a table whose match no longer replays, without its cards: only its people and its end are read from the rows.

        A match that was not over is ended as `void`, in a fresh row.
        """
        table = cls(id, root, names=names)
        for row in rows:
            if row.kind == "make":
                table.maker = row.person
                try:
                    table._make(row)
                except OptionError:
                    # Its options or its number of seats are among what the present rules have no more.
                    table._set_up({**row.body, "match_options": {}}, make_game(row.body["game"], "default", None, {}))
            elif row.kind in ("sit", "draw", "free", "leave", "hold", "stall", "back", "end", "clock", "rematch", "say"):
                table._happen(row)
            else:
                # All other rows are those of a match that has begun.
                table.state = "running"
                table.rounds += row.kind == "round"
                table.took_back += row.kind == "take-back"
        table._rows, table._lost_count = len(rows), True
        if table.state != "over":
            table.add("end", {"why": "void"}, rows[-1].at)
        return table

    def add(self, kind: str, body: dict[str, Any], at: int, seat: int | None = None, **more: Any) -> None:
        """Apply a new row to the table, and keep it and a row for each action of the driver that follows as fresh rows.

        Args:
            kind: the row's kind.
            body: the row's data.
            at: the time, in milliseconds since 1970.
            seat: the seat that it concerns; None for none.
            more: the row's `decision` and `person`.
        """
        row = Row(n=self._rows, kind=kind, seat=seat, body=body, at=at, **more)
        self._happen(row)
        self._note(row)
        while self._due:
            self._note(Row(n=self._rows, kind="play", seat=DRIVER, body=self._due.popleft(), at=at))

    def draw(self, at: int) -> None:
        """Draw lots for the seats, from the secret of the first round and the cuts of all seats."""
        seats = self.to_draw
        # In the order of their cuts, so that the order in which people came does not matter, which the record proves.
        waiting = sorted(seats, key=lambda seat: self.seats[seat].cut)
        lots = draw_seats(seats, FairDeals(self.root, [sitter.cut for sitter in self.seats]).seats())
        self.add("draw", {"from": [waiting[lots.index(seat)] for seat in seats], "seats": seats}, at)

    def _note(self, row: Row) -> None:
        self.fresh.append(row)
        self._rows += 1

    def catch_up(self, rows: Iterable[Row]) -> None:
        """Apply rows of the log, skipping those that the table has. Raises Unreplayable where one is missing or does not fit."""
        for row in rows:
            if row.n < self._rows:
                continue
            if row.n > self._rows:
                raise Unreplayable(f"row {self._rows} of the log is missing")
            try:
                self._replay(row)
            except (ValueError, LookupError, TypeError, AttributeError, AssertionError) as error:
                raise Unreplayable(f"row {row.n} of the log: {error}") from error
            self._rows += 1

    def _replay(self, row: Row) -> None:
        if row.kind == "play" and row.seat == DRIVER:
            if not self._due or self._due.popleft() != row.body:
                raise Unreplayable("the table would not do this by itself")
        elif self._due:
            raise Unreplayable("the table would do something else first")
        else:
            self._happen(row)
