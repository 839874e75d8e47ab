"""Confirm what a decision cost: play it and the best action on in the same worlds, with a search at each later turn of the seat.

The judge plays rounds out by simple rules in all seats. An action that is worse only for a seat that goes on by them is no
mistake.
"""

from __future__ import annotations

from dataclasses import replace
from math import sqrt

from mekuri.bots.figures import Estimate, estimate
from mekuri.bots.ours import greedy
from mekuri.bots.review.decisions import Decision
from mekuri.bots.review.judge import SOUND, Known, given_what_was_known, label
from mekuri.bots.search.flat import HONEST, WHOLE
from mekuri.bots.search.think import Notes, Trial, playouts, think
from mekuri.bots.search.worlds import done_by_others
from mekuri.engine.bot import Budget, Seen
from mekuri.engine.called import act, asked_of, choices_of, greediest, turn
from mekuri.engine.chance import draw
from mekuri.engine.compiled import bit, count, first
from mekuri.engine.contract import DRIVER, over, returns, side_bet
from mekuri.engine.driver import hidden_state
from mekuri.engine.fields import RoundState, copy

SHARE = 10  # play-outs of the budget for each world, and for each play-out of the searches there
BATCH = 20  # worlds between two looks whether it is clear by now; the least number of worlds


def open_at(first: Decision, budget: Budget) -> float:
    """Return how much was open at a seat's first decision of a round, by which its decisions are labelled.

    That is the spread of what the best action brings. If it always brings the same, it is the greatest spread of any other action.
    """
    spread = given_what_was_known(first.seen, first.action, budget, first.chance("known")).spread
    tried = [] if spread else think(first.seen, first.chance("open"), budget, greedy.bot)
    return spread or max(one.error * sqrt(max(0, one.worlds - 1)) for one in tried)


def judged(one: Decision, open: float, budget: Budget) -> Known:
    """Judge a decision by what its seat could know, and confirm what it cost if that makes it a mistake or a blunder.

    Args:
        one: the decision.
        open: how much was open at the seat's first decision of the round.
        budget: how many rounds may be played out in each of the two searches.

    Returns:
        The verdict. If playing on does not confirm it, its cost is the one found by playing on, whose 95 % interval is not above 0.
        If that cost is 0 or less, the chosen action is the best.
    """
    known = given_what_was_known(one.seen, one.action, budget, one.chance("known"))
    if label(known, open) == SOUND:
        return known
    worlds, search = max(BATCH, playouts(budget) // SHARE), Budget(playouts(budget) // SHARE)
    cost = cost_of_playing_on(one.seen, known.best, one.action, worlds, search, one.chance("confirmed"))
    if cost.interval[0] > 0:
        return known
    if cost.mean > 0:
        return replace(known, cost=cost, facts=(), worths=_apart(known.worths, cost))
    return replace(known, best=one.action, cost=Estimate(0.0, 0.0), facts=(), worths=_apart(known.worths, cost)[::-1])


def _apart(worths: tuple[Estimate, ...], cost: Estimate) -> tuple[Estimate, ...]:
    """Return the worths at a call after playing on: that of the word that ends the round is exact."""
    if sum(one.error == 0 for one in worths) != 1:
        return ()
    best, other = worths
    if best.error == 0:
        return best, Estimate(best.mean - cost.mean, cost.error)
    return Estimate(other.mean + cost.mean, cost.error), other


def cost_of_playing_on(seen: Seen, best: int, action: int, worlds: int, search: Budget, chance: list[int]) -> Estimate:
    """Return by how much one action brings more than another when both are played on in the same worlds with the same luck.

    It stops as soon as the 95 % interval does not contain 0.

    Args:
        seen: what the seat had seen.
        best: the one action.
        action: the other action.
        worlds: in how many worlds they are played on at most.
        search: the budget of each of the seat's later searches.
        chance: four words; they are advanced.
    """
    costs: list[int] = []
    while True:
        trial, notes = Trial(seen.hidden, seen.seat, chance, greedy.bot, HONEST, WHOLE, done_by_others(seen)), Notes()
        trial.more(bit(best), BATCH, notes=notes)
        chance[:] = trial.chance
        for world in notes.worlds:
            luck = [draw(chance) for _ in range(4)]
            one, other = (play_on(world, seen.seat, each, [*luck], search) for each in (best, action))
            costs.append(one - other)
        cost = estimate(costs)
        least, most = cost.interval
        if len(costs) >= worlds or least > 0 or most < 0:
            return cost


def play_on(world: RoundState, seat: int, action: int, chance: list[int], budget: Budget) -> int:
    """Return what a seat wins after an action in a world if it searches at each of its later turns, and the others are greedy.

    Args:
        world: the world; not changed.
        seat: the seat.
        action: its action.
        chance: four words; they are advanced.
        budget: the budget of each search.
    """
    s, one, two = (world.contract.state() for _ in range(3))
    copy(s, world)
    asked = seat
    while True:
        act(s, asked, action)
        while asked_of(s) == bit(DRIVER):
            turn(s, chance)
        if over(s):
            return int(returns(s, seat))
        asked = first(asked_of(s))
        choices = choices_of(s, asked)
        if count(choices) == 1:
            action = first(choices)
        elif asked == seat and not side_bet(s, seat):
            action = think(Seen(hidden_state(s, seat), seat), chance, budget, greedy.bot)[0].action
        else:
            action = greediest(s, asked, False, chance, one, two)
