"""The terminal application: its screens, its language, its light and its dark."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, TypeVar

from textual.app import App
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.theme import Theme

from mekuri.engine.rulebook import Lang
from mekuri.terminal.texts import other, say

# Washi-coloured ground, ink, and one vermilion accent; by night the ground is ink and the text is paper.
WASHI = Theme(
    name="washi",
    primary="#2A2520",
    secondary="#635849",
    accent="#A32C13",
    warning="#A32C13",
    error="#A32C13",
    success="#2A2520",
    foreground="#2A2520",
    background="#EBE1CB",
    surface="#FBF7EC",
    panel="#E0D4BA",
    dark=False,
)
SUMI = Theme(
    name="sumi",
    primary="#EBE1CB",
    secondary="#B3A691",
    accent="#F58262",
    warning="#F58262",
    error="#F58262",
    success="#EBE1CB",
    foreground="#EBE1CB",
    background="#1A1714",
    surface="#2B2621",
    panel="#35302A",
    dark=True,
)


Result = TypeVar("Result")


class Speaks:
    """A screen with texts in the language spoken."""

    def retext(self) -> None:
        """Say everything again: the language or the names of the cards have changed."""


class Page(Speaks, Screen[Result]):
    """A screen of Mekuri."""

    @property
    def lang(self) -> Lang:
        """The language spoken."""
        return self.mekuri.lang

    @property
    def mekuri(self) -> MekuriApp:
        """The application."""
        assert isinstance(self.app, MekuriApp)
        return self.app

    def say(self, id: str, **args: object) -> str:
        """One of the terminal's own texts."""
        return say(id, self.lang, **args)


class MekuriApp(App[None]):
    """Mekuri in a terminal.

    Attributes:
        lang: the language spoken.
        pace: seconds between two things that happen on the table.
        failure: why it had to end, in one line; empty if it did not.
    """

    CSS_PATH = "style.tcss"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("g", "language", show=False),
        Binding("d", "dark", show=False),
    ]

    def __init__(self, lang: Lang, first: Callable[[], Page[Any]], pace: float) -> None:
        super().__init__()
        self.lang: Lang = lang
        self.pace = pace
        self.failure = ""
        self._first = first
        self.title = say("app.title", lang)

    def on_mount(self) -> None:
        """Begin in the light."""
        self.register_theme(WASHI)
        self.register_theme(SUMI)
        self.theme = WASHI.name
        self.push_screen(self._first())

    def action_language(self) -> None:
        """Speak the next language, on every screen."""
        self.lang = other(self.lang)
        self.retext()

    def retext(self) -> None:
        """Say everything again on every screen."""
        for screen in self.screen_stack:
            if isinstance(screen, Speaks):
                screen.retext()

    def action_dark(self) -> None:
        """Light or dark."""
        self.theme = SUMI.name if self.theme == WASHI.name else WASHI.name
