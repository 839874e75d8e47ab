"""A review as printed text: the most instructive decisions as questions, all decisions as a table, and how much was luck."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text as Line

from mekuri.bots.facts import amount, is_whole
from mekuri.bots.figures import figure, figures
from mekuri.bots.review import SOUND, Choice, Estimate, Moment, Review
from mekuri.cards.given import typed
from mekuri.engine.contract import Text, Zone
from mekuri.engine.rulebook import Lang
from mekuri.match.match import Match
from mekuri.match.view import Happening
from mekuri.terminal.base.translate import YOU, Translator, printable

LINES = 5  # events of a part of the round that have a line of their own, at most
COLUMNS = ("number", "action", "best", "expected", "cost", "looking-back", "label")  # columns of the table of all decisions
_WORDED = ("action", "best", "label")  # columns that hold text, not numbers
PARTS = ("deal", "skill", "others", "luck")  # the parts that add up to the result


class Telling:
    """The sentences and figures of a review, in one language, for any output.

    Attributes:
        found: the review.
        events: the events of the round as its seat saw them, with the view after each.
        translator: the texts and names of the table; the reviewed seat is `you`.
        name: the name of the reviewed player.
    """

    def __init__(self, found: Review, events: Sequence[Happening], translator: Translator, name: str) -> None:
        self.found, self.events, self.name = found, events, printable(name)
        self.translator = replace(translator, signed=True)

    def title(self) -> str:
        """Return the title: the game, the round and the player."""
        return self.translator.say("review.title", game=self.translator.game(), n=self.found.round, name=self.name)

    @property
    def first(self) -> list[Moment]:
        """The most instructive decisions."""
        return [moment for moment in self.found.moments if moment.number in self.found.first]

    def action(self, moment: Moment, action: str) -> str:
        """Return the name of an action of a decision."""
        return called(moment.choices, action, self.translator)

    def places(self, moment: Moment) -> list[tuple[str, str]]:
        """Return the zones in which the seat saw cards at a decision, each as the zone's name and its cards."""
        return places(self._zones(moment), self.translator)

    def question(self, moment: Moment) -> list[str]:
        """Return a decision as a question: the visible cards, the question of the game, and the numbered choices."""
        prompt = self.events[moment.seen - 1].view.prompt if moment.seen else None
        return question(self._zones(moment), prompt, moment.choices, self.translator)

    def _zones(self, moment: Moment) -> Sequence[Zone]:
        return self.events[moment.seen - 1].view.zones if moment.seen else ()

    def answer(self, moment: Moment) -> list[str]:
        """Return the lines that answer the question: the action played, the better one with reasons, and the best in hindsight."""
        say, later, cost = self.translator.say, moment.hindsight, moment.cost
        lines = [f"{say('review.played', action=self.action(moment, moment.action))} {say(rated(moment.label, cost))}"]
        if cost.mean <= 0:
            lines.append(say("review.nothing"))
        elif cost.least <= 0:
            lines.append(say("review.about", action=self.action(moment, moment.best)))
        else:
            better = "slightly" if moment.label == SOUND else "better"
            lines.append(say(f"review.{better}", action=self.action(moment, moment.best)))
            lines.append(say("review.known", cost=self._amount(moment, cost.mean)))
        lines += self.facts([*([moment.call] if moment.call else []), *moment.facts])
        exact = say("review.exact" if later.exact else "review.estimated")
        if later.best == moment.action:
            lines.append(f"{say('review.hindsight-same')} {exact}")
        else:
            best = self.action(moment, later.best)
            id = "hindsight-won" if later.exact and is_whole(later.cost.mean, moment.wins) else "hindsight"
            lines.append(f"{say(f'review.{id}', action=best, cost=self._amount(moment, later.cost.mean))} {exact}")
        return lines

    def _amount(self, moment: Moment, value: float) -> str:
        shown = amount(value, moment.wins)
        return shown if isinstance(shown, str) else self.translator.text(shown)

    def facts(self, facts: Sequence[Text]) -> list[str]:
        """Return reasons as sentences."""
        return [self.translator.text(fact) for fact in facts]

    def ended(self) -> str:
        """Return how the round ended, and the winner if there is only one; if a yaku decided it, the winner and that yaku."""
        view = self.events[-1].view
        if view.result and "yaku" in view.result.args:
            return self.translator.text(view.result)
        ending = self.translator.table("endings", view.ending or "")
        winners = [seat for seat, row in enumerate(view.brings) if row.get(self._account(), 0) > 0]
        if len(winners) == 1:
            return self.translator.say("review.ended-for", player=self.translator.player(winners[0]), ending=ending)
        return self.translator.say("review.ended", ending=ending)

    def parts(self) -> list[tuple[str, str]]:
        """Return the parts of the result and the result, each as a name and a figure; the result alone if there was no decision."""
        parts = PARTS if self.found.moments else ()
        rows = [(self.translator.say(f"review.{part}"), interval(getattr(self.found, part), "+")) for part in parts]
        return [*rows, (self.translator.say("review.result"), f"{self.found.result:+d}")]

    def notes(self) -> list[str]:
        """Return the unit of all figures, and a definition of luck if the review lists some; none if there was no decision."""
        if not self.found.moments:
            return []
        account = self._account()
        unit = [self.translator.say("review.unit", unit=self.translator.table("accounts", account))] if account else []
        unit = [self.translator.say("review.wins")] if self.found.moments[0].wins else unit
        luck = [self.translator.say("review.luck-note")] if self.found.lucky or self.found.unlucky else []
        return [*unit, *luck]

    def _account(self) -> str:
        """Return the account in which the round was won: the first of the longest row; empty if there is none."""
        rows = sorted(map(tuple, self.events[-1].view.brings), key=len)
        return rows[-1][0] if rows and rows[-1] else ""

    def luck(self) -> list[tuple[str, list[str]]]:
        """Return the luckiest and the unluckiest part of the round, each as a heading and a line for each event.

        The `LINES` events that brought most have a line of their own, with the figure behind it, unless they brought less than a
        tenth of the luck. A last line has the sum of all others. If a review does not know how much each event brought, every
        event has a line.
        """
        rows = []
        for key, luck in (("good-luck", self.found.lucky), ("bad-luck", self.found.unlucky)):
            if luck:
                head = self.translator.say(f"review.{key}", n=luck.number, value=figure(luck.value, "+"))
                happened = [self.translator.text(event.text) for event in self.events[luck.since : luck.until]]
                if luck.parts:
                    much = [(n, part) for n, part in enumerate(luck.parts) if abs(part) >= abs(luck.value) / 10]
                    much = sorted(sorted(much, key=lambda pair: -abs(pair[1]))[:LINES])
                    *shown, rest = figures([*(part for _, part in much), luck.value - sum(part for _, part in much)], "+")
                    happened = [f"{happened[n]} {part}" for (n, _), part in zip(much, shown, strict=True)]
                    if float(rest):
                        happened.append(self.translator.say("review.other-luck", value=rest))
                rows.append((head, [*self.facts(luck.facts), *happened]))
        return rows

    def judge(self) -> str:
        """Return the judging bot, its version and its number of play-outs; empty if there was nothing to judge."""
        found = self.found
        if not found.moments:
            return ""
        return self.translator.say("review.judge", bot=found.bot, version=found.version, playouts=found.playouts)


