"""The log: everything that has happened, as the viewer saw it, a line each."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.widgets import Static

from mekuri.terminal.prose import Prose


class LogView(VerticalScroll, can_focus=True):
    """A column of lines that stays at its end."""

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self._lines = Static("", id="log-lines")
        self._told: tuple[str, ...] = ()

    def compose(self) -> ComposeResult:
        """One text."""
        yield self._lines

    def show(self, lines: Sequence[str]) -> None:
        """Show these lines; the last is the newest."""
        if tuple(lines) != self._told:
            self._told = tuple(lines)
            last = len(lines) - 1
            self._lines.update(Group(*(Prose(f"· {line}", "bold" if i == last else "", hang=2) for i, line in enumerate(lines))))
            self.call_after_refresh(self.scroll_end, animate=False)
