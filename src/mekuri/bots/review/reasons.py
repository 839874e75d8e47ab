"""Explain a seat's action once the round is over, from what the seat knew and from how all cards lay."""

from __future__ import annotations

from mekuri.bots.facts import amount, is_whole
from mekuri.bots.review.account import PLAYOUTS, Reviewing, Verdict
from mekuri.bots.review.judge import NODES
from mekuri.bots.why import open_reasons
from mekuri.engine.called import choices_of
from mekuri.engine.compiled import count
from mekuri.engine.contract import Text
from mekuri.match.deed import action_text, notation
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
    seat, action = round.history[step]
    reviewing, chronicle = Reviewing(round, seat, playouts, nodes), Chronicle(round)
    for _ in range(step):
        chronicle.go()
    before, whole = chronicle.hidden(seat), chronicle.whole()
    chronicle.go()
    reasons = open_reasons(before, chronicle.hidden(seat), seat)
    if (number := reviewing.number_of(step)) is not None:
        return (*reasons, *_judged(round, seat, action, reviewing.judge(number), reviewing.wins))
    free = count(choices_of(whole, seat)) > 1  # there was a choice, but it was taken back later, so it is no decision
    return (*reasons, Text("facts.why-undone" if free else "facts.why-only", {"seat": seat}))


def _judged(round: Round, seat: int, action: int, verdict: Verdict, wins: bool) -> list[Text]:
    """Return what a decision cost, by what the seat could know and with all cards open."""
    contract, known, later = round.contract, verdict.known, verdict.hindsight
    assert later  # the verdict is on the seat that is reviewed
    better = {"seat": seat, "first": action_text(contract, known.best), "cost": amount(known.cost.mean, wins)}
    if known.best == action:
        judged = [Text("facts.why-best", {"seat": seat})]
    elif known.cost.interval[0] <= 0:
        judged = [Text("facts.why-close", better)]
    else:
        judged = [Text("facts.why-cost", better), *known.facts]
    if later.best == notation(contract, action) or later.cost.mean <= 0:
        return [*judged, Text("facts.why-open-best", {"seat": seat})]
    cost = {"first": action_text(contract, round.parse_action(later.best)), "cost": amount(later.cost.mean, wins)}
    is_won = later.exact and is_whole(later.cost.mean, wins)
    return [*judged, Text(f"facts.why-open-{'won' if is_won else 'cost'}", cost)]
