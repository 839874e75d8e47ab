"""The encoder of observations: what it shows, what it hides, and that plain and compiled encoders write the same."""

import random
import re

import pytest

import mekuri
from mekuri.cards import each
from mekuri.engine.contract import hide, over, waiting
from mekuri.engine.driver import hidden_state
from mekuri.engine.fields import RoundState, copy, fields, show, turned
from mekuri.engine.observe import Layout, Part, layout, spread
from mekuri.testing.settings import random_games
from mekuri.testing.states import start, step
from mekuri.testing.worlds import redealt
from tests.helpers.tables import each_game


def states(game: mekuri.Game, seed: int = 1) -> list[RoundState]:
    """The states of a random round at which a seat is to act."""
    s, chance, found = start(game, seed % game.seats), [seed, 2, 3, 4], []
    while not over(s):
        if max(each(waiting(s))) < game.seats:
            kept = type(s)()
            copy(kept, s)
            found.append(kept)
        step(s, first_of(s, seed), chance)
    return found[::4]


def first_of(s: RoundState, seed: int) -> int:
    return random.Random(f"{s} {seed}").choice(each(waiting(s)))


def part(of: Layout, row: bytes, name: str) -> bytes:
    found: Part = next(one for one in of.parts if one.name == name)
    return row[found.first : found.first + found.size]


@each_game
def test_observation_depends_on_the_hidden_state_alone(name: str) -> None:
    """A full state and the hidden state that is made of it give the same bytes, and `hide` writes no public field."""
    for game in random_games(name, 3, most_seats=4):
        for s in states(game):
            for seat in range(game.seats):
                hidden = hidden_state(s, seat)
                public = type(s)()
                show(public, s)
                for field in fields(type(s)):
                    if field.public:
                        assert getattr(hidden, field.name) == getattr(public, field.name), field.name
                other = type(s)()
                hide(s, seat, other)
                private = [field.name for field in fields(type(s)) if not field.public]
                assert [getattr(other, one) for one in private] == [getattr(hidden, one) for one in private]


@pytest.mark.machine_code
@pytest.mark.in_turn(6)
@each_game
def test_compiled_rows_are_the_plain_rows_of_every_world_that_the_seat_thinks_possible(name: str) -> None:
    """In every preset, machine code writes what the plain encoder writes, and a world that is dealt anew shows the same bytes."""
    for preset in mekuri.game(name).contract.presets:
        game, chance = mekuri.game(name, preset), [1, 2, 3, 4]
        env = mekuri.vector(game, 8, learners=range(game.seats), skip_forced=False, seed=preset)
        for _ in range(12):
            for table, seat in enumerate(env.seats.tolist()):
                row = env.observations[table].tobytes()
                s = env.whole(table)
                assert row == game.layout.observe(s, seat), preset
                assert row == game.layout.observe(redealt(hidden_state(s, seat), seat, chance), seat), preset
            env.step(env.sample())


@each_game
def test_observation_is_relative_to_the_seat(name: str) -> None:
    game = mekuri.game(name)
    for s in states(game):
        rows = [game.layout.observe(s, seat) for seat in range(game.seats)]
        later = [game.layout.observe(turned(s), (seat + 1) % game.seats) for seat in range(game.seats)]
        assert rows == later
        assert {len(row) for row in rows} == {game.layout.size}


@each_game
def test_every_byte_belongs_to_one_part(name: str) -> None:
    """Of the bytes between parts, none is ever other than 0."""
    game = mekuri.game(name)
    owners = [0] * game.layout.size
    for one in game.layout.parts:
        for place in range(one.first, one.first + one.size):
            owners[place] += 1
    assert max(owners) == 1
    for s in states(game):
        row = game.layout.observe(s, 0)
        assert all(owner or not byte for owner, byte in zip(owners, row, strict=True))


@each_game
def test_every_part_has_a_kind_a_description_and_names_for_its_choices(name: str) -> None:
    contract = mekuri.game(name).contract
    declared = {field.name: field for field in fields(contract.state)}
    for seats in contract.seats:
        for one in layout(contract, contract.options(), seats, recall=True).parts:
            assert one.kind == declared[one.name].kind
            assert one.meaning
            assert re.fullmatch(r"[^`].{12,}\.", one.about), one.name
            assert " as in " not in one.about, one.name  # what it holds is described here and nowhere else
            assert len({*one.values}) == len(one.values) > 0 or one.kind != "choice"
            assert all(one.values)
            if one.kind == "choice":
                assert len(one.values) == one.size
            elif one.values:
                assert (one.name, one.values) == ("ending", contract.endings)


def test_parts_show_what_they_say() -> None:
    game = mekuri.game("koikoi")
    round = game.position("phase play; dealer 1; turn 1; hand 1H / 2H 12K; stock 5H 6H; field 3H")
    of = game.layout
    for seat, hand, held in ((0, [0], [0, 2]), (1, [4, 47], [0, 1])):
        row = round.observation(seat)
        cards = part(of, row, "hand")
        assert [card for card, byte in enumerate(cards) if byte] == hand  # the other hand, which comes second, is not seen
        assert list(part(of, row, "held")) == held
        assert part(of, row, "field")[8] == sum(part(of, row, "field")) == 1
        assert list(part(of, row, "turn")) == list(part(of, row, "dealer")) == [1 - seat == 0, 1 - seat == 1]
        phase = next(one for one in of.parts if one.name == "phase")
        assert phase.values[list(part(of, row, "phase")).index(1)] == "play"
        assert list(part(of, row, "stock")) == [2]


def test_layout_has_another_version_with_other_seats() -> None:
    contract = mekuri.game("sakura").contract
    found = {layout(contract, contract.options(), seats).version for seats in contract.seats}
    assert len(found) == len(contract.seats)


@pytest.mark.parametrize("bits", [0, 1, 0x80, 0xFF, 0xA5, 0x1FF, -1])
def test_bits_are_spread_over_bytes(bits: int) -> None:
    assert spread(bits) == sum((bits >> place & 1) << 8 * place for place in range(8))
