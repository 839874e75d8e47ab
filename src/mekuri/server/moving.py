"""A site moved from one database to another, for `mekuri move-database`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Connection

from mekuri.server.database import Place, migrate, named
from mekuri.server.leftover import check_leftover
from mekuri.server.side import StoreError
from mekuri.server.sqlite_file import beside, check_whole, need_ours, opened, scratch, take_alone
from mekuri.server.transfer import filling, need_empty, need_stopped, reading, snapshot, transfer


def move(source: Place, target: Place) -> dict[str, int]:
    """Write everything in a database into another one, which must be empty or not there yet. The first is left as it is.

    Matches go on where they are, and everybody stays signed in. Whatever interrupts this, the other database stays empty.

    Returns:
        How many rows there are in each table.

    Raises:
        StoreError: there is no such database, a server serves it, or it is damaged; or the other one is not empty, or cannot be
            written.
    """
    if source == target:
        raise StoreError(f"{named(source)} is where everything is: name another database to move to")
    need_empty(target)  # asked again when everything else waits for it
    with _at_rest(source) as rows, filling(target) as empty:
        return transfer(rows, empty)


@contextmanager
def _at_rest(place: Place) -> Iterator[Connection]:
    """Read a database, with the tables of this version, that no server can serve until the end. Nothing in it is changed."""
    if not isinstance(place, Path):
        need_stopped(place)
        with snapshot(place, alone=True) as connection:
            yield connection
        return
    if not place.is_file():
        raise StoreError(f"there is no database at {place}")
    check_leftover(place)
    with scratch(beside(place, "moving")) as copied, opened(place) as held:
        need_ours(held, place)
        take_alone(held, place)
        with opened(copied) as copy:
            held.backup(copy)
        migrate(copied)
        check_whole(copied)
        with reading(copied) as connection:
            yield connection
