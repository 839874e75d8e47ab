"""A question that is answered with Enter or Esc."""

from __future__ import annotations

from collections.abc import Sequence
from string import ascii_lowercase
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Static

from mekuri.terminal.keybar import KeyBar


class AskScreen(ModalScreen[bool | None]):
    """Asks once, in a small window: Enter, or the key that led here again, is yes; Esc is no."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,y,q", "answer(True)", show=False),
        Binding("escape,n", "answer(False)", show=False),
    ]

    def __init__(self, question: str, keys: str) -> None:
        super().__init__()
        self._question = question
        self._keys = keys

    def compose(self) -> ComposeResult:
        """The question and its keys."""
        with Vertical(classes="paper ask"):
            yield Static(self._question)
            yield KeyBar(self._keys)

    def action_answer(self, yes: bool | None) -> None:
        """Give the answer back."""
        self.dismiss(yes)


class SayScreen(ModalScreen[str | None]):
    """Shows what can be said, each with the letter that says it. `HUSH` is to hear the others no more, or again."""

    HUSH = "hush"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "answer('')", show=False),
        Binding("exclamation_mark", "answer('hush')", show=False),
    ]

    def __init__(self, sayings: Sequence[tuple[str, str]], keys: str) -> None:
        super().__init__()
        self._sayings = sayings
        self._keys = keys

    def compose(self) -> ComposeResult:
        """A line for each, and the keys."""
        with Vertical(classes="paper ask"):
            lines = [f"{key}  {text}" for key, (_, text) in zip(ascii_lowercase, self._sayings, strict=False)]
            yield Static("\n".join(lines), markup=False)
            yield KeyBar(self._keys)

    def on_key(self, event: events.Key) -> None:
        """A letter says its line."""
        at = ascii_lowercase.find(event.character or " ")
        if 0 <= at < len(self._sayings):
            event.stop()
            self.dismiss(self._sayings[at][0])

    def action_answer(self, said: str) -> None:
        """Give the answer back."""
        self.dismiss(said or None)


class FreeScreen(AskScreen):
    """Asks whether a seat is to be freed: Enter is that, `k` also that its person is kept out; Esc is neither, and answers None."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "answer(False)", show=False),
        Binding("k", "answer(True)", show=False),
        Binding("escape,n,q", "answer(None)", show=False),
    ]
