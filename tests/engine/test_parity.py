"""The rules give the same results plain and compiled, and chance is as documented."""

from itertools import pairwise, permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mekuri
from mekuri.bots import find
from mekuri.engine.chance import below, draw, fold, mix, pick, round_stream, shuffle, stream
from mekuri.engine.compiled import count, first, wrap
from mekuri.engine.contract import DRIVER, waiting
from mekuri.engine.driver import drive
from mekuri.engine.entry import entry
from mekuri.engine.executor import MACHINE_CODE
from mekuri.lab import playout
from mekuri.lab.simulate import simulate
from mekuri.testing import parity
from mekuri.testing.chances import equally_likely
from mekuri.testing.settings import random_games
from mekuri.testing.states import as_values, int64s, plain_states, records, start
from tests.helpers.tables import BOTS, each_bot, each_game, presets_and_bots

COMBINATIONS = 60
SOAK_COMBINATIONS = 2000


class TestSimulations:
    @each_game
    def test_simulations_agree_in_every_preset(self, name: str, subtests: pytest.Subtests) -> None:
        for preset, bot in presets_and_bots(name):
            with subtests.test(preset=preset, bot=bot):
                parity.simulations(mekuri.game(name, preset), 100, preset, bot)

    @pytest.mark.in_turn(2)
    @each_game
    def test_simulations_agree_with_random_options(self, name: str) -> None:
        self.compare(name, COMBINATIONS, 12)

    @pytest.mark.soak
    @each_game
    def test_simulations_agree_with_many_random_options(self, name: str) -> None:
        self.compare(name, SOAK_COMBINATIONS, 50)

    @staticmethod
    def compare(name: str, combinations: int, rounds: int) -> None:
        for number, game in enumerate(random_games(name, combinations)):
            bot, played = BOTS[number % len(BOTS)], rounds if number % len(BOTS) == 0 else rounds // 4 + 1
            parity.simulations(game, played, number, bot)

    @pytest.mark.in_turn(2)
    @each_bot
    @each_game
    def test_threads_change_nothing(self, name: str, bot: str) -> None:
        game = mekuri.game(name)
        alone = parity.figures(game, 6000, bot=bot, threads=1)
        assert alone == parity.figures(game, 6000, bot=bot, threads=2) == parity.figures(game, 6000, bot=bot, threads=5)

    @each_game
    def test_seeds_change_the_rounds(self, name: str) -> None:
        game = mekuri.game(name)
        assert len({simulate(game, 10, seed=seed).checksum for seed in range(20)}) == 20
        assert simulate(game, 10, seed=1).checksum == simulate(game, 10, seed="1").checksum

    @each_game
    def test_progress_counts_all_rounds(self, name: str) -> None:
        progress: list[int] = []
        simulate(mekuri.game(name), 3001, threads=2, progress=progress.append)
        assert sum(progress) == 3001


@each_game
def test_chunks_change_nothing(name: str) -> None:
    game, key, counts = mekuri.game(name), int64s(*stream("chunks")), []
    for cuts in ([0, 300], [0, 1, 120, 121, 300]):
        rows = []
        for begin, end in pairwise(cuts):
            row = int64s(*playout.empty_counts())
            playout.play_rounds.compiled(
                records(game), key, int64s(0, 0, 0, 0), begin, end - begin, MACHINE_CODE.bot(find(BOTS[0])), 0, row, int64s()
            )
            rows.append(row.tolist())
        counts.append(playout.add_counts(rows))
    assert counts[0] == counts[1]


@each_game
def test_simulated_round_equals_the_deal_of_its_number(name: str) -> None:
    game = mekuri.game(name)
    for number in range(5):
        dealt = game.deal(seed="same", number=number)
        state, chance = start(game), round_stream("same", number)
        while waiting(state) == 1 << DRIVER:
            drive(state, chance)
        assert as_values(state) == as_values(dealt._state)


class TestStates:
    @each_game
    def test_states_agree_in_every_preset(self, name: str, subtests: pytest.Subtests) -> None:
        for preset, bot in presets_and_bots(name):
            with subtests.test(preset=preset, bot=bot):
                parity.states(mekuri.game(name, preset), 12, bot)

    @pytest.mark.in_turn(2)
    @each_game
    def test_states_agree_with_random_options(self, name: str) -> None:
        for number, game in enumerate(random_games(name, COMBINATIONS)):
            parity.states(game, 2, BOTS[number % len(BOTS)])

    @each_game
    def test_record_holds_every_value_of_a_state(self, name: str) -> None:
        game = mekuri.game(name)
        plain = plain_states(game)
        playout.play_rounds(plain, stream(0), [0] * 4, 0, 1, find(BOTS[0]), 0, playout.empty_counts(), [])
        array = records(game)
        MACHINE_CODE.write(array, 3, plain[1])
        [found] = MACHINE_CODE.read(array[3:4], game.contract.state)
        assert as_values(found) == as_values(plain[1])


@pytest.mark.machine_code
@each_game
def test_whole_states_are_written_alike(name: str) -> None:
    parity.whole_states(mekuri.game(name))


@entry
def primitives(values: Any, found: Any) -> None:
    """For each value what the primitives make of it, five numbers. A set of cards has no sign; a word has."""
    for i in range(len(values)):
        value = values[i]
        cards = value & (1 << 63) - 1
        found[i * 5] = count(cards)
        found[i * 5 + 1] = first(cards) if cards else -1
        found[i * 5 + 2] = mix(value)
        found[i * 5 + 3] = fold(value, i)
        found[i * 5 + 4] = wrap(value * 0x1234567 + i)


