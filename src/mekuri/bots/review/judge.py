"""What one decision cost: given what its seat could know, and in hindsight.

The action that is held against what was done is found by one search. What the difference comes to is then found by another, in
worlds of its own: of many actions the one that looks best is often only the luckiest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from mekuri.bots.analysis import weigh
from mekuri.bots.facts import that_decide
from mekuri.bots.ours import greedy
from mekuri.bots.search.flat import HONEST, OPEN, WHOLE
from mekuri.bots.search.solve import solve_state
from mekuri.bots.search.think import Notes, Trial, playouts, think
from mekuri.bots.search.worlds import done_by_others
from mekuri.engine.bot import Budget, Seen
from mekuri.engine.compiled import bit
from mekuri.engine.contract import Text
from mekuri.engine.fields import RoundState

_Z = 1.959964  # 95 %
WORLDS = 2  # play-outs of a budget for one world in which two actions are held against each other
_HINDSIGHT = 4  # hindsight has a part in so many of that: there is less to find out where all cards lie open
NODES = 16_000  # positions that hindsight looks at: few enough that plain Python remembers as many as machine code


@dataclass(frozen=True)
class Estimate:
    """A mean, and its standard error; 0 where it is exact."""

    mean: float
    error: float

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval."""
        return self.mean - _Z * self.error, self.mean + _Z * self.error


@dataclass(frozen=True)
class Known:
    """What a decision was worth for all that its seat could know.

    Attributes:
        best: the action that is worth most.
        value: what it brings.
        cost: how much less the action brings that was done, in the same worlds with the same luck. It is below nothing where that
            turned out to be the better.
        changes: what it changes for every seat that it was done and not the best.
        spread: how far apart what the best action brings lies in these worlds (standard deviation).
        stake: how much less the second-best action looked to be worth.
        facts: why the best is better, at most three texts; none where it is not.
        worlds: in how many worlds both were tried.
    """

    best: int
    value: Estimate
    cost: Estimate
    changes: tuple[float, ...]
    spread: float
    stake: float
    facts: tuple[Text, ...]
    worlds: int


@dataclass(frozen=True)
class Hindsight:
    """What a decision was worth with all cards open.

    Attributes:
        best: the action that was worth most, or the one that was done where none was worth more.
        value: what it brings.
        cost: how much less the action brings that was done.
        exact: whether it was worked out to the end, everybody playing as well as can be; otherwise it is an estimate.
    """

    best: int
    value: Estimate
    cost: Estimate
    exact: bool


def given_what_was_known(seen: Seen, action: int, budget: Budget, chance: list[int]) -> Known:
    """What a decision was worth for all that its seat could know. It is given what the seat had seen, and nothing else."""
    tried = think(seen, chance, budget, greedy.bot)
    best, worlds = tried[0].action, max(2, playouts(budget) // WORLDS)
    stake = tried[0].mean - tried[1].mean
    trial = Trial(seen.hidden, seen.seat, chance, greedy.bot, HONEST, WHOLE, done_by_others(seen), playouts(budget))
    if best == action:
        trial.more(bit(best), worlds)
        told = trial.tried(best)
        spread, changes = told.error * sqrt(told.worlds - 1), (0.0,) * seen.hidden.seats
        return Known(best, Estimate(told.mean, told.error), Estimate(0.0, 0.0), changes, spread, stake, (), worlds)
    notes = Notes()
    trial.more(bit(best) | bit(action), worlds, notes=notes)
    told, done = trial.tried(best), trial.tried(action)
    cost = _estimate([one - other for one, other in zip(notes.won[best], notes.won[action], strict=True)])
    changes = tuple(
        sum(end[seat] for end in notes.ends[action]) / worlds - sum(end[seat] for end in notes.ends[best]) / worlds
        for seat in range(seen.hidden.seats)
    )
    facts = that_decide(seen, weigh(seen, [told, done], notes), notes) if cost.mean > 0 else []
    value, spread = Estimate(told.mean, told.error), told.error * sqrt(worlds - 1)
    return Known(best, value, cost, changes, spread, stake, tuple(facts), worlds)


def in_hindsight(whole: RoundState, seat: int, action: int, budget: Budget, chance: list[int], nodes: int = NODES) -> Hindsight:
    """What a decision was worth with all cards open: exactly where few enough positions lie ahead, else by the same search."""
    found = solve_state(whole, seat, others="against" if whole.seats == 2 else "own", nodes=nodes)
    if found.solved:
        best = action if found.values[action] == found.value else found.action
        cost = Estimate(float(found.value - found.values[action]), 0.0)
        return Hindsight(best, Estimate(float(found.value), 0.0), cost, True)
    open_budget = Budget(max(1, playouts(budget) // _HINDSIGHT))
    best = think(Seen(whole, seat), chance, open_budget, greedy.bot, OPEN)[0].action
    trial = Trial(whole, seat, chance, greedy.bot, OPEN, WHOLE, (), playouts(open_budget))
    notes = Notes()
    trial.more(bit(best) | bit(action), max(2, playouts(open_budget) // WORLDS), notes=notes)
    cost = _estimate([one - other for one, other in zip(notes.won[best], notes.won[action], strict=True)])
    told = trial.tried(best)
    if cost.mean <= 0 and best != action:
        told, best, cost = trial.tried(action), action, Estimate(0.0, cost.error)
    return Hindsight(best, Estimate(told.mean, told.error), cost, False)


def _estimate(values: Sequence[int]) -> Estimate:
    n = len(values)
    mean = sum(values) / n
    spread = sum((one - mean) ** 2 for one in values)
    return Estimate(mean, sqrt(spread / (n * max(1, n - 1))))
