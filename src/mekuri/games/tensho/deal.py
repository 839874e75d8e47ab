"""The deal of Tensho: in threes, step by step as the source has it, or each place in one packet."""

from __future__ import annotations

from mekuri.engine.compiled import bit, count, rule
from mekuri.games.dealing import packet
from mekuri.games.kabu import ROW
from mekuri.games.kabu_pot import HELD
from mekuri.games.tensho.options import DealOrder
from mekuri.games.tensho.state import TenshoState

FIELD, LEFT, RIGHT, UPPER, LOWER, DEAD = range(6)
# Three cards each time. The stacks that get three more in the end are put together, one upon the other, as the stock.
STEPS = (FIELD, LEFT, RIGHT, UPPER, LOWER, FIELD, LEFT, RIGHT, UPPER, LOWER, FIELD, UPPER, LOWER, DEAD, DEAD)
PACK = 3 * len(STEPS)
ROWS = ("shi", "naka", "oto")  # the field in the order of dealing, where Shoniban is played
PLACES = {FIELD: "field", LEFT: "stack-left", RIGHT: "stack-right", DEAD: "dead"}  # ids of the zones of all places but the stock's


def _dealt_to(place: int) -> tuple[int, ...]:
    """The indices in the pack of the cards that are dealt to a place, in the order of the deal. A pack is dealt from its end."""
    return tuple(PACK - 1 - 3 * step - i for step, to in enumerate(STEPS) if to == place for i in range(3))


FIELD_FROM, LEFT_FROM, RIGHT_FROM, DEAD_FROM = map(_dealt_to, (FIELD, LEFT, RIGHT, DEAD))
STOCK_FROM = _dealt_to(LOWER) + _dealt_to(UPPER)  # from its bottom: of each stack the card dealt last lies on top


def dealt_packets(s: TenshoState) -> list[tuple[str, int]]:
    """The packets of the deal for a screen, each as the id of its zone and its number of cards, without those of the stock."""
    if in_steps(s, count(s.deck)):
        rows = iter(ROWS if s.shoniban else ("field",) * len(ROWS))
        return [(next(rows) if to == FIELD else PLACES[to], 3) for to in STEPS if to in PLACES]
    field = [(row, ROW) for row in ROWS] if s.shoniban else [("field", s.field_cards)]
    return [*field, ("stack-left", s.hand_cards), ("stack-right", s.hand_cards)]


@rule
def in_steps(s: TenshoState, cards: int) -> bool:
    # Reduced games have no such steps.
    return s.deal_order == DealOrder.STEPS and cards == PACK and s.hand_cards == len(LEFT_FROM) and s.field_cards == len(FIELD_FROM)


# tensho.deal.stacks, tensho.deal.draw-pile, tensho.deal.dead-cards
@rule
def lay_out_pack(s: TenshoState) -> None:
    if in_steps(s, s.stock):
        lay_out_in_steps(s)
        return
    if s.shoniban:
        s.face_down = packet(s, ROW)
        s.naka = packet(s, ROW)
        s.oto = packet(s, ROW)
    else:
        s.face_down = packet(s, s.field_cards)
    s.stack[0] = packet(s, s.hand_cards)
    s.stack[1] = packet(s, s.hand_cards)
    draw_pile = min(s.stock, 3 * s.hand_cards)
    if s.tokotoko:
        s.two[1 - s.dealer] = packet(s, HELD)
        s.two[s.dealer] = packet(s, HELD)
        s.middle = packet(s, HELD)
    else:
        s.dead = packet(s, s.stock - draw_pile)


@rule
def lay_out_in_steps(s: TenshoState) -> None:
    if s.shoniban:
        # tensho.shoniban.rows
        for i in range(ROW):
            s.face_down |= bit(s.pack[FIELD_FROM[i]])
            s.naka |= bit(s.pack[FIELD_FROM[ROW + i]])
            s.oto |= bit(s.pack[FIELD_FROM[2 * ROW + i]])
    else:
        for i in range(len(FIELD_FROM)):
            s.face_down |= bit(s.pack[FIELD_FROM[i]])
    if s.tokotoko:
        # tensho.tokotoko.dead
        for i in range(HELD):
            s.two[1 - s.dealer] |= bit(s.pack[DEAD_FROM[i]])
            s.two[s.dealer] |= bit(s.pack[DEAD_FROM[HELD + i]])
            s.middle |= bit(s.pack[DEAD_FROM[2 * HELD + i]])
    else:
        for i in range(len(DEAD_FROM)):
            s.dead |= bit(s.pack[DEAD_FROM[i]])
    for i in range(len(LEFT_FROM)):
        s.stack[0] |= bit(s.pack[LEFT_FROM[i]])
        s.stack[1] |= bit(s.pack[RIGHT_FROM[i]])
    # The cards of the stock are swapped into its places, each with the card that lies there. A card that was swapped out before is
    # found by following the swaps from its first place.
    for i in range(len(STOCK_FROM)):
        j = STOCK_FROM[i]
        while j < i:
            j = STOCK_FROM[j]
        s.pack[i], s.pack[j] = s.pack[j], s.pack[i]
    s.stock = len(STOCK_FROM)
