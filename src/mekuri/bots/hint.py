"""Hints: of which kind the best action is, without naming it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mekuri.bots.alike import alike
from mekuri.bots.decisive import CAPTURED, LEFT, TENTHS, YAKU, Reason, decisive, is_held
from mekuri.bots.facts import is_sure_win, is_worse, no_matter, quoted
from mekuri.bots.finish import finish
from mekuri.bots.search.think import Notes
from mekuri.cards import card_text, each
from mekuri.engine.bot import Seen
from mekuri.engine.contract import FIRST_WORD, Text
from mekuri.engine.rulebook import rulebook
from mekuri.match.draw import zone_key
from mekuri.match.view import make_view


def part(seen: Seen, actions: Sequence[Any], notes: Notes | None = None) -> Text:
    """Return a text of the table `facts` that says of which kind the best action is, and not which one it is.

    Args:
        seen: what the seat has seen.
        actions: the seat's actions as `Weighed`, best first.
        notes: the results of their play-outs, world by world. With them, the text says so if it hardly matters what is chosen, and
            names both if the next best action is about as good and of another kind. If all actions are of one kind, it says on what
            the choice turns.
    """
    if len(actions) == 1:
        return Text("facts.part-only", {})
    best, *rest = actions
    others = [one for one in rest if not alike(seen.hidden, seen.seat, best.action, one.action)]
    if not others:
        return Text("facts.part-equal", {})
    kind = _kind(seen, best, others)
    if notes is None:
        return kind
    if anyhow := no_matter(notes, best.action, [one.action for one in others]):
        return anyhow
    if is_sure_win(notes, best.action) and (line := finish(seen.seat, best.action, notes)):
        return Text("facts.part-wins" if line[1:] else "facts.part-wins-now", {})
    kinds = [_kind(seen, one, [best, *(other for other in others if other is not one)]) for one in others]
    second, either = others[0], _either(seen, best, others[0], actions)
    telling = 2 * kinds.count(kind) <= len(kinds)
    if not is_worse(notes, best.action, second.action, next_best=True):
        return Text("facts.part-close", {}) if len(actions) == 2 else kind if kind == kinds[0] and telling else either
    if kind != either and telling:
        return kind
    turns = decisive(seen, best, second, notes).plan
    topic = turns and _topic(seen, [best.action, *(one.action for one in others)], second.action, turns)
    return topic or (Text("facts.part-better", {}) if len(actions) == 2 else either)


def _topic(seen: Seen, actions: Sequence[int], second: int, turns: Reason) -> Text | None:
    """Return a text on what the choice between the best action and another one turns. None if there is none that names neither."""
    (kind, seat, which), best = turns.event, actions[0]
    own = seat == seen.seat
    if kind == YAKU:
        return Text(f"facts.part-{'yaku' if own else 'threat'}", {"seat": seat, "yaku": seen.hidden.contract.yaku[which]})
    if kind == LEFT:
        several = sum(is_held(seen, one) for one in actions) > 1
        return Text("facts.part-left", {}) if several and which in actions else None
    if kind != CAPTURED:
        return None
    if which in (best, second):
        if not is_held(seen, which) or (which == best and not own):
            return None
        key = "given" if not own else "now" if which == best else "later"
        return Text(f"facts.part-{key}", {} if own else {"seat": seat})
    return Text(f"facts.part-{'captures' if own else 'guards'}", {"seat": seat, "card": which})


def _kind(seen: Seen, best: Any, others: Sequence[Any]) -> Text:
    denies = tuple(one for one in best.denies if _is_threat(one, others))
    for id, sought in (("part-makes", best.makes), ("part-denies", denies)):
        # A yaku that every action makes (or denies) does not tell the best one apart.
        held = [getattr(one, id.removeprefix("part-")) for one in others]
        telling = next((one for one in sought if not all(one in theirs for theirs in held)), None)
        if telling is not None:
            return Text(
                f"facts.{id}", {"yaku": telling} if isinstance(telling, str) else {"seat": telling.seat, "yaku": telling.yaku}
            )
    if best.action >= FIRST_WORD:
        return Text("facts.part-word", {})
    taken = len(each(best.takes & ~(1 << best.action)))
    if taken:
        return Text("facts.part-takes", {"place": _place(seen, best.action), "count": taken})
    if any(one.takes & ~(1 << one.action) for one in others) and not _chooses(seen, best.action):
        return Text("facts.part-lays", {"place": _place(seen, best.action)})
    return _either(seen, best, others[0], [best, *others])


def _chooses(seen: Seen, action: int) -> bool:
    """Return whether a seat that plays a card then chooses what it captures."""
    legal = make_view(seen.hidden.contract, seen.hidden, 0, seen.seat).legal
    return any(one.choices for one in legal if one.action == card_text(action))


def _is_threat(yaku: Any, others: Sequence[Any]) -> bool:
    """Return whether another seat makes a yaku in a tenth of the worlds or more after one of some other actions."""
    came = [(each, one.worlds) for one in others for each in one.comes if (each.seat, each.yaku) == (yaku.seat, yaku.yaku)]
    return any(TENTHS * each.worlds >= worlds for each, worlds in came)


def _either(seen: Seen, best: Any, second: Any, actions: Sequence[Any]) -> Text:
    """Return a text that names two actions, each with one that is equal to it, in the order of the cards: that tells nothing."""

    def named(action: int) -> Text:
        equal = [one.action for one in actions if one.action != action and alike(seen.hidden, seen.seat, action, one.action)]
        names = [quoted(seen.hidden.contract, each) for each in (action, *equal[:1])]
        return Text("facts.or-alike", {"one": names[0], "other": names[1]}) if equal else names[0]

    one, other = (named(action) for action in sorted([best.action, second.action]))
    return Text("facts.part-either", {"one": one, "other": other})


def _place(seen: Seen, card: int) -> Text:
    """Return the name of the zone in which a card lies."""
    hidden = seen.hidden
    zone = next(zone for zone in hidden.contract.table.zones(hidden) if card in zone.cards)
    return Text(f"zones.{zone_key(zone, rulebook(hidden.contract).tables['zones'])}", {})
