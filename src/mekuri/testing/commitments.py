"""Checks of simultaneous actions: their order does not matter, and nobody sees them before all seats have acted."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from typing import Any

from mekuri.cards import each
from mekuri.engine.chance import stream
from mekuri.engine.contract import DRIVER, legal, play, waiting
from mekuri.engine.errors import IllegalAction
from mekuri.engine.fields import RoundState
from mekuri.match.game import Game
from mekuri.match.round import Round
from mekuri.testing.failure import CheckFailure, check, hold, same
from mekuri.testing.visible import differences, visible
from mekuri.testing.worlds import act, beside, branch, kept, named, redealt, seen, values, viewers

MOST_ROUNDS, MOST_PAIRS = 12, 6  # how many rounds, and pairs of seats (or viewers), are tried


def together(game: Game) -> list[Round]:
    """Return rounds at points where several seats are to act and their actions stay hidden until all have acted.

    Points at which a game shows bets are left out: something of the actions is seen there, so the game's own tests must check it.
    """
    found = []
    for seed in range(4):
        chance = random.Random(seed)
        round = game.deal(seed=seed, dealer=seed % game.seats)
        while not round.over:
            if len(round.waiting) > 1 and round.secret and not getattr(round._state, "bets_shown", 0):
                found.append(branch(round))
            act(round, chance)
    return random.Random(0).sample(found, min(len(found), MOST_ROUNDS))


def pairs(s: RoundState) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Yield every pair of actions that two of the waiting seats may do at once, for at most six pairs of seats."""
    seats = list(itertools.combinations(each(waiting(s)), 2))
    for one, other in random.Random(0).sample(seats, min(len(seats), MOST_PAIRS)):
        for actions in itertools.product(each(legal(s, one)), each(legal(s, other))):
            yield (one, actions[0]), (other, actions[1])


def done(s: RoundState, *order: tuple[int, int]) -> RoundState:
    """Return the state after these actions, each a seat and an action, in this order. `s` stays unchanged."""
    after = kept(s)
    for seat, action in order:
        play(after, seat, action)
    return after


@check
def order(game: Game) -> None:
    """Check that the order of simultaneous actions does not change the state."""
    for round in together(game):
        for one, other in pairs(round._state):
            found, wanted = values(done(round._state, one, other)), values(done(round._state, other, one))
            same(found, wanted, f"{one} before {other} is not the same as after it", round._state)


@check
def what_follows(game: Game) -> None:
    """Check that the order of simultaneous actions does not change the driver's next actions, nor anything that a viewer sees."""
    for rising, falling in zip(together(game), together(game), strict=True):
        for seat in rising.waiting:
            rising.play(rising.legal_for(seat)[-1], seat)
        for seat in falling.waiting[::-1]:
            falling.play(falling.legal_for(seat)[-1], seat)
        for viewer in viewers(game):
            found = differences(visible(rising, viewer), visible(falling, viewer))
            hold(not found, f"{named(viewer)} sees in which order seats have acted, by {', '.join(found)}", rising._state)


@check
def unseen(game: Game) -> None:
    """Check that a seat's hidden actions look alike to others: all that leave it to act again, and all that do not."""
    for round in together(game):
        for seat in round.waiting:
            for viewer in [None, *(viewer for viewer in range(game.seats) if viewer != seat)][:MOST_PAIRS]:
                looks: dict[bool, Any] = {}
                for action in each(legal(round._state, seat)):
                    now = beside(round, done(round._state, (seat, action)))
                    look = visible(now, viewer)
                    found = differences(looks.setdefault(seat in now.waiting, look), look)
                    hold(not found, f"{named(viewer)} sees what seat {seat} has done, by {', '.join(found)}", round._state)


@check
def untold(game: Game) -> None:
    """Check that events of a hidden action tell others that the seat has acted, but not which action it was."""
    for start in together(game):
        for viewer in viewers(game):
            histories = set()
            seat = next(seat for seat in start.waiting if seat != viewer)
            for action in start.legal_for(seat):
                round = branch(start)
                round._step(seat, round.parse_action(action))
                if round.version(viewer) > start.version(viewer):
                    last = round.events(viewer)[-1]
                    same(
                        (last.seat, last.action), (seat, None), f"{named(viewer)} gets an action that was done unseen", start._state
                    )
                    histories.add(repr(round.events(viewer)))
                else:
                    hold(seat in round.waiting, f"{named(viewer)} does not learn that seat {seat} has done its part", start._state)
            hold(len(histories) <= 1, f"{named(viewer)} gets different events of an action that was done unseen", start._state)


@check
def once(game: Game) -> None:
    """Check that a second or late action of a seat is refused, and changes nothing."""
    chance = random.Random(1)
    for round in together(game):
        offered = {seat: round.legal_for(seat) for seat in round.waiting}
        for seat, actions in offered.items():
            same(round.legal_for(seat), actions, f"what seat {seat} may do hangs on what others have done unseen", round._state)
            while seat in round.waiting:
                act(round, chance, seat)
            if not round.secret:
                break  # the last of the seats has acted
            stands = values(round._state)
            for action in actions:
                _refused(round, action, seat)
            same(values(round._state), stands, "what was refused has changed the round", round._state)


def _refused(round: Round, action: str, seat: int) -> None:
    try:
        round.play(action, seat)
    except IllegalAction as refusal:
        clauses = round.game.rulebook.clauses
        hold(refusal.clause in clauses or not clauses, "a refusal names a clause that is not there", round._state)
    else:
        raise CheckFailure(f"seat {seat} could do {action} after its part was done", round.position)


@check
def redealt_commitments(game: Game) -> None:
    """Check that redealing fills in hidden actions that a seat can have chosen, and that each of them occurs."""
    for round in together(game):
        s, chance = round._state, stream(0)
        for seat in round.waiting:
            made = {repr(values(done(s, (seat, action)))) for action in each(legal(s, seat))}
            now = done(s, (seat, each(legal(s, seat))[0]))
            for viewer in [None, *(other for other in round.waiting if other != seat)]:
                found = set()
                for _ in range(30):
                    world = redealt(seen(now, viewer), viewer, chance)
                    hold(waiting(world) == waiting(now) != 1 << DRIVER, "others are waited for in a redealt world", now)
                    found.add(repr([value for name, value in values(world).items() if name != "pack"]))
                hold(
                    len(found) >= len(made), f"of what seat {seat} has done unseen, redealing for {named(viewer)} finds little", now
                )
