"""Takes what counts most at once."""

from __future__ import annotations

from mekuri.engine.bot import rule_bot
from mekuri.engine.called import act, asked_of, choices_of, lead, legal_of
from mekuri.engine.chance import below
from mekuri.engine.compiled import bit, first, rule
from mekuri.engine.fields import RoundState, copy


@rule
def choose(h: RoundState, seat: int, chance: list[int], states: list[RoundState]) -> int:
    """The action after which the seat's standing is best against the best of the others; among equals, any.

    Where an action leaves the seat a further choice at once, such as which card to take, the best of those counts.
    """
    one, two = states[0], states[1]
    choices = choices_of(h, seat)
    best, chosen, equals = 0, -1, 0
    while choices:
        action = first(choices)
        choices &= choices - 1
        copy(one, h)
        act(one, seat, action)
        value = lead(one, seat)
        further = legal_of(one, seat) if asked_of(one) == bit(seat) else 0
        if further:
            value = -(1 << 62)
        while further:
            copy(two, one)
            act(two, seat, first(further))
            value = max(value, lead(two, seat))
            further &= further - 1
        if chosen < 0 or value > best:
            best, chosen, equals = value, action, 1
        elif value == best:
            equals += 1
            if below(chance, equals) == 0:
                chosen = action
    return chosen


bot = rule_bot(
    choose,
    id="greedy",
    name={"en": "Greedy", "ja": "欲ばり"},
    help={"en": "Takes what counts most at once.", "ja": "目先の得をとる。"},
    strength=20,
    states=2,
)
