"""Every refusal is one of these errors, with a message that says what to do."""

from __future__ import annotations

from collections.abc import Sequence

_FAULTS_TOLD = 3  # in one line


class MekuriError(ValueError):
    """Something asked of Mekuri that it refuses."""


class UnknownGame(MekuriError):
    """No game has this name."""


class UnfinishedGame(UnknownGame):
    """A game that is installed and cannot be played: something that every game has is lacking, or wrong.

    Attributes:
        game: its name.
        faults: what is wrong, each with its file, table and key.
        why: the first of them, in one line.
    """

    def __init__(self, game: str, faults: Sequence[str]) -> None:
        more = [f"and {len(faults) - _FAULTS_TOLD} more"] if len(faults) > _FAULTS_TOLD else []
        self.game = game
        self.faults = tuple(faults)
        self.why = "; ".join([*faults[:_FAULTS_TOLD], *more])
        super().__init__(f"the game {game} is left out: {self.why}")


class OutdatedGame(MekuriError):
    """A game that is written by an older version of the contract, and uses what is called otherwise now."""


class OptionError(MekuriError):
    """An option that a game does not have, a value it does not take, or options that make no sense together."""


class PositionError(MekuriError):
    """A text that sets up no position."""


class RecordError(MekuriError):
    """A record that is broken, truncated, forged, or made by a newer Mekuri."""


class CannotCompile(MekuriError):
    """Rules of which no machine code can be made: the file, the line and what stands there."""


class IllegalAction(MekuriError):
    """An action the rules forbid.

    Attributes:
        clause: id of the clause that forbids it; empty where the game cites none.
    """

    def __init__(self, message: str, clause: str) -> None:
        super().__init__(f"{message} ({clause})" if clause else message)
        self.message = message
        self.clause = clause
