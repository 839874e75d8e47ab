"""What came of trying a finished round otherwise, beside what it had brought."""

from __future__ import annotations

from typing import ClassVar

from rich.console import Group, RenderableType
from rich.text import Text
from textual.binding import Binding, BindingType

from mekuri.terminal.sheet import SheetScreen, signed
from mekuri.terminal.trying import TryPlay


class TrySheet(SheetScreen):
    """The score sheet of a round that was tried otherwise.

    Attributes:
        again: whether the person would try once more.
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("t", "once_more", show=False)]
    again = False

    def content(self) -> RenderableType:
        """What it brought now and then, and the score sheet."""
        assert isinstance(self._play, TryPlay)
        now, then = self._result.change(self._play.tried.seat), self._play.result
        return Group(Text(self.translator.say("try.brought", now=signed(now), then=signed(then)), "bold"), Text(), self.lines())

    def keys(self) -> str:
        """Back to the review, or once more."""
        return self.translator.say("try.keys")

    def action_once_more(self) -> None:
        """Try it once more from the same moment."""
        self.again = True
        self.action_put_away()
