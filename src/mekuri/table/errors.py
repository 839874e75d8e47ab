"""Errors with the Problem that is sent to the client. Their texts are those of the catalogue's table `errors`."""

from __future__ import annotations

from mekuri.engine.contract import Text
from mekuri.engine.errors import MekuriError
from mekuri.engine.rulebook import Rulebook
from mekuri.protocol import table as wire
from mekuri.protocol.texts import say


class ProblemError(MekuriError):
    """A request that is refused.

    Args:
        error: the error's key in the catalogue's table `errors`.
        args: the arguments of its text.

    Attributes:
        problem: the Problem that is sent to the client.
    """

    def __init__(self, error: str, **args: int | str) -> None:
        self._set(wire.Problem(error=error, message=say(f"errors.{error}", "en", **args), text=Text(f"errors.{error}", dict(args))))

    def _set(self, problem: wire.Problem) -> None:
        super().__init__(problem.message)
        self.problem = problem


class IllegalActionError(ProblemError):
    """An action that the rules forbid.

    Args:
        text: the reason, a text of the rule book.
        clause: the clause that forbids it; empty where there is none.
        book: the rule book.
    """

    def __init__(self, text: Text, clause: str, book: Rulebook) -> None:
        self._set(wire.Problem(error="illegal", message=book.render(text, "en"), text=text, clause=clause or None))
