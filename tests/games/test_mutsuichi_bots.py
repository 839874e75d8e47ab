"""Mutsu-ichi's own bots: one learns habits and gains from them, and neither loses to players without habits."""

import random
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations, product
from typing import Any

import pytest

import mekuri
from mekuri.bots import bot
from mekuri.engine.bot import Bot, ask
from mekuri.engine.chance import stream
from mekuri.engine.compiled import first
from mekuri.engine.contract import legal, play, waiting
from mekuri.engine.driver import see
from mekuri.engine.entry import entry
from mekuri.engine.executor import MACHINE_CODE
from mekuri.games.mutsuichi import bots
from mekuri.games.mutsuichi.bots import WHOLE, likelihood
from mekuri.games.mutsuichi.state import HISTORY, MutsuIchiState
from mekuri.testing.settings import random_games
from mekuri.testing.states import int64s, records, start
from mekuri.testing.worlds import act, kept, seen

GAME = mekuri.game("mutsuichi", seats=2)
OWN = GAME.contract.bots
each_own = pytest.mark.parametrize("own", OWN, ids=[own.id for own in OWN])
# The round and the number before it -> the numbers that a player with a habit chooses or bets on
Habit = Callable[[int, int], tuple[int, ...]]


def played(habit: Habit, dealer: int, payout: str = "five", rounds: int = 60, name: str = "habits") -> list[int]:
    """Return the gains of the bot in seat 0 in each round against a player with a habit. The bank never passes on."""
    game = mekuri.game("mutsuichi", seats=2, payout=payout)
    seed = next(seed for seed in range(100) if game.match(seed=seed).dealer == dealer)
    match, player = game.match(seed=seed, rounds=rounds, bank_rounds="all"), bot(name, seed=1, contract=game.contract)
    won, last = [], 1
    while not match.over:
        round, number = match.round, len(match.finished)
        while not round.over:
            if 0 in round.waiting:
                round.play(player.choose(round.hidden(0), 0), 0)
            elif dealer == 1:
                round.play(f"{habit(number, last)[0]}I", 1)
            else:
                for laid in habit(number, last):
                    if f"{laid}I" in round.legal_for(1):
                        round.play(f"{laid}I", 1)
                round.play("done", 1)
        won.append(round.returns[0])
        last = first(round._state.cloth) // 4 + 1  # type: ignore[attr-defined]
        match.next_round()
    return won


class TestAgainstHabits:
    @pytest.mark.parametrize("payout", ["five", "four-six", "four-five"])
    @pytest.mark.parametrize(
        "habit",
        [
            lambda number, last: (number % 6 + 1,),
            lambda number, last: (6 - number % 6,),
            lambda number, last: ((1, 4, 2)[number % 3],),
            lambda number, last: (5,),
            lambda number, last: ((2, 2, 3, 6)[number % 4],),
        ],
        ids=["up", "down", "three", "same", "twice"],
    )
    def test_cyclic_bank_is_predicted(self, habit: Habit, payout: str) -> None:
        """Once it has come round twice, every bet is right."""
        won = played(habit, 1, payout)
        assert all(chips > 0 for chips in won[14:])
        assert sum(won) > 0

    def test_overdue_bot_expects_the_overdue_number(self) -> None:
        """As bettor and as bank; an opponent who knows the bot can predict it."""
        bettor = played(lambda number, last: (number % 6 + 1,), 1, name="overdue")
        assert all(chips > 0 for chips in bettor[6:]), "the number that has not come for longest is the next"
        assert sum(played(lambda number, last: (last,), 1, name="overdue")) < 0
        bank = played(lambda number, last: (number % 6 + 1,), 0, name="overdue")
        assert len(set(map(tuple, zip(*[iter(bank[6:])] * 6, strict=True)))) == 1, "its numbers come round and round"

    def test_favourite_number_of_a_bank_is_exploited(self) -> None:
        """Four of ten times the same number, and else any."""
        chance = random.Random(1)
        numbers = [3 if chance.random() < 0.3 else chance.randint(1, 6) for _ in range(2000)]
        assert sum(played(lambda number, last: (numbers[number],), 1, rounds=240)) > 0

    @pytest.mark.parametrize(
        "habit",
        [
            lambda number, last: (1, 2, 3, 4),
            lambda number, last: (6,),
            lambda number, last: (last,),
            lambda number, last: (last % 6 + 1, (last + 1) % 6 + 1),
        ],
        ids=["low", "six", "last", "next"],
    )
    def test_repeated_bets_are_exploited(self, habit: Habit) -> None:
        """Soon the bank chooses none of the numbers that they bet on."""
        won = played(habit, 0)
        assert all(chips > 0 for chips in won[30:])
        assert sum(won) > 0


