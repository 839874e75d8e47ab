"""The commands that back up and restore a server's database: `mekuri backup` and `mekuri restore`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from mekuri.cli.arguments import app
from mekuri.cli.serve import Database


@app.command
def backup(
    file: Annotated[Path, Parameter(help="A new file.")],
    /,
    *,
    database: Database = None,
) -> None:
    """Write all tables, guests and matches of a server into one file, also while it runs."""
    from mekuri.server.backup import back_up
    from mekuri.server.database import file_of
    from mekuri.server.store import default_database

    back_up(file_of(database or default_database()), file)
    print(f"{file} is a backup now; the secrets of running matches are in it: let nobody read it")


@app.command
def restore(
    file: Annotated[Path, Parameter(help="A backup.")],
    /,
    *,
    database: Database = None,
) -> None:
    """Restore a stopped server from a backup."""
    from mekuri.server.backup import restore as run
    from mekuri.server.database import file_of
    from mekuri.server.store import default_database

    place = file_of(database or default_database())
    done = run(file, place)
    print(f"{place} is now what {file} holds; matches that were being played, and are void: {done.closed}")
    if done.kept:
        print(f"what was there before is in {done.kept}: delete it when you do not need it")
