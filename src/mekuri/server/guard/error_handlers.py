"""Exception handlers: every error is answered as a Problem, in JSON, with its HTTP status."""

from __future__ import annotations

import logging
from typing import Any

from litestar import Response
from litestar.exceptions import (
    ClientException,
    HTTPException,
    MethodNotAllowedException,
    NotFoundException,
    TooManyRequestsException,
    ValidationException,
)
from litestar.status_codes import HTTP_413_REQUEST_ENTITY_TOO_LARGE

from mekuri.desk.status import refusal_of, status_of
from mekuri.desk.stores import Gone
from mekuri.protocol import version
from mekuri.protocol.coding import encode
from mekuri.protocol.table import Problem
from mekuri.server.base import metrics
from mekuri.server.base.responses import Asked
from mekuri.table.errors import ProblemError
from mekuri.table.log import LogError

_log = logging.getLogger("mekuri.server")
_WAIT = 1  # seconds of Retry-After where the error names none
_RESET = "RateLimit-Reset"
_LATER = (
    "too-many",
    "said-much",
    "too-dear",
    "busy",
    "newer",
    "reviewing",
    "weighing",
    "disk-full",
)  # errors after which the same request may be sent again


def headers_of(refused: ProblemError) -> dict[str, str]:
    """Return the headers of an error response: Retry-After, Upgrade or WWW-Authenticate, by its status."""
    wait = refused.problem.text.args.get("seconds", _WAIT)
    headers = {"retry-after": str(wait)} if refused.problem.error in _LATER else {}
    if status_of(refused) == 426:
        headers |= {"upgrade": f"{version.HEADER}/{version.API}", "connection": "upgrade"}
    if status_of(refused) == 401:
        headers["www-authenticate"] = "Bearer"
    return headers


def _tell(refused: ProblemError) -> Response[Any]:
    metrics.REFUSALS.labels(refused.problem.error).inc()
    body, status, headers = encode(refused.problem), status_of(refused), headers_of(refused)
    return Response(body, status_code=status, media_type="application/json", headers=headers)


def refused(request: Asked, error: ProblemError) -> Response[Problem]:
    """Answer a ProblemError that the server itself has raised."""
    return _tell(error)


def unreadable(request: Asked, error: ValidationException) -> Response[Problem]:
    """Answer a request that does not match the route's parameters or body, with the names of the fields."""
    extra = error.extra if isinstance(error.extra, list) else []
    reasons = [": ".join(str(row[part]) for part in ("key", "message") if row.get(part)) for row in extra]
    return _tell(ProblemError("malformed", reason="; ".join(filter(None, reasons)) or error.detail))


def http_error(request: Asked, error: HTTPException) -> Response[Problem]:
    """Answer an HTTP error of the framework with a Problem of our own."""
    if isinstance(error, NotFoundException):
        return _tell(ProblemError("no-such-page"))
    if isinstance(error, MethodNotAllowedException):
        return _tell(ProblemError("method", method=request.method))
    if isinstance(error, TooManyRequestsException):
        seconds = max(_WAIT, int((error.headers or {}).get(_RESET, 0)))
        return _tell(ProblemError("too-many", seconds=seconds))
    if error.status_code == HTTP_413_REQUEST_ENTITY_TOO_LARGE:
        return _tell(ProblemError("too-large"))
    # Litestar answers 500 where a client disconnects before its request is complete.
    if isinstance(error, ClientException) or "disconnected" in error.detail:
        return _tell(ProblemError("malformed", reason=error.detail))
    return failed(request, error)


def too_deep(request: Asked, error: RecursionError) -> Response[Problem]:
    """Answer a body whose JSON is nested too deeply."""
    return _tell(ProblemError("malformed", reason="it is nested too deeply"))


def not_text(request: Asked, error: UnicodeDecodeError) -> Response[Problem]:
    """Answer a body whose JSON is not UTF-8."""
    return _tell(ProblemError("malformed", reason="it is not UTF-8"))


def unwritten(request: Asked, error: LogError) -> Response[Problem]:
    """Answer while the database cannot be read or written, and a guest who was deleted while the request was in progress."""
    if not isinstance(error, Gone):
        _log.error("%s", error)
    return _tell(refusal_of(error) or ProblemError("server"))


def failed(request: Asked, error: Exception) -> Response[Problem]:
    """Answer 500 for an unexpected exception. The traceback goes to the server's log, and nothing of it to the client."""
    _log.error("%s %s has failed", request.method, request.scope["path_template"], exc_info=error)
    return _tell(ProblemError("server"))


HANDLERS: dict[int | type[Exception], Any] = {
    ProblemError: refused,
    ValidationException: unreadable,
    HTTPException: http_error,
    RecursionError: too_deep,
    UnicodeDecodeError: not_text,
    LogError: unwritten,
    Exception: failed,
}
