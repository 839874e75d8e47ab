"""A level: how well a character plays a game."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Level:
    """How a character thinks in a game. Where nothing is said, it thinks as well as anybody here can.

    Nobody plays badly on purpose: who is weaker sees less far, thinks of fewer deals, or forgets.

    Attributes:
        who: the character, by its name as a bot.
        playouts: how many rounds it plays out in its thoughts at most; few of them are few deals that it thinks of.
        sight: how many of its own turns it looks ahead; it judges by what it has by then. 0 is what this turn brings, before
            anybody answers; None the whole round.
        forgets: of a hundred cards that it has seen go, and things that play has proved, how many it has forgotten.
    """

    who: str
    playouts: int | None = None
    sight: int | None = None
    forgets: int = 0
