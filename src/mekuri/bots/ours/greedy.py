"""Takes what counts most at once."""

from __future__ import annotations

from mekuri.engine.bot import rule_bot
from mekuri.engine.called import at_once, choices_of
from mekuri.engine.chance import below
from mekuri.engine.compiled import first, rule
from mekuri.engine.fields import RoundState


@rule
def choose(h: RoundState, seat: int, chance: list[int], states: list[RoundState]) -> int:
    """The action after which the seat's standing is best against the best of the others; among equals, any."""
    choices = choices_of(h, seat)
    best, chosen, equals = 0, -1, 0
    while choices:
        action = first(choices)
        choices &= choices - 1
        value = at_once(h, seat, action, states[0], states[1])
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
