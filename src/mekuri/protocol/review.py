"""Messages of the review of a round, `mekuri.bots.review.Review` with cards and actions in notation, and of a retry."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta

from mekuri.bots import facts
from mekuri.bots import review as bots
from mekuri.bots.alike import alike
from mekuri.cards import card_text, each
from mekuri.engine.called import choices_of
from mekuri.engine.contract import FIRST_WORD, Contract, Text
from mekuri.match.view import Event
from mekuri.protocol.coding import to_builtins
from mekuri.protocol.table import SeatNumber, Version

_PLACES = 3  # decimal places of a mean: further ones are noise


class Estimate(msgspec.Struct, frozen=True, kw_only=True):
    """A mean in the unit of the game's returns, and its 95 % interval. All three numbers are equal where it is exact.

    Attributes:
        mean: the mean.
        least, most: the bounds of the interval.
    """

    mean: float
    least: float
    most: float


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    """A legal action at a decision.

    Attributes:
        action: the action in notation.
        text: the action's name.
    """

    action: str
    text: Text


class Hindsight(msgspec.Struct, frozen=True, kw_only=True):
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


class Moment(msgspec.Struct, frozen=True, kw_only=True):
    """A decision of the reviewed seat, and how it is judged.

    Attributes:
        number: its number among the seat's decisions, from 1.
        seen: the seat's version in the round at the decision.
        choices: the legal actions.
        action: the chosen action, in notation.
        best: the best action from all that the seat could know, in notation.
        value: the mean of the seat's returns after the best action.
        cost: how much lower that mean is after the chosen action.
        facts: the reasons why the best action is better than the chosen one. Where the chosen one is the best, they are empty, but
            at the decisions in `first` they say why it is better than the second best.
        hindsight: the decision judged with all cards open.
        label: `mistake` or `blunder` where it is clearly one, else `fine`.
        others: how much others' decisions changed the seat's expected returns until its next decision.
        luck: how much chance and hidden cards changed them until then.
        equal: the choices that are equal to the best by symmetry, in notation: they are right, too.
        wins: whether rounds are only won or lost, so that 1 is a round won and -1 one lost.
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
    equal: list[str] = []
    wins: bool = False

    @property
    def right(self) -> list[str]:
        """The best action, and those that are equal to it by symmetry, in notation."""
        return [self.best, *self.equal]


class Luck(msgspec.Struct, frozen=True, kw_only=True):
    """A part of a round in which luck changed much.

    Attributes:
        number: the number of the seat's decision after which it begins.
        value: how much luck changed the seat's expected returns in it.
        since, until: the seat's versions in the round before and after it.
        facts: in reviews of earlier judges, the card on which it depended most and where that card was; else empty.
        parts: how much of `value` came with each of the events that the seat saw after `since`, up to `until`; they add up to it.
    """

    number: int
    value: float
    since: int
    until: int
    facts: list[Text]
    parts: list[float] = []


class Review(msgspec.Struct, frozen=True, kw_only=True):
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
        lucky, unlucky: the parts of the round in which luck helped most and harmed most; null where it changed little.
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
    """A review, or the progress of its making.

    Attributes:
        table: the table's id.
        round: the round's number, from 1.
        seat: the seat.
        done: the number of decisions, of all seats, that have been judged.
        total: the number of all decisions; 0 while it is not known, and once the review is made.
        review: the review; null while it is being made.
        older: whether an earlier version of the judge has made the review, so that it can be made again.
    """

    table: str
    round: int
    seat: int
    done: int
    total: int
    review: Review | None
    older: bool = False


class AskRetry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request to play a finished round on differently from a decision, with the same cards and bots in the other seats.

    The server stores nothing of it.

    Attributes:
        seat: the seat that retries.
        seen: the seat's version in the round at the decision from which the retry starts.
        line: the actions since then in order, as in a record: the `line` of the last answer, and the seat's new action.
        since: the version after which events are wanted: the `version` of the last view of the retry, or `seen`.
    """

    seat: SeatNumber
    seen: Version
    line: Annotated[str, Meta(max_length=1200, examples=["0:7I"])]
    since: Version


class Retried(msgspec.Struct, frozen=True, kw_only=True):
    """The answer to a retry: all that happens until the seat decides again.

    Attributes:
        bot: the id of the bot that plays the other seats.
        line: all actions since the retry started, with those of the bots at its end.
        events: the events that the seat sees, after `since`.
        result: the seat's returns; null until the round is over.
    """

    bot: str
    line: str
    events: list[Event]
    result: int | None


def review(found: bots.Review, round: int) -> Review:
    """Return the message of a review of the round with this number, from 1."""
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
        moments=[_moment(found, one) for one in found.moments],
        lucky=_luck(found.lucky),
        unlucky=_luck(found.unlucky),
    )


def as_json(found: bots.Review, round: int) -> Any:
    """Return the message of a review as dictionaries and lists, ready for JSON."""
    return to_builtins(review(found, round))


def _moment(found: bots.Review, one: bots.Moment) -> Moment:
    game, decision, known, later = found.game, one.decision, one.known, one.hindsight
    choices = each(choices_of(decision.seen.hidden, decision.seat))
    return Moment(
        number=one.number,
        seen=decision.version,
        choices=[Choice(action=_notation(game, action), text=facts.action_text(game, action)) for action in choices],
        action=_notation(game, decision.action),
        best=_notation(game, known.best),
        value=_estimate(known.value),
        cost=_estimate(known.cost),
        facts=[*known.facts],
        hindsight=Hindsight(
            best=_notation(game, later.best), value=_estimate(later.value), cost=_estimate(later.cost), exact=later.exact
        ),
        label=one.label,
        others=_short(one.others),
        luck=_short(one.luck),
        equal=[
            _notation(game, action)
            for action in choices
            if action != known.best and alike(decision.seen.hidden, decision.seat, known.best, action)
        ],
        wins=found.wins,
    )


def _luck(one: bots.Luck | None) -> Luck | None:
    if one is None:
        return None
    return Luck(
        number=one.number, value=_short(one.value), since=one.since, until=one.until, facts=[], parts=[*map(_short, one.parts)]
    )


def _estimate(one: bots.Estimate) -> Estimate:
    least, most = one.interval
    return Estimate(mean=_short(one.mean), least=_short(least), most=_short(most))


def _short(value: float) -> float:
    return round(value, _PLACES)


def _notation(game: Contract, action: int) -> str:
    return game.words(action).text if action >= FIRST_WORD else card_text(action)
