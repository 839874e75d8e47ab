"""The file of the person's mistakes on this machine, which are asked again as questions."""

from __future__ import annotations

from pathlib import Path

import msgspec
from platformdirs import user_data_path

from mekuri.engine.errors import MekuriError
from mekuri.files import write_file
from mekuri.table.schedule import Grade, days, graded, new

FORMAT = 1  # the version of the file's format


class NotebookError(MekuriError):
    """The file of the mistakes is broken, or was written by a newer version."""


class Mistake(msgspec.Struct, kw_only=True):
    """A decision that was a mistake when it was reviewed.

    Attributes:
        file: the path of the record.
        digest: the digest of the record's content. A record with another digest holds another match.
        round: the number of the round, from 1.
        seat: the seat that decided.
        number: the number of the decision among those of the seat, from 1.
        due: when it is to be asked, in milliseconds since 1970.
        state: the state of the question in the spacing algorithm, as JSON.
    """

    file: str
    digest: str
    round: int
    seat: int
    number: int
    due: int
    state: str


class _File(msgspec.Struct, kw_only=True):
    mekuri: int = FORMAT
    mistakes: list[Mistake] = []
    searched: list[tuple[str, int, int]] = []  # reviewed already: digest of the record, round, seat


def notebook_file() -> Path:
    """Return the path of the file of the mistakes."""
    return user_data_path("mekuri", appauthor=False) / "practice.json"


class Notebook:
    """The mistakes in the file. Every change is written at once."""

    def __init__(self) -> None:
        """Read the file.

        Raises:
            NotebookError: the file is broken, or was written by a newer version.
        """
        self._at = notebook_file()
        try:
            self._told = msgspec.json.decode(self._at.read_bytes(), type=_File)
        except FileNotFoundError:
            self._told = _File()
        except msgspec.DecodeError:
            raise NotebookError(f"{self._at} is broken: delete it; when your mistakes come back is then forgotten") from None
        if self._told.mekuri > FORMAT:
            raise NotebookError(f"{self._at} was written by a newer Mekuri: update to read it")

    def __len__(self) -> int:
        return len(self._told.mistakes)

    def searched(self, digest: str, round: int, seat: int) -> bool:
        """Return whether a round has been reviewed for a seat."""
        return (digest, round, seat) in self._told.searched

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
        self._told.mistakes += [msgspec.convert({**own, "number": number}, Mistake) for number in numbers]
        self._told.searched.append((digest, round, seat))
        self._write()

    def due(self, now: int) -> list[Mistake]:
        """Return the mistakes that are due at a time in milliseconds since 1970, the longest due first."""
        return sorted((one for one in self._told.mistakes if one.due <= now), key=lambda one: one.due)

    def next_due(self, now: int) -> int | None:
        """Return in how many days the next mistake becomes due, at least 1; None where no mistake is due later.

        Args:
            now: the time in milliseconds since 1970.
        """
        later = [one.due for one in self._told.mistakes if one.due > now]
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
        self._told.mistakes.remove(mistake)
        self._write()

    def _write(self) -> None:
        self._at.parent.mkdir(parents=True, exist_ok=True)
        write_file(self._at, msgspec.json.format(msgspec.json.encode(self._told), indent=1), overwrite=True)
