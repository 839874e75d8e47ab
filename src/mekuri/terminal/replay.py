"""A record replayed as text: everything that happened, and the score sheets."""

from __future__ import annotations

from mekuri.engine.contract import Text
from mekuri.engine.rulebook import Lang
from mekuri.match.match import Match
from mekuri.match.record import Record


def show_match(match: Match, seat: int | None, lang: Lang) -> None:
    """Print a match as a seat saw it, or a spectator."""
    book, players = match.game.rulebook, match.players
    rounds = match.finished if match.round in match.finished else [*match.finished, match.round]
    for number, round in enumerate(rounds, 1):
        print(f"\n{book.tables['name'][lang]} {number}/{len(rounds)}")
        for event in round.events(seat):
            print(f"  {book.render(event.text, lang, players)}")
        if round.over:
            print(f"  {book.render(Text(f'endings.{round.ending}', {}), lang)}")
            print(_indented(str(round.score_sheet())))
    for player, accounts in zip(players, match.ledger, strict=True):
        print(f"{player}: {', '.join(f'{name} {value}' for name, value in accounts.items())}")


def show_stored(text: bytes, note: str) -> None:
    """Print the results that a record keeps, with a note on why it is not replayed."""
    print(note)
    for number, row in enumerate(Record.from_json(text).rounds, 1):
        print(f"\n{number}: {row.ending} {' '.join(f'{value:+d}' for value in row.returns)}")
        for line in row.sheet:
            print(f"  seat {line.get('seat')}: {line.get('clause')} {line.get('cards')} {line.get('points')}")


def _indented(text: str) -> str:
    return "\n".join(f"  {line}" for line in text.splitlines())
