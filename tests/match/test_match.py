"""Matches: dealers, ledger, end and winners, whatever the game. The tests of each game's own clauses are in `tests/games`."""

import json
import random
from collections import Counter
from typing import Any

import pytest

import mekuri
from mekuri import MekuriError, OptionError
from mekuri.cards import each
from mekuri.engine.chance import stream
from mekuri.engine.driver import drive, pending, settle
from mekuri.engine.options import all_texts, info, value_text
from mekuri.match.deals import SeedDeals
from mekuri.match.match import Match
from mekuri.testing import records
from mekuri.testing.settings import FEW_SEATS, random_games
from mekuri.testing.states import start
from mekuri.testing.worlds import act, play_out, random_round, steps, values
from tests.helpers.tables import WORDS, each_game, each_played


def play(match: mekuri.Match, seed: int = 0) -> mekuri.Match:
    return records.play(match, random.Random(seed))


class TestLedger:
    @each_played
    def test_ledger_is_the_sum_of_the_rounds(self, game: mekuri.Game) -> None:
        """Loans are up to the game, and in a separate account."""
        match, chance = game.match(seed=1, rounds=4), random.Random(1)
        assert match.ledger == game.contract.match.opening(match.options, game.seats, match.dealer)
        assert match.accounts == {}
        while not match.over:
            before, house = [Counter(accounts) for accounts in match.ledger], Counter(match.accounts)
            play_out(match.round, chance)
            assert list(map(Counter, match.ledger)) == before  # until the round is entered
            for accounts, change in zip(before, match.round.tallies, strict=True):
                accounts.update(change)
            expected = list(map(dict, before))
            game.contract.match.refill(match.options, match.round._state, expected)
            house.update(match.round.accounts)
            match.next_round()
            assert (match.ledger, match.accounts) == (expected, dict(house))
        assert 1 <= len(match.finished) <= 4

    @each_played
    def test_returns_and_accounts_sum_to_zero(self, game: mekuri.Game) -> None:
        if game.id == "sakura":
            pytest.skip("a seat's return is its lead over the best of the others")
        match, chance = game.match(seed=1, rounds=4), random.Random(1)
        while not match.over:
            play_out(match.round, chance)
            assert sum(match.round.returns) + sum(match.round.accounts.values()) == 0
            match.next_round()

    @each_played
    def test_ledger_has_the_same_accounts_for_every_seat(self, game: mekuri.Game) -> None:
        match = play(game.match(seed=2, rounds=2))
        assert len({tuple(accounts) for accounts in match.ledger}) == 1
        assert match.ledger[0]

    @each_played
    def test_round_is_entered_once(self, game: mekuri.Game) -> None:
        match = play(game.match(seed=3, rounds=2))
        ledger, finished = repr(match.ledger), list(match.finished)
        assert match.next_round() is None
        assert match.next_round() is None
        assert (repr(match.ledger), match.finished) == (ledger, finished)


def need_packs(packs: list[list[int]]) -> None:
    """Skip tests about deals if no cards are shuffled."""
    if not packs:
        pytest.skip("no cards are shuffled in this game")


