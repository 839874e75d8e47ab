"""The coach of a table with bots only: a hint in two steps, the reasons for another seat's last move, and taking back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
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
from mekuri.terminal.base.play import Play
from mekuri.terminal.base.prose import Prose
from mekuri.terminal.base.translate import Translator
from mekuri.terminal.screens.app import Page
from mekuri.terminal.screens.ask import AskScreen
from mekuri.terminal.screens.sheet import Paper


class HintScreen(Paper):
    """The full hint: the best action, why it is best, and how much less every other action wins on average."""

    def __init__(self, analysis: wired.Analysis, translator: Callable[[], Translator]) -> None:
        super().__init__(translator)
        self._analysis = analysis

    def heading(self) -> str:
        """Return the best action."""
        return self.translator.say("coach.best", action=self._called(self._analysis.actions[0]))

    def content(self) -> RenderableType:
        """Return the reasons, and the other actions with what each loses against the best one."""
        best, *others = self._analysis.actions
        prices = Table.grid(expand=True, padding=(0, 2, 0, 0))
        prices.add_column(ratio=1)
        prices.add_column(justify="right")
        for one in others:
            prices.add_row(Prose(Text(self._called(one))), f"-{figure(best.mean - one.mean)}")
        facts = [Prose(Text(self.translator.text(fact))) for fact in self._analysis.facts]
        return Group(*facts, Text(), Text(self.translator.say("coach.prices") if others else "", "bold"), prices)

    def keys(self) -> str:
        """Return the keys of this window."""
        return self.translator.say("sheet.back")

    def _called(self, one: wired.Weighed) -> str:
        return self.translator.text(one.text)


class WhyScreen(Paper):
    """The reasons for the last move of another seat."""

    def __init__(self, why: wired.Why, translator: Callable[[], Translator]) -> None:
        super().__init__(translator)
        self._why = why

    def heading(self) -> str:
        """Return the move."""
        return self.translator.text(self._why.text)

    def content(self) -> RenderableType:
        """Return the reasons."""
        return Group(*(Prose(Text(self.translator.text(reason))) for reason in self._why.reasons))

    def keys(self) -> str:
        """Return the keys of this window."""
        return self.translator.say("sheet.back")


class Coached(Page[None]):
    """Base class of a table's screen: the actions of the coach."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("a", "hint", show=False),
        Binding("u,z", "take_back", show=False),
        Binding("w", "why", show=False),
    ]

    play: Play
    view: View | None
    _hint: wired.Analysis | None = None  # the hint of which the first part has been shown

    @property
    def translator(self) -> Translator:
        """The texts and names of this table."""
        raise NotImplementedError

    def notice(self, told: str) -> None:
        """Show a message below the prompt."""
        raise NotImplementedError

    def action_hint(self) -> None:
        """Show the first part of a hint; if it has been shown for this decision, show the full hint."""
        if self.play.coached and self.view and self.view.legal:
            self.run_worker(self._tell_hint(self.view), group="act")

    async def _tell_hint(self, view: View) -> None:
        if self._hint and self._hint.version == view.version:
            self.mekuri.push_screen(HintScreen(self._hint, lambda: replace(self.translator, signed=True)))
            return
        self.notice(self.say("coach.weighing"))
        try:
            self._hint = found = await self.play.hint()
        except MekuriError as error:
            self.notice(str(error))
            return
        if self.view is view:
            part = found.part or GameText("facts.part-only", {})
            self.notice(f"{self.translator.text(part)} {self.say('coach.more')}")

    def action_why(self) -> None:
        """Show why another seat has made its last move."""
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
        self.mekuri.push_screen(WhyScreen(found, lambda: replace(self.translator, signed=True)))

    def action_take_back(self) -> None:
        """Take back the person's last action. The first time, ask whether the match shall become practice."""
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
