"""The scores of a running round as text: points counted so far, the points from which a seat wins, and goals."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from rich.console import RenderableType
from rich.padding import Padding
from rich.text import Text

from mekuri.cards import Cards
from mekuri.engine.contract import Counted, Goal
from mekuri.engine.contract import Text as Said
from mekuri.match.draw import sheet_parts
from mekuri.match.view import View
from mekuri.terminal.base.prose import Prose, figures_grid
from mekuri.terminal.base.translate import Translator, signs
from mekuri.terminal.screens.render import around

APART = "   "
MARGIN = 2  # cells to the left of a line


def score_lines(view: View, translator: Translator) -> RenderableType:
    """Return the score beside the board: each seat's points, the points from which it wins, and its score lines."""
    table = figures_grid(1)
    for seat, part in sheet_parts(
        view.score, [seat for seat, one in enumerate(view.scores) if one and one.wins_from and seat in translator.speakers]
    ):
        counted = view.scores[seat] if isinstance(seat, int) and seat < len(view.scores) else None
        table.add_row(Text(translator.party(seat), "bold"), "")
        if counted and counted.wins_from is not None:
            table.add_row(Padding(Prose(_counted_up(counted, translator)), (0, 0, 0, 1)), "")
        for line in part:
            table.add_row(Padding(Prose(translator.text(line.text)), (0, 0, 0, 1)), f"{line.points:+d}" if line.points else "")
    return table


def near_lines(view: View, translator: Translator, most: int = 99) -> RenderableType:
    """Return the yaku within the viewer's reach, those with the fewest missing cards first, at most `most` of them."""
    near = sorted(view.near, key=lambda n: n.steps)[:most]
    table = figures_grid(1)
    for one in near:
        table.add_row(
            Prose(str(translator.book.yaku[one.yaku]["name"][translator.lang])),
            _needs(one.missing, one.steps, translator),
        )
    if not near:
        table.add_row(translator.say("table.near-none"), "")
    return table


def goal_lines(view: View, translator: Translator, brief: bool = False) -> RenderableType:
    """Return the goals of each seat, the viewer's first, with a pip for each step and the missing cards.

    Args:
        view: the view.
        translator: the texts and names of the table.
        brief: whether lost goals, goals that another seat has not begun, and the seats' points are left out.
    """
    table = figures_grid(1)
    first = view.you or 0
    for seat in (seat for seat in (first, *around(first, len(translator.seats))) if seat in translator.speakers):
        goals = [goal for goal in view.goals if goal.seat == seat and not (brief and _idle(goal, view))]
        counted = None if brief or seat >= len(view.scores) else view.scores[seat]
        if goals or counted:
            table.add_row(Text(translator.party(seat), "bold"), Text(_counted_up(counted, translator) if counted else "", "bold"))
        for goal in goals:
            text = Text(f" {translator.text(goal.text)}", "strike dim" if goal.lost else "")
            text.append(f" {translator.say('table.lost')}" if goal.lost else "", "dim")
            worth = f" {goal.value:+d}" if goal.value else ""
            table.add_row(Prose(text, hang=1), f"{pips(goal)}{worth}")
            if goal.lacks and not goal.lost:
                table.add_row(Padding(Text(_needs(goal.lacks, goal.needs - goal.has, translator), "dim"), (0, 0, 0, 3)), "")
    return table


def _needs(lacks: Cards, steps: int, translator: Translator) -> str:
    """Return the cards that a yaku lacks as text, with their number if any so many of them will do; empty for no cards."""
    if not lacks:
        return ""
    return translator.say("table.needs" if len(lacks) == steps else "table.needs-any", cards=signs(lacks), steps=steps)


def _idle(goal: Goal, view: View) -> bool:
    """Return whether a goal is lost, or is another seat's that has not been begun."""
    return goal.lost or (goal.seat != view.you and not goal.has)


def pips(goal: Goal) -> str:
    """Return a filled pip for each step done and an empty one for each missing."""
    return f"{'●' * goal.has}{'○' * (goal.needs - goal.has)}"


def score_line(view: View, translator: Translator, width: int) -> str:
    """Return the points of every seat and the viewer's goals in one line; empty if there is nothing, or no room.

    Goals are added as far as they fit. If not even every seat's points fit, the line has the viewer's only.

    Args:
        view: the view.
        translator: the texts and names of the table.
        width: the most cells of the line.
    """
    points = APART.join(_scores(view, translator))
    if cell_len(points) + MARGIN > width:
        points = APART.join(_scores(view, translator, own=True))
    near = [goal for goal in view.goals if goal.seat == view.you and 0 < goal.has < goal.needs and not goal.lost]
    goals: list[str] = []
    for goal in near:
        part = f"{translator.text(goal.text)} {pips(goal)}" + (f" {signs(goal.lacks)}" if goal.lacks else "")
        longer = _with_goals(points, [*goals, part], translator)
        if cell_len(longer) + MARGIN <= width:
            goals.append(part)
    line = _with_goals(points, goals, translator)
    return f"{' ' * MARGIN}{line}" if line and cell_len(line) + MARGIN <= width else ""


def _with_goals(points: str, goals: Sequence[str], translator: Translator) -> str:
    """Return a line of points, with goals after it."""
    return APART.join(filter(None, (points, translator.say("table.going-for", goals=APART.join(goals)) if goals else "")))


def _scores(view: View, translator: Translator, own: bool = False) -> list[str]:
    """Return the points of each seat, or of the viewer's only. A number of points from which all win stands once, at the end."""
    seats = [view.you] if own else translator.speakers
    counted = {seat: counted for seat, counted in enumerate(view.scores) if counted and seat in seats}
    bars = {one.wins_from for one in counted.values()}
    if len(bars) != 1:
        return [f"{translator.party(seat)} {_counted_up(one, translator)}" for seat, one in counted.items()]
    bar = bars.pop()
    points = [f"{translator.party(seat)} {one.points}" for seat, one in counted.items()]
    return points if bar is None else [*points, translator.text(Said("counted.from", {"n": bar}))]


def _counted_up(counted: Counted, translator: Translator) -> str:
    """Return a seat's points, with the points from which it wins."""
    if counted.wins_from is None:
        return str(counted.points)
    return f"{counted.points} {translator.text(Said('counted.of', {'n': counted.wins_from}))}"
