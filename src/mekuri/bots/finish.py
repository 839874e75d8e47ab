"""Find a seat's own actions that win the round at once, whatever the cards are that it cannot see."""

from __future__ import annotations

from collections import deque

from mekuri.bots.search.think import Notes
from mekuri.cards import each
from mekuri.engine.contract import DRIVER, legal, over, play, returns, waiting
from mekuri.engine.fields import RoundState, copy

_SURE = 50  # the least number of worlds, in all of which they must win
_NODES = 200  # actions that are looked at


def finish(seat: int, action: int, notes: Notes) -> tuple[int, ...]:
    """Return the fewest actions of a seat, from a given one on, that win the round before another seat acts; () if there are none.

    Args:
        seat: the seat, which is to act.
        action: the first of them.
        notes: the worlds that the seat may be in. The actions win in each of them.
    """
    worlds = notes.worlds
    if len(worlds) < _SURE:
        return ()
    lines, nodes = deque[tuple[int, ...]]([(action,)]), 0
    while lines and nodes < _NODES:
        line, nodes = lines.popleft(), nodes + 1
        after = _played(worlds[0], seat, line)
        if after is None:
            continue
        if not over(after):
            lines.extend((*line, following) for following in each(legal(after, seat)))
        elif all(_wins(world, seat, line) for world in worlds):
            return line
    return ()


def _wins(world: RoundState, seat: int, line: tuple[int, ...]) -> bool:
    after = _played(world, seat, line)
    return after is not None and bool(over(after)) and returns(after, seat) > 0


def _played(world: RoundState, seat: int, line: tuple[int, ...]) -> RoundState | None:
    """Return the state after a seat's actions; None if one is not legal, another seat acts, or cards are to be shuffled."""
    state = world.contract.state()
    copy(state, world)
    for action in line:
        if over(state) or waiting(state) != 1 << seat or not legal(state, seat) >> action & 1:
            return None
        play(state, seat, action)
        while not over(state) and waiting(state) >> DRIVER & 1:
            if state.gathered:
                return None
            play(state, DRIVER, each(legal(state, DRIVER))[0])
    return state if over(state) or waiting(state) == 1 << seat else None
