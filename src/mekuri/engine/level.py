"""A level: how well a character plays a game."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Level:
    """The strength of one character in one game. With the default values it plays as well as the search can.

    A weaker character does not play badly on purpose: it looks less far ahead, tries fewer deals, or forgets.

    Attributes:
        who: the character's id as a bot.
        playouts: the most rounds that its search plays out for a decision; None for no limit of its own.
        sight: how many of its own turns the search looks ahead before it judges. 0 is the end of this turn, before anybody answers;
            None is the end of the round.
        forgets: the percentage that it forgets of the cards that have gone and the facts that play has proved, 0 to 100.
    """

    who: str
    playouts: int | None = None
    sight: int | None = None
    forgets: int = 0
