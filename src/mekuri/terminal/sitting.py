"""The list of who sits where at a table."""

from __future__ import annotations

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from mekuri import bots
from mekuri.terminal.prose import Prose
from mekuri.terminal.translate import Translator


def sitting(translator: Translator) -> RenderableType:
    """Return every seat in playing order with its player and, for a bot, the bot's description."""
    table = Table.grid(expand=True, padding=(0, 2, 0, 0))
    table.add_column()
    table.add_column()
    table.add_column(ratio=1)
    for seat in range(len(translator.seats)):
        table.add_row(f"{seat + 1}", Text(translator.player(seat), "bold"), Prose(_told(seat, translator)))
    return table


def _told(seat: int, translator: Translator) -> str:
    """Return what a seat's player is: a bot with its description, or a person."""
    if translator.is_bot(seat):
        known = bots.known(translator.seats[seat])
        return translator.say("sitting.bot", help=bots.temper(known, translator.book)[translator.lang] if known else "")
    return translator.say("sitting.person") if seat in translator.people else ""
