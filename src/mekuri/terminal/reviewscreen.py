"""A review on the screen: moments as questions, what the round was, every decision, and any of them to be tried otherwise."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from rich.console import Group, RenderableType
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.widgets import Static

from mekuri.engine.errors import MekuriError
from mekuri.protocol.review import Moment
from mekuri.terminal.app import Page
from mekuri.terminal.finished import Finished
from mekuri.terminal.keybar import KeyBar
from mekuri.terminal.prose import Prose
from mekuri.terminal.render import DIGITS
from mekuri.terminal.review import Telling, whole
from mekuri.terminal.translate import Translator
from mekuri.terminal.trying import TryPlay


@dataclass(frozen=True)
class _Leaf:
    """A page of a review: a moment, asked before it is told or told at once; or, without one, what the round was."""

    moment: Moment | None
    asks: bool = False


class ReviewScreen(Page[None]):
    """The review of a finished round, for whoever sat there. It may have to be made first."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(key, f"pick({i})", show=False) for i, key in enumerate(DIGITS)),
        Binding("enter,space", "tell", show=False),
        Binding("right,n", "turn(1)", show=False),
        Binding("left,p", "turn(-1)", show=False),
        Binding("t", "try", show=False),
        Binding("escape,q,v", "app.pop_screen", show=False),
    ]

    def __init__(self, finished: Finished, translator: Callable[[], Translator], table: Callable[[TryPlay], Page[None]]) -> None:
        """`table` is where it is tried otherwise."""
        super().__init__()
        self._table = table
        self._finished = finished
        self._translator = translator
        self._telling: Telling | None = None
        self._leaves: list[_Leaf] = []
        self._at = 0
        self._picked: dict[int, str] = {}  # what was answered to a moment; nothing where it was only told
        self._state = ""  # how far it is, or why there is none

    @property
    def translator(self) -> Translator:
        """How the round is spoken of."""
        return self._translator()

    def compose(self) -> ComposeResult:
        """What is reviewed, a page of it, the keys."""
        yield Static(id="page-title")
        with VerticalScroll(id="page"):
            yield Static(id="review")
        yield KeyBar(id="keys")

    def on_mount(self) -> None:
        """Have it made."""
        self.query_one("#page").focus()
        self._hear(0, 0)
        self.run_worker(self._make())

    async def _make(self) -> None:
        try:
            found = await self._finished.review(self._hear)
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

    def _hear(self, done: int, total: int) -> None:
        self._state = self.say("review.weighing", done=done, total=total) if total else self.say("coach.weighing")
        self.retext()

    # --- Drawing ---

    def retext(self) -> None:
        """In the language spoken."""
        telling = self._telling
        if telling:
            telling.translator = self.translator
        title = telling.title() if telling else f"{self.translator.game()} · {self.say('review.one')}"
        self.query_one("#page-title", Static).update(Text(title, "bold"))
        self.query_one("#review", Static).update(self._page(telling) if telling else Text(self._state))
        self.query_one("#keys", KeyBar).show(self.say("review.keys" if self._leaves else "help.close"))

    def _page(self, telling: Telling) -> RenderableType:
        leaf = self._leaves[self._at]
        if leaf.moment is None:
            return Group(*self._nothing(telling), whole(telling))
        place = self.say("review.page", n=self._at + 1, of=len(self._leaves))
        head = Text(self.say("review.question", n=leaf.moment.number), "bold").append(f"   {place}", "not bold")
        parts: list[RenderableType] = [
            head,
            Text(),
            *(Prose(f"  {line}", hang=2) for line in telling.question(leaf.moment)),
            Text(),
        ]
        if self._is_told(leaf):
            right = self._picked.get(leaf.moment.number) == leaf.moment.best
            answer = [*([self.say("review.right")] if right else []), *telling.answer(leaf.moment)]
            parts += [Prose(f"  {line}", hang=2) for line in answer]
        return Group(*parts)

    def _nothing(self, telling: Telling) -> list[RenderableType]:
        return [] if telling.found.moments else [Text(self.say("review.no-decision")), Text()]

    def _is_told(self, leaf: _Leaf) -> bool:
        return leaf.moment is not None and (not leaf.asks or leaf.moment.number in self._picked)

    # --- What the person does ---

    @property
    def _moment(self) -> Moment | None:
        return self._leaves[self._at].moment if self._leaves else None

    def action_pick(self, index: int) -> None:
        """A digit answers what is asked."""
        moment = self._moment
        if moment and not self._is_told(self._leaves[self._at]) and index < len(moment.choices):
            self._picked[moment.number] = moment.choices[index].action
            self.retext()

    def action_tell(self) -> None:
        """What is said of the moment; then the next page."""
        moment = self._moment
        if moment and not self._is_told(self._leaves[self._at]):
            self._picked[moment.number] = ""
            self.retext()
        else:
            self.action_turn(1)

    def action_turn(self, by: int) -> None:
        """To another page."""
        if 0 <= self._at + by < len(self._leaves):
            self._at += by
            self.query_one("#page", VerticalScroll).scroll_home(animate=False)
            self.retext()

    def action_try(self) -> None:
        """Play on from this moment, otherwise."""
        if self._moment and self._telling:
            play = TryPlay(self._finished, self._moment, self._telling.events, self._telling.found.result, self.mekuri.pace)
            self.mekuri.push_screen(self._table(play))
