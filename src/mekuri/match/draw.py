"""Views and score sheets as plain text, for a Python prompt: a line for each place on the table, with cards in notation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from mekuri import games
from mekuri.cards import card_text, cards_text
from mekuri.engine.contract import DRIVER, SheetLine, Zone
from mekuri.engine.fields import MOST_SEATS
from mekuri.engine.rulebook import rulebook

_WIDTH = 76  # characters of a line


def zone_key(zone: Zone, texts: Mapping[str, object]) -> str:
    """Return the key under which a rule book names a place.

    That is its id where the rule book has it, else its id without its owner's number, else its kind.

    Args:
        zone: the place.
        texts: the rule book's table `zones`.
    """
    names = (zone.id, zone.id.removesuffix(f"-{zone.owner}"))
    return next((name for name in names if name in texts), zone.kind)


def sheet_parts(lines: Iterable[SheetLine], seats: Iterable[int] = ()) -> Iterator[tuple[int | str, list[SheetLine]]]:
    """Group the lines of a score sheet: seat by seat, and last the accounts that no seat owns, by name.

    Args:
        lines: the lines.
        seats: seats that get a group even without lines.
    """
    parts: dict[int | str, list[SheetLine]] = {seat: [] for seat in seats}
    for line in lines:
        parts.setdefault(line.seat, []).append(line)
    yield from sorted(parts.items(), key=lambda part: (isinstance(part[0], str), part[0]))


def draw_sheet(game: str, sheet: Iterable[SheetLine], returns: Sequence[int] | None) -> str:
    """Return a score sheet as text: for each seat its sum, and its lines with points, clause and cards.

    Args:
        game: the game's name.
        sheet: the lines.
        returns: the sum of each seat; None while the round is being played.
    """
    book = rulebook(games.find(game))
    names = [f"seat {seat}" for seat in range(MOST_SEATS)]
    lines = []
    for seat, part in sheet_parts(sheet):
        if isinstance(seat, str):
            lines.append(book.text_of(f"accounts.{seat}", "en").capitalize())
        else:
            total = "" if returns is None else f"  {returns[seat]:+d}"
            lines.append(f"Seat {seat}{total}")
        for line in part:
            points = f"{line.points:+d}" if line.points else ""
            lines.append(f"  {book.render(line.text, 'en', names):<42} {points:>6}  {line.clause}".rstrip())
            if line.cards:
                lines += wrap("", cards_text(line.cards), indent=4)
    return "\n".join(lines)


def seats_text(seats: Sequence[int]) -> str:
    """Return seats as words of a sentence, such as "seat 0 and seat 2"; the driver is "the table"."""
    if seats == (DRIVER,):
        return "the table"
    if len(seats) < 3:
        return " and ".join(f"seat {seat}" for seat in seats)
    return f"seats {', '.join(map(str, seats[:-1]))} and {seats[-1]}"


def zone_text(zone: Zone) -> str:
    """Return the cards that lie in a place, in notation, with the number of unseen ones; "-" for an empty place."""
    if zone.hidden:
        return "hidden"
    shown = [card_text(card) for card in zone.cards if card is not None]
    unseen = len(zone.cards) - len(shown)
    if unseen:
        shown.append(f"{unseen} {'covered' if zone.layout == 'cloth' else 'face down'}")
    if zone.stake:
        shown.append(f"({zone.stake} staked)")
    return " ".join(shown) or "-"


def wrap(label: str, text: str, indent: int = 14) -> list[str]:
    """Return a label and its text as lines of at most 76 characters, broken between words."""
    lines, line = [], f"{label:<{indent - 1}}"
    for word in text.split():
        if len(line) + 1 + len(word) > _WIDTH:
            lines.append(line)
            line = " " * (indent - 1)
        line += f" {word}"
    return [*lines, line]
