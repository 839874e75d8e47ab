"""The request to a bot in another process, as a line of JSON. It holds nothing but what the bot's seat may know."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from mekuri import games
from mekuri.engine.bot import Budget, Happened, Seen
from mekuri.engine.fields import RoundState, fields

Values = list[Any]  # the values of a state's fields, in order of declaration: ints and rows of ints


def packed(seen: Sequence[Seen], chances: Sequence[list[int]], budget: Budget) -> bytes:
    """Return a request for several actions as one line of JSON, with its newline. Equal requests give equal bytes."""
    asked = {
        "seen": [
            {
                "game": one.hidden.contract.id,
                "seat": one.seat,
                "hidden": _values(one.hidden),
                "past": [[happened.seat, happened.action, _values(happened.hidden)] for happened in one.past],
            }
            for one in seen
        ],
        "chances": [list(chance) for chance in chances],
        "budget": [budget.playouts, budget.milliseconds],
    }
    return json.dumps(asked, separators=(",", ":")).encode() + b"\n"


def unpacked(line: bytes) -> tuple[list[Seen], list[list[int]], Budget]:
    """Return the request that a line of `packed` holds."""
    asked: dict[str, Any] = json.loads(line)
    return [_seen(one) for one in asked["seen"]], asked["chances"], Budget(*asked["budget"])


def _seen(one: dict[str, Any]) -> Seen:
    kind = games.find(one["game"]).state
    past = tuple(Happened(seat, action, _state(kind, values)) for seat, action, values in one["past"])
    return Seen(_state(kind, one["hidden"]), one["seat"], past)


def _values(s: RoundState) -> Values:
    return [getattr(s, field.name) for field in fields(s.contract.state)]


def _state(kind: type[RoundState], values: Values) -> RoundState:
    return kind(*values)
