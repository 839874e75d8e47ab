"""Printing a record: the events of each round and the score sheets."""

from __future__ import annotations

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from mekuri.engine.contract import Text as GameText
from mekuri.engine.rulebook import Lang
from mekuri.match.match import Match
from mekuri.match.record import Record
from mekuri.terminal.base.translate import Translator
from mekuri.terminal.printed.sheet import sheet_table


def show_match(match: Match, seat: int | None, lang: Lang) -> None:
    """Print a match as one seat saw it.

    Args:
        match: the match.
        seat: the seat; None for a spectator.
        lang: the language.
    """
    console, translator = Console(highlight=False), Translator(match.game.rulebook, lang, match.players)
    for number, round in enumerate(match.rounds, 1):
        console.print(Text(f"{translator.game()} {number}/{len(match.rounds)}", "bold"))
        for event in round.events(seat):
            console.print(Padding(Text(translator.text(event.text)), (0, 0, 0, 2)))
        if round.over:
            console.print(Padding(Text(translator.text(GameText(f"endings.{round.ending}", {})), "italic"), (0, 0, 1, 2)))
            console.print(Padding(sheet_table(round.score_sheet().lines, translator, round.returns, cites=True), (0, 0, 0, 2)))
    for player, accounts in enumerate(match.ledger):
        console.print(Text(f"{translator.player(player)}  {translator.account(accounts)}"))
    if match.accounts:
        console.print(Text(translator.account(match.accounts)))


def show_stored(text: bytes, note: str) -> None:
    """Print the results stored in a record that cannot be replayed.

    Args:
        text: the record.
        note: why it is not replayed; printed first.
    """
    print(note)
    for number, row in enumerate(Record.from_json(text).rounds, 1):
        print(f"\n{number}: {row.ending} {' '.join(f'{value:+d}' for value in row.returns)}")
        for line in row.sheet:
            whose = line["seat"] if isinstance(line["seat"], str) else f"seat {line['seat']}"
            print(f"  {whose}: {line['clause']} {line['cards']} {line['points']}")
