"""Perfect recall: the notes of a round's events as each learner's seat saw them.

The functions that note the events of a game are generated from its declared fields as Python source, as its encoder is. Before an
action they copy the fields that are compared after it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from mekuri.engine import compiled
from mekuri.engine.compiled import count, has, rule
from mekuri.engine.contract import FIRST_WORD, Contract, waiting
from mekuri.engine.defaults import noting_fields, place_fields
from mekuri.engine.defaults import secret as usual_secret
from mekuri.engine.fields import Field, RoundState, fields, show

EVENTS = 128  # of a ring, a power of two


@dataclass(frozen=True, eq=False)
class Recall:
    """The rules text by which the events of a game are noted.

    Attributes:
        noting: the function that notes an action; see `note`.
        keeping: the function that copies the places of cards: into, state.
        secret: the game's `secret`.
        version: 8 hexadecimal digits, which change with the form of the events.
    """

    noting: Callable[..., None]
    keeping: Callable[[Any, Any], None]
    secret: Callable[[Any], bool]
    version: str

    @property
    def rules(self) -> tuple[Callable[..., Any], ...]:
        """All rules text that machine code runs."""
        return self.noting, self.keeping, self.secret, clear_rings


# The same calls run plain and compiled; compiled, `layout` is its record.


def note(
    layout: Any, b: RoundState, s: RoundState, hides: bool, seat: int, action: int, viewers: int, events: Any, happened: Any
) -> None:
    """Note an action for each seat, as it saw it. Does nothing where the layout has no events.

    A secret action is an event for another seat if a public field has changed. Any other action is seen by all, unless it moves a
    card from one place that is not public to another.

    Args:
        layout: the layout.
        b: the state before the action, as `keep` has left it.
        s: the state after it.
        hides: whether the action was secret, as `keep` returned it.
        seat: the seat that acted, or DRIVER.
        action: the action.
        viewers: the set of seats whose events are noted.
        events: for each seat a ring of EVENTS events, as `Vector.events` describes it, each as one number.
        happened: for each seat the number of its events.
    """
    if layout.recall:
        layout.recall.noting(b, s, hides, seat, action, viewers, events, happened)


def keep(layout: Any, into: RoundState, s: RoundState, action: int) -> bool:
    """Copy the fields of a state before an action that `note` compares, and return whether the action is secret."""
    if not layout.recall:
        return False
    hides = bool(layout.recall.secret(s))
    if hides:
        show(into, s)
    elif action < FIRST_WORD:
        layout.recall.keeping(into, s)
    return hides


def forget(layout: Any, events: Any, happened: Any) -> None:
    """Clear the events of all seats."""
    if layout.recall:
        clear_rings(events, happened)


@rule
def clear_rings(events: Any, happened: Any) -> None:
    """Clear the ring of each seat, as far as it has been written."""
    for seat in range(len(happened)):
        for place in range(min(int(happened[seat]), EVENTS)):
            events[seat, place] = 0
        happened[seat] = 0


@rule
def put(seat: int, action: int, viewer: int, seats: int, events: Any, happened: Any) -> None:
    """Add an event to a viewer's ring. The action is -1 if it is hidden."""
    at = int(happened[viewer])
    events[viewer, at & EVENTS - 1] = (after(seat, viewer, seats) if seat < seats else seats) + 1 | action + 1 << 8
    happened[viewer] = at + 1


@rule
def after(value: int, seat: int, seats: int) -> int:
    """How many places after a viewer a seat sits; -1 if the value is negative, as it is for no seat."""
    if value < 0:
        return -1
    return value - seat if value >= seat else value - seat + seats  # without a division, of which long rows would need many


def recalling(contract: Contract, seats: int) -> Recall:
    """Return the functions that note the events of a game with a number of seats."""
    state, secret = contract.state, contract.table.secret
    names = [one.name for one in (*place_fields(state), *noting_fields(state))] + [*contract.notes]
    places = [one for one in fields(state) if one.name in names and not one.fixed]
    lines = ["noticed = shown = 1", "if hides:", "    shown = 0", "    noticed = publicly_differ(b, s)"]
    lines += [f"elif action < {FIRST_WORD}:", "    laid = moved = 0"]
    lines += [f"    {line}" for one in places if one.public for line in _differs("laid", one)]
    lines += ["    if laid == 0:", *(f"        {line}" for one in places if not one.public for line in _differs("moved", one))]
    lines += ["        shown = moved == 0", f"for viewer in range({seats}):"]
    lines += ["    if has(viewers, viewer) and (noticed or viewer == seat):"]
    lines += [f"        put(seat, action if shown or viewer == seat else -1, viewer, {seats}, events, happened)"]
    keeping = [line for one in places for line in _each(one, "b.{0} = s.{0}")]
    version = hashlib.sha256(repr((contract.id, seats, EVENTS, lines)).encode()).hexdigest()[:8]
    called = f"{contract.id.replace('-', '_')}_{seats}_{version}"  # machine code knows functions by their names
    functions = {f"note_{called}(b, s, hides, seat, action, viewers, events, happened)": lines, f"keep_{called}(b, s)": keeping}
    source = "".join("\n    ".join([f"def {head}:", *body]) + "\n" for head, body in functions.items())
    space: dict[str, Any] = {"publicly_differ": publicly_differ, "put": put, "has": has, "__name__": __name__}
    exec(source, space)  # names of fields, which are identifiers
    asked = several_asked if secret is usual_secret else secret if secret in compiled.rules else rule(secret)
    return Recall(rule(space[f"note_{called}"]), rule(space[f"keep_{called}"]), asked, version)


@rule
def several_asked(s: RoundState) -> bool:
    """The default `secret` of a game, as rules text."""
    return count(waiting(s)) > 1


def publicly_differ(b: RoundState, s: RoundState) -> bool:
    """Whether a public field that may change differs between two states of a round."""
    return any(getattr(b, one.name) != getattr(s, one.name) for one in fields(type(s)) if one.public and not one.fixed)


def _differs(name: str, one: Field) -> list[str]:
    """The lines that set a number if the states b and s differ in whether the action's card lies in a field."""
    term = "(b.{0} ^ s.{0}) >> action & 1" if one.kind == "cards" else "(b.{0} == action) ^ (s.{0} == action)"
    return _each(one, f"{name} |= {term}")


def _each(one: Field, line: str) -> list[str]:
    """The lines that do something with each value of a field."""
    return [f"for i in range({one.length}):", f"    {line.format(f'{one.name}[i]')}"] if one.length else [line.format(one.name)]
