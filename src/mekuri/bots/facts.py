"""Find the facts that decide between the best two of a seat's actions, as texts of the table `facts` of a rule book.

Both actions were tried in the same worlds with the same luck, so every difference comes from the actions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
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
_CERTAIN = 3.5  # standard errors that a card's effect must reach: more than usual, because the greatest of many is reported
_SOME = 5  # the least number of worlds with a card in a place, and of worlds without
_OFTEN = 20  # a yaku is reported where it comes about more often, or less, in at least one of so many worlds
_Place = tuple[str, int | None, int]  # a zone's id and owner, and a card in it
_NEXT = Zone("", None, "stock", "stack", ())  # stands for the place of the card that is drawn next


def that_decide(seen: Seen, actions: Sequence[Any], notes: Notes) -> list[Text]:
    """Return what decides between the best two actions: at most three texts of the table `facts`.

    They say by how much the best is better; which yaku, or else which captured cards, make the difference; and on the place of
    which hidden card it depends most.

    Args:
        seen: what the seat has seen.
        actions: the seat's actions as `Weighed`, best first.
        notes: the results of their play-outs, world by world.
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
    """Return the name of an action: a card's name, or a word's text."""
    if action < FIRST_WORD:
        return Text("card", {"card": action})
    return Text(f"words.{contract.words(action).text}", {})


def _whereabouts(zone: Zone, hidden: RoundState) -> dict[str, Any]:
    """Return a zone as arguments of a text: its name and its owner."""
    named = {"place": Text(f"zones.{zone_key(zone, rulebook(hidden.contract).tables['zones'])}", {})}
    return named if zone.owner is None else {**named, "seat": zone.owner}


def counted(ends: Sequence[Sequence[int]]) -> Mapping[tuple[int, int], int]:
    """Count the ends of rounds in which each seat had each yaku.

    Args:
        ends: for each end of a round, and each seat, the set of yaku (bit i = place i in the contract's `yaku`).

    Returns:
        The number of ends by (seat, place of the yaku); combinations that never occur are left out.
    """
    return Counter((seat, yaku) for end in ends for seat, held in enumerate(end) for yaku in each(held))


def _number(value: float, sign: str = "-") -> str:
    return f"{value:{sign}.{1 if abs(value) >= 10 else 2}f}"


# --- The difference between two actions ---


def _difference(ahead: Sequence[int], named: Mapping[str, Text]) -> Text:
    n, mean = len(ahead), sum(ahead) / len(ahead)
    spread = sum((one - mean) ** 2 for one in ahead)
    clear = n > 1 and abs(mean) > _Z * sqrt(spread / (n * (n - 1)))
    counts = {"worlds": n, "better": sum(one > 0 for one in ahead), "worse": sum(one < 0 for one in ahead)}
    difference = figure(abs(mean))
    id = "ahead" if clear else "close" if float(difference) else "same"
    return Text(f"facts.{id}", {**named, "difference": difference, **counts})


# --- Yaku and captured cards ---


def _yaku(seen: Seen, first: Any, second: Any, notes: Notes, named: Mapping[str, Text]) -> Text | None:
    """Return a text about the yaku that differs most between two actions.

    That is one that only one of them completes at once, else the one that comes about more often after one of them; else None.
    """
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
    """Return whether a yaku comes about more often after one of two actions than chance explains (95 %, in the same worlds)."""
    seat, i = key
    apart = [(one[seat] >> i & 1) - (other[seat] >> i & 1) for one, other in zip(here, there, strict=True)]
    return sum(apart) ** 2 > _Z * _Z * sum(map(abs, apart))


def _taken(first: Any, second: Any, named: Mapping[str, Text]) -> Text | None:
    """Return a text about the cards that the first action takes at once and the second does not; None where there are none."""
    more = first.takes & ~(second.takes | 1 << first.action)
    return Text("facts.takes", {**named, "cards": more}) if more else None


# --- The card that explains most ---


@dataclass(frozen=True)
class _Hinge:
    """A hidden card whose place makes the greatest difference to an outcome.

    Attributes:
        card: the card.
        zone: the zone in which it lies; `_NEXT` where it is the next card to be drawn.
        worlds: in how many worlds it lies there.
        there: the mean outcome in these worlds, such as the difference between two actions.
        elsewhere: the mean outcome in all other worlds.
    """

    card: int
    zone: Zone
    worlds: int
    there: float
    elsewhere: float


def _hinge(hidden: RoundState, worlds: Sequence[RoundState], ahead: Sequence[int]) -> _Hinge | None:
    """Find the card and place that explain most of the outcomes in many worlds; None where none explains more than chance would.

    Args:
        hidden: the hidden state of the seat.
        worlds: the worlds.
        ahead: the outcome in each of them, such as the difference between two actions.
    """
    n, total = len(ahead), sum(ahead)
    lain: dict[_Place, tuple[Zone, list[int]]] = {}
    known = {card for zone in hidden.contract.zones(hidden) for card in zone.cards}
    for world, one in zip(worlds, ahead, strict=True):
        for zone, card in _places(world, known):
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
        if explained > most and certain:
            best, most = _Hinge(place[2], zone, k, there, elsewhere), explained
    return best


def _places(world: RoundState, known: set[int | None]) -> Iterator[tuple[Zone, int]]:
    """Yield the places of a world's cards, without those in `known`: in zones, and as the next card."""
    for zone in world.contract.zones(world):
        for card in zone.cards:
            if card not in known and card is not None:
                yield zone, card
    if world.stock and not world.gathered:
        yield _NEXT, world.pack[world.stock - 1]


def _both(hinge: _Hinge) -> dict[str, str]:
    """Return both mean outcomes of a card's place as arguments of a text."""
    there, elsewhere = hinge.there, hinge.elsewhere
    return {"there": figure(there, "+", elsewhere), "elsewhere": figure(elsewhere, "+", there)}


def _told(hinge: _Hinge, named: Mapping[str, Text], hidden: RoundState) -> Text:
    zone = hinge.zone
    args = {**named, "card": hinge.card, "worlds": hinge.worlds, **_both(hinge)}
    if zone is _NEXT:
        return Text("facts.next", args)
    return Text("facts.lies" if zone.owner is None else "facts.held", {**args, **_whereabouts(zone, hidden)})
