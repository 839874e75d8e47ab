"""What those who answer are given, and how they describe what they take and refuse."""

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
from mekuri.server.asked import Asked
from mekuri.server.guest_store import Person
from mekuri.server.guests import Guests, address_of
from mekuri.server.table_registry import TableRegistry
from mekuri.table.errors import ProblemError


@dataclass(frozen=True)
class Visitor:
    """Who is asking, and whom.

    Attributes:
        tables: the house.
        guests: all guests.
        person: who is asking; None for somebody without a guest's place.
        address: where the request comes from.
    """

    tables: TableRegistry
    guests: Guests
    person: Person | None
    address: str

    @property
    def id(self) -> str | None:
        """The guest's id; None for somebody who is none."""
        return self.person.id if self.person else None

    @property
    def guest(self) -> Person:
        """The guest. Raises ProblemError for somebody who is none."""
        if self.person is None:
            raise ProblemError("not-signed-in")
        return self.person


async def find_visitor(request: Asked) -> Visitor:
    """Who is asking. It is one dependency and not three, as each costs every request time."""
    state = request.app.state
    return Visitor(state.tables, state.guests, await state.guests.find(request), address_of(request))


Visiting = NamedDependency[Visitor]

_ANYWHERE = (400, 401, 403, 408, 414, 426, 429, 431, 500, 503)  # the statuses under which any address may refuse


def body(example: msgspec.Struct) -> Any:
    """A body in JSON, described by an example."""
    return Body(examples=[Example(summary="For instance", value=msgspec.to_builtins(example))])


def refusals(*statuses: int, body: bool = False) -> dict[int, ResponseSpec]:
    """How an address may refuse, for its description. `body` is for those that take one."""
    told = sorted({*_ANYWHERE, *statuses, *([413] if body else [])})
    return {status: ResponseSpec(Problem, description=HTTPStatus(status).phrase, generate_examples=False) for status in told}
