"""The help: the keys, the marks on cards, and the suits."""

from __future__ import annotations

from typing import ClassVar

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.widgets import Static

from mekuri.engine.rulebook import Lang
from mekuri.terminal.base.texts import say
from mekuri.terminal.base.translate import EXTRA_SIGN, SUIT_SIGNS
from mekuri.terminal.screens.app import Page
from mekuri.terminal.screens.widgets import KeyBar

KEYS = (
    ("Tab", "tab"),
    ("← → ↑ ↓", "arrows"),
    ("1 … 9 0", "digits"),
    ("Enter", "enter"),
    ("PgUp PgDn", "page"),
    ("r", "read"),
    ("s", "score"),
    ("y", "yaku"),
    ("l", "log"),
    ("n", "names"),
    ("t", "talk"),
    ("b", "settle"),
    ("a", "hint"),
    ("u", "take-back"),
    ("w", "why"),
    ("v", "review"),
    ("g", "language"),
    ("d", "dark"),
    ("q", "leave"),
)
MARKS = (("┏7♠━┓", "legal"), ("╭7♠─╮", "plain"), ("╔7♠═╗", "marked"), (" 7♠ ", "cursor"), ("╭7♠•╮", "fresh"), ("◆", "dealer"))


def help_text(lang: Lang) -> RenderableType:
    """Return the help as one renderable."""
    keys, suits, marks = (Table.grid(padding=(0, 3, 0, 2)) for _ in range(3))
    for key, id in KEYS:
        keys.add_row(Text(key, "bold"), say(f"help.{id}", lang))
    keys.add_row(Text(say("help.mouse-key", lang), "bold"), say("help.mouse", lang))
    for i, shape in enumerate(SUIT_SIGNS):
        suits.add_row(Text(shape, "bold"), say(f"help.suit-{i}", lang))
    suits.add_row(Text(EXTRA_SIGN, "bold"), say("help.suit-extra", lang))
    for shape, id in MARKS:
        marks.add_row(Text(shape, "bold reverse" if id == "cursor" else "bold"), say(f"help.{id}", lang))
    parts: list[RenderableType] = []
    for title, table in (("keys", keys), ("marks", marks), ("suits", suits)):
        parts += [Text(say(f"help.{title}-title", lang), "bold underline"), table, Text()]
    return Group(*parts)


class HelpScreen(Page[None]):
    """The screen with the help."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q,enter,question_mark", "app.pop_screen", show=False)]

    def compose(self) -> ComposeResult:
        """Yield the title, the help and the key bar."""
        yield Static(id="page-title")
        with VerticalScroll(id="page"):
            yield Static(id="help")
        yield KeyBar(id="keys")

    def on_mount(self) -> None:
        """Fill in the texts."""
        self.retext()
        self.query_one("#page").focus()

    def retext(self) -> None:
        """Redraw the help in the current language."""
        self.query_one("#page-title", Static).update(Text(self.say("help.title"), "bold"))
        self.query_one("#help", Static).update(help_text(self.lang))
        self.query_one("#keys", KeyBar).show(self.say("help.close"))
