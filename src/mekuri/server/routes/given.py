"""What the application gives to those who answer."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

import msgspec
from litestar.di import NamedDependency
from litestar.openapi.datastructures import ResponseSpec
from litestar.openapi.spec import Example
from litestar.params import Body

from mekuri.protocol.table import Problem
from mekuri.server.house import House
from mekuri.server.people import People
from mekuri.server.refused import Refused
from mekuri.server.store import Person

TheHouse = NamedDependency[House]
AllPeople = NamedDependency[People]
Asking = NamedDependency[Person | None]  # who is asking
Secure = NamedDependency[bool]  # whether over a secure line

_ANYWHERE = (400, 401, 403, 408, 429, 500, 503)  # the statuses under which any address may refuse


def body(example: msgspec.Struct) -> Any:
    """A body in JSON, described by an example."""
    return Body(examples=[Example(summary="For instance", value=msgspec.to_builtins(example))])


def refusals(*statuses: int, body: bool = False) -> dict[int, ResponseSpec]:
    """How an address may refuse, for its description. `body` is for those that take one."""
    told = sorted({*_ANYWHERE, *statuses, *([413] if body else [])})
    return {status: ResponseSpec(Problem, description=HTTPStatus(status).phrase, generate_examples=False) for status in told}


def guest(person: Person | None) -> Person:
    """Who is asking. Raises Refused for somebody without a guest's place."""
    if person is None:
        raise Refused("not-signed-in")
    return person
