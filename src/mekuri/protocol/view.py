"""The message of a view of a round: `mekuri.match.view.View` with every card in notation. `docs/view.md` is the guide.

A set of cards is sent as a list of cards: as one number it would lose bits in a browser's JSON.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import msgspec

from mekuri.cards import card_text, each, parse_card
from mekuri.engine import contract
from mekuri.match import view as match

_KEPT = 1 << 14  # entries of a cache: the same sets of cards and zones are sent to several viewers in event after event

Argument = int | str | tuple[str, ...]


class Text(msgspec.Struct, frozen=True, kw_only=True):
    """A text to be rendered from the game's catalogue.

    Attributes:
        id: `table.key` of the catalogue; `card` is the name of the card among the arguments.
        args: its arguments: `seat` is a seat's number, `card` a card, `cards` a list of cards, `yaku` a yaku's id; an argument may
            be a text itself.
    """

    id: str
    args: dict[str, Argument | Text] = {}


class Zone(msgspec.Struct, frozen=True, kw_only=True):
    """A place on the table.

    Attributes:
        id: the zone's id; together with `owner` it is unique on the table.
        owner: the seat to which it belongs; null for a common zone.
        kind: its purpose, such as `hand`, `field` or `stock`.
        layout: how its cards lie, such as `row`; `cloth` is face up under a cloth.
        cards: the cards, in notation; null for a card that the viewer may not see.
        count: the number of cards; null where the viewer may not know it.
        stake: the amount that is bet on the cards.
    """

    id: str
    owner: int | None
    kind: str
    layout: str
    cards: list[str | None]
    count: int | None
    stake: int = 0


class Legal(msgspec.Struct, frozen=True, kw_only=True):
    """A legal action of the viewer.

    Attributes:
        action: the action as it is sent: a card in notation, or a word.
        text: the action's name.
        takes: the cards that it would capture at once.
        choices: the cards among which the viewer would have to choose next.
    """

    action: str
    text: Text
    takes: tuple[str, ...]
    choices: tuple[str, ...]


class Refused(msgspec.Struct, frozen=True, kw_only=True):
    """A card of the viewer's own hand that may not be played now.

    Attributes:
        card: the card, in notation.
        text: the reason.
        clause: the id of the clause of the rule book that forbids it; empty where the game cites none.
    """

    card: str
    text: Text
    clause: str


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """A line of the score sheet.

    Attributes:
        seat: the seat's number, or the name of an account that belongs to no seat.
        text: the reason for the points, such as a yaku.
        cards: the cards that they are for, in notation.
        points: the points.
        clause: the id of the clause that gives them; empty where there is none.
    """

    seat: int | str
    text: Text
    cards: tuple[str, ...]
    points: int
    clause: str


class Near(msgspec.Struct, frozen=True, kw_only=True):
    """A yaku within the viewer's reach.

    Attributes:
        yaku: the yaku's id.
        missing: the cards that it still lacks, in notation.
    """

    yaku: str
    missing: tuple[str, ...]


class Goal(msgspec.Struct, frozen=True, kw_only=True):
    """A goal of a seat, such as a yaku, and its progress as far as all can see it.

    Attributes:
        seat: the seat.
        text: the goal's name.
        value: the points that it brings; null where it wins the round instead.
        needs: the number of steps to it, such as cards; a client may draw one pip for each.
        has: the number of steps that are done. The goal is reached when it equals `needs`.
        made: the cards of it that the seat has, in notation.
        lacks: the cards that it lacks, in notation; empty where it does not depend on certain cards.
        lost: whether it can no longer be reached.
    """

    seat: int
    text: Text
    value: int | None
    needs: int
    has: int
    made: tuple[str, ...]
    lacks: tuple[str, ...]
    lost: bool


class Counted(msgspec.Struct, frozen=True, kw_only=True):
    """A seat's running score in a round, which starts at 0.

    Attributes:
        points: the score so far.
        wins_from: the lowest score with which the seat gains from the round, as it stands; null where there is no fixed one.
    """

    points: int
    wins_from: int | None


class View(msgspec.Struct, frozen=True, kw_only=True):
    """The view of a round: all that one viewer, a seat or a spectator, may know of it.

    Attributes:
        game: the game's name.
        version: the number of events of this table that the viewer has got. It is sent back with an action.
        you: the viewer's seat; null for a spectator.
        dealer: the seat that deals.
        waiting: the seats that have to act; 16 is the driver.
        closes: when the open window closes and silence counts as an answer, in milliseconds since 1970; null where none is open.
        due: until when the waiting seats, or those not ready for the next round, may take, at a table that is played turn by turn;
            null elsewhere, and where nobody is asked.
        prompt: the question that the viewer has to answer; null when it is not the viewer's turn.
        waits: what the other waiting seats are asked; null where nobody else is, or the game has no text for it.
        shape: the shape of the table: `faces`, `ring`, `bank` or `pile`.
        zones: the zones of the table, where cards lie.
        legal: the viewer's legal actions.
        refused: the cards of the viewer's own hand that may not be played now; empty when it is not the viewer's turn.
        score: the score sheet as it stands, from all that the viewer sees.
        near: the yaku within the viewer's reach.
        middle: amounts in the middle of the table, such as a pot, by the names of their places.
        over: whether the round is over.
        ending: how the finished round ended, as an id in the catalogue's table `endings`; null before.
        returns: each seat's returns of the finished round; null before.
        result: the winner of the finished round, and the reason, in one sentence; null before.
        next_dealer: the dealer of the next round, if there is one; null before the round is over.
        ledger: for each seat its accounts in the match; a finished round is in them once its secret is opened.
        accounts: the accounts that belong to no seat, such as a kitty, with finished rounds as in `ledger`.
        goals: for each seat the goals that it has reached, and the nearest three of the others, the nearest first.
        scores: for each seat its running score in the round; null for a seat without one.
        brings: for each seat the changes of its accounts by the finished round; empty before.
    """

    game: str
    version: int
    you: int | None
    dealer: int
    waiting: list[int]
    closes: int | None
    due: int | None = None
    prompt: Text | None
    shape: str
    zones: list[Zone]
    legal: list[Legal]
    refused: list[Refused]
    score: list[Line]
    near: list[Near]
    middle: dict[str, int]
    over: bool
    ending: str | None
    returns: list[int] | None
    result: Text | None = None
    next_dealer: int | None
    ledger: list[dict[str, int]]
    accounts: dict[str, int]
    goals: tuple[Goal, ...] = ()
    scores: tuple[Counted | None, ...] = ()
    brings: tuple[dict[str, int], ...] = ()
    waits: Text | None = None


@lru_cache(_KEPT)
def cards(held: int) -> tuple[str, ...]:
    """Return a set of cards in notation, lowest first."""
    return tuple(map(card_text, each(held)))


def text(told: contract.Text) -> Text:
    """Return the message of a text, with cards in notation."""
    return Text(id=told.id, args={key: _argument(key, value) for key, value in told.args.items()})


@lru_cache(_KEPT)
def zone(seen: contract.Zone) -> Zone:
    """Return the message of a zone, with cards in notation."""
    return Zone(
        id=seen.id,
        owner=seen.owner,
        kind=seen.kind,
        layout=seen.layout,
        cards=[None if card is None else card_text(card) for card in seen.cards],
        count=seen.count,
        stake=seen.stake,
    )


@dataclass(frozen=True)
class Ledger:
    """The accounts of a match.

    Attributes:
        seats: for each seat its accounts, by name.
        accounts: the accounts that belong to no seat, by name.
    """

    seats: list[dict[str, int]]
    accounts: dict[str, int]


def view(
    seen: match.View, version: int, ledger: Ledger, closes: int | None, unspoken: str | None = None, due: int | None = None
) -> View:
    """Return the message of a view.

    Args:
        seen: the view.
        version: the viewer's version at the table.
        ledger: the accounts of the match.
        closes: when the open window closes, in milliseconds since 1970; None where none is open.
        unspoken: an action to be left out of `legal`, because only silence stands for it now; None for none.
        due: until when those who are asked may take, in milliseconds since 1970; None without a term.
    """
    return View(
        game=seen.game,
        version=version,
        you=seen.you,
        dealer=seen.dealer,
        waiting=list(seen.waiting),
        closes=closes,
        due=due,
        prompt=text(seen.prompt) if seen.prompt else None,
        shape=seen.shape,
        zones=[zone(each) for each in seen.zones],
        legal=[
            Legal(action=each.action, text=text(each.text), takes=cards(each.takes), choices=cards(each.choices))
            for each in seen.legal
            if each.action != unspoken
        ],
        refused=[Refused(card=card_text(each.card), text=text(each.text), clause=each.clause) for each in seen.refused],
        score=[
            Line(seat=line.seat, text=text(line.text), cards=cards(line.cards), points=line.points, clause=line.clause)
            for line in seen.score
        ],
        near=[Near(yaku=near.yaku, missing=cards(near.missing)) for near in seen.near],
        middle=dict(seen.middle),
        over=seen.over,
        ending=seen.ending,
        returns=list(seen.returns) if seen.returns is not None else None,
        result=text(seen.result) if seen.result else None,
        next_dealer=seen.next_dealer,
        ledger=ledger.seats,
        accounts=ledger.accounts,
        goals=tuple(map(_goal, seen.goals)),
        scores=tuple(Counted(points=score.points, wins_from=score.wins_from) if score else None for score in seen.scores),
        brings=tuple(dict(account) for account in seen.brings),
        waits=text(seen.waits) if seen.waits else None,
    )


def heard(told: Text) -> contract.Text:
    """Return the text of a message that was received; the inverse of `text`."""
    return contract.Text(told.id, {key: _heard_argument(key, value) for key, value in told.args.items()})


def seen(told: View) -> match.View:
    """Return the view of a message that was received; the inverse of `view`."""
    return match.View(
        game=told.game,
        version=told.version,
        you=told.you,
        dealer=told.dealer,
        waiting=tuple(told.waiting),
        prompt=heard(told.prompt) if told.prompt else None,
        shape=told.shape,
        zones=tuple(_seen_zone(zone) for zone in told.zones),
        legal=tuple(match.Legal(each.action, heard(each.text), _held(each.takes), _held(each.choices)) for each in told.legal),
        refused=tuple(match.Refused(parse_card(each.card), heard(each.text), each.clause) for each in told.refused),
        score=tuple(
            contract.SheetLine(line.seat, heard(line.text), _held(line.cards), line.points, line.clause) for line in told.score
        ),
        near=tuple(contract.Near(near.yaku, _held(near.missing)) for near in told.near),
        over=told.over,
        ending=told.ending,
        returns=tuple(told.returns) if told.returns is not None else None,
        result=heard(told.result) if told.result else None,
        next_dealer=told.next_dealer,
        middle=told.middle,
        ledger=tuple(told.ledger),
        accounts=told.accounts,
        goals=tuple(map(_heard_goal, told.goals)),
        scores=tuple(contract.Counted(score.points, score.wins_from) if score else None for score in told.scores),
        brings=told.brings,
        waits=heard(told.waits) if told.waits else None,
    )


def _goal(seen: contract.Goal) -> Goal:
    return Goal(
        seat=seen.seat,
        text=text(seen.text),
        value=seen.value,
        needs=seen.needs,
        has=seen.has,
        made=cards(seen.made),
        lacks=cards(seen.lacks),
        lost=seen.lost,
    )


def _heard_goal(told: Goal) -> contract.Goal:
    made, lacks = _held(told.made), _held(told.lacks)
    return contract.Goal(told.seat, heard(told.text), told.value, told.needs, told.has, made, lacks, told.lost)


def _seen_zone(zone: Zone) -> contract.Zone:
    told: Any = zone  # its kind and layout are those of a contract's zone
    lying = tuple(None if card is None else parse_card(card) for card in zone.cards)
    return contract.Zone(zone.id, zone.owner, told.kind, told.layout, lying, zone.stake, zone.count is None)


def _argument(key: str, value: Any) -> Argument | Text:
    if isinstance(value, contract.Text):
        return text(value)
    if key == "card":
        return card_text(value)
    if key == "cards":
        return cards(value)
    return value if isinstance(value, str) else int(value)


def _heard_argument(key: str, value: Argument | Text) -> Any:
    if isinstance(value, Text):
        return heard(value)
    if key == "card" and isinstance(value, str):
        return parse_card(value)
    if key == "cards" and isinstance(value, tuple):
        return _held(value)
    return value


def _held(told: Iterable[str]) -> int:
    return sum(1 << parse_card(card) for card in told)
