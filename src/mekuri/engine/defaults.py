"""What a game says where it leaves something out: its match, its texts, where its cards lie. The words stand in `texts.toml`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from mekuri.cards import EXTRA, NONE, each
from mekuri.engine.compiled import count
from mekuri.engine.fields import Field, RoundState, fields
from mekuri.engine.options import Choice, Options, between
from mekuri.engine.presentation import Goal, Layout, Refusal, SheetLine, Text, Worth, Zone, ZoneKind

_DRIVER = 16

# --- The match ---


@dataclass(frozen=True)
class Rounds(Options):
    """Options of a match: its rounds."""

    rounds: int = between(6, 1, 99, common=(1, 3, 6))


def next_dealer(s: RoundState) -> int:
    """The deal goes round."""
    return (s.dealer + 1) % s.seats


def tally(s: RoundState, seat: int) -> Mapping[str, int]:
    """What the round brings is counted as points."""
    return {"points": int(s.contract.returns(s, seat))}


def ranking(account: Mapping[str, int]) -> tuple[int, ...]:
    """Places go by all that a seat has."""
    return (sum(account.values()),)


def length(options: Any, seats: int) -> int:
    """The rounds that the options name, if they name a number."""
    rounds = getattr(options, "rounds", 0)
    return 0 if isinstance(rounds, Choice) else rounds


def match_over(options: Any, rounds: int, accounts: object) -> bool:
    """Whether they are played. A match whose options say nothing of it has one."""
    most = getattr(options, "rounds", 1)
    return not isinstance(most, Choice) and rounds >= most


def empty_accounts(options: Any, seats: int, dealer: int) -> list[dict[str, int]]:
    """Nobody has anything at the start of a match."""
    return [{} for _ in range(seats)]


def nothing_carried(s: Any, options: Any, ledger: Any, last: Any) -> None:
    """Every round begins alike."""


def nothing_lent(options: Any, s: Any, ledger: Any) -> None:
    """Accounts may fall below zero."""


def no_accounts(s: Any) -> Mapping[str, int]:
    """Everything goes from seat to seat."""
    return {}


# --- The round ---


def all_go_together(options: Any) -> None:
    """Any options go with any others."""


def as_written(s: Any) -> None:
    """A position says all that there is to say."""


def secret(s: RoundState) -> bool:
    """What is done while several seats are asked stays hidden until all have done it."""
    return count(s.contract.waiting(s)) > 1


def no_window(s: Any) -> int:
    """A table waits as long as it takes."""
    return NONE


def spoken(s: Any) -> bool:
    """Whatever silence means may be said, too."""
    return False


def no_goals(h: Any, seat: int) -> list[Goal]:
    """Nobody can see what a seat works towards."""
    return []


def no_score(h: Any, seat: int) -> None:
    """Nothing is counted up while a round is played."""


def no_worth(s: Any, card: int) -> Worth:
    """Cards by themselves count nothing."""
    return Worth(None, ())


def nothing_in_the_middle(h: Any) -> Mapping[str, int]:
    """Only cards lie on the table."""
    return {}


# --- Texts ---


def no_reason(s: Any, seat: int, action: int) -> None:
    """The engine's own refusals will do."""


def refusal(s: RoundState, seat: int, action: int) -> Refusal:
    """Why a seat may not do something: what holds in every game, and between that the game's own reasons."""
    contract = s.contract
    if contract.over(s):
        return Refusal("round-over", {})
    if action >= contract.driver_from:
        return Refusal("driver-only", {})
    return contract.why(s, seat, action) or Refusal("not-now" if contract.waiting(s) >> seat & 1 else "not-your-turn", {})


def prompt(h: RoundState, seat: int) -> Text:
    """That it is the seat's turn."""
    return Text("prompts.turn", {})


def event(before: RoundState, after: RoundState, seat: int, action: int) -> Text:
    """Who has done what."""
    told: dict[str, Any] = {} if seat == _DRIVER else {"seat": seat}
    who = "table" if seat == _DRIVER else "seat"
    if action <= EXTRA:
        return Text(f"events.{who}-card", {**told, "card": action})
    return Text(f"events.{who}-word", {**told, "word": Text(f"words.{before.contract.words(action).text}", {})})


def score_sheet(s: RoundState) -> list[SheetLine]:
    """What the finished round brings to each seat."""
    if not s.contract.over(s):
        return []
    return [SheetLine(seat, Text("lines.return", {}), 0, int(s.contract.returns(s, seat)), "") for seat in range(s.seats)]


# --- Places ---


def zones(h: RoundState) -> list[Zone]:
    """A place for every set and every row of cards in the state, and the stock.

    A row as long as the table has seats holds a place for each. How many cards a place holds face down is in the field of its name
    with `_held` after it, for `hand` in `held`; where there is none, a place that is not public does not tell it. Of rows that are
    nobody's the empty places are left out.
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
        for field in _noting(type(h))
        if getattr(h, field.name) not in (NONE, *seen)
    ]


def place_names(state: type[RoundState]) -> dict[str, str]:
    """What a screen calls the places of `zones`, by the names that the rule book may give them."""
    found: dict[str, str] = {}
    for field in place_fields(state):
        several = _lie_apart(field) and not _by_seat(state, field)
        keys = [f"{field.name}_{i + 1}" for i in range(field.length)] if several else [field.name]
        found |= {dashed(key): spelt(key) for key in keys}
    return found | {dashed(field.name): spelt(field.name) for field in _noting(state)}


def place_fields(state: type[RoundState]) -> list[Field]:
    """The fields of a game's state in which cards lie."""
    lain_in = [field for field in fields(state) if field.kind == "cards" or (field.kind == "card" and field.length)]
    return [field for field in lain_in if not field.fixed and field.name != "pack" and field.name not in state.contract.notes]


def dashed(name: str) -> str:
    """A field's name as it is written elsewhere."""
    return name.replace("_", "-")


def spelt(name: str) -> str:
    """A name as words."""
    words = dashed(name).replace("-", " ")
    return words[:1].upper() + words[1:]


def _noting(state: type[RoundState]) -> list[Field]:
    """The fields that note one card, which may lie nowhere else."""
    return [field for field in fields(state) if field.kind == "card" and not field.length]


def _by_seat(state: type[RoundState], field: Field) -> bool:
    return bool(field.length == max(state.contract.seats))


def _lie_apart(field: Field) -> bool:
    return field.kind == "cards" and field.length > 0


def _lying(h: RoundState, field: Field) -> Iterator[tuple[str, int | None, list[int]]]:
    """The places of a field: name, owner, and the cards that are seen there."""
    value, name = getattr(h, field.name), dashed(field.name)
    if _by_seat(type(h), field):
        for seat in range(h.seats):
            yield f"{name}-{seat}", seat, _cards(field, value[seat])
    elif _lie_apart(field):
        for i, cards in enumerate(value, 1):
            yield f"{name}-{i}", None, list(each(cards))
    else:
        yield name, None, [card for card in value if card != NONE] if field.length else list(each(value))


def _cards(field: Field, value: int) -> list[int]:
    """The cards of a set, or the card that a row holds in one of its places."""
    return list(each(value)) if field.kind == "cards" else [value] if value != NONE else []


def _drawn(field: Field, owner: int | None) -> tuple[ZoneKind, Layout]:
    """What a place is for, and how its cards lie."""
    if owner is not None:
        return ("captured", "row") if field.public and field.name != "hand" else ("hand", "fan")
    return ("field", "grid") if field.public and field.kind == "cards" else ("pile", "row")
