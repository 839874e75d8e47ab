"""Spaced repetition of questions: the day on which each is due next, computed by the library `fsrs` with its default parameters.

The intervals grow while a question is answered well; after a failure it is due soon again.
"""

from __future__ import annotations

from datetime import UTC, datetime
from enum import Enum

from fsrs import Card, Rating, Scheduler

# Intervals are whole days from the first answer on: learning steps of minutes would need a person to stay on the page. Without
# fuzzing, equal answers give equal intervals.
_SCHEDULER = Scheduler(learning_steps=(), relearning_steps=(), enable_fuzzing=False)
_DAY = 86_400_000  # milliseconds


class Grade(Enum):
    """How a question was answered: GOOD at once, HARD after a hint or at the second try, AGAIN not at all."""

    GOOD = Rating.Good
    HARD = Rating.Hard
    AGAIN = Rating.Again


def new(now: int) -> str:
    """Return the state of a question that has never been asked, as JSON of the library `fsrs`.

    Args:
        now: the time, in milliseconds since 1970, at which the question is due.
    """
    return Card(card_id=0, due=_time(now)).to_json()


def graded(state: str, grade: Grade, now: int) -> tuple[str, int]:
    """Return a question's state after an answer, and when it is due next, in milliseconds since 1970.

    Args:
        state: the state before, as returned by `new` or this function.
        grade: how the question was answered.
        now: the time of the answer, in milliseconds since 1970.
    """
    card, _ = _SCHEDULER.review_card(Card.from_json(state), Rating(grade.value), _time(now))
    return card.to_json(), round(card.due.timestamp() * 1000)


def days(now: int, due: int) -> int:
    """Return the whole number of days, rounded, between two times in milliseconds."""
    return round((due - now) / _DAY)


def _time(at: int) -> datetime:
    return datetime.fromtimestamp(at / 1000, UTC)
