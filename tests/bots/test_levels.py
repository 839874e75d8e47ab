"""Levels: the characters of a game, their strength and weaknesses, and that the best beats the next."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import cast

import pytest

import mekuri
from mekuri import bots, games
from mekuri.bots import CHARACTERS, Budget, Seen
from mekuri.bots.levels import _best, _narrowed, choose, forgotten, left_by_habit, levels
from mekuri.bots.search.think import think
from mekuri.cards import ALL, each
from mekuri.engine.called import asked_of, choices_of, turn
from mekuri.engine.chance import stream
from mekuri.engine.compiled import bit
from mekuri.engine.contract import DRIVER, legal, over, play, redeal, returns
from mekuri.engine.fields import copy
from mekuri.engine.level import Level
from mekuri.engine.rulebook import LANGUAGES
from mekuri.games.mushi.state import MushiState, Phase
from mekuri.lab.arena import Arena
from mekuri.testing.worlds import random_round, steps
from tests.helpers.tables import GAMES, USUAL, each_game

CARD_GAMES = [name for name in GAMES if levels(games.find(name))]  # of skill
FORGETTING = [name for name in GAMES if games.find(name).remembered]


def asked(name: str, seed: int) -> Iterator[Seen]:
    """Yield the views of the seats to move, through a round."""
    for now in steps(random_round(mekuri.game(name), seed)):
        if now.waiting and now.waiting[0] < now.game.seats:
            yield Seen(now.hidden(now.waiting[0]), now.waiting[0])


@each_game
def test_each_game_has_three_characters_with_crests(name: str) -> None:
    contract = games.find(name)
    characters = bots.characters(contract)
    assert len(characters) >= 3
    assert [bots.level(one.id, contract) for one in characters] == (
        [*range(1, len(characters) + 1)] if levels(contract) else [None] * len(characters)
    )
    for one in characters:
        drawn = one.emblem()
        assert drawn
        assert drawn.ink
        assert drawn.red
        assert bots.known(one.id) is one
        assert bots.here(one.id, contract) is one
        assert all(0 < len(text) <= 40 for text in one.name.values())
    assert bots.about(contract)[: len(characters)] == characters, "they are offered before those that are there to be studied"


@pytest.mark.parametrize("name", CARD_GAMES)
def test_strongest_has_no_weakness_and_default_is_in_the_middle(name: str) -> None:
    contract = games.find(name)
    *weaker, strongest = levels(contract)
    assert strongest == Level(who=strongest.who)
    assert all(level != Level(who=level.who) for level in weaker)
    order = [level.who for level in levels(contract)]
    assert [one.id for one in CHARACTERS if one.id in order] == order
    assert abs(2 * order.index(bots.usual(contract)) - (len(order) - 1)) <= 1


@pytest.mark.parametrize("name", GAMES)
def test_company_is_of_different_and_nearest_levels(name: str) -> None:
    """The requested bot comes first. No bot repeats before all have been used."""
    contract = games.find(name)
    seats = max(contract.seats) - 1
    order = [one.id for one in bots.characters(contract)]
    for asked_for in ("", *order):
        company = bots.company(contract, seats, asked_for)
        assert len(company) == seats
        assert company[0] == (asked_for or bots.usual(contract))
        around = tuple(dict.fromkeys(company))
        assert len(around) == min(seats, len(order))
        assert company == (around * seats)[:seats]
        if CARD_GAMES.count(name):
            apart = [abs(order.index(one) - order.index(around[0])) for one in around]
            assert apart == sorted(apart)
    assert bots.company(contract, seats, "greedy") == ("greedy",) * seats


def test_characters_have_different_names() -> None:
    known = [*CHARACTERS, *(bot for name in GAMES for bot in games.find(name).bots)]
    for lang in LANGUAGES:
        assert len({one.name[lang] for one in known}) == len({one.id for one in known}) == len(known)
        assert len({one.help[lang] for one in known}) == len(known)
    assert len({one.emblem() for one in known}) == len(known)


def test_character_without_a_level_is_unknown_to_the_game() -> None:
    lacking = next((name, one.id) for name in CARD_GAMES for one in CHARACTERS if bots.level(one.id, games.find(name)) is None)
    with pytest.raises(bots.UnknownBot):
        bots.find(lacking[1], games.find(lacking[0]))
    assert bots.known(lacking[1])


@pytest.mark.parametrize("name", CARD_GAMES)
def test_strongest_character_follows_the_search(name: str) -> None:
    who = levels(games.find(name))[-1].who
    *_, seen = asked(name, 5)
    assert choose(seen, stream(1), Budget(40), who) in _best(think(seen, stream(1), Budget(40), bots.find("greedy")))


def ends(seen: Seen) -> dict[int, int]:
    """Return the actions that end the round at once, with the seat's result of each."""
    found, chance = {}, stream("ends")
    for action in each(choices_of(seen.hidden, seen.seat)):
        world = type(seen.hidden)()
        copy(world, seen.hidden)
        redeal(world, seen.seat, chance)
        play(world, seen.seat, action)
        while asked_of(world) == 1 << DRIVER:
            turn(world, chance)
        if over(world):
            found[action] = returns(world, seen.seat)
    return found


