"""What several seats do at once: in whatever order they do it, the same comes of it, and nobody sees it before all have."""

import itertools
import random
from collections.abc import Iterator
from typing import Any

import pytest

import mekuri
from mekuri.cards import each
from mekuri.engine.chance import stream
from mekuri.engine.contract import DRIVER, legal, play, waiting
from mekuri.engine.fields import RoundState
from tests.helpers.outlook import differences, outlook
from tests.helpers.worlds import PLAYED, act, beside, branch, each_played, kept, redealt, seen, values, viewers

MOST_ROUNDS, MOST_PAIRS = 12, 6  # looked at, of those that there are


def together(game: mekuri.Game) -> list[mekuri.Round]:
    """Rounds that stand where several seats are waited for, and what they do stays hidden until all have done it.

    Where bets are shown something of it is seen: `tests/games` has that.
    """
    found = []
    for seed in range(4):
        chance = random.Random(seed)
        round = game.deal(seed=seed, dealer=seed % game.seats)
        while not round.over:
            if len(round.waiting) > 1 and game.contract.secret(round._state) and not getattr(round._state, "bets_shown", 0):
                found.append(branch(round))
            act(round, chance)
    return random.Random(0).sample(found, min(len(found), MOST_ROUNDS))


def pairs(s: RoundState) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Everything that two of the waiting seats may do at once: some pairs of seats, where there are many."""
    seats = list(itertools.combinations(each(waiting(s)), 2))
    for one, other in random.Random(0).sample(seats, min(len(seats), MOST_PAIRS)):
        for actions in itertools.product(each(legal(s, one)), each(legal(s, other))):
            yield (one, actions[0]), (other, actions[1])


def done(s: RoundState, *order: tuple[int, int]) -> RoundState:
    after = kept(s)
    for seat, action in order:
        play(after, seat, action)
    return after


def test_some_game_has_this() -> None:
    assert any(together(game) for game in PLAYED)


@each_played
class TestTogether:
    def test_the_order_changes_nothing(self, game: mekuri.Game) -> None:
        for round in together(game):
            for one, other in pairs(round._state):
                assert values(done(round._state, one, other)) == values(done(round._state, other, one))

    def test_the_order_changes_nothing_that_follows(self, game: mekuri.Game) -> None:
        """With the driver's actions after it, and all that anyone sees of it."""
        for rising, falling in zip(together(game), together(game), strict=True):
            for seat in rising.waiting:
                rising.play(rising.legal_for(seat)[-1], seat)
            for seat in falling.waiting[::-1]:
                falling.play(falling.legal_for(seat)[-1], seat)
            for viewer in viewers(game):
                assert differences(outlook(rising, viewer), outlook(falling, viewer)) == {}

    def test_nobody_sees_it_before_the_last(self, game: mekuri.Game) -> None:
        """Whatever a seat does that leaves it waited for, or that does not, looks like anything else of which that is true."""
        for round in together(game):
            for seat in round.waiting:
                for viewer in [None, *(viewer for viewer in range(game.seats) if viewer != seat)][:MOST_PAIRS]:
                    looks: dict[bool, Any] = {}
                    for action in each(legal(round._state, seat)):
                        now = beside(round, done(round._state, (seat, action)))
                        look = outlook(now, viewer)
                        assert differences(looks.setdefault(seat in now.waiting, look), look) == {}

    def test_events_tell_that_it_was_done_and_not_what(self, game: mekuri.Game) -> None:
        for start in together(game):
            for viewer in viewers(game):
                told = set()
                seat = next(seat for seat in start.waiting if seat != viewer)
                for action in start.legal_for(seat):
                    round = branch(start)
                    round._step(seat, round.parse_action(action))
                    if round.version(viewer) > start.version(viewer):
                        assert (round.events(viewer)[-1].seat, round.events(viewer)[-1].action) == (seat, None)
                        told.add(repr(round.events(viewer)))
                    else:
                        assert seat in round.waiting
                assert len(told) <= 1

    def test_a_second_or_a_late_one_is_refused(self, game: mekuri.Game) -> None:
        chance = random.Random(1)
        for round in together(game):
            offered = {seat: round.legal_for(seat) for seat in round.waiting}
            for seat, actions in offered.items():
                assert round.legal_for(seat) == actions  # whatever the others have done
                while seat in round.waiting:
                    act(round, chance, seat)
                if not game.contract.secret(round._state):
                    break  # that was the last
                stands = values(round._state)
                for action in actions:
                    with pytest.raises(mekuri.IllegalAction) as refusal:
                        round.play(action, seat)
                    assert refusal.value.clause in game.rulebook.clauses
                assert values(round._state) == stands

    def test_redealt_commitments_are_ones_that_could_have_been_made(self, game: mekuri.Game) -> None:
        for round in together(game):
            s, chance = round._state, stream(0)
            for seat in round.waiting:
                made = {repr(values(done(s, (seat, action)))) for action in each(legal(s, seat))}
                now = done(s, (seat, next(each(legal(s, seat)))))
                for viewer in [None, *(other for other in round.waiting if other != seat)]:
                    found = set()
                    for _ in range(30):
                        world = redealt(seen(now, viewer), viewer, chance)
                        assert waiting(world) == waiting(now) != 1 << DRIVER
                        found.add(repr([value for name, value in values(world).items() if name != "pack"]))
                    assert len(found) >= len(made)
