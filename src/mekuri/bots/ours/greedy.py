"""The bot `greedy`: it takes the action after which its seat stands best at once."""

from __future__ import annotations

from mekuri.engine.bot import rule_bot
from mekuri.engine.called import greediest
from mekuri.engine.compiled import rule
from mekuri.engine.fields import RoundState


@rule
def choose(h: RoundState, seat: int, chance: list[int], states: list[RoundState]) -> int:
    """Return the action after which the seat's `outlook` is farthest ahead of the best other side's; of equal ones a random one."""
    return greediest(h, seat, False, chance, states[0], states[1])


bot = rule_bot(
    choose,
    id="greedy",
    name={"en": "Greedy", "ja": "欲ばり"},
    help={"en": "Takes what counts most at once.", "ja": "目先の得をとる。"},
    strength=20,
    states=2,
)
