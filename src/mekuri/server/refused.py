"""What a server refuses, and under which HTTP status. The words stand in the catalogue's `errors`."""

from __future__ import annotations

from http import HTTPStatus

from mekuri.engine.contract import Text
from mekuri.engine.errors import MekuriError
from mekuri.engine.rulebook import Rulebook
from mekuri.protocol import table as wire
from mekuri.protocol import view as wired
from mekuri.protocol.texts import say

_STATUS = {
    "not-signed-in": HTTPStatus.UNAUTHORIZED,
    "bad-token": HTTPStatus.UNAUTHORIZED,
    "origin": HTTPStatus.FORBIDDEN,
    "not-seated": HTTPStatus.FORBIDDEN,
    "no-such-table": HTTPStatus.NOT_FOUND,
    "no-such-game": HTTPStatus.NOT_FOUND,
    "no-such-page": HTTPStatus.NOT_FOUND,
    "no-such-round": HTTPStatus.NOT_FOUND,
    "no-such-language": HTTPStatus.NOT_FOUND,
    "method": HTTPStatus.METHOD_NOT_ALLOWED,
    "too-slow": HTTPStatus.REQUEST_TIMEOUT,
    "too-large": HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    "long-address": HTTPStatus.REQUEST_URI_TOO_LONG,
    "long-head": HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE,
    "illegal": HTTPStatus.UNPROCESSABLE_ENTITY,
    "too-many": HTTPStatus.TOO_MANY_REQUESTS,
    "too-many-tables": HTTPStatus.TOO_MANY_REQUESTS,
    "too-many-streams": HTTPStatus.TOO_MANY_REQUESTS,
    "server": HTTPStatus.INTERNAL_SERVER_ERROR,
    "busy": HTTPStatus.SERVICE_UNAVAILABLE,
    "newer": HTTPStatus.SERVICE_UNAVAILABLE,
    # What cannot be understood, whatever the state of the table.
    **dict.fromkeys(("malformed", "option", "action", "name", "cut", "no-person", "no-seat"), HTTPStatus.BAD_REQUEST),
}


class Refused(MekuriError):
    """Something asked of the server that it refuses.

    Attributes:
        problem: what the client is told.
        status: the HTTP status; 409 for what the state of a table forbids.
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
        self.status = _STATUS.get(problem.error, HTTPStatus.CONFLICT)


class Illegal(Refused):
    """An action that the rules forbid."""

    def __init__(self, text: Text, clause: str, book: Rulebook) -> None:
        self._set(wire.Problem(error="illegal", message=book.render(text, "en"), text=wired.text(text), clause=clause))
