"""Say why the best of a seat's actions is better than another one, as texts of the table `facts` of a rule book."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Any

from mekuri.bots.alike import alike
from mekuri.bots.decisive import (
    BETTER,
    CAPTURED,
    HARDLY,
    LEFT,
    NEXT,
    TENTHS,
    YAKU,
    Hinge,
    Reason,
    decisive,
    difference,
    is_held,
    tenths,
)
from mekuri.bots.figures import figure
from mekuri.bots.finish import finish
from mekuri.bots.search.think import Notes
from mekuri.engine.bot import Seen
from mekuri.engine.contract import FIRST_WORD, Contract, Text, over, returns, side_bet
from mekuri.engine.rulebook import rulebook
from mekuri.engine.sides import partners, sides
from mekuri.match.deed import action_text
from mekuri.match.draw import zone_key

_FEW = 50  # worlds: an action that was tried in fewer is compared with the best only if it is the next best


def that_decide(seen: Seen, actions: Sequence[Any], notes: Notes) -> list[Text]:
    """Return what decides between the best of a seat's actions and the others: at most three texts of the table `facts`.

    The best is compared with the next best. The reasons come first, as `reasons` returns them, then the size of the difference.
    If neither of these two is better for sure, a text says so. It is followed by a comparison with the first action that is worse
    for sure: by how much it is worse, and the reasons. Actions that are equal by symmetry are never compared: a text says that they
    are equal.

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
    if anyhow := no_matter(notes, first.action, [one.action for one in rivals]):
        return [anyhow]
    if is_sure_win(notes, first.action) and (won := wins_now(seen, first.action, notes)):
        return [won]
    worse = next((one for one in rivals if is_worse(notes, first.action, one.action, one is rivals[0])), None)
    same = [_equal(seen.hidden.contract, [one.action for one in (first, *equal)])] if equal else []
    if worse is None:
        return [*([_verdict(seen, first, rivals[0], notes)] if rivals else []), *same]
    why, size = reasons(seen, first, worse, notes, worse is rivals[0]), _verdict(seen, first, worse, notes, worse is rivals[0])
    if worse is rivals[0]:
        return [*why[: 2 - len(same)], size, *same]
    return [_verdict(seen, first, rivals[0], notes), size, *[*same, *why][:1]]


def no_matter(notes: Notes, first: int, rivals: Sequence[int]) -> Text | None:
    """Return a text that says so if it hardly matters which action is chosen, or if all of them win; else None.

    Args:
        notes: the results of their play-outs, world by world.
        first: the best action.
        rivals: all others that are not equal to it by symmetry. Of a single one `_verdict` says how it compares.
    """
    if not rivals or any(difference(notes, first, one).size != HARDLY for one in rivals):
        return None
    if all(is_sure_win(notes, one) for one in (first, *rivals)):
        return Text("facts.all-win", {})
    return Text("facts.no-matter", {}) if rivals[1:] else None


def is_sure_win(notes: Notes, action: int) -> bool:
    """Return whether the seat wins in every world after an action, of enough worlds."""
    return len(notes.won[action]) >= _FEW and min(notes.won[action]) > 0


def is_worse(notes: Notes, first: int, second: int, next_best: bool) -> bool:
    """Return whether an action is worse than the best for sure. One that was dropped early is not compared, for want of worlds."""
    return (next_best or len(notes.won[second]) >= _FEW) and difference(notes, first, second).size == BETTER


def _verdict(seen: Seen, first: Any, second: Any, notes: Notes, next_best: bool = True) -> Text:
    """Return the text of the size of a difference. If the worse action is not the next best, the text speaks of that one."""
    found, named = difference(notes, first.action, second.action), _named(seen.hidden.contract, first.action, second.action)
    if found.size != BETTER:
        return Text(f"facts.{found.size}", named)
    word = "better" if next_best else "worse"
    if (more := round(50 * found.mean)) > 0 and _is_won_or_lost(seen, notes):
        return Text(f"facts.{word}-wins", {**named, "n": more})
    return Text(f"facts.{word}", {**named, "difference": _points(seen, notes, found.mean)})


def reasons(seen: Seen, first: Any, second: Any, notes: Notes, urges: bool = True) -> list[Text]:
    """Return why an action is better than another one: at most two texts of the table `facts`; none where that is not clear.

    The first says what comes of it, the second on which hidden card it depends most.

    Args:
        seen: what the seat has seen.
        first: the better action, as `Weighed`.
        second: the other one.
        notes: the results of their play-outs, world by world.
        urges: whether a text may urge to play the better action now; not if a third one is as good.
    """
    named = _named(seen.hidden.contract, first.action, second.action)
    why = decisive(seen, first, second, notes)
    found = [_reason(seen, why.plan, first, second, named, urges)] if why.plan else []
    if is_sure_win(notes, first.action) and not is_sure_win(notes, second.action):
        found = [wins_now(seen, first.action, notes) or Text("facts.sure-win", named)]
    gives_up = next((yaku for yaku in second.makes if yaku not in first.makes), None)
    if gives_up is not None and why.size == BETTER:
        found.append(Text("facts.forgoes", {**named, "yaku": gives_up}))
    elif why.hinge:
        found.append(_depends(why.hinge, named, seen, notes))
    return found


