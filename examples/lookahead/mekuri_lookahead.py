"""A bot for every game: it tries each action in worlds that its seat may be in, and plays them out at random."""

from __future__ import annotations

from time import monotonic

from mekuri.bots.seam import (
    DRIVER,
    Bot,
    Budget,
    RoundState,
    Seen,
    copy,
    count,
    draw,
    drive,
    each,
    first,
    legal,
    over,
    pick,
    play,
    redeal,
    returns,
    undoing,
    waiting,
    workspace,
)

MOST = 60  # play-outs for one choice; in plain Python each takes a millisecond or a few


def choose(seen: Seen, chance: list[int], budget: Budget) -> int:
    """Return the action that wins most on average. All actions are tried in the same worlds and with the same luck."""
    actions = list(each(legal(seen.hidden, seen.seat) & ~undoing(seen.hidden, seen.seat)))
    world, s = workspace(seen.hidden.contract, 2)
    won = [0] * len(actions)
    playouts = MOST if budget.playouts is None else min(budget.playouts, MOST)
    late = None if budget.milliseconds is None else monotonic() + budget.milliseconds / 1000
    for _ in range(max(1, playouts // len(actions))):
        copy(world, seen.hidden)
        redeal(world, seen.seat, chance)
        luck = [draw(chance) for _ in range(4)]
        for place, action in enumerate(actions):
            copy(s, world)
            play(s, seen.seat, action)
            won[place] += play_out(s, seen.seat, list(luck))
        if late and monotonic() > late:
            break
    return actions[won.index(max(won))]


def play_out(s: RoundState, seat: int, chance: list[int]) -> int:
    """Play a round to its end at random. Return the result of a seat."""
    while not over(s):
        asked = first(waiting(s))
        if asked == DRIVER:
            drive(s, chance)
        else:
            choices = legal(s, asked) & ~undoing(s, asked)
            play(s, asked, pick(choices, count(choices), chance))
    return returns(s, seat)


bot = Bot(
    id="lookahead",
    name={"en": "Lookahead", "ja": "先読み"},
    help={
        "en": "Tries every action in deals that it may be in, and takes the one that wins most.",
        "ja": "あり得る配りで手を一つずつ試し、いちばん得になる手を選ぶ。",
    },
    choose=choose,
    strength=30,
)
