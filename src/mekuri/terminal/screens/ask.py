"""A small modal window that asks one question."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Static

from mekuri.terminal.screens.widgets import KeyBar

Answer = TypeVar("Answer")

YES_OR_NO = {"enter": True, "y": True, "q": True, "escape": False, "n": False}


class AskScreen(ModalScreen[Answer]):
    """A modal window with a question. Each answer has the keys that give it.

    Args:
        question: the question, or the list of answers.
        keys: the text of the key bar.
        answers: the answers by the name of the key.
    """

    def __init__(self, question: str, keys: str, answers: Mapping[str, Answer]) -> None:
        super().__init__()
        self._question = question
        self._keys = keys
        self._answers = answers

    def compose(self) -> ComposeResult:
        """Yield the question and the key bar."""
        with Vertical(classes="paper ask"):
            yield Static(self._question, markup=False)
            yield KeyBar(self._keys)

    def on_key(self, event: events.Key) -> None:
        """Close the window with the answer of a key."""
        if event.key in self._answers:
            event.stop()
            self.dismiss(self._answers[event.key])
