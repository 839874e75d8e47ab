"""The small cards of a seat in one block: its zones one after the other, behind the player's name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rich.cells import cell_len, set_cell_size

from mekuri.engine.contract import Zone
from mekuri.match.view import View
from mekuri.terminal.base.cards import Face
from mekuri.terminal.base.translate import Translator
from mekuri.terminal.screens.render import LABEL, NO_TURN, TURN, Drawing, is_pile, number, place_label, place_name, stake

DEALER = "◆"
NO_CARD = "–"
NAME = LABEL - 8  # most cells of a name, beside the marks and the number of cards
LEAST_NAME = 6  # cells that a name keeps beside accounts


def tag(seat: int, view: View, translator: Translator, most: int = NAME) -> str:
    """Return a player's name of at most `most` cells, with marks for the turn, the dealer and, among people, a bot."""
    turn = TURN if seat in view.waiting else NO_TURN
    return f"{turn}{translator.tagged(seat, most)}{f' {DEALER}' if seat == view.dealer else ''}"


def _label(seat: int, count: str, drawing: Drawing) -> str:
    """Return the label of a seat: name, accounts unless they are shown elsewhere, and number of cards in hand.

    The name is shortened to make room for the numbers, to `LEAST_NAME` cells at least; then the label is wider than `LABEL`.
    """
    if not drawing.accounts:
        return set_cell_size(tag(seat, drawing.view, drawing.translator), LABEL - 4) + f"{count:>3} "
    numbers = f" {drawing.accounts[seat]} {f'{count:>3} ' if count else ''}"
    room = LABEL + drawing.room - cell_len(numbers)
    marks = cell_len(NO_TURN) + (cell_len(DEALER) + 1 if seat == drawing.view.dealer else 0)
    name = tag(seat, drawing.view, drawing.translator, max(room - marks, LEAST_NAME))
    return set_cell_size(name, max(room, cell_len(name))) + numbers


def unusual(zone: Zone, translator: Translator) -> bool:
    """Return whether a zone has a name of its own, different from that of its kind, such as the hand of a servant."""
    return translator.place(zone) != translator.table("zones", zone.kind)


def block(
    seat: int, zones: Sequence[Zone], drawing: Drawing, *, named: bool, apart: bool, dense: bool = False
) -> tuple[str, list[Face]]:
    """Return the label of a seat, and the cards of all its zones. The first card of each later zone has a label of its own.

    Args:
        seat: the seat.
        zones: its zones, the hand first.
        drawing: how cards are drawn.
        named: whether the label is the player's name; else the name of the first zone.
        apart: whether each zone begins a row of its own.
        dense: whether a hand that lies face down is drawn as one card.
    """
    translator, first = drawing.translator, zones[0]
    # If a seat's number of cards is hidden, no number is shown beside the name.
    unknown = any(zone.hidden for zone in zones)
    count = "" if unknown else number(first)
    label = _label(seat, count, drawing) if named else place_label(first, translator)
    found = _cards(first, drawing, dense)
    if named and not unknown and unusual(first, translator):
        head, *others = found or [Face(None, NO_CARD, translator.place(first))]
        found = [replace(head, label=f"{place_name(first, translator)} "), *others]
    for zone in zones[1:]:
        none = translator.say("table.hidden") if zone.hidden else NO_CARD
        head, *others = _cards(zone, drawing, dense) or [Face(None, none, translator.place(zone))]
        count = " ".join(filter(None, (place_name(zone, translator), number(zone))))
        place = place_label(zone, translator) if apart else f" {count} {stake(zone, translator)}"
        found += [replace(head, label=place), *others]
    # Without anything to point at, keys would not lead to a seat that is out of sight.
    return label, found or ([Face(None, NO_CARD, translator.place(first))] if named else [])


def _cards(zone: Zone, drawing: Drawing, dense: bool) -> list[Face]:
    """Return the cards of a zone: of a pile the top card only, and of a hand face down one card if `dense` is set."""
    if is_pile(zone) and zone.count:
        return [drawing.pile(zone)]
    found = drawing.cards(zone)
    return found[:1] if dense and all(face.card is None for face in found) else found
