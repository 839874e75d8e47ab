"""Every refusal is one of these errors, with a message that says what to do."""

from __future__ import annotations


class MekuriError(ValueError):
    """Something asked of Mekuri that it refuses."""


class UnknownGame(MekuriError):
    """No game has this name."""


class OptionError(MekuriError):
    """An option that a game does not have, a value it does not take, or options that make no sense together."""


class PositionError(MekuriError):
    """A text that sets up no position."""


class RecordError(MekuriError):
    """A record that is broken, truncated, forged, or made by a newer Mekuri."""


class IllegalAction(MekuriError):
    """An action the rules forbid.

    Attributes:
        clause: id of the clause that forbids it.
    """

    def __init__(self, message: str, clause: str) -> None:
        super().__init__(f"{message} ({clause})")
        self.message = message
        self.clause = clause
