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
        events: EVENTS rows with an event of each seat, in the order of `Vector.events`, each as one number. The newest events of
            all seats so lie in one line of the processor's caches.
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
    """Clear the rings of all seats, as far as one of them has been written."""
    written = 0
    for seat in range(len(happened)):
        written = max(written, int(happened[seat]))
        happened[seat] = 0
    for place in range(min(written, EVENTS)):
        for seat in range(len(happened)):
            events[place, seat] = 0


@rule
def put(seat: int, action: int, shown: int, viewer: int, seats: int, events: Any, happened: Any) -> None:
    """Add an event to a viewer's ring. `shown` is 1 if the viewer sees the action, else 0."""
    at = int(happened[viewer])
    events[at & EVENTS - 1, viewer] = (after(seat, viewer, seats) if seat < seats else seats) + 1 | (action + 1) * shown << 8
    happened[viewer] = at + 1


@rule
def after(value: int, seat: int, seats: int) -> int:
    """How many places after a viewer a seat sits; -1 if the value is negative, as it is for no seat."""
    return -1 if value < 0 else round_table(value - seat, seats)


@rule
def round_table(places: int, seats: int) -> int:
    """The same place at the table, counted from 0 on, of a number of places from -`seats` on."""
    # Without a branch, because a processor cannot predict seats, and without a division.
    return places + (places >> 63 & seats)


def recalling(contract: Contract, seats: int) -> Recall:
    """Return the functions that note the events of a game with a number of seats."""
    state, secret = contract.state, contract.table.secret
    names = [one.name for one in (*place_fields(state), *noting_fields(state))] + [*contract.notes]
    places = [one for one in fields(state) if one.name in names and not one.fixed]
    # Most secret actions that show at all change a value of their seat, or a set of seats. To compare everything takes longer.
    changing = [one for one in fields(state) if one.public and not one.fixed]
    likely = [one.name for one in changing if one.kind == "seats" and not one.length]
    likely += [f"{one.name}[seat]" for one in changing if one.each_seat and one.length == one.each_seat]
    lines = ["noticed = shown = 1", "if hides:", "    noticed = shown = 0", f"    if seat < {seats}:"]
    lines += [f"        noticed = {' | '.join(f'(b.{one} ^ s.{one})' for one in likely) or '0'}"]
    lines += ["    if noticed == 0:", "        noticed = int(publicly_differ(b, s))"]
    lines += [f"elif action < {FIRST_WORD}:", "    laid = moved = 0"]
    lines += [f"    {line}" for one in places if one.public for line in _differs("laid", one, seats)]
    lines += ["    if laid == 0:"]
    lines += [f"        {line}" for one in places if not one.public for line in _differs("moved", one, seats)]
    lines += ["        shown = int(moved == 0)", "if noticed:", f"    for viewer in range({seats}):"]
    lines += ["        if has(viewers, viewer):"]
    lines += [f"            put(seat, action, shown | (viewer == seat), viewer, {seats}, events, happened)"]
    lines += ["elif has(viewers, seat):", f"    put(seat, action, 1, seat, {seats}, events, happened)"]
    keeping = [line for one in places for line in _each(one, seats, "b.{0} = s.{0}")]
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


def _differs(name: str, one: Field, seats: int) -> list[str]:
    """The lines that set a number if the states b and s differ in whether the action's card lies in a field."""
    term = "(b.{0} ^ s.{0}) >> action & 1" if one.kind == "cards" else "(b.{0} == action) ^ (s.{0} == action)"
    return _each(one, seats, f"{name} |= {term}")


def _each(one: Field, seats: int, line: str) -> list[str]:
    """The lines that do something with each value of a field, in a row of seats with those of the seats that play."""
    used = one.length // one.each_seat * seats if one.each_seat else one.length
    return [f"for i in range({used}):", f"    {line.format(f'{one.name}[i]')}"] if one.length else [line.format(one.name)]
