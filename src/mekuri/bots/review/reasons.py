"""Explain a seat's action once the round is over, from what the seat knew and from how all cards lay."""

from __future__ import annotations

from mekuri.bots.facts import action_text
from mekuri.bots.figures import figure
from mekuri.bots.review.account import PLAYOUTS
from mekuri.bots.review.decisions import Decision, decisions
from mekuri.bots.review.judge import NODES, given_what_was_known, in_hindsight
from mekuri.bots.why import open_reasons
from mekuri.engine.bot import Budget
from mekuri.engine.called import choices_of
from mekuri.engine.compiled import count
from mekuri.engine.contract import Text
from mekuri.match.round import Chronicle, Round


def why_afterwards(round: Round, step: int, playouts: int = PLAYOUTS, nodes: int = NODES) -> tuple[Text, ...]:
    """Explain an action of a finished round, as texts of the table `facts`. The verdict is that of a review of the seat.

    Args:
        round: the round, which must be over.
        step: the action's place in the round's history, which holds the driver's actions, too. It must be a seat's action.
        playouts: how many rounds are played out.
        nodes: how many positions the solver may look at.

    Raises:
        MekuriError: the round is not over.
    """
    seat, _ = round.history[step]
    judged = decisions(round)
    chronicle = Chronicle(round)
    for _ in range(step):
        chronicle.go()
    before, whole = chronicle.hidden(seat), chronicle.whole()
    chronicle.go()
    told = open_reasons(before, chronicle.hidden(seat), seat)
    if found := next((one for one in judged if one.step == step), None):
        return (*told, *_judged(found, playouts, nodes))
    free = count(choices_of(whole, seat)) > 1  # there was a choice, but it was taken back later, so it is no decision
    return (*told, Text("facts.why-undone" if free else "facts.why-only", {"seat": seat}))


def _judged(one: Decision, playouts: int, nodes: int) -> list[Text]:
    """Return what a decision cost, by what the seat could know and with all cards open."""
    contract, budget, seat = one.whole.contract, Budget(playouts), {"seat": one.seat}
    known = given_what_was_known(one.seen, one.action, budget, one.chance("known"))
    better = {**seat, "first": action_text(contract, known.best), "cost": figure(max(0.0, known.cost.mean))}
    if known.best == one.action or known.cost.mean <= 0:
        told = [Text("facts.why-best", seat)]
    elif known.cost.interval[0] <= 0:
        told = [Text("facts.why-close", better)]
    else:
        told = [Text("facts.why-cost", better), *known.facts[1:]]  # the first of them says the same in other words
    later = in_hindsight(one.whole, one.seat, one.action, budget, one.chance("hindsight"), nodes)
    if later.best == one.action or later.cost.mean <= 0:
        return [*told, Text("facts.why-open-best", seat)]
    cost = {"first": action_text(contract, later.best), "cost": figure(later.cost.mean)}
    return [*told, Text("facts.why-open-cost", cost)]
