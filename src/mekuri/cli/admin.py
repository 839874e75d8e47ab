"""The commands with which an operator looks after a server: `mekuri admin`."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

from cyclopts import App, Parameter

from mekuri.cards.given import typed
from mekuri.cli.arguments import app
from mekuri.cli.serve import Database
from mekuri.cli.streams import print_json
from mekuri.engine.errors import OptionError
from mekuri.terminal.base.translate import printable

if TYPE_CHECKING:
    from mekuri.server.ops.admin import Admin

T = TypeVar("T")

admin = App(
    name="admin", help="Look after a server: its tables, its people, what is kept and what is announced. It may be running."
)
app.command(admin)

_UNITS = {"s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 7 * 86_400}
Json = Annotated[bool, Parameter(name="--json", negative=(), help="As JSON, for programs.")]
# An id may begin with a hyphen.
Person = Annotated[str, Parameter(allow_leading_hyphen=True, help="A person's id, as `mekuri admin list people` tells it.")]
Table = Annotated[str, Parameter(allow_leading_hyphen=True, help="A table's id.")]


@admin.command(name="list")
def list_(
    what: Literal["tables", "people", "acts"] = "tables",
    /,
    *,
    state: Annotated[Literal["open", "running", "over", "banned"] | None, Parameter(help="Only those.")] = None,
    most: Annotated[int, Parameter(help="How many at most.")] = 100,
    json: Json = False,
    database: Database = None,
) -> None:
    """List tables, people, or the audit log of these commands, newest first."""
    import msgspec

    if (state == "banned") != (what == "people" and state is not None) or (what == "acts" and state):
        raise OptionError("tables are open, running or over; people are banned, or not")
    if not 1 <= most <= 1_000_000:
        raise OptionError(f"most is a number from 1 to 1000000, not {most}")

    async def find(keeper: Admin) -> list[Any]:
        if what == "tables":
            return list(await keeper.store.listed_matches((state,) if state else ("open", "running", "over"), most))
        if what == "people":
            return list(await keeper.store.listed_people(most, state == "banned"))
        return list(await keeper.store.last_acts(most))

    found = _at(database, find)
    if json:
        print_json(msgspec.to_builtins(found), indent=1)
        return
    for one in found:
        row = msgspec.to_builtins(one)
        row |= {name: _time(value) for name, value in row.items() if name.endswith(("_at", "_until")) or name == "at"}
        print("  ".join(printable(_cell(value)) for value in row.values()))


@admin.command
def close(table: Table, /, *, database: Database = None) -> None:
    """Close a table. Its match has no winner."""
    _at(database, lambda keeper: keeper.close(table))
    print(f"table {table} is closed")


@admin.command
def rename(person: Person, name: str, /, *, database: Database = None) -> None:
    """Give a person another name, which is shown at all their tables from now on."""
    print(f"{person} is called {_at(database, lambda keeper: keeper.rename(person, name))} now")


@admin.command
def ban(
    person: Person,
    /,
    *,
    time: Annotated[str | None, Parameter(name="--for", help="Such as 30m, 12h, 7d or 2w; for ever if left out.")] = None,
    why: Annotated[str, Parameter(help="A sentence that is shown to them.")] = "",
    database: Database = None,
) -> None:
    """Ban a guest. A person who comes back as a new guest is not banned: see docs/operate.md."""
    seconds = None if time is None else _seconds(time)
    until = _at(database, lambda keeper: keeper.ban(person, seconds, " ".join(why.split())))
    print(f"{person} may do nothing here {_until(until)}")


@admin.command
def unban(person: Person, /, *, database: Database = None) -> None:
    """End the ban of a guest."""
    _at(database, lambda keeper: keeper.store.unban(person))
    print(f"{person} may play again")


@admin.command
def forget(person: Person, /, *, database: Database = None) -> None:
    """Delete all stored data about a person, as they can themselves: name, devices, and the link to their seats."""
    _at(database, lambda keeper: keeper.forget(person))
    print(f"{person} is deleted; their matches stay, as those of a player who has left")


@admin.command
def prune(
    *,
    days: Annotated[float, Parameter(help="For how many days matches that are over are kept.")],
    dry_run: Annotated[bool, Parameter(negative=(), help="Only say how many they are.")] = False,
    database: Database = None,
) -> None:
    """Delete old finished matches with their records. A server with a --retention does so by itself."""
    found = _at(database, lambda keeper: keeper.prune(days, dry_run))
    print(f"matches that {'would be' if dry_run else 'were'} deleted: {found}")


@admin.command
def clock(
    *,
    confirm: Annotated[bool, Parameter(negative=(), help="The new time is right: move all deadlines with it.")] = False,
    database: Database = None,
) -> None:
    """Report whether the clock has leapt, which stops all deadlines, and confirm its new time."""
    from mekuri.server.storage.clock_watch import described

    if confirm:
        by = _at(database, lambda keeper: keeper.confirm_clock())
        print(f"the new time is confirmed, {described(by)}: all deadlines have moved with it")
        return
    for found in _at(database, lambda keeper: keeper.clocks()):
        state = f"has leapt, {described(found.by)}: nothing is decided by it" if found.by else "can be trusted"
        print(f"the clock of machine {printable(found.boot)} {state}")


@admin.command
def new_id(*, database: Database = None) -> None:
    """Give a copy of a database an id of its own, so that a browser can be a guest of the original and of the copy."""
    _at(database, lambda keeper: keeper.new_id())
    print("this database has an id of its own now")


@admin.command
def announce(
    text: Annotated[str, Parameter(help="In English.")] = "",
    /,
    *,
    ja: Annotated[str, Parameter(help="The same in Japanese.")] = "",
    clear: Annotated[bool, Parameter(negative=(), help="Announce nothing any more.")] = False,
    database: Database = None,
) -> None:
    """Show everybody an announcement, on the page and in the terminal, until it is cleared."""
    if clear == bool(text or ja):
        raise OptionError("say what is to be announced, or --clear")
    _at(database, lambda keeper: keeper.announce(text, ja))
    print("nothing is announced any more" if clear else "it is announced")


@admin.command
def push_key(
    *,
    contact: Annotated[str, Parameter(help="How push services can reach you, such as mailto:me@example.org.")] = "",
    remove: Annotated[bool, Parameter(negative=(), help="Turn web push off, and delete all subscriptions.")] = False,
    database: Database = None,
) -> None:
    """Turn web push on, which notifies people of their turns: make the server's key, once."""
    if remove == bool(contact):
        raise OptionError("name a --contact for a key, or --remove it")
    if remove:
        _at(database, lambda keeper: keeper.remove_push_key())
        print("web push is off")
    else:
        print(f"web push is on; the public key: {_at(database, lambda keeper: keeper.push_key(contact))}")


