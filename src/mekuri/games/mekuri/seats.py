"""Who plays a round of Mekuri, and in which order."""

from __future__ import annotations

from mekuri.engine.compiled import rule
from mekuri.games.mekuri.state import MekuriState

MOST_PLAYERS = 3


# mekuri.players.number
@rule
def players(s: MekuriState) -> int:
    """How many seats play in the round."""
    return min(s.seats, MOST_PLAYERS)


@rule
def is_active(s: MekuriState, seat: int) -> bool:
    """Whether a seat plays in the round, or may still do so."""
    return s.out != seat + 1


# mekuri.play.order
@rule
def next_active(s: MekuriState, seat: int) -> int:
    """The seat that comes after a seat in turn order, among the players of the round."""
    after = (seat + 1) % s.seats
    return after if is_active(s, after) else (after + 1) % s.seats


# mekuri.who.dealer-out
@rule
def first_player(s: MekuriState) -> int:
    """The seat that plays first: the dealer, or the next seat if the dealer sits out."""
    return s.dealer if is_active(s, s.dealer) else next_active(s, s.dealer)
