"""A lesson as printed text, with answers that are typed. It has the same beats as the lesson of the page, and no Textual screen."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.text import Text

from mekuri.bots.registry import characters
from mekuri.cards import card_text, parse_card
from mekuri.cards.given import typed as usual
from mekuri.engine.contract import Contract, Zone
from mekuri.engine.errors import MekuriError
from mekuri.engine.lesson import Lesson, lesson, preset_of
from mekuri.engine.rulebook import Lang, Words, rulebook
from mekuri.match.lesson import Beat, LessonAnswer, lesson_game, play_lesson
from mekuri.terminal.base.prose import Prose, labels_grid
from mekuri.terminal.base.texts import say
from mekuri.terminal.base.translate import YOU, Translator, sign, signs
from mekuri.terminal.printed.sheet import sheet_table

_NAMED = re.compile(r"\{(\d+[HIOK]|G)\}")
_LEAVE = ("q", "quit")
_INDENT = (0, 0, 0, 2)


class Left(Exception):
    """Raised when the learner leaves the lesson."""


def teach(
    contract: Contract, lang: Lang, ask: Callable[[str], str] = input, console: Console | None = None, entry: str | None = None
) -> None:
    """Teach a game, with printed text and typed answers.

    Args:
        contract: the game.
        lang: the language.
        ask: shows a prompt and returns what is typed.
        console: where the lesson is printed; standard output if None.
        entry: the id of the entry under whose name, and with whose card names, it is taught; None for the game's own.

    Raises:
        MekuriError: the game has no lesson.
    """
    taught = lesson(contract)
    if taught is None:
        raise MekuriError(f"there is no lesson of {contract.id}: mekuri rules {contract.id} tells how it is played")
    Teacher(contract, taught, lang, ask, console or Console(highlight=False), entry).teach()


def minute_text(contract: Contract, lang: Lang) -> list[RenderableType]:
    """Return the summary of a game in one minute, line by line; empty if the game has none."""
    taught = lesson(contract)
    if taught is None or not taught.minute:
        return []
    book = rulebook(contract)
    translator = Translator(book, lang, ())
    table = labels_grid()
    for scene in taught.minute:
        table.add_row(signs(scene.cards), Prose(_worded(scene.says, translator)))
    return [Text(), Text(say("learn.minute", lang), "bold"), Padding(table, _INDENT)]


def _worded(words: Words, translator: Translator) -> str:
    """Return a text of a lesson, with the notation of a card in braces replaced by the card's name."""
    return _NAMED.sub(lambda found: translator.card(parse_card(found[1])), words[translator.lang]) if words else ""


class Teacher:
    """Plays a lesson with a learner who types the answers."""

    def __init__(
        self, contract: Contract, taught: Lesson, lang: Lang, ask: Callable[[str], str], console: Console, entry: str | None
    ) -> None:
        self._contract = contract
        game = lesson_game(contract, taught)
        others = iter([bot.id for bot in characters(contract)] * game.seats)
        self._weakest = next(iter(characters(contract))).id if characters(contract) else ""
        seats = tuple(YOU if seat == taught.seat else next(others, "random") for seat in range(game.seats))
        self._translator = Translator(rulebook(contract, entry), lang, seats)
        self._ask, self._console = ask, console

    def teach(self) -> None:
        """Print every beat and ask for the answers, then print the next command. Returns early if the learner leaves."""
        beats = play_lesson(self._contract)
        try:
            for number, beat in enumerate(beats, 1):
                self._print(Text(), Rule(Text(f"{self._translator.game()} {number}/{len(beats)}", "bold"), align="left"))
                self._teach(beat)
        except (Left, EOFError):
            return
        seats = f" --seats {YOU} {' '.join([self._weakest] * (len(self._translator.seats) - 1))}" if self._weakest else ""
        command = f"mekuri play {self._contract.id} --preset {preset_of(self._contract)}{seats}"
        self._print(Text(), Text(self._say("learn.end", command=command), "bold"))

    def _teach(self, taught: Beat) -> None:
        self._print(Prose(_worded(taught.says, self._translator)), Text())
        self._print(*self._table(taught), Text())
        if not taught.answers:
            self._type(self._say("learn.enter"))
            return
        self._print(Prose(_worded(taught.asks, self._translator), "bold"))
        for number, answer in enumerate(taught.answers, 1):
            self._print(Padding(f"{number}  {self._called(taught, answer)}", _INDENT))
        while not self._answered(taught, self._type(self._say("learn.type"))):
            pass

    def _answered(self, taught: Beat, typed: str) -> bool:
        """Print the response to an answer. Returns whether the answer was right."""
        numbered = dict(enumerate(taught.answers, 1))
        by_number = numbered.get(int(typed)) if typed.isdecimal() and len(typed) < 3 and taught.kind != "count" else None
        found = next((answer for answer in taught.answers if answer.answer.lower() == typed.lower()), by_number)
        if found is None:
            self._print(Prose(self._refused(taught, typed)))
            return False
        self._print(*(Padding(Prose(self._translator.text(event.text)), _INDENT) for event in found.events))
        self._print(Prose(_worded(found.says, self._translator)))
        if found.right and found.events and found.events[-1].view.over:
            view = found.events[-1].view
            self._print(Text(), Padding(sheet_table(view.score, self._translator, view.returns, cites=True), _INDENT))
        return found.right

    def _refused(self, taught: Beat, typed: str) -> str:
        """Return why an action is not legal, with its clause if there is one, or else the possible answers."""
        for refused in taught.view.refused:
            if sign(refused.card) == typed or typed.upper() == card_text(refused.card):
                return (
                    f"{self._translator.text(refused.text)} ({refused.clause})"
                    if refused.clause
                    else self._translator.text(refused.text)
                )
        return self._say("learn.strange", answers=", ".join(answer.answer for answer in taught.answers))

    def _called(self, taught: Beat, answer: LessonAnswer) -> str:
        for option in taught.view.legal:
            if option.action == answer.answer:
                return f"{answer.answer:<5} {self._translator.text(option.text)}"
        return answer.answer

    def _table(self, taught: Beat) -> Iterator[RenderableType]:
        """Return the zones of the table with their cards, and the cards that the beat points out."""
        glow = set[int](taught.glow)
        grid = labels_grid()
        for zone in taught.view.zones:
            if zone.cards or zone.id in taught.places:
                mark = "▸ " if zone.id in taught.places else ""
                grid.add_row(f"{mark}{self._translator.owned_place(zone)}", Prose(self._lying(zone, glow)))
        yield Padding(grid, _INDENT)
        if glow:
            named = " · ".join(self._translator.drawn(card) for card in taught.glow)
            yield Padding(Prose(self._say("learn.glow", cards=named)), _INDENT)

    def _lying(self, zone: Zone, glow: set[int]) -> str:
        seen = [f"[{sign(card)}]" if card in glow else sign(card) for card in zone.cards if card is not None]
        unseen = len(zone.cards) - len(seen)
        return " ".join([*seen, *([self._say("learn.face-down", n=unseen)] if unseen else [])]) or "-"

    def _type(self, prompt: str) -> str:
        typed = usual(self._ask(f"{prompt} ")).strip()
        if typed.lower() in _LEAVE:
            raise Left
        return typed

    def _say(self, id: str, **args: object) -> str:
        return self._translator.say(id, **args)

    def _print(self, *parts: RenderableType) -> None:
        self._console.print(*parts, sep="\n")
