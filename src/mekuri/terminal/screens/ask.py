"""Small modal windows that ask one question: yes or no, what to say, whether to free a seat, and whether to wait on."""

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

from mekuri.terminal.screens.widgets import KeyBar


class AskScreen(ModalScreen[bool | None]):
    """A modal window with a yes-or-no question: Enter, `y` and `q` give True, Esc and `n` give False."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,y,q", "answer(True)", show=False),
        Binding("escape,n", "answer(False)", show=False),
    ]

    def __init__(self, question: str, keys: str) -> None:
        super().__init__()
        self._question = question
        self._keys = keys

    def compose(self) -> ComposeResult:
        """Yield the question and the key bar."""
        with Vertical(classes="paper ask"):
            yield Static(self._question)
            yield KeyBar(self._keys)

    def action_answer(self, yes: bool | None) -> None:
        """Close the window with an answer."""
        self.dismiss(yes)


class SayScreen(ModalScreen[str | None]):
    """A modal window that lists what can be said to the other players, each with the letter that picks it.

    It gives the id of the chosen text, `HUSH` to switch the messages of others off or on, or None where nothing was chosen.
    """

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
        """Yield one line for each text, and the key bar."""
        with Vertical(classes="paper ask"):
            lines = [f"{key}  {text}" for key, (_, text) in zip(ascii_lowercase, self._sayings, strict=False)]
            yield Static("\n".join(lines), markup=False)
            yield KeyBar(self._keys)

    def on_key(self, event: events.Key) -> None:
        """Close the window with the text that a letter picks."""
        at = ascii_lowercase.find(event.character or " ")
        if 0 <= at < len(self._sayings):
            event.stop()
            self.dismiss(self._sayings[at][0])

    def action_answer(self, said: str) -> None:
        """Close the window with an answer; an empty one becomes None."""
        self.dismiss(said or None)


class FreeScreen(AskScreen):
    """A modal window that asks whether to free a seat: False frees it, True also keeps its person out, None leaves it as it is."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "answer(False)", show=False),
        Binding("k", "answer(True)", show=False),
        Binding("escape,n,q", "answer(None)", show=False),
    ]


class SlowScreen(AskScreen):
    """A modal window about players who do not move: True lets a bot play, False asks to end the match, None goes on waiting."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "answer(True)", show=False),
        Binding("e", "answer(False)", show=False),
        Binding("escape,n,q", "answer(None)", show=False),
    ]
