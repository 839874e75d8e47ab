"""A question that is answered with Enter or Esc."""

from __future__ import annotations

from typing import ClassVar

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


class FreeScreen(AskScreen):
    """Asks whether a seat is to be freed: Enter is that, `k` also that its person is kept out; Esc is neither, and answers None."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "answer(False)", show=False),
        Binding("k", "answer(True)", show=False),
        Binding("escape,n,q", "answer(None)", show=False),
    ]
