"""The mistakes of one person on this machine, which come back as questions: a file in the user's folder of data."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec
from platformdirs import user_data_path

from mekuri.engine.errors import MekuriError
from mekuri.table.schedule import Grade, days, graded, new

FORMAT = 1  # of the file; raised when its shape changes


class NotebookError(MekuriError):
    """The file of the mistakes is broken, or a newer Mekuri's."""


class Mistake(msgspec.Struct, kw_only=True):
    """A decision that was a mistake when it was reviewed.

    Attributes:
        file: the record.
        digest: of what stood in it: where that has changed, it is another match.
        round: which round of it, from 1.
        seat: whose decision.
        number: its place among the seat's decisions, from 1.
        due: when it is to be asked, in milliseconds since 1970.
        state: as the library that spaces questions has it, in JSON.
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
    searched: list[tuple[str, int, int]] = []  # of which record, by its digest, which rounds and seats have been looked through


def notebook_file() -> Path:
    """Where the mistakes are kept."""
    return user_data_path("mekuri", appauthor=False) / "practice.json"


class Notebook:
    """The mistakes, as the file has them. What is changed is written at once."""

    def __init__(self) -> None:
        """Read the file. Raises NotebookError where it is broken, or a newer Mekuri's."""
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
        """Whether a round has been looked through for a seat."""
        return (digest, round, seat) in self._told.searched

    def keep(self, file: Path, digest: str, round: int, seat: int, numbers: list[int], now: int) -> None:
        """Note that a round has been looked through, and the mistakes found there, which are due at once."""
        own = {"file": str(file.absolute()), "digest": digest, "round": round, "seat": seat, "due": now, "state": new(now)}
        self._told.mistakes += [msgspec.convert({**own, "number": number}, Mistake) for number in numbers]
        self._told.searched.append((digest, round, seat))
        self._write()

    def due(self, now: int) -> list[Mistake]:
        """What is due, longest due first."""
        return sorted((one for one in self._told.mistakes if one.due <= now), key=lambda one: one.due)

    def next_due(self, now: int) -> int | None:
        """In how many days the next of the others is due; None where there is none."""
        later = [one.due for one in self._told.mistakes if one.due > now]
        return max(1, days(now, min(later))) if later else None

    def grade(self, mistake: Mistake, grade: Grade, now: int) -> int:
        """Note how a question was answered; in how many days it comes back."""
        mistake.state, mistake.due = graded(mistake.state, grade, now)
        self._write()
        return days(now, mistake.due)

    def drop(self, mistake: Mistake) -> None:
        """Ask something no more."""
        self._told.mistakes.remove(mistake)
        self._write()

    def _write(self) -> None:
        self._at.parent.mkdir(parents=True, exist_ok=True)
        # Written beside it and then exchanged: whatever happens meanwhile, one of the two is whole.
        written = self._at.with_name(f"{self._at.name}.{os.getpid()}")
        written.write_bytes(msgspec.json.format(msgspec.json.encode(self._told), indent=1))
        written.replace(self._at)
