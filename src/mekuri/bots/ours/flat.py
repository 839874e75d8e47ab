"""The bot `flat`: it tries each action in many worlds that its seat may be in, and takes the one that wins most on average."""

from __future__ import annotations

from functools import partial

from mekuri.bots.ours import greedy
from mekuri.bots.search import machine_code
from mekuri.bots.search.think import think
from mekuri.engine.bot import Bot, Budget, Seen


def choose(seen: Seen, chance: list[int], budget: Budget) -> int:
    """Return the action that wins most on average in play-outs in which the others play greedily."""
    return think(seen, chance, budget, greedy.bot, until_clear=True)[0].action


bot = Bot(
    id="flat",
    name={"en": "Flat", "ja": "手広"},
    help={
        "en": "Plays every action out in deals that it may be in, and takes the one that wins most.",
        "ja": "あり得る配りで手を一つずつ最後まで試し、いちばん得になる手を選ぶ。",
    },
    choose=choose,
    prepare=partial(machine_code.prepare, bot=greedy.bot),
    looks_back=True,
    strength=60,
)
