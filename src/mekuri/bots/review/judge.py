"""Judge one decision: its cost by what its seat could know, and its cost in hindsight, with all cards open.

One search finds the best action. A second one, in other worlds, then estimates by how much that is better than the action that was
chosen: in the first search the action that looks best of many is often only the luckiest.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

from mekuri.bots.alike import alike
from mekuri.bots.analysis import weigh
from mekuri.bots.facts import quoted, reasons, that_decide
from mekuri.bots.figures import Estimate, estimate
from mekuri.bots.ours import greedy
from mekuri.bots.review.values import Hindsight
from mekuri.bots.search.flat import HONEST, OPEN, WHOLE
from mekuri.bots.search.solve import solve_state
from mekuri.bots.search.think import Notes, Trial, playouts, think
from mekuri.bots.search.worlds import done_by_others
from mekuri.cards import each
from mekuri.engine.bot import Budget, Seen
from mekuri.engine.called import choices_of
from mekuri.engine.compiled import bit, count, first
from mekuri.engine.contract import FIRST_WORD, Text, returns
from mekuri.engine.fields import RoundState
from mekuri.engine.sides import sides
from mekuri.match.deed import notation

BLUNDER, MISTAKE = 0.25, 0.10  # the least cost of a decision with that label, as a share of what was open in the round
SOUND = "fine"  # the label of a decision that is no mistake
LABELS = (SOUND, "mistake", "blunder")
WORLDS = 2  # play-outs of the budget for each world in which two actions are compared
_HINDSIGHT = 4  # hindsight gets 1/4 of the play-outs: there is less to find out where all cards lie open
NODES = 16_000  # positions that the solver looks at: few enough that the plain solver's table holds them, too


@dataclass(frozen=True)
class Known:
    """The verdict on a decision by what its seat could know. Amounts are in the game's units of `returns`.

    Attributes:
        best: the best action.
        value: its expected return for the seat.
        cost: how much less the chosen action brings, in the same worlds with the same luck.
        changes: for each seat, by how much its expected return changed because the chosen action was played and not the best.
        spread: the standard deviation of the best action's return over the worlds.
        stake: how much less the second-best action seemed to bring in the first search.
        facts: the reasons why the best action is better than the chosen one, at most three texts; none where it is not. In a
            review, at the sound decisions that are shown first: why the chosen one is better than the second best.
        worlds: in how many worlds both actions were tried.
        worths: at a call, a choice between two words: the expected returns of the best one and of the other; else empty.
    """

    best: int
    value: Estimate
    cost: Estimate
    changes: tuple[float, ...]
    spread: float
    stake: float
    facts: tuple[Text, ...]
    worlds: int
    worths: tuple[Estimate, ...] = ()


def given_what_was_known(seen: Seen, action: int, budget: Budget, chance: list[int], explained: bool = True) -> Known:
    """Judge a decision from nothing but what its seat had seen. Actions that are equal by symmetry cost the same.

    If the chosen action turns out at least as good as the one that the first search found, it is the best.

    Args:
        seen: what the seat had seen when it decided.
        action: the action that it chose.
        budget: how many rounds may be played out in each of the two searches.
        chance: four words, from which the worlds are drawn; they are advanced.
        explained: whether reasons are found, too.
    """
    tried = think(seen, chance, budget, greedy.bot)
    best, worlds, seats = tried[0].action, max(2, playouts(budget) // WORLDS), range(seen.hidden.seats)
    rival = next((one for one in tried[1:] if not alike(seen.hidden, seen.seat, best, one.action)), tried[0])
    stake = tried[0].mean - rival.mean
    if best != action and alike(seen.hidden, seen.seat, best, action):
        best = action
    past, same = done_by_others(seen), [*chance]
    calls = explained and is_call(seen)
    trial = Trial(seen.hidden, seen.seat, chance, greedy.bot, HONEST, WHOLE, past, playouts(budget))
    if best == action:
        trial.more(bit(best), worlds)
        result = trial.tried(best)
        spread, changes, value = result.error * sqrt(result.worlds - 1), (0.0,) * len(seats), Estimate(result.mean, result.error)
        worths = list[Estimate]()
        if calls:
            beside = Trial(seen.hidden, seen.seat, same, greedy.bot, HONEST, WHOLE, past, playouts(budget))
            beside.more(bit(tried[1].action), worlds)
            second = beside.tried(tried[1].action)
            worths = [value, Estimate(second.mean, second.error)]
        return Known(best, value, Estimate(0.0, 0.0), changes, spread, stake, (), worlds, tuple(worths))
    notes = Notes()
    trial.more(bit(best) | bit(action), worlds, notes=notes)
    result, done = trial.tried(best), trial.tried(action)
    cost = estimate([one - other for one, other in zip(notes.won[best], notes.won[action], strict=True)])
    worths = [Estimate(one.mean, one.error) for one in (result, done)] if calls else []
    if cost.mean <= 0:
        best, result, cost = action, done, Estimate(0.0, 0.0)
        worths.reverse()
    brought = {each: [sum(int(returns(end, seat)) for end in notes.finals[each]) for seat in seats] for each in (best, action)}
    changes = tuple((brought[action][seat] - brought[best][seat]) / worlds for seat in seats)
    facts = list[Text]()
    if explained and cost.mean > 0:
        better, other = weigh(seen, [result, done], notes)
        facts = reasons(seen, better, other, notes)
    value, spread = Estimate(result.mean, result.error), result.error * sqrt(worlds - 1)
    return Known(best, value, cost, changes, spread, stake, tuple(facts), worlds, tuple(worths))


def is_call(seen: Seen) -> bool:
    """Return whether a decision is a choice between two words, such as to end the round or to go on."""
    choices = choices_of(seen.hidden, seen.seat)
    return count(choices) == 2 and first(choices) >= FIRST_WORD


def why_right(seen: Seen, action: int, budget: Budget, chance: list[int]) -> tuple[Text, ...]:
    """Return the reasons why an action is better than the best other one; none where it is not.

    Args:
        seen: what the seat had seen when it decided.
        action: the action.
        budget: how many rounds may be played out in each of two searches.
        chance: four words; they are advanced.
    """
    tried = think(seen, chance, budget, greedy.bot)
    other = next((one.action for one in tried if not alike(seen.hidden, seen.seat, action, one.action)), None)
    if other is None:
        return ()
    trial, notes = Trial(seen.hidden, seen.seat, chance, greedy.bot, HONEST, WHOLE, done_by_others(seen), playouts(budget)), Notes()
    trial.more(bit(action) | bit(other), max(2, playouts(budget) // WORLDS), notes=notes)
    both = [trial.tried(action), trial.tried(other)]
    return tuple(that_decide(seen, weigh(seen, both, notes), notes)) if both[0].mean > both[1].mean else ()


def call_judged(seen: Seen, known: Known, wins: bool) -> Text | None:
    """Return a sentence that says what each of two words was worth, with half of its 95 % interval; None for any other decision.

    Args:
        seen: what the seat had seen.
        known: the verdict on the decision.
        wins: whether rounds are only won or lost: then both are given in rounds of a hundred.
    """
    if not known.worths:
        return None
    other = next(action for action in each(choices_of(seen.hidden, seen.seat)) if action != known.best)
    here, there = (_worth(one, wins) for one in known.worths)
    named = {"first": quoted(seen.hidden.contract, known.best), "second": quoted(seen.hidden.contract, other)}
    return Text(f"facts.worth{'-wins' if wins else ''}", {**named, "here": here, "there": there})


def _worth(one: Estimate, wins: bool) -> str:
    mean, half = (50 * (one.mean + 1), 50 * (one.most - one.mean)) if wins else (one.mean, one.most - one.mean)
    places = 0 if wins or (half == 0 and mean == round(mean)) else 1
    return f"{mean:.{places}f}" + (f" ± {half:.{places}f}" if half else "")


def label(known: Known, open: float) -> str:
    """Return the label of a decision: `fine`, `mistake` or `blunder`.

    It is not `fine` if the 95 % interval of its cost lies above 0, and the cost is at least the share `MISTAKE` or `BLUNDER` of
    `open`. If nothing was open, such a cost is always a blunder.

    Args:
        known: the verdict by what the seat could know.
        open: how much was open at the seat's first decision: the standard deviation of its return.
    """
    cost = known.cost
    if cost.interval[0] <= 0:
        return SOUND
    return "blunder" if cost.mean >= BLUNDER * open else "mistake" if cost.mean >= MISTAKE * open else SOUND


def in_hindsight(whole: RoundState, seat: int, action: int, budget: Budget, chance: list[int], nodes: int = NODES) -> Hindsight:
    """Judge a decision with all cards open: by the solver, or by play-outs where that takes too many positions.

    Args:
        whole: the whole state when the seat decided.
        seat: the seat.
        action: the action that it chose.
        budget: the budget of the search; a quarter of its play-outs is used.
        chance: four words; they are advanced where rounds are played out.
        nodes: how many positions the solver may look at.
    """
    found = solve_state(whole, seat, others="against" if len(set(sides(whole))) == 2 else "own", nodes=nodes)
    if found.solved:
        best = action if found.values[action] == found.value else found.action
        cost = Estimate(float(found.value - found.values[action]), 0.0)
        value = Estimate(float(found.value), 0.0)
        return Hindsight(best=notation(whole.contract, best), value=value, cost=cost, exact=True)
    open_budget = Budget(max(1, playouts(budget) // _HINDSIGHT))
    best = think(Seen(whole, seat), chance, open_budget, greedy.bot, OPEN)[0].action
    trial = Trial(whole, seat, chance, greedy.bot, OPEN, WHOLE, (), playouts(open_budget))
    notes = Notes()
    trial.more(bit(best) | bit(action), max(2, playouts(open_budget) // WORLDS), notes=notes)
    cost = estimate([one - other for one, other in zip(notes.won[best], notes.won[action], strict=True)])
    result = trial.tried(best)
    if cost.mean <= 0 and best != action:
        result, best, cost = trial.tried(action), action, Estimate(0.0, cost.error)
    value = Estimate(result.mean, result.error)
    return Hindsight(best=notation(whole.contract, best), value=value, cost=cost, exact=False)
