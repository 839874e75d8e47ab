"""Tries what it may do in worlds that it may be in, and takes what brings most on average."""

from __future__ import annotations

from functools import partial

from mekuri.bots.ours import greedy
from mekuri.bots.search import machine_code
from mekuri.bots.search.think import think
from mekuri.engine.bot import Bot, Budget, Seen


def choose(seen: Seen, chance: list[int], budget: Budget) -> int:
    """The action that wins most where the others are greedy in the rounds that are played out."""
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
