"""Hints: of which kind the best action is, without naming it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mekuri.bots.alike import alike
from mekuri.bots.facts import action_text, is_worse
from mekuri.bots.search.think import Notes
from mekuri.cards import each
from mekuri.engine.bot import Seen
from mekuri.engine.contract import FIRST_WORD, Text
from mekuri.engine.rulebook import rulebook
from mekuri.match.draw import zone_key


def part(seen: Seen, actions: Sequence[Any], notes: Notes | None = None) -> Text:
    """Return a text of the table `facts` that says of which kind the best action is, and not which one it is.

    Args:
        seen: what the seat has seen.
        actions: the seat's actions as `Weighed`, best first.
        notes: the results of their play-outs, world by world. If the next best action is about as good, and of another kind, the
            text then names both.
    """
    if len(actions) == 1:
        return Text("facts.part-only", {})
    best, *rest = actions
    others = [one for one in rest if not alike(seen.hidden, seen.seat, best.action, one.action)]
    if not others:
        return Text("facts.part-equal", {})
    kind = _kind(seen, best, others)
    second = others[0]
    close = notes is not None and not is_worse(notes, best.action, second.action, next_best=True)
    return _either(seen, best, second) if close and kind != _kind(seen, second, [best, *others[1:]]) else kind


def _kind(seen: Seen, best: Any, others: Sequence[Any]) -> Text:
    for id, sought in (("part-makes", best.makes), ("part-denies", best.denies)):
        # A yaku that every action makes (or denies) does not tell the best one apart.
        held = [getattr(one, id.removeprefix("part-")) for one in others]
        telling = next((one for one in sought if not all(one in theirs for theirs in held)), None)
        if telling is not None:
            return Text(f"facts.{id}", {"yaku": telling} if isinstance(telling, str) else telling._asdict())
    if best.action >= FIRST_WORD:
        return Text("facts.part-word", {})
    taken = len(each(best.takes & ~(1 << best.action)))
    if taken:
        return Text("facts.part-takes", {"place": _place(seen, best.action), "count": taken})
    if any(one.takes & ~(1 << one.action) for one in others):
        return Text("facts.part-lays", {"place": _place(seen, best.action)})
    return _either(seen, best, others[0])


def _either(seen: Seen, *two: Any) -> Text:
    # In the order of the cards, which tells nothing of which is better.
    one, other = (action_text(seen.hidden.contract, action) for action in sorted(one.action for one in two))
    return Text("facts.part-either", {"one": one, "other": other})


def _place(seen: Seen, card: int) -> Text:
    """Return the name of the zone in which a card lies."""
    hidden = seen.hidden
    zone = next(zone for zone in hidden.contract.zones(hidden) if card in zone.cards)
    return Text(f"zones.{zone_key(zone, rulebook(hidden.contract).tables['zones'])}", {})
