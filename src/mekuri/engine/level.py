"""A level: how well a character plays a game."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Level:
    """The strength of one character in one game. With the default values it plays as well as the search can.

    A weaker character makes no random mistakes: it looks less far ahead, tries fewer deals, forgets, or has a habit. A habit is to
    play some cards first or last. The rule book states it in one sentence (`habits`), so that a player can learn to exploit it.

    Attributes:
        who: the character's id as a bot.
        playouts: the most rounds that its search plays out for a decision; None for no limit of its own.
        sight: how many of its own turns the search looks ahead before it judges. 0 is the end of this turn, before any answer;
            None is the end of the round.
        forgets: the percentage that it forgets of the cards that have gone and the facts that play has proved, 0 to 100.
        plays_first: the cards of its hand, and the words, that it chooses as soon as it may, as a set of actions.
        plays_last: the cards of its hand, and the words, that it chooses only when nothing else is left.
    """

    who: str
    playouts: int | None = None
    sight: int | None = None
    forgets: int = 0
    plays_first: int = 0
    plays_last: int = 0

    @property
    def has_habit(self) -> bool:
        """Whether the character plays some cards first or last."""
        return bool(self.plays_first or self.plays_last)
