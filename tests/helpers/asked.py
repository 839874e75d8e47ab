"""Rounds at a decision, for tests of bots."""

import mekuri
from mekuri import bots
from mekuri.bots import Budget, Seen
from mekuri.engine.chance import stream
from mekuri.engine.compiled import count
from mekuri.engine.contract import legal, undoing
from mekuri.match.round import Round

GREEDY = bots.find("greedy")


def asked(name: str, seed: int, most: int) -> tuple[Round, int]:
    """Return a round at a decision, and the seat that decides.

    Args:
        name: the game.
        seed: the seed of the deal.
        most: how many decisions are left in the round at most, with this one, where both seats play greedily.
    """
    round, found = mekuri.game(name).deal(seed=seed), []
    while not round.over:
        seat = round.waiting[0]
        if count(legal(round._state, seat) & ~undoing(round._state, seat)) > 1:
            found.append(len(round.actions))
        round.play(GREEDY.choose(Seen(round.hidden(seat), seat), stream(seed, len(round.actions)), Budget()), seat)
    again = mekuri.game(name).deal(seed=seed)
    for seat, action in round.actions[: found[-min(most, len(found))]]:
        again.play(action, seat)
    return again, again.waiting[0]
