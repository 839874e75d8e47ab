"""What lies before a seat, drawn small: its places one after the other, behind its player's name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rich.cells import set_cell_size

from mekuri.engine.contract import Zone
from mekuri.match.view import View
from mekuri.terminal.cards import Face
from mekuri.terminal.faces import LABEL, NO_TURN, TURN, Drawing, is_pile, number, place_label, stake
from mekuri.terminal.voice import Voice

DEALER = "◆"
NO_CARD = "–"
NAME = LABEL - 8  # cells of a name, beside the marks and the number of cards


def tag(seat: int, view: View, voice: Voice) -> str:
    """A player's name, with marks for the turn and for the dealer."""
    turn = TURN if seat in view.waiting else NO_TURN
    return f"{turn}{voice.player(seat, NAME)}{f' {DEALER}' if seat == view.dealer else ''}"


def unusual(zone: Zone, voice: Voice) -> bool:
    """Whether a place has a name of its own, beside others of its kind: such as a hand of somebody who plays another part."""
    return voice.place(zone) != voice.table("zones", zone.kind)


def block(
    seat: int, zones: Sequence[Zone], drawing: Drawing, *, named: bool, apart: bool, dense: bool = False
) -> tuple[str, list[Face]]:
    """The label of a seat, and the cards of all its places. A place after the first begins with a label of its own.

    Args:
        seat: the seat.
        zones: its places, the hand first.
        drawing: how cards are drawn.
        named: whether the player's name stands before them, in place of the first place's.
        apart: whether each place stands in a row of its own.
        dense: whether a hand that lies face down is drawn as one card.
    """
    view, voice = drawing.view, drawing.voice
    first = zones[0]
    # Where it is hidden how many cards have gone from the hand, no number stands beside the name.
    unknown = any(zone.hidden for zone in zones)
    told = "" if unknown else number(first)
    label = set_cell_size(tag(seat, view, voice), LABEL - 4) + f"{told:>3} " if named else place_label(first, voice)
    found = _cards(first, drawing, dense)
    if named and not unknown and unusual(first, voice):
        place = voice.place(first)
        head, *others = found or [Face(None, NO_CARD, place)]
        found = [replace(head, label=f"{place} "), *others]
    for zone in zones[1:]:
        none = voice.say("table.hidden") if zone.hidden else NO_CARD
        head, *others = _cards(zone, drawing, dense) or [Face(None, none, voice.place(zone))]
        told = " ".join(filter(None, (voice.place(zone), number(zone))))
        place = place_label(zone, voice) if apart else f" {told} {stake(zone, voice)}"
        found += [replace(head, label=place), *others]
    return label, found


def _cards(zone: Zone, drawing: Drawing, dense: bool) -> list[Face]:
    """The cards of a place. Of a pile only the top one shows; a hand that lies face down may be drawn as one card."""
    if is_pile(zone) and zone.count:
        return [drawing.pile(zone)]
    found = drawing.cards(zone)
    return found[:1] if dense and all(face.card is None for face in found) else found
