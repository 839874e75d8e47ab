"""Messages of the deals of the day: today's deals and their commitments, the reader's own try, and the points of all tries."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from mekuri.protocol.table import Cut

Day = Annotated[str, Meta(min_length=10, max_length=10, examples=["2026-11-24"])]


class DailyTry(msgspec.Struct, frozen=True, kw_only=True):
    """A person's try at a deal of the day.

    Attributes:
        table: the id of the table at which it is played.
        over: whether it is over.
        points: the returns of the person's seat; null while it is not over, and where it does not count: an action was taken
            back, the person left, or it ended after the day.
    """

    table: str
    over: bool
    points: int | None


class DailyPoints(msgspec.Struct, frozen=True, kw_only=True):
    """The number of tries at a deal of the day that ended with the same points.

    Attributes:
        points: the returns of the person's seat.
        times: the number of tries that ended with them.
    """

    points: int
    times: int


class DailyDeal(msgspec.Struct, frozen=True, kw_only=True):
    """The deal of a day in one game, which is the same for everybody.

    Attributes:
        game: the game's name.
        day: the day of UTC, such as `2026-11-24`.
        commitment: the SHA-256 of the deal's secret, 64 hexadecimal digits.
        committed_at: when the commitment was published, in milliseconds since 1970.
        in_time: whether that was while people could still cut for the day, so that the server did not know all cuts.
        cuts: the number of people who have cut for the day.
        cut: the cut mixed from all of their cuts, 64 hexadecimal digits; it is used as the cut of seat 0.
        secret: the secret, 64 hexadecimal digits; null until the day is over.
        tries: the number of tries that are over and count.
        yours: your own try; null where you have none.
        better: the number of counted tries with fewer points than yours; null where yours does not count.
        spread: the points of all counted tries, in ascending order; null until your try, or the day, is over.
    """

    game: str
    day: str
    commitment: str
    committed_at: int
    in_time: bool
    cuts: int
    cut: str
    secret: str | None
    tries: int
    yours: DailyTry | None
    better: int | None
    spread: list[DailyPoints] | None


class DailyEve(msgspec.Struct, frozen=True, kw_only=True):
    """The deals of the next day, as far as they are fixed.

    Attributes:
        day: the day of UTC, such as `2026-11-24`.
        closes_at: until when people can cut for it, in milliseconds since 1970.
        commitments: the commitment of each game's deal, by the game's name.
        cuts: the number of people who have cut for it so far.
        yours: the SHA-256 of your cut, 64 hexadecimal digits; null where you have not cut.
    """

    day: str
    closes_at: int
    commitments: dict[str, str]
    cuts: int
    yours: str | None


class Daily(msgspec.Struct, frozen=True, kw_only=True):
    """The deals of the day.

    Attributes:
        day: today, as a day of UTC.
        ends_at: when today is over, in milliseconds since 1970.
        deals: today's deals, one for each game.
        tomorrow: tomorrow's deals.
    """

    day: str
    ends_at: int
    deals: list[DailyDeal]
    tomorrow: DailyEve


class AskDailyCut(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request to cut for the deals of the next day. Another cut replaces yours.

    Attributes:
        day: that day, as in `Daily.tomorrow`.
        cut: any text. Only its SHA-256 is shown to others.
    """

    day: Day
    cut: Cut
