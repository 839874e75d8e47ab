"""State, rules and texts of the fishing games, in which cards from hand and stock take cards of their number from the field."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from mekuri.cards import each
from mekuri.engine.compiled import bit, count, has, rule
from mekuri.engine.contract import FIRST_WORD, Text, Zone, face_down
from mekuri.engine.fields import card, cards
from mekuri.engine.fields import seat as place
from mekuri.engine.position import need
from mekuri.games.dealing import DealtState, in_hands, lay_unseen

# One card of each number.
_EACH = sum(bit(i * 4) for i in range(12))


@dataclass(slots=True)
class FishingState(DealtState):
    """Base of the states of fishing games.

    Attributes:
        field: the cards lying face up in the middle.
        captured: the cards each seat has taken.
        turn: the seat whose turn it is.
        laid: the card that waits for its player to choose what it takes, or NONE.
    """

    field: int = cards(public=True)
    captured: list[int] = cards(each_seat=2, public=True)
    turn: int = place(public=True)
    laid: int = card(public=True)


@rule
def gather(s: FishingState) -> None:
    """Take all cards back into the stock, to be shuffled. (Cards that have left the stock still stand above it in `pack`.)"""
    s.stock = s.gathered = count(s.deck)
    s.field = 0
    for seat in range(len(s.hand)):
        s.hand[seat] = s.held[seat] = s.captured[seat] = 0


@rule
def same_number(card: int) -> int:
    """The set of the four cards of a card's number."""
    return 15 << (card & ~3)


@rule
def groups(cards: int, size: int) -> int:
    """The cards of a set whose number the set holds exactly `size` times, 1 to 4."""
    # In the four bits of each number: first how many cards of each pair of suits, then how many in all.
    pairs = (cards & 5 * _EACH) + (cards >> 1 & 5 * _EACH)
    counts = (pairs & 3 * _EACH) + (pairs >> 2 & 3 * _EACH)
    other = counts ^ size * _EACH
    return cards & 15 * (~(other | other >> 1 | other >> 2) & _EACH)


@rule
def take(s: FishingState, seat: int, cards: int) -> None:
    """Move cards to a seat's captures. Any of them that lay on the field leave it."""
    s.captured[seat] |= cards
    s.field &= ~cards
    s.laid = -1


@rule
def lands(s: FishingState, card: int) -> bool:
    """Lay a card on the field: it takes one card of its number, or three, and stays if there is none.

    Returns:
        Whether that is done. With two cards to choose from, the card waits in `laid`.
    """
    matches = s.field & same_number(card)
    if count(matches) == 2:
        s.laid = card
        return False
    if matches:
        take(s, s.turn, bit(card) | matches)
    else:
        s.field |= bit(card)
    return True


@rule
def taken(s: FishingState) -> int:
    """The set of all captured cards."""
    cards = 0
    for seat in range(len(s.hand)):
        cards |= s.captured[seat]
    return cards


@rule
def visible(h: FishingState) -> int:
    """The set of all cards that a hidden state shows: on the field, captured, in a hand that is seen, or laid."""
    cards = h.field | taken(h) | in_hands(h)
    return cards if h.laid < 0 else cards | bit(h.laid)


@rule
def redeal_pack(h: FishingState, chance: list[int]) -> int:
    """Put all unseen cards in random order in the pack, and deal the hidden hands from it; see `lay_unseen`.

    Returns:
        The index in the pack of the first card that is in neither stock nor hands.
    """
    return lay_unseen(h, h.deck & ~visible(h), chance)


# --- Events and zones of a fishing game: plain Python ---


def newly_seen(before: FishingState, after: FishingState) -> int:
    """The cards that the last action turned face up for everyone."""
    return _open(after) & ~_open(before)


def gained(before: FishingState, after: FishingState, seat: int) -> int:
    """The cards that the last action brought to a seat's captures."""
    return after.captured[seat] & ~before.captured[seat]


def _open(s: FishingState) -> int:
    cards = s.field | taken(s)
    return cards if s.laid < 0 else cards | bit(s.laid)


def laying_event(kind: str, before: FishingState, after: FishingState, card: int) -> Text:
    """The event of a card coming to the field, from the hand (kind `play`) or from the stock (kind `turn`)."""
    seat = before.turn
    cards = gained(before, after, seat)
    if after.laid == card:
        return Text(f"events.{kind}-waits", {"seat": seat, "card": card})
    if cards == bit(card):
        return Text(f"events.{kind}-keeps", {"seat": seat, "card": card})
    if has(cards, card):
        return Text(f"events.{kind}-takes", {"seat": seat, "card": card, "cards": cards & ~bit(card)})
    return Text(f"events.{kind}-lays", {"seat": seat, "card": card})