@pytest.mark.every_days(4)
def test_round_that_cannot_end_better_is_ended() -> None:
    """Weak characters too take the last card if waiting gains nothing."""
    found = Counter[str]()
    for name, seed in product(CARD_GAMES, range(20)):
        contract = games.find(name)
        for seen in asked(name, seed):
            ending = ends(seen)
            if not ending or len(ending) == choices_of(seen.hidden, seen.seat).bit_count():
                continue
            most = max(ending.values())
            # Eight standard errors of 400 play-outs are three of the 60 that a weak character makes.
            if any(tried.mean + 8 * tried.error > most for tried in think(seen, stream(seed), Budget(400), bots.find("greedy"))):
                continue
            found[name] += 1
            for level in levels(contract):
                assert ending.get(choose(seen, stream(seed, level.who), Budget(60), level.who)) == most, (name, seed, level.who)
    assert found.total() > 10, "in few games a round ends by a choice"
    assert len(found) > 1


HABITS = [(name, level) for name in CARD_GAMES for level in levels(games.find(name)) if level.has_habit]


@pytest.mark.parametrize(("name", "level"), HABITS, ids=[f"{name}-{level.who}" for name, level in HABITS])
def test_character_acts_by_its_habit(name: str, level: Level) -> None:
    shares = Counter[bool]()
    for seen in (one for seed in range(6) for one in asked(name, seed)):
        choices = choices_of(seen.hidden, seen.seat)
        if choices & choices - 1:
            left = left_by_habit(level, seen, stream(1))
            shares[left != choices] += 1
            if left != choices:
                assert bit(choose(seen, stream(1), Budget(4), level.who)) & left
                ending = sum(map(bit, ends(seen)))
                assert not left & level.plays_last & ~ending or left == choices & level.plays_last
                assert not left & ~level.plays_first & ~ending or not choices & level.plays_first
    assert shares[True] > shares.total() / 50, "the habit hardly ever decides"


def test_habit_concerns_cards_of_the_hand_only() -> None:
    fussy = Level(who="suzu", plays_last=ALL)
    seen = next(one for one in asked("mushi", 3) if cast(MushiState, one.hidden).phase == Phase.CHOOSE)
    assert left_by_habit(fussy, seen, stream(1)) == choices_of(seen.hidden, seen.seat)


@pytest.mark.parametrize("most", [1000, 1, None])
def test_level_limits_the_budget(most: int | None) -> None:
    """Its own measure and its budget: the less of the two."""
    name = CARD_GAMES[0]
    first = levels(games.find(name))[0]
    assert first.playouts
    seen, few = next(asked(name, 5)), Budget(min(first.playouts, most or 1000))
    assert choose(seen, stream(1), Budget(most), first.who) == choose(seen, stream(1), few, first.who)
    assert _narrowed(Budget(most, 900), first.playouts) == replace(few, milliseconds=900)
    assert _narrowed(Budget(most), None) == Budget(most)


@pytest.mark.parametrize("name", FORGETTING)
def test_forgotten_cards_are_unknown_again(name: str) -> None:
    """Nothing else changes: a seat that forgets can still take the same actions and finds worlds."""
    lost = False
    for seen in asked(name, 3):
        h, seat, before = seen.hidden, seen.seat, replace(seen.hidden)
        assert forgotten(h, 0, stream(1)) == h
        blank, half = forgotten(h, 100, stream(1)), forgotten(h, 50, stream(2))
        assert h == before
        kept = {field: getattr(h, field) for field in h.contract.remembered}
        assert replace(blank, **kept) == replace(half, **kept) == h
        assert not any(any(value) if isinstance(value, list) else value for value in (getattr(blank, field) for field in kept))
        lost = lost or blank != h != half
        assert legal(blank, seat) == legal(half, seat) == legal(h, seat)
        for left in (blank, half):
            redeal(left, seat, stream(3))
    assert lost


@pytest.mark.every_days(4)
@pytest.mark.machine_code
@pytest.mark.parametrize("name", [pytest.param(name, marks=() if name == USUAL else pytest.mark.slow) for name in CARD_GAMES])
def test_best_level_beats_the_next_and_lowest_beats_random(name: str) -> None:
    """A gate, not a measurement: few deals, always the same."""
    order = [level.who for level in levels(games.find(name))]
    for first, second, deals in ((order[-1], order[-2], 80), (order[0], "random", 400)):
        arena = Arena(mekuri.game(name), (first, second), deals, seed="level")
        arena.prepare()
        [score] = arena.play()
        assert score.won > score.lost
        assert score.mean > 0
