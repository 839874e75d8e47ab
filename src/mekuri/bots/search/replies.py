"""Find the best reply of another seat to an action, from what the acting seat may know."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from time import monotonic
from typing import Any

from mekuri.bots.figures import Mean
from mekuri.bots.search.flat import OPEN
from mekuri.bots.search.think import Trial
from mekuri.cards import each
from mekuri.engine.bot import Bot, Seen
from mekuri.engine.called import act, choices_of, turn
from mekuri.engine.chance import draw
from mekuri.engine.compiled import count, first
from mekuri.engine.contract import DRIVER, Contract, Text, over, redeal, waiting
from mekuri.engine.executor import workspace
from mekuri.engine.fields import RoundState, copy
from mekuri.match.deed import Action, action_text

_WORLDS = 40  # more would change little for the time they take


@dataclass(frozen=True)
class Reply:
    """The best reply to an action.

    Attributes:
        seat: the seat that acts next.
        action: its best action, in notation.
        text: the action's name.
        worlds: the number of worlds in which it can do that.
        of: the number of worlds in which it has to act.
        mean: the mean of its returns with that action.
    """

    seat: int
    action: Action
    text: Text
    worlds: int
    of: int
    mean: Mean


@dataclass
class _Answer:
    worlds: int = 0
    won: float = 0.0
    gained: float = 0.0


def best_replies(
    seen: Seen, actions: Iterable[int], chance: list[int], playouts: int, bot: Bot, late: float | None = None
) -> dict[int, Reply]:
    """Find the best reply to each of a seat's actions, in the same worlds for every action.

    Args:
        seen: what the seat has seen.
        actions: its actions.
        chance: four words, from which the worlds are drawn; they are advanced.
        playouts: how many rounds may be played out.
        bot: the bot that plays rounds out; its choice must be rules text.
        late: when to stop even before that, in seconds of `time.monotonic`; None for never.

    Returns:
        The best reply by action; without actions after which no other seat acts, or for which no play-outs were left.
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
                return _best(contract, answers, asked)
            asked[action][seat] = asked[action].get(seat, 0) + 1
            _try_all(after, seat, choices, luck, bot, answer)
    return _best(contract, answers, asked)


def _next_asked(s: RoundState, seat: int, action: int, luck: list[int], bot: Bot, states: Any) -> int | None:
    """Do an action and all that follows until another seat is to act, and return that seat; None where the round ends first."""
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


def _best(
    contract: Contract, answers: dict[int, dict[tuple[int, int], _Answer]], asked: dict[int, dict[int, int]]
) -> dict[int, Reply]:
    best = {}
    for action, found in answers.items():
        if found:
            (seat, reply), answer = max(found.items(), key=lambda item: (item[1].gained, item[1].worlds, -item[0][1]))
            named, of, mean = Action.of(contract, reply), asked[action][seat], Mean(answer.won / answer.worlds)
            best[action] = Reply(seat, named, action_text(contract, reply), answer.worlds, of, mean)
    return best