def _at(database: str | None, what: Callable[[Admin], Awaitable[T]]) -> T:
    """Run an asynchronous operation of `Admin` on the server's database, and return its result."""
    from mekuri.server.ops.admin import opened
    from mekuri.server.storage.database import database_at
    from mekuri.server.storage.store import default_database

    async def run() -> T:
        async with opened(database_at(database or default_database())) as keeper:
            return await what(keeper)

    return asyncio.run(run())


def _seconds(text: str) -> float:
    found = re.fullmatch(r"(\d{1,6})([smhdw])", typed(text).strip())
    if not found:
        raise OptionError(f"a time is a number with s, m, h, d or w, such as 12h, not {text}")
    return int(found[1]) * _UNITS[found[2]]


def _until(milliseconds: int) -> str:
    from mekuri.desk.stores import FOR_EVER

    return "any more" if milliseconds == FOR_EVER else f"until {_time(milliseconds)}"


def _time(milliseconds: int | None) -> str:
    from mekuri.desk.stores import FOR_EVER

    if milliseconds is None:
        return "-"
    if milliseconds >= FOR_EVER:
        return "for ever"
    return f"{datetime.fromtimestamp(milliseconds / 1000, UTC):%Y-%m-%d %H:%M} UTC"


def _cell(value: object) -> str:
    if isinstance(value, bool):
        return "public" if value else "private"
    return str(value or "-")
