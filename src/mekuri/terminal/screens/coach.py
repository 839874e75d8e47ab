"""The coach of a table with bots only: a hint in two steps, the reasons for another seat's last move, and taking back."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import ClassVar, TypeVar

from rich.console import Group, RenderableType
from rich.text import Text
from textual.binding import BindingType

from mekuri.bots.figures import figure
from mekuri.engine.contract import Text as GameText
from mekuri.engine.errors import MekuriError
from mekuri.match.view import View
from mekuri.protocol import analysis as wired
from mekuri.terminal.base.play import Play
from mekuri.terminal.base.prose import Prose, figures_grid
from mekuri.terminal.base.translate import Translator
from mekuri.terminal.screens.app import Page
from mekuri.terminal.screens.ask import YES_OR_NO, AskScreen
from mekuri.terminal.screens.sheet import Paper

Found = TypeVar("Found")


class HintScreen(Paper):
    """The full hint: the best action, why it is best, and how much less every other action wins on average."""

    def __init__(self, analysis: wired.Analysis, translator: Callable[[], Translator]) -> None:
        super().__init__(translator)
        self._analysis = analysis

    def heading(self) -> str:
        """Return the best action."""
        return self.translator.say("coach.best", action=self.translator.text(self._analysis.actions[0].text))

    def content(self) -> RenderableType:
        """Return the reasons, and the other actions with what each loses against the best one."""
        best, *others = self._analysis.actions
        prices = figures_grid()
        for other in others:
            prices.add_row(Prose(self.translator.text(other.text)), f"-{figure(best.mean - other.mean)}")
        facts = [Prose(self.translator.text(fact)) for fact in self._analysis.facts]
        return Group(*facts, Text(), Text(self.translator.say("coach.prices") if others else "", "bold"), prices)


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
        return Group(*(Prose(self.translator.text(reason)) for reason in self._why.reasons))


class Coached(Page[None]):
    """Base class of a table's screen: the actions of the coach."""

    BINDINGS: ClassVar[list[BindingType]] = [("a", "hint"), ("u,z", "take_back"), ("w", "why")]

    play: Play
    view: View | None
    _hint: wired.Analysis | None = None  # the hint of which the first part has been shown

    @property
    def translator(self) -> Translator:
        """The texts and names of this table."""
        raise NotImplementedError

    def notice(self, message: str) -> None:
        """Show a message below the prompt."""
        raise NotImplementedError

    async def _fetched(self, work: Awaitable[Found]) -> Found | None:
        """Return what a request fetches; None if it fails, which a message below the prompt then explains."""
        try:
            return await work
        except MekuriError as error:
            self.notice(str(error))
            return None

    def _signed(self) -> Translator:
        return replace(self.translator, signed=True)

    def action_hint(self) -> None:
        """Show the first part of a hint. If it has been shown for this decision, show the full hint."""
        if self.play.coached and self.view and self.view.legal:
            self.run_worker(self._show_hint(self.view), group="act")

    async def _show_hint(self, view: View) -> None:
        if self._hint and self._hint.version == view.version:
            self.mekuri.push_screen(HintScreen(self._hint, self._signed))
            return
        self.notice(self.say("coach.weighing"))
        hint = await self._fetched(self.play.hint())
        self._hint = hint or self._hint
        if hint and self.view is view:
            part = hint.part or GameText("facts.part-only", {})
            self.notice(f"{self.translator.text(part)} {self.say('coach.more')}")

    def action_why(self) -> None:
        """Show why another seat has made its last move."""
        if self.play.coached and self.view:
            self.run_worker(self._show_why(), group="act")

    async def _show_why(self) -> None:
        self.notice(self.say("coach.weighing"))
        if why := await self._fetched(self.play.why()):
            self.notice("")
            self.mekuri.push_screen(WhyScreen(why, self._signed))

    def action_take_back(self) -> None:
        """Take back the player's last action. The first time, ask first, because the match then becomes practice."""
        if not self.play.coached:
            return
        if self.play.practice:
            self._take_back(True)
        else:
            self.mekuri.push_screen(AskScreen(self.say("coach.asked"), self.say("coach.asked-keys"), YES_OR_NO), self._take_back)

    def _take_back(self, sure: bool | None) -> None:
        if sure:
            self.run_worker(self._go_back(), group="act")

    async def _go_back(self) -> None:
        refusal = await self.play.take_back()
        if refusal:
            self.notice(self.translator.text(refusal.text))
