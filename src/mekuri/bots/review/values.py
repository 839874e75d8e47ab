"""What a review of a round tells, with actions in notation. It is sent as it is declared here."""

from __future__ import annotations

from dataclasses import dataclass, field

from mekuri.bots.figures import Estimate, Mean
from mekuri.engine.contract import Contract, Text
from mekuri.match.deed import action_text, notation


@dataclass(frozen=True, kw_only=True)
class Choice:
    """A legal action at a decision.

    Attributes:
        action: the action in notation.
        text: the action's name.
    """

    action: str
    text: Text

    @classmethod
    def of(cls, contract: Contract, action: int) -> Choice:
        """Return a choice of a game."""
        return cls(action=notation(contract, action), text=action_text(contract, action))


@dataclass(frozen=True, kw_only=True)
class Hindsight:
    """A decision judged with all cards open.

    Attributes:
        best: the best action in notation; the chosen one where none is better.
        value: the seat's returns after the best action.
        cost: how much lower the seat's returns are after the chosen action.
        exact: whether the values are solved exactly rather than estimated.
    """

    best: str
    value: Estimate
    cost: Estimate
    exact: bool


@dataclass(frozen=True, kw_only=True)
class Moment:
    """A decision of the reviewed seat, and how it is judged.

    Attributes:
        number: its number among the seat's decisions, from 1.
        seen: the seat's version in the round at the decision.
        choices: the legal actions.
        action: the chosen action, in notation.
        best: the best action from all that the seat could know, in notation.
        value: the mean of the seat's returns after the best action.
        cost: how much lower that mean is after the chosen action.
        facts: the reasons why the best action is better than the chosen one. If the chosen one is the best, they are empty, but
            at the decisions in `first` they say why it is better than the second best.
        hindsight: the decision judged with all cards open.
        label: `mistake` or `blunder` where it is clearly one, else `fine`.
        others: how much others' decisions changed the seat's expected returns until its next decision.
        luck: how much chance and hidden cards changed them until then.
        equal: the choices that are equal to the best by symmetry, in notation: they are right, too.
        wins: whether rounds are only won or lost, so that 1 is a round won and -1 one lost.
        call: at a choice between two words, such as to end the round or to go on: a sentence with the worth of each; else None.
    """

    number: int
    seen: int
    choices: tuple[Choice, ...]
    action: str
    best: str
    value: Estimate
    cost: Estimate
    facts: tuple[Text, ...]
    hindsight: Hindsight
    label: str
    others: Mean
    luck: Mean
    equal: tuple[str, ...] = field(default_factory=tuple)
    wins: bool = False
    call: Text | None = None

    @property
    def right(self) -> tuple[str, ...]:
        """The best action, and the actions that are equal to it by symmetry, in notation."""
        return self.best, *self.equal


@dataclass(frozen=True, kw_only=True)
class Luck:
    """A part of a round in which luck changed much.

    Attributes:
        number: the number of the seat's decision after which it begins.
        value: how much luck changed the seat's expected returns in it.
        since, until: the seat's versions in the round before and after it.
        facts: in reviews of earlier judges, the card on which it depended most and where that card was; else empty.
        parts: how much of `value` came with each of the events that the seat saw after `since`, up to `until`; they add up to it.
    """

    number: int
    value: Mean
    since: int
    until: int
    facts: tuple[Text, ...]
    parts: tuple[Mean, ...] = field(default_factory=tuple)


@dataclass(frozen=True, kw_only=True)
class Review:
    """The review of a round for one seat: its decisions, and what made its result. Values are in the unit of the game's returns.

    `deal`, `skill`, `others` and `luck` add up to `result`.

    Attributes:
        game: the game's name.
        round: the round's number, from 1.
        seat: the seat.
        bot: the id of the bot whose search judged the decisions.
        version: the judge's version; with another one, decisions may be judged differently.
        playouts: the number of rounds that were played out for each decision.
        result: the seat's returns.
        verdict: how the round ended (`won`, `lost`, `even`) and how it was played: `-well`, `-badly` (a decision was a mistake or a
            blunder), `-gradually` (small losses cost as much together) or `-idle` (there was no decision), such as `lost-well`.
        open: the standard deviation of the seat's returns at its first decision, by whose shares decisions are labelled.
        deal: the seat's expected returns at its first decision.
        skill: how much its own decisions changed them.
        others: how much the other seats' decisions changed them.
        luck: how much chance changed them.
        first: the numbers of the decisions that teach most, at most three.
        moments: its decisions, in order.
        lucky, unlucky: the parts of the round in which luck helped most and harmed most; None where it changed little.
    """

    game: str
    round: int
    seat: int
    bot: str
    version: str
    playouts: int
    result: int
    verdict: str
    open: Mean
    deal: Estimate
    skill: Estimate
    others: Estimate
    luck: Estimate
    first: tuple[int, ...]
    moments: tuple[Moment, ...]
    lucky: Luck | None
    unlucky: Luck | None
