"""The roles of the seats in a round of Tenshu: four are active, one may be the servant's, and the others do not play."""

from __future__ import annotations

from mekuri.engine.compiled import bit, has, rule
from mekuri.games.tenshu.state import ACTIVE, TenshuState


# tenshu.players.seats, tenshu.match.seats-turn
@rule
def take_seats(s: TenshuState) -> None:
    """Make the dealer and the next three seats active, and the one after them the servant; seats out of the match are skipped."""
    s.active = s.servant = 0
    found, seat = 0, s.dealer
    for _ in range(s.seats):
        if not has(s.out, seat):
            if found < ACTIVE:
                s.active |= bit(seat)
            elif found == ACTIVE:
                s.servant = seat + 1
            found += 1
        seat = (seat + 1) % s.seats


@rule
def next_active(s: TenshuState, seat: int) -> int:
    """The active seat that comes after a seat, in playing order."""
    for _ in range(s.seats):
        seat = (seat + 1) % s.seats
        if has(s.active, seat):
            return seat
    return s.dealer


@rule
def is_active(s: TenshuState, seat: int) -> bool:
    return has(s.active, seat) == 1


# tenshu.players.first-servant
@rule
def is_servant(s: TenshuState, seat: int) -> bool:
    """Whether a seat is the servant's and has received a card in this round."""
    return s.served == 1 and s.servant == seat + 1
