"""The score sheet of a round as text."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from mekuri.engine.contract import SheetLine
from mekuri.match.draw import sheet_parts
from mekuri.terminal.base.prose import Prose, figures_grid
from mekuri.terminal.base.translate import Translator, signs


def signed(change: int) -> str:
    """Return a number with its sign, and 0 without one."""
    return f"{change:+d}" if change else "0"


def sheet_table(
    lines: Iterable[SheetLine], translator: Translator, totals: tuple[int, ...] | None = None, cites: bool = False
) -> RenderableType:
    """Return a score sheet.

    Args:
        lines: the lines of the sheet.
        translator: the texts and names of the table.
        totals: what the round changes for each seat, in seat order; None to leave it out.
        cites: whether each line names its clause.
    """
    parts: list[RenderableType] = []
    for seat, part in sheet_parts(lines, translator.speakers if totals else ()):
        table = figures_grid(least=5)
        total = signed(totals[seat]) if totals and isinstance(seat, int) else ""
        table.add_row(Text(translator.party(seat), "bold"), Text(total, "bold"))
        for line in part:
            text = Text(translator.text(line.text)).append(f"  {line.clause}" if cites and line.clause else "", "italic")
            table.add_row(Prose(text), f"{line.points:+d}" if line.points else "")
            if line.cards:
                table.add_row(Padding(signs(line.cards), (0, 0, 0, 2)), "")
        parts.append(Padding(table, (0, 0, 1, 0)))
    return Group(*parts)
