"""The screen with the review of a round: decisions as questions, the summary, all decisions, and the way to retry one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from rich.console import Group, RenderableType
from rich.text import Text
from textual.binding import BindingType
from textual.containers import VerticalScroll

from mekuri.bots.review import Moment
from mekuri.engine.errors import MekuriError
from mekuri.terminal.base.finished import Finished
from mekuri.terminal.base.prose import Prose
from mekuri.terminal.base.translate import Translator
from mekuri.terminal.base.trying import TryPlay
from mekuri.terminal.printed.review import Telling, whole
from mekuri.terminal.screens.app import Page, TextPage
from mekuri.terminal.screens.render import DIGITS


@dataclass(frozen=True)
class _Leaf:
    """A page of the review screen.

    Attributes:
        moment: the decision; None for the summary.
        asks: whether the decision is asked before its answer is shown.
    """

    moment: Moment | None
    asks: bool = False


class ReviewScreen(TextPage):
    """The screen with the review of a finished round. The review is made or fetched when the screen opens."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *((key, f"pick({i})") for i, key in enumerate(DIGITS)),
        ("enter,space", "answer"),
        ("right,n", "turn(1)"),
        ("left,p", "turn(-1)"),
        ("t", "try"),
        ("escape,q,v", "app.pop_screen"),
    ]

    def __init__(self, finished: Finished, translator: Callable[[], Translator], table: Callable[[TryPlay], Page[None]]) -> None:
        """Prepare the screen; the review is made once it is mounted.

        Args:
            finished: the round.
            translator: returns the texts and names of the table.
            table: returns the screen on which a retry is played.
        """
        super().__init__()
        self._table = table
        self._finished = finished
        self._translator = translator
        self._telling: Telling | None = None
        self._leaves: list[_Leaf] = []
        self._at = 0
        self._picked: dict[int, str] = {}  # the action answered, by decision; empty if the answer was shown without one
        self._state = ""  # the progress of making the review, or why it failed

    @property
    def translator(self) -> Translator:
        """The texts and names of the table."""
        return self._translator()

    def on_mount(self) -> None:
        """Start making the review."""
        self.run_worker(self._make())

    async def _make(self) -> None:
        try:
            found = await self._finished.review(self._report)
            events = await self._finished.events()
        except MekuriError as error:
            self._state = f"× {error}"
            self.retext()
            return
        translator = self.translator
        self._telling = Telling(found, events, translator, translator.player(self._finished.seat))
        first = [_Leaf(moment, asks=True) for moment in self._telling.first]
        self._leaves = [*first, _Leaf(None), *(_Leaf(moment) for moment in found.moments)]
        self.retext()

    def _report(self, done: int, total: int) -> None:
        self._state = self.say("review.weighing", done=done, total=total) if total else self.say("coach.weighing")
        self.retext()

    # --- Drawing ---

    def heading(self) -> str:
        """Return the title of the review, or before it is made the name of the game."""
        return self._telling.title() if self._telling else f"{self.translator.game()} · {self.say('review.one')}"

    def content(self) -> RenderableType:
        """Return the page of the review, or the progress of making it."""
        return self._page(self._telling) if self._telling else Text(self._state or self.say("coach.weighing"))

    def keys(self) -> str:
        """Return the text of the key bar."""
        return self.say("review.keys") if self._leaves else super().keys()

    def retext(self) -> None:
        """Redraw all texts in the current language."""
        if self._telling:
            self._telling.translator = self.translator
        super().retext()

    def _page(self, telling: Telling) -> RenderableType:
        leaf = self._leaves[self._at]
        if leaf.moment is None:
            return whole(telling)
        place = self.say("review.page", n=self._at + 1, of=len(self._leaves))
        head = Text(self.say("review.question", n=leaf.moment.number), "bold").append(f"   {place}", "not bold")
        parts: list[RenderableType] = [
            head,
            Text(),
            *(Prose(f"  {line}", hang=2) for line in telling.question(leaf.moment)),
            Text(),
        ]
        if self._is_answered(leaf):
            right = self._picked.get(leaf.moment.number) in leaf.moment.right
            answer = [*([self.say("review.right")] if right else []), *telling.answer(leaf.moment)]
            parts += [Prose(f"  {line}", hang=2) for line in answer]
        return Group(*parts)

    def _is_answered(self, leaf: _Leaf) -> bool:
        return leaf.moment is not None and (not leaf.asks or leaf.moment.number in self._picked)

    # --- What the player does ---

    @property
    def _moment(self) -> Moment | None:
        return self._leaves[self._at].moment if self._leaves else None

    def action_pick(self, index: int) -> None:
        """Answer the question with the choice of this index, from 0."""
        moment = self._moment
        if moment and not self._is_answered(self._leaves[self._at]) and index < len(moment.choices):
            self._picked[moment.number] = moment.choices[index].action
            self.retext()

    def action_answer(self) -> None:
        """Show the answer; if it is shown already, go to the next page."""
        moment = self._moment
        if moment and not self._is_answered(self._leaves[self._at]):
            self._picked[moment.number] = ""
            self.retext()
        else:
            self.action_turn(1)

    def action_turn(self, by: int) -> None:
        """Go `by` pages further."""
        if 0 <= self._at + by < len(self._leaves):
            self._at += by
            self.query_one("#page", VerticalScroll).scroll_home(animate=False)
            self.retext()

    def action_try(self) -> None:
        """Retry the round from this decision on."""
        if self._moment and self._telling:
            play = TryPlay(self._finished, self._moment, self._telling.events, self._telling.found.result, self.mekuri.pace)
            self.mekuri.push_screen(self._table(play))
