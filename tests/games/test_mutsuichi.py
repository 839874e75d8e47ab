"""Mutsu-ichi: invariants of a round, figures of random players, and the worth of a bet."""

import random
from fractions import Fraction
from itertools import combinations, permutations
from typing import Any

import pytest

import mekuri
from mekuri.cards import each
from mekuri.engine.chance import begin_round, below, pick
from mekuri.engine.compiled import count, first
from mekuri.engine.contract import Zone, legal, over, play, returns, undoing, waiting
from mekuri.engine.driver import drive
from mekuri.engine.entry import entry
from mekuri.engine.fields import copy
from mekuri.games.mutsuichi.rules import box, most_bets
from mekuri.games.mutsuichi.state import Ending, MutsuIchiState, Phase
from mekuri.lab import playout
from mekuri.lab.simulate import simulate
from mekuri.testing.settings import random_games
from mekuri.testing.states import start, step
from mekuri.testing.worlds import kept, random_round, steps, values
from tests.helpers.machine_code import counted
from tests.helpers.tables import assert_share

GAME = mekuri.game("mutsuichi")
RULE_BOTS = (*mekuri.bots.OF_RULES, *(bot.id for bot in GAME.contract.bots))
ROUNDS = 400_000
SEATS = (2, 3, 4, 7, 16)
CHIPS_LOST, TOO_MANY_BETS, BANK_OWES, BOX_WRONG, CARDS_LOST, NOT_ALL_PAID, COUNTS = range(7)


@entry
def play_and_count(states: Any, key: Any, chance: Any, rounds: int, counts: Any) -> None:
    """Play random rounds, the seats in any order, and count those in which something is wrong."""
    s = states[1]
    for number in range(rounds):
        begin_round(chance, key, number)
        copy(s, states[0])
        for seat in range(s.seats):
            s.stack[seat] = 1 + below(chance, 60) * (40 if seat == s.dealer else 9)
        while not over(s):
            asked = waiting(s)
            step(s, pick(asked, count(asked), chance), chance)
        total = box(s)
        hits = 0
        for seat in range(s.seats):
            total += returns(s, seat)
            if seat != s.dealer:
                laid = count(s.bet[seat])
                hit = s.bet[seat] >> first(s.cloth) // 4 * 4 & 15
                counts[TOO_MANY_BETS] += laid > s.most_cards or laid * s.bet_size > s.stack[seat]
                counts[CARDS_LOST] += count(s.hand[seat]) + laid != 6 or s.hand[seat] & s.bet[seat] != 0
                if hit:
                    hits += 1
                if hit and s.ending != Ending.BANK_BROKE:
                    counts[NOT_ALL_PAID] += returns(s, seat) * 10 != s.bet_size * (s.payout - 10 * (laid - 1))
        counts[CHIPS_LOST] += total != 0
        counts[BANK_OWES] += s.stack[s.dealer] + returns(s, s.dealer) < 0
        if s.ending != Ending.BANK_BROKE:
            counts[BOX_WRONG] += box(s) * 10 != hits * s.bet_size * (50 - s.payout)


def state(round: mekuri.Round, viewer: int | None = None) -> MutsuIchiState:
    """Return the state of a round, or the hidden state of a viewer."""
    s = round._state if viewer is None else round.hidden(viewer)
    assert isinstance(s, MutsuIchiState)
    return s


