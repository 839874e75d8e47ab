"""How bots choose: rules text, so the same choice plain and compiled. A bot is given a hidden state, never the true one.

Bots are numbered in the order of `NAMES`; a game's own follow them, in the order of its contract.
"""

from __future__ import annotations

from mekuri.engine.chance import below, pick
from mekuri.engine.compiled import count, first, rule
from mekuri.engine.contract import advise, legal, play, standing, undoing, waiting
from mekuri.engine.fields import RoundState, copy

NAMES = ("random", "greedy")
RANDOM, GREEDY = range(2)


@rule
def choose(bot: int, h: RoundState, seat: int, chance: list[int], one: RoundState, two: RoundState) -> int:
    """The action of a bot that sees `h`. `one` and `two` are states to think in; their contents do not matter."""
    if bot == GREEDY:
        return choose_greedy(h, seat, chance, one, two)
    if bot > GREEDY:
        return advise(h, bot - GREEDY - 1, seat, chance)
    choices = legal(h, seat) & ~undoing(h, seat)
    return pick(choices, count(choices), chance)


@rule
def choose_greedy(h: RoundState, seat: int, chance: list[int], one: RoundState, two: RoundState) -> int:
    """The action after which the seat's standing is best against the best of the others; among equals, any.

    Where an action leaves the seat a further choice at once, such as which card to take, the best of those counts.
    """
    choices = legal(h, seat) & ~undoing(h, seat)
    best, chosen, equals = 0, -1, 0
    while choices:
        action = first(choices)
        choices &= choices - 1
        copy(one, h)
        play(one, seat, action)
        value = lead(one, seat)
        further = legal(one, seat) if waiting(one) == 1 << seat else 0
        if further:
            value = -(1 << 62)
        while further:
            copy(two, one)
            play(two, seat, first(further))
            value = max(value, lead(two, seat))
            further &= further - 1
        if chosen < 0 or value > best:
            best, chosen, equals = value, action, 1
        elif value == best:
            equals += 1
            if below(chance, equals) == 0:
                chosen = action
    return chosen


@rule
def lead(s: RoundState, seat: int) -> int:
    """How far a seat stands before the best of the other seats."""
    most = -(1 << 62)
    for other in range(s.seats):
        if other != seat:
            most = max(most, standing(s, other))
    return standing(s, seat) - most
