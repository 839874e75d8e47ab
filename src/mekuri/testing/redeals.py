"""Checks of redealing: it fills a hidden state with a complete world that the viewer can think possible, each equally often."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from dataclasses import dataclass

from mekuri.engine.chance import Seed, stream
from mekuri.engine.contract import DRIVER, Contract, legal, outlook, over, play, waiting
from mekuri.engine.driver import drive
from mekuri.engine.fields import RoundState, copy
from mekuri.match.game import Game
from mekuri.match.round import Round
from mekuri.testing.chances import LEAST_LIKELY
from mekuri.testing.failure import LeftOut, check, hold, same
from mekuri.testing.settings import FEW_SEATS, random_games
from mekuri.testing.states import checked_state
from mekuri.testing.worlds import (
    ImpossibleWorld,
    Viewer,
    as_seat,
    astray,
    branch,
    count_worlds,
    deck,
    kept,
    leading_to,
    likelihood,
    named,
    random_round,
    redealt,
    seen,
    some_viewers,
    steps,
    values,
    viewers,
)

MOST_WORLDS = 150  # a step with more worlds is not used for the test of equal frequency


def states(game: Game, seed: Seed) -> list[RoundState]:
    """Return the states of a random round, one for every step; the driver's actions are steps, too."""
    return [kept(now._state) for now in steps(random_round(game, seed))]


@check
def whole(game: Game, seed: Seed = 1) -> None:
    """Check that every card of a redealt world lies in exactly one place."""
    cards, chance = deck(game), stream("whole")
    for s in states(game, seed):
        for viewer in viewers(game):
            lost = astray(redealt(seen(s, viewer), viewer, chance), cards)
            hold(not lost, f"redealing for {named(viewer)} leaves cards in no place, or in two: {lost}", s)


@check
def consistent(game: Game, seed: Seed = 2) -> None:
    """Check that a redealt world looks like the true one to its viewer, with the same legal actions, and each seat's `outlook`."""
    chance = stream("alike")
    for s in states(game, seed):
        for viewer in viewers(game):
            h, seat = seen(s, viewer), as_seat(viewer)
            world = redealt(h, viewer, chance)
            same(values(seen(world, viewer)), values(h), f"{named(viewer)} sees otherwise in a world redealt for it", s)
            same(legal(world, seat), legal(s, seat), f"{named(viewer)} may do otherwise in a world redealt for it", s)
            stand = [outlook(world, each) for each in range(game.seats)]
            same(stand, [outlook(s, each) for each in range(game.seats)], f"seats stand otherwise in a world of {named(viewer)}", s)


@check
def playable(game: Game, seed: int = 3, every: int = 9) -> None:
    """Check that a redealt world can be played to its end, with every value in its range and every card in one place.

    Args:
        game: the game and its options.
        seed: the seed of the round and of the play.
        every: only every so many steps of the round are tried.
    """
    cards, chance, bits = deck(game), random.Random(seed), stream("played")
    for s in states(game, seed)[::every]:
        for viewer in viewers(game):
            world = checked_state(game.id)()
            copy(world, redealt(seen(s, viewer), viewer, bits))
            _play_out(world, chance, bits, cards)


def _play_out(world: RoundState, chance: random.Random, bits: list[int], cards: list[int]) -> None:
    while not over(world):
        seat = chance.choice([seat for seat in range(DRIVER + 1) if waiting(world) >> seat & 1])
        if seat == DRIVER:
            drive(world, bits)
        else:
            play(world, seat, chance.choice([action for action in range(63) if legal(world, seat) >> action & 1]))
        same(astray(world, cards), [], "a card lies nowhere, or in two places", world)


@check
def repeatable(game: Game, seed: Seed = 4) -> None:
    """Check that redealing depends on the given chance alone: equal chance gives equal worlds."""
    for s in states(game, seed)[::5]:
        for viewer in viewers(game):
            once, again = (values(redealt(seen(s, viewer), viewer, stream("one"))) for _ in range(2))
            same(once, again, f"redealing twice for {named(viewer)} with one chance gives two worlds", s)


@dataclass
class Late:
    """A point of a round at which a viewer can think few worlds possible, but more than one.

    Attributes:
        round: the round at that point.
        viewer: the viewer.
    """

    round: Round
    viewer: Viewer

    def likelihood(self, seed: Seed) -> float:
        """Return the p-value of the hypothesis that redealing gives each world that this round may have led to equally often."""
        return likelihood(self.round._state, self.viewer, seed, possible=self._possible)

    def _possible(self, world: RoundState) -> bool:
        try:
            leading_to(world, self.round, self.viewer)
        except ImpossibleWorld:
            return False
        return True


def late(game: Game) -> list[Late]:
    """Return, for a few viewers of a random round, the point with the most worlds up to `MOST_WORLDS`, if there is one.

    Points at which cards are to be shuffled or hidden actions have been done are left out.
    """
    round = random_round(game, 0)
    best: dict[Viewer, tuple[int, int]] = {}
    for at, now in enumerate(steps(round)):
        s = now._state
        if not s.gathered and not game.contract.table.secret(s):
            for viewer in some_viewers(game, 0):
                worlds = count_worlds(s, viewer)
                if 1 < worlds <= MOST_WORLDS:
                    best[viewer] = max(best.get(viewer, (0, 0)), (worlds, at))
    return [Late(branch(round, at), viewer) for viewer, (_, at) in best.items()]


def lates(contract: Contract, settings: int = 30) -> Iterator[Late]:
    """Yield such points (see `late`) for a game at so many settings."""
    return (case for game in random_games(contract.id, settings, FEW_SEATS) for case in late(game))


@check
def uniform(contract: Contract, cases: int = 4) -> None:
    """Check that redealing gives every possible world equally often late in rounds, by Pearson's chi-square test.

    Args:
        contract: the game's contract.
        cases: how many points of rounds are tried.

    Raises:
        LeftOut: no point was found with few worlds, but more than one. The game's own tests should then use positions.
    """
    found = list(itertools.islice(lates(contract), cases))
    if not found:
        raise LeftOut("no round of this game comes to few worlds, but more than one: try positions by hand in tests of its own")
    for number, case in enumerate(found):
        equally_often(case, number)


def equally_often(case: Late, seed: Seed) -> None:
    """Raise CheckFailure where redealing at a point of a round does not give every world equally often."""
    likely, what = case.likelihood(seed), f"redealing for {named(case.viewer)} gives worlds so unequally"
    hold(
        likely > LEAST_LIKELY, f"{case.round.game!r}: {what} as chance does once in {1 / max(likely, 1e-99):.0e}", case.round._state
    )
