"""The commands that run a table server: `mekuri` without a subcommand, and `mekuri serve`."""

from __future__ import annotations

import gc
import os
from dataclasses import replace
from difflib import get_close_matches
from typing import Annotated, Any

from cyclopts import App, ArgumentCollection, CycloptsError, Parameter
from cyclopts.config import Env, Toml

from mekuri.cli.arguments import app
from mekuri.engine.errors import OptionError
from mekuri.files import expanded
from mekuri.server.base.settings import Settings

Port = Annotated[int, Parameter(help="The port to listen at.")]
Database = Annotated[str | None, Parameter(help="The file of all tables, or a database's URL; the user's data if left out.")]
_SETTINGS = Settings()
_OWN = "MEKURI_SERVE_"


@app.default
def open_house(
    *,
    port: Port = 8413,
    database: Database = None,
    browse: Annotated[bool, Parameter(name="--open", help="Open the page in the browser.")] = True,
) -> None:
    """Serve tables on this machine, and open the page in the browser. If Mekuri runs already, only open its page."""
    _run("127.0.0.1", port, Settings(database=database), browse)


@app.command
def serve(
    *,
    host: Annotated[str, Parameter(help="The address to listen at; 0.0.0.0 for every network.")] = "127.0.0.1",
    port: Port = 8413,
    settings: Annotated[Settings, Parameter(name="*")] = _SETTINGS,
    origin: Annotated[str | None, Parameter(show=False)] = None,  # as public_url was called before
) -> None:
    """Serve tables for people and bots.

    Options not given here are taken from the environment (MEKURI_SERVE_GRACE and so on), then from the file that MEKURI_SETTINGS
    names, or the user's mekuri/settings.toml, under [serve]. Times are in seconds.
    """
    _run(host, port, settings if origin is None or settings.public_url else replace(settings, public_url=origin))


def _run(*asked: Any) -> None:
    gc.disable()  # what is imported is kept, and looking through it again and again costs a tenth of the start
    try:
        from mekuri.server.http.run import serve as run
    finally:
        gc.enable()
    run(*asked)


def _environment(app: App, commands: tuple[str, ...], arguments: ArgumentCollection) -> None:
    """Apply the environment (MEKURI_SERVE_GRACE and so on) to the options of a command.

    Raises OptionError for a variable that is no option's.
    """
    known = {f"{_OWN}{name.lstrip('-').replace('-', '_').upper()}" for argument in arguments for name in argument.names}
    for variable in sorted(os.environ):
        if variable.startswith(_OWN) and variable not in known:
            near = get_close_matches(variable, known, 1)
            meant = f": is it {near[0]}?" if near else ""
            raise OptionError(f"{variable} is none of the settings that mekuri serve --help lists{meant}")
    Env("MEKURI_")(app, commands, arguments)


def _settings_file(app: App, commands: tuple[str, ...], arguments: ArgumentCollection) -> None:
    """Apply the user's settings file to the options of a command.

    It is the file that MEKURI_SETTINGS names, which must exist, else `mekuri/settings.toml` in the user's configuration folder.
    Raises OptionError if it cannot be read or names an unknown option.
    """
    from platformdirs import user_config_path

    named = os.environ.get("MEKURI_SETTINGS")
    file = expanded(named) if named else user_config_path("mekuri", appauthor=False) / "settings.toml"
    try:
        Toml(file, must_exist=named is not None)(app, commands, arguments)
    except CycloptsError as error:
        raise OptionError(f"{file}: {error}") from None


app["serve"].config = (_environment, _settings_file)
