"""What is refused at a table, or by whoever keeps it. The words stand in the catalogue's `errors`."""

from __future__ import annotations

from mekuri.engine.contract import Text
from mekuri.engine.errors import MekuriError
from mekuri.engine.rulebook import Rulebook
from mekuri.protocol import table as wire
from mekuri.protocol import view as wired
from mekuri.protocol.texts import say


class ProblemError(MekuriError):
    """Something that is asked and refused.

    Attributes:
        problem: what whoever asked is told.
    """

    def __init__(self, error: str, **args: int | str) -> None:
        self._set(
            wire.Problem(
                error=error, message=say(f"errors.{error}", "en", **args), text=wired.Text(id=f"errors.{error}", args=dict(args))
            )
        )

    def _set(self, problem: wire.Problem) -> None:
        super().__init__(problem.message)
        self.problem = problem


class IllegalActionError(ProblemError):
    """An action that the rules forbid."""

    def __init__(self, text: Text, clause: str, book: Rulebook) -> None:
        self._set(wire.Problem(error="illegal", message=book.render(text, "en"), text=wired.text(text), clause=clause or None))
