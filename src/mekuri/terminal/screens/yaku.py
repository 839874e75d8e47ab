"""The window with the yaku of a table: their cards, every seat's progress, and their clauses."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text
from textual.binding import BindingType

from mekuri.cards import parse_row
from mekuri.engine.contract import Goal, Worth
from mekuri.match.view import View
from mekuri.terminal.base.prose import Prose, figures_grid
from mekuri.terminal.base.translate import Translator, sign
from mekuri.terminal.screens.render import around
from mekuri.terminal.screens.scores import pips
from mekuri.terminal.screens.sheet import Paper


def in_play(worths: Mapping[str, Worth], translator: Translator) -> list[str]:
    """Return the ids of the yaku that count at a table, in the order of the rule book.

    Args:
        worths: what every card in play counts, by notation.
        translator: the texts and names of the table.
    """
    counted = {yaku for worth in worths.values() for yaku in worth.yaku}
    return [id for id in translator.book.yaku if id in counted]


def captured(view: View) -> int:
    """Return the set of cards that the viewer has captured."""
    own = [zone for zone in view.zones if zone.kind == "captured" and zone.owner is not None and zone.owner == view.you]
    return sum(1 << card for card in {card for zone in own for card in zone.cards if card is not None})


def yaku_entry(id: str, translator: Translator, own: int = 0, goals: tuple[Goal, ...] = ()) -> RenderableType:
    """Return a yaku: its name and reading, its cards with the viewer's in brackets, the progress of seats, and its clause.

    Args:
        id: the id of the yaku.
        translator: the texts and names of the table.
        own: the set of cards that the viewer has captured.
        goals: the goals of seats for this yaku.
    """
    row = translator.book.yaku[id]
    head = figures_grid()
    name = Text(str(row["name"][translator.lang]), "bold").append(f"  {read(row, translator)}", "not bold italic")
    cards = " ".join(f"[{sign(card)}]" if own >> card & 1 else sign(card) for card in parse_row(row["cards"]))
    head.add_row(Prose(name), Text(cards))
    for goal in goals:
        worth = f" {goal.value:+d}" if goal.value else ""
        lost = f" {translator.say('table.lost')}" if goal.lost else ""
        head.add_row(Padding(Text(f"{translator.party(goal.seat)}{lost}"), (0, 0, 0, 2)), f"{pips(goal)}{worth}")
    clause = translator.book.clauses.get(row["clause"])
    about = [Padding(Prose(clause.text[translator.lang]), (0, 0, 0, 2))] if clause else []
    return Padding(Group(head, *about), (0, 0, 1, 0))


def read(row: Mapping[str, Any], translator: Translator) -> str:
    """Return the reading of a yaku's name: in kana if the language is Japanese, else in Latin letters."""
    return str(row["kana"] if translator.lang == "ja" else row["reading"])


class YakuScreen(Paper):
    """The window with the yaku of a table."""

    BINDINGS: ClassVar[list[BindingType]] = [("y", "put_away")]

    def __init__(self, view: View, worths: Mapping[str, Worth], translator: Callable[[], Translator]) -> None:
        super().__init__(translator)
        self._view = view
        self._worths = worths

    def heading(self) -> str:
        """Return the title of the window."""
        return self.translator.say("yaku.title")

    def content(self) -> RenderableType:
        """Return an explanation of the brackets, and an entry for each yaku."""
        own = captured(self._view)
        help = [Text(self.translator.say("yaku.own"), "italic"), Text()] if own else []
        entries = (yaku_entry(id, self.translator, own, tuple(self._goals(id))) for id in in_play(self._worths, self.translator))
        return Group(*help, *entries)

    def _goals(self, id: str) -> Iterator[Goal]:
        """Yield the viewer's goal for a yaku, then those of other seats that have begun it."""
        first = self._view.you or 0
        for seat in (first, *around(first, len(self.translator.seats))):
            for goal in self._view.goals:
                if goal.seat == seat and goal.text.args.get("yaku") == id and (goal.has or seat == self._view.you):
                    yield goal
