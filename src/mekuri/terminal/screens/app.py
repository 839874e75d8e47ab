"""The Textual application, the base class of its screens, and its light and dark theme."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, TypeVar

from rich.console import RenderableType
from textual import events
from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.keys import _character_to_key  # names keys as Textual does when it reads them
from textual.screen import Screen
from textual.theme import Theme
from textual.visual import VisualType
from textual.widgets import Static

from mekuri.cards.given import typed
from mekuri.engine.rulebook import Lang
from mekuri.terminal.base.texts import other, say
from mekuri.terminal.screens.widgets import KeyBar

# The rows of the letters on keyboards of several scripts, in the order of the Latin ones. A terminal reports no positions of keys.
_LATIN = "qwertyuiopasdfghjklzxcvbnm"
_SCRIPTS = (
    "йцукенгшщзфывапролдячсмить",  # Russian
    "йцукенгшщзфівапролдячсмить",  # Ukrainian
    " ςερτυθιοπασδφγηξκλζχψωβνμ",
    "  קראטוןםפשדגכעיחלךזסבהנמצ",
    "ضصثقفغعهخحشسيبلاتنمئءؤر ىة",
    "ๆไำพะัีรนยฟหกดเ้่าสผปแอิืท",
    "ㅂㅈㄷㄱㅅㅛㅕㅑㅐㅔㅁㄴㅇㄹㅎㅗㅓㅏㅣㅋㅌㅊㅍㅠㅜㅡ",
    "たていすかんなにらせちとしはきくまのりつさそひこみも",
)
_MEANT = {written: latin for script in _SCRIPTS for written, latin in zip(script, _LATIN, strict=True) if written != " "}
_MEANT |= dict(zip("ぬふあうえおやゆよわ", "1234567890", strict=True))
_MEANT["؟"] = "?"


def understand(key: events.Key) -> None:
    """Convert a key to the Latin small letter, digit or sign that it stands for among the shortcuts of Mekuri."""
    written = key.character
    if written is None or (len(written) == 1 and written.isascii() and not written.isupper()):
        return
    small = written.lower()
    meant = _MEANT.get(small) or typed(small)
    if len(meant) == 1 and meant.isascii() and meant != written:
        key.key, key.character = _character_to_key(meant), meant


# Paper-coloured background, ink-coloured text and one vermilion accent; the dark theme swaps the colours of text and background.
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
    """Mixin for screens whose texts depend on the language of the application."""

    def retext(self) -> None:
        """Redraw all texts after a change of the language."""


class Page(Speaks, Screen[Result]):
    """Base class of the full screens of Mekuri."""

    @property
    def lang(self) -> Lang:
        """The language of the application."""
        return self.mekuri.lang

    @property
    def mekuri(self) -> MekuriApp:
        """The running application."""
        assert isinstance(self.app, MekuriApp)
        return self.app

    def say(self, id: str, **args: object) -> str:
        """Return one of the terminal's own texts in the current language.

        Args:
            id: the text as `table.key` of `texts.toml`.
            args: the values for the text's placeholders.
        """
        return say(id, self.lang, **args)

    def put(self, id: str, content: VisualType) -> None:
        """Set the content of the widget with an id, which is a `Static`."""
        self.query_one(f"#{id}", Static).update(content)

    def show_keys(self, keys: str) -> None:
        """Set the text of the key bar."""
        self.query_one(KeyBar).show(keys)


class Written(Page[None]):
    """Base class of screens with a title, one scrolling text and a key bar."""

    def retext(self) -> None:
        """Redraw the title, the text and the key bar in the current language."""
        self.query_one(".heading", Static).update(self.heading())
        self.query_one(".text", Static).update(self.content())
        self.show_keys(self.keys())

    def heading(self) -> str:
        """Return the title."""
        raise NotImplementedError

    def content(self) -> RenderableType:
        """Return the text."""
        raise NotImplementedError

    def keys(self) -> str:
        """Return the text of the key bar."""
        return self.say("help.close")


class TextPage(Written):
    """Base class of a full screen with a title, one scrolling text and a key bar."""

    def compose(self) -> ComposeResult:
        """Yield the title, the text and the key bar."""
        yield Static(self.heading(), markup=False, id="page-title", classes="heading")
        with VerticalScroll(id="page"):
            yield Static(self.content(), classes="text")
        yield KeyBar(self.keys(), id="keys")


class MekuriApp(App[None]):
    """The Textual application of Mekuri.

    Attributes:
        lang: the current language.
        pace: seconds between two events shown at a table.
        failure: why the application ended early, in one line; empty if it did not.
    """

    CSS_PATH = "style.tcss"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [("g", "language"), ("d", "dark")]

    def __init__(self, lang: Lang, first: Callable[[], Page[Any]], pace: float) -> None:
        super().__init__()
        self.lang: Lang = lang
        self.pace = pace
        self.failure = ""
        self._first = first
        self.title = say("app.title", lang)

    def on_mount(self) -> None:
        """Register both themes and show the first screen in the light one."""
        self.register_theme(WASHI)
        self.register_theme(SUMI)
        self.theme = WASHI.name
        self.push_screen(self._first())

    async def on_event(self, event: events.Event) -> None:
        """Handle an event. A key is first converted to one of a Latin keyboard: no text is typed on these screens."""
        if isinstance(event, events.Key) and not event.is_forwarded:
            understand(event)
        await super().on_event(event)

    def action_language(self) -> None:
        """Switch to the next language, on every open screen."""
        self.lang = other(self.lang)
        self.retext()

    def retext(self) -> None:
        """Redraw the texts of every open screen."""
        for screen in self.screen_stack:
            if isinstance(screen, Speaks):
                screen.retext()

    def action_dark(self) -> None:
        """Switch between the light and the dark theme."""
        self.theme = SUMI.name if self.theme == WASHI.name else WASHI.name
