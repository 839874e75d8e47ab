"""A round that is over, reviewed for one seat: what its decisions cost, and what was luck.

What the round brought is taken apart, so that nothing is left over:

    result = what the cards promised at the first decision
           + what the seat's own decisions changed        (skill: what each of them cost, as far as chance lets it be seen)
           + what the others' decisions changed for it
           + what came that nobody chose                  (luck: how far each promise lies from the one before it)

Every term is an expectation of the same kind, from the view of the seat that decided, so luck is what remains between them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt

from mekuri.bots.review.decisions import Decision, decisions
from mekuri.bots.review.judge import NODES, WORLDS, Estimate, Hindsight, Known, given_what_was_known, in_hindsight
from mekuri.bots.review.luck import Luck, card_of
from mekuri.bots.review.version import version_of
from mekuri.engine.bot import Budget
from mekuri.engine.contract import Contract
from mekuri.engine.errors import MekuriError
from mekuri.match.round import Round

BOT = "flat"  # whose search judges
PLAYOUTS = 1000  # for each decision, where nobody says otherwise
FEW = (50, 1000)  # play-outs and positions of hindsight for a decision where there can be no machine code: plain rules are slow
BLUNDER, MISTAKE = 0.25, 0.10  # what a decision costs at least that is called so, as a share of what was open in the round
TOLD_FIRST = 3  # moments that teach most
LABELS = ("fine", "mistake", "blunder")


@dataclass(frozen=True)
class Moment:
    """A decision of the seat that is reviewed.

    Attributes:
        number: its place among the seat's decisions, from 1.
        decision: as it stood.
        known: what it was worth for all that the seat could know.
        hindsight: what it was worth with all cards open.
        label: one of LABELS: what it may be called, where that is clear.
        others: what others' decisions after it, until the seat's next, changed for the seat.
        luck: what else changed until then: what came that nobody chose, and what others hold or lack.
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
        """What the action brings that was done."""
        return self.known.value.mean - self.known.cost.mean


