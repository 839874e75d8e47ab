"""Set up puzzles: each is a round that has been played up to a decision."""

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

_DIGITS = 8  # hexadecimal digits of an id


class PuzzleError(MekuriError):
    """A puzzle cannot be set up as it is written. The message names its file, the puzzle and the fault."""


def puzzle_game(contract: Contract, preset: str, seats: int) -> Game:
    """Return the game that a puzzle is played in."""
    return make_game(contract, preset, seats, {})


def set_up(contract: Contract, found: Puzzles, puzzle: Puzzle) -> Round:
    """Return the round of a puzzle, in which the puzzle's seat is to act.

    Args:
        contract: the game's contract.
        found: the game's puzzles, for their preset.
        puzzle: one of them.

    Raises:
        PuzzleError: the puzzle cannot be set up as it is written.
    """
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
    """Return the first part of a round in the form in which a puzzle keeps it.

    Args:
        round: the round.
        dealer: the seat that dealt it.
        actions: how many actions of the seats are kept.

    Returns:
        The packs that these actions use, each as cards in notation, and the actions as text (see `record.actions_text`).
    """
    game = round.game
    again = Round(game, game.new_state(dealer), [0] * 4, round.packs)
    for seat, action in round.actions[:actions]:
        again.play(action, seat)
    packs = tuple(" ".join(map(card_text, pack)) for pack in again.packs)
    return packs, actions_text((seat, again.action_text(action)) for seat, action in again.actions)


def puzzle_id(packs: tuple[str, ...], actions: str, seat: int) -> str:
    """Return the id of a puzzle: 8 hexadecimal digits, a digest of its packs, actions and seat."""
    return sha256("\n".join([*packs, actions, str(seat)]).encode()).hexdigest()[:_DIGITS]
