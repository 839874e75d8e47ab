"""Views, which show a hidden state as zones, texts and choices; the events of a round; and score sheets.

A view is made from a hidden state and nothing else, so it cannot hold anything that its viewer may not know.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from mekuri import games
from mekuri.cards import Card, Cards, card_text, each
from mekuri.engine.contract import (
    DRIVER,
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
from mekuri.engine.sides import partners, sides, speakers
from mekuri.match.deed import action_text, notation
from mekuri.match.draw import draw_sheet, seats_text, wrap, zone_key, zone_text
from mekuri.match.result import result

_GOALS = 3  # goals that a view shows of a seat besides the goals that the seat has reached


@dataclass(unsafe_hash=True)
class Legal:
    """A legal action of the viewer.

    Attributes:
        action: the action in notation, as `Round.play` takes it.
        text: its name: a card's name, a word's text, or `words.take-back` with the card that is taken back.
        takes: the cards that the action captures at once. For a card of the hand, without that card itself; for a card chosen on
            the table, that card alone.
        choices: the cards from which the viewer must choose next; none where no such choice follows, or words may be
            chosen as well.
    """

    action: str
    text: Text
    takes: Cards
    choices: Cards


@dataclass(unsafe_hash=True)
class Refused:
    """A card of the viewer's own hand that may not be played now.

    Attributes:
        card: the card.
        text: the reason, a text of the rule book.
        clause: the id of the clause that forbids it.
    """

    card: Card
    text: Text
    clause: str


@dataclass(kw_only=True)
class View:
    """A round as one viewer sees it.

    Attributes:
        game: the game's name.
        version: how many events the viewer has seen so far.
        you: the viewer's seat; None for a spectator.
        dealer: the seat that deals.
        waiting: the seats that are to act, in ascending order.
        closes: at a table, when the open window closes and silence counts as an answer, in milliseconds since 1970; None elsewhere,
            and where none is open.
        due: at a table that is played turn by turn, until when the waiting seats may take; None elsewhere.
        prompt: the question that the viewer is asked; None when it is not the viewer's turn.
        shape: the shape of the table: `faces`, `ring`, `bank` or `pile`.
        zones: the places on the table with the cards in them.
        legal: the viewer's legal actions; empty when it is not the viewer's turn.
        refused: the cards of the viewer's hand that may not be played now; empty when it is not the viewer's turn.
        score: the lines of the score sheet as it stands, from what the viewer sees.
        near: the yaku within the viewer's reach; empty for a spectator and once the round is over.
        middle: the amounts that lie in the middle of the table, such as a pot, by the names of their places.
        over: whether the round is over.
        ending: how the finished round ended, an id from the contract's `endings`; None until then.
        returns: for each seat what the finished round changes in its account; None until then.
        result: a sentence that says who has won the finished round, and what decided it; None until then.
        next_dealer: the seat that deals after the finished round, if there is another round; None until then.
        ledger: for each seat its accounts in the match, by name; they include a finished round once it has been entered. Empty in
            a round without a match.
        accounts: the match's accounts that no seat owns, by name, likewise.
        goals: for all seats, in order, the goals that each has reached, and its nearest three of the others.
        scores: for each seat what it has counted up so far; None where the game counts nothing.
        brings: for each seat what the finished round changes in its accounts, by name; empty until then.
        sides: for each seat its side; seats of one side are partners, and their captures are one zone, whose owner is the viewer if
            it is the viewer's side. Empty where each seat plays for itself.
        waits: what the other seats that are to act are asked; None where nobody else is, or the rule book has no text for it.
        decision: the score sheet of the viewer's decision, such as a call: lines with what it brings now, and lines of 0 points for
            what changes it later; empty where the game has none for it.
    """

    game: str
    version: int
    you: int | None
    dealer: int
    waiting: tuple[int, ...]
    closes: int | None
    due: int | None = None
    prompt: Text | None
    shape: str
    zones: tuple[Zone, ...]
    legal: tuple[Legal, ...]
    refused: tuple[Refused, ...]
    score: tuple[SheetLine, ...]
    near: tuple[Near, ...]
    middle: Mapping[str, int]
    over: bool
    ending: str | None
    returns: tuple[int, ...] | None
    result: Text | None = None
    next_dealer: int | None
    ledger: tuple[Mapping[str, int], ...]
    accounts: Mapping[str, int]
    goals: tuple[Goal, ...] = ()
    scores: tuple[Counted | None, ...] = ()
    brings: tuple[Mapping[str, int], ...] = ()
    waits: Text | None = None
    decision: tuple[SheetLine, ...] = ()
    sides: tuple[int, ...] = ()

    def __str__(self) -> str:
        """Return the view as plain text, with cards and actions in notation."""
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


@dataclass(unsafe_hash=True)
class Happening:
    """An action of a seat or of the driver, as one viewer saw it.

    Attributes:
        seat: the seat that acted; 16 is the driver.
        action: the action in notation; None where the viewer has not seen which it was.
        text: the line that the table's log shows for it.
        view: the viewer's view after it.
    """

    seat: int
    action: str | None
    text: Text
    view: View


@dataclass(frozen=True)
class Sheet:
    """A score sheet.

    Attributes:
        game: the game's name.
        lines: its lines.
        returns: for each seat what the round changes in its account; None while the round is being played.
    """

    game: str
    lines: tuple[SheetLine, ...]
    returns: tuple[int, ...] | None

    def __str__(self) -> str:
        """Return the sheet as plain text."""
        return draw_sheet(self.game, self.lines, self.returns)


def make_view(contract: Contract, h: RoundState, version: int, seat: int | None, public: dict[str, Any] | None = None) -> View:
    """Return the view of a hidden state, without the accounts of a match.

    Args:
        contract: the game's contract.
        h: the hidden state of the viewer.
        version: how many events the viewer has seen so far.
        seat: the viewer's seat; None for a spectator.
        public: what `public_part` returns for the same point of the round; found from `h` if left out.
    """
    asked = seat is not None and bool(waiting(h) >> seat & 1)
    table, public = contract.table, public or public_part(contract, h)
    of = public["sides"] or range(h.seats)
    shown = speakers(of, seat)  # of each side one seat, whose goals and lines of the score hold for its partners too
    zones = _zones(contract, h, of, shown)
    own = [] if seat is None else table.goals(h, seat)  # from its own hidden state more may be known of a seat
    goals = [_nearest(own) if player == seat else public["goals"][player] for player in shown]
    scores = [table.scored(h, player) if player == seat else public["scores"][player] for player in range(h.seats)]
    score = tuple(line for line in public["score"] if isinstance(line.seat, str) or line.seat in shown)
    of_seats: dict[str, Any] = {"goals": tuple(chain.from_iterable(goals)), "scores": tuple(scores), "score": score}
    amounts: dict[str, Any] = {"middle": dict(public["middle"]), "brings": tuple(map(dict, public["brings"]))}  # the view's own
    return View(
        game=contract.id,
        version=version,
        you=seat,
        dealer=h.dealer,
        waiting=each(waiting(h)),
        closes=None,
        prompt=table.prompt(h, seat) if seat is not None and asked else None,
        shape=contract.shape,
        zones=tuple(zones),
        legal=tuple(_choices(contract, h, zones, seat, partners(of, seat))) if seat is not None and asked else (),
        refused=tuple(_refused(contract, h, zones, seat)) if seat is not None and asked else (),
        near=() if public["over"] else tuple(within_reach(own)),
        ledger=(),
        accounts={},
        waits=_waits(contract, h, seat),
        decision=tuple(table.decision_sheet(h, seat)) if seat is not None and asked else (),
        **public | of_seats | amounts,
    )


def public_part(contract: Contract, h: RoundState) -> dict[str, Any]:
    """Return the fields of a view that every viewer may know, by name: found once, and shared by all views of an event.

    Args:
        contract: the game's contract.
        h: the hidden state of a spectator, so that nothing else can be in them.

    Returns:
        The fields; `goals` and `scores` by seat.
    """
    table, ended, seats, of = contract.table, bool(over(h)), range(h.seats), sides(h)
    score = tuple(table.score_sheet(h))
    won = tuple(int(returns(h, player)) for player in seats) if ended else None
    brings = tuple(dict(contract.match.tally(h, player)) for player in seats) if ended else ()
    return {
        "score": score,
        "middle": dict(table.middle(h)),
        "over": ended,
        "ending": contract.endings[h.ending] if ended else None,
        "returns": won,
        "result": result(score, won, brings, of) if won else None,
        "next_dealer": contract.match.next_dealer(h) if ended else None,
        "goals": [_nearest(table.goals(h, player)) for player in seats],
        "scores": [table.scored(h, player) for player in seats],
        "brings": brings,
        "sides": of if len({*of}) < h.seats else (),
    }


def _waits(contract: Contract, h: RoundState, viewer: int | None) -> Text | None:
    """Return what other seats are asked, as the viewer may know it: the prompt is taken from the viewer's hidden state."""
    texts = rulebook(contract).tables["waits"]
    asked = next((seat for seat in each(waiting(h)) if texts and seat not in (DRIVER, viewer)), None)
    key = "" if asked is None else contract.table.prompt(h, asked).id.removeprefix("prompts.")
    return Text(f"waits.{key}", {}) if key in texts else None


