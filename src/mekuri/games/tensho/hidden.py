"""The hidden states of Tensho: `hide` copies what a seat may know, `redeal` fills in the rest."""

from __future__ import annotations

from mekuri.engine.chance import below
from mekuri.engine.compiled import bit, count, has, rule
from mekuri.games.dealing import from_pack, hide_hands, lay_unseen
from mekuri.games.fishing import visible
from mekuri.games.kabu import ROW
from mekuri.games.kabu_pot import HELD, hide_pot, think_of_stakes
from mekuri.games.tensho.side_games import decided, least_units, middle_up, rows_lie
from mekuri.games.tensho.state import Phase, TenshoState


@rule
def stack_size(s: TenshoState, i: int) -> int:
    """How many cards a stack holds, in a full or a hidden state."""
    return count(s.stack[i]) + s.stack_held[i]


@rule
def field_face_down(s: TenshoState) -> int:
    """How many cards of the field lie face down, likewise; where Shoniban is played those of its first row."""
    return count(s.face_down) + s.field_held


@rule
def hide(s: TenshoState, seat: int, into: TenshoState) -> None:
    """Show a seat its own hand and its vote, and rows and dead cards that lie open; of all else how many cards there are."""
    hide_hands(s, seat, into, 0)
    into.field_held = field_face_down(s)
    for i in range(2):
        into.stack_held[i] = stack_size(s, i)
    if seat < 2 and s.set == 0:
        into.vote[seat] = s.vote[seat]
    if s.phase == Phase.SETTLE:
        into.naka = s.naka
        into.oto = s.oto
    # tensho.tokotoko.stake
    if decided(s) and s.phase != Phase.DEAL_DEAD:
        hide_pot(s, seat, into, middle_up(s), s.phase >= Phase.PAY)


@rule
def redeal(h: TenshoState, seat: int, chance: list[int]) -> None:
    """Deal what cannot be seen anew: stock, hands, stacks, field, then the dead."""
    seen = visible(h) | h.naka | h.oto | h.two[0] | h.two[1] | h.middle
    at = lay_unseen(h, h.deck & ~seen, chance)
    if h.phase == Phase.VOTE or h.phase == Phase.DEAL:
        for other in range(2):
            if other != seat and h.set == 0 and has(h.voted, other):
                h.vote[other] = 1 + below(chance, 2)
        return
    for i in range(2):
        h.stack[i] = from_pack(h, at, h.stack_held[i])
        at += h.stack_held[i]
        h.stack_held[i] = 0
    h.face_down = from_pack(h, at, h.field_held)
    at += h.field_held
    h.field_held = 0
    if rows_lie(h):
        h.naka = from_pack(h, at, ROW)
        h.oto = from_pack(h, at + ROW, ROW)
        at += 2 * ROW
    if h.tokotoko:
        for other in range(2):
            if h.two[other] == 0:
                h.two[other] = from_pack(h, at, HELD)
                at += HELD
        if h.middle == 0:
            h.middle = from_pack(h, at, HELD)
        think_of_stakes(h, least_units(h), chance)
    h.dead = h.deck & ~dealt_elsewhere(h)


@rule
def dealt_elsewhere(h: TenshoState) -> int:
    """The cards that do not lie with the dead."""
    cards = h.field | h.captured[0] | h.captured[1] | h.hand[0] | h.hand[1] | h.stack[0] | h.stack[1] | h.face_down
    cards |= h.naka | h.oto | h.two[0] | h.two[1] | h.middle
    for i in range(h.stock):
        cards |= bit(h.pack[i])
    return cards if h.laid < 0 else cards | bit(h.laid)
