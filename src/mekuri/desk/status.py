"""The HTTP status of each ProblemError."""

from __future__ import annotations

from http import HTTPStatus

from mekuri.desk.stores import Gone
from mekuri.table.errors import ProblemError
from mekuri.table.log import LogError

_STATUS = {
    "guest-gone": HTTPStatus.UNAUTHORIZED,
    "not-signed-in": HTTPStatus.UNAUTHORIZED,
    "bad-token": HTTPStatus.UNAUTHORIZED,
    "origin": HTTPStatus.FORBIDDEN,
    "not-seated": HTTPStatus.FORBIDDEN,
    "banned": HTTPStatus.FORBIDDEN,
    "banned-for-good": HTTPStatus.FORBIDDEN,
    "not-maker": HTTPStatus.FORBIDDEN,
    "kept-out": HTTPStatus.FORBIDDEN,
    "others-play": HTTPStatus.FORBIDDEN,
    "others-play-on": HTTPStatus.FORBIDDEN,
    "daily-alone": HTTPStatus.FORBIDDEN,
    "daily-sealed": HTTPStatus.FORBIDDEN,
    "no-such-table": HTTPStatus.NOT_FOUND,
    "no-such-code": HTTPStatus.NOT_FOUND,
    "no-such-game": HTTPStatus.NOT_FOUND,
    "no-such-page": HTTPStatus.NOT_FOUND,
    "no-such-round": HTTPStatus.NOT_FOUND,
    "no-such-question": HTTPStatus.NOT_FOUND,
    "no-such-puzzle": HTTPStatus.NOT_FOUND,
    "no-puzzles": HTTPStatus.NOT_FOUND,
    "no-lesson": HTTPStatus.NOT_FOUND,
    "no-such-language": HTTPStatus.NOT_FOUND,
    "no-such-daily": HTTPStatus.NOT_FOUND,
    "method": HTTPStatus.METHOD_NOT_ALLOWED,
    "too-slow": HTTPStatus.REQUEST_TIMEOUT,
    "too-large": HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    "long-address": HTTPStatus.REQUEST_URI_TOO_LONG,
    "outdated": HTTPStatus.UPGRADE_REQUIRED,
    "server-outdated": HTTPStatus.UPGRADE_REQUIRED,
    "long-head": HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE,
    "illegal": HTTPStatus.UNPROCESSABLE_ENTITY,
    "bad-record": HTTPStatus.UNPROCESSABLE_ENTITY,
    "no-push-service": HTTPStatus.UNPROCESSABLE_ENTITY,
    "too-many": HTTPStatus.TOO_MANY_REQUESTS,
    "said-much": HTTPStatus.TOO_MANY_REQUESTS,
    "too-dear": HTTPStatus.TOO_MANY_REQUESTS,
    "reviewing": HTTPStatus.TOO_MANY_REQUESTS,
    "weighing": HTTPStatus.TOO_MANY_REQUESTS,
    "too-many-tables": HTTPStatus.TOO_MANY_REQUESTS,
    "too-many-matches": HTTPStatus.TOO_MANY_REQUESTS,
    "too-many-streams": HTTPStatus.TOO_MANY_REQUESTS,
    "server": HTTPStatus.INTERNAL_SERVER_ERROR,
    "busy": HTTPStatus.SERVICE_UNAVAILABLE,
    "damaged": HTTPStatus.SERVICE_UNAVAILABLE,
    "database-gone": HTTPStatus.SERVICE_UNAVAILABLE,
    "disk-full": HTTPStatus.SERVICE_UNAVAILABLE,
    "newer": HTTPStatus.SERVICE_UNAVAILABLE,
    # Requests that are never valid, whatever the state of the table.
    **dict.fromkeys(
        (
            "malformed",
            "option",
            "action",
            "name",
            "name-long",
            "name-sign",
            "name-reserved",
            "cut",
            "no-person",
            "no-seat",
            "no-such-phrase",
            "term-alone",
        ),
        HTTPStatus.BAD_REQUEST,
    ),
}


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
