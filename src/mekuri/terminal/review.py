"""A review as text: the moments that teach most, each first a question; every decision; and what was skill and what luck."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text as Line

from mekuri.bots.figures import figure
from mekuri.engine.contract import Zone
from mekuri.match.view import Event
from mekuri.protocol.review import Choice, Estimate, Moment, Review
from mekuri.protocol.view import Text, heard
from mekuri.terminal.translate import Translator, printable

COLUMNS = ("number", "action", "best", "expected", "cost", "looking-back", "label")  # of the table of every decision
_WORDED = ("action", "best", "label")  # columns that hold words
PARTS = ("deal", "skill", "others", "luck")  # of the result


class Telling:
    """What is said of a review, sentence by sentence, whatever it is written on.

    Attributes:
        found: the review, as it travels.
        events: what its seat has seen happen in the round, with the views after it.
        translator: it speaks to whoever it is for as you.
        name: whom it is for.
    """

    def __init__(self, found: Review, events: Sequence[Event], translator: Translator, name: str) -> None:
        self.found, self.events, self.translator, self.name = found, events, translator, printable(name)

    def title(self) -> str:
        """What it is a review of."""
        return self.translator.say("review.title", game=self.translator.game(), n=self.found.round, name=self.name)

    @property
    def first(self) -> list[Moment]:
        """The moments that teach most."""
        return [moment for moment in self.found.moments if moment.number in self.found.first]

    def action(self, moment: Moment, action: str) -> str:
        """What an action of a moment is called."""
        return called(moment.choices, action, self.translator)

    def places(self, moment: Moment) -> list[tuple[str, str]]:
        """The places on the table of which the seat knew cards, and these."""
        return places(self._zones(moment), self.translator)

    def question(self, moment: Moment) -> list[str]:
        """A moment as a question: what lies on the table, and what can be chosen from, numbered."""
        return question(self._zones(moment), moment.choices, self.translator)

    def _zones(self, moment: Moment) -> Sequence[Zone]:
        return self.events[moment.seen - 1].view.zones if moment.seen else ()

    def answer(self, moment: Moment) -> list[str]:
        """What is told once the question has been answered."""
        say, later = self.translator.say, moment.hindsight
        lines = [f"{say('review.played', action=self.action(moment, moment.action))} {say('review.' + moment.label)}"]
        if moment.cost.mean > 0:
            lines.append(say("review.better", action=self.action(moment, moment.best)))
            lines.append(say("review.known", cost=told(moment.cost)))
            lines += self.facts(moment.facts)
        else:
            lines.append(say("review.nothing"))
        exact = say("review.exact" if later.exact else "review.estimated")
        if later.best == moment.action:
            lines.append(f"{say('review.hindsight-same')} {exact}")
        else:
            best = self.action(moment, later.best)
            lines.append(f"{say('review.hindsight', action=best, cost=told(later.cost))} {exact}")
        return lines

    def facts(self, facts: Sequence[Text]) -> list[str]:
        """Reasons in words."""
        return [self.translator.text(heard(fact)) for fact in facts]

    def parts(self) -> list[tuple[str, str]]:
        """What the result is made of, and the result."""
        rows = [(self.translator.say(f"review.{part}"), told(getattr(self.found, part), "+")) for part in PARTS]
        return [*rows, (self.translator.say("review.result"), f"{self.found.result:+d}")]

    def luck(self) -> list[tuple[str, list[str]]]:
        """Where luck was best and worst, the card that it came down to, and what happened there."""
        rows = []
        for key, luck in (("good-luck", self.found.lucky), ("bad-luck", self.found.unlucky)):
            if luck:
                head = self.translator.say(f"review.{key}", n=luck.number, value=figure(luck.value, "+"))
                happened = [self.translator.text(event.text) for event in self.events[luck.since : luck.until]]
                rows.append((head, [*self.facts(luck.facts), *happened]))
        return rows

    def judge(self) -> str:
        """Who has judged."""
        found = self.found
        return self.translator.say("review.judge", bot=found.bot, version=found.version, playouts=found.playouts)


def called(choices: Sequence[Choice], action: str, translator: Translator) -> str:
    """What one of some choices is called; any other action as it is written."""
    texts = {choice.action: choice.text for choice in choices}
    return translator.text(heard(texts[action])) if action in texts else action


def places(zones: Iterable[Zone], translator: Translator) -> list[tuple[str, str]]:
    """Places on a table in which cards are known, and these."""
    told = []
    for zone in zones:
        known = sum(1 << card for card in {*zone.cards} if card is not None)
        if known:
            whose = "" if zone.owner is None else f"{translator.player(zone.owner)}: "
            told.append((f"{whose}{translator.place(zone)}", translator.cards(known)))
    return told


def question(zones: Iterable[Zone], choices: Sequence[Choice], translator: Translator) -> list[str]:
    """What is asked: what lies on the table, and what can be chosen from, numbered."""
    numbered = "  ".join(f"{n} {called(choices, one.action, translator)}" for n, one in enumerate(choices, 1))
    return [
        *(f"{place}: {cards}" for place, cards in places(zones, translator)),
        translator.say("review.choices", actions=numbered),
    ]


def told(estimate: Estimate, sign: str = "-") -> str:
    """An estimate with half of its interval; an exact one without."""
    half = estimate.most - estimate.mean
    if not half:
        return figure(estimate.mean, sign)
    return f"{figure(estimate.mean, sign, half)} ± {figure(half, beside=estimate.mean)}"


def show_review(telling: Telling, ask: Callable[[str], str] | None) -> None:
    """Print a review. Where there is somebody to `ask`, each of the first moments is asked before it is told."""
    console, translator, found = Console(highlight=False), telling.translator, telling.found
    console.print(Line(telling.title(), "bold"))
    if not found.moments:
        console.print(Line(translator.say("review.no-decision")))
    else:
        console.print(Line(f"{translator.say('review.first')}\n", "bold"))
    for moment in telling.first:
        _show_moment(console, telling, moment, ask)
    console.print(whole(telling))


def whole(telling: Telling) -> RenderableType:
    """What the round was: the verdict, what its result is made of, luck, every decision, and who has judged."""
    parts = Table(show_header=False, box=None)
    for row in telling.parts():
        parts.add_row(*map(Line, row))
    told: list[RenderableType] = [
        Line(telling.translator.say(f"review.{telling.found.verdict}"), "bold"),
        Padding(parts, (0, 0, 1, 1)),
    ]
    for head, events in telling.luck():
        told += [Line(head), Padding(Line("\n".join(events)), (0, 0, 1, 2))]
    every = [_every(telling)] if telling.found.moments else []
    return Group(*told, *every, Line(telling.judge(), "dim"))


def show_question(console: Console, telling: Telling, moment: Moment) -> None:
    """Print a moment as a question."""
    console.print(Line(telling.translator.say("review.question", n=moment.number), "bold"))
    for line in telling.question(moment):
        console.print(Padding(Line(line), (0, 0, 0, 2)))


def _show_moment(console: Console, telling: Telling, moment: Moment, ask: Callable[[str], str] | None) -> None:
    translator = telling.translator
    show_question(console, telling, moment)
    if ask and chosen(moment.choices, ask(translator.say("review.ask"))) == moment.best:
        console.print(Padding(Line(translator.say("review.right")), (0, 0, 0, 2)))
    console.print(Padding(Line("\n".join(telling.answer(moment))), (0, 0, 1, 2)))


def chosen(choices: Sequence[Choice], given: str) -> str | None:
    """The action that somebody names, by its number in the list or in notation; None where there is no such one."""
    actions = [choice.action for choice in choices]
    if given.isdecimal() and 1 <= int(given) <= len(actions):
        return actions[int(given) - 1]
    return next((action for action in actions if action.lower() == given.strip().lower()), None)


def _every(telling: Telling) -> Table:
    say = telling.translator.say
    table = Table(title=say("review.all"), title_justify="left", box=None, pad_edge=False)
    for column in COLUMNS:
        worded = column in _WORDED
        table.add_column(say(f"review.{column}"), justify="left" if worded else "right", overflow="fold", no_wrap=not worded)
    for row in every(telling):
        table.add_row(*map(Line, row))
    return table


def every(telling: Telling) -> list[tuple[str, ...]]:
    """Each decision as a row, a cell for each of COLUMNS."""
    return [
        (
            str(one.number),
            telling.action(one, one.action),
            telling.action(one, one.best if one.cost.mean > 0 else one.action),
            figure(one.value.mean, "+"),
            told(one.cost),
            figure(one.hindsight.cost.mean),
            telling.translator.say(f"review.{one.label}"),
        )
        for one in telling.found.moments
    ]