@dataclass(frozen=True)
class Review:
    """What a round was for one seat.

    Attributes:
        game: the game.
        seat: the seat.
        bot: whose search judged.
        version: of who judged: a digest.
        playouts: how many rounds were played out for each decision.
        result: what the round brought the seat.
        open: how much was open at the seat's first decision (standard deviation of what it could bring): labels go by it.
        deal: what the cards promised then; all of the result where the seat had nothing to decide.
        skill: what its decisions changed.
        others: what the others' decisions changed for it.
        luck: the rest. deal, skill, others and luck add up to the result.
        moments: its decisions.
        lucky, unlucky: where luck brought most, and where it took most; None where it did little.
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

    @property
    def first(self) -> tuple[Moment, ...]:
        """The moments that teach most, first the dearest: those that are clearly no good; then those at which most was at stake."""
        ranked = sorted(self.moments, key=lambda one: (one.label == "fine", -one.known.cost.mean, -one.known.stake, one.number))
        dear = [one for one in ranked if one.label != "fine"]
        close = sorted((one for one in ranked if one.label == "fine"), key=lambda one: (-one.known.stake, one.number))
        return tuple([*dear, *close][:TOLD_FIRST])

    @property
    def verdict(self) -> str:
        """How the round came out and how it was played, such as `lost-well`: a lost round well played is told as one.

        Badly played is one in which all decisions together clearly cost as much as a blunder.
        """
        came = "won" if self.result > 0 else "lost" if self.result < 0 else "even"
        badly = self.skill.interval[1] < 0 and -self.skill.mean >= BLUNDER * self.open
        return f"{came}-{'badly' if badly else 'well'}"


class Reviewing:
    """A review being made, decision by decision, so that it can be shown how far it is and others get their turns between.

    Attributes:
        done: how many decisions have been judged.
        total: how many there are.
    """

    def __init__(self, round: Round, seat: int, playouts: int = PLAYOUTS, nodes: int = NODES) -> None:
        """Raises MekuriError while the round is being played, and where there is no such seat, or nothing may be played out."""
        if not 0 <= seat < round.game.seats:
            raise MekuriError(f"{round.game.id} has seats 0 to {round.game.seats - 1}, not {seat}")
        if playouts < 2:
            raise MekuriError(f"a review plays out 2 rounds or more for each decision, not {playouts}")
        self._round, self._seat, self._playouts, self._nodes = round, seat, playouts, nodes
        self._decisions = decisions(round)
        self._known: list[Known] = []
        self._hindsight: dict[int, Hindsight] = {}

    @property
    def total(self) -> int:
        """How many decisions there are, others' too."""
        return len(self._decisions)

    @property
    def done(self) -> int:
        """How many have been judged."""
        return len(self._known)

    def step(self) -> bool:
        """Judge the next decision. Returns whether another is left."""
        if self.done < self.total:
            one = self._decisions[self.done]
            budget = Budget(self._playouts)
            self._known.append(given_what_was_known(one.seen, one.action, budget, one.chance("known")))
            if one.seat == self._seat:
                chance = one.chance("hindsight")
                self._hindsight[one.step] = in_hindsight(one.whole, one.seat, one.action, budget, chance, self._nodes)
        return self.done < self.total

    def found(self) -> Review:
        """The review. Raises MekuriError while decisions are left."""
        if self.done < self.total:
            raise MekuriError(f"{self.total - self.done} of {self.total} decisions are not judged yet")
        seat, result = self._seat, self._round.returns[self._seat]
        judged = list(zip(self._decisions, self._known, strict=True))
        own = [(one, known) for one, known in judged if one.seat == seat]
        deal = own[0][1].value if own else Estimate(float(result), 0.0)
        open_ = own[0][1].spread if own else 0.0
        moments = []
        for i, (one, known) in enumerate(own):
            until = own[i + 1][0].step if i + 1 < len(own) else len(self._round.history)
            after = own[i + 1][1].value.mean if i + 1 < len(own) else float(result)
            others = sum(k.changes[seat] for d, k in judged if d.seat != seat and one.step < d.step < until)
            luck = after - (known.value.mean - known.cost.mean) - others
            moment = Moment(i + 1, one, known, self._hindsight[one.step], label(known, open_), others, luck)
            moments.append(moment)
        before = own[0][0].step if own else 0  # what others did before the seat's first decision lies in what that promised
        theirs = [known for one, known in judged if own and one.seat != seat and one.step > before]
        skill = Estimate(-sum(known.cost.mean for _, known in own), _together(known.cost.error for _, known in own))
        others_ = Estimate(sum(known.changes[seat] for known in theirs), _together(known.cost.error for known in theirs))
        rest = result - deal.mean - skill.mean - others_.mean
        luck_ = Estimate(rest, _together((deal.error, skill.error, others_.error)))
        lucky, unlucky = self._luck(moments, 1, open_), self._luck(moments, -1, open_)
        version = version_of(self._round.contract)
        return Review(
            game=self._round.contract,
            seat=seat,
            bot=BOT,
            version=version,
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
        )

    def _luck(self, moments: list[Moment], sign: int, open: float) -> Luck | None:
        """Where luck brought most, or took most where `sign` is -1; None where it did little."""
        one = max(moments, key=lambda one: sign * one.luck, default=None)
        if one is None or sign * one.luck <= MISTAKE * open:
            return None
        later = [other.decision.version for other in moments if other.number == one.number + 1]
        until = later[0] if later else self._round.version(self._seat)
        worlds = max(2, self._playouts // WORLDS)
        facts = card_of(one.decision, worlds, one.decision.chance("luck"), self._round.whole(), sign > 0)
        return Luck(one.number, one.luck, one.decision.version, until, facts)


def review(round: Round, seat: int, playouts: int = PLAYOUTS, nodes: int = NODES) -> Review:
    """A round that is over, reviewed for one of its seats: always the same for equal round, seat and play-outs.

    Raises what `Reviewing` raises.
    """
    reviewing = Reviewing(round, seat, playouts, nodes)
    while reviewing.step():
        pass
    return reviewing.found()


def label(known: Known, open: float) -> str:
    """What a decision may be called: the interval of its cost must lie above nothing, and the cost be a share of what was open."""
    cost = known.cost
    if cost.interval[0] <= 0 or open <= 0:
        return "fine"
    share = cost.mean / open
    return "blunder" if share >= BLUNDER else "mistake" if share >= MISTAKE else "fine"


def _together(errors: Iterator[float] | tuple[float, ...]) -> float:
    return sqrt(sum(error * error for error in errors))
