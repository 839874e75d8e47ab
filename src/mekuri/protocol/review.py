"""Messages of the review of a round, and of a retry."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from mekuri.bots.review import Review
from mekuri.match.view import Happening
from mekuri.protocol.table import SeatNumber, Version


class Reviewed(msgspec.Struct, frozen=True, kw_only=True):
    """A review, or the progress of its making.

    Attributes:
        table: the table's id.
        round: the round's number, from 1.
        seat: the seat.
        done: the number of decisions, of all seats, that have been judged.
        total: the number of all decisions; 0 while it is not known, and once the review is made.
        review: the review; null while it is being made.
        older: whether an earlier version of the judge has made the review, so that it can be made again.
    """

    table: str
    round: int
    seat: int
    done: int
    total: int
    review: Review | None
    older: bool = False


class AskRetry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request to play a finished round on differently from a decision, with the same cards and bots in the other seats.

    The server stores nothing of it.

    Attributes:
        seat: the seat that retries.
        seen: the seat's version in the round at the decision from which the retry starts.
        line: the actions since then in order, as in a record: the `line` of the last answer, and the seat's new action.
        since: the version after which events are wanted: the `version` of the last view of the retry, or `seen`.
    """

    seat: SeatNumber
    seen: Version
    line: Annotated[str, Meta(max_length=1200, examples=["0:7I"])]
    since: Version


class Retried(msgspec.Struct, frozen=True, kw_only=True):
    """The answer to a retry: all that happens until the seat decides again.

    Attributes:
        bot: the id of the bot that plays the other seats.
        line: all actions since the retry started, with those of the bots at its end.
        events: the events that the seat sees, after `since`.
        result: the seat's returns; null until the round is over.
    """

    bot: str
    line: str
    events: list[Happening]
    result: int | None