def _nearest(goals: Iterable[Goal]) -> list[Goal]:
    """Return the goals that a seat has reached, then the nearest three of the others.

    The fewer steps are lacking, the nearer; of equally near ones the most valuable comes first. Goals that can no longer be reached
    come last, and only where a step towards them has been done.
    """
    in_order = sorted(goals, key=lambda goal: (goal.lost, goal.needs - goal.has, -(goal.value or 0)))
    reached = [goal for goal in in_order if goal.has >= goal.needs]
    return reached + [goal for goal in in_order if goal.has < goal.needs and (goal.has or not goal.lost)][:_GOALS]


def _choices(contract: Contract, h: RoundState, zones: Iterable[Zone], seat: int, side: Collection[int]) -> Iterator[Legal]:
    """Yield a seat's legal actions. The cards that each takes for its side are found by doing it on a copy of the state."""
    captured, hand = _cards_in(zones, side, "captured"), _cards_in(zones, (seat,), "hand")
    tried = contract.state()
    undone = undoing(h, seat)
    for action in each(legal(h, seat)):
        if undone >> action & 1:
            yield Legal(card_text(action), Text("words.take-back", {"card": action}), Cards(), Cards())
            continue
        copy(tried, h)
        play(tried, seat, action)
        gained = _cards_in(contract.table.zones(tried), side, "captured") & ~captured
        next_choices = legal(tried, seat) if waiting(tried) == 1 << seat else 0
        choices = Cards(next_choices if next_choices < 1 << FIRST_WORD else 0)
        if action < FIRST_WORD:
            # A card from the hand takes other cards; a card chosen on the table is itself the card that is taken.
            gained &= ~(1 << action) if hand >> action & 1 else 1 << action
        yield Legal(notation(contract, action), action_text(contract, action), Cards(gained), choices)


