"""The exact solver: right on games whose equilibrium is known, and a proof that a bot which claims the equilibrium plays it."""

import random
from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from unittest.mock import patch

import pytest

import mekuri
from mekuri.engine import chance as engine_chance
from mekuri.engine.bot import ask
from mekuri.engine.contract import legal, play, waiting
from mekuri.engine.driver import hidden_state
from mekuri.engine.errors import MekuriError
from mekuri.engine.fields import RoundState, copy
from mekuri.games.mutsuichi import bots, rules
from mekuri.lab.equilibrium import Choices, Matrix, Mixture, Way, choices, equilibrium, gains, value
from mekuri.testing.states import start
from mekuri.testing.worlds import kept
from tests.helpers.tables import in_turn

NONE, HALF, THIRD, ALL = Fraction(0), Fraction(1, 2), Fraction(1, 3), Fraction(1)

PAYOUTS = {"five": Fraction(0), "four-six": Fraction(-1, 15), "four-five": Fraction(-1, 12)}  # what a chip bet wins on average
TABLES = list(product(PAYOUTS, range(1, 7), (0, 1)))
each_table = pytest.mark.parametrize(("payout", "most", "least"), in_turn(TABLES))


def negative(wins: Matrix) -> Matrix:
    return [[-win for win in row] for row in wins]


class TestKnownGames:
    def test_matching_pennies(self) -> None:
        wins = [[1, -1], [-1, 1]]
        rows, columns = equilibrium(wins, negative(wins))
        assert rows == columns == (HALF, HALF)
        assert value(wins, rows, columns) == 0

    def test_pennies_of_different_worth(self) -> None:
        wins = [[3, -2], [-2, 1]]
        rows, columns = equilibrium(wins, negative(wins))
        assert rows == columns == (Fraction(3, 8), Fraction(5, 8))
        assert value(wins, rows, columns) == Fraction(-1, 8)

    def test_rock_paper_scissors(self) -> None:
        wins = [[0, -1, 1], [1, 0, -1], [-1, 1, 0]]
        assert equilibrium(wins, negative(wins)) == ((THIRD,) * 3, (THIRD,) * 3)

    def test_rock_paper_scissors_with_double_rock(self) -> None:
        wins = [[0, -1, 2], [1, 0, -1], [-2, 1, 0]]
        rows, columns = equilibrium(wins, negative(wins))
        assert rows == columns == (Fraction(1, 4), Fraction(1, 2), Fraction(1, 4))

    def test_prisoners_dilemma(self) -> None:
        """Not of sum zero: both speak, though both would do better to be silent."""
        assert equilibrium([[-1, -5], [0, -3]], [[-1, 0], [-5, -3]]) == ((NONE, ALL), (NONE, ALL))

    def test_inspection(self) -> None:
        """Not of sum zero, and without an equilibrium of single ways."""
        rows, columns = equilibrium([[-1, -1], [-5, 0]], [[0, 2], [3, 2]])
        assert rows == (THIRD, 1 - THIRD)
        assert columns == (Fraction(1, 5), Fraction(4, 5))

    def test_single_choice(self) -> None:
        assert equilibrium([[7]], [[-3]]) == ((ALL,), (ALL,))

    def test_equilibria_of_random_games_have_no_gain(self) -> None:
        """Of every shape, many of them with ties."""
        chance = random.Random(1)
        for _ in range(300):
            shape = range(chance.randint(1, 5)), range(chance.randint(1, 7))
            most = chance.choice((1, 2, 50))
            row_wins, column_wins = ([[chance.randint(-most, most) for _ in shape[1]] for _ in shape[0]] for _ in range(2))
            rows, columns = equilibrium(row_wins, column_wins)
            assert sum(rows) == sum(columns) == 1
            assert min(*rows, *columns, 0) == 0
            assert gains(row_wins, column_wins, rows, columns) == (NONE, NONE), (row_wins, column_wins)

    def test_other_strategies_are_no_equilibrium(self) -> None:
        wins = [[1, -1], [-1, 1]]
        assert gains(wins, negative(wins), (ALL, NONE), (HALF, HALF)) == (NONE, ALL)


