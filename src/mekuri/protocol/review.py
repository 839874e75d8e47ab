"""A review as it travels: `mekuri.bots.review.Review` with every card and action in notation."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta

from mekuri.bots import facts
from mekuri.bots import review as bots
from mekuri.cards import card_text, each
from mekuri.engine.called import choices_of
from mekuri.engine.contract import FIRST_WORD, Contract
from mekuri.protocol.lesson import Happening
from mekuri.protocol.table import SeatNumber, Version
from mekuri.protocol.view import Text, text

_PLACES = 3  # of a mean: what is beyond is luck


class Estimate(msgspec.Struct, frozen=True, kw_only=True):
    """A mean and its 95 % interval; all three are equal where it is exact.

    Attributes:
        mean: the mean.
        least, most: the interval.
    """

    mean: float
    least: float
    most: float


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    """Something that could be done.

    Attributes:
        action: in notation.
        text: what it is called.
    """

    action: str
    text: Text


class Hindsight(msgspec.Struct, frozen=True, kw_only=True):
    """What a decision was worth with all cards open.

    Attributes:
        best: what was worth most, or what was done where nothing was worth more; in notation.
        value: what it brings.
        cost: how much less that brings which was done.
        exact: whether it was worked out to the end.
    """

    best: str
    value: Estimate
    cost: Estimate
    exact: bool


class Moment(msgspec.Struct, frozen=True, kw_only=True):
    """A decision of the seat that is reviewed.

    Attributes:
        number: its place among the seat's decisions, from 1.
        seen: how many things the seat had seen happen in the round before it.
        choices: what it could choose from.
        action: what it did, in notation.
        best: what was worth most for all that it could know.
        value: what that brings.
        cost: how much less that brings which was done.
        facts: why the best is better; none where it is not.
        hindsight: what it was worth with all cards open.
        label: `fine`, `mistake` or `blunder`, where that is clear.
        others: what others' decisions changed for the seat until its next.
        luck: what else changed until then.
    """

    number: int
    seen: int
    choices: list[Choice]
    action: str
    best: str
    value: Estimate
    cost: Estimate
    facts: list[Text]
    hindsight: Hindsight
    label: str
    others: float
    luck: float


class Luck(msgspec.Struct, frozen=True, kw_only=True):
    """A stretch of a round in which luck did much.

    Attributes:
        number: of the seat's decision after which it did.
        value: what it brought.
        since, until: how many things the seat had seen happen in the round before it, and after it.
        facts: on which card it hung most, and where that lay; none where no card tells much.
    """

    number: int
    value: float
    since: int
    until: int
    facts: list[Text]


class Review(msgspec.Struct, frozen=True, kw_only=True):
    """What a round was for one seat. `deal`, `skill`, `others` and `luck` add up to the result.

    Attributes:
        game: the game's name.
        round: the round's number, from 1.
        seat: the seat.
        bot: whose search judged.
        version: of who judged. A review of another version is another review.
        playouts: how many rounds were played out for each decision.
        result: what the round brought the seat.
        verdict: how it came out and how it was played, such as `lost-well`.
        open: how much was open at the seat's first decision: labels go by it.
        deal: what the cards promised then.
        skill: what the seat's own decisions changed.
        others: what the others' decisions changed for it.
        luck: what came that nobody chose.
        first: the numbers of the moments that teach most.
        moments: its decisions, in order.
        lucky, unlucky: where luck brought most, and where it took most; null where it did little.
    """

    game: str
    round: int
    seat: int
    bot: str
    version: str
    playouts: int
    result: int
    verdict: str
    open: float
    deal: Estimate
    skill: Estimate
    others: Estimate
    luck: Estimate
    first: list[int]
    moments: list[Moment]
    lucky: Luck | None
    unlucky: Luck | None


class Reviewed(msgspec.Struct, frozen=True, kw_only=True):
    """A review, or how far it is.

    Attributes:
        table: the table's id.
        round: the round's number, from 1.
        seat: the seat.
        done: how many decisions have been judged, others' too.
        total: of how many; 0 while that is not known, and once there is a review.
        review: the review; null while it is being made.
    """

    table: str
    round: int
    seat: int
    done: int
    total: int
    review: Review | None


class AskRetry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Try a finished round otherwise from a moment on: the same cards, bots in the other seats. Nothing of it is kept.

    Attributes:
        seat: whoever tries.
        seen: how many things the seat had seen happen in the round when it was asked: where the round is left.
        line: what has been done since, in order, as a record has it: the `line` that was answered last, and what the seat does now.
        since: from how many things on is told what happens: the `version` of the view that was seen last, or `seen`.
    """

    seat: SeatNumber
    seen: Version
    line: Annotated[str, Meta(max_length=1200, examples=["0:7I"])]
    since: Version


class Retried(msgspec.Struct, frozen=True, kw_only=True):
    """What comes of a retry.

    Attributes:
        bot: who plays the other seats.
        line: what has been done since the round was left, the bots' answers at its end.
        events: what the seat has seen happen.
        result: what the round brings the seat; null until it is over.
    """

    bot: str
    line: str
    events: list[Happening]
    result: int | None


def review(found: bots.Review, round: int) -> Review:
    """A review as it travels."""
    return Review(
        game=found.game.id,
        round=round,
        seat=found.seat,
        bot=found.bot,
        version=found.version,
        playouts=found.playouts,
        result=found.result,
        verdict=found.verdict,
        open=_short(found.open),
        deal=_estimate(found.deal),
        skill=_estimate(found.skill),
        others=_estimate(found.others),
        luck=_estimate(found.luck),
        first=[one.number for one in found.first],
        moments=[_moment(found.game, one) for one in found.moments],
        lucky=_luck(found.lucky),
        unlucky=_luck(found.unlucky),
    )


def as_json(found: bots.Review, round: int) -> Any:
    """The same as what JSON is made of."""
    return msgspec.to_builtins(review(found, round))


def _moment(game: Contract, one: bots.Moment) -> Moment:
    decision, known, later = one.decision, one.known, one.hindsight
    choices = each(choices_of(decision.seen.hidden, decision.seat))
    return Moment(
        number=one.number,
        seen=decision.version,
        choices=[Choice(action=_notation(game, action), text=text(facts.action_text(game, action))) for action in choices],
        action=_notation(game, decision.action),
        best=_notation(game, known.best),
        value=_estimate(known.value),
        cost=_estimate(known.cost),
        facts=[text(fact) for fact in known.facts],
        hindsight=Hindsight(
            best=_notation(game, later.best), value=_estimate(later.value), cost=_estimate(later.cost), exact=later.exact
        ),
        label=one.label,
        others=_short(one.others),
        luck=_short(one.luck),
    )


def _luck(one: bots.Luck | None) -> Luck | None:
    if one is None:
        return None
    facts = [text(fact) for fact in one.facts]
    return Luck(number=one.number, value=_short(one.value), since=one.since, until=one.until, facts=facts)


def _estimate(one: bots.Estimate) -> Estimate:
    least, most = one.interval
    return Estimate(mean=_short(one.mean), least=_short(least), most=_short(most))


def _short(value: float) -> float:
    return round(value, _PLACES)


def _notation(game: Contract, action: int) -> str:
    return game.words(action).text if action >= FIRST_WORD else card_text(action)