def choosing_event(before: FishingState, action: int) -> Text:
    """The event of a seat choosing what its card takes."""
    return Text("events.choose", {"seat": before.turn, "card": before.laid, "cards": bit(action)})


def course_event(before: Any, after: FishingState, action: int, phases: Any) -> Text | None:
    """The event of a card that comes from a hand or from the stock, or of a choice of what it takes; None for all others.

    Args:
        before: the state before the action, as its viewer knows it.
        after: the state after it, likewise.
        action: the action.
        phases: the game's phases, among them `PLAY`, `TURN_UP`, `CHOOSE` and `CHOOSE_TURNED`.
    """
    if before.phase == phases.PLAY and action < FIRST_WORD:
        return laying_event("play", before, after, action)
    if before.phase in (phases.CHOOSE, phases.CHOOSE_TURNED):
        return choosing_event(before, action)
    if before.phase == phases.TURN_UP:
        return laying_event("turn", before, after, newly_seen(before, after).bit_length() - 1)
    return None


def hand_zone(h: FishingState, seat: int) -> Zone:
    """The zone of a seat's hand."""
    return Zone(f"hand-{seat}", seat, "hand", "fan", face_down(h.hand[seat], h.held[seat]))


def field_zone(h: FishingState) -> Zone:
    """The zone of the field, with the card that has been laid and waits for a choice."""
    on_field = each(h.field) + (() if h.laid < 0 or has(h.field, h.laid) else (h.laid,))
    return Zone("field", None, "field", "grid", on_field)


# koikoi.play.captures-open, mushi.play.captures-open, sakura.play.captures-open
# tensho.play.captures-open, tenshu.play.captures-open
def captured_zone(h: FishingState, seat: int, order: Callable[[int], tuple[int, ...]] = each) -> Zone:
    """The zone of a seat's captures. `order` turns the set of cards into the order in which they lie."""
    return Zone(f"captured-{seat}", seat, "captured", "row", order(h.captured[seat]))


def stock_zone(h: FishingState) -> Zone:
    """The zone of the stock."""
    return Zone("stock", None, "stock", "stack", (None,) * h.stock)


def common_zones(h: FishingState, order: Callable[[int], tuple[int, ...]] = each) -> list[Zone]:
    """The zones of hands, field, stock and captures. `order` is as in `captured_zone`."""
    hands = [hand_zone(h, seat) for seat in range(h.seats)]
    return [*hands, field_zone(h), stock_zone(h), *(captured_zone(h, seat, order) for seat in range(h.seats))]


# --- Checks of hand-written positions ---


def complete_stock(s: FishingState, dealing: bool, dealt: int, before: int = 0) -> None:
    """Fill in the stock of a position before the deal, and refuse a position whose stock or table cannot be.

    Before the deal the whole pack is shuffled, unless the position says in which order the cards will come.

    Args:
        s: the state of the position.
        dealing: whether the deal is still to come.
        dealt: the number of cards that the deal takes.
        before: the set of cards that lie in hands before the deal.

    Raises:
        PositionError: if the position cannot be.
    """
    whole = count(s.deck & ~before)
    on_table = s.field | in_hands(s) | taken(s)
    if dealing and s.stock == 0:
        s.stock = s.gathered = whole
    need(s.gathered == 0 or (dealing and s.gathered == s.stock == whole), "gathered is 0, or the whole pack before the deal")
    need(not dealing or s.stock >= dealt, f"before the deal the stock holds at least {dealt} cards")
    need(not dealing or on_table == before, "before the deal nothing lies on the table")
    need(not any(s.held), "a position holds every card: write hands, not how many cards are held")


def need_laid(s: FishingState, choosing: bool, on_field: bool) -> None:
    """Refuse a position whose laid card is missing, superfluous or in a wrong place.

    Args:
        s: the state of the position.
        choosing: whether a player is choosing what the card takes; only then there is one.
        on_field: whether the laid card also lies on the field in this phase.

    Raises:
        PositionError: if the position is refused.
    """
    need(choosing == (s.laid >= 0), "laid is the card that waits while its player chooses, and only then")
    if choosing:
        elsewhere = in_hands(s) | taken(s) | sum(bit(card) for card in s.pack[: s.stock])
        need(has(elsewhere, s.laid) == 0 and has(s.field, s.laid) == on_field, "the card laid lies elsewhere")
