"""Shared parts of route handlers: the visitor that is injected into them, and the OpenAPI descriptions of bodies and errors."""

from __future__ import annotations

from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

import msgspec
from litestar.di import NamedDependency
from litestar.openapi.datastructures import ResponseSpec
from litestar.openapi.spec import Example
from litestar.params import Body

from mekuri.protocol.table import Problem
from mekuri.server.base.asked import Asked
from mekuri.server.guests.identity import Guests, address_of
from mekuri.server.tables.table_registry import TableRegistry
from mekuri.table.errors import ProblemError
from mekuri.table.stores import Person


@dataclass(frozen=True)
class Visitor:
    """The sender of a request, with the services that a handler needs.

    Attributes:
        tables: all tables.
        guests: all guests.
        person: the guest; None for a request without a token.
        lost: whether the request has the cookie of a guest whom this server does not know any more.
        address: the IP address of the client.
    """

    tables: TableRegistry
    guests: Guests
    person: Person | None
    lost: bool
    address: str

    @property
    def id(self) -> str | None:
        """The guest's id; None for a request without a guest."""
        return self.person.id if self.person else None

    @property
    def guest(self) -> Person:
        """The guest. Raises ProblemError (401) for a request without one."""
        if self.person is None:
            raise ProblemError("guest-gone" if self.lost else "not-signed-in")
        return self.person


async def find_visitor(request: Asked) -> Visitor:
    """Return the visitor of a request. One dependency and not three, as each costs time at every request."""
    state = request.app.state
    guests: Guests = state.guests
    person = await guests.find(request)
    return Visitor(state.tables, guests, person, person is None and guests.lost(request), address_of(request))


Visiting = NamedDependency[Visitor]

_ANYWHERE = (400, 401, 403, 408, 414, 426, 429, 431, 500, 503)  # the error statuses of every route


def body(example: msgspec.Struct) -> Any:
    """Return the OpenAPI description of a JSON request body, with an example."""
    return Body(examples=[Example(summary="For instance", value=msgspec.to_builtins(example))])


def refusals(*statuses: int, body: bool = False) -> dict[int, ResponseSpec]:
    """Return the OpenAPI descriptions of the error responses of a route.

    Args:
        *statuses: those of this route, beside the ones that every route may send.
        body: whether the route takes a request body.
    """
    told = sorted({*_ANYWHERE, *statuses, *([413] if body else [])})
    return {status: ResponseSpec(Problem, description=HTTPStatus(status).phrase, generate_examples=False) for status in told}
