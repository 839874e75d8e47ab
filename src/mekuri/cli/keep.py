"""The commands about a server's whole database: `mekuri backup`, `mekuri restore` and `mekuri move-database`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from mekuri.cli.arguments import app
from mekuri.cli.serve import Database


@app.command
def backup(file: Annotated[Path, Parameter(help="A new file.")], /, *, database: Database = None) -> None:
    """Write all tables, guests and matches of a server into one file, also while it runs."""
    from mekuri.server.ops.backup import back_up
    from mekuri.server.storage.database import database_at
    from mekuri.server.storage.store import default_database

    back_up(database_at(database or default_database()), file)
    print(f"{file} is a backup now; it contains the secrets of running matches: keep it private")


@app.command
def restore(file: Annotated[Path, Parameter(help="A backup.")], /, *, database: Database = None) -> None:
    """Restore a stopped server from a backup."""
    from mekuri.server.ops.backup import restore as run
    from mekuri.server.storage.database import database_at, named
    from mekuri.server.storage.store import default_database

    place = database_at(database or default_database())
    done = run(file, place)
    print(f"{named(place)} is now what {file} holds; matches that were being played, and are void: {done.closed}")
    if done.kept:
        print(f"what was there before is in {done.kept}: delete it when you do not need it")


@app.command
def move_database(
    source: Annotated[str, Parameter(help="Where everything is: a file, or a database's URL.")],
    target: Annotated[str, Parameter(help="An empty database, or a file that is not there yet.")],
    /,
) -> None:
    """Move a stopped server into another database: from SQLite to PostgreSQL, or back. Matches go on there."""
    from mekuri.server.storage.database import database_at, named
    from mekuri.server.storage.transfer import move

    old, new = database_at(source), database_at(target)
    moved = move(old, new)
    rows = ", ".join(f"{name} {number}" for name, number in moved.items() if number)
    print(f"{named(new)} holds everything now. Rows: {rows or 'none'}")
    print(f"start every server with --database {named(new)} from now on, and none with {named(old)}: what is played there is lost")
