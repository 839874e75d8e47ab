"""What several seats do at once: in whatever order they do it, the same comes of it, and nobody sees it before all have."""

import itertools
import random
from collections.abc import Iterator

import pytest

import mekuri
from mekuri.cards import each
from mekuri.engine.chance import stream
from mekuri.engine.contract import DRIVER, legal, play, waiting
from mekuri.engine.fields import RoundState
from tests.outlook import differences, outlook
from tests.worlds import PLAYED, act, beside, branch, each_played, kept, redealt, seen, values, viewers


def together(game: mekuri.Game) -> list[mekuri.Round]:
    """Rounds that stand where several seats are waited for."""
    found = []
    for seed in range(4):
        chance = random.Random(seed)
        round = game.deal(seed=seed, dealer=seed % game.seats)
        while not round.over:
            if len(round.waiting) > 1:
                found.append(branch(round))
            act(round, chance)
    return found


def orders(s: RoundState) -> Iterator[list[tuple[tuple[int, int], ...]]]:
    """For everything that the waiting seats may do at once, every order in which they may do it."""
    seats = list(each(waiting(s)))
    for actions in itertools.product(*(each(legal(s, seat)) for seat in seats)):
        yield list(itertools.permutations(zip(seats, actions, strict=True)))


def done(s: RoundState, order: tuple[tuple[int, int], ...]) -> RoundState:
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
            for ways in orders(round._state):
                first, *others = (values(done(round._state, order)) for order in ways)
                assert all(other == first for other in others)

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
        for round in together(game):
            s = round._state
            seats = list(each(waiting(s)))
            for first in (order for n in range(1, len(seats)) for order in itertools.permutations(seats, n)):
                for viewer in viewers(game):
                    looks = []
                    for actions in itertools.product(*(each(legal(s, seat)) for seat in first)):
                        if viewer in first and actions[first.index(viewer)] != next(each(legal(s, viewer or 0))):
                            continue  # what it does itself it may know
                        now = beside(round, done(s, tuple(zip(first, actions, strict=True))))
                        assert now.waiting == tuple(seat for seat in seats if seat not in first)
                        looks.append(outlook(now, viewer))
                    assert all(differences(looks[0], look) == {} for look in looks)

    def test_events_tell_that_it_was_done_and_not_what(self, game: mekuri.Game) -> None:
        for start in together(game):
            for viewer in viewers(game):
                told = set()
                seat = next(seat for seat in start.waiting if seat != viewer)
                for action in start.legal_for(seat):
                    round = branch(start)
                    round._step(seat, round.parse_action(action))
                    assert (round.events(viewer)[-1].seat, round.events(viewer)[-1].action) == (seat, None)
                    told.add(repr(round.events(viewer)))
                assert len(told) == 1

    def test_a_second_or_a_late_one_is_refused(self, game: mekuri.Game) -> None:
        for round in together(game):
            offered = {seat: round.legal_for(seat) for seat in round.waiting}
            for seat, actions in offered.items():
                assert round.legal_for(seat) == actions  # whatever the others have done
                round.play(actions[0], seat)
                stands = values(round._state)
                assert not set(actions) & set(round.legal_for(seat))
                for action in actions:
                    with pytest.raises(mekuri.IllegalAction) as refusal:
                        round.play(action, seat)
                    assert refusal.value.clause in game.rulebook.clauses
                assert values(round._state) == stands

    def test_redealt_commitments_are_ones_that_could_have_been_made(self, game: mekuri.Game) -> None:
        for round in together(game):
            s = round._state
            seats, chance = list(each(waiting(s))), stream(0)
            for seat in seats:
                made = {repr(values(done(s, ((seat, action),)))) for action in each(legal(s, seat))}
                now = done(s, ((seat, next(each(legal(s, seat)))),))
                for viewer in [None, *(other for other in seats if other != seat)]:
                    found = set()
                    for _ in range(30):
                        world = redealt(seen(now, viewer), viewer, chance)
                        assert waiting(world) == waiting(now) != 1 << DRIVER
                        found.add(repr([value for name, value in values(world).items() if name != "pack"]))
                    assert len(found) >= len(made)
