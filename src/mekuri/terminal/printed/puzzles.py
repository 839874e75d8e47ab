"""Puzzles as printed text: the question in two tries, the answer with its reasons, and the file of solved puzzles."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import field
from rich.console import Console
from rich.text import Text

from mekuri.bots.figures import figure
from mekuri.cards.given import typed
from mekuri.engine.contract import Contract
from mekuri.engine.errors import MekuriError
from mekuri.engine.rulebook import JOINT, Lang, rulebook
from mekuri.protocol import puzzles as wire
from mekuri.terminal.base.kept import Versioned, read_kept, write_kept
from mekuri.terminal.base.texts import called as named
from mekuri.terminal.base.translate import YOU, Translator
from mekuri.terminal.printed.practice import LEAVE
from mekuri.terminal.printed.review import called, chosen, question, rated, show_lines

_NAME = "puzzles.json"  # the file of the solved puzzles
_HARDEST = 3


class _File(Versioned, kw_only=True):
    solved: dict[str, list[str]] = field(default_factory=dict)


class Solved:
    """The puzzles that have been solved, in a file of the user's data folder. Every change is written at once."""

    def __init__(self) -> None:
        """Read the file.

        Raises:
            KeptError: the file is broken, or was written by a newer version.
        """
        self._file = read_kept(_NAME, _File, "which puzzles you have solved is then forgotten")

    def of(self, game: str) -> list[str]:
        """Return the ids of the solved puzzles of a game."""
        return self._file.solved.get(game, [])

    def note(self, game: str, id: str) -> None:
        """Note that a puzzle has been solved."""
        if id not in self.of(game):
            self._file.solved.setdefault(game, []).append(id)
            write_kept(_NAME, self._file)


def ask_puzzles(contract: Contract, lang: Lang, ask: Callable[[str], str] | None, again: bool = False) -> None:
    """Ask the puzzles of a game that have not been solved yet, the easiest first, then print how many are solved.

    Args:
        contract: the game.
        lang: the language.
        ask: shows a prompt and returns what is typed; None to print the number of solved puzzles only.
        again: whether to ask the solved puzzles too.

    Raises:
        MekuriError: the game has no puzzles.
        KeptError: the file of the solved puzzles cannot be read.
    """
    found, solved = wire.puzzles(contract), Solved()
    if found is None:
        raise MekuriError(f"there are no puzzles of {contract.id}")
    console = Console(highlight=False)
    ids = [head.id for head in found.puzzles]
    translator = Translator(rulebook(contract), lang, ())
    for number, id in enumerate(ids, 1):
        if ask is None or (id in solved.of(contract.id) and not again):
            continue
        asked = Asking(contract, id, lang, console)
        stars = "●" * asked.puzzle.level + "○" * (_HARDEST - asked.puzzle.level)
        title = translator.say("puzzles.title", game=translator.game(), n=number, of=len(ids), level=stars)
        right = asked.ask(title, ask)
        if right is None:
            break
        if right:
            solved.note(contract.id, id)
    done = solved.of(contract.id)
    every = {*ids, *done}  # a solved puzzle counts, even if it is gone
    key = "puzzles.all" if len(done) == len(every) else "puzzles.solved"
    print(translator.say(key, game=translator.game(), n=len(done), of=len(every)))


class Asking:
    """Asks one puzzle and prints its answer.

    Attributes:
        puzzle: the puzzle.
    """

    def __init__(self, contract: Contract, id: str, lang: Lang, console: Console) -> None:
        puzzle = wire.puzzle(contract, id)
        assert puzzle, "the puzzle is one of the game's"
        self.puzzle, self._contract, self._console = puzzle, contract, console
        seats = tuple(YOU if seat.seat == puzzle.seat else seat.bot or "" for seat in puzzle.seats)
        self._translator = Translator(rulebook(contract), lang, seats, signed=True)

    def ask(self, title: str, ask: Callable[[str], str]) -> bool | None:
        """Ask the puzzle in at most two tries and print the answer.

        Args:
            title: a line printed above the question.
            ask: shows a prompt and returns what is typed.

        Returns:
            Whether it was solved, in either try; None if the player stops.
        """
        puzzle, translator = self.puzzle, self._translator
        assert puzzle.event.view
        self._console.print(Text(title, "dim"))
        self._console.print(Text(f"{translator.text(puzzle.event.text)} {translator.say('puzzles.question')}", "bold"))
        view = puzzle.event.view
        show_lines(self._console, question(view.zones, view.prompt, puzzle.choices, translator), below=0)
        for second in (False, True):
            given = typed(ask(translator.say("practice.ask"))).strip()
            if given == LEAVE:
                return None
            action = chosen(puzzle.choices, given)
            tried = wire.tried(self._contract, puzzle.id, wire.AskPuzzleTry(action=action, second=second))
            assert tried, "the puzzle is one of the game's"
            if tried.answer:
                first = [translator.say("review.right")] if tried.right else []
                show_lines(self._console, [*first, *self.answer(tried.answer, action)])
                return tried.right
            show_lines(self._console, [translator.say("practice.once-more"), translator.text(tried.hint)])
        raise AssertionError("the second try is answered")

    def answer(self, answer: wire.PuzzleAnswer, given: str | None) -> list[str]:
        """Return the lines of the answer, with the cost of the action that was given last."""
        translator, say = self._translator, self._translator.say
        lines = [say("review.better", action=called(self.puzzle.choices, answer.best, translator))]
        wrong = next((cost for cost in answer.costs if cost.action == given), None)
        if wrong:
            lines.append(say("puzzles.cost", cost=figure(wrong.cost.mean), label=say(rated(wrong.label, wrong.cost))))
        tempts = "obvious" if answer.tempts == answer.best else "tempts"
        lines.append(say(f"puzzles.{tempts}", action=called(self.puzzle.choices, answer.tempts, translator)))
        lines += [translator.text(fact) for fact in answer.facts]
        lines.append(say("puzzles.deals", sure=answer.sure, deals=answer.deals))
        if answer.solved:
            lines.append(say("puzzles.exact", solved=answer.solved, agree=answer.agree))
        finds = JOINT[translator.lang].join(f"{named(bot, translator.lang)} {times}" for bot, times in answer.finds.items())
        lines.append(say("puzzles.finds", tries=answer.tries, finds=finds))
        return [*lines, say("puzzles.judge", bot=answer.bot, version=answer.version)]
