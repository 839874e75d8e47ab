"""What a route is: an operation of the desk as data, from which every front builds its own routes."""

from __future__ import annotations

import re
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any, Literal

import msgspec

from mekuri.desk.cached_response import JSON
from mekuri.desk.limits import household_of
from mekuri.desk.stores import Person
from mekuri.engine.rulebook import LANGUAGES
from mekuri.protocol.guests import Guest
from mekuri.table.errors import ProblemError

FAR = (1 << 53) - 1  # the largest number in a request


class Visitor(msgspec.Struct, frozen=True):
    """The sender of a request.

    Attributes:
        person: the guest; None for a request without a token.
        lost: whether the request has the cookie of a guest whom this site does not know any more.
        address: the IP address of the client.
        here: the URL at which the client has reached the site, without a path.
        packs: whether the client accepts gzip.
    """

    person: Person | None = None
    lost: bool = False
    address: str = "nowhere"
    here: str = ""
    packs: bool = False

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

    @property
    def payer(self) -> str:
        """The guest, or the household of the address, to which work is charged."""
        return self.id or household_of(self.address)


class Packed(msgspec.Struct, frozen=True):
    """A body of JSON that is compressed with gzip where `packed` is true."""

    body: bytes
    packed: bool


@dataclass(frozen=True)
class Param:
    """A parameter of a route.

    Attributes:
        name: its name in the path or the query, and as an argument of the route's function.
        kind: its type.
        text: its description.
        example: a value that it may have; empty for the name of any game.
        default: its value where the request leaves it out; `...` if the request must have it.
        header: the name of the header that has it; None for a parameter in the path or the query.
        limits: its bounds: `ge`, `le`, `lt`, `max_length`, `min_items`, `max_items` and `pattern`.
    """

    name: str
    kind: Any
    text: str
    example: Any
    default: Any
    header: str | None
    limits: dict[str, Any]


def param(name: str, kind: Any, text: str, example: Any, default: Any = ..., header: str | None = None, **limits: Any) -> Param:
    """Return a parameter of a route. The arguments are the attributes of Param."""
    return Param(name, kind, text, example, default, header, limits)


IN_PATHS = {
    "id": param("id", str, "A table's id.", "b7Zk2QxWm0Ra", max_length=64),
    "number": param("number", int, "The round's number, from 1.", 1, ge=1, le=FAR),
    "game": param("game", str, "A game's name.", "", max_length=64),
    "lang": param("lang", str, "en or ja.", LANGUAGES[0], max_length=8),
    "puzzle": param("puzzle", str, "A puzzle's id.", "3f9a0c12", max_length=16),
}


@dataclass(frozen=True)
class Route:
    """An operation of the desk. The docstring of its function is its description.

    Attributes:
        method: the HTTP method.
        path: the path, with the names of parameters in braces.
        id: the name of the operation.
        summary: what it does, in a few words.
        do: the function. It is called with the desk, the visitor as `who`, the parameters by their names, and the body as `asked`.
        answer: the type of the answer. The function may return its JSON.
        body: an example of the body; None for a request without one.
        refused: the error statuses that it may send beside those of every route, and 404 where the path has a parameter.
        params: the parameters in the query and in headers.
        status: the status of a success.
        known: the description of status 200, where it is not the one that every route has; empty elsewhere.
        caching: the value of the Cache-Control header of an answer that is revalidated; None for one that is not kept.
        media: the media type of the answer.
        file: the name of the file under which a browser saves the answer; empty for none.
        session: `keep` where the device keeps the token of the answer, or renews its own; `end` where it drops its token.
        banned: whether banned guests may send it.
        alone: whether it has meaning without a server; refused there otherwise.
        largest: how many bytes the body may have; None for the usual limit.
    """

    method: Literal["GET", "POST", "DELETE"]
    path: str
    id: str
    summary: str
    do: Callable[..., Coroutine[Any, Any, Any]]
    answer: Any
    body: Any = None
    refused: tuple[int, ...] = ()
    params: tuple[Param, ...] = ()
    status: int = 200
    known: str = ""
    caching: str | None = None
    media: str = JSON
    file: str = ""
    session: Literal["", "keep", "end"] = ""
    banned: bool = False
    alone: bool = True
    largest: int | None = None

    @property
    def in_path(self) -> tuple[Param, ...]:
        """The parameters in the path."""
        return tuple(IN_PATHS[name] for name in re.findall(r"{(\w+)}", self.path))

    @property
    def tag(self) -> str:
        """The group of operations to which it belongs."""
        group = self.path.split("/")[2]
        return "guests" if group == "push" else group

    def status_of(self, found: object) -> int:
        """Return the status of an answer: 200 for a guest who is known already."""
        return 200 if isinstance(found, Guest) and found.token is None else self.status
