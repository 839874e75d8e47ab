"""Who sits where: the people by their names, the bots as what they are."""

from __future__ import annotations

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from mekuri import bots
from mekuri.terminal.prose import Prose
from mekuri.terminal.voice import Voice


def sitting(voice: Voice) -> RenderableType:
    """Every seat in playing order, with who sits there, and of a bot what it says of itself."""
    table = Table.grid(expand=True, padding=(0, 2, 0, 0))
    table.add_column()
    table.add_column()
    table.add_column(ratio=1)
    for seat in range(len(voice.seats)):
        table.add_row(f"{seat + 1}", Text(voice.player(seat), "bold"), Prose(_told(seat, voice)))
    return table


def _told(seat: int, voice: Voice) -> str:
    """What stands beside a name."""
    if voice.is_bot(seat):
        known = bots.known(voice.seats[seat])
        return voice.say("sitting.bot", help=known.help[voice.lang] if known else "")
    return voice.say("sitting.person") if seat in voice.people else ""
