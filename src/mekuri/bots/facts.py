"""The facts that decide between the best two of a seat's actions, as texts of the table `facts` of a rule book.

Both were tried in the same worlds with the same luck, so where they differ it is the actions' doing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

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
_NEXT = Zone("", None, "stock", "stack", ())  # where the card lies that comes next


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
    return Text("facts.ahead" if clear else "facts.close", {**named, "difference": _number(abs(mean)), **counts})


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


def _hinge(hidden: RoundState, worlds: Sequence[RoundState], ahead: Sequence[int]) -> _Hinge | None:
    """The card in a place that explains most of the difference between two actions, where that is more than luck."""
    n, total = len(ahead), sum(ahead)
    lain: dict[tuple[str, int | None, int], tuple[Zone, list[int]]] = {}
    known = {card for zone in hidden.contract.zones(hidden) for card in zone.cards}
    for world, one in zip(worlds, ahead, strict=True):
        for zone, card in _unseen(world, known):
            lain.setdefault((zone.id, zone.owner, card), (zone, []))[1].append(one)
    spread = sum((one - total / n) ** 2 for one in ahead)
    best, most = None, 0.0
    for (_, _, card), (zone, brought) in lain.items():
        k = len(brought)
        if not _SOME <= k <= n - _SOME:
            continue
        there, elsewhere = sum(brought) / k, (total - sum(brought)) / (n - k)
        explained = (there - elsewhere) ** 2 * k * (n - k) / n
        if explained > most and explained * (n - 2) > _CERTAIN**2 * (spread - explained):
            best, most = _Hinge(card, zone, k, there, elsewhere), explained
    return best


def _unseen(world: RoundState, known: set[int | None]) -> Iterator[tuple[Zone, int]]:
    """Where the cards lie in a world that are not known: those in somebody's places, and the next of the stock."""
    for zone in world.contract.zones(world):
        for card in zone.cards:
            if card not in known and card is not None:
                yield zone, card
    if world.stock and not world.gathered:
        yield _NEXT, world.pack[world.stock - 1]


def _told(hinge: _Hinge, named: Mapping[str, Text], hidden: RoundState) -> Text:
    zone = hinge.zone
    numbers = {"there": _number(hinge.there, "+"), "elsewhere": _number(hinge.elsewhere, "+"), "worlds": hinge.worlds}
    args = {**named, "card": hinge.card, **numbers}
    if zone is _NEXT:
        return Text("facts.next", args)
    args["place"] = Text(f"zones.{zone_key(zone, rulebook(hidden.contract).tables['zones'])}", {})
    return Text("facts.lies", args) if zone.owner is None else Text("facts.held", {**args, "seat": zone.owner})
