"""A table: what the rows of its log come to.

Everything happens to a table through its rows, whether a row is new or is replayed from the log, so both come to the same. New rows
are `fresh` until the log has them; nobody is told of anything before. `commands` holds what people and bots can make happen.
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
    """A table, and the rows it comes from.

    Attributes:
        founded: a table that the fresh rows name; it is written with them.
    """

    founded: Table | None = None

    @classmethod
    def load(cls, id: str, root: bytes, rows: Iterable[Row], deals: Deals | None = None, names: Names | None = None) -> Table:
        """The table that a log comes to. Raises Unreplayable where the present rules do not lead through it."""
        table = cls(id, root, deals, names)
        table.catch_up(rows)
        if table._due:
            raise Unreplayable("the log breaks off amid what belongs together")
        return table

    @classmethod
    def stopped(cls, id: str, root: bytes, rows: Sequence[Row], names: Names | None = None) -> Table:
        """A table whose match no longer replays: who sat there and how it ended are kept, the cards are not looked at."""
        table = cls(id, root, names=names)
        for row in rows:
            if row.kind == "make":
                table.maker = row.person
                try:
                    table._make(row)
                except OptionError:
                    # Its options or its number of seats are among what the present rules have no more.
                    table._set_up({**row.body, "match_options": {}}, make_game(row.body["game"], "default", None, {}))
            elif row.kind in ("sit", "draw", "free", "leave", "hold", "back", "end", "rematch", "say"):
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
        """Make something happen, and note it and what the driver did after it in fresh rows."""
        row = Row(n=self._rows, kind=kind, seat=seat, body=body, at=at, **more)
        self._happen(row)
        self._note(row)
        while self._due:
            self._note(Row(n=self._rows, kind="play", seat=DRIVER, body=self._due.popleft(), at=at))

    def draw(self, at: int) -> None:
        """Draw lots for the seats, from the secret of the first round and the cuts of all who wait."""
        seats = self.to_draw
        # In the order of their cuts, so that it means nothing who came when, and the record proves it.
        waiting = sorted(seats, key=lambda seat: self.seats[seat].cut)
        lots = draw_seats(seats, FairDeals(self.root, [sitter.cut for sitter in self.seats]).seats())
        self.add("draw", {"from": [waiting[lots.index(seat)] for seat in seats], "seats": seats}, at)

    def _note(self, row: Row) -> None:
        self.fresh.append(row)
        self._rows += 1

    def catch_up(self, rows: Iterable[Row]) -> None:
        """Go through rows that the log has and this table has not. Raises Unreplayable where they do not fit."""
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