class TestRounds:
    """The table of a round, made by playing it."""

    def test_table_of_a_small_game_is_complete(self) -> None:
        found = choices(mekuri.game("mutsuichi", seats=2, most_cards=1, payout="four-five"))
        assert found.seats == (0, 1)
        assert (len(found.rows), len(found.columns)) == (6, 7)
        for row, column in product(range(6), range(7)):
            hit, laid = found.columns[column][0] == found.rows[row][0] + 1, len(found.columns[column]) == 2
            wins = (-50, 45, 5) if hit else (10, -10, 0) if laid else (0, 0, 0)
            assert (found.row_wins[row][column], found.column_wins[row][column], found.accounts[row][column]) == wins

    def test_dealer_chooses_first(self) -> None:
        game = mekuri.game("mutsuichi", seats=2)
        one, other = choices(game), choices(game, dealer=1)
        assert (one.seats, other.seats) == ((0, 1), (1, 0))
        assert (one.row_wins, one.column_wins) == (other.row_wins, other.column_wins)

    def test_each_set_of_cards_is_listed_once(self) -> None:
        for most, sets in ((1, 6), (2, 21), (3, 41), (4, 56), (5, 62), (6, 63)):
            for least in (0, 1):
                columns = choices(table("five", most, least)).columns
                assert len({frozenset(way) for way in columns}) == len(columns) == sets + 1 - least

    def test_other_games_are_refused(self) -> None:
        with pytest.raises(MekuriError, match="two seats"):
            choices(mekuri.game("mutsuichi", seats=3))
        with pytest.raises(MekuriError, match="two seats"):
            choices(mekuri.game("mushi"))  # where the driver deals first

    def test_round_with_public_information_is_refused(self) -> None:
        """Here each seat is shown whatever there is."""
        game = table("five", 1, 0)
        shown = patch.dict(vars(game.contract.rules), hide=lambda s, seat, into: copy(into, s))
        with shown, pytest.raises(MekuriError, match="learns something"):
            choices(game)


class TestMutsuIchi:
    @each_table
    def test_returns_sum_to_zero(self, payout: str, most: int, least: int) -> None:
        found = choices(table(payout, most, least))
        for rows in zip(found.row_wins, found.column_wins, found.accounts, strict=True):
            assert all(sum(wins) == 0 for wins in zip(*rows, strict=True))

    @each_table
    def test_solution_of_mutsuichi_is_known(self, payout: str, most: int, least: int) -> None:
        """The bank wins nothing. A player who must bet loses the terazen on one bet; a player who need not bet does not."""
        found = choices(table(payout, most, least))
        rows, columns = equilibrium(found.row_wins, found.column_wins)
        assert gains(found.row_wins, found.column_wins, rows, columns) == (NONE, NONE)
        assert value(found.row_wins, rows, columns) == 0
        assert value(found.column_wins, rows, columns) == least * 10 * PAYOUTS[payout]
        if payout != "five" and least == 0:
            assert columns == tuple(Fraction(sits_out(way)) for way in found.columns)

    @each_table
    def test_bets_win_in_proportion_to_their_size(self, payout: str, most: int, least: int) -> None:
        """Every chip bet wins the same on average for any cards, so sitting out is best below five."""
        found = choices(table(payout, most, least))
        for way, wins in zip(found.columns, zip(*found.column_wins, strict=True), strict=True):
            assert Fraction(sum(wins), 6) == 10 * (len(way) - 1) * PAYOUTS[payout]

    @each_table
    def test_bot_plays_an_equilibrium(self, payout: str, most: int, least: int) -> None:
        game = table(payout, most, least)
        found = choices(game)
        rows, columns = bots_mixtures(game, found)
        assert sum(rows) == sum(columns) == 1
        assert gains(found.row_wins, found.column_wins, rows, columns) == (NONE, NONE)
        assert value(found.row_wins, rows, columns) == 0
        assert value(found.column_wins, rows, columns) == least * 10 * PAYOUTS[payout]
        if payout != "five":
            assert {len(way) - 1 for way, share in zip(found.columns, columns, strict=True) if share} == {least}

    @pytest.mark.parametrize("payout", PAYOUTS)
    @pytest.mark.parametrize("chips", [10, 20, 40, 49, 50, 70])
    def test_bot_plays_an_equilibrium_against_a_short_bank(self, payout: str, chips: int, monkeypatch: pytest.MonkeyPatch) -> None:
        """Without a compulsory bet it is an equilibrium too."""
        monkeypatch.setattr(rules, "BANKS_CHIPS", chips)
        game = table(payout, 4, 0)
        found = choices(game)
        assert min(map(min, found.row_wins)) == -min(chips, 50)
        rows, columns = bots_mixtures(game, found)
        assert gains(found.row_wins, found.column_wins, rows, columns) == (NONE, NONE)

    def test_bot_bets_if_it_costs_nothing(self) -> None:
        """Any number of cards with the same chance, and any cards."""
        game = table("five", 3, 0)
        found = choices(game)
        _, columns = bots_mixtures(game, found)
        sizes = {1: 6, 2: 15, 3: 20}
        assert columns == tuple(THIRD / sizes[len(way) - 1] if not sits_out(way) else 0 for way in found.columns)


