"""The screen with the rule book of a game."""

from __future__ import annotations

from typing import ClassVar

from rich.padding import Padding
from rich.panel import Panel
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widgets import RichLog, Static

from mekuri.engine.contract import Contract
from mekuri.engine.rulebook import rulebook
from mekuri.terminal.printed.rules import rules_parts
from mekuri.terminal.screens.app import Page
from mekuri.terminal.screens.widgets import KeyBar

MOST_WIDTH = 100  # cells of a line that is easy to read


class RulesScreen(Page[None]):
    """The screen with the rule book of a game. It opens at a clause, which is framed, or at the beginning."""

    BINDINGS: ClassVar[list[BindingType]] = [("escape,q,r", "app.pop_screen"), ("right,n", "chapter(1)"), ("left,p", "chapter(-1)")]

    def __init__(self, contract: Contract, clause: str = "", names: str = "") -> None:
        super().__init__()
        self._contract = contract
        self._names = names  # the set of card names; empty for the game's first
        self._clause = clause  # the id of the clause to open at; empty for the beginning
        self._tops: dict[str, int] = {}  # the line where each part begins, by the part's id
        self._chapters: dict[int, str] = {}  # the heading of each chapter, by the line where it begins

    def compose(self) -> ComposeResult:
        """Yield the title, the text and the key bar."""
        yield Static(id="page-title")
        yield RichLog(id="page", wrap=True, auto_scroll=False, min_width=0)
        yield KeyBar(id="keys")

    def on_mount(self) -> None:
        """Focus the text, and keep the title in step with scrolling."""
        page = self._page
        page.focus()
        self.watch(page, "scroll_y", self._show_title, init=False)

    @property
    def _page(self) -> RichLog:
        return self.query_one("#page", RichLog)

    def on_resize(self) -> None:
        """Print the rule book for the new width, at the same part."""
        self.call_after_refresh(self._print, self._part() if self._tops else self._clause)

    def retext(self) -> None:
        """Print the rule book in the current language, at the same part."""
        self._print(self._part())

    def _print(self, at: str) -> None:
        """Print the rule book and scroll to a part."""
        page = self._page
        width = min(MOST_WIDTH, page.scrollable_content_region.width)
        page.clear()
        self._tops, self._chapters = {}, {}
        for id, heading, part in rules_parts(self._contract, self.lang, self._names):
            self._tops[id] = len(page.lines)
            if heading:
                self._chapters[len(page.lines)] = heading
            page.write(Panel(part, padding=(0, 1)) if id == self._clause else Padding(part, (0, 2)), width=width)
        page.scroll_to(y=self._tops.get(at, 0), animate=False, force=True)
        self.show_keys(self.say("rules.keys"))
        self._show_title()

    def _here(self) -> int:
        return int(self._page.scroll_offset.y)

    def _part(self) -> str:
        """Return the id of the part at the upper edge."""
        return max((top, id) for id, top in self._tops.items() if top <= self._here())[1]

    def _show_title(self) -> None:
        name = str(rulebook(self._contract).tables["name"][self.lang])
        chapter = [heading for top, heading in self._chapters.items() if top <= self._here()]
        title = Text().append(name, "bold").append(f" · {chapter[-1] if chapter else self.say('rules.clauses')}")
        self.put("page-title", title)

    def action_chapter(self, by: int) -> None:
        """Scroll to the next chapter (1) or the one before (-1)."""
        here = self._here()
        later, earlier = [top for top in self._chapters if top > here], [top for top in self._chapters if top < here]
        to = min(later, default=here) if by > 0 else max(earlier, default=0)
        self._page.scroll_to(y=to, animate=False)