class TestPrediction:
    def test_prediction_matches_an_example_by_hand(self) -> None:
        """The numbers were 1 2 1 2 1. Once 2 came after 2 1: a half for 2, and a half for what may come else.

        Of that half, 2 has 2 of 3, for it came twice after 1 and nothing else did. Of the sixth that is left, 1 and 2 have 3 and
        2 of 7, as they came three times and twice, and all six numbers share the other 2 of 7, for the two that have come at all.
        """
        s = start(GAME)
        assert isinstance(s, MutsuIchiState)
        s.past_number[:5] = [1, 2, 1, 2, 1]
        sixth = Fraction(1, 6)
        expected = {1: sixth * Fraction(3, 7), 2: 1 - sixth + sixth * Fraction(2, 7)}
        for number in range(1, 7):
            share = expected.get(number, 0) + sixth * Fraction(2, 7) / 6
            assert abs(Fraction(likelihood(s, number, False), WHOLE) - share) < Fraction(1, 1_000_000)

    def test_prediction_matches_the_published_formula(self) -> None:
        """The same in fractions, from lists of what followed what."""
        for s in histories():
            own = [i for i in range(HISTORY) if s.past_number[i] and s.past_dealer[i] == s.dealer][::-1]
            numbers = [s.past_number[i] for i in own]
            rows = [s.past_bets[i * 6 : i * 6 + 6] for i in own]
            came = [[int(number == n) for n in range(1, 7)] for number in numbers]
            for followed, of_bets in ((came, False), (rows, True)):
                shares = partial_matching(numbers, followed)
                assert sum(shares) == 1
                for number, share in enumerate(shares, 1):
                    assert abs(Fraction(likelihood(s, number, of_bets), WHOLE) - share) < Fraction(1, 1_000_000)


def partial_matching(numbers: list[int], followed: list[list[int]]) -> list[Fraction]:
    """Return the probability of each of six symbols; `followed` counts how often each came with each number so far."""
    shares = [Fraction(1, 6)] * 6
    for length in range(3):  # from no context to the longest
        alike = [i for i in range(length, len(numbers)) if numbers[i - length : i] == numbers[len(numbers) - length :]]
        times = [sum(followed[i][symbol] for i in alike) for symbol in range(6)]
        kinds = sum(n > 0 for n in times)
        if kinds and len(numbers) >= length:
            shares = [(n + kinds * share) / (sum(times) + kinds) for n, share in zip(times, shares, strict=True)]
    return shares


