"""What long loops do with a round, as calls: machine code has each of these once for a game, and not wherever it is done.

A loop that is compiled while somebody waits uses these; one that runs for hours, the rules themselves.
"""

from __future__ import annotations

from mekuri.engine.compiled import first, rule, shared_rule
from mekuri.engine.contract import DRIVER, legal, play, standing, undoing, waiting
from mekuri.engine.driver import shuffle_gathered
from mekuri.engine.fields import RoundState


@shared_rule
def act(s: RoundState, seat: int, action: int) -> None:
    """Play an action."""
    play(s, seat, action)


@shared_rule
def legal_of(s: RoundState, seat: int) -> int:
    """What a seat may do."""
    return legal(s, seat)


@shared_rule
def asked_of(s: RoundState) -> int:
    """The seats that owe an action."""
    return waiting(s)


@rule
def turn(s: RoundState, chance: list[int]) -> None:
    """Do what the driver does next."""
    shuffle_gathered(s, chance)
    act(s, DRIVER, first(legal_of(s, DRIVER)))


@rule
def choices_of(s: RoundState, seat: int) -> int:
    """What a seat may do, but for taking back what it has done."""
    return legal_of(s, seat) & ~undoing(s, seat)


@shared_rule
def lead(s: RoundState, seat: int) -> int:
    """How far a seat stands before the best of the other seats."""
    most = -(1 << 62)
    for other in range(s.seats):
        if other != seat:
            most = max(most, standing(s, other))
    return standing(s, seat) - most
