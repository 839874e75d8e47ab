"""The default values of a contract's plain functions: of its match, its texts, and the places of its cards.

The words of the texts stand in `texts.toml`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from mekuri.cards import EXTRA, NONE, each
from mekuri.engine.compiled import count
from mekuri.engine.fields import Field, RoundState, copied, fields, show
from mekuri.engine.options import Choice, Options, between
from mekuri.engine.phases import DRIVER
from mekuri.engine.presentation import Goal, Layout, Refusal, SheetLine, Text, Worth, Zone, ZoneKind


def nothing(*asked: Any) -> None:
    """Do nothing: the default of functions that refuse, count, lend, pay, carry or complete something."""


def no_amounts(s: Any) -> Mapping[str, int]:
    """Return no amounts: none lie in the middle of the table, and no account is outside of the seats."""
    return {}


# --- The match ---


@dataclass(frozen=True)
class Rounds(Options):
    """The default options of a match: a number of rounds."""

    rounds: int = between(6, 1, 99, common=(1, 3, 6))


def next_dealer(s: RoundState) -> int:
    """The seat after the dealer."""
    return (s.dealer + 1) % s.seats


def tally(s: RoundState, seat: int) -> Mapping[str, int]:
    """The seat's returns, in an account `points`."""
    return {"points": int(s.contract.rules.returns(s, seat))}


def ranking(account: Mapping[str, int]) -> tuple[int, ...]:
    """The sum of a seat's accounts, by which seats are ranked."""
    return (sum(account.values()),)


def length(options: Any, seats: int) -> int:
    """The number of rounds in the options; 0 where they have none, or a word in its place."""
    rounds = getattr(options, "rounds", 0)
    return 0 if isinstance(rounds, Choice) else rounds


def match_over(options: Any, rounds: int, accounts: object) -> bool:
    """Whether all rounds of the match are played. A match whose options have no `rounds` has one round."""
    most = getattr(options, "rounds", 1)
    return not isinstance(most, Choice) and rounds >= most


def empty_accounts(options: Any, seats: int, dealer: int) -> list[dict[str, int]]:
    """An empty account for every seat, for the start of a match."""
    return [{} for _ in range(seats)]


# --- The round ---


def secret(s: RoundState) -> bool:
    """Whether several seats owe an action, so that each stays hidden until all have acted."""
    return count(s.contract.rules.waiting(s)) > 1


def seen_by(before: RoundState, seat: int, action: int) -> int:
    """The viewers of `shown_to` for an action that has not been done yet."""
    after = copied(before)
    before.contract.rules.play(after, seat, action)
    return shown_to(before, after, seat, action)


def shown_to(before: RoundState, after: RoundState, seat: int, action: int) -> int:
    """All viewers, but for a card that is moved face down: it is seen by a viewer whose hidden state shows where it was or is.

    Args:
        before: the whole state before the action.
        after: the whole state after it.
        seat: the seat that acts, which sees its own action.
        action: the action.

    Returns:
        The set of the seats that see the action. The driver's bit stands for spectators.
    """
    everybody = (1 << before.seats) - 1 | 1 << DRIVER
    changed = moved(before, after, action)
    if not changed or any(field.public and field.name in {name for name, _ in changed} for field in fields(type(before))):
        return everybody
    shown = (viewer for viewer in each(everybody) if any(changed & places_of(_hidden(s, viewer), action) for s in (before, after)))
    return sum(1 << viewer for viewer in shown) | (0 if seat == DRIVER else 1 << seat)


def moved(before: RoundState, after: RoundState, action: int) -> set[tuple[str, int]]:
    """The places that an action takes its card from, or puts it in. A word moves no card, and a card may only be named by it."""
    return places_of(before, action) ^ places_of(after, action) if action <= EXTRA else set()


def places_of(s: RoundState, card: int, notes: bool = True) -> set[tuple[str, int]]:
    """The places in which a state shows a card: fields, each with the index in its row. In the stock the index is always 0.

    Args:
        s: the state, whole or hidden.
        card: the card.
        notes: whether the sets of cards count that the contract lists as `notes`.
    """
    kind: Any = type(s)  # a class can be hashed, but a type checker looks at its instances
    found = set()
    for field in _card_fields(kind, notes):
        value = getattr(s, field.name)
        for i, one in enumerate(value if field.length else (value,)):
            if one == card if field.kind == "card" else one >> card & 1:
                found.add((field.name, i))
    return found | {("pack", 0)} if card in s.pack[: s.stock] else found


def _hidden(s: RoundState, viewer: int) -> RoundState:
    """The hidden state of a viewer; see `driver.hidden_state`."""
    into = type(s)()
    show(into, s)
    s.contract.rules.hide(s, viewer, into)
    return into


@cache
def _card_fields(state: Any, notes: bool) -> tuple[Field, ...]:
    """The fields of a game's state in which cards lie, or which note a single card, and those of `notes` if they count."""
    noted = [field for field in fields(state) if notes and field.name in state.contract.notes and not field.fixed]
    return (*place_fields(state), *noting_fields(state), *noted)


def no_window(s: Any) -> int:
    """`NONE`, for a table waits without limit."""
    return NONE


def spoken(s: Any) -> bool:
    """False, for the word that silence stands for may also be given as an action."""
    return False


def no_goals(h: Any, seat: int) -> list[Goal]:
    """No goals."""
    return []


def no_lines(h: Any, seat: int) -> list[SheetLine]:
    """No lines: no decision has a sheet of its own."""
    return []


def no_worth(s: Any, card: int) -> Worth:
    """No points and no yaku, for a card by itself counts nothing."""
    return Worth(None, ())