class TestAgainstChance:
    """If all numbers are equally likely, nothing can be gained; and at five nothing is lost."""

    @pytest.mark.parametrize("name", ["equilibrium", "habits"])
    def test_bettor_wins_zero_against_chance(self, name: str) -> None:
        """Whatever it bets: over the six numbers that the bank may have chosen it wins exactly nothing."""
        for s in histories():
            laid = bets(s, name)
            assert sum(wins(number, laid) for number in range(1, 7)) == 0
            assert 1 <= len(laid) <= 4

    @pytest.mark.parametrize("name", ["equilibrium", "habits"])
    def test_bank_wins_zero_against_chance(self, name: str) -> None:
        """Whatever it chooses: over all bets of so many cards it wins exactly nothing."""
        for s in histories():
            action = bot(name, seed=2, contract=GAME.contract).choose(seen(s, 0), 0)
            assert legal(s, 0) >> action & 1
            assert sum(wins(action // 4 + 1, pair) for pair in product(range(1, 7), repeat=2) if pair[0] < pair[1]) == 0

    def test_equilibrium_does_not_play_for_money(self) -> None:
        for payout in ("four-six", "four-five"):
            assert set(played(lambda number, last: (number % 6 + 1,), 1, payout, 12, "equilibrium")) == {0}


class TestTakenOverBets:
    """Bets that a player had laid before a bot took over."""

    @pytest.mark.parametrize("laid", range(1, 5))
    @pytest.mark.parametrize(("payout", "chips"), [("four-six", 2000), ("five", 40)])
    def test_equilibrium_lays_no_more_than_it_wants(self, payout: str, chips: int, laid: int) -> None:
        game = mekuri.game("mutsuichi", seats=2, payout=payout)
        cards = " ".join(f"{number}I" for number in range(1, laid + 1))
        h = game.position(f"phase bet; cloth 3H; stack {chips} / 500; bet - / {cards}").hidden(1)
        assert {ask(bots.equilibrium, h, 1, stream(seed), []) for seed in range(10)} == {bots.DONE}

    @each_own
    def test_bots_choose_legal_actions(self, own: Bot) -> None:
        """Before the usual bots even look: compiled rounds ask them at once."""
        for seed, game in enumerate(random_games("mutsuichi", 60, 7)):
            chance, bits = random.Random(seed), stream(seed)
            round = game.deal(seed=seed, dealer=seed % game.seats)
            while not round.over:
                seat = chance.choice(round.waiting)
                assert legal(round._state, seat) >> ask(own, round.hidden(seat), seat, bits, []) & 1
                act(round, chance, seat)


class TestShortBank:
    """Not all bets may then be paid in full: those of the bettors that come first are."""

    @pytest.mark.parametrize("chips", [30, 50, 90, 100])
    def test_equilibrium_bets_cost_nothing_against_a_short_bank(self, chips: int) -> None:
        """Over the six numbers no bet gains, for any bet of the other; bets listed as free cost nothing."""
        game = mekuri.game("mutsuichi", seats=3, most_cards=2)
        sure = [seat for seat in (1, 2) if chips >= 50 * seat]
        sets = [numbers for size in (0, 1, 2) for numbers in combinations(range(1, 7), size)]
        for one, other in random.Random(chips).sample(list(product(sets, sets)), 60):
            bets = " / ".join(" ".join(f"{n}{suit}" for n in laid) or "-" for laid, suit in ((one, "I"), (other, "O")))
            stacks = f"stack {chips} / 500 / 500; bet - / {bets}"
            ends = [game.position(f"phase showdown; cloth {number}H; {stacks}").returns for number in range(1, 7)]
            for seat in (1, 2):
                total = sum(end[seat] for end in ends)
                assert total == 0 if seat in sure else total <= 0

    @pytest.mark.parametrize(("chips", "betting"), [(49, []), (50, [1]), (99, [1]), (149, [1, 2]), (150, [1, 2, 3])])
    @pytest.mark.parametrize("dealer", [0, 2])
    def test_bettor_who_may_not_be_paid_sits_out(self, chips: int, betting: list[int], dealer: int) -> None:
        stacks = " / ".join(str(chips if seat == dealer else 500) for seat in range(4))
        round = mekuri.game("mutsuichi").position(f"phase bet; dealer {dealer}; cloth 3{'HIOK'[dealer]}; stack {stacks}")
        for own in (bots.equilibrium, bots.habits):
            for place in (1, 2, 3):
                seat = (dealer + place) % 4
                assert (ask(own, round.hidden(seat), seat, stream(1), []) != bots.DONE) == (place in betting)


@entry
def advise_all(states: Any, hidden: Any, n: int, bot: Any, chance: Any, actions: Any) -> None:
    """Return the actions of a bot as the bank in each of n rounds, and then as a bettor."""
    for i in range(n):
        see(states[i], 0, hidden[i])
        actions[2 * i] = ask(bot, hidden[i], 0, chance, states)
        play(states[i], 0, actions[2 * i])
        see(states[i], 1, hidden[i])
        actions[2 * i + 1] = ask(bot, hidden[i], 1, chance, states)


@pytest.mark.machine_code
@each_own
def test_bots_agree_plain_and_compiled(own: Bot) -> None:
    states: list[Any] = [*histories(), *histories()]
    for s in states[len(states) // 2 :]:
        s.payout = 45
    n = len(states)
    array, hidden, compiled = records(GAME, n), records(GAME, n), int64s(*[0] * 2 * n)
    for place, s in enumerate(states):
        MACHINE_CODE.write(array, place, s)
    advise_all.compiled(array, hidden, n, MACHINE_CODE.bot(own), int64s(*stream(4)), compiled)
    plain = [0] * 2 * n
    advise_all(states, [type(states[0])() for _ in states], n, own, stream(4), plain)
    assert compiled.tolist() == plain
    assert len(set(plain)) > 4


def wins(number: int, laid: tuple[int, ...]) -> int:
    """Return the gain of a bettor at five."""
    return 10 * (5 - (len(laid) - 1) if number in laid else -len(laid))


def histories() -> list[MutsuIchiState]:
    """Rounds at their start, after numbers and bets of all sorts."""
    found = []
    for seed in range(20):
        chance = random.Random(seed)
        s = start(GAME)
        assert isinstance(s, MutsuIchiState)
        for i in range(chance.choice((0, 1, 5, 30, HISTORY))):
            s.past_number[i], s.past_dealer[i] = chance.randint(1, chance.choice((2, 6))), chance.randint(0, 1)
            for number in range(6):
                s.past_bets[i * 6 + number] = chance.randint(0, 1)
        found.append(s)
    return found


def bets(s: MutsuIchiState, name: str) -> tuple[int, ...]:
    """The numbers that a bot bets on."""
    now, player, laid = kept(s), bot(name, seed=3, contract=GAME.contract), []
    play(now, 0, 0)
    while waiting(now) == 2:
        action = player.choose(seen(now, 1), 1)
        play(now, 1, action)
        if action < 48:
            laid.append(action // 4 + 1)
    return tuple(laid)
