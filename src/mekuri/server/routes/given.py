"""What the application gives to those who answer."""

from __future__ import annotations

from litestar.di import NamedDependency

from mekuri.server.house import House
from mekuri.server.people import People
from mekuri.server.refused import Refused
from mekuri.server.store import Person

TheHouse = NamedDependency[House]
AllPeople = NamedDependency[People]
Asking = NamedDependency[Person | None]  # who is asking
Secure = NamedDependency[bool]  # whether over a secure line


def guest(person: Person | None) -> Person:
    """Who is asking. Raises Refused for somebody without a guest's place."""
    if person is None:
        raise Refused("not-signed-in")
    return person
