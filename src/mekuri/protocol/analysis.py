"""Messages with the analysis of a decision and the explanation of a move: `mekuri.bots.Analysis` with cards in notation."""

from __future__ import annotations

import msgspec

from mekuri import bots
from mekuri.bots.facts import action_text, notation
from mekuri.cards import Cards
from mekuri.engine.contract import Contract, Text

_PLACES = 3  # decimal places of a mean: further ones are noise


class YakuOf(msgspec.Struct, frozen=True, kw_only=True):
    """A yaku of a seat.

    Attributes:
        seat: the seat.
        yaku: the yaku's id.
        worlds: the number of worlds in which the seat made it; null where that is not counted.
    """

    seat: int
    yaku: str
    worlds: int | None


class Reply(msgspec.Struct, frozen=True, kw_only=True):
    """The best reply to an action.

    Attributes:
        seat: the seat that acts next.
        action: its best action, in notation.
        text: the action's name.
        worlds: the number of worlds in which it can do that.
        of: the number of worlds in which it has to act.
        mean: the mean of its returns with that action.
    """

    seat: int
    action: str
    text: Text
    worlds: int
    of: int
    mean: float


class Weighed(msgspec.Struct, frozen=True, kw_only=True):
    """A legal action of a seat, its expected value and its effects.

    Attributes:
        action: the action in notation, as it is sent to play it.
        text: the action's name.
        mean: the mean of the seat's returns after it.
        least, most: the bounds of the 95 % interval of that mean.
        worlds: the number of worlds in which it was tried: deals that agree with all that the seat has seen.
        won: the number of these worlds in which the seat's returns were above 0.
        takes: the cards that it captures at once.
        makes: the ids of the yaku that the seat makes with it.
        keeps: the ids of the yaku within the seat's reach after it.
        gives_up: the ids of the yaku that were within the seat's reach before it, and are not after it.
        denies: the yaku that were within another seat's reach before it, and are not after it.
        leaves: the yaku within another seat's reach after it.
        comes: the yaku that seats made until the end of the round, with the number of worlds.
        reply: the best reply of the next seat; null where no seat acts next, or none was searched for.
    """

    action: str
    text: Text
    mean: float
    least: float
    most: float
    worlds: int
    won: int
    takes: Cards
    makes: list[str]
    keeps: list[str]
    gives_up: list[str]
    denies: list[YakuOf]
    leaves: list[YakuOf]
    comes: list[YakuOf]
    reply: Reply | None


class Analysis(msgspec.Struct, frozen=True, kw_only=True):
    """The expected value of each action of a decision, from all that its seat could know.

    Attributes:
        table: the table's id.
        round: the round's number, from 1.
        seat: the seat that decides.
        version: the seat's version at the decision.
        actions: the legal actions, best first, without those that only take back a part of a choice.
        facts: the reasons why the best action is better than the second best.
        part: the kind of the best action, as a hint that does not name it; null where the server sends none.
    """

    table: str
    round: int
    seat: int
    version: int
    actions: list[Weighed]
    facts: list[Text]
    part: Text | None = None


class Why(msgspec.Struct, frozen=True, kw_only=True):
    """An explanation of a seat's move: from all that the viewer who asks can know, or from all cards when the round is over.

    Attributes:
        table: the table's id.
        round: the round's number, from 1.
        seat: the seat that moved.
        version: the version of the viewer who asks.
        text: the event's text.
        reasons: the reasons: the yaku that it made, brought within reach or denied, and how good it was in deals that agree with
            all that the viewer has seen, each judged by what that seat would have seen in it.
    """

    table: str
    round: int
    seat: int
    version: int
    text: Text
    reasons: list[Text]


def analysis(found: bots.Analysis, table: str, round: int, version: int) -> Analysis:
    """Return the message of a bot's analysis.

    Args:
        found: the analysis.
        table: the table's id.
        round: the round's number, from 1.
        version: the seat's version at the decision.
    """
    return Analysis(
        table=table,
        round=round,
        seat=found.seat,
        version=version,
        actions=[_weighed(found.game, one) for one in found.actions],
        facts=[*found.facts],
        part=found.part,
    )


def _weighed(contract: Contract, one: bots.Weighed) -> Weighed:
    least, most = one.interval
    return Weighed(
        action=notation(contract, one.action),
        text=action_text(contract, one.action),
        mean=round(one.mean, _PLACES),
        least=round(least, _PLACES),
        most=round(most, _PLACES),
        worlds=one.worlds,
        won=one.won,
        takes=Cards(one.takes),
        makes=list(one.makes),
        keeps=list(one.keeps),
        gives_up=list(one.gives_up),
        denies=[YakuOf(seat=seat, yaku=yaku, worlds=None) for seat, yaku in one.denies],
        leaves=[YakuOf(seat=seat, yaku=yaku, worlds=None) for seat, yaku in one.leaves],
        comes=[YakuOf(seat=seat, yaku=yaku, worlds=worlds) for seat, yaku, worlds in one.comes],
        reply=_reply(contract, one.reply) if one.reply else None,
    )


def _reply(contract: Contract, reply: bots.Reply) -> Reply:
    return Reply(
        seat=reply.seat,
        action=notation(contract, reply.action),
        text=action_text(contract, reply.action),
        worlds=reply.worlds,
        of=reply.of,
        mean=round(reply.mean, _PLACES),
    )
