"""Messages of puzzles: a game's list of puzzles, a puzzle as a question, and the result of a try, which holds the answer."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Annotated

import msgspec
from msgspec import Meta

from mekuri.bots.figures import Z
from mekuri.bots.review import BLUNDER, Choice, Estimate
from mekuri.cards import each
from mekuri.engine import puzzles as written
from mekuri.engine.called import choices_of
from mekuri.engine.contract import Contract, Text, Worth
from mekuri.match.puzzle import set_up
from mekuri.protocol.library import worths
from mekuri.protocol.table import Event, Seat


class PuzzleHead(msgspec.Struct, frozen=True, kw_only=True):
    """An entry in a game's list of puzzles.

    Attributes:
        id: the puzzle's id.
        level: the difficulty, from 1 to 3.
    """

    id: str
    level: int


class Puzzles(msgspec.Struct, frozen=True, kw_only=True):
    """The puzzles of a game.

    Attributes:
        game: the game's name.
        puzzles: the puzzles, the easiest first.
    """

    game: str
    puzzles: list[PuzzleHead]


class Puzzle(msgspec.Struct, frozen=True, kw_only=True):
    """A puzzle as a question: a decision in a round that bots played, with only what its seat had seen.

    Attributes:
        game: the game's name.
        id: the puzzle's id.
        level: the difficulty, from 1 to 3.
        seat: the reader's seat.
        seats: the seats: the reader's is that of a person, the others are those of the bots that played the round.
        choices: the choices.
        event: the last event that the seat had seen, with its view.
        cards: the worth of every card in play, by its notation.
    """

    game: str
    id: str
    level: int
    seat: int
    seats: list[Seat]
    choices: list[Choice]
    event: Event
    cards: dict[str, Worth]


class AskPuzzleTry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request to answer a puzzle. With three choices or more, there is a hint and a second try after a wrong first one.

    The server stores nothing of it.

    Attributes:
        action: your choice, in notation; null if you do not know.
        second: whether this is the second try.
    """

    action: Annotated[str, Meta(max_length=32, examples=["7I"])] | None
    second: bool = False


class ChoiceCost(msgspec.Struct, frozen=True, kw_only=True):
    """A wrong choice, and how much worse it is than the best.

    Attributes:
        action: the choice, in notation.
        cost: how much lower the seat's mean returns are than after the best choice.
        label: `mistake` or `blunder`.
    """

    action: str
    cost: Estimate
    label: str


class PuzzleAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The answer of a puzzle.

    Attributes:
        best: the best choice, in notation.
        tempts: the choice that brings most at once, in notation; in some puzzles it is the best.
        brings: the mean of the seat's returns after the best choice.
        costs: all other choices, and how much worse each is.
        facts: the reasons why the best choice is better than the tempting one, or than the second best if it tempts itself.
        worlds: the number of worlds, which agree with all that the seat has seen, in which every choice was tried.
        deals: the number of further deals of the hidden cards in which the choices were compared.
        sure: the number of these deals in which no other choice is better by as much as a mistake costs.
        solved: the number of these deals that were solved exactly, with all cards open.
        agree: the number of solved deals in which no choice is better than the best.
        tries: how often each character tried to solve the puzzle.
        finds: how often each character found the best choice, by the character's id, the weakest first.
        bot: the id of the bot whose search judged the choices.
        version: the judge's version.
    """

    best: str
    tempts: str
    brings: float
    costs: list[ChoiceCost]
    facts: list[Text]
    worlds: int
    deals: int
    sure: int
    solved: int
    agree: int
    tries: int
    finds: dict[str, int]
    bot: str
    version: str


class PuzzleTried(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a try at a puzzle.

    Attributes:
        right: whether the choice is the best one.
        over: whether the puzzle is done; otherwise there is a second try.
        hint: the kind of the best choice, as a text that does not name it.
        answer: the answer; null while the puzzle is not done.
    """

    right: bool
    over: bool
    hint: Text
    answer: PuzzleAnswer | None


@cache
def puzzles(contract: Contract) -> Puzzles | None:
    """Return the list of a game's puzzles; None where it has none."""
    found = written.puzzles(contract)
    heads = [PuzzleHead(id=one.id, level=one.level) for one in found.puzzles] if found else []
    return Puzzles(game=contract.id, puzzles=heads) if heads else None


def puzzle(contract: Contract, id: str) -> Puzzle | None:
    """Return a puzzle as a question; None where there is none of that id. Raises PuzzleError where it cannot be played."""
    all_of_them, one = written.puzzles(contract), find(contract, id)
    if all_of_them is None or one is None:
        return None
    round = set_up(contract, all_of_them, one)
    seen = round.seen(one.seat)
    last = round.events(one.seat, round.version(one.seat) - 1)[-1]
    return Puzzle(
        game=contract.id,
        id=id,
        level=one.level,
        seat=one.seat,
        seats=[_seat(seat, name, seat == one.seat) for seat, name in enumerate(one.players)],
        choices=[Choice.of(contract, action) for action in each(choices_of(seen.hidden, one.seat))],
        event=Event(
            table="",
            version=last.view.version,
            kind="play",
            seat=last.seat,
            action=last.action,
            text=last.text,
            head=None,
            view=last.view,
        ),
        cards=worths("", round.game).cards,
    )


def tried(contract: Contract, id: str, asked: AskPuzzleTry) -> PuzzleTried | None:
    """Return the result of a try; None where there is no such puzzle, or the action is none of its choices."""
    one = find(contract, id)
    if one is None or asked.action not in (None, one.best, *one.costs):
        return None
    right = asked.action == one.best
    over = right or asked.second or len(one.costs) == 1  # of two choices the other is no second try
    return PuzzleTried(right=right, over=over, hint=one.hint, answer=answer(contract, one) if over else None)


def answer(contract: Contract, one: written.Puzzle) -> PuzzleAnswer:
    """Return the answer of a puzzle, with the costs of all choices and how it was judged."""
    found = written.puzzles(contract)
    assert found, "it is one of them"

    def priced(action: str, cost: float, half: float) -> ChoiceCost:
        return ChoiceCost(
            action=action, cost=Estimate(cost, half / Z), label="blunder" if cost >= BLUNDER * one.open else "mistake"
        )

    of_one = {name: getattr(one, name) for name in ("best", "tempts", "brings", "sure", "solved", "agree")}
    of_all = {name: getattr(found, name) for name in ("worlds", "deals", "tries", "bot", "version")}
    costs = [priced(action, *cost) for action, cost in one.costs.items()]
    return PuzzleAnswer(costs=costs, facts=[*one.why], finds=dict(one.finds), **of_one, **of_all)


def find(contract: Contract, id: str) -> written.Puzzle | None:
    """Return a puzzle of a game by its id; None where there is none."""
    return _by_id(contract).get(id)


@cache
def _by_id(contract: Contract) -> Mapping[str, written.Puzzle]:
    found = written.puzzles(contract)
    return {one.id: one for one in found.puzzles} if found else {}


def _seat(seat: int, bot: str, you: bool) -> Seat:
    kind, plays = ("person", None) if you else ("bot", bot)
    return Seat(seat=seat, kind=kind, name=None, bot=plays, ready=False, enough=False, kept_for=None)  # type: ignore[arg-type]
