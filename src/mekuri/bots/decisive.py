"""Find what decides between two of a seat's actions.

Both were tried in the same worlds with the same luck, so every difference comes from the actions. A reason is an event that happens
more often after one of them than after the other. It counts only if this is more than chance, and if the worlds in which it happens
after one of them alone bring at least a tenth of the whole difference.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any, NamedTuple

from mekuri.bots.figures import Z, estimate
from mekuri.bots.search.think import Notes
from mekuri.cards import parse_cards
from mekuri.engine.bot import Seen
from mekuri.engine.contract import Contract, Zone, over, returns, yaku_of
from mekuri.engine.fields import RoundState
from mekuri.engine.rulebook import rulebook
from mekuri.engine.sides import partners, sides, speakers

A_LITTLE = 0.10  # of what is open: below it a difference hardly matters
HARDLY, CLOSE, BETTER = "hardly", "close", "better"  # words for a difference, as the texts are called
YAKU, CAPTURED, LEFT, WON = KINDS = ("yaku", "captures", "left", "wins")  # kinds of events, as the texts are called
TENTHS = 10  # texts give chances in deals of ten
PART = 0.1  # the least part of a difference that a reason explains
_SURELY = 1.644854  # standard errors by which it must explain more than `PART`: 95 %
_CERTAIN = 3.5  # standard errors that the effect of an event must reach: more than usual, because the best of many is reported
_ENOUGH = 1 / 3  # of two reasons that explain so much, a yaku comes before a card, and a card before the result
# Limits for the place of a card. They are stricter, because the best of some hundred places is reported.
_FAR, _FARTHER, _RARE = 0.3, 5, 0.1  # the least part, the least standard errors, and the least and (1 -) greatest probability
_SEEN = 30  # the least number of worlds in which it lies there
_SELDOM = 0.05  # a place in which a card lies with less than this probability, or with more than 1 - this, is not looked at
_Place = tuple[str, int | None, int]  # a zone's id and owner, and a card in it
NEXT = Zone("", None, "stock", "stack", ())  # stands for the place of the card that is drawn next


class Event(NamedTuple):
    """Something that may have happened by the end of a round.

    Attributes:
        kind: one of `KINDS`: the seat has made a yaku, has captured a card, has a card left in its hand, has won the round.
        seat: the seat.
        which: the place of the yaku in the contract's `yaku`, or the card; 0 for WON.
    """

    kind: str
    seat: int
    which: int


@dataclass(frozen=True)
class Reason:
    """An event that happens more often, or less often, after one action than after another.

    Attributes:
        event: the event.
        here: the share of the worlds in which it happens after the better action.
        there: the same after the other one.
        share: the part of the difference that comes from the worlds in which it happens after only one of them.
        error: the standard error of `share`.
        certain: by how many standard errors `here` and `there` are apart.
    """

    event: Event
    here: float
    there: float
    share: float
    error: float
    certain: float

    @property
    def is_sure(self) -> bool:
        """Whether it is more than chance, and surely explains `PART` of the difference."""
        return self.certain >= _CERTAIN and self.share - _SURELY * self.error >= PART

    @property
    def is_plain(self) -> bool:
        """Whether the difference shows in tenths, too."""
        return abs(self.here - self.there) >= 1 / TENTHS and tenths(self.here) != tenths(self.there)


@dataclass(frozen=True)
class Difference:
    """By how much one action is better than another.

    Attributes:
        mean: the mean of the difference.
        error: its standard error.
        open: how much is open: the standard deviation of what the first action brings.
    """

    mean: float
    error: float
    open: float

    @property
    def size(self) -> str:
        """The word for the difference: HARDLY, CLOSE or BETTER.

        The word fits the whole 95 % interval, so that a longer search does not take it back. If no other word fits, it is CLOSE.
        """
        least, most = self.mean - Z * self.error, self.mean + Z * self.error
        if max(-least, most) < A_LITTLE * self.open or least == most == 0:
            return HARDLY
        return CLOSE if least <= 0 else BETTER


class Decisive(NamedTuple):
    """What decides between two actions.

    Attributes:
        size: the word for their difference.
        plan: the event that happens more often, or less often, after the better one; None if no event explains enough.
        hinge: the hidden card on whose place it depends most; None likewise.
    """

    size: str
    plan: Reason | None
    hinge: Hinge | None


def decisive(seen: Seen, first: Any, second: Any, notes: Notes) -> Decisive:
    """Find what decides between two actions; without reasons where none is better for sure.

    Args:
        seen: what the seat has seen.
        first: the better action, as `Weighed`.
        second: the other one.
        notes: the results of their play-outs, world by world.
    """
    actions = first.action, second.action
    size = difference(notes, *actions).size
    if size != BETTER:
        return Decisive(size, None, None)
    places = [one for one in hinges(seen.hidden, notes, *actions) if _is_telling(one)]
    # To choose a card that lies on the table is to take it: that is no reason.
    chosen = [Event(CAPTURED, seen.seat, action) for action in actions if not is_held(seen, action)]
    touched = 1 << first.action | 1 << second.action | first.takes | second.takes
    return Decisive(
        size,
        strongest([one for one in events(notes, *actions, seen.seat) if one.event not in chosen], seen, first.action, touched),
        max(places, key=lambda one: one.explains, default=None),
    )


def is_held(seen: Seen, card: int) -> bool:
    """Return whether a card lies in the hand of the seat."""
    zones = seen.hidden.contract.table.zones(seen.hidden)
    return any(card in zone.cards for zone in zones if zone.owner == seen.seat and zone.kind == "hand")


def _is_telling(hinge: Hinge) -> bool:
    """Return whether the place of a card surely explains enough to be a reason."""
    often = _RARE <= hinge.chance <= 1 - _RARE and hinge.worlds >= _SEEN
    return often and hinge.share >= _FAR and hinge.certain >= _FARTHER


def difference(notes: Notes, first: int, second: int) -> Difference:
    """Return by how much one action is better than another in the worlds in which both were tried."""
    ahead, won = _ahead(notes, first, second), notes.won[first]
    found = estimate(ahead)
    return Difference(found.mean, found.error, estimate(won).error * sqrt(len(won)))


# --- What comes of an action ---


def events(notes: Notes, first: int, second: int, seat: int, only: Event | None = None) -> list[Reason]:
    """Return the events that happen after only one of two actions in some world and may be a reason for a seat.

    The cards that other seats have left, and whether they win, follow from what happens to the seat, so they are no reasons.

    Args:
        notes: the results of both actions, world by world.
        first: the better action.
        second: the other one.
        seat: the seat that acts.
        only: the one event to look for; all if left out.
    """
    ahead = _ahead(notes, first, second)
    pairs = zip(ahead, notes.finals.get(first, []), notes.finals.get(second, []), strict=False)
    total, all_squares, rows = sum(ahead) or 1, sum(one * one for one in ahead), dict[tuple[str, int], dict[int, _Count]]()
    for one, end, otherwise in pairs:
        came, else_came = _came(end, seat, only), _came(otherwise, seat, only)
        for key in came:
            held, other, row = came[key], else_came.get(key, 0), rows.setdefault(key, defaultdict(_Count))
            for which in _bits(held ^ other):
                count = row[which]
                if held >> which & 1:
                    count.here += 1
                else:
                    count.there += 1
                count.brings += one
                count.squares += one * one
            for which in _bits(held & other):
                row[which].common += 1
    n = len(ahead)
    return [
        count.reason(Event(*key, which), n, total, all_squares)
        for key, row in rows.items()
        for which, count in row.items()
        if count.here + count.there
    ]


class _Count:
    """In how many worlds an event happens after one action alone or after both, and what the worlds of one alone bring."""

    __slots__ = ("brings", "common", "here", "squares", "there")

    def __init__(self) -> None:
        self.here = self.there = self.common = self.brings = self.squares = 0

    def reason(self, event: Event, n: int, total: int, all_squares: int) -> Reason:
        """Return it as a reason, from the number of worlds, and the sums of the differences and of their squares in all of them."""
        share = self.brings / total
        # of what it brings, less its share of all
        spread = max(0.0, self.squares * (1 - 2 * share) + share * share * all_squares)
        often = (self.common + self.here) / n, (self.common + self.there) / n
        certain = abs(self.here - self.there) / sqrt(self.here + self.there)
        return Reason(event, *often, share, sqrt(spread) / abs(total), certain)


def _bits(cards: int) -> Iterator[int]:
    """Yield the bits of a set. Ends of play-outs hardly ever have equal sets, so `each`, which remembers them, would not pay."""
    while cards:
        lowest = cards & -cards
        yield lowest.bit_length() - 1
        cards ^= lowest


def _came(end: RoundState, seat: int, only: Event | None) -> dict[tuple[str, int], int]:
    """Return what has happened by the end of a round, by kind and seat: the set of yaku or of cards; bit 0 for a round won."""
    found: dict[tuple[str, int], int] = {}
    kinds = KINDS if only is None else (only.kind,)
    if YAKU in kinds:
        owners = speakers(sides(end), seat) if only is None else (only.seat,)
        found |= {(YAKU, owner): int(yaku_of(end, owner)) for owner in owners}
    if WON in kinds and over(end):
        found[WON, seat] = int(returns(end, seat) > 0)
    for zone in end.contract.table.zones(end) if CAPTURED in kinds or LEFT in kinds else ():
        kind = CAPTURED if zone.kind == "captured" else LEFT if zone.kind == "hand" and zone.owner == seat else None
        if kind and kind in kinds and zone.owner is not None and (only is None or only.seat == zone.owner):
            cards = 0
            for card in zone.cards:
                if card is not None:
                    cards |= 1 << card
            found[kind, zone.owner] = found.get((kind, zone.owner), 0) | cards
    if only is not None:
        return {key: held & 1 << only.which for key, held in found.items()}
    return found


def strongest(found: Sequence[Reason], seen: Seen, first: int, touched: int) -> Reason | None:
    """Return the reason that explains best why one of two actions is better for a seat; None where none explains a tenth.

    A capture that happens only a little more or less often, of a card that neither action plays or takes, is the last resort.
    A reason that explains a third counts as enough. Such reasons are ordered: reasons about the cards of the actions come first.
    Then a yaku comes before a card, and a card before the result of the round. Last, the seat's own events come before events of
    other seats. A card of the better action that another seat does not capture says less than the seat's own captures.

    Args:
        found: all reasons.
        seen: what the seat has seen.
        first: the better action.
        touched: the set of the cards that the actions play or take.
    """
    contract = seen.hidden.contract

    def is_direct(event: Event) -> bool:
        kind, seat, which = event
        about = yaku_cards(contract, contract.yaku[which]) if kind == YAKU else 1 << which if kind in (CAPTURED, LEFT) else 0
        return about & touched != 0 and (seat == seen.seat or kind != CAPTURED or which != first)

    def order(one: Reason) -> tuple[float, bool, int, bool, float]:
        kind, seat, _ = one.event
        return min(one.share, _ENOUGH), is_direct(one.event), -KINDS.index(kind), seat == seen.seat, one.share

    good = [one for one in found if one.is_sure and speaks_for(one, partners(sides(seen.hidden), seen.seat))]
    clear = [one for one in good if one.event.kind != CAPTURED or one.is_plain or is_direct(one.event)]
    return max(clear or good, key=order, default=None)


def yaku_cards(contract: Contract, yaku: str) -> int:
    """Return the set of the cards of a yaku; an empty one if the rule book does not list them."""
    row = rulebook(contract).yaku.get(yaku)
    return parse_cards(row["cards"]) if row else 0


def speaks_for(reason: Reason, seats: Sequence[int]) -> bool:
    """Return whether partners gain by the event of a reason being more frequent, or less frequent, after the better action."""
    kind, owner, _ = reason.event
    return (reason.here > reason.there) == ((owner in seats) == (kind != LEFT))


def tenths(chance: float) -> int:
    """Return a probability in tenths, from 0 to 10."""
    return int(chance * TENTHS + 0.5)


# --- The card on which it depends ---


@dataclass(frozen=True)
class Hinge:
    """The place of a hidden card, and what it changes.

    Attributes:
        card: the card.
        zone: the zone in which it lies; `NEXT` where it is the next card to be drawn.
        worlds: in how many worlds it lies there.
        chance: in what part of the worlds it lies there.
        there: the mean difference of two actions in these worlds.
        elsewhere: their mean difference in all other worlds.
        share: by what part of itself the difference would be smaller if the card always lay elsewhere.
        explains: what it explains of the spread of the difference: a sum of squares.
        certain: by how many standard errors `there` and `elsewhere` are apart.
    """

    card: int
    zone: Zone
    worlds: int
    chance: float
    there: float
    elsewhere: float
    share: float
    explains: float
    certain: float

    @property
    def even(self) -> bool:
        """Whether the difference is small where the card lies elsewhere."""
        return abs(self.elsewhere) < _FAR * (self.chance * self.there + (1 - self.chance) * self.elsewhere)

    @property
    def place(self) -> _Place:
        """The card's zone and its owner, and the card."""
        return self.zone.id, self.zone.owner, self.card


