"""Messages of practice, in which a person's own mistakes are asked as questions: how many are due, the next one, and an answer."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from mekuri.bots.review import Choice, Moment
from mekuri.engine.contract import Text
from mekuri.protocol.table import Event

_FAR = (1 << 53) - 1
_Count = Annotated[int, Meta(ge=0, le=_FAR, examples=[0])]
_Number = Annotated[int, Meta(ge=1, le=_FAR, examples=[1])]


class Practice(msgspec.Struct, frozen=True, kw_only=True):
    """The state of a person's practice.

    Attributes:
        due: the number of questions that are due now.
        kept: the number of all questions.
        next: when the next question that is not due yet will be, in milliseconds since 1970; null where there is none.
        rounds: the number of rounds that are still to be reviewed for mistakes.
        done: the number of decisions that have been judged in the round under review.
        total: the number of all decisions in that round; 0 while it is not known, and where no round is under review.
    """

    due: int
    kept: int
    next: int | None
    rounds: int
    done: int
    total: int


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """A mistake of a person as a question. It holds only what the seat saw at that decision, and nothing that came later.

    Attributes:
        table: the table's id.
        game: the game's name.
        round: the round's number, from 1.
        seat: the person's seat.
        number: the decision's number among those of the seat in the round, from 1.
        tries: the number of answers tried so far, ever; it is sent with the next one.
        choices: the choices.
        event: the last event that the seat had seen, with its view.
        hint: empty once the first try was wrong, null before. Earlier versions gave reasons here, which named the best choice.
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
    """The next question of practice.

    Attributes:
        question: the question that has been due for longest; null where none is due.
    """

    question: Question | None


class AskTry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request to answer a question. There are two tries.

    Attributes:
        table, round, number: as in the question.
        tries: as in the question.
        action: your choice, in notation; null if you do not know.
    """

    table: Annotated[str, Meta(min_length=1, max_length=64, examples=["b7Zk2QxWm0Ra"])]
    round: _Number
    number: _Number
    tries: _Count
    action: Annotated[str, Meta(max_length=32, examples=["7I"])] | None


class Tried(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a try. The same try sent again gets the same result.

    Attributes:
        right: whether the choice is the one that the review calls best.
        over: whether the question is done; otherwise there is a second try.
        tries: the number of answers tried so far, ever.
        hint: reasons for the best choice once the question is over, empty before.
        moment: the decision as it was reviewed; null while the question is not done.
        days: in how many days the question comes back; null while it is not done.
    """

    right: bool
    over: bool
    tries: int
    hint: list[Text]
    moment: Moment | None
    days: int | None