class TestRounds:
    @each_played
    def test_next_dealer_of_a_round_deals(self, game: mekuri.Game) -> None:
        match = play(game.match(seed=4, rounds=6), 4)
        assert [round.dealer for round in match.finished[1:]] == [round.next_dealer for round in match.finished[:-1]]
        assert match.dealer == match.round.dealer == match.finished[-1].dealer
        assert all(0 <= round.next_dealer < game.seats for round in match.finished)

    @each_played
    def test_deals_differ_and_follow_from_the_seed(self, game: mekuri.Game) -> None:
        one, same, other = (play(game.match(seed=seed, rounds=5), 5) for seed in ("x", "x", "y"))
        packs = [round.packs for round in one.finished]
        assert packs == [round.packs for round in same.finished]
        assert one.record() == same.record()
        need_packs(packs[0])
        assert [round.packs for round in other.finished] != packs
        assert len({repr(pack) for pack in packs}) == len(one.finished)

    @each_game
    def test_matches_without_a_seed_differ(self, name: str) -> None:
        matches = [play(mekuri.game(name).match(rounds=1)) for _ in range(5)]
        need_packs(matches[0].round.packs)
        assert len({repr(match.round.packs) for match in matches}) == 5

    @each_game
    def test_play_of_a_round_does_not_change_the_next_deal(self, name: str) -> None:
        """The pack of a round follows from the seed and the number of the round alone, unless cards are dealt again."""
        decks = set()
        for seed in range(6):
            match = mekuri.game(name).match(seed="fixed", rounds=2)
            play_out(match.round, random.Random(seed))
            need_packs(match.round.packs)
            assert match.next_round()
            while not match.round.packs:
                act(match.round, random.Random(seed))
            decks.add(repr(match.round.packs[0]))
        assert len(decks) == 1

    @each_game
    def test_first_dealer_is_drawn_from_the_matchs_own_chance(self, name: str) -> None:
        game = mekuri.game(name)
        drawn = Counter(game.match(seed=seed).dealer for seed in range(400))
        assert set(drawn) == set(range(game.seats))
        assert min(drawn.values()) > 400 / game.seats * 0.75
        for seed in range(20):
            assert game.match(seed=seed).dealer == game.match(seed=seed).dealer == game.match(seed=seed).round.dealer
            # The lot tells nothing of the deal: it is drawn from a stream of its own.
            assert stream(seed, "dealer") != game.match(seed=seed).round._chance

    @each_game
    def test_first_dealer_may_be_named(self, name: str) -> None:
        """Every seat is possible; the record has it and replays with it; later the rules name the dealer."""
        game = mekuri.game(name)
        for seat in range(game.seats):
            match = game.match(seed=5, rounds=2, first_dealer=seat)
            assert (match.first_dealer, match.dealer, match.round.dealer) == (seat, seat, seat)
            assert match.ledger == game.contract.match.opening(match.options, game.seats, seat)
            play_out(match.round, random.Random(5))
            match.enter()
            following = match.round.next_dealer
            again = mekuri.replay(match.record().to_json())
            assert (again.first_dealer, again.finished[0].dealer, again.ledger) == (seat, seat, match.ledger)
            if again.next_round():
                assert again.dealer == following
        lot = game.match(seed=5)
        assert lot.first_dealer is None
        assert "first_dealer" not in lot.record().to_json()

    @each_game
    def test_first_dealer_is_a_seat(self, name: str) -> None:
        game = mekuri.game(name)
        for nobody in (-1, game.seats, "0", 0.0, True, "lot"):
            dealer: Any = nobody
            with pytest.raises(OptionError, match=f"{game.seats} seats, and seat {dealer!r} cannot deal first"):
                game.match(seed=5, first_dealer=dealer)

    @each_game
    def test_next_round_needs_a_finished_round(self, name: str) -> None:
        match = mekuri.game(name).match(seed=6, rounds=2)
        stands = values(match.round._state)
        with pytest.raises(MekuriError, match="not over"):
            match.next_round()
        assert (match.finished, values(match.round._state)) == ([], stands)

    @each_game
    def test_next_round_gives_the_round(self, name: str) -> None:
        match = mekuri.game(name).match(seed=7, rounds=2)
        play_out(match.round, random.Random(7))
        assert match.next_round() is match.round
        play_out(match.round, random.Random(7))
        assert match.next_round() is None


class TestEnd:
    @each_played
    @pytest.mark.parametrize("rounds", [1, 3])
    def test_match_ends_after_its_rounds(self, game: mekuri.Game, rounds: int) -> None:
        """Or earlier, if the accounts end it."""
        match, chance = game.match(seed=8, rounds=rounds), random.Random(8)
        while not match.over:
            number = len(match.finished)
            assert number < rounds
            with pytest.raises(MekuriError, match="not over"):
                _ = match.winners
            play_out(match.round, chance)
            assert not match.over  # until the last round is in the ledger
            match.next_round()
            assert len(match.finished) == number + 1
            assert match.over == game.contract.match.match_over(match.options, number + 1, match.ledger)
        opened = [Counter(accounts) for accounts in game.contract.match.opening(match.options, game.seats, 0)]
        assert not any(game.contract.match.match_over(match.options, fewer, opened) for fewer in range(1, rounds))

    @each_played
    def test_winners_are_the_first_in_the_ranking(self, game: mekuri.Game) -> None:
        for seed in range(3):
            match = play(game.match(seed=seed, rounds=2), seed)
            places = [game.contract.match.ranking(accounts) for accounts in match.ledger]
            assert match.winners == tuple(seat for seat, place in enumerate(places) if place == max(places))
            assert match.winners

    @each_played
    def test_finished_match_does_not_change(self, game: mekuri.Game) -> None:
        match = play(game.match(seed=9, rounds=1))
        record = match.record()
        with pytest.raises(mekuri.IllegalAction):
            match.round.play(int(next(iter(game.contract.words))))
        assert (match.over, match.record()) == (True, record)


