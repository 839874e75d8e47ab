"""The bot `random`: it plays a random legal action."""

from __future__ import annotations

from mekuri.engine.bot import rule_bot
from mekuri.engine.chance import pick
from mekuri.engine.compiled import count, rule
from mekuri.engine.contract import legal, undoing
from mekuri.engine.fields import RoundState


@rule
def choose(h: RoundState, seat: int, chance: list[int], states: list[RoundState]) -> int:
    """Return a random legal action, but none that only takes back what the seat has done itself."""
    choices = legal(h, seat) & ~undoing(h, seat)
    return pick(choices, count(choices), chance)


bot = rule_bot(
    choose,
    id="random",
    name={"en": "Random", "ja": "気まぐれ"},
    help={"en": "Plays any legal card.", "ja": "出せる札をでたらめに出す。"},
    strength=0,
    blind=True,
)