def _refused(contract: Contract, h: RoundState, zones: Iterable[Zone], seat: int) -> Iterator[Refused]:
    """Yield the cards of a seat's own hand that it may not play now."""
    for card in Cards(_cards_in(zones, (seat,), "hand") & ~legal(h, seat)):
        yield Refused(card, *rulebook(contract).refusal(refusal(h, seat, card)))


def _zones(contract: Contract, h: RoundState, of: Sequence[int], shown: Collection[int]) -> list[Zone]:
    """Return the places on the table, with the captures of partners in one: that of the seat among `shown`."""
    zones = contract.table.zones(h)
    if len(shown) == h.seats:
        return zones
    order = [*contract.capture_groups.values()]
    found = []
    for zone in zones:
        if zone.kind != "captured" or zone.owner is None:
            found.append(zone)
        elif zone.owner in shown:
            side = partners(of, zone.owner)
            cards = [card for other in zones if other.kind == "captured" and other.owner in side for card in other.cards]
            found.append(replace(zone, cards=tuple(sorted(cards, key=lambda card: _place(card, order)))))
    return found


def _place(card: int | None, groups: Sequence[int]) -> tuple[int, int]:
    """Return where a captured card lies: by its group, then by its number. Cards that lie face down come last."""
    if card is None:
        return len(groups) + 1, 0
    return next((i for i, cards in enumerate(groups) if cards >> card & 1), len(groups)), card


def _cards_in(zones: Iterable[Zone], seats: Collection[int], kind: str) -> int:
    """Return the visible cards in the zones of one kind of some seats, as a set."""
    held = 0
    for zone in zones:
        if zone.kind == kind and zone.owner in seats:
            for card in zone.cards:
                if card is not None:
                    held |= 1 << card
    return held