class TestOptions:
    @each_game
    def test_options_accept_their_ranges_only(self, name: str) -> None:
        contract = mekuri.game(name).contract
        for option in info(contract.match_options):
            for value in option.values or (*option.offered, option.default, str(option.least), str(option.most)):
                options: Any = {option.name: value}
                assert value_text(getattr(mekuri.game(name).match(seed=1, **options).options, option.name)) == value
            below = next(n for n in (option.least - 1, option.least - 2) if str(n) not in option.older)
            for bad in (below, option.most + 1, "many", "", "1.5", None, 1.5, [1, 2]):
                options = {option.name: bad}
                with pytest.raises(OptionError, match=option.name):
                    mekuri.game(name).match(seed=1, **options)

    @pytest.mark.parametrize(("name", "option", "older", "word"), WORDS)
    def test_number_of_older_records_means_the_word(self, name: str, option: str, older: str, word: str) -> None:
        game = mekuri.game(name)
        chosen = game.match_options({option: word})
        assert game.match_options({option: older}) == game.match_options({option: int(older)}) == chosen
        assert all_texts(chosen)[option] == word
        with pytest.raises(OptionError, match=f"{option} is .* or {word}, not many"):
            game.match_options({option: "many"})
        match = Match(game, chosen, SeedDeals(1))
        play_out(match.round, random.Random(1))
        match.enter()
        record = json.loads(match.record().to_json())
        assert record["match_options"] in ({}, {option: word})
        record["match_options"] = {option: older}
        again = mekuri.replay(json.dumps(record))
        assert (again.options, again.length, again.over) == (match.options, match.length, match.over)
        assert again.record().match_options == match.record().match_options

    @each_game
    def test_offered_values_lie_in_the_range(self, name: str) -> None:
        """Offered numbers lie in the range, and the default is one of them; a word is no number."""
        for option in info(mekuri.game(name).contract.match_options):
            words = set(option.older.values())
            assert option.default in option.offered or not option.offered
            assert words <= set(option.offered)
            assert all(option.least <= int(value) <= option.most for value in {*option.offered} - words)
            assert not any(option.least <= int(number) <= option.most for number in option.older)

    @each_game
    def test_unknown_option_is_refused(self, name: str) -> None:
        with pytest.raises(OptionError, match="did you mean rounds"):
            mekuri.game(name).match(seed=1, round=3)
        with pytest.raises(OptionError, match=f"match of {name} has no option colour: it has .*rounds"):
            mekuri.game(name).match(seed=1, colour="red")

    @each_game
    def test_names_of_players_are_checked(self, name: str) -> None:
        game = mekuri.game(name)
        assert game.match(seed=1).players == tuple(f"Seat {seat}" for seat in range(game.seats))
        names = tuple("abcdefghijklmnop"[: game.seats])
        assert game.match(seed=1, players=names).players == names
        for wrong in (names[1:], (*names, "z"), ("x",) * 17):
            if wrong and len(wrong) != game.seats:
                with pytest.raises(OptionError, match="players"):
                    game.match(seed=1, players=wrong)


