"""The log of a table: rows that are only ever added. What a table is at any moment follows from them."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

State = Literal["open", "running", "over"]


class Row(msgspec.Struct, frozen=True):
    """One thing in the log of a match.

    Attributes:
        n: its place in the match's log, from 0.
        kind: what sort of thing it is.
        seat: whose it is, if a seat's.
        body: what it says, as JSON has it.
        at: when, in milliseconds since 1970.
        decision: the seat's own number of this decision, if it is one.
        person: who did it, if a person.
    """

    n: int
    kind: str
    seat: int | None
    body: dict[str, Any]
    at: int
    decision: int | None = None
    person: str | None = None
