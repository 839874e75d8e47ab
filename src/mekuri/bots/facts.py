"""The facts that decide between the best two of a seat's actions, as texts of the table `facts` of a rule book.

Both were tried in the same worlds with the same luck, so where they differ it is the actions' doing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

from mekuri.bots.figures import figure
from mekuri.bots.search.think import Notes
from mekuri.cards import each
from mekuri.engine.bot import Seen
from mekuri.engine.contract import FIRST_WORD, Contract, Text, Zone
from mekuri.engine.fields import RoundState
from mekuri.engine.rulebook import rulebook
from mekuri.match.draw import zone_key

_Z = 1.959964  # 95 %
_CERTAIN = 3.5  # standard errors from which on a card explains something: many are looked at, and one of them is always the most
_SOME = 5  # worlds with a card, and without it, that tell something
_OFTEN = 20  # of so many worlds one in which a yaku comes to be, or does not, is worth telling
_Place = tuple[str, int | None, int]  # a zone's id and owner, and a card in it
_NEXT = Zone("", None, "stock", "stack", ())  # where the card lies that comes next
_STOCK = Zone("stock", None, "stock", "stack", ())  # where those lie that come at all


def that_decide(seen: Seen, actions: Sequence[Any], notes: Notes) -> list[Text]:
    """What decides between the best two actions: by how much, which yaku, or else which cards are taken, and by which hidden card.

    Args:
        seen: what the seat has seen.
        actions: what is known of the actions, best first, as `Weighed`.
        notes: what was found world by world.
    """
    if len(actions) == 1:
        return [Text("facts.only", {"first": action_text(seen.hidden.contract, actions[0].action)})]
    first, second = actions[0], actions[1]
    named = {name: action_text(seen.hidden.contract, one.action) for name, one in (("first", first), ("second", second))}
    ahead = [one - other for one, other in zip(notes.won[first.action], notes.won[second.action], strict=False)]
    found = [_difference(ahead, named), _yaku(seen, first, second, notes, named) or _taken(first, second, named)]
    hinge = _hinge(seen.hidden, notes.worlds[: len(ahead)], ahead)
    return [text for text in [*found, hinge and _told(hinge, named, seen.hidden)] if text]


def action_text(contract: Contract, action: int) -> Text:
    """What an action is called: a card's name, or a word's text."""
    if action < FIRST_WORD:
        return Text("card", {"card": action})
    return Text(f"words.{contract.words(action).text}", {})


def on_which_it_hung(hidden: RoundState, notes: Notes, action: int, whole: RoundState, end: RoundState, lucky: bool) -> list[Text]:
    """The card on which it hung most what an action would come to, and where it lay in truth; nothing where no card tells much.

    Args:
        hidden: what the seat saw.
        notes: what was found of the action world by world.
        action: the action.
        whole: the whole state, which the seat had not seen.
        end: what it came to.
    """
    won, truth = notes.won[action], {(zone.id, zone.owner, card) for zone, card in _places(whole, set(), stock=True)}
    hinge = _hinge(hidden, notes.worlds, won, lambda place, better: ((place in truth) == better) == lucky, stock=True)
    if not hinge:
        return []
    zone = hinge.zone
    kind = "next" if zone is _NEXT else "stock" if zone is _STOCK else "lies" if zone.owner is None else "held"
    args = {"card": hinge.card, **_both(hinge), "worlds": hinge.worlds, "of": len(won), **_whereabouts(zone, hidden)}
    return [Text(f"facts.hung-{kind}", args), _in_truth(hinge.card, hidden, whole, end)]


def _in_truth(card: int, hidden: RoundState, whole: RoundState, end: RoundState) -> Text:
    """Where a card lay that nobody at the seat could see."""
    zone = next((zone for zone, other in _places(whole, set()) if other == card), None)
    if zone is None:
        return Text("facts.was-left" if card in end.pack[: end.stock] else "facts.was-later", {"card": card})
    kind = "next" if zone is _NEXT else "lies" if zone.owner is None else "held"
    return Text(f"facts.was-{kind}", {"card": card, **_whereabouts(zone, hidden)})


def _whereabouts(zone: Zone, hidden: RoundState) -> dict[str, Any]:
    """A place as arguments of a text."""
    if zone is _NEXT or zone is _STOCK:
        return {}
    named = {"place": Text(f"zones.{zone_key(zone, rulebook(hidden.contract).tables['zones'])}", {})}
    return named if zone.owner is None else {**named, "seat": zone.owner}


def counted(ends: Sequence[Sequence[int]]) -> Mapping[tuple[int, int], int]:
    """How often a seat has a yaku, by both, where for each end stands which yaku each seat had."""
    return Counter((seat, yaku) for end in ends for seat, held in enumerate(end) for yaku in each(held))


def _number(value: float, sign: str = "-") -> str:
    return f"{value:{sign}.{1 if abs(value) >= 10 else 2}f}"


# --- By how much ---


def _difference(ahead: Sequence[int], named: Mapping[str, Text]) -> Text:
    n, mean = len(ahead), sum(ahead) / len(ahead)
    spread = sum((one - mean) ** 2 for one in ahead)
    clear = n > 1 and abs(mean) > _Z * sqrt(spread / (n * (n - 1)))
    counts = {"worlds": n, "better": sum(one > 0 for one in ahead), "worse": sum(one < 0 for one in ahead)}
    difference = figure(abs(mean))
    id = "ahead" if clear else "close" if float(difference) else "same"
    return Text(f"facts.{id}", {**named, "difference": difference, **counts})


# --- What is made or lost ---


def _yaku(seen: Seen, first: Any, second: Any, notes: Notes, named: Mapping[str, Text]) -> Text | None:
    """The yaku that tells the two apart most: one that is made at once, else one that comes to be more often after one of them."""
    for id, one, other in (("makes", first, second), ("forgoes", second, first)):
        made = [yaku for yaku in one.makes if yaku not in other.makes]
        if made:
            return Text(f"facts.{id}", {**named, "yaku": made[0]})
    here, there = notes.yaku.get(first.action, []), notes.yaku.get(second.action, [])
    n = min(len(here), len(there))
    comes, otherwise = counted(here[:n]), counted(there[:n])
    often = {key: comes.get(key, 0) - otherwise.get(key, 0) for key in sorted({*comes, *otherwise})}
    telling = [key for key, more in often.items() if more * more * _OFTEN >= n * n / _OFTEN and _surely(here[:n], there[:n], key)]
    if not telling:
        return None
    seat, i = max(telling, key=lambda key: abs(often[key]))
    yaku = seen.hidden.contract.yaku[i]
    numbers = {"here": comes.get((seat, i), 0), "there": otherwise.get((seat, i), 0), "worlds": n}
    kept = seat == seen.seat and yaku in first.keeps and yaku not in second.keeps
    return Text("facts.keeps" if kept else "facts.comes", {**named, "yaku": yaku, "seat": seat, **numbers})


def _surely(here: Sequence[Sequence[int]], there: Sequence[Sequence[int]], key: tuple[int, int]) -> bool:
    """Whether a yaku comes to be more often after one of two actions for more than luck."""
    seat, i = key
    apart = [(one[seat] >> i & 1) - (other[seat] >> i & 1) for one, other in zip(here, there, strict=True)]
    return sum(apart) ** 2 > _Z * _Z * sum(map(abs, apart))


def _taken(first: Any, second: Any, named: Mapping[str, Text]) -> Text | None:
    """The cards that the better action takes at once, and the other does not. A card that is chosen is among them."""
    more = first.takes & ~(second.takes | 1 << first.action)
    return Text("facts.takes", {**named, "cards": more}) if more else None


# --- The card that explains most ---


@dataclass(frozen=True)
class _Hinge:
    """A card on whose place it hangs which action is better, and by how much.

    Attributes:
        card: the card.
        zone: where it lies; `_NEXT` where it is the next to come.
        worlds: in how many worlds it lies there.
        there, elsewhere: by how much the first action is better in these, and in all others, on average.
    """

    card: int
    zone: Zone
    worlds: int
    there: float
    elsewhere: float


def _hinge(
    hidden: RoundState,
    worlds: Sequence[RoundState],
    ahead: Sequence[int],
    fits: Callable[[_Place, bool], bool] = lambda place, better: True,
    stock: bool = False,
) -> _Hinge | None:
    """The card in a place that explains most of what came of each world, where that is more than luck.

    Args:
        hidden: what the seat sees.
        worlds: the worlds.
        ahead: what came of each, such as the difference between two actions.
        fits: whether a card in a place will do, told whether it is better there than elsewhere.
        stock: whether the whole stock is such a place as well.
    """
    n, total = len(ahead), sum(ahead)
    lain: dict[_Place, tuple[Zone, list[int]]] = {}
    known = {card for zone in hidden.contract.zones(hidden) for card in zone.cards}
    for world, one in zip(worlds, ahead, strict=True):
        for zone, card in _places(world, known, stock):
            lain.setdefault((zone.id, zone.owner, card), (zone, []))[1].append(one)
    spread = sum((one - total / n) ** 2 for one in ahead)
    best, most = None, 0.0
    for place, (zone, brought) in lain.items():
        k = len(brought)
        if not _SOME <= k <= n - _SOME:
            continue
        there, elsewhere = sum(brought) / k, (total - sum(brought)) / (n - k)
        explained = (there - elsewhere) ** 2 * k * (n - k) / n
        certain = explained * (n - 2) > _CERTAIN**2 * (spread - explained)
        if explained > most and certain and fits(place, there > elsewhere):
            best, most = _Hinge(place[2], zone, k, there, elsewhere), explained
    return best


def _places(world: RoundState, known: set[int | None], stock: bool = False) -> Iterator[tuple[Zone, int]]:
    """Where the cards lie in a world that are not known: those in somebody's places, the next to come, and the whole stock."""
    for zone in world.contract.zones(world):
        for card in zone.cards:
            if card not in known and card is not None:
                yield zone, card
    if world.stock and not world.gathered:
        yield _NEXT, world.pack[world.stock - 1]
        if stock:
            yield from ((_STOCK, card) for card in world.pack[: world.stock])


def _both(hinge: _Hinge) -> dict[str, str]:
    """What is brought where a card lies so, and elsewhere."""
    there, elsewhere = hinge.there, hinge.elsewhere
    return {"there": figure(there, "+", elsewhere), "elsewhere": figure(elsewhere, "+", there)}


def _told(hinge: _Hinge, named: Mapping[str, Text], hidden: RoundState) -> Text:
    zone = hinge.zone
    args = {**named, "card": hinge.card, "worlds": hinge.worlds, **_both(hinge)}
    if zone is _NEXT:
        return Text("facts.next", args)
    return Text("facts.lies" if zone.owner is None else "facts.held", {**args, **_whereabouts(zone, hidden)})
