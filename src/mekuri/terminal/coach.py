"""The coach at a table where all others are bots: a hint, part by part, why another has moved so, and the way back."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text
from textual.binding import Binding, BindingType

from mekuri.bots.figures import figure
from mekuri.engine.contract import Text as GameText
from mekuri.engine.errors import MekuriError
from mekuri.match.view import View
from mekuri.protocol import analysis as wired
from mekuri.protocol.view import heard
from mekuri.terminal.app import Page
from mekuri.terminal.ask import AskScreen
from mekuri.terminal.play import Play
from mekuri.terminal.prose import Prose
from mekuri.terminal.sheet import Paper
from mekuri.terminal.translate import Translator


class HintScreen(Paper):
    """The whole hint: what is best, why, and what everything else costs."""

    def __init__(self, analysis: wired.Analysis, translator: Callable[[], Translator]) -> None:
        super().__init__(translator)
        self._analysis = analysis

    def heading(self) -> str:
        """What is best."""
        return self.translator.say("coach.best", action=self._called(self._analysis.actions[0]))

    def content(self) -> RenderableType:
        """The facts, and the prices."""
        best, *others = self._analysis.actions
        prices = Table.grid(expand=True, padding=(0, 2, 0, 0))
        prices.add_column(ratio=1)
        prices.add_column(justify="right")
        for one in others:
            prices.add_row(Prose(Text(self._called(one))), f"-{figure(best.mean - one.mean)}")
        facts = [Prose(Text(self.translator.text(heard(fact)))) for fact in self._analysis.facts]
        return Group(*facts, Text(), Text(self.translator.say("coach.prices") if others else "", "bold"), prices)

    def keys(self) -> str:
        """Back to the table."""
        return self.translator.say("sheet.back")

    def _called(self, one: wired.Weighed) -> str:
        return self.translator.text(heard(one.text))


class WhyScreen(Paper):
    """Why another has done what they did last."""

    def __init__(self, why: wired.Why, translator: Callable[[], Translator]) -> None:
        super().__init__(translator)
        self._why = why

    def heading(self) -> str:
        """What was done."""
        return self.translator.text(heard(self._why.text))

    def content(self) -> RenderableType:
        """The reasons."""
        return Group(*(Prose(Text(self.translator.text(heard(reason)))) for reason in self._why.reasons))

    def keys(self) -> str:
        """Back to the table."""
        return self.translator.say("sheet.back")


class Coached(Page[None]):
    """A table with a coach."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("a", "hint", show=False),
        Binding("u,z", "take_back", show=False),
        Binding("w", "why", show=False),
    ]

    play: Play
    view: View | None
    _hint: wired.Analysis | None = None  # of which a part has been told

    @property
    def translator(self) -> Translator:
        """How this table is spoken of."""
        raise NotImplementedError

    def notice(self, told: str) -> None:
        """Tell something beside what is asked."""
        raise NotImplementedError

    def action_hint(self) -> None:
        """A part of a hint; again: all of it."""
        if self.play.coached and self.view and self.view.legal:
            self.run_worker(self._tell_hint(self.view), group="act")

    async def _tell_hint(self, view: View) -> None:
        if self._hint and self._hint.version == view.version:
            self.mekuri.push_screen(HintScreen(self._hint, lambda: self.translator))
            return
        self.notice(self.say("coach.weighing"))
        try:
            self._hint = found = await self.play.hint()
        except MekuriError as error:
            self.notice(str(error))
            return
        if self.view is view:
            part = heard(found.part) if found.part else GameText("facts.part-only", {})
            self.notice(f"{self.translator.text(part)} {self.say('coach.more')}")

    def action_why(self) -> None:
        """Why another has done what they did last."""
        if self.play.coached and self.view:
            self.run_worker(self._tell_why(), group="act")

    async def _tell_why(self) -> None:
        self.notice(self.say("coach.weighing"))
        try:
            found = await self.play.why()
        except MekuriError as error:
            self.notice(str(error))
            return
        self.notice("")
        self.mekuri.push_screen(WhyScreen(found, lambda: self.translator))

    def action_take_back(self) -> None:
        """Take back what was chosen last. That it makes the match practice is asked once."""
        if not self.play.coached:
            return
        if self.play.practice:
            self._take_back(True)
        else:
            self.mekuri.push_screen(AskScreen(self.say("coach.asked"), self.say("coach.asked-keys")), self._take_back)

    def _take_back(self, sure: bool | None) -> None:
        if sure:
            self.run_worker(self._go_back(), group="act")

    async def _go_back(self) -> None:
        refusal = await self.play.take_back()
        if refusal:
            self.notice(self.translator.text(refusal.text))