def telling_of(match: Match, found: Review, lang: Lang) -> Telling:
    """Return the sentences of a review of a round of a match."""
    players = match.players
    seats = tuple(YOU if seat == found.seat else name for seat, name in enumerate(players))
    translator = Translator(match.game.rulebook, lang, seats, people=frozenset(range(len(seats))) - {found.seat})
    return Telling(found, match.finished[found.round - 1].events(found.seat), translator, players[found.seat])


def called(choices: Sequence[Choice], action: str, translator: Translator) -> str:
    """Return the name of one of the choices; for any other action, its notation."""
    texts = {choice.action: choice.text for choice in choices}
    return translator.text(texts[action]) if action in texts else action


def places(zones: Iterable[Zone], translator: Translator) -> list[tuple[str, str]]:
    """Return the zones that have visible cards, each as the zone's name and its cards; of a pile also the one on top."""
    found = []
    for zone in zones:
        known = sum(1 << card for card in {*zone.cards} if card is not None)
        if known:
            cards = translator.cards(known)
            if zone.kind == "pile" and len(zone.cards) > 1 and zone.cards[-1] is not None:
                cards = translator.say("review.on-top", cards=cards, top=translator.cards(1 << zone.cards[-1]))
            found.append((translator.owned_place(zone), cards))
    return found


def question(zones: Iterable[Zone], prompt: Text | None, choices: Sequence[Choice], translator: Translator) -> list[str]:
    """Return the lines of a question: the visible cards, the question of the game, and the numbered choices."""
    numbered = "  ".join(f"[{n}] {called(choices, one.action, translator)}" for n, one in enumerate(choices, 1))
    return [
        *(f"{place}: {cards}" for place, cards in places(zones, translator)),
        *([translator.text(prompt)] if prompt else []),
        translator.say("review.choices", actions=numbered),
    ]


