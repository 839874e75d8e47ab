"""Say why the best of a seat's actions is better than another one, as texts of the table `facts` of a rule book."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mekuri.bots.alike import alike
from mekuri.bots.decisive import (
    BETTER,
    CAPTURED,
    LEFT,
    MUCH,
    NEXT,
    TENTHS,
    YAKU,
    Hinge,
    Reason,
    decisive,
    difference,
    tenths,
)
from mekuri.bots.figures import figure
from mekuri.bots.search.think import Notes
from mekuri.engine.bot import Seen
from mekuri.engine.contract import FIRST_WORD, Contract, Text, over, returns, side_bet
from mekuri.engine.rulebook import rulebook
from mekuri.match.draw import zone_key

_FEW = 50  # worlds: an action that was tried in fewer is compared with the best only if it is the next best


def that_decide(seen: Seen, actions: Sequence[Any], notes: Notes) -> list[Text]:
    """Return what decides between the best of a seat's actions and the others: at most three texts of the table `facts`.

    The best is compared with the next best. Where neither of these is better for sure, a text says so, and the best is compared
    with the first that it is better than. The reasons come first, as `reasons` returns them, then the size of the difference.
    Actions that are equal by symmetry are never compared: a text says that they are equal.

    Args:
        seen: what the seat has seen.
        actions: the seat's actions as `Weighed`, best first.
        notes: the results of their play-outs, world by world.
    """
    first, *others = actions
    if not others:
        return [Text("facts.only", {"first": action_text(seen.hidden.contract, first.action)})]
    equal = [one for one in others if alike(seen.hidden, seen.seat, first.action, one.action)]
    rivals = [one for one in others if one not in equal]
    worse = next((one for one in rivals if is_worse(notes, first.action, one.action, one is rivals[0])), None)
    told = [_verdict(seen, first, rivals[0], notes)] if rivals and rivals[0] is not worse else []
    ends = [_verdict(seen, first, worse, notes)] if worse else []
    ends += [_equal(seen.hidden.contract, [one.action for one in (first, *equal)])] if equal else []
    return [*told, *(reasons(seen, first, worse, notes) if worse else [])[: 3 - len(told) - len(ends)], *ends]


def is_worse(notes: Notes, first: int, second: int, next_best: bool) -> bool:
    """Return whether an action is worse than the best for sure. One that was dropped early is not compared, for want of worlds."""
    return (next_best or len(notes.won[second]) >= _FEW) and difference(notes, first, second).size in (BETTER, MUCH)


def _verdict(seen: Seen, first: Any, second: Any, notes: Notes) -> Text:
    """Return the text of the size of a difference."""
    found, named = difference(notes, first.action, second.action), _named(seen.hidden.contract, first.action, second.action)
    if found.size not in (BETTER, MUCH):
        return Text(f"facts.{found.size}", named)
    ends = [notes.finals.get(action, [])[: len(notes.won[second.action])] for action in (first.action, second.action)]
    brought = [[int(returns(end, seen.seat)) for end in row if over(end)] for row in ends]
    wins = [sum(one > 0 for one in row) for row in brought]
    more = (wins[0] - wins[1]) * 100 // max(1, len(brought[0]))
    if more > 0 and not side_bet(seen.hidden, seen.seat) and all(abs(one) <= 1 for row in brought for one in row):
        return Text(f"facts.{found.size}-wins", {**named, "n": more})
    return Text(f"facts.{found.size}", {**named, "difference": _points(seen, notes, found.mean)})


def reasons(seen: Seen, first: Any, second: Any, notes: Notes) -> list[Text]:
    """Return why an action is better than another one: at most two texts of the table `facts`; none where that is not clear.

    The first says what comes of it, the second on which hidden card it depends most.

    Args:
        seen: what the seat has seen.
        first: the better action, as `Weighed`.
        second: the other one.
        notes: the results of their play-outs, world by world.
    """
    contract, named = seen.hidden.contract, _named(seen.hidden.contract, first.action, second.action)
    why = decisive(seen, first.action, second.action, notes)
    told = [_reason(contract, why.plan, first, second, named, seen.seat)] if why.plan else []
    gives_up = next((yaku for yaku in second.makes if yaku not in first.makes), None)
    if gives_up is not None and why.size in (BETTER, MUCH):
        told.append(Text("facts.forgoes", {**named, "yaku": gives_up}))
    elif why.hinge:
        told.append(_depends(why.hinge, named, seen, notes))
    return told


def action_text(contract: Contract, action: int) -> Text:
    """Return the name of an action: a card's name, or a word's text."""
    if action < FIRST_WORD:
        return Text("card", {"card": action})
    return Text(f"words.{contract.words(action).text}", {})


def _named(contract: Contract, first: int, second: int) -> dict[str, Text]:
    return {"first": action_text(contract, first), "second": action_text(contract, second)}


def _equal(contract: Contract, actions: Sequence[int]) -> Text:
    if all(action < FIRST_WORD for action in actions):
        return Text("facts.equal-cards", {"cards": sum(1 << action for action in actions)})
    return Text("facts.equal", _named(contract, *actions[:2]))


def _points(seen: Seen, notes: Notes, amount: float) -> Text | str:
    """Return an amount with its unit: that of the winners' first account, if a round changes it by just what it brings them."""
    if side_bet(seen.hidden, seen.seat):
        return figure(amount)
    for end in (end for ends in notes.finals.values() for end in ends if over(end)):
        for seat in range(end.seats):
            if returns(end, seat) > 0:
                account, change = next(iter(end.contract.tally(end, seat).items()), ("", 0))
                return Text(f"amounts.{account}", {"n": figure(amount)}) if change == returns(end, seat) else figure(amount)
    return figure(amount)


