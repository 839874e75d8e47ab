"""What others would best answer to an action, for all that its seat may know."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from time import monotonic
from typing import Any

from mekuri.bots.search.flat import OPEN
from mekuri.bots.search.think import Trial
from mekuri.bots.workspace import workspace
from mekuri.cards import each
from mekuri.engine.bot import Bot, Seen
from mekuri.engine.called import act, choices_of, turn
from mekuri.engine.chance import draw
from mekuri.engine.compiled import count, first
from mekuri.engine.contract import DRIVER, over, redeal, waiting
from mekuri.engine.fields import RoundState, copy

_WORLDS = 40  # more tell nothing that is worth the time


@dataclass(frozen=True)
class Reply:
    """The best answer to an action.

    Attributes:
        seat: the seat that is asked next.
        action: what it would do best: what gains it most against its other choices, over all the worlds.
        worlds: in how many of the worlds it can do that.
        of: in how many worlds it is asked.
        mean: what that seat wins with it, on average.
    """

    seat: int
    action: int
    worlds: int
    of: int
    mean: float


@dataclass
class _Answer:
    worlds: int = 0
    won: float = 0.0
    gained: float = 0.0


def best_replies(
    seen: Seen, actions: Iterable[int], chance: list[int], playouts: int, bot: Bot, late: float | None = None
) -> dict[int, Reply]:
    """The best reply to each of a seat's actions, in worlds that the seat may be in, the same for every action.

    An action has none after which nobody else is asked in any of them, nor one for which no play-outs were left.

    Args:
        seen: what the seat has seen.
        actions: its actions.
        chance: four words, from which the worlds come.
        playouts: how many rounds may be played out.
        bot: by whom they are.
        late: when it ends, by the monotonic clock; None for never.
    """
    answers: dict[int, dict[tuple[int, int], _Answer]] = {action: {} for action in actions}
    asked: dict[int, dict[int, int]] = {action: {} for action in answers}
    contract, left = seen.hidden.contract, playouts
    world, after, *states = workspace(contract, 2 + bot.states)
    for _ in range(_WORLDS):
        copy(world, seen.hidden)
        redeal(world, seen.seat, chance)
        luck = [draw(chance) for _ in range(4)]
        for action, answer in answers.items():
            copy(after, world)
            seat = _next_asked(after, seen.seat, action, [*luck], bot, states)
            if seat is None:
                continue
            choices = choices_of(after, seat)
            left -= count(choices)
            if left < 0 or (late is not None and monotonic() > late):
                return _best(answers, asked)
            asked[action][seat] = asked[action].get(seat, 0) + 1
            _try_all(after, seat, choices, luck, bot, answer)
    return _best(answers, asked)


def _next_asked(s: RoundState, seat: int, action: int, luck: list[int], bot: Bot, states: Any) -> int | None:
    """Do an action, and all that comes before another seat is asked, which is returned; None where the round ends first."""
    assert bot.rule
    while True:
        act(s, seat, action)
        while waiting(s) == 1 << DRIVER:
            turn(s, luck)
        if over(s):
            return None
        others = waiting(s) & ~(1 << seat)
        if others:
            return first(others)
        action = bot.rule(s, seat, luck, states)


def _try_all(s: RoundState, seat: int, choices: int, luck: list[int], bot: Bot, answers: dict[tuple[int, int], _Answer]) -> None:
    trial = Trial(s, seat, [*luck], bot, OPEN)
    trial.more(choices, 1)
    won = {action: trial.tried(action).mean for action in each(choices)}
    usual = sum(won.values()) / len(won)
    for action, brought in won.items():
        answer = answers.setdefault((seat, action), _Answer())
        answer.worlds += 1
        answer.won += brought
        answer.gained += brought - usual


def _best(answers: dict[int, dict[tuple[int, int], _Answer]], asked: dict[int, dict[int, int]]) -> dict[int, Reply]:
    best = {}
    for action, found in answers.items():
        if found:
            (seat, reply), answer = max(found.items(), key=lambda item: (item[1].gained, item[1].worlds, -item[0][1]))
            best[action] = Reply(seat, reply, answer.worlds, asked[action][seat], answer.won / answer.worlds)
    return best
