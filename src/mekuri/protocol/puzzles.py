"""Puzzles as they travel: which there are, one as a question, and what becomes of a try. The answer travels once it was tried."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Annotated

import msgspec
from msgspec import Meta

from mekuri.bots.facts import action_text
from mekuri.bots.review import BLUNDER
from mekuri.cards import each
from mekuri.engine import puzzles as written
from mekuri.engine.called import choices_of
from mekuri.engine.contract import Contract
from mekuri.match.puzzle import set_up
from mekuri.protocol.library import worths
from mekuri.protocol.review import Choice, Estimate
from mekuri.protocol.table import Event, Seat, Worth
from mekuri.protocol.view import Ledger, Text, text, view

_NOBODYS = Ledger([], {})  # the round is of no match


class PuzzleHead(msgspec.Struct, frozen=True, kw_only=True):
    """A puzzle among those of its game.

    Attributes:
        id: of the puzzle.
        level: how hard it is, from 1 to 3.
    """

    id: str
    level: int


class Puzzles(msgspec.Struct, frozen=True, kw_only=True):
    """The puzzles of a game.

    Attributes:
        game: the game's name.
        puzzles: the easiest first.
    """

    game: str
    puzzles: list[PuzzleHead]


class Puzzle(msgspec.Struct, frozen=True, kw_only=True):
    """A puzzle as a question: what its seat had seen of a round that bots played, and nothing of what it has not.

    Attributes:
        game: the game's name.
        id: of the puzzle.
        level: how hard it is, from 1 to 3.
        seat: the seat of whoever is asked.
        seats: who plays; nobody else than whoever is asked sits in their seat.
        choices: what can be chosen from.
        event: what the seat had seen last, with its view.
        cards: what every card in play counts.
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
    """Answer a puzzle. There are two tries, of more than two choices: after a first that is wrong there is a hint. Nothing is kept.

    Attributes:
        action: what you would do, in notation; null if you do not know.
        second: whether this is the second try.
    """

    action: Annotated[str, Meta(max_length=32, examples=["7I"])] | None
    second: bool = False


class ChoiceCost(msgspec.Struct, frozen=True, kw_only=True):
    """What a choice costs.

    Attributes:
        action: in notation.
        cost: how much less it brings than the best.
        label: `mistake` or `blunder`.
    """

    action: str
    cost: Estimate
    label: str


class PuzzleAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The answer of a puzzle.

    Attributes:
        best: what is clearly the best, in notation.
        tempts: what is best at once, and no answer.
        brings: what the best brings, on average.
        costs: what every other choice costs.
        facts: why the best is better than what tempts.
        worlds: in how many worlds that the seat may be in every choice was tried.
        deals: in how many more it was seen whether another choice is better, with the others' cards lying so.
        sure: in how many of those none is by what is a mistake.
        solved: how many of them were worked out exactly, all cards open.
        agree: in how many of those nothing is better than the best.
        tries: how often each character tried to find it.
        finds: how often each did, by their names, the weakest first.
        bot: whose search judged.
        version: of who judged.
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
    """What became of a try.

    Attributes:
        right: whether it is the answer.
        over: whether the puzzle is answered; otherwise there is a second try.
        hint: of what kind the answer is.
        answer: the answer; null while the puzzle is not answered.
    """

    right: bool
    over: bool
    hint: Text
    answer: PuzzleAnswer | None


@cache
def puzzles(contract: Contract) -> Puzzles | None:
    """The puzzles of a game; None where it has none."""
    found = written.puzzles(contract)
    heads = [PuzzleHead(id=one.id, level=one.level) for one in found.puzzles] if found else []
    return Puzzles(game=contract.id, puzzles=heads) if heads else None


def puzzle(contract: Contract, id: str) -> Puzzle | None:
    """A puzzle as a question; None where there is none of that id. Raises PuzzleError where it cannot be played."""
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
        choices=[
            Choice(action=round.action_text(action), text=text(action_text(contract, action)))
            for action in each(choices_of(seen.hidden, one.seat))
        ],
        event=Event(
            table="",
            version=last.view.version,
            kind="play",
            seat=last.seat,
            action=last.action,
            text=text(last.text),
            head=None,
            view=view(last.view, last.view.version, _NOBODYS, None),
        ),
        cards=worths("", round.game).cards,
    )


def tried(contract: Contract, id: str, asked: AskPuzzleTry) -> PuzzleTried | None:
    """What becomes of a try; None where there is no such puzzle, or its choices hold no such action."""
    one = find(contract, id)
    if one is None or asked.action not in (None, one.best, *one.costs):
        return None
    right = asked.action == one.best
    over = right or asked.second or len(one.costs) == 1  # of two choices the other is no second try
    return PuzzleTried(right=right, over=over, hint=text(one.hint), answer=answer(contract, one) if over else None)


def answer(contract: Contract, one: written.Puzzle) -> PuzzleAnswer:
    """The answer of a puzzle."""
    found = written.puzzles(contract)
    assert found, "it is one of them"
    return PuzzleAnswer(
        best=one.best,
        tempts=one.tempts,
        brings=one.brings,
        costs=[
            ChoiceCost(
                action=action,
                cost=Estimate(mean=cost, least=round(cost - half, 3), most=round(cost + half, 3)),
                label="blunder" if cost >= BLUNDER * one.open else "mistake",
            )
            for action, (cost, half) in one.costs.items()
        ],
        facts=[text(fact) for fact in one.why],
        worlds=found.worlds,
        deals=found.deals,
        sure=one.sure,
        solved=one.solved,
        agree=one.agree,
        tries=found.tries,
        finds=dict(one.finds),
        bot=found.bot,
        version=found.version,
    )


def find(contract: Contract, id: str) -> written.Puzzle | None:
    """A puzzle of a game by its id; None where there is none."""
    return _by_id(contract).get(id)


@cache
def _by_id(contract: Contract) -> Mapping[str, written.Puzzle]:
    found = written.puzzles(contract)
    return {one.id: one for one in found.puzzles} if found else {}


def _seat(seat: int, bot: str, you: bool) -> Seat:
    kind, plays = ("person", None) if you else ("bot", bot)
    return Seat(seat=seat, kind=kind, name=None, bot=plays, ready=False, enough=False, kept_for=None)  # type: ignore[arg-type]
