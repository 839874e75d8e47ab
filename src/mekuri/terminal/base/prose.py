"""Line breaking of English and Japanese text, and empty tables for running text.

Rich breaks lines at spaces only, and Japanese has none. Here a line may also end between two Japanese characters, but none begins
with a closing mark or ends with an opening one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from rich.cells import cell_len, chop_cells
from rich.console import Console, ConsoleOptions, RenderResult
from rich.measure import Measurement
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

_WIDE = r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]"
_CLOSING = r"[、。，．・：；？！）」』】〉》”’々ー\)\],.:;!?…]"
_OPENING = r"[（「『【〈《“‘\(\[]"
_ATOM = re.compile(rf"{_OPENING}*(?:{_WIDE}|(?:(?!{_WIDE})\S)+){_CLOSING}*|\s+")


def atoms(text: str) -> list[str]:
    """Return the pieces between which a line may be broken. White space is a piece of its own."""
    return _ATOM.findall(text)


@lru_cache(4096)
def lines(text: str, width: int) -> Sequence[tuple[int, int]]:
    """Return where each line begins and ends in a text, as indices, so that no line is wider than `width` cells."""
    found: list[tuple[int, int]] = []
    at = 0
    for paragraph in text.split("\n"):
        found += [(at + start, at + end) for start, end in _fill(paragraph, width)]
        at += len(paragraph) + 1
    return found


def _fill(text: str, width: int) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    start = end = at = 0
    for atom in atoms(text):
        following = at + len(atom)
        if not atom.isspace():
            if end > start and cell_len(text[start:following]) > width:
                found.append((start, end))
                start = at
            for piece in chop_cells(atom, max(width, 2))[:-1] if cell_len(atom) > width else ():
                found.append((start, start + len(piece)))
                start += len(piece)
            end = following
        at = following
    return [*found, (start, end)]


def broken(text: Text, width: int, hang: int) -> Text:
    """Return a text broken into lines of at most `width` cells, all but the first indented by `hang` cells."""
    rows = [text[start:end] for start, end in lines(text.plain, max(width, 2 * hang) - hang)]
    return Text("\n", end="", no_wrap=True, overflow="ellipsis").join(
        Text(" " * hang if at and not row.plain.startswith(" ") else "").append_text(row) for at, row in enumerate(rows)
    )


class Prose:
    """A Rich renderable of running text, with lines after the first indented by `hang` cells."""

    def __init__(self, text: str | Text, style: str = "", hang: int = 0) -> None:
        self.text = text if isinstance(text, Text) else Text(text, style)
        self.hang = hang

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the lines for the width of the console."""
        for i, (start, end) in enumerate(lines(self.text.plain, options.max_width - self.hang)):
            line = self.text[start:end]
            line.end = ""
            yield Segment(" " * self.hang if i and not self.text.plain[start:end].startswith(" ") else "")
            yield line
            yield Segment.line()

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        """Return the width of the widest piece as the minimum and of the longest paragraph as the maximum."""
        rows = self.text.plain.splitlines() or [""]
        widest = max(map(cell_len, atoms(self.text.plain)), default=1)
        return Measurement(min(widest, options.max_width), min(max(map(cell_len, rows)) + self.hang, options.max_width))


def figures_grid(gap: int = 2, least: int | None = None) -> Table:
    """Return an empty table as wide as the console: running text, and figures aligned to the right.

    Args:
        gap: the cells between the columns.
        least: the least cells of the figures; None for no limit.
    """
    table = Table.grid(expand=True, padding=(0, gap, 0, 0))
    table.add_column(ratio=1)
    table.add_column(justify="right", min_width=least)
    return table


def labels_grid() -> Table:
    """Return an empty table of labels, which are not broken, and running text."""
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column()
    return table
