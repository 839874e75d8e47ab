"""The rules of Tokotoko, in the order of the rule book."""

from __future__ import annotations

from mekuri.engine.compiled import bit, count, rule
from mekuri.games.dealing import from_pack, open_pack, packet, shuffle_unseen
from mekuri.games.kabu_pot import (
    HELD,
    MOST_UNITS,
    UNIT,
    first_winner,
    four,
    hide_pot,
    name_stake,
    put_up,
    share,
    think_of_stakes,
    winners,
)
from mekuri.games.tokotoko.options import Hand
from mekuri.games.tokotoko.state import Ending, Phase, TokotokoState, Word


# tokotoko.cards.forty-five
@rule
def deal(s: TokotokoState) -> None:
    open_pack(s)
    s.gathered = s.stock
    s.phase = Phase.DEAL


@rule
def waiting(s: TokotokoState) -> int:
    if s.phase == Phase.NAME:
        return (bit(s.seats) - 1) & ~s.spoken
    return bit(s.turn)


@rule
def legal(s: TokotokoState, seat: int) -> int:
    # tokotoko.stake.units, tokotoko.stake.nothing
    if s.phase == Phase.NAME:
        return (bit(MOST_UNITS + 1) - bit(least_units(s))) << Word.NO_STAKE
    # tokotoko.hand.three-of-four
    return four(s, seat)


@rule
def least_units(s: TokotokoState) -> int:
    """The fewest units that may be named."""
    return 0 if s.free else 1


@rule
def play(s: TokotokoState, seat: int, action: int) -> None:
    if s.phase == Phase.NAME:
        # tokotoko.stake.secret
        if name_stake(s, seat, action - Word.NO_STAKE):
            s.phase = Phase.TURN_UP
    elif s.phase == Phase.DEAL:
        deal_hands(s)
    elif s.phase == Phase.LAY:
        # tokotoko.deal.middle
        s.middle = packet(s, HELD)
        s.phase = Phase.NAME
    elif s.phase == Phase.TURN_UP:
        turn_up(s)
    elif s.phase == Phase.CHOOSE:
        leave_out(s, seat, action)
    elif s.phase == Phase.SHOW:
        show_hands(s)
    elif s.phase == Phase.PAY:
        end(s)


# --- The deal ---


# tokotoko.deal.two-each
@rule
def deal_hands(s: TokotokoState) -> None:
    for i in range(s.seats):
        s.two[(s.dealer + 1 + i) % s.seats] = packet(s, HELD)
    s.turns = 1
    s.phase = Phase.LAY


# --- The middle, and the hands ---


# tokotoko.stake.least, tokotoko.hand.middle: from now on everybody sees what was named, and the middle; see `hide`.
@rule
def turn_up(s: TokotokoState) -> None:
    put_up(s)
    s.turn = (s.dealer + 1) % s.seats
    s.phase = Phase.CHOOSE if s.hand == Hand.CHOOSE and s.stake else Phase.SHOW


# tokotoko.hand.three-of-four
@rule
def leave_out(s: TokotokoState, seat: int, card: int) -> None:
    s.out[seat] = bit(card)
    if seat == s.dealer:
        s.phase = Phase.PAY  # all have chosen, and shown their cards
    else:
        s.turn = (seat + 1) % s.seats


@rule
def show_hands(s: TokotokoState) -> None:
    s.phase = Phase.PAY
    # tokotoko.stake.nothing
    if not s.stake:
        s.left = s.odd
        s.phase = Phase.OVER


# --- The pot ---


# tokotoko.stake.nothing, tokotoko.pot.odd-chips
@rule
def in_pot(s: TokotokoState) -> int:
    """The chips that are played for: the stakes and the chips from before. Without a stake none are."""
    return s.odd + UNIT * s.stake * s.seats if s.stake else 0


# tokotoko.pot.best-digit, tokotoko.pot.tie, tokotoko.pot.odd-chips
@rule
def end(s: TokotokoState) -> None:
    s.ending = Ending.WON if count(winners(s)) == 1 else Ending.SPLIT
    pot = in_pot(s)
    for seat in range(s.seats):
        pot -= share(s, seat, s.odd, s.last)
    s.left = pot
    s.last_winner = 1 + first_winner(s, winners(s))
    s.phase = Phase.OVER


@rule
def returns(s: TokotokoState, seat: int) -> int:
    if s.phase != Phase.OVER or in_pot(s) == 0:
        return 0
    return share(s, seat, s.odd, s.last) - UNIT * s.stake


# --- Hidden states ---


@rule
def middle_up(s: TokotokoState) -> bool:
    return s.phase >= Phase.CHOOSE


@rule
def hide(s: TokotokoState, seat: int, into: TokotokoState) -> None:
    # tokotoko.stake.secret
    hide_pot(s, seat, into, middle_up(s), s.phase == Phase.PAY or s.phase == Phase.OVER)


@rule
def redeal(h: TokotokoState, seat: int, chance: list[int]) -> None:
    seen = h.middle
    for other in range(h.seats):
        seen |= h.two[other]
    shuffle_unseen(h, h.deck & ~seen, chance)
    at = h.stock
    if h.phase != Phase.DEAL:
        for other in range(h.seats):
            if h.two[other] == 0:
                h.two[other] = from_pack(h, at, HELD)
                at += HELD
        if h.middle == 0 and h.phase != Phase.LAY:
            h.middle = from_pack(h, at, HELD)
    think_of_stakes(h, least_units(h), chance)
