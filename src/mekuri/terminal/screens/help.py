"""The help: the keys, the marks on cards, and the suits."""

from __future__ import annotations

from typing import ClassVar

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text
from textual.binding import BindingType

from mekuri.engine.rulebook import Lang
from mekuri.terminal.base.texts import say
from mekuri.terminal.base.translate import EXTRA_SIGN, SUIT_SIGNS
from mekuri.terminal.screens.app import TextPage

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


class HelpScreen(TextPage):
    """The screen with the help."""

    BINDINGS: ClassVar[list[BindingType]] = [("escape,q,enter,question_mark", "app.pop_screen")]

    def heading(self) -> str:
        """Return the title."""
        return self.say("help.title")

    def content(self) -> RenderableType:
        """Return the help."""
        return help_text(self.lang)