def interval(estimate: Estimate, sign: str = "-") -> str:
    """Return an estimate as a figure with half of its interval, or without it if the interval is empty.

    Args:
        estimate: the estimate.
        sign: the sign option of Python's format specification: `+` to show both signs, `-` for the minus only.
    """
    half = estimate.most - estimate.mean
    if not half:
        return figure(estimate.mean, sign)
    return f"{figure(estimate.mean, sign, half)} ± {figure(half, beside=estimate.mean)}"


def show_review(telling: Telling, ask: Callable[[str], str] | None) -> None:
    """Print a review.

    Args:
        telling: the texts of the review.
        ask: shows a prompt and returns what is typed, for each of the first decisions; None to print without asking.
    """
    console, translator, found = Console(highlight=False), telling.translator, telling.found
    console.print(Line(telling.title(), "bold"))
    if found.moments:
        console.print(Line(f"{translator.say('review.first')}\n", "bold"))
    for moment in telling.first:
        _show_moment(console, telling, moment, ask)
    console.print(whole(telling))


def whole(telling: Telling) -> RenderableType:
    """Return the summary of a round: the verdict, its end, the parts of the result, luck, all decisions, and the judging bot."""
    table = Table(show_header=False, box=None)
    for row in telling.parts():
        table.add_row(*map(Line, row))
    parts: list[RenderableType] = [
        Line(telling.translator.say(f"review.{telling.found.verdict}"), "bold"),
        Line(telling.ended()),
        Padding(table, (0, 0, 1, 1)),
        *(Line(note, "dim") for note in telling.notes()),
        Line(),
    ]
    for head, events in telling.luck():
        parts += [Line(head), Padding(Line("\n".join(events)), (0, 0, 1, 2))]
    every = [_every(telling)] if telling.found.moments else []
    calls = [Line(f"{one.number}. {telling.translator.text(one.call)}") for one in telling.found.moments if one.call]
    return Group(*parts, *every, *calls, Line(telling.judge(), "dim"))


def show_lines(console: Console, lines: Sequence[str], below: int = 1) -> None:
    """Print indented lines, with empty lines below."""
    console.print(Padding(Line("\n".join(lines)), (0, 0, below, 2)))


def show_question(console: Console, telling: Telling, moment: Moment) -> None:
    """Print a decision as a question."""
    console.print(Line(telling.translator.say("review.question", n=moment.number), "bold"))
    show_lines(console, telling.question(moment), below=0)


def _show_moment(console: Console, telling: Telling, moment: Moment, ask: Callable[[str], str] | None) -> None:
    translator = telling.translator
    show_question(console, telling, moment)
    if ask and chosen(moment.choices, ask(translator.say("review.ask"))) in moment.right:
        show_lines(console, [translator.say("review.right")], below=0)
    show_lines(console, telling.answer(moment))


def chosen(choices: Sequence[Choice], given: str) -> str | None:
    """Return the action that was typed, by its number from 1 or its notation; None if there is no such choice."""
    actions, given = [choice.action for choice in choices], typed(given).strip()
    if given.isdecimal() and 1 <= int(given) <= len(actions):
        return actions[int(given) - 1]
    return next((action for action in actions if action.lower() == given.lower()), None)


def _every(telling: Telling) -> Table:
    say = telling.translator.say
    table = Table(title=say("review.all"), title_justify="left", box=None, pad_edge=False)
    for column in COLUMNS:
        worded = column in _WORDED
        table.add_column(say(f"review.{column}"), justify="left" if worded else "right", overflow="fold", no_wrap=not worded)
    for row in every(telling):
        table.add_row(*map(Line, row))
    return table


def _best(telling: Telling, one: Moment) -> str:
    """Return the best action of a decision, or the one that may have been as good."""
    best = telling.action(one, one.best if one.cost.mean > 0 else one.action)
    return telling.translator.say("review.as-good", action=best) if one.cost.least <= 0 < one.cost.mean else best


def rated(label: str, cost: Estimate) -> str:
    """Return the key of the name of a decision. A decision that surely cost something is never called sound."""
    return "review.slip" if label == SOUND and cost.least > 0 else f"review.{label}"


def every(telling: Telling) -> list[tuple[str, ...]]:
    """Return all decisions as rows, with a cell for each of `COLUMNS`."""
    return [
        (
            str(one.number),
            telling.action(one, one.action),
            _best(telling, one),
            figure(one.value.mean, "+"),
            interval(one.cost) if one.cost.mean > 0 else figure(0),
            figure(one.hindsight.cost.mean),
            telling.translator.say(rated(one.label, one.cost)),
        )
        for one in telling.found.moments
    ]
