"""The pack of Hiyoko. Its other rules are those of every sequence game: see `sequence` and `sequence_play`."""

from __future__ import annotations

from mekuri.cards import ALL, CLUBS, card, each, whole_number
from mekuri.engine.compiled import bit

# hiyoko.cards.forty-five
FORTY_FIVE = ALL & ~whole_number(6) | bit(card(6, CLUBS))


def pack(options: object) -> list[int]:
    """The forty-five cards, whatever the options."""
    return [*each(FORTY_FIVE)]
