"""A puzzle set up on the table: the round as it came to it."""

from __future__ import annotations

from hashlib import sha256

from mekuri.cards import NotationError, card_text, parse_row
from mekuri.engine.chance import stream
from mekuri.engine.contract import Contract
from mekuri.engine.errors import MekuriError
from mekuri.engine.puzzles import FILE, Puzzle, Puzzles
from mekuri.match.game import Game, make_game
from mekuri.match.record import actions_text, read_actions
from mekuri.match.round import Round

_DIGITS = 8  # of an id


class PuzzleError(MekuriError):
    """A puzzle that cannot be played as it is written: its file, the puzzle and what is wrong there."""


def puzzle_game(contract: Contract, preset: str, seats: int) -> Game:
    """The game that a puzzle is of."""
    return make_game(contract, preset, seats, {})


def set_up(contract: Contract, found: Puzzles, puzzle: Puzzle) -> Round:
    """The round of a puzzle, which waits for its seat. Raises PuzzleError where it cannot be played so."""
    try:
        game = puzzle_game(contract, found.preset, len(puzzle.players))
        packs = [parse_row(pack) for pack in puzzle.packs]
        round = Round(game, game.new_state(puzzle.dealer), stream("puzzle", puzzle.id), packs)
        for seat, action in read_actions(puzzle.actions, "actions"):
            round.play(action, seat)
        if puzzle.seat not in round.waiting:
            raise MekuriError(f"seat {puzzle.seat} is not waited for")
        if [[*pack] for pack in packs] != round.packs:
            raise MekuriError("the packs are not those that have been dealt")
    except (MekuriError, NotationError) as error:
        raise PuzzleError(f"{contract.folder / FILE} [puzzles {puzzle.id}] {error}") from error
    return round


def so_far(round: Round, dealer: int, actions: int) -> tuple[tuple[str, ...], str]:
    """A round that a seat dealt, until so many actions have been done: its packs and these actions, as a puzzle has them."""
    game = round.game
    again = Round(game, game.new_state(dealer), [0] * 4, round.packs)
    for seat, action in round.actions[:actions]:
        again.play(action, seat)
    packs = tuple(" ".join(map(card_text, pack)) for pack in again.packs)
    return packs, actions_text((seat, again.action_text(action)) for seat, action in again.actions)


def puzzle_id(packs: tuple[str, ...], actions: str, seat: int) -> str:
    """The id of a puzzle."""
    return sha256("\n".join([*packs, actions, str(seat)]).encode()).hexdigest()[:_DIGITS]
