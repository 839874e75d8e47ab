"""Asking a decision again that was a mistake, as printed text: two tries, the answer, and the grade."""

from __future__ import annotations

from collections.abc import Callable

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from mekuri.bots.review import Moment
from mekuri.cards.given import typed
from mekuri.table.schedule import Grade
from mekuri.terminal.review import Telling, chosen, show_question

LEAVE = "q"  # typed to stop


def ask_again(telling: Telling, moment: Moment, title: str, ask: Callable[[str], str]) -> Grade | None:
    """Ask for the best action of a decision, in at most two tries, and print the answer.

    Args:
        telling: the texts of the review.
        moment: the decision.
        title: a line printed above the question.
        ask: shows a prompt and returns what is typed.

    Returns:
        GOOD for the first try, HARD for the second, AGAIN where both were wrong; None where the person stops.
    """
    console, translator = Console(highlight=False), telling.translator
    console.print(Text(title, "dim"))
    show_question(console, telling, moment)
    for grade in (Grade.GOOD, Grade.HARD):
        given = typed(ask(translator.say("practice.ask"))).strip()
        if given == LEAVE:
            return None
        if chosen(moment.choices, given) in moment.right:
            _show(console, [translator.say("review.right"), *telling.answer(moment)])
            return grade
        if grade is Grade.GOOD:
            _show(console, [translator.say("practice.once-more")])
    _show(console, telling.answer(moment))
    return Grade.AGAIN


def _show(console: Console, lines: list[str]) -> None:
    console.print(Padding(Text("\n".join(lines)), (0, 0, 1, 2)))
