"""The window with the result of a retry beside that of the round."""

from __future__ import annotations

from typing import ClassVar

from rich.console import Group, RenderableType
from rich.text import Text
from textual.binding import Binding, BindingType

from mekuri.terminal.sheet import SheetScreen, signed
from mekuri.terminal.trying import TryPlay


class TrySheet(SheetScreen):
    """The window with the score sheet of a retry.

    Attributes:
        again: whether the person wants another retry from the same decision.
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("t", "once_more", show=False)]
    again = False

    def content(self) -> RenderableType:
        """Return what the retry and the round changed for the seat, and the score sheet of the retry."""
        assert isinstance(self._play, TryPlay)
        now, then = self._result.change(self._play.tried.seat), self._play.result
        return Group(Text(self.translator.say("try.brought", now=signed(now), then=signed(then)), "bold"), Text(), self.lines())

    def keys(self) -> str:
        """Return the text of the key bar: back to the review, or retry again."""
        return self.translator.say("try.keys")

    def action_once_more(self) -> None:
        """Close the window and retry from the same decision."""
        self.again = True
        self.action_put_away()
