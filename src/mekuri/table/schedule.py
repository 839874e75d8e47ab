"""When a question comes back: at growing distances while it is answered, soon where it is not.

How far apart is worked out by the library `fsrs`, with its usual parameters; nothing of it is ours.
"""

from __future__ import annotations

from datetime import UTC, datetime
from enum import Enum

from fsrs import Card, Rating, Scheduler

# Whole days from the first answer on, without steps of minutes: nobody sits before the page for so long. Equal answers come to
# equal days.
_SCHEDULER = Scheduler(learning_steps=(), relearning_steps=(), enable_fuzzing=False)
_DAY = 86_400_000  # milliseconds


class Grade(Enum):
    """How a question was answered: at once; after a hint or at the second try; not at all."""

    GOOD = Rating.Good
    HARD = Rating.Hard
    AGAIN = Rating.Again


def new(now: int) -> str:
    """The state of a question that has never been asked, as the library's own JSON. Times are in milliseconds since 1970."""
    return Card(card_id=0, due=_time(now)).to_json()


def graded(state: str, grade: Grade, now: int) -> tuple[str, int]:
    """The state after an answer, and when the question is due next."""
    card, _ = _SCHEDULER.review_card(Card.from_json(state), Rating(grade.value), _time(now))
    return card.to_json(), round(card.due.timestamp() * 1000)


def days(now: int, due: int) -> int:
    """In how many days that is."""
    return round((due - now) / _DAY)


def _time(at: int) -> datetime:
    return datetime.fromtimestamp(at / 1000, UTC)
