"""Review a finished round for one seat: the cost of its decisions, and its luck.

The seat's result (its return) is split into four parts that add up to it:

    result = deal:   the expected return at the seat's first decision
           + skill:  the change by the seat's own decisions: minus the estimated cost of each
           + others: the change by the other seats' decisions
           + luck:   the rest: all that no decision explains

Each expectation is estimated from the view of the seat that decided.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import sqrt
from operator import index
from typing import NamedTuple

from mekuri.bots.alike import alike
from mekuri.bots.figures import Estimate, Mean
from mekuri.bots.review.confirm import judged, open_at
from mekuri.bots.review.decisions import Decision, decisions
from mekuri.bots.review.judge import (
    BLUNDER,
    MISTAKE,
    NODES,
    SOUND,
    WORLDS,
    Known,
    call_judged,
    given_what_was_known,
    in_hindsight,
    label,
    why_right,
)
from mekuri.bots.review.luck import parts_of_luck
from mekuri.bots.review.values import Choice, Hindsight, Luck, Moment, Review
from mekuri.bots.review.version import JUDGE
from mekuri.cards import each
from mekuri.cards.given import Whole, whole_in
from mekuri.engine.bot import Budget
from mekuri.engine.called import choices_of
from mekuri.engine.contract import Text
from mekuri.engine.errors import MekuriError
from mekuri.match.deed import notation
from mekuri.match.round import Round

BOT = "flat"  # the bot whose search judges
PLAYOUTS = 1000  # for each decision, by default
FEW = (50, 1000)  # play-outs, and positions of the solver, for a decision where rules cannot be compiled and are slow
TOLD_FIRST = 3  # how many decisions are shown first


@dataclass(frozen=True)
class Verdict:
    """What is found about one decision.

    Attributes:
        known: the verdict by what the seat could know.
        hindsight: the verdict with all cards open; None where the decision is another seat's.
    """

    known: Known
    hindsight: Hindsight | None


class _Span(NamedTuple):
    """What happened between a decision of a seat and its next one: see `parts_of_luck`.

    Attributes:
        since: the decision at its beginning.
        version: the version of the seat's view at its end.
        events: how many events the seat saw that were not its own actions.
    """

    since: Decision
    until: int
    after: float
    changes: dict[int, float]
    version: int
    events: int


class Reviewing:
    """A review that is made decision by decision, so that its progress can be shown and other work done in between.

    Attributes:
        done: how many decisions have been judged, the others' too.
        total: how many decisions there are, the others' too.
    """

    def __init__(self, round: Round, seat: Whole, playouts: Whole = PLAYOUTS, nodes: Whole = NODES) -> None:
        """Prepare a review. Arguments and errors are those of `review`."""
        who, rounds = whole_in(seat, 0, round.game.seats - 1), whole_in(playouts, 2)
        if who is None:
            raise MekuriError(f"{round.game.id} has seats 0 to {round.game.seats - 1}, not {seat}")
        if rounds is None:
            raise MekuriError(f"a review plays out 2 rounds or more for each decision, not {playouts}")
        self._round, self._seat, self._playouts, self._nodes = round, who, rounds, index(nodes)
        self._decisions = decisions(round)
        self._judged: dict[int, Verdict] = {}

    @property
    def total(self) -> int:
        """How many decisions there are, the others' too."""
        return len(self._decisions)

    @property
    def done(self) -> int:
        """How many decisions have been judged, the others' too."""
        return len(self._judged)

    def number_of(self, step: int) -> int | None:
        """Return the number of the decision at a step of the round's history, from 0; None where there is none."""
        return next((number for number, one in enumerate(self._decisions) if one.step == step), None)

    def step(self) -> bool:
        """Judge the next decision. Returns whether decisions are left."""
        left = next((number for number in range(self.total) if number not in self._judged), None)
        if left is not None:
            self.take(left, self.judge(left))
        return self.done < self.total

    def judge(self, number: int) -> Verdict:
        """Judge a decision. It depends on no other one, so another process may do it, for `take`.

        Args:
            number: the decision's place among all, from 0.
        """
        one, budget = self._decisions[number], Budget(self._playouts)
        if one.seat != self._seat:
            return Verdict(given_what_was_known(one.seen, one.action, budget, one.chance("known"), explained=False), None)
        known = judged(one, self._open, budget)
        return Verdict(known, in_hindsight(one.whole, one.seat, one.action, budget, one.chance("hindsight"), self._nodes))

    @cached_property
    def _open(self) -> float:
        """How much was open at the seat's first decision; 0 where it had none."""
        first = next((one for one in self._decisions if one.seat == self._seat), None)
        return open_at(first, Budget(self._playouts)) if first else 0.0

    @property
    def wins(self) -> bool:
        """Whether rounds are only won or lost, as far as this one shows. Then figures are in rounds: 1 is a win and -1 a loss."""
        return self._open <= 1 and all(abs(result) <= 1 for result in self._round.returns)

    def take(self, number: int, verdict: Verdict) -> None:
        """Count a decision as judged.

        Args:
            number: the decision's place among all, from 0.
            verdict: what `judge` returns for it.
        """
        self._judged[number] = verdict

    def found(self, number: int = 1) -> Review:
        """Return the review of the round with this number, from 1. Raises MekuriError while decisions are left."""
        if self.done < self.total:
            raise MekuriError(f"{self.total - self.done} of {self.total} decisions are not judged yet")
        seat, result = self._seat, self._round.returns[self._seat]
        judged = [(one, self._judged[number].known) for number, one in enumerate(self._decisions)]
        hindsight = [self._judged[number].hindsight for number, one in enumerate(self._decisions) if one.seat == seat]
        own = [(one, known) for one, known in judged if one.seat == seat]
        deal = own[0][1].value if own else Estimate(float(result), 0.0)
        open_ = self._open
        moments, spans = list[Moment](), list[_Span]()
        before = own[0][0].step if own else 0  # the others' earlier decisions are part of the expectation at the seat's first one
        theirs = [known for one, known in judged if own and one.seat != seat and one.step > before]
        skill = Estimate(-sum(known.cost.mean for _, known in own), _together(known.cost.error for _, known in own))
        others_ = Estimate(sum(known.changes[seat] for known in theirs), _together(known.cost.error for known in theirs))
        rest = result - deal.mean - skill.mean - others_.mean
        luck_ = Estimate(rest, _together((deal.error, skill.error, others_.error)))
        shown = first([known for _, known in own], open_)
        for i, (one, known) in enumerate(own):
            until = own[i + 1][0].step if i + 1 < len(own) else len(self._round.history)
            after = own[i + 1][1].value.mean if i + 1 < len(own) else float(result)
            changes = {d.step: k.changes[seat] for d, k in judged if d.seat != seat and one.step < d.step < until}
            luck = after - (known.value.mean - known.cost.mean) - sum(changes.values())
            later = hindsight[i]
            assert later  # the seat's own decisions have one
            facts = self._why_right(one) if i in shown and known.best == one.action else known.facts
            moments.append(self._moment(i + 1, one, replace(known, facts=facts), later, sum(changes.values()), luck))
            version = own[i + 1][0].version if i + 1 < len(own) else self._round.version(seat)
            mine = sum(actor == seat for actor, _ in self._round.history[one.step : until])
            spans.append(_Span(one, until, after, changes, version, version - one.version - mine))
        return Review(
            game=self._round.contract.id,
            round=number,
            seat=seat,
            bot=BOT,
            version=JUDGE,
            playouts=self._playouts,
            result=result,
            verdict=verdict(result, [one.label for one in moments], skill, open_),
            open=Mean(open_),
            deal=deal,
            skill=skill,
            others=others_,
            luck=luck_,
            first=tuple(i + 1 for i in shown),
            moments=tuple(moments),
            lucky=self._luck(moments, spans, 1),
            unlucky=self._luck(moments, spans, -1),
        )

    def _moment(self, number: int, one: Decision, known: Known, later: Hindsight, others: float, luck: float) -> Moment:
        """Return a decision of the seat as its account states it."""
        contract, seen = self._round.contract, one.seen
        choices = each(choices_of(seen.hidden, seen.seat))
        equal = [action for action in choices if action != known.best and alike(seen.hidden, seen.seat, known.best, action)]
        return Moment(
            number=number,
            seen=one.version,
            choices=tuple(Choice.of(contract, action) for action in choices),
            action=notation(contract, one.action),
            best=notation(contract, known.best),
            value=known.value,
            cost=known.cost,
            facts=known.facts,
            hindsight=later,
            label=label(known, self._open),
            others=Mean(others),
            luck=Mean(luck),
            equal=tuple(notation(contract, action) for action in equal),
            wins=self.wins,
            call=call_judged(seen, known, self.wins),
        )

    def _why_right(self, one: Decision) -> tuple[Text, ...]:
        """Return the reasons why a right decision was right."""
        return why_right(one.seen, one.action, Budget(self._playouts), one.chance("right"))

    def _luck(self, moments: list[Moment], spans: list[_Span], sign: int) -> Luck | None:
        """Return where luck brought most, or cost most if `sign` is -1; None where that is no more than a mistake would cost.

        If the seat saw nothing but its own action before its next decision, the two estimates differ only by their error.
        """
        eventful = [(one, span) for one, span in zip(moments, spans, strict=True) if span.events]
        one, span = max(eventful, key=lambda pair: sign * pair[0].luck, default=(None, None))
        if one is None or span is None or sign * one.luck <= MISTAKE * self._open:
            return None
        worth, worlds = one.value.mean - one.cost.mean, max(2, self._playouts // WORLDS)
        parts = parts_of_luck(self._round, span.since, span.until, worth, span.after, span.changes, worlds)
        shares = tuple(map(Mean, parts))
        return Luck(number=one.number, value=one.luck, since=one.seen, until=span.version, facts=(), parts=shares)


def first(known: Sequence[Known], open: float) -> tuple[int, ...]:
    """Return the places of the decisions that are shown first, from 0: at most three.

    First come mistakes and blunders, then other decisions that clearly cost something, both by their cost; then those at which
    at least as much was at stake as a mistake costs. If there are none of these, it is the one with the greatest stake.

    Args:
        known: the verdicts on the decisions of a seat, by what it could know.
        open: how much was open at the first of them.
    """
    by_stake = sorted(range(len(known)), key=lambda i: -known[i].stake)
    dear = sorted(range(len(known)), key=lambda i: (label(known[i], open) == SOUND, -known[i].cost.mean))
    dear = [i for i in dear if known[i].cost.interval[0] > 0]
    shown = [*dear, *(i for i in by_stake if i not in dear and known[i].stake >= MISTAKE * open)]
    return tuple((shown or by_stake[:1])[:TOLD_FIRST])


def verdict(result: int, labels: Sequence[str], skill: Estimate, open: float) -> str:
    """Return how a round ended for a seat and how it was played, such as `lost-well`.

    First `won`, `lost` or `even`. Then `-idle` if the seat had no decision, `-badly` if one was a mistake or a blunder,
    `-gradually` if none was but all together clearly cost as much as a blunder, and else `-well`.

    Args:
        result: the seat's return.
        labels: the labels of its decisions.
        skill: by how much its decisions changed its expected return.
        open: how much was open at the first of them.
    """
    came = "won" if result > 0 else "lost" if result < 0 else "even"
    if not labels:
        return f"{came}-idle"
    if any(one != SOUND for one in labels):
        return f"{came}-badly"
    costly = skill.interval[1] < 0 and -skill.mean >= BLUNDER * open
    return f"{came}-{'gradually' if costly else 'well'}"


def review(round: Round, seat: Whole, playouts: Whole = PLAYOUTS, nodes: Whole = NODES, number: int = 1) -> Review:
    """Review a finished round for one seat. Equal arguments give an equal review.

    It runs plain until `bots.find("flat").prepare(contract)` and `bots.prepare_solver(contract)` have made the game's machine code.

    Args:
        round: the round, which must be over.
        seat: the seat that is reviewed.
        playouts: how many rounds are played out for each decision, from 2.
        nodes: how many positions the solver may look at for each decision of the seat.
        number: the round's number, from 1.

    Raises:
        MekuriError: the round is not over, there is no such seat, or there are too few play-outs.
    """
    reviewing = Reviewing(round, seat, playouts, nodes)
    while reviewing.step():
        pass
    return reviewing.found(number)


def _together(errors: Iterator[float] | tuple[float, ...]) -> float:
    return sqrt(sum(error * error for error in errors))
