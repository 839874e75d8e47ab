"""The rules of a round as functions that machine code calls and does not inline, for shorter compilation.

A loop that is compiled while a user waits uses these. A loop that runs for hours uses the generic functions, which run faster.
"""

from __future__ import annotations

from mekuri.engine.chance import below
from mekuri.engine.compiled import bit, first, rule, shared_rule
from mekuri.engine.contract import DRIVER, legal, outlook, play, prospect, side_of, undoing, waiting
from mekuri.engine.driver import shuffle_gathered
from mekuri.engine.fields import RoundState, copy


@shared_rule
def act(s: RoundState, seat: int, action: int) -> None:
    """Do a legal action: `play`, called."""
    play(s, seat, action)


@shared_rule
def legal_of(s: RoundState, seat: int) -> int:
    """The set of a seat's legal actions: `legal`, called."""
    return legal(s, seat)


@shared_rule
def asked_of(s: RoundState) -> int:
    """The set of seats that owe an action: `waiting`, called."""
    return waiting(s)


@rule
def turn(s: RoundState, chance: list[int]) -> None:
    """Shuffle the gathered cards and do the driver's action: `drive`, called."""
    shuffle_gathered(s, chance)
    act(s, DRIVER, first(legal_of(s, DRIVER)))


@rule
def choices_of(s: RoundState, seat: int) -> int:
    """The set of a seat's legal actions, except actions that only take back another."""
    return legal_of(s, seat) & ~undoing(s, seat)


@shared_rule
def lead(s: RoundState, seat: int) -> int:
    """The lead of a seat: its `outlook` less the best `outlook` of the other sides."""
    most, own = -(1 << 62), side_of(s, seat)
    for other in range(s.seats):
        if side_of(s, other) != own:
            most = max(most, outlook(s, other))
    return outlook(s, seat) - most


@shared_rule
def promise(s: RoundState, seat: int) -> int:
    """The lead of a seat and its `prospect` together, in hundredths of a unit of `outlook`."""
    return 100 * lead(s, seat) + prospect(s, seat)


@shared_rule
def at_once(h: RoundState, seat: int, action: int, hopes: bool, one: RoundState, two: RoundState) -> int:
    """The value of an action for a seat right after it, before any answer.

    If the action leaves only this seat to act again, such as to choose which card to take, its best further action counts.

    Args:
        h: the state before; not changed.
        seat: the seat that acts.
        action: the action.
        hopes: whether the value is `promise`; else it is `lead`.
        one: a state to work in.
        two: another state to work in.
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
    """The action with the greatest value `at_once`; among equals one at random, each as likely as any other."""
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