# --- Texts ---


def refusal(s: RoundState, seat: int, action: int) -> Refusal:
    """The reason why an action is illegal for a seat: one of the engine's own, or the game's where `why` gives one.

    The engine's are that the round is over, that only the driver does this, that it cannot be done now, and that it is not the
    seat's turn.
    """
    rules = s.contract.rules
    if rules.over(s):
        return Refusal("round-over", {})
    if action >= s.contract.driver_from:
        return Refusal("driver-only", {})
    return s.contract.table.why(s, seat, action) or Refusal("not-now" if rules.waiting(s) >> seat & 1 else "not-your-turn", {})


def prompt(h: RoundState, seat: int) -> Text:
    """The text that tells a seat that it is its turn."""
    return Text("prompts.turn", {})


def event(before: RoundState, after: RoundState, seat: int, action: int) -> Text:
    """The text of an action: the seat, or the table, and the card or the word."""
    args: dict[str, Any] = {} if seat == DRIVER else {"seat": seat}
    who = "table" if seat == DRIVER else "seat"
    if action <= EXTRA:
        return Text(f"events.{who}-card", {**args, "card": action})
    return Text(f"events.{who}-word", {**args, "word": Text(f"words.{before.contract.words(action).text}", {})})


def score_sheet(s: RoundState) -> list[SheetLine]:
    """One line for each seat with its returns; no lines before the round is over."""
    if not s.contract.rules.over(s):
        return []
    return [SheetLine(seat, Text("lines.return", {}), 0, int(s.contract.rules.returns(s, seat)), "") for seat in range(s.seats)]


# --- Places ---


def zones(h: RoundState) -> list[Zone]:
    """A zone for every set and every row of cards in the state, and one for the stock.

    A row with cards of each seat gives a zone to each seat. The number of cards face down in `pile` is
    the field `pile_held`, in `hand` the field `held`; without such a field, a place that is not public is hidden while no card in
    it is seen. Empty places of a row that belongs to no seat are left out.
    """
    found = []
    for field in place_fields(type(h)):
        held = getattr(h, "held" if field.name == "hand" else f"{field.name}_held", None)
        for i, (key, owner, lying) in enumerate(_lying(h, field)):
            unseen = held[i] if isinstance(held, list) else held or 0
            kind, layout = _drawn(field, owner)
            hidden = held is None and not field.public and not lying
            if not (lying or unseen or hidden) and owner is None and field.length:
                continue  # such as a row for which this game has no use
            found.append(Zone(key, owner, kind, layout, (*lying, *[None] * unseen), hidden=hidden))
    found.append(Zone("stock", None, "stock", "stack", (None,) * h.stock))
    seen = {card for zone in found for card in zone.cards}
    return found + [
        Zone(dashed(field.name), None, "offer", "row", (getattr(h, field.name),))
        for field in noting_fields(type(h))
        if getattr(h, field.name) not in (NONE, *seen)
    ]


def place_names(state: type[RoundState]) -> dict[str, str]:
    """Default names of the places of `zones`, by the ids under which the rule book may name them."""
    found: dict[str, str] = {}
    for field in place_fields(state):
        several = _lie_apart(field) and not field.each_seat
        keys = [f"{field.name}_{i + 1}" for i in range(field.length)] if several else [field.name]
        found |= {dashed(key): spelt(key) for key in keys}
    return found | {dashed(field.name): spelt(field.name) for field in noting_fields(state)}


def place_fields(state: type[RoundState]) -> list[Field]:
    """The fields of a game's state in which cards lie, without the fields that only note cards."""
    lain_in = [field for field in fields(state) if field.kind == "cards" or (field.kind == "card" and field.length)]
    return [field for field in lain_in if not field.fixed and field.name != "pack" and field.name not in state.contract.notes]


def dashed(name: str) -> str:
    """A field's name with hyphens in place of underscores, as ids are written."""
    return name.replace("_", "-")


def spelt(name: str) -> str:
    """An id as words for a reader: with spaces and a capital letter."""
    words = dashed(name).replace("-", " ")
    return words[:1].upper() + words[1:]


def noting_fields(state: type[RoundState]) -> list[Field]:
    """The fields that hold a single card, which may lie in no other place."""
    return [field for field in fields(state) if field.kind == "card" and not field.length]


def _lie_apart(field: Field) -> bool:
    return field.kind == "cards" and field.length > 0


def _lying(h: RoundState, field: Field) -> Iterator[tuple[str, int | None, list[int]]]:
    """The places of a field, each as its id, its owner (None for no seat), and the cards that are seen there."""
    value, name = getattr(h, field.name), dashed(field.name)
    if field.each_seat:
        for seat in range(h.seats):
            yield f"{name}-{seat}", seat, [card for one in field.of_seat(value, seat) for card in _cards(field, one)]
    elif _lie_apart(field):
        for i, cards in enumerate(value, 1):
            yield f"{name}-{i}", None, list(each(cards))
    else:
        yield name, None, [card for card in value if card != NONE] if field.length else list(each(value))


def _cards(field: Field, value: int) -> list[int]:
    """The cards of one value of a field: of a set all its cards, of a card that card or none."""
    return list(each(value)) if field.kind == "cards" else [value] if value != NONE else []


def _drawn(field: Field, owner: int | None) -> tuple[ZoneKind, Layout]:
    """The kind and the layout of a place."""
    if owner is not None:
        return ("captured", "row") if field.public and field.name != "hand" else ("hand", "fan")
    return ("field", "grid") if field.public and field.kind == "cards" else ("pile", "row")
