"""The request to a bot in another process, as a line of JSON. It holds nothing but what the bot's seat may know."""

from __future__ import annotations

import json
from typing import Any

from mekuri import games
from mekuri.engine.bot import Budget, Happened, Seen
from mekuri.engine.fields import RoundState, fields

Values = list[Any]  # the values of a state's fields, in order of declaration: ints and rows of ints


def packed(seen: Seen, chance: list[int], budget: Budget) -> bytes:
    """Return a request as one line of JSON, with its newline. Equal requests give equal bytes."""
    asked = {
        "game": seen.hidden.contract.id,
        "seat": seen.seat,
        "hidden": _values(seen.hidden),
        "past": [[happened.seat, happened.action, _values(happened.hidden)] for happened in seen.past],
        "chance": list(chance),
        "budget": [budget.playouts, budget.milliseconds],
    }
    return json.dumps(asked, separators=(",", ":")).encode() + b"\n"


def unpacked(line: bytes) -> tuple[Seen, list[int], Budget]:
    """Return the request that a line of `packed` holds."""
    asked: dict[str, Any] = json.loads(line)
    kind = games.find(asked["game"]).state
    past = tuple(Happened(seat, action, _state(kind, values)) for seat, action, values in asked["past"])
    return Seen(_state(kind, asked["hidden"]), asked["seat"], past), asked["chance"], Budget(*asked["budget"])


def _values(s: RoundState) -> Values:
    return [getattr(s, field.name) for field in fields(s.contract.state)]


def _state(kind: type[RoundState], values: Values) -> RoundState:
    return kind(*values)