def _reason(contract: Contract, reason: Reason, first: Any, second: Any, named: Mapping[str, Text], seat: int) -> Text:
    kind, owner, which = reason.event
    if kind == YAKU and owner == seat and contract.yaku[which] in first.makes:
        return Text("facts.makes", {**named, "yaku": contract.yaku[which]})
    taken = first.takes & ~(second.takes | 1 << first.action)
    if kind == CAPTURED and owner == seat and taken >> which & 1:
        return Text("facts.takes", {**named, "cards": taken})
    if which == first.action and kind == (LEFT if reason.there > reason.here else CAPTURED) and owner == seat:
        return Text(f"facts.{kind}-now", {**named, "seat": owner, "card": which, "there": _often(reason.there)})
    what: dict[str, Any] = {"yaku": contract.yaku[which]} if kind == YAKU else {"card": which} if kind in (CAPTURED, LEFT) else {}
    if abs(reason.here - reason.there) < 1 / TENTHS or tenths(reason.here) == tenths(reason.there):
        return Text(f"facts.{kind}-{'more' if reason.here > reason.there else 'less'}", {**named, "seat": owner, **what})
    return Text(f"facts.{kind}", {**named, "seat": owner, "here": _often(reason.here), "there": _often(reason.there), **what})


def _often(chance: float) -> Text:
    n = tenths(chance)
    return Text("facts.never" if n == 0 else "facts.always" if n == TENTHS else "facts.often", {"n": n} if 0 < n < TENTHS else {})


def _depends(hinge: Hinge, named: Mapping[str, Text], seen: Seen, notes: Notes) -> Text:
    zone, place = hinge.zone, {"card": hinge.card, "often": _often(hinge.chance)}
    if zone is NEXT:
        where = Text("facts.if-next", place)
    else:
        name = Text(f"zones.{zone_key(zone, rulebook(seen.hidden.contract).tables['zones'])}", {})
        owned = {} if zone.owner is None else {"seat": zone.owner}
        where = Text("facts.if-lies" if zone.owner is None else "facts.if-held", {**place, "place": name, **owned})
    there, elsewhere = (_points(seen, notes, abs(amount)) for amount in (hinge.there, hinge.elsewhere))
    if hinge.even:
        return Text("facts.hangs-alone", {**named, "where": where, "there": there})
    id = "hangs" if hinge.elsewhere > 0 else "hangs-on-it"
    return Text(f"facts.{id}", {**named, "where": where, "there": there, "elsewhere": elsewhere})