def table(payout: str, most: int, least: int) -> mekuri.Game:
    return mekuri.game("mutsuichi", seats=2, payout=payout, most_cards=most, least_cards=least)


def sits_out(way: tuple[int, ...]) -> bool:
    return len(way) == 1


# --- The bot's mixtures, exactly: every outcome of every draw of chance is followed ---


def bots_mixtures(game: mekuri.Game, found: Choices) -> tuple[Mixture, Mixture]:
    """Return the frequency of each way of a round for the bot, as the bank and as a bettor; the order of cards does not matter."""
    s = start(game)
    rows = dict.fromkeys(found.rows, Fraction())
    for way, share in bots_ways(s, 0):
        rows[way] += share
    play(s, 0, found.rows[0][0])
    columns = dict.fromkeys(map(frozenset, found.columns), Fraction())
    for way, share in bots_ways(s, 1):
        columns[frozenset(way)] += share
    return tuple(rows.values()), tuple(columns.values())


def bots_ways(s: RoundState, seat: int) -> Iterator[tuple[Way, Fraction]]:
    """Every way that the bot may go in a seat, and how likely it is."""
    if not waiting(s) >> seat & 1:
        yield (), Fraction(1)
        return
    for action, share in bots_actions(hidden_state(s, seat), seat).items():
        assert legal(s, seat) >> action & 1
        after = kept(s)
        play(after, seat, action)
        for way, likely in bots_ways(after, seat):
            yield (action, *way), share * likely


class DrawnOut(Exception):
    """A bot asks for one more draw than it has been given: a number below this."""


def bots_actions(h: RoundState, seat: int) -> dict[int, Fraction]:
    """How likely each action is that the bot may choose."""
    found = defaultdict[int, Fraction](Fraction)
    to_try: list[tuple[tuple[int, ...], Fraction]] = [((), Fraction(1))]
    while to_try:
        draws, share = to_try.pop()
        given = iter(draws)

        def below(chance: list[int], n: int, given: Iterator[int] = given) -> int:
            for drawn in given:
                return drawn
            raise DrawnOut(n)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(bots, "below", below)
            patch.setattr(engine_chance, "below", below)
            try:
                found[ask(bots.equilibrium, h, seat, [], [])] += share
            except DrawnOut as more:
                n = more.args[0]
                to_try += [((*draws, drawn), share / n) for drawn in range(n)]
    return found
