"""The command with which a person manages their guest account on a server: `mekuri guest`."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from mekuri.cards.given import typed
from mekuri.cli.arguments import app
from mekuri.cli.streams import can_show
from mekuri.engine.errors import OptionError


@app.command
def guest(
    server: Annotated[str, Parameter(help="Its address, such as http://localhost:8413.")],
    /,
    *,
    show_code: Annotated[bool, Parameter(negative=(), help="Show a code for another device.")] = False,
    code: Annotated[str, Parameter(help="Become the guest who shows this code on another device.")] = "",
    replace: Annotated[bool, Parameter(negative=(), help="With --code: give up who you are here.")] = False,
    export: Annotated[Path | None, Parameter(help="Write all that is kept about you to this new file.")] = None,
    largest: Annotated[int, Parameter(help="With --export: how many MiB the file may have.")] = 256,
    matches: Annotated[bool, Parameter(negative=(), help="Say what you have played.")] = False,
    bring: Annotated[Path | None, Parameter(help="Have the matches of such a file counted there as well.")] = None,
    sign_out: Annotated[Literal["here", "elsewhere"] | None, Parameter(help="Sign out here, or on every other device.")] = None,
    delete: Annotated[str, Parameter(help="Your name there: have yourself deleted, for good.")] = "",
) -> None:
    """Show your guest account on a server and your matches, sign in on another device, export your data, or delete it."""
    from rich.console import Console

    from mekuri.terminal.base import guest as online

    if sum(map(bool, (show_code, code, export, matches, bring, sign_out, delete))) > 1:
        raise OptionError("one thing at a time: --show-code, --code, --export, --matches, --bring, --sign-out or --delete")
    if replace and not code:
        raise OptionError("--replace goes with --code")
    if show_code:
        text, rows = asyncio.run(online.show_code(server))
        console = Console(highlight=False)
        for row in rows if can_show("▀▄█") else ():
            console.print(row, style="black on white")
        print(text)
    elif code:
        print(f"you are {asyncio.run(online.use_code(server, typed(code), replace))} here now")
    elif export:
        asyncio.run(online.save_export(server, export, largest << 20))
        print(f"{export} holds all that the server keeps about you")
    elif matches:
        print("\n".join(asyncio.run(online.played(server))))
    elif bring:
        print(asyncio.run(online.bring(server, bring.read_bytes())))
    elif sign_out:
        asyncio.run(online.sign_out(server, sign_out))
        print("you are signed out" if sign_out == "here" else "only this device is yours now")
    elif delete:
        if not asyncio.run(online.delete(server, delete)):
            raise OptionError("this is not what you are called there: nothing is deleted")
        print("you are deleted there")
    else:
        print(asyncio.run(online.describe(server)))
