"""Texts and zones of Hiyoko, which are those of every sequence game."""

from __future__ import annotations

from mekuri.engine.compiled import has
from mekuri.engine.contract import Refusal, Text, Zone
from mekuri.games.hiyoko.rules import FORTY_FIVE, legal
from mekuri.games.hiyoko.state import HiyokoState
from mekuri.games.sequence_zones import complete_sequence, event_of, prompt_for, table_zones, why_not


def pack(options: object) -> list[int]:
    """The forty-five cards, whatever the options."""
    return [card for card in range(48) if has(FORTY_FIVE, card)]


def complete(s: HiyokoState) -> None:
    """Refuse a position that lacks what its phase needs."""
    complete_sequence(s)


def why(s: HiyokoState, seat: int, action: int) -> Refusal | None:
    """The reason why an action is forbidden."""
    return why_not(s, seat, action)


def prompt(h: HiyokoState, seat: int) -> Text:
    """The prompt for a seat that owes an action."""
    return prompt_for(h, legal(h, seat))


def event(before: HiyokoState, after: HiyokoState, seat: int, action: int) -> Text:
    """The text that tells an action."""
    return event_of(before, after, seat, action)


def zones(h: HiyokoState) -> list[Zone]:
    """The places on the table."""
    return table_zones(h)
