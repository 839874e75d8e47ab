"""The deals of the day, as they travel: what they come from, one's own try, and what all tries brought."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from mekuri.protocol.table import Cut

Day = Annotated[str, Meta(min_length=10, max_length=10, examples=["2026-11-24"])]


class DailyTry(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody's try at the deal of a day.

    Attributes:
        table: the table at which it is played.
        over: whether it is over.
        points: what it brought; null while it is not over, and where it does not count: something was taken back, it was left, or
            it ended after the day.
    """

    table: str
    over: bool
    points: int | None


class DailyPoints(msgspec.Struct, frozen=True, kw_only=True):
    """How often a deal of the day brought so much.

    Attributes:
        points: what the round brought.
        times: to how many.
    """

    points: int
    times: int


class DailyDeal(msgspec.Struct, frozen=True, kw_only=True):
    """The deal of a day in one game, which is the same for everybody.

    Attributes:
        game: the game's name.
        day: the day, of those of UTC.
        commitment: the SHA-256 of the deal's secret, 64 hexadecimal digits.
        committed_at: when it was published, in milliseconds since 1970.
        in_time: whether that was while people could still cut for the day, so that the server did not know their cuts.
        cuts: how many have cut for the day.
        cut: what their cuts come to, 64 hexadecimal digits: the cut of the first seat, the only one that is given.
        secret: the secret, 64 hexadecimal digits; null until the day is over.
        tries: how many tries are over and count.
        yours: your own; null where you have none.
        better: how many of the others that count brought less than yours; null where yours does not count.
        spread: what those that count brought, in ascending order; null until yours is over, or the day is.
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
    """The deals of the day to come, as far as they are fixed.

    Attributes:
        day: the day.
        closes_at: until when one can cut for it, in milliseconds since 1970.
        commitments: to what each game's deal is committed, by the games' names.
        cuts: how many have cut for it so far.
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
        day: today, of the days of UTC.
        ends_at: when it is over, in milliseconds since 1970.
        deals: those of today, game by game.
        tomorrow: those of tomorrow.
    """

    day: str
    ends_at: int
    deals: list[DailyDeal]
    tomorrow: DailyEve


class AskDailyCut(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Cut for the deals of the day to come. To cut again replaces your cut.

    Attributes:
        day: that day, as `Daily` tells it.
        cut: whatever you like. Nobody is shown more of it than its SHA-256.
    """

    day: Day
    cut: Cut
