"""The errors that Mekuri raises when it refuses something, each with a message that says what to do."""

from __future__ import annotations

import copyreg
from collections.abc import Sequence
from typing import Any

_FAULTS_TOLD = 3  # the faults that one line lists


class MekuriError(ValueError):
    """A request that Mekuri refuses: the base of its errors."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the message and the attributes: most errors are made of something else."""
        return copyreg.__newobj__, (type(self), *self.args), self.__dict__  # type: ignore[attr-defined]


class UnknownGame(MekuriError):
    """A name that no game has."""


class UnfinishedGame(UnknownGame):
    """A game that is installed and cannot be played, because its contract or its text files have faults.

    Attributes:
        game: the game's name.
        faults: one sentence for each fault, with its file, table and key.
        why: the first three faults, in one line.
    """

    def __init__(self, game: str, faults: Sequence[str]) -> None:
        more = [f"and {len(faults) - _FAULTS_TOLD} more"] if len(faults) > _FAULTS_TOLD else []
        self.game = game
        self.faults = tuple(faults)
        self.why = "; ".join([*faults[:_FAULTS_TOLD], *more])
        super().__init__(f"the game {game} is left out: {self.why}")


class OutdatedGame(MekuriError):
    """A game that is written by an older version of the contract, and uses names that have changed since."""


class OptionError(MekuriError):
    """An option that a game does not have, a value it does not take, or options that make no sense together."""


class PositionError(MekuriError):
    """A text that is no position, or a position that the game cannot have."""


class RecordError(MekuriError):
    """A record that is broken, truncated, forged, or made by a newer Mekuri."""


class CannotCompile(MekuriError):
    """Rules that cannot be compiled. The message names the file, the line and the construct that is at fault."""


class IllegalAction(MekuriError):
    """An action that the rules forbid.

    Attributes:
        message: the reason, without the clause.
        clause: id of the clause that forbids it; empty where the game cites none.
    """

    def __init__(self, message: str, clause: str) -> None:
        super().__init__(f"{message} ({clause})" if clause else message)
        self.message = message
        self.clause = clause
