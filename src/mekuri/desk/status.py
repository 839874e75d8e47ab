"""The HTTP status of each ProblemError."""

from __future__ import annotations

from http import HTTPStatus

from mekuri.desk.stores import Gone
from mekuri.table.errors import ProblemError
from mekuri.table.log import LogError

_ERRORS = {
    # 400: requests that are never valid, whatever the state of the table.
    400: "malformed option action name name-long name-sign name-reserved cut no-person no-seat no-such-phrase term-alone",
    401: "guest-gone not-signed-in bad-token",
    403: "origin not-seated banned banned-for-good not-maker kept-out others-play others-play-on daily-alone daily-sealed "
    "needs-server",
    404: "no-such-table no-such-code no-such-game no-such-page no-such-round no-such-question no-such-puzzle no-puzzles "
    "no-lesson no-such-language no-such-daily",
    405: "method",
    408: "too-slow",
    413: "too-large",
    414: "long-address",
    422: "illegal bad-record no-push-service",
    426: "outdated server-outdated",
    429: "too-many said-much too-dear reviewing weighing too-many-tables too-many-matches too-many-streams",
    431: "long-head",
    500: "server",
    503: "busy damaged database-gone disk-full newer not-kept",
}
_STATUS = {error: HTTPStatus(status) for status, errors in _ERRORS.items() for error in errors.split()}


def status_of(refused: ProblemError) -> HTTPStatus:
    """Return the HTTP status of an error; 409 for one that is not listed, as the state of the table forbids the request."""
    return _STATUS.get(refused.problem.error, HTTPStatus.CONFLICT)


def refusal_of(error: BaseException) -> ProblemError | None:
    """Return the refusal by which an error is answered; None for one that nobody has foreseen."""
    if isinstance(error, ProblemError):
        return error
    if isinstance(error, Gone):  # the guest was deleted while the request was in progress
        return ProblemError("not-signed-in")
    return ProblemError(error.refusal) if isinstance(error, LogError) else None
