"""Checks of puzzles: they can be set up, `greedy` chooses what is said to tempt, and they show only what one seat may know."""

from __future__ import annotations

from collections.abc import Iterator

from mekuri.bots.puzzles import greedy_choices
from mekuri.cards import each
from mekuri.engine.called import choices_of
from mekuri.engine.chance import stream
from mekuri.engine.compiled import has
from mekuri.engine.contract import Contract
from mekuri.engine.puzzles import Puzzle, puzzles
from mekuri.engine.rulebook import LANGUAGES, rulebook
from mekuri.match.puzzle import puzzle_id, set_up
from mekuri.match.round import Round
from mekuri.testing.failure import check, hold, same
from mekuri.testing.worlds import beside, redealt

WORLDS = 3  # worlds in which the view of a puzzle is compared


@check
def played(contract: Contract) -> None:
    """Check that in every puzzle its seat is to act, each choice has a verdict, and greed finds the answer only where it tempts."""
    for puzzle, round in _set_up(contract):
        seen, of = round.seen(puzzle.seat), f"of the puzzle {puzzle.id}"
        choices = {round.action_text(action) for action in each(choices_of(seen.hidden, puzzle.seat))}
        same({puzzle.best, *puzzle.costs}, choices, f"what is judged {of}")
        greedy = greedy_choices(seen)
        found = has(greedy, round.parse_action(puzzle.best))
        hold(found == (puzzle.tempts == puzzle.best), f"greed {'finds' if found else 'does not find'} the answer {of}")
        hold(has(greedy, round.parse_action(puzzle.tempts)), f"nothing tempts to the choice that does {of}")
        same(puzzle_id(puzzle.packs, puzzle.actions, puzzle.seat), puzzle.id, f"the id {of}")


@check
def shown(contract: Contract) -> None:
    """Check that the hint and the reasons of every puzzle have texts in every language."""
    book = rulebook(contract)
    for puzzle, _ in _set_up(contract):
        for text in (puzzle.hint, *puzzle.why):
            for lang in LANGUAGES:
                hold(text.id not in book.render(text, lang, puzzle.players), f"{text.id} is no text in {lang}")


@check
def seen_by_one(contract: Contract) -> None:
    """Check that a puzzle looks the same in every world that its seat can think possible."""
    chance = stream("puzzles")
    for puzzle, round in _set_up(contract):
        for _ in range(WORLDS):
            other = beside(round, redealt(round.hidden(puzzle.seat), puzzle.seat, chance))
            same(other.view(puzzle.seat), round.view(puzzle.seat), f"what the puzzle {puzzle.id} shows in another world")


def _set_up(contract: Contract) -> Iterator[tuple[Puzzle, Round]]:
    found = puzzles(contract)
    for puzzle in found.puzzles if found else ():
        assert found
        yield puzzle, set_up(contract, found, puzzle)
