"""What long loops do with a round, as calls: machine code has each of these once for a game, and not wherever it is done.

A loop that is compiled while somebody waits uses these; one that runs for hours, the rules themselves.
"""

from __future__ import annotations

from mekuri.engine.chance import below
from mekuri.engine.compiled import bit, first, rule, shared_rule
from mekuri.engine.contract import DRIVER, legal, outlook, play, prospect, undoing, waiting
from mekuri.engine.driver import shuffle_gathered
from mekuri.engine.fields import RoundState, copy


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
            most = max(most, outlook(s, other))
    return outlook(s, seat) - most


@shared_rule
def promise(s: RoundState, seat: int) -> int:
    """The same in hundredths, with what it may hope for."""
    return 100 * lead(s, seat) + prospect(s, seat)


@shared_rule
def at_once(h: RoundState, seat: int, action: int, hopes: bool, one: RoundState, two: RoundState) -> int:
    """How far a seat stands before the best of the others after an action, or what that promises where it `hopes`.

    Where that leaves it a further choice at once, such as which card to take, the best of those counts.
    """
    copy(one, h)
    act(one, seat, action)
    further = legal_of(one, seat) if asked_of(one) == bit(seat) else 0
    if not further:
        return promise(one, seat) if hopes else lead(one, seat)
    best = -(1 << 62)
    while further:
        copy(two, one)
        act(two, seat, first(further))
        best = max(best, promise(two, seat) if hopes else lead(two, seat))
        further &= further - 1
    return best


@shared_rule
def greediest(h: RoundState, seat: int, hopes: bool, chance: list[int], one: RoundState, two: RoundState) -> int:
    """The action that is best at once; among equals, any."""
    choices = choices_of(h, seat)
    best, chosen, equals = 0, -1, 0
    while choices:
        action = first(choices)
        choices &= choices - 1
        value = at_once(h, seat, action, hopes, one, two)
        if chosen < 0 or value > best:
            best, chosen, equals = value, action, 1
        elif value == best:
            equals += 1
            if below(chance, equals) == 0:
                chosen = action
    return chosen
