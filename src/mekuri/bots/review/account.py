"""Review a finished round for one seat: the cost of its decisions, and its luck.

The seat's result (its return) is split into four parts that add up to it:

    result = deal:   the expected return at the seat's first decision
           + skill:  the change by the seat's own decisions: minus the estimated cost of each
           + others: the change by the other seats' decisions
           + luck:   the rest: all that no decision explains

Each expectation is estimated from the view of the seat that decided.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from math import sqrt
from operator import index
from typing import NamedTuple

from mekuri.bots.figures import Estimate
from mekuri.bots.review.confirm import judged, open_at
from mekuri.bots.review.decisions import Decision, decisions
from mekuri.bots.review.judge import (
    BLUNDER,
    LABELS,
    MISTAKE,
    NODES,
    WORLDS,
    Hindsight,
    Known,
    given_what_was_known,
    in_hindsight,
    label,
    why_right,
)
from mekuri.bots.review.luck import Luck, parts_of_luck
from mekuri.bots.review.version import JUDGE
from mekuri.cards.given import Whole, whole_in
from mekuri.engine.bot import Budget
from mekuri.engine.contract import Contract
from mekuri.engine.errors import MekuriError
from mekuri.match.round import Round

BOT = "flat"  # the bot whose search judges
PLAYOUTS = 1000  # for each decision, by default
FEW = (50, 1000)  # play-outs, and positions of the solver, for a decision where rules cannot be compiled and are slow
TOLD_FIRST = 3  # how many moments `Review.first` holds


@dataclass(frozen=True)
class Moment:
    """A judged decision of the seat that is reviewed.

    Attributes:
        number: its place among the seat's decisions, from 1.
        decision: the decision.
        known: the verdict by what the seat could know.
        hindsight: the verdict with all cards open.
        label: one of LABELS: how bad the decision was (see `label`).
        others: by how much the others' decisions up to the seat's next one changed its expected return.
        luck: by how much everything else up to then changed it, such as drawn cards and what others hold.
    """

    number: int
    decision: Decision
    known: Known
    hindsight: Hindsight
    label: str
    others: float
    luck: float

    @property
    def worth(self) -> float:
        """The expected return of the action that was chosen, by what the seat could know."""
        return self.known.value.mean - self.known.cost.mean


@dataclass(frozen=True)
class Review:
    """The review of a round for one seat. Amounts are in the game's units of `returns`.

    Attributes:
        game: the game's contract.
        seat: the seat.
        bot: the name of the bot whose search judged.
        version: the version of the judge (see `JUDGE`).
        playouts: how many rounds were played out for each decision.
        result: the seat's return.
        open: how much was open at the seat's first decision: the standard deviation of its return. Labels are relative to this.
        deal: the expected return at the first decision; the whole result where the seat had no decision.
        skill: by how much the seat's own decisions changed its expected return, against the best actions; 0 at most.
        others: by how much the others' decisions changed it.
        luck: the rest: deal, skill, others and luck add up to the result.
        moments: the seat's decisions, judged, in order.
        lucky: the moment after which luck brought most; None where it brought little.
        unlucky: the moment after which luck cost most; None where it cost little.
        wins: whether rounds are only won or lost: see `Reviewing.wins`.
    """

    game: Contract
    seat: int
    bot: str
    version: str
    playouts: int
    result: int
    open: float
    deal: Estimate
    skill: Estimate
    others: Estimate
    luck: Estimate
    moments: tuple[Moment, ...]
    lucky: Luck | None
    unlucky: Luck | None
    wins: bool

    @property
    def first(self) -> tuple[Moment, ...]:
        """The moments that are shown first, at most three.

        First come mistakes and blunders, then other decisions that clearly cost something, both by their cost; then those at which
        at least as much was at stake as a mistake costs. If there are none of these, it is the one with the greatest stake.
        """
        by_stake = sorted(self.moments, key=lambda one: -one.known.stake)
        dear = sorted(self.moments, key=lambda one: (one.label == LABELS[0], -one.known.cost.mean))
        dear = [one for one in dear if one.known.cost.interval[0] > 0]
        shown = [*dear, *(one for one in by_stake if one not in dear and one.known.stake >= MISTAKE * self.open)]
        return tuple((shown or by_stake[:1])[:TOLD_FIRST])

    @property
    def verdict(self) -> str:
        """How the round ended and how it was played, such as `lost-well`.

        First `won`, `lost` or `even`. Then `-idle` if the seat had no decision, `-badly` if one was a mistake or a blunder,
        `-gradually` if none was but all together clearly cost as much as a blunder, and else `-well`.
        """
        came = "won" if self.result > 0 else "lost" if self.result < 0 else "even"
        if not self.moments:
            return f"{came}-idle"
        if any(moment.label != LABELS[0] for moment in self.moments):
            return f"{came}-badly"
        costly = self.skill.interval[1] < 0 and -self.skill.mean >= BLUNDER * self.open
        return f"{came}-{'gradually' if costly else 'well'}"


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
        version: the version of the seat's view at its end.
        events: how many events the seat saw that were not its own actions.
    """

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

    def found(self) -> Review:
        """Return the review. Raises MekuriError while decisions are left."""
        if self.done < self.total:
            raise MekuriError(f"{self.total - self.done} of {self.total} decisions are not judged yet")
        seat, result = self._seat, self._round.returns[self._seat]
        judged = [(one, self._judged[number].known) for number, one in enumerate(self._decisions)]
        hindsight = [self._judged[number].hindsight for number, one in enumerate(self._decisions) if one.seat == seat]
        own = [(one, known) for one, known in judged if one.seat == seat]
        deal = own[0][1].value if own else Estimate(float(result), 0.0)
        open_ = self._open
        moments, spans = list[Moment](), list[_Span]()
        for i, (one, known) in enumerate(own):
            until = own[i + 1][0].step if i + 1 < len(own) else len(self._round.history)
            after = own[i + 1][1].value.mean if i + 1 < len(own) else float(result)
            changes = {d.step: k.changes[seat] for d, k in judged if d.seat != seat and one.step < d.step < until}
            luck = after - (known.value.mean - known.cost.mean) - sum(changes.values())
            later = hindsight[i]
            assert later  # the seat's own decisions have one
            moments.append(Moment(i + 1, one, known, later, label(known, open_), sum(changes.values()), luck))
            version = own[i + 1][0].version if i + 1 < len(own) else self._round.version(seat)
            mine = sum(actor == seat for actor, _ in self._round.history[one.step : until])
            spans.append(_Span(until, after, changes, version, version - one.version - mine))
        before = own[0][0].step if own else 0  # the others' earlier decisions are part of the expectation at the seat's first one
        theirs = [known for one, known in judged if own and one.seat != seat and one.step > before]
        skill = Estimate(-sum(known.cost.mean for _, known in own), _together(known.cost.error for _, known in own))
        others_ = Estimate(sum(known.changes[seat] for known in theirs), _together(known.cost.error for known in theirs))
        rest = result - deal.mean - skill.mean - others_.mean
        luck_ = Estimate(rest, _together((deal.error, skill.error, others_.error)))
        lucky, unlucky = self._luck(moments, spans, 1, open_), self._luck(moments, spans, -1, open_)
        found = Review(
            game=self._round.contract,
            seat=seat,
            bot=BOT,
            version=JUDGE,
            playouts=self._playouts,
            result=result,
            open=open_,
            deal=deal,
            skill=skill,
            others=others_,
            luck=luck_,
            moments=tuple(moments),
            lucky=lucky,
            unlucky=unlucky,
            wins=self.wins,
        )
        right = {one.number for one in found.first if one.known.best == one.decision.action}
        return replace(found, moments=tuple(self._explained(one) if one.number in right else one for one in moments))

    def _explained(self, moment: Moment) -> Moment:
        """Return a moment of a right decision with the reasons why it was right."""
        one = moment.decision
        facts = why_right(one.seen, one.action, Budget(self._playouts), one.chance("right"))
        return replace(moment, known=replace(moment.known, facts=facts))

    def _luck(self, moments: list[Moment], spans: list[_Span], sign: int, open: float) -> Luck | None:
        """Return where luck brought most, or cost most if `sign` is -1; None where that is no more than a mistake would cost.

        Where the seat saw nothing but its own action before its next decision, the two estimates differ only by their error.
        """
        eventful = [(one, span) for one, span in zip(moments, spans, strict=True) if span.events]
        one, span = max(eventful, key=lambda pair: sign * pair[0].luck, default=(None, None))
        if one is None or span is None or sign * one.luck <= MISTAKE * open:
            return None
        worlds = max(2, self._playouts // WORLDS)
        parts = parts_of_luck(self._round, one.decision, span.until, one.worth, span.after, span.changes, worlds)
        return Luck(one.number, one.luck, one.decision.version, span.version, parts)


def review(round: Round, seat: Whole, playouts: Whole = PLAYOUTS, nodes: Whole = NODES) -> Review:
    """Review a finished round for one seat. Equal arguments give an equal review.

    It runs plain until `bots.find("flat").prepare(contract)` and `bots.prepare_solver(contract)` have made the game's machine code.

    Args:
        round: the round, which must be over.
        seat: the seat that is reviewed.
        playouts: how many rounds are played out for each decision, from 2.
        nodes: how many positions the solver may look at for each decision of the seat.

    Raises:
        MekuriError: the round is not over, there is no such seat, or there are too few play-outs.
    """
    reviewing = Reviewing(round, seat, playouts, nodes)
    while reviewing.step():
        pass
    return reviewing.found()


def _together(errors: Iterator[float] | tuple[float, ...]) -> float:
    return sqrt(sum(error * error for error in errors))
