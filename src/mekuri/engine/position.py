"""Positions: texts that set up any state of a round, as a FEN sets up a chess position.

`phase play; turn 1; hand 7I 2H / 3O; field 7O 7K; stock 1H 2H` names fields of the game's state and their values. A field that is
left out is empty or 0. Fields with a value for each seat separate the values by ` / `, and so do rows of cards. The stock is
written in the order in which its cards will come; cards that the text does not mention make up the used part of the pack.
`docs/position.md` is the guide. Full-width digits and letters count as the usual ones.
"""

from __future__ import annotations

from collections.abc import Iterator

from mekuri.cards import NONE, NotationError, card_text, cards_text, each, parse_cards, parse_row
from mekuri.cards.given import typed
from mekuri.engine.contract import Contract
from mekuri.engine.errors import PositionError
from mekuri.engine.fields import Field, RoundState, fields
from mekuri.engine.options import Choice


def position_text(s: RoundState) -> str:
    """The position of a state as text: every field that is not empty, and the phase."""
    parts = []
    for field in _written(type(s)):
        value = getattr(s, field.name)
        if field.name == "stock":
            if s.stock:
                parts.append("stock " + " ".join(card_text(s.pack[i]) for i in range(s.stock - 1, -1, -1)))
        elif field.length:
            texts = [_value_text(field, one) for one in value]
            while texts and texts[-1] == _value_text(field, field.empty):
                texts.pop()
            if texts:
                parts.append(f"{field.name} " + " / ".join(texts))
        elif value != field.empty or field.name == "phase":
            parts.append(f"{field.name} {_value_text(field, value)}")
    return "; ".join(parts)


def parse_position(s: RoundState, text: str) -> None:
    """Set up a new state of a game as the text of a position says.

    Args:
        s: the state, which is changed; its options, seats and pack are already set.
        text: the position.

    Raises:
        PositionError: if the text names a field that the game lacks, a value that the field cannot have, or a card twice, or if
            the game refuses the position.
    """
    contract: Contract = s.contract
    known = {field.name: field for field in _written(type(s))}
    for field in known.values():
        setattr(s, field.name, [field.empty] * field.length if field.length else field.empty)
    s.stock = s.gathered = 0
    deck = [card for card in s.pack if card != NONE]
    stock: list[int] = []
    seen: set[str] = set()
    for name, value in _parts(text):
        if name not in known:
            has = ", ".join(known)
            raise PositionError(f"{contract.id} has no {name}: it has {has}. Where a newer Mekuri wrote this, update to read it")
        if name in seen:
            raise PositionError(f"{name} stands twice")
        seen.add(name)
        try:
            if name == "stock":
                stock = parse_row(value)
                if NONE in stock:
                    raise PositionError("stock: every card must be known")
                s.stock = len(stock)
            else:
                setattr(s, name, _parse_value(known[name], value))
        except NotationError as error:
            raise PositionError(f"{name}: {error}") from None
    rest = [card for card in deck if card not in stock]
    s.pack[: len(deck)] = stock[::-1] + rest
    _check_cards(s, stock, deck)
    _check_seats(s)
    contract.rules.complete(s)


def parse_values(contract: Contract, text: str) -> dict[str, object]:
    """The fields that the text of a position names, with their values, without making a state. Worked examples compare results so.

    Raises:
        PositionError: if the text names a field that the game lacks, or a value that the field cannot have.
    """
    known = {field.name: field for field in _written(contract.state)}
    found: dict[str, object] = {}
    for name, value in _parts(text):
        if name not in known:
            raise PositionError(f"{contract.id} has no {name}: it has {', '.join(known)}")
        found[name] = parse_row(value) if name == "stock" else _parse_value(known[name], value)
    return found


def need(met: bool, what: str) -> None:
    """Refuse a position unless a condition is met; a game's `complete` calls it.

    Args:
        met: the condition.
        what: the message, which states the condition.

    Raises:
        PositionError: if `met` is false.
    """
    if not met:
        raise PositionError(what)