class TestEveryRound:
    @pytest.mark.machine_code
    def test_random_options_keep_the_invariants(self) -> None:
        """With any number of seats, and with stacks of which many do not last."""
        for seed, game in enumerate(random_games("mutsuichi", 60)):
            assert counted(play_and_count, game, COUNTS, 2000, seed) == [0] * COUNTS, game

    @pytest.mark.parametrize("seats", SEATS)
    def test_each_seat_has_six_cards(self, seats: int) -> None:
        s: Any = start(mekuri.game("mutsuichi", seats=seats), seats - 1)
        for seat in range(seats):
            assert [card // 4 + 1 for card in each(s.hand[seat])] == [1, 2, 3, 4, 5, 6]
            assert {card % 4 for card in each(s.hand[seat])} == {seat % 4}
        assert s.stack == [500] * (seats - 1) + [2000] + [0] * (16 - seats)

    def test_random_bets_match_the_computed_shares(self) -> None:
        """A random player bets on 0 to 4 cards in 1, 1, 1, 1 and 3 of 7 rounds, and so is right in 3 of 7."""
        counts = simulate(GAME, ROUNDS, seed=5).counts
        endings = counts[playout.ENDINGS : playout.ENDINGS + len(Ending)]
        assert_share(endings[Ending.NO_BETS], ROUNDS, (1 / 7) ** 3)
        assert_share(endings[Ending.PAID], ROUNDS, 1 - (4 / 7) ** 3)
        assert endings[Ending.BANK_BROKE] == 0
        assert sum(endings) == ROUNDS


class TestWorth:
    """The average gain of a chip bet if every number is equally likely."""

    @pytest.mark.parametrize(("payout", "worth"), [("five", (0, 1)), ("four-six", (-1, 15)), ("four-five", (-1, 12))])
    @pytest.mark.parametrize("size", [10, 20, 50, 100])
    def test_bet_is_worth_the_exact_average(self, payout: str, worth: tuple[int, int], size: int) -> None:
        game = mekuri.game("mutsuichi", seats=2, payout=payout, bet_size=size, most_cards=5)
        for laid in range(1, 6):
            for numbers in combinations(range(1, 7), laid):
                ends = [end(game, number, numbers) for number in range(1, 7)]
                assert Fraction(sum(ends), 6 * laid * size) == Fraction(*worth)
                assert len(set(ends)) == 2

    def test_bet_on_six_cards_at_five_wins_nothing(self) -> None:
        """Nothing can happen."""
        game = mekuri.game("mutsuichi", seats=2, most_cards=6)
        assert [end(game, number, (1, 2, 3, 4, 5, 6)) for number in range(1, 7)] == [0] * 6

    def test_more_cards_change_the_variance_only(self) -> None:
        """The mean square of what a bet of k cards wins is k(6 - k) times a bet squared."""
        game = mekuri.game("mutsuichi", seats=2, most_cards=6)
        for laid in range(7):
            ends = [end(game, number, tuple(range(1, laid + 1))) for number in range(1, 7)]
            assert Fraction(sum(win * win for win in ends), 6) == 100 * laid * (6 - laid)


def end(game: mekuri.Game, number: int, numbers: tuple[int, ...]) -> int:
    """Return the gain of a bettor on these numbers if the bank has chosen that one."""
    round = game.deal(seed=0)
    round.play(f"{number}H")
    for laid in numbers:
        round.play(f"{laid}I")
    round.play("done")
    assert round.over
    return round.returns[1]


class TestBets:
    def test_bets_commute(self) -> None:
        """The order of the bettors does not change the result."""
        chance = random.Random(0)
        for seed in range(10):
            s = start(mekuri.game("mutsuichi", payout="four-six"), seed % 4)
            play(s, seed % 4, first(legal(s, seed % 4)))
            plans = {}
            for seat in each(waiting(s)):
                own = list(each(legal(s, seat)))[:6]
                plans[seat] = [*chance.sample(own, chance.randint(0, 2)), 49]
            ends = []
            for order in set(permutations([seat for seat, plan in plans.items() for _ in plan])):
                now, left = kept(s), {seat: list(plan) for seat, plan in plans.items()}
                for seat in order:
                    play(now, seat, left[seat].pop(0))
                while not over(now):
                    drive(now, [])
                ends.append(values(now))
            assert all(other == ends[0] for other in ends)

    def test_order_of_laid_cards_is_forgotten(self) -> None:
        one, other = (GAME.position("phase bet; cloth 3H") for _ in range(2))
        for round, laid in ((one, ("1I", "5I")), (other, ("5I", "1I"))):
            for card in laid:
                round.play(card, 1)
        assert values(one._state) == values(other._state)

    def test_bets_are_limited_by_the_option(self) -> None:
        for most in range(1, 7):
            round = mekuri.game("mutsuichi", most_cards=most).position("phase bet; cloth 3H")
            for number in range(1, most + 1):
                assert "done" in round.legal_for(1)
                round.play(f"{number}I", 1)
            assert round.legal_for(1) == (*(f"{number}I" for number in range(1, most + 1)), "done")  # all of these lie there

    def test_bets_are_limited_by_chips(self) -> None:
        round = GAME.position("phase bet; cloth 3H; stack 2000 / 29 / 9 / 40")
        assert [most_bets(state(round), seat) for seat in (1, 2, 3)] == [2, 0, 4]
        assert round.legal_for(2) == ("done",)
        round.play("1I", 1)
        round.play("2I", 1)
        assert round.legal_for(1) == ("1I", "2I", "done")  # to take back, and nothing more to lay

    def test_least_number_of_bets_is_required(self) -> None:
        game = mekuri.game("mutsuichi", least_cards=1)
        round = game.position("phase bet; cloth 3H; stack 2000 / 500 / 9 / 500")
        assert "done" not in round.legal_for(1)
        round.play("1I", 1)
        assert "done" in round.legal_for(1)
        assert round.legal_for(2) == ("done",)  # who has nothing to bet may sit out

    def test_bank_does_not_bet(self) -> None:
        round = GAME.position("phase bet; cloth 3H")
        assert round.waiting == (1, 2, 3)
        assert round.legal_for(0) == ()


@pytest.mark.clause("mutsuichi.bet.take-back")
class TestTakingBack:
    def test_taken_back_card_leaves_no_trace(self) -> None:
        """But for how often it may still be done, and not even that once the bettor is done."""
        one, other = (GAME.position("phase bet; cloth 3H") for _ in range(2))
        for action in ("1I", "4I", "1I", "6I"):
            one.play(action, 1)
        for action in ("4I", "6I"):
            other.play(action, 1)
        assert values(one._state) | {"taken_back": 0} == values(other._state) | {"taken_back": 0}
        for round in (one, other):
            round.play("done", 1)
        assert values(one._state) == values(other._state)

    def test_taking_back_has_its_own_words(self) -> None:
        round = GAME.position("phase bet; cloth 3H; bet - / 5I")
        texts = {choice.action: choice.text.id for choice in round.view(1).legal}
        assert texts.pop("5I") == "words.take-back"
        assert set(texts.values()) == {"card", "words.done"}
        round.play("5I", 1)
        assert (round.events(1)[-1].text.id, round.events(1)[-1].action) == ("events.take-back", "5I")

    def test_prompts_follow_the_laid_cards(self) -> None:
        for laid, prompt in (("-", "bet"), ("5I", "bet-more"), ("1I 2I 3I 4I", "full")):
            assert GAME.position(f"phase bet; cloth 3H; bet - / {laid}").view(1).prompt.id == f"prompts.{prompt}"  # type: ignore[union-attr]
        no_more = GAME.position("phase bet; cloth 3H; bet - / 1I 2I 3I 4I; taken_back 0 / 20")
        assert no_more.view(1).prompt.id == "prompts.done"  # type: ignore[union-attr]

    @pytest.mark.parametrize("shown", [False, True])
    def test_round_ends_with_bettors_who_never_finish(self, shown: bool) -> None:
        """Even with bettors who never finish and do anything else as long as they can."""
        game = mekuri.game("mutsuichi", bets_shown=shown, seats=3)
        for seed in range(10):
            chance, round = random.Random(seed), game.deal(seed=seed)
            while not round.over:
                seat = chance.choice(round.waiting)
                others = [action for action in round.legal_for(seat) if action != "done"]
                round.play(chance.choice(others or ["done"]), seat)
            assert len(round.actions) <= 1 + 2 * (2 * 20 + 4 + 1)

    def test_bots_never_take_back(self) -> None:
        for seed, game in enumerate(random_games("mutsuichi", 30, 7)):
            for name in RULE_BOTS:
                player, round = mekuri.bots.bot(name, seed, game.contract), game.deal(seed=seed)
                while not round.over:
                    seat = round.waiting[-1]
                    action = player.choose(round.hidden(seat), seat)
                    assert not undoing(round._state, seat) >> action & 1
                    round.play(action, seat)

    def test_bot_taking_over_finishes_the_bet(self) -> None:
        """The number of laid cards does not matter."""
        for laid in ("1I", "1I 2I 3I 4I"):
            for name in RULE_BOTS:
                round = GAME.position(f"phase bet; cloth 3H; done 12; bet - / {laid}")
                player = mekuri.bots.bot(name, 1, GAME.contract)
                while not round.over:
                    round.play(player.choose(round.hidden(1), 1), 1)
                assert len(round.actions) <= 4


class TestPayments:
    def test_payments_follow_the_order_of_the_rules(self) -> None:
        """Cloth, lost bets, then the winners from the seat after the bank's."""
        round = GAME.position("phase bet; dealer 1; cloth 3I; bet 3H 4H / - / 2O 3O / 3K; done 5")
        before = len(round.history)
        round.play("done", 3)
        assert [round.action_text(action) for _, action in round.history[before + 1 :]] == [
            "showdown",
            "collect",
            "pay",
            "pay",
            "pay",
        ]
        paid = [event.text for event in round.events() if event.text.id == "events.pay"]
        assert [text.args["seat"] for text in paid] == [2, 3, 0]
        assert round.returns == (40, -130, 40, 50)
        assert round.ending == "paid"

    def test_empty_steps_of_the_showdown_are_skipped(self) -> None:
        for bets, words in (("-", ["showdown"]), ("1I", ["showdown", "collect"]), ("3I", ["showdown", "pay"])):
            round = GAME.position(f"phase showdown; cloth 3H; bet - / {bets}")
            assert [round.action_text(action) for _, action in round.history] == words

    @pytest.mark.clause("mutsuichi.pay.terazen")
    @pytest.mark.parametrize(("payout", "won", "rest"), [("five", 50, 0), ("four-six", 46, 4), ("four-five", 45, 5)])
    def test_box_gets_the_rest(self, payout: str, won: int, rest: int) -> None:
        round = mekuri.game("mutsuichi", payout=payout).position("phase showdown; cloth 3H; bet - / 3I / 3O / 4K")
        assert round.returns == (-90, won, won, -10)
        assert round.accounts == ({"box": 2 * rest} if rest else {})

    def test_score_sheet_adds_up(self) -> None:
        for seed, game in enumerate(random_games("mutsuichi", 30)):
            round = game.deal(seed=seed, dealer=seed % game.seats)
            chance = random.Random(seed)
            while not round.over:
                seat = chance.choice(round.waiting)
                round.play(chance.choice(round.legal_for(seat)), seat)
            for seat in range(game.seats):
                assert sum(line.points for line in round.score_sheet().lines if line.seat == seat) == round.returns[seat]


@pytest.mark.clause("mutsuichi.pay.bank-broke")
class TestBankBroke:
    def test_broke_bank_pays_as_far_as_its_chips(self) -> None:
        round = GAME.position("phase showdown; dealer 2; cloth 3O; stack 500 / 500 / 60 / 500; bet 3H / 3I 4I / - / 1K")
        # With the two lost bets the bank has 80 chips. Seat 3 has lost; seat 0 is paid in full, and seat 1 gets what is left.
        assert round.returns == (50, 20, -60, -10)
        assert round.ending == "bank-broke"
        assert round.events()[-1].text.id == "events.pay-short"

    def test_last_bettor_gets_nothing_from_a_broke_bank(self) -> None:
        round = GAME.position("phase showdown; cloth 3H; stack 50 / 500 / 500 / 500; bet - / 3I / 3O / 3K")
        assert round.returns == (-50, 50, 0, 0)
        assert round.ending == "bank-broke"

    def test_box_is_paid_after_the_bettor(self) -> None:
        game = mekuri.game("mutsuichi", payout="four-five")
        for chips, won, rest in ((50, 45, 5), (48, 45, 3), (45, 45, 0), (44, 44, 0)):
            round = game.position(f"phase showdown; cloth 3H; stack {chips} / 500 / 500 / 500; bet - / 3I")
            assert round.returns == (-chips, won, 0, 0)
            assert round.accounts == {"box": rest}

    def test_bank_with_one_chip_left_is_not_broke(self) -> None:
        round = GAME.position("phase showdown; cloth 3H; stack 51 / 500 / 500 / 500; bet - / 3I")
        assert (round.returns[0], round.ending) == (-50, "paid")


class TestVisibility:
    def test_bets_are_hidden_before_the_showdown(self) -> None:
        """The bank sees its card, every bettor its own cards, and no seat the number of another's cards."""
        round = GAME.position("phase bet; dealer 3; cloth 2K; bet 1H 4H / 5I; done 1")
        for viewer in (0, 1, 2, 3, None):
            zones = {zone.id: zone for zone in round.view(viewer).zones}
            assert (zones["cloth"].layout, zones["cloth"].cards) == ("cloth", (7,) if viewer == 3 else (None,))
            for seat in (0, 1, 2):
                laid = each(state(round).bet[seat])
                if seat == viewer:
                    assert (zones[f"bet-{seat}"].cards, zones[f"bet-{seat}"].stake) == (laid, 10 * len(laid))
                    assert zones[f"hand-{seat}"].count == 6 - len(laid)
                else:
                    assert zones[f"bet-{seat}"] == Zone(f"bet-{seat}", seat, "bet", "row", (), hidden=True)
                    assert zones[f"bet-{seat}"].count is None
                    assert zones[f"cards-{seat}"].cards == (None,) * 6  # in the hand or laid
                    assert f"hand-{seat}" not in zones
            assert zones["hand-3"].count == 5
            assert "bet-3" not in zones

    def test_shown_counts_are_true(self) -> None:
        """A shown count is true for every viewer at every step, and an unshown one is marked as hidden."""
        for seed, game in enumerate(random_games("mutsuichi", 12, 7)):
            for now in steps(random_round(game, seed)):
                s = state(now)
                for viewer in (*range(game.seats), None):
                    view = now.view(viewer)
                    for zone in view.zones:
                        if zone.id.startswith("bet-"):
                            laid = count(s.bet[zone.owner or 0])
                            assert zone.count in (None, laid)
                            assert zone.hidden or s.phase > Phase.COLLECT or zone.stake == laid * s.bet_size
                        elif zone.id.startswith("hand-"):
                            assert zone.count == count(s.hand[zone.owner or 0])
                    hidden = [zone for zone in view.zones if zone.hidden]
                    assert str(view).count("hidden") == len(hidden)

    def test_cloth_is_removed_at_the_showdown(self) -> None:
        """Until then it lies in the middle, at first with nothing under it; then the card lies there."""
        round = GAME.deal(seed=1)
        for done, layout, cards in (
            ((), "cloth", ()),
            (((0, "3H"),), "cloth", (None,)),
            (((1, "done"), (2, "done")), "cloth", (None,)),
        ):
            for seat, action in done:
                round.play(action, seat)
            cloth = round.view().zones[2]
            assert (cloth.id, cloth.layout, cloth.cards) == ("cloth", layout, cards)
        assert "1 covered" in str(round.view())
        round.play("done", 3)
        assert (round.view().zones[2].layout, round.view().zones[2].cards) == ("row", (8,))

    def test_everything_is_open_after_the_showdown(self) -> None:
        round = GAME.position("phase showdown; dealer 3; cloth 2K; bet 1H 4H / 5I")
        for viewer in (0, 1, 2, 3, None):
            assert values(round.hidden(viewer)) == values(round._state) | {"pack": ()}

    def test_laid_card_is_no_event_for_others(self) -> None:
        round = GAME.position("phase bet; cloth 3H")
        versions = {viewer: round.version(viewer) for viewer in (0, 1, 2, 3, None)}
        round.play("4I", 1)
        assert {viewer for viewer, version in versions.items() if round.version(viewer) > version} == {1}
        round.play("done", 1)
        assert {viewer for viewer, version in versions.items() if round.version(viewer) > version} == {0, 1, 2, 3, None}
        assert (round.events(2)[-1].action, round.events(2)[-1].text.id) == (None, "events.done")

    def test_choice_of_the_bank_is_an_event_without_a_card(self) -> None:
        round = GAME.deal(seed=1)
        round.play("4H")
        for viewer in (1, None):
            assert (round.events(viewer)[-1].action, dict(round.events(viewer)[-1].text.args)) == (None, {"seat": 0})
        assert round.events(0)[-1].action == "4H"
        assert state(round, 1).cloth == 0
        assert state(round).phase == Phase.BET
