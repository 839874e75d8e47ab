"""Encode and decode messages as JSON. The classes of `engine`, `match` and `bots` that a table shows are sent as they are declared.

A card is sent as notation, and a set of cards as a list of notation. A set sent as one number would lose bits in a browser's JSON.
"""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec

from mekuri.bots.figures import Mean
from mekuri.cards import Card, Cards
from mekuri.cards.values import CARDS, card_named
from mekuri.engine.presentation import Text
from mekuri.match.deed import Action

T = TypeVar("T")

_PLACES = 3  # decimal places of a mean: further ones are noise
_KEPT = 1 << 14  # entries of a cache: the same sets of cards are sent to several viewers in event after event


class _Rows(dict[int, tuple[str, ...]]):
    """Sets of cards as rows of notation."""

    def __missing__(self, cards: int) -> tuple[str, ...]:
        if len(self) >= _KEPT:
            self.clear()
        self[cards] = row = tuple(map(str, Cards(cards)))
        return row


_ROWS = _Rows()
_TEXTS = tuple(str(card) for _, card in sorted(CARDS.items()))[1:]  # the text of every card, by its number


def encoded(value: Any) -> Any:
    """Return the JSON form of a value of a type that msgspec does not know. Raises NotImplementedError for any other type."""
    kind = type(value)
    if kind is Card:
        return _TEXTS[value]
    if kind is Cards:
        return _ROWS[value]
    if kind is Mean:
        return round(float(value), _PLACES)
    if kind is Action:
        return str(value)
    raise NotImplementedError(f"a message has no place for {kind.__name__}")


def decoded(kind: Any, parsed: Any) -> Any:
    """Return a value of a type that msgspec does not know. Raises ValueError where JSON holds none."""
    if kind is Card:
        return card_named(msgspec.convert(parsed, str))
    if kind is Action:
        return Action.named(msgspec.convert(parsed, str))
    if kind is Mean:
        return Mean(msgspec.convert(parsed, float))
    if kind is Cards:
        return Cards.of(map(card_named, msgspec.convert(parsed, list[str])))
    return kind({key: _argument(key, value) for key, value in msgspec.convert(parsed, dict[str, Any]).items()})


def _argument(key: str, parsed: Any) -> Any:
    if isinstance(parsed, dict):
        return convert(parsed, Text)
    if key == "card" and isinstance(parsed, str):
        return card_named(parsed)
    return decoded(Cards, parsed) if key == "cards" else msgspec.convert(parsed, int | str)


_ENCODER = msgspec.json.Encoder(enc_hook=encoded)


def encode(message: Any) -> bytes:
    """Return a message as JSON."""
    return _ENCODER.encode(message)


def decode(data: bytes | str, kind: type[T]) -> T:
    """Return the message of a type that JSON holds. Raises msgspec.DecodeError where it holds none."""
    return msgspec.json.decode(data, type=kind, dec_hook=decoded)


def convert(parsed: Any, kind: type[T]) -> T:
    """Return the message of a type that parsed JSON holds. Raises msgspec.ValidationError where it holds none."""
    return msgspec.convert(parsed, kind, dec_hook=decoded)


def to_builtins(message: Any) -> Any:
    """Return a message as dictionaries and lists, ready for JSON."""
    return msgspec.to_builtins(message, enc_hook=encoded)


def schema_of(kind: Any) -> dict[str, Any]:
    """Return the JSON Schema of a type that msgspec does not know."""
    text = {"type": "string"}
    if kind in (Action, Card, Mean):
        return {"type": "number"} if kind is Mean else text
    row = {"type": "array", "items": text}
    argument = {"anyOf": [{"type": "integer"}, text, row, {"$ref": "#/$defs/Text"}]}
    return row if kind is Cards else {"type": "object", "additionalProperties": argument}