def _written(state: type[RoundState]) -> list[Field]:
    """The fields that a position may name: all but fixed ones, such as options, and the pack, which is written as the stock."""
    return [field for field in fields(state) if not field.fixed and field.name != "pack"]


def _parts(text: str) -> Iterator[tuple[str, str]]:
    for part in typed(text).split(";"):
        name, _, value = part.strip().partition(" ")
        if name:
            yield name.replace("-", "_"), value.strip()


def _value_text(field: Field, value: int) -> str:
    if field.kind == "cards":
        return cards_text(value)
    if field.kind == "card":
        return card_text(value)
    if field.names and issubclass(field.names, Choice):
        return field.names(value).text
    return str(value)


def _parse_value(field: Field, text: str) -> int | list[int]:
    if not field.length:
        return _parse_one(field, text)
    values = [_parse_one(field, one.strip()) for one in text.split("/")]
    if len(values) > field.length:
        raise PositionError(f"{field.name} has {field.length} values, separated by /, not {len(values)}")
    return values + [field.empty] * (field.length - len(values))


def _parse_one(field: Field, text: str) -> int:
    if field.kind == "cards":
        return parse_cards(text)
    if field.kind == "card":
        row = parse_row(text)
        if len(row) != 1:
            raise PositionError(f"{field.name} is one card, not {text!r}")
        return row[0]
    if field.names and issubclass(field.names, Choice):
        for choice in field.names:
            if choice.text == text.lower():
                return int(choice)
        raise PositionError(f"{field.name} is one of {', '.join(c.text for c in field.names)}, not {text!r}")
    if not text.isdecimal() or len(text) > 20 or not field.least <= int(text) <= field.most:
        raise PositionError(f"{field.name} is a number from {field.least} to {field.most}, not {text!r}")
    return int(text)


def _check_seats(s: RoundState) -> None:
    """Refuse a state that names a seat which does not play."""
    for field in _written(type(s)):
        value = getattr(s, field.name)
        if field.kind not in ("seat", "seats"):
            continue
        most = field.first + s.seats - 1 if field.kind == "seat" else (1 << s.seats) - 1
        for one in value if field.length else [value]:
            if one > most:
                says = "a seat" if field.first == 0 and field.kind == "seat" else "a number"
                raise PositionError(f"{field.name} is {says} from {field.least} to {most} where {s.seats} play, not {one}")


def _check_cards(s: RoundState, stock: list[int], deck: list[int]) -> None:
    """Refuse a state with a card that is not in play, or lies in two places. A field that only notes a card may repeat it."""
    places: dict[int, str] = {}
    for field in _written(type(s)):
        value = getattr(s, field.name)
        if field.name in s.contract.notes:
            continue
        if field.kind == "cards":
            for cards in value if field.length else [value]:
                for card in each(cards):
                    _place(places, card, field.name, deck)
        elif field.kind == "card" and field.length:
            for card in value:
                if card != NONE:
                    _place(places, card, field.name, deck)
    for card in stock:
        _place(places, card, "stock", deck)
    for name, card in _noted(s):
        if card not in deck:
            raise PositionError(f"{name}: {card_text(card)} is not in play")


def _noted(s: RoundState) -> Iterator[tuple[str, int]]:
    """The name of each field that only notes cards, with each card that it notes."""
    for field in _written(type(s)):
        value = getattr(s, field.name)
        if field.kind == "card" and not field.length and value != NONE:
            yield field.name, value
        elif field.name in s.contract.notes:
            for cards in value if field.length else [value]:
                yield from ((field.name, card) for card in each(cards))


def _place(places: dict[int, str], card: int, name: str, deck: list[int]) -> None:
    if card not in deck:
        raise PositionError(f"{card_text(card)} is not in play")
    if card in places:
        raise PositionError(
            f"{card_text(card)} lies in {places[card]} and in {name}" if places[card] != name else f"{card_text(card)} stands twice"
        )
    places[card] = name
