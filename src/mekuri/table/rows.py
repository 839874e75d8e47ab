"""Add rows to a table, and replay the rows of its log."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from mekuri.engine.contract import DRIVER
from mekuri.engine.errors import OptionError
from mekuri.match.deals import Deals
from mekuri.match.game import make_game
from mekuri.table.log import Row
from mekuri.table.seating import Names
from mekuri.table.table import Table, learn
from mekuri.table.transitions import Unreplayable, apply, set_up

# Kinds of rows that need no match.
_WITHOUT_MATCH = ("make", "sit", "draw", "free", "leave", "hold", "stall", "back", "end", "clock", "rematch", "say")


def add(table: Table, kind: str, body: dict[str, Any], at: int, seat: int | None = None, **more: Any) -> None:
    """Apply a new row to a table, and keep it and a row for each action of the driver that follows as fresh rows.

    No events are sent before the log has the fresh rows.

    Args:
        table: the table.
        kind: the row's kind.
        body: the row's data.
        at: the time, in milliseconds since 1970.
        seat: the seat that it concerns; None for none.
        more: the row's `decision` and `person`.
    """
    row = Row(n=table.rows, kind=kind, seat=seat, body=body, at=at, **more)
    apply(table, row)
    _keep(table, row)
    while table.driven:
        _keep(table, Row(n=table.rows, kind="play", seat=DRIVER, body=table.driven.popleft(), at=at))


def _keep(table: Table, row: Row) -> None:
    table.fresh.append(row)
    table.rows += 1


def load(id: str, root: bytes, rows: Iterable[Row], deals: Deals | None = None, names: Names | None = None) -> Table:
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
    table = Table(id, root, deals)
    learn(table, names or {})
    catch_up(table, rows)
    if table.driven:
        raise Unreplayable("the log breaks off within one command")
    return table


def load_stopped(id: str, root: bytes, rows: Sequence[Row], names: Names | None = None) -> Table:
    """Build a table whose match no longer replays, without its cards: only its people and its end are read from the rows.

    A match that was not over is ended as `void`, in a fresh row.
    """
    table = Table(id, root)
    learn(table, names or {})
    for row in rows:
        if row.kind in _WITHOUT_MATCH:
            try:
                apply(table, row)
            except OptionError:
                # The present rules lack some of its options or its number of seats.
                set_up(table, {**row.body, "match_options": {}}, make_game(row.body["game"], "default", None, {}))
        else:
            table.rounds = 1  # all other rows are those of a match that has begun
    kinds = [row.kind for row in rows]
    table.rounds, table.took_back = kinds.count("round"), kinds.count("take-back")
    table.rows, table.history.lost = len(rows), True
    if table.state != "over":
        add(table, "end", {"why": "void"}, rows[-1].at)
    return table


def catch_up(table: Table, rows: Iterable[Row]) -> None:
    """Apply rows of the log, skipping rows that the table has. Raises Unreplayable if a row is missing or does not fit."""
    for row in rows:
        if row.n < table.rows:
            continue
        if row.n > table.rows:
            raise Unreplayable(f"row {table.rows} of the log is missing")
        try:
            _replay(table, row)
        except (ValueError, LookupError, TypeError, AttributeError, AssertionError) as error:
            raise Unreplayable(f"row {row.n} of the log: {error}") from error
        table.rows += 1


def _replay(table: Table, row: Row) -> None:
    if row.kind == "play" and row.seat == DRIVER:
        if not table.driven or table.driven.popleft() != row.body:
            raise Unreplayable("the table would not do this by itself")
    elif table.driven:
        raise Unreplayable("the table would do something else first")
    else:
        apply(table, row)
