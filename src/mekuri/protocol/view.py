"""The view of a round as it travels: `mekuri.match.view.View` with every card in notation. `docs/view.md` is the guide.

Numbers of the width of a set of cards do not survive JSON in a browser, so a set travels as a list of cards.
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

_KEPT = 1 << 14  # sets of cards, and places: the same ones are told to several viewers, event after event

Argument = int | str | tuple[str, ...]


class Text(msgspec.Struct, frozen=True, kw_only=True):
    """A text to be rendered from the game's catalogue.

    Attributes:
        id: `table.key` of the catalogue; `card` is the name of the card among the arguments.
        args: `seat` is a seat's number, `card` a card, `cards` a list of cards, `yaku` a yaku's id; a text may be within a text.
    """

    id: str
    args: dict[str, Argument | Text] = {}


class Zone(msgspec.Struct, frozen=True, kw_only=True):
    """A place on the table.

    Attributes:
        id: what the place is; with `owner` it is unique on the table.
        owner: the seat it belongs to; null for a common place.
        kind: what it is for.
        layout: how its cards lie; `cloth` is face up under a cloth.
        cards: the cards, in notation; null where the viewer may not see one.
        count: how many they are; null where even that is hidden.
        stake: what is staked on them.
    """

    id: str
    owner: int | None
    kind: str
    layout: str
    cards: list[str | None]
    count: int | None
    stake: int = 0


class Legal(msgspec.Struct, frozen=True, kw_only=True):
    """Something the viewer may do.

    Attributes:
        action: what is sent to do it: a card or a word.
        text: what it is called.
        takes: the cards it would capture at once.
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
        text: why not.
        clause: the clause of the rule book that forbids it; empty where the game cites none.
    """

    card: str
    text: Text
    clause: str


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """A line of the score sheet: what a seat has, with which cards, what it counts, and the clause that says so, if there is one.

    `seat` is a seat's number, or the name of an account that is nobody's.
    """

    seat: int | str
    text: Text
    cards: tuple[str, ...]
    points: int
    clause: str


class Near(msgspec.Struct, frozen=True, kw_only=True):
    """A yaku within the viewer's reach, and the cards it still lacks."""

    yaku: str
    missing: tuple[str, ...]


class Goal(msgspec.Struct, frozen=True, kw_only=True):
    """What a seat works towards, from what lies open on the table.

    Attributes:
        seat: whose it is.
        text: what it is called.
        value: what it brings; null where that is not a number.
        needs: how many steps there are to it, such as cards: the pips.
        has: how many of them are done. All: it has been reached.
        made: the cards of it that the seat has.
        lacks: those that it lacks; empty where it is not about certain cards.
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
    """How a seat stands in what is counted up in the round, from nothing.

    Attributes:
        points: what it has.
        wins_from: from how much on the round brings it something, as things stand; null where nothing is fixed.
    """

    points: int
    wins_from: int | None


class View(msgspec.Struct, frozen=True, kw_only=True):
    """What one viewer sees of a round.

    Attributes:
        game: the game's name.
        version: how many things the viewer has seen happen at this table. Send it back with an action.
        you: the viewer's seat; null for a spectator.
        dealer: the seat that deals.
        waiting: the seats that owe an action.
        closes: when silence counts as an answer, in milliseconds since 1970; null where the table waits.
        prompt: what the viewer is asked; null when it is not the viewer's turn.
        shape: the shape of the table: faces, ring, bank or pile.
        zones: the places on the table.
        legal: what the viewer may do.
        refused: the cards of the viewer's own hand that may not be played now, where the viewer is asked; else empty.
        score: the score sheet as it stands, from what the viewer sees.
        near: the yaku within the viewer's reach.
        middle: amounts that lie in the middle of the table, such as a pot, by the names of their places.
        over: whether the round is done.
        ending: how the finished round ended: an id among the catalogue's endings.
        returns: what the finished round changes for each seat.
        result: who has won the finished round, and what decided it, in one sentence.
        next_dealer: who deals after the finished round, if there is another.
        ledger: each seat's accounts in the match; a finished round is in them once its secret is opened.
        accounts: accounts that are nobody's, such as a kitty, likewise.
        goals: of each seat those that it has reached, and the nearest three of the others, the nearest first.
        scores: for each seat what it has counted up in the round, null where it counts nothing.
        brings: what the finished round changes in each seat's accounts; empty until then.
    """

    game: str
    version: int
    you: int | None
    dealer: int
    waiting: list[int]
    closes: int | None
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


@lru_cache(_KEPT)
def cards(held: int) -> tuple[str, ...]:
    """A set of cards as it travels."""
    return tuple(map(card_text, each(held)))


def text(told: contract.Text) -> Text:
    """A text as it travels."""
    return Text(id=told.id, args={key: _argument(key, value) for key, value in told.args.items()})


@lru_cache(_KEPT)
def zone(seen: contract.Zone) -> Zone:
    """A place on the table as it travels."""
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
    """The accounts of a match: every seat's, and those that are nobody's."""

    seats: list[dict[str, int]]
    accounts: dict[str, int]


def view(seen: match.View, version: int, ledger: Ledger, closes: int | None, unspoken: str | None = None) -> View:
    """A view as it travels. `unspoken` is an action that cannot be chosen just now: silence alone means it."""
    return View(
        game=seen.game,
        version=version,
        you=seen.you,
        dealer=seen.dealer,
        waiting=list(seen.waiting),
        closes=closes,
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
    )


def heard(told: Text) -> contract.Text:
    """A text that has arrived."""
    return contract.Text(told.id, {key: _heard_argument(key, value) for key, value in told.args.items()})


def seen(told: View) -> match.View:
    """A view that has arrived."""
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
