"""The command that lists the tables at which it is the person's turn: `mekuri turns`."""

from __future__ import annotations

import asyncio

from mekuri.cli.arguments import LangOption, app, language


@app.command
def turns(server: str = "", /, *, lang: LangOption = None) -> None:
    """List the tables, played turn by turn, that wait for you, on one server or on all at which you are a guest.

    Args:
        server: its address, such as http://localhost:8413; all of them if left out.
        lang: the language.
    """
    from mekuri.terminal.line import parse_server
    from mekuri.terminal.texts import say
    from mekuri.terminal.turns import owed, owed_at

    spoken = language(lang)
    found = asyncio.run(owed_at(parse_server(server)) if server else owed())
    print("\n".join(one.text(spoken) for one in found) or say("turns.none", spoken))
