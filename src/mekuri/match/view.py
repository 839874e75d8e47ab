"""Views: a hidden state as zones, texts and choices, for a screen, an ear or a program. And score sheets.

A view is made from a hidden state and nothing else, so it cannot hold what its viewer may not know.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from mekuri import games
from mekuri.cards import card_text, each
from mekuri.engine.contract import (
    FIRST_WORD,
    Contract,
    Counted,
    Goal,
    Near,
    SheetLine,
    Text,
    Zone,
    legal,
    over,
    play,
    returns,
    undoing,
    waiting,
    within_reach,
)
from mekuri.engine.defaults import refusal
from mekuri.engine.fields import RoundState, copy
from mekuri.engine.rulebook import rulebook
from mekuri.match.draw import draw_sheet, seats_text, wrap, zone_key, zone_text
from mekuri.match.result import result

_GOALS = 3  # that a seat is told to work towards, beside those it has reached


@dataclass(slots=True, unsafe_hash=True)
class Legal:
    """Something a seat may do.

    Attributes:
        action: its notation, as `Round.play` takes it.
        text: what it is called: a card's name, a word's text, or `words.take-back` with the card that is taken back.
        takes: the cards it would capture at once.
        choices: the cards among which its player would have to choose next; none where he may leave it at that.
    """

    action: str
    text: Text
    takes: int
    choices: int


@dataclass(slots=True, unsafe_hash=True)
class Refused:
    """A card of the viewer's own hand that may not be played now: why, and the clause that forbids it."""

    card: int
    text: Text
    clause: str


@dataclass(slots=True, unsafe_hash=True)
class View:
    """What one viewer sees of a round.

    Attributes:
        game: the game's name.
        version: how many things the viewer has seen happen on the table so far.
        you: the viewer's seat; None for a spectator.
        dealer: the seat that deals.
        waiting: the seats that owe an action.
        prompt: what the viewer is asked; None when it is not the viewer's turn.
        shape: the shape of the table.
        zones: the places on the table.
        legal: what the viewer may do.
        refused: the cards of the viewer's own hand that may not be played now, where the viewer is asked.
        score: the score sheet as it stands, from what the viewer sees.
        near: the yaku within the viewer's reach.
        over: whether the round is done.
        ending: how the finished round ended: an id among the rule book's endings.
        returns: what the finished round changes for each seat.
        result: who has won the finished round, and what decided it, in one sentence.
        next_dealer: who deals after the finished round, if there is another.
        middle: amounts that lie in the middle of the table, such as a pot, by the names of their places.
        ledger: each seat's accounts in a match; a finished round is in them once it has been entered.
        accounts: accounts that are nobody's, likewise.
        goals: of each seat those that it has reached, and the nearest three of the others.
        scores: for each seat what it has counted up; None where nothing is.
        brings: what the finished round changes in each seat's accounts; empty until then.
    """

    game: str
    version: int
    you: int | None
    dealer: int
    waiting: tuple[int, ...]
    prompt: Text | None
    shape: str
    zones: tuple[Zone, ...]
    legal: tuple[Legal, ...]
    refused: tuple[Refused, ...]
    score: tuple[SheetLine, ...]
    near: tuple[Near, ...]
    over: bool
    ending: str | None = None
    returns: tuple[int, ...] | None = None
    result: Text | None = None
    next_dealer: int | None = None
    middle: Mapping[str, int] = field(default_factory=dict)
    ledger: tuple[Mapping[str, int], ...] = ()
    accounts: Mapping[str, int] = field(default_factory=dict)
    goals: tuple[Goal, ...] = ()
    scores: tuple[Counted | None, ...] = ()
    brings: tuple[Mapping[str, int], ...] = ()

    def __str__(self) -> str:
        """The table as text, with notation in place of names."""
        book = rulebook(games.find(self.game))
        state = "the round is over" if self.over else f"{seats_text(self.waiting)} to act"
        lines = [f"{book.tables['name']['en']} · seat {self.dealer} deals · {state}"]
        for zone in self.zones:
            label = book.text_of(f"zones.{zone_key(zone, book.tables['zones'])}", "en")
            owner = "" if zone.owner is None else f" {zone.owner}"
            lines += wrap(f"{label}{owner}", zone_text(zone))
        lines += [line for name, n in self.middle.items() for line in wrap(book.text_of(f"zones.{name}", "en"), str(n))]
        if self.prompt:
            lines.append(book.render(self.prompt, "en"))
        if self.legal:
            lines += wrap("Legal", " ".join(legal.action for legal in self.legal))
        return "\n".join(lines)