class TestLeavingOff:
    @each_played
    def test_leaving_off_ends_the_match_at_once(self, game: mekuri.Game) -> None:
        match, chance = game.match(seed=11, rounds=6), random.Random(11)
        play_out(match.round, chance)
        match.leave_off()
        assert match.over
        assert match.finished == [match.round]
        assert match.winners == match.leading
        assert match.next_round() is None
        assert mekuri.replay(match.record()).ledger == match.ledger

    @each_game
    def test_leaving_off_needs_a_finished_round(self, name: str) -> None:
        match = mekuri.game(name).match(seed=12, rounds=2)
        with pytest.raises(MekuriError, match="not over"):
            match.leave_off()


class TestRoundAsValue:
    @each_played
    def test_copy_is_equal_until_one_is_played(self, game: mekuri.Game) -> None:
        round, chance = game.deal(seed=1), random.Random(1)
        while not round.over:
            other = round.copy()
            assert other == round
            act(other, random.Random(2))
            assert other != round
            again = round.copy()
            act(again, random.Random(2))
            assert again == other  # with the same shuffles and draws
            act(round, chance)

    def test_rounds_of_other_settings_differ(self) -> None:
        position = "phase play; hand 1H / 2H; stock 5H 6H; field 3H"
        assert mekuri.game("koikoi").position(position) == mekuri.game("koikoi").position(position)
        assert mekuri.game("koikoi").position(position) != mekuri.game("koikoi", cup="animal").position(position)
        assert mekuri.game("koikoi").position(position) != position

    def test_information_key_depends_on_what_the_seat_has_seen(self) -> None:
        one, other = (
            mekuri.game("koikoi").position(f"phase play; dealer 0; turn 0; hand 1H 7H / {card}; stock 5H 6H; field 3H")
            for card in ("2H", "4H")
        )
        assert one.information(0) == other.information(0) == one.copy().information(0)
        assert one.information(1) != other.information(1)
        assert one.information(0) != one.information(1)
        one.play("1H")
        other.play("7H")
        assert len({one.information(0), other.information(0), one.information(1)}) == 3

    def test_repr_names_game_and_waiting_seats(self) -> None:
        round = mekuri.game("mushi").deal(seed=1)
        assert repr(round) == f"<Round of mushi: 0 actions, waiting for {round.waiting}>"
        play_out(round, random.Random(1))
        assert repr(round).endswith("actions, over>")

    @each_game
    def test_every_legal_action_is_one_of_the_game(self, name: str) -> None:
        for seed, game in enumerate(random_games(name, 12, FEW_SEATS)):
            for now in steps(random_round(game, seed)):
                assert all({*now.choices(seat)} <= {*game.actions} for seat in range(game.seats))

    @each_played
    def test_choices_are_the_legal_actions_as_numbers(self, game: mekuri.Game) -> None:
        round = game.deal(seed=1)
        for seat in range(game.seats):
            assert [round.action_text(action) for action in round.choices(seat)] == list(round.legal_for(seat))
            assert [action for action in range(63) if round.mask(seat) >> action & 1] == list(round.choices(seat))

    @each_played
    def test_events_as_data_are_the_events_of_the_seat(self, game: mekuri.Game) -> None:
        round, chance = game.deal(seed=1), random.Random(1)
        while not round.over:
            act(round, chance)
            other = round.copy()  # which takes over the events so far
            for now in (round, other):
                for seat in range(game.seats):
                    assert now.happened(seat) == tuple((one.seat, one.action) for one in now.seen(seat).past)


class TestChanceNodes:
    def test_each_order_of_the_pack_deals_another_round(self) -> None:
        game = mekuri.game("mushi")
        s = start(game)
        cards = pending(s)
        assert sorted(cards) == sorted(game.contract.rules.pack(game.options))
        for order in (sorted(cards), sorted(cards, reverse=True)):
            s = start(game)
            settle(s, order)
            assert pending(s) == []
            drive(s, [0, 0, 0, 0])  # draws no chance
            hands = [card for hand in s.hand for card in each(hand)]  # type: ignore[attr-defined]
            assert {*hands} <= {*order[s.stock :]}

    def test_order_of_other_cards_is_refused(self) -> None:
        s = start(mekuri.game("mushi"))
        with pytest.raises(ValueError, match="pending"):
            settle(s, pending(s)[1:])

    def test_nothing_is_pending_while_a_seat_chooses(self) -> None:
        assert pending(mekuri.game("mushi").deal(seed=1).hidden(0)) == []
