"""One's own mistakes as questions, as they travel: how many are due, the next of them, and what becomes of an answer."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from mekuri.protocol.review import Choice, Moment
from mekuri.protocol.table import Event
from mekuri.protocol.view import Text

_FAR = (1 << 53) - 1
_Count = Annotated[int, Meta(ge=0, le=_FAR, examples=[0])]
_Number = Annotated[int, Meta(ge=1, le=_FAR, examples=[1])]


class Practice(msgspec.Struct, frozen=True, kw_only=True):
    """How somebody's practice stands.

    Attributes:
        due: how many mistakes are to be asked now.
        kept: how many there are in all.
        next: when the next of the others is due, in milliseconds since 1970; null where there is none.
        rounds: how many rounds are still to be looked through for mistakes.
        done: how many decisions have been judged of the round that is being reviewed.
        total: of how many; 0 while that is not known, and where none is being reviewed.
    """

    due: int
    kept: int
    next: int | None
    rounds: int
    done: int
    total: int


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """A mistake as a question: what the seat saw then, and nothing of what came of it.

    Attributes:
        table: the table's id.
        game: the game's name.
        round: the round's number, from 1.
        seat: the seat of whoever is asked.
        number: the decision's place among the seat's decisions in the round, from 1.
        tries: how often an answer has been tried, ever: it is sent along with the next.
        choices: what can be chosen from.
        event: what the seat had seen last, with its view.
        hint: what speaks for the best choice, once the first try was wrong; null before.
    """

    table: str
    game: str
    round: int
    seat: int
    number: int
    tries: int
    choices: list[Choice]
    event: Event
    hint: list[Text] | None


class NextQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """The next question.

    Attributes:
        question: the one that has been due for longest; null where none is.
    """

    question: Question | None


class AskTry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Answer a question. There are two tries: after a first that is wrong there is a hint.

    Attributes:
        table, round, number: of the question.
        tries: as in the question.
        action: what you would do, in notation; null if you do not know.
    """

    table: Annotated[str, Meta(min_length=1, max_length=64, examples=["b7Zk2QxWm0Ra"])]
    round: _Number
    number: _Number
    tries: _Count
    action: Annotated[str, Meta(max_length=32, examples=["7I"])] | None


class Tried(msgspec.Struct, frozen=True, kw_only=True):
    """What became of a try. The same try sent again gets the same answer.

    Attributes:
        right: whether the judge would do that too.
        over: whether the question is answered; otherwise there is a second try.
        tries: how often an answer has been tried, ever.
        hint: what speaks for the best choice.
        moment: the decision as it was reviewed; null while the question is not answered.
        days: in how many days it comes back; null while the question is not answered.
    """

    right: bool
    over: bool
    tries: int
    hint: list[Text]
    moment: Moment | None
    days: int | None
