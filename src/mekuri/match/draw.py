"""A view and a score sheet as plain text, for a Python prompt: one line a place on the table, cards in notation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from mekuri import games
from mekuri.cards import card_text, cards_text
from mekuri.engine.contract import DRIVER, SheetLine, Zone
from mekuri.engine.fields import MOST_SEATS
from mekuri.engine.rulebook import rulebook

if TYPE_CHECKING:
    from mekuri.match.view import Sheet, View

_WIDTH = 76


def zone_key(zone: Zone, texts: Mapping[str, object]) -> str:
    """What a place is called by: its id where the rule book names it, else that without its owner's number, else its kind."""
    names = (zone.id, zone.id.removesuffix(f"-{zone.owner}"))
    return next((name for name in names if name in texts), zone.kind)


def draw_view(view: View) -> str:
    """The table of a view as text."""
    book = rulebook(games.find(view.game))
    state = "the round is over" if view.over else f"{_seats(view.waiting)} to act"
    lines = [f"{book.tables['name']['en']} · seat {view.dealer} deals · {state}"]
    for zone in view.zones:
        label = book.words(f"zones.{zone_key(zone, book.tables['zones'])}", "en")
        owner = "" if zone.owner is None else f" {zone.owner}"
        lines += _wrap(f"{label}{owner}", _zone_text(zone))
    lines += [line for name, n in view.middle.items() for line in _wrap(book.words(f"zones.{name}", "en"), str(n))]
    if view.prompt:
        lines.append(book.render(view.prompt, "en"))
    if view.legal:
        lines += _wrap("Legal", " ".join(legal.action for legal in view.legal))
    return "\n".join(lines)


def sheet_parts(lines: Iterable[SheetLine], seats: Iterable[int] = ()) -> Iterator[tuple[int | str, list[SheetLine]]]:
    """The lines of a sheet seat by seat, and last the accounts that are nobody's. `seats` are there also without lines."""
    parts: dict[int | str, list[SheetLine]] = {seat: [] for seat in seats}
    for line in lines:
        parts.setdefault(line.seat, []).append(line)
    yield from sorted(parts.items(), key=lambda part: (isinstance(part[0], str), part[0]))


def draw_sheet(sheet: Sheet) -> str:
    """A score sheet as text: for each seat its lines with cards, points and clause, and the sum."""
    book = rulebook(games.find(sheet.game))
    names = [f"seat {seat}" for seat in range(MOST_SEATS)]
    lines = []
    for seat, part in sheet_parts(sheet.lines):
        if isinstance(seat, str):
            lines.append(book.words(f"accounts.{seat}", "en").capitalize())
        else:
            total = "" if sheet.returns is None else f"  {sheet.returns[seat]:+d}"
            lines.append(f"Seat {seat}{total}")
        for line in part:
            points = f"{line.points:+d}" if line.points else ""
            lines.append(f"  {book.render(line.text, 'en', names):<42} {points:>6}  {line.clause}")
            if line.cards:
                lines += _wrap("", cards_text(line.cards), indent=4)
    return "\n".join(lines)


def _seats(seats: Sequence[int]) -> str:
    if seats == (DRIVER,):
        return "the table"
    if len(seats) < 3:
        return " and ".join(f"seat {seat}" for seat in seats)
    return f"seats {', '.join(map(str, seats[:-1]))} and {seats[-1]}"


def _zone_text(zone: Zone) -> str:
    if zone.hidden:
        return "hidden"
    shown = [card_text(card) for card in zone.cards if card is not None]
    unseen = len(zone.cards) - len(shown)
    if unseen:
        shown.append(f"{unseen} {'covered' if zone.layout == 'cloth' else 'face down'}")
    if zone.stake:
        shown.append(f"({zone.stake} staked)")
    return " ".join(shown) or "-"


def _wrap(label: str, text: str, indent: int = 14) -> list[str]:
    """A label and its text, broken between words."""
    lines, line = [], f"{label:<{indent - 1}}"
    for word in text.split():
        if len(line) + 1 + len(word) > _WIDTH:
            lines.append(line)
            line = " " * (indent - 1)
        line += f" {word}"
    return [*lines, line]
