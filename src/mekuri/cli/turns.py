"""The command that lists the tables at which it is the person's turn: `mekuri turns`."""

from __future__ import annotations

import asyncio
import sys

from mekuri.cli.arguments import LangOption, app, complain, language


@app.command
def turns(server: str = "", /, *, lang: LangOption = None) -> None:
    """List the tables, played turn by turn, that wait for you, on one server or on all at which you are a guest.

    The exit status is 1 if not all of them could be asked.

    Args:
        server: its address, such as http://localhost:8413; all of them if left out.
        lang: the language.
    """
    from mekuri.terminal.base.line import parse_server
    from mekuri.terminal.base.texts import say
    from mekuri.terminal.base.turns import owed, owed_at

    spoken = language(lang)
    found = asyncio.run(owed_at(parse_server(server)) if server else owed())
    for one in found.owed:
        print(one.text(spoken))
    for address in found.unreached:
        complain(say("turns.unreached", spoken, server=address))
    if found.unreached:
        sys.exit(1)
    if not found.owed:
        print(say("turns.none", spoken))