def hinges(hidden: RoundState, notes: Notes, first: int, second: int) -> list[Hinge]:
    """Return every place of a hidden card that is neither improbable nor nearly sure.

    Args:
        hidden: the hidden state of the seat.
        notes: the results of both actions, world by world.
        first: the better action.
        second: the other one.
    """
    ahead = _ahead(notes, first, second)
    n, total = len(ahead), sum(ahead)
    lain: dict[_Place, tuple[Zone, list[int]]] = {}
    known = {card for zone in hidden.contract.table.zones(hidden) for card in zone.cards}
    for world, one in zip(notes.worlds, ahead, strict=False):
        for zone, card in _places(world, known):
            lain.setdefault((zone.id, zone.owner, card), (zone, []))[1].append(one)
    spread, found = sum((one - total / n) ** 2 for one in ahead), []
    for (_, _, card), (zone, brought) in lain.items():
        k = len(brought)
        if _SELDOM * n <= k < (1 - _SELDOM) * n:
            there, elsewhere = sum(brought) / k, (total - sum(brought)) / (n - k)
            explains = (there - elsewhere) ** 2 * k * (n - k) / n
            certain = sqrt(explains * (n - 2) / (spread - explains)) if explains < spread else _CERTAIN * n
            share = (total / n - elsewhere) / (total / n) if total else 0.0
            found.append(Hinge(card, zone, k, k / n, there, elsewhere, share, explains, certain))
    return found


def _places(world: RoundState, known: set[int | None]) -> Iterator[tuple[Zone, int]]:
    """Yield the places of a world's cards, without those in `known`: in zones, and as the next card."""
    for zone in world.contract.table.zones(world):
        for card in zone.cards:
            if card not in known and card is not None:
                yield zone, card
    if world.stock and not world.gathered:
        yield NEXT, world.pack[world.stock - 1]


def _ahead(notes: Notes, first: int, second: int) -> list[int]:
    return [one - other for one, other in zip(notes.won[first], notes.won[second], strict=False)]