def wins_now(seen: Seen, action: int, notes: Notes) -> Text | None:
    """Return a text that gives the order in which a seat wins the round at once, from an action on; None where it cannot."""
    line = [quoted(seen.hidden.contract, one) for one in finish(seen.seat, action, notes)]
    if not line:
        return None
    if not line[1:]:
        return Text("facts.wins-now", {"first": line[0]})
    return Text(
        "facts.wins-so", {"line": reduce(lambda rest, one: Text("facts.then", {"first": one, "rest": rest}), reversed(line))}
    )


def _named(contract: Contract, first: int, second: int) -> dict[str, Text]:
    return {"first": quoted(contract, first), "second": quoted(contract, second)}


def quoted(contract: Contract, action: int) -> Text:
    """Return the name of an action inside a sentence: a word's text stands in quotation marks, unless it has some of its own."""
    name = action_text(contract, action)
    if action < FIRST_WORD:
        return name
    shown = rulebook(contract).tables["words"].get(contract.words(action).text, {}).values()
    return name if any(text.startswith(("“", "「")) for text in shown) else Text("facts.quoted", {"word": name})


def _equal(contract: Contract, actions: Sequence[int]) -> Text:
    if all(action < FIRST_WORD for action in actions):
        return Text("facts.equal-cards", {"cards": sum(1 << action for action in actions)})
    return Text("facts.equal", _named(contract, *actions[:2]))


def is_whole(value: float, wins: bool) -> bool:
    """Return whether a difference is that between a round won and a round lost."""
    return wins and round(50 * value) >= 100


def amount(value: float, wins: bool) -> Text | str:
    """Return an amount inside a sentence: in rounds of a hundred if rounds are only won (1) or lost (-1)."""
    return Text("facts.in-100", {"n": round(50 * value)}) if wins else figure(value)


def _is_won_or_lost(seen: Seen, notes: Notes) -> bool:
    """Return whether the seat can only win (1) or lose (-1) the round."""
    return not side_bet(seen.hidden, seen.seat) and all(abs(one) <= 1 for won in notes.won.values() for one in won)


def _points(seen: Seen, notes: Notes, value: float) -> Text | str:
    """Return an amount with its unit: that of the winners' first account, if a round changes it by just what it brings them."""
    if side_bet(seen.hidden, seen.seat):
        return figure(value)
    if _is_won_or_lost(seen, notes):
        return amount(value, True)
    for end in (end for ends in notes.finals.values() for end in ends if over(end)):
        for seat in range(end.seats):
            if returns(end, seat) > 0:
                account, change = next(iter(end.contract.match.tally(end, seat).items()), ("", 0))
                return Text(f"amounts.{account}", {"n": figure(value)}) if change == returns(end, seat) else figure(value)
    return figure(value)


def _reason(seen: Seen, reason: Reason, first: Any, second: Any, named: Mapping[str, Text], urges: bool) -> Text:
    (kind, owner, which), contract, seat = reason.event, seen.hidden.contract, seen.seat
    if kind == YAKU and owner == seat and contract.yaku[which] in first.makes:
        return Text("facts.makes", {**named, "yaku": contract.yaku[which]})
    own = (seat, *(other for other in partners(sides(seen.hidden), seat) if other != seat))
    taken = first.takes & ~(second.takes | 1 << first.action)
    if kind == CAPTURED and owner == seat and taken >> which & 1 and second.action < FIRST_WORD:
        others = second.takes & ~(1 << second.action)
        return Text(
            "facts.takes-instead" if others else "facts.takes",
            {**named, "cards": taken, "others": Text("facts.cards", {"cards": others})},
        )
    if kind in (CAPTURED, LEFT) and which in (first.action, second.action) and is_held(seen, which):
        often = {"seat": owner, "card": which, "here": _often(reason.here), "there": _often(reason.there)}
        if urges and which == first.action and owner == seat and kind == CAPTURED:
            taking = {**named, **often, "cards": first.takes & ~(1 << first.action), "lost": _often(1 - reason.there)}
            if tenths(reason.there) < TENTHS:
                return Text("facts.loses-taking" if taking["cards"] else "facts.loses", taking)
            if taking["cards"]:
                return Text("facts.takes-first", taking)
        if which == first.action and owner == seat and kind == LEFT:
            return Text("facts.left-now" if urges else "facts.left-there", {**named, **often})
        if kind == CAPTURED and which == second.action and tenths(reason.here) != tenths(reason.there) and owner not in own[1:]:
            return Text(f"facts.captures-{'later' if owner == seat else 'given'}", {**named, **often})
    if urges and kind == CAPTURED and owner not in own and which == first.action and not is_held(seen, which):
        return Text("facts.captures-left", {"seat": owner, "card": which, "there": _often(reason.there)})
    what: dict[str, Any] = {"yaku": contract.yaku[which]} if kind == YAKU else {"card": which} if kind in (CAPTURED, LEFT) else {}
    if not reason.is_plain:
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
        id = "lies" if zone.owner is None else "held" if zone.kind == "hand" else "owned"
        where = Text(f"facts.if-{id}", {**place, "place": name, **owned})
    there, elsewhere = (_points(seen, notes, abs(amount)) for amount in (hinge.there, hinge.elsewhere))
    if hinge.even:
        return Text("facts.hangs-alone", {**named, "where": where, "there": there})
    id = "hangs" if hinge.elsewhere > 0 else "hangs-on-it"
    return Text(f"facts.{id}", {**named, "where": where, "there": there, "elsewhere": elsewhere})
