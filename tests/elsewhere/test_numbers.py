"""Whole numbers of other libraries, such as `numpy.int64`, count as ints wherever the library takes a whole number."""

import json
from dataclasses import asdict
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import mekuri
from mekuri import MekuriError, bots
from mekuri.bots.puzzles import Mining
from mekuri.bots.review import Reviewing
from mekuri.cards import cards_text, each
from mekuri.engine.chance import SeedError, stream
from mekuri.lab.arena import Arena
from mekuri.lab.equilibrium import choices
from mekuri.lab.processes import Processes
from mekuri.lab.shards import Threads
from mekuri.lab.simulate import Simulating, simulate
from mekuri.match.fair import FairDeals
from mekuri.terminal.base.local import ask_table, local_play, seats_of
from tests.helpers.tables import GAMES, HELD, LARGER, USUAL

WHOLE = (np.int64, np.int32, np.uint8, np.int8)
NUMBERS = [kind.__name__ for kind in WHOLE]


@pytest.mark.parametrize("kind", WHOLE, ids=NUMBERS)
def test_rounds_and_matches_accept_other_integers(kind: Any) -> None:
    """Rounds and matches are the same, and so are their JSON-encodable views."""
    game = mekuri.game(LARGER)
    assert repr(mekuri.game(LARGER, seats=kind(game.seats))) == repr(game)
    plain, other = game.deal(seed=7, dealer=1, number=3), game.deal(seed=kind(7), dealer=kind(1), number=kind(3))
    while not plain.over:
        seat = plain.waiting[0]
        action = plain.parse_action(plain.legal[0])
        assert other.legal_for(kind(seat)) == plain.legal_for(seat)
        assert other.refusal(kind(action), kind(seat)) is None
        assert other.unseen(kind(action), kind(seat)) == plain.unseen(action, seat)
        plain.play(action, seat)
        other.play(kind(action), kind(seat))
    assert repr(other.actions) == repr(plain.actions)
    assert json.dumps(asdict(other.view(kind(1))), default=list) == json.dumps(asdict(plain.view(1)), default=list)
    assert other.version(kind(2)) == plain.version(2)
    assert other.seen(kind(1)) == plain.seen(1)
    assert other.hidden(kind(1)) == plain.hidden(1)
    assert repr(other.events(kind(0), since=kind(5))) == repr(plain.events(0, since=5))
    assert other.position == plain.position
    matches = [game.match(seed=of(7), first_dealer=of(2), rounds=of(3)) for of in (int, kind)]
    for of, match in zip((int, kind), matches, strict=True):
        match.round.play(match.round.legal[0])
        match.round.play(match.round.legal[0])
        match.take_back(of(1))
        assert match.view(of(1)).you == 1
    assert matches[0].record().to_json() == matches[1].record().to_json()


@pytest.mark.parametrize("kind", WHOLE, ids=NUMBERS)
def test_seeds_and_chance_accept_other_integers(kind: Any) -> None:
    assert stream(kind(7), "x", kind(3)) == stream(7, "x", 3) == stream("7", "x", 3)
    dealt = mekuri.game(USUAL).deal(seed=2).position
    assert mekuri.game(USUAL).position(dealt, seed=kind(7)).position == dealt
    player = [bots.Player("random", seed=of(7), contract=mekuri.game(USUAL).contract) for of in (int, kind)]
    round = mekuri.game(USUAL).deal(seed=1)
    seat = round.waiting[0]
    assert player[0].choose(round.hidden(seat), seat) == player[1].choose(round.hidden(seat), kind(seat))
    deals = FairDeals(bytes(32), [""] * 4)
    assert (deals.secret(kind(3)), deals.round(kind(3))) == (deals.secret(3), deals.round(3))
    assert deals.opened(kind(2)) == deals.opened(2)
    assert deals.opened(kind(2)).round(kind(1)) == deals.round(1)
    assert (each(kind(13)), cards_text(kind(5))) == ((0, 2, 3), "1H 1O")


@pytest.mark.parametrize("kind", [np.int64])
def test_simulations_accept_other_integers(kind: Any) -> None:
    game = mekuri.game(USUAL)
    plain = simulate(game, 5, seed=7, plain=True, threads=1)
    other = simulate(game, kind(5), seed=kind(7), plain=True, threads=kind(1))
    assert json.dumps(other.to_dict() | {"seconds": 0}) == json.dumps(plain.to_dict() | {"seconds": 0})
    assert Simulating(game, kind(5), kind(7)).about() == Simulating(game, 5, 7).about()
    budget = bots.Budget(kind(5), kind(9))
    assert json.dumps(Arena(game, ("random", "greedy"), kind(3), kind(7), budget).about())
    assert type(Processes(kind(2)).number) is type(Threads(kind(2)).most) is int
    assert json.dumps(bots.Budget(kind(5), kind(9)).__dict__)


@pytest.mark.parametrize("kind", [np.int64])
def test_reviews_and_equilibria_accept_other_integers(kind: Any) -> None:
    game = mekuri.game(HELD[0])
    round = game.deal(seed=3)
    while not round.over:
        round.play(round.legal[0])
    found = [Reviewing(round, of(1), of(2), of(3)) for of in (int, kind)]
    assert [(one._seat, one._playouts, one._nodes) for one in found] == [(1, 2, 3)] * 2
    assert [type(one._seat) for one in found] == [int, int]
    mining = Mining(game, kind(7), kind(1), kind(2))
    assert (mining._seed, mining.total, mining._worlds) == ("7", 1, 2)
    two = next((mekuri.game(name) for name in GAMES if mekuri.game(name).contract.side and mekuri.game(name).seats == 2), None)
    if two:
        assert choices(two, kind(1)) == choices(two, 1)


async def test_local_table_accepts_other_integers() -> None:
    """Deals and bots' choices follow from the seed, in any spelling."""
    game = mekuri.game(USUAL)
    asked = ask_table(game, seats_of(game), {})
    roots = {(await local_play(asked, 0, seed)).table.root for seed in (7, np.int64(7))}
    assert len(roots) == 1


@pytest.mark.parametrize("wrong", [7.0, Fraction(7), None, "x", np.float64(7), np.bool_(True), np.array([7, 8])], ids=repr)
def test_other_numbers_are_refused_in_a_sentence(wrong: Any) -> None:
    game = mekuri.game(USUAL)
    for ask in (
        lambda: game.deal(seed=1, dealer=wrong),
        lambda: game.deal(seed=1, number=wrong),
        lambda: game.deal(seed=1).legal_for(wrong),
        lambda: simulate(game, wrong),
    ):
        with pytest.raises(MekuriError, match="not"):
            ask()
    if not isinstance(wrong, str) and wrong is not None:
        with pytest.raises(SeedError, match="whole number"):
            stream(wrong)