@entry
def draws(chance: Any, n: int, words: Any, numbers: Any, row: Any) -> None:
    """Words and numbers below n, and `row` shuffled, and sets without their lowest members."""
    for i in range(len(words)):
        words[i] = draw(chance)
    for i in range(len(numbers)):
        numbers[i] = below(chance, n)
    shuffle(row, len(row), chance)
    for i in range(len(row)):
        row[i] = pick(row[i] | 1 << i, 1, chance) ^ pick((1 << 40) - 1, 1 + i, chance)


WORD = st.integers(-(1 << 63), (1 << 63) - 1)


class TestPrimitives:
    @given(st.lists(WORD | st.integers(0, 62).map(lambda bit: 1 << bit), min_size=1, max_size=50))
    def test_primitives_agree_plain_and_compiled(self, values: list[int]) -> None:
        plain = [0] * (5 * len(values))
        primitives(values, plain)
        found = int64s(*[0] * len(plain))
        primitives.compiled(int64s(*values), found)
        assert found.tolist() == plain

    def test_count_and_first_read_the_bits(self) -> None:
        for value in (1, 2, 3, 1 << 48, (1 << 49) - 1, (1 << 62) | 5):
            bits = [bit for bit in range(63) if value >> bit & 1]
            assert (count(value), first(value)) == (len(bits), bits[0])
        assert count(0) == 0

    @given(st.integers(-(1 << 130), 1 << 130))
    def test_wrap_gives_signed_64_bit_values(self, value: int) -> None:
        assert -(1 << 63) <= wrap(value) < 1 << 63
        assert (wrap(value) - value) % (1 << 64) == 0


class TestChance:
    # The output of the reference implementation for the state 1, 2, 3, 4 (as the tests of Rust's rand_xoshiro have it).
    XOSHIRO = (
        41943041,
        58720359,
        3588806011781223,
        3591011842654386,
        9228616714210784205,
        9973669472204895162,
        14011001112246962877,
        12406186145184390807,
        15849039046786891736,
        10450023813501588000,
    )
    # SplitMix64 from 0: its finaliser of one, two, three steps (as Java's SplittableRandom and Vigna's splitmix64.c give them).
    SPLITMIX = (0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F)

    def test_generator_matches_published_vectors(self) -> None:
        chance = [1, 2, 3, 4]
        assert [draw(chance) & (1 << 64) - 1 for _ in self.XOSHIRO] == list(self.XOSHIRO)
        step = 0x9E3779B97F4A7C15
        assert tuple(mix(wrap(step * n)) & (1 << 64) - 1 for n in (1, 2, 3)) == self.SPLITMIX

    @pytest.mark.parametrize("n", [1, 2, 3, 48, 49, 1000, 3 << 29, 1 << 31])
    def test_chance_agrees_plain_and_compiled(self, n: int) -> None:
        plain, found = [1, 2, 3, 4], int64s(1, 2, 3, 4)
        rows = [0] * 50, [0] * 200, list(range(45))
        arrays = [int64s(*row) for row in rows]
        draws(plain, n, *rows)
        draws.compiled(found, n, *arrays)
        assert [row.tolist() for row in arrays] == list(rows)
        assert found.tolist() == plain

    def test_streams_differ(self) -> None:
        seeds = [stream(0), stream("0x"), stream(b"0"), stream(1), stream(0, "bot"), stream(0, "round", 1), stream("")]
        seeds += [round_stream(0, number) for number in range(100)]
        assert len({tuple(seed) for seed in seeds}) == len(seeds)
        assert all(-(1 << 63) <= word < 1 << 63 for seed in seeds for word in seed)

    @pytest.mark.parametrize(("n", "bins"), [(2, 2), (3, 3), (7, 7), (48, 48), (3 << 29, 12), ((1 << 31) - 1, 16), (1 << 31, 16)])
    def test_below_is_uniform(self, n: int, bins: int) -> None:
        numbers = int64s(*[0] * 200_000)
        draws.compiled(int64s(*stream("below", n)), n, int64s(), numbers, int64s())
        assert 0 <= min(numbers) <= max(numbers) < n
        found = [0] * bins
        for number in numbers.tolist():
            found[number * bins // n] += 1
        assert equally_likely(found) > 1e-4

    def test_shuffle_is_uniform(self) -> None:
        found = dict.fromkeys(permutations(range(4)), 0)
        chance = stream("shuffle")
        for _ in range(24_000):
            row = [0, 1, 2, 3]
            shuffle(row, 4, chance)
            found[row[0], row[1], row[2], row[3]] += 1
        assert equally_likely([*found.values()]) > 1e-4

    def test_shuffle_leaves_the_rest(self) -> None:
        row = list(range(10))
        shuffle(row, 6, stream(0))
        assert row[6:] == [6, 7, 8, 9]
        assert sorted(row) == list(range(10))

    def test_pick_is_uniform(self) -> None:
        chance, choices, found = stream("pick"), 0b1011001, [0] * 7
        for _ in range(8000):
            found[pick(choices, 4, chance)] += 1
        assert [i for i, n in enumerate(found) if n] == [0, 3, 4, 6]
        assert equally_likely([n for n in found if n]) > 1e-4

    def test_neighbouring_rounds_are_independent(self) -> None:
        """The first card of the packs of neighbouring rounds is as random as that of one pack."""
        found = [0] * 12
        for number in range(12_000):
            found[below(round_stream("apart", number), 12)] += 1
        assert equally_likely(found) > 1e-4
