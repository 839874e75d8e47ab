"""What a seat's actions are worth, as it travels: `mekuri.bots.Analysis` with every card and action in notation."""

from __future__ import annotations

import msgspec

from mekuri import bots
from mekuri.bots.facts import action_text
from mekuri.cards import card_text
from mekuri.engine.contract import FIRST_WORD, Contract
from mekuri.protocol.view import Text, cards, text

_PLACES = 3  # of a mean: what is beyond is luck


class YakuOf(msgspec.Struct, frozen=True, kw_only=True):
    """A yaku of a seat.

    Attributes:
        seat: the seat.
        yaku: its id.
        worlds: in how many worlds it came to be; null where that is not told.
    """

    seat: int
    yaku: str
    worlds: int | None


class Reply(msgspec.Struct, frozen=True, kw_only=True):
    """What would best be answered.

    Attributes:
        seat: the seat that is asked next.
        action: what it would do, in notation.
        text: what that is called.
        worlds: in how many worlds it can do that.
        of: in how many worlds it was asked.
        mean: what that seat wins with it, on average.
    """

    seat: int
    action: str
    text: Text
    worlds: int
    of: int
    mean: float


class Weighed(msgspec.Struct, frozen=True, kw_only=True):
    """Something that a seat may do, and what comes of it.

    Attributes:
        action: what is sent to do it.
        text: what it is called.
        mean: what the seat wins with it, on average.
        least, most: the 95 % interval of that.
        worlds: in how many worlds it was tried: deals that are possible for all that the seat knows.
        won: in how many of them the seat won something.
        takes: the cards that it takes at once.
        makes: the yaku that the seat has by it.
        keeps: those within the seat's reach after it.
        gives_up: those that were within its reach, and are not after it.
        denies: those that were within another's reach, and are not after it.
        leaves: those within another's reach after it.
        comes: which yaku came to be in the end.
        reply: what would best be answered; null where nobody is asked, or it was not looked for.
    """

    action: str
    text: Text
    mean: float
    least: float
    most: float
    worlds: int
    won: int
    takes: list[str]
    makes: list[str]
    keeps: list[str]
    gives_up: list[str]
    denies: list[YakuOf]
    leaves: list[YakuOf]
    comes: list[YakuOf]
    reply: Reply | None


class Analysis(msgspec.Struct, frozen=True, kw_only=True):
    """What a decision's actions are worth, for all that its seat could know.

    Attributes:
        table: the table's id.
        round: the round's number, from 1.
        seat: whose decision it is.
        version: of the seat's view in which it is asked.
        actions: what the seat may do, but for taking back what it has done: best first.
        facts: what decides between the best two.
        part: of which kind the best action is: a hint that does not name it yet; null where the server tells none.
    """

    table: str
    round: int
    seat: int
    version: int
    actions: list[Weighed]
    facts: list[Text]
    part: Text | None = None


class Why(msgspec.Struct, frozen=True, kw_only=True):
    """Why a seat may have done something: for all that whoever asks can know; or, when the round is over, from all that is known.

    Attributes:
        table: the table's id.
        round: the round's number, from 1.
        seat: who did it.
        version: of the view of whoever asks.
        text: what it did, as the log says it.
        reasons: what can be said of it: what it made, brought within reach or denied, and how good it was in deals that are
            possible for all that the asker knows, each as that seat would have seen it there.
    """

    table: str
    round: int
    seat: int
    version: int
    text: Text
    reasons: list[Text]


def analysis(found: bots.Analysis, table: str, round: int, version: int) -> Analysis:
    """An analysis as it travels."""
    return Analysis(
        table=table,
        round=round,
        seat=found.seat,
        version=version,
        actions=[_weighed(found.game, one) for one in found.actions],
        facts=[text(fact) for fact in found.facts],
        part=text(found.part),
    )


def _weighed(contract: Contract, one: bots.Weighed) -> Weighed:
    least, most = one.interval
    return Weighed(
        action=_notation(contract, one.action),
        text=text(action_text(contract, one.action)),
        mean=round(one.mean, _PLACES),
        least=round(least, _PLACES),
        most=round(most, _PLACES),
        worlds=one.worlds,
        won=one.won,
        takes=list(cards(one.takes)),
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
        action=_notation(contract, reply.action),
        text=text(action_text(contract, reply.action)),
        worlds=reply.worlds,
        of=reply.of,
        mean=round(reply.mean, _PLACES),
    )


def _notation(contract: Contract, action: int) -> str:
    return contract.words(action).text if action >= FIRST_WORD else card_text(action)
