"""The widget that lists the events of a round as the viewer saw them."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.widgets import Static

from mekuri.terminal.prose import Prose


class LogView(VerticalScroll, can_focus=True):
    """A scrolling list of lines that stays at its end."""

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self._lines = Static("", id="log-lines")
        self._told: tuple[str, ...] = ()

    def compose(self) -> ComposeResult:
        """Yield the text of the list."""
        yield self._lines

    def show(self, lines: Sequence[str]) -> None:
        """Show these lines. The last one is the newest and drawn bold."""
        if tuple(lines) != self._told:
            self._told = tuple(lines)
            last = len(lines) - 1
            self._lines.update(Group(*(Prose(f"· {line}", "bold" if i == last else "", hang=2) for i, line in enumerate(lines))))
            self.call_after_refresh(self.scroll_end, animate=False)
