"""The key bar at the foot of a screen, and the log of a round."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.widget import Widget
from textual.widgets import Static

from mekuri.terminal.base.prose import Prose

_PRESS = {"Enter": "enter", "Esc": "escape", "?": "question_mark"}


class KeyBar(Widget):
    """A line of keys and what they do, made from a text such as `Enter|play  q|leave`. A click on a key presses it.

    Keys that do not fit are left out, from the end.
    """

    COMPONENT_CLASSES = {"keybar--key"}  # noqa: RUF012 - Textual's own type is a mutable set

    def __init__(self, text: str = "", id: str | None = None) -> None:
        super().__init__(id=id)
        self._text = text
        self._spans: list[tuple[int, int, str]] = []

    def show(self, text: str) -> None:
        """Show other keys."""
        if text != self._text:
            self._text = text
            self.refresh()

    def render(self) -> Text:
        """Return as many keys as fit, and note where each is for the mouse."""
        line, style = Text(no_wrap=True, overflow="crop"), self.get_component_rich_style("keybar--key", partial=True)
        self._spans = []
        for part in self._text.split("  "):
            key, _, meaning = part.partition("|")
            item = Text().append(key, style).append(f" {meaning}")
            if line.cell_len + item.cell_len + 2 > self.content_size.width:
                break
            line.append("  " if line else "")
            self._spans.append((line.cell_len, line.cell_len + item.cell_len, key))
            line.append_text(item)
        return line

    def on_click(self, event: events.Click) -> None:
        """Press the key that was clicked."""
        for start, end, key in self._spans:
            if start <= event.x - self.gutter.left < end and (len(key) == 1 or key in _PRESS):
                self.app.simulate_key(_PRESS.get(key, key))


class LogView(VerticalScroll, can_focus=True):
    """A scrolling list of lines that stays at its end."""

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self._lines = Static("", id="log-lines")
        self._shown: tuple[str, ...] = ()

    def compose(self) -> ComposeResult:
        """Yield the text of the list."""
        yield self._lines

    def show(self, lines: Sequence[str]) -> None:
        """Show these lines. The last one is the newest and drawn bold."""
        if tuple(lines) != self._shown:
            self._shown = tuple(lines)
            last = len(lines) - 1
            self._lines.update(Group(*(Prose(f"· {line}", "bold" if i == last else "", hang=2) for i, line in enumerate(lines))))
            self.call_after_refresh(self.scroll_end, animate=False)