@dataclass(slots=True, unsafe_hash=True)
class Event:
    """Something that has happened, as one viewer saw it.

    Attributes:
        seat: who did it; 16 is the driver.
        action: what was done, in notation; None where others may not know it yet.
        text: what the log says of it.
        view: the viewer's view after it.
    """

    seat: int
    action: str | None
    text: Text
    view: View


@dataclass(frozen=True)
class Sheet:
    """A score sheet: its lines, and for each seat what the round changes in the ledger, once it is over."""

    game: str
    lines: tuple[SheetLine, ...]
    returns: tuple[int, ...] | None

    def __str__(self) -> str:
        """The sheet as text."""
        return draw_sheet(self.game, self.lines, self.returns)


def make_view(contract: Contract, h: RoundState, version: int, seat: int | None) -> View:
    """The view of a hidden state."""
    asked = seat is not None and bool(waiting(h) >> seat & 1)
    ended, zones, score = bool(over(h)), contract.zones(h), tuple(contract.score_sheet(h))
    won = tuple(int(returns(h, player)) for player in range(h.seats)) if ended else None
    brings = tuple(dict(contract.tally(h, player)) for player in range(h.seats)) if ended else ()
    return View(
        game=contract.id,
        version=version,
        you=seat,
        dealer=h.dealer,
        waiting=each(waiting(h)),
        prompt=contract.prompt(h, seat) if seat is not None and asked else None,
        shape=contract.shape,
        zones=tuple(zones),
        legal=tuple(_choices(contract, h, zones, seat)) if seat is not None and asked else (),
        refused=tuple(_refused(contract, h, zones, seat)) if seat is not None and asked else (),
        score=score,
        near=tuple(within_reach(contract.goals(h, seat))) if seat is not None and not ended else (),
        over=ended,
        ending=contract.endings[h.ending] if ended else None,
        returns=won,
        result=result(score, won, brings) if won else None,
        next_dealer=contract.next_dealer(h) if ended else None,
        middle=dict(contract.middle(h)),
        goals=tuple(goal for player in range(h.seats) for goal in _nearest(contract.goals(h, player))),
        scores=tuple(contract.scored(h, player) for player in range(h.seats)),
        brings=brings,
    )


def _nearest(goals: Iterable[Goal]) -> list[Goal]:
    """The goals that a seat has reached, and the nearest others, the most valuable first; one that is lost if it was begun."""
    told = sorted(goals, key=lambda goal: (goal.lost, goal.needs - goal.has, -(goal.value or 0)))
    reached = [goal for goal in told if goal.has >= goal.needs]
    return reached + [goal for goal in told if goal.has < goal.needs and (goal.has or not goal.lost)][:_GOALS]


def _choices(contract: Contract, h: RoundState, zones: Iterable[Zone], seat: int) -> Iterator[Legal]:
    """What a seat may do, and what each would take: it is played on a copy of what the seat sees, and the zones are compared."""
    captured, hand = _cards_in(zones, seat, "captured"), _cards_in(zones, seat, "hand")
    tried = contract.state()
    undone = undoing(h, seat)
    for action in each(legal(h, seat)):
        if undone >> action & 1:
            yield Legal(card_text(action), Text("words.take-back", {"card": action}), 0, 0)
            continue
        copy(tried, h)
        play(tried, seat, action)
        gained = _cards_in(contract.zones(tried), seat, "captured") & ~captured
        next_choices = legal(tried, seat) if waiting(tried) == 1 << seat else 0
        choices = next_choices if next_choices < 1 << FIRST_WORD else 0
        if action >= FIRST_WORD:
            word = contract.words(action).text
            yield Legal(word, Text(f"words.{word}", {}), gained, choices)
        else:
            # A card from the hand takes others; a card chosen on the table is what is taken.
            takes = gained & ~(1 << action) if hand >> action & 1 else gained & 1 << action
            yield Legal(card_text(action), Text("card", {"card": action}), takes, choices)


def _refused(contract: Contract, h: RoundState, zones: Iterable[Zone], seat: int) -> Iterator[Refused]:
    """The cards of a seat's own hand that it may not play."""
    for card in each(_cards_in(zones, seat, "hand") & ~legal(h, seat)):
        reason = refusal(h, seat, card)
        yield Refused(card, Text(f"refusals.{reason.id}", reason.args), rulebook(contract).refusal_clause(reason.id))


def _cards_in(zones: Iterable[Zone], seat: int, kind: str) -> int:
    """The cards that may be seen in a seat's zones of a kind."""
    held = 0
    for zone in zones:
        if zone.kind == kind and zone.owner == seat:
            for card in zone.cards:
                if card is not None:
                    held |= 1 << card
    return held
