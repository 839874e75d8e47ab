"""Practice of mistakes: the file in which they are kept on this machine, and the questions as printed text."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
from rich.console import Console
from rich.text import Text

from mekuri.bots.review import Moment
from mekuri.cards.given import typed
from mekuri.table.schedule import Grade, days, graded, new
from mekuri.terminal.base.kept import Versioned, read_kept, write_kept
from mekuri.terminal.printed.review import Telling, chosen, show_lines, show_question

LEAVE = "q"  # typed to stop
_NAME = "practice.json"  # the file of the mistakes


class Mistake(msgspec.Struct, kw_only=True):
    """A decision that was a mistake when it was reviewed.

    Attributes:
        file: the path of the record.
        digest: the digest of the record's content. A record with another digest holds another match.
        round: the number of the round, from 1.
        seat: the seat that decided.
        number: the number of the decision among those of the seat, from 1.
        due: when the question is due, in milliseconds since 1970.
        state: the state of the question in the spacing algorithm, as JSON.
    """

    file: str
    digest: str
    round: int
    seat: int
    number: int
    due: int
    state: str


class _File(Versioned, kw_only=True):
    mistakes: list[Mistake] = msgspec.field(default_factory=list)
    searched: list[tuple[str, int, int]] = msgspec.field(default_factory=list)  # of reviewed rounds: record, round, seat


class Notebook:
    """The mistakes in the file. Every change is written at once."""

    def __init__(self) -> None:
        """Read the file.

        Raises:
            KeptError: the file is broken, or was written by a newer version.
        """
        self._file = read_kept(_NAME, _File, "when your mistakes come back is then forgotten")

    def __len__(self) -> int:
        return len(self._file.mistakes)

    def searched(self, digest: str, round: int, seat: int) -> bool:
        """Return whether a round has been reviewed for a seat."""
        return (digest, round, seat) in self._file.searched

    def keep(self, file: Path, digest: str, round: int, seat: int, numbers: list[int], now: int) -> None:
        """Note that a round has been reviewed, and its mistakes, which are due at once.

        Args:
            file: the record.
            digest: the digest of the record's content.
            round: the number of the round, from 1.
            seat: the seat.
            numbers: the numbers of the decisions that were mistakes, from 1.
            now: the time in milliseconds since 1970.
        """
        own = {"file": str(file.absolute()), "digest": digest, "round": round, "seat": seat, "due": now, "state": new(now)}
        self._file.mistakes += [msgspec.convert({**own, "number": number}, Mistake) for number in numbers]
        self._file.searched.append((digest, round, seat))
        self._write()

    def due(self, now: int) -> list[Mistake]:
        """Return the mistakes that are due at a time in milliseconds since 1970, the longest due first."""
        return sorted((mistake for mistake in self._file.mistakes if mistake.due <= now), key=lambda mistake: mistake.due)

    def next_due(self, now: int) -> int | None:
        """Return in how many days the next mistake becomes due, at least 1; None if no mistake is due later.

        Args:
            now: the time in milliseconds since 1970.
        """
        later = [mistake.due for mistake in self._file.mistakes if mistake.due > now]
        return max(1, days(now, min(later))) if later else None

    def grade(self, mistake: Mistake, grade: Grade, now: int) -> int:
        """Note how a question was answered. Returns in how many days it is asked again.

        Args:
            mistake: the question.
            grade: how it was answered.
            now: the time in milliseconds since 1970.
        """
        mistake.state, mistake.due = graded(mistake.state, grade, now)
        self._write()
        return days(now, mistake.due)

    def drop(self, mistake: Mistake) -> None:
        """Remove a mistake from the file."""
        self._file.mistakes.remove(mistake)
        self._write()

    def _write(self) -> None:
        write_kept(_NAME, self._file)


def ask_again(telling: Telling, moment: Moment, title: str, ask: Callable[[str], str]) -> Grade | None:
    """Ask for the best action of a decision, in at most two tries, and print the answer.

    Args:
        telling: the texts of the review.
        moment: the decision.
        title: a line printed above the question.
        ask: shows a prompt and returns what is typed.

    Returns:
        GOOD for the first try, HARD for the second, AGAIN if both were wrong; None if the player stops.
    """
    console, translator = Console(highlight=False), telling.translator
    console.print(Text(title, "dim"))
    show_question(console, telling, moment)
    for grade in (Grade.GOOD, Grade.HARD):
        given = typed(ask(translator.say("practice.ask"))).strip()
        if given == LEAVE:
            return None
        if chosen(moment.choices, given) in moment.right:
            show_lines(console, [translator.say("review.right"), *telling.answer(moment)])
            return grade
        if grade is Grade.GOOD:
            show_lines(console, [translator.say("practice.once-more")])
    show_lines(console, telling.answer(moment))
    return Grade.AGAIN
