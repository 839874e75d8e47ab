"""Mekuri: its points against a plain second reading of the rules, figures of random and greedy play, and sitting out."""

from collections.abc import Callable
from random import Random
from statistics import pstdev
from typing import Any

import pytest

import mekuri
from mekuri import bots
from mekuri.cards import ALL, each, parse_cards
from mekuri.engine.chance import stream
from mekuri.engine.fields import RoundState
from mekuri.engine.position import parse_position
from mekuri.games.mekuri.scoring import CHAFF, VALUES, card_points, winner
from mekuri.games.mekuri.state import MekuriState, Phase
from mekuri.lab.simulate import simulate
from mekuri.testing.leaks import twins_throughout
from mekuri.testing.records import play
from mekuri.testing.redeals import equally_often, late
from mekuri.testing.states import start
from mekuri.testing.worlds import likelihood, play_out, random_round, redealt, seen, steps
from tests.helpers.tables import assert_share, with_options

CLUBS = {1: 50, 2: 50, 3: 50, 4: 50, 5: 50, 6: 60, 7: 20, 8: 20, 9: 50, 10: 50, 11: 50, 12: 50}
EDO = {
    "danjuro": "1H 2H 10H",
    "ebizo": "1H 2I 10H",
    "nakazo": "7H 8H 9H",
    "akazo": "7I 8I 9I",
    "shimosan": "1H 2H 3H",
    "kamisan": "10H 11H 12H",
}
ROWS = {(suit, low): f"{low}{suit} {low + 1}{suit} {low + 2}{suit}" for suit in "HI" for low in (1, 4, 7, 10)}
JUDAN = {("H", 1): 1, ("H", 4): 1, ("H", 7): 5, ("H", 10): 5, ("I", 1): 2, ("I", 4): 2, ("I", 7): 10, ("I", 10): 10}
FOUR = mekuri.game("mekuri", seats=4)


def points(card: int) -> int:
    """The points of a card: the brief's table, read a second time."""
    number, suit = card // 4 + 1, card % 4
    if suit == 0:
        return CLUBS[number]
    return 10 if suit == 1 else 50 if (number, suit) == (2, 2) else 0


def yaku_paid(captured: int, yaku_set: str, value: int) -> int:
    """What each other player pays for the yaku of captured cards."""
    if yaku_set == "edo":
        return value * sum(parse_cards(cards) & ~captured == 0 for cards in EDO.values())
    worth = {row: JUDAN[row] if yaku_set == "judan" else value * (3 if row[1] == 10 else 2) // 2 for row in ROWS}
    return sum(worth[row] for row, cards in ROWS.items() if parse_cards(cards) & ~captured == 0)


def shared_out(seats: int, random: Random) -> list[int]:
    """The whole pack, shared out among the seats at random."""
    captured = [0] * seats
    for card in range(48):
        captured[random.randrange(seats)] |= 1 << card
    return captured


@pytest.mark.parametrize("yaku_set", ["edo", "blomhoff", "judan"])
@pytest.mark.parametrize("par", ["equal", "by-turn"])
def test_returns_agree_with_a_second_reading(yaku_set: str, par: str) -> None:
    random = Random(yaku_set + par)
    for _ in range(300):
        value, dealer = random.choice([50, 100, 150]), random.randrange(3)
        game = with_options("mekuri", {"yaku_set": yaku_set, "par": par, "yaku_value": value})
        s: Any = game.position(f"phase over; dealer {dealer}")._state
        s.captured[:3] = shared_out(3, random)
        paid = [yaku_paid(s.captured[seat], yaku_set, value) for seat in range(3)]
        pars = [240 if par == "equal" else 222 + 18 * ((seat - dealer) % 3) for seat in range(3)]
        expected = [sum(map(points, each(s.captured[seat]))) - pars[seat] + 3 * paid[seat] - sum(paid) for seat in range(3)]
        assert [game.contract.rules.returns(s, seat) for seat in range(3)] == expected
        assert sum(expected) == 0
        assert winner(s) == min(
            (seat for seat in range(3) if expected[seat] == max(expected)), key=lambda seat: (seat - dealer) % 3
        )


def test_pack_holds_720_points() -> None:
    assert [points(card) for card in range(48)] == [*VALUES[0]]
    assert (sum(VALUES[0]), CHAFF.bit_count()) == (720, 23)
    assert sorted(VALUES[0]) == [0] * 23 + [10] * 12 + [20] * 2 + [50] * 10 + [60]
    assert sum(VALUES[1]) == 89


@pytest.mark.parametrize(("seats", "turns"), [(2, 20), (3, 21), (4, 21)])
def test_every_card_is_captured(seats: int, turns: int) -> None:
    game = mekuri.game("mekuri", seats=seats)
    for seed in range(60):
        s: Any = random_round(game, seed)._finished()
        assert (s.field, s.stock, s.turns, sum(s.captured)) == (0, 0, turns, ALL)
        assert sum(card_points(s, cards) for cards in s.captured) == 720
        assert sum(game.contract.rules.returns(s, seat) for seat in range(seats)) == 0


def test_greedy_players_make_a_yaku_in_two_rounds_of_five() -> None:
    """Another program's simulation: each yaku in 9.0 to 9.6 % of rounds, and the later a player the better."""
    found = simulate(mekuri.game("mekuri"), rounds=20_000, bot="greedy", seed=1).to_dict()
    for name in EDO:
        assert_share(found["yaku"][name]["rounds"], 20_000, 0.0945)
    assert found["returns"]["mean"] == pytest.approx([-16.6, -0.3, 17.0], abs=6)
    assert_share(found["redeals"]["mekuri.deal.four-on-field"], 20_000, 0.0009)


def test_last_player_wins_most_and_points_spread_as_expected() -> None:
    """Another program's simulation of simple players: 29, 32 and 39 % won, card points with a deviation of 70 to 74."""
    game = mekuri.game("mekuri")
    greedy = bots.bot("greedy", "rounds")
    wins, gains = [0, 0, 0], []
    for seed in range(250):
        round = game.deal(seed=seed, dealer=seed % 3)
        while not round.over:
            round.play(greedy.choose(round.hidden(round.waiting[0]), round.waiting[0]), round.waiting[0])
        s: Any = round._finished()
        wins[(winner(s) - s.dealer) % 3] += 1
        gains += [card_points(s, cards) - 240 for cards in s.captured[:3]]
    for share, won in zip((0.29, 0.32, 0.39), wins, strict=True):
        assert_share(won, 250, share)
    assert -240 <= min(gains) < max(gains) <= 480
    assert pstdev(gains) == pytest.approx(72, abs=8)


def test_judan_with_seven_cards_has_mostly_no_yaku() -> None:
    for hands, share in ((7, 0.70), (10, 0.14)):
        game = mekuri.game("mekuri", "judan", seats=2, two_hands=hands)
        nothing = sum(random_round(game, seed).returns == (0, 0) for seed in range(600))
        # A round in which both have equal yaku brings nothing either.
        assert nothing / 600 == pytest.approx(share, abs=0.08)


# --- Who sits out ---


@pytest.mark.parametrize("words", ["out", "in out", "in in out", "in in in"])
@pytest.mark.parametrize("dealer", range(4))
def test_one_of_four_sits_out_and_the_stock_has_21_cards(words: str, dealer: int) -> None:
    round = FOUR.deal(seed=dealer, dealer=dealer)
    dealt: Any = round._state
    hands = [*dealt.hand]
    for word in words.split():
        round.play(word)
    s: Any = round._state
    out = (dealer + words.count("in")) % 4
    assert (s.out, s.forced) == (out + 1, words == "in in in")
    assert (s.stock, s.gathered, s.hand[out], s.returned) == (21, 0, 0, hands[out])
    assert s.turn == (dealer + (out == dealer)) % 4
    assert sorted([*s.pack[:21]]) == sorted(set(range(48)) - {*each(s.field | sum(s.hand))})
    play_out(round, Random(dealer))
    assert round.returns[out] == 0
    assert sum(round.returns) == 0


def test_only_the_player_sitting_out_knows_the_returned_cards() -> None:
    for seed in range(8):
        for now in steps(random_round(FOUR, seed)):
            s: Any = now._state
            if not s.out or s.phase == Phase.PUT_BACK:
                continue
            for viewer in (0, 1, 2, 3, None):
                h: Any = now.hidden(viewer)
                assert h.returned == (s.returned if viewer == s.out - 1 else 0)
                world: Any = redealt(h, viewer, stream(seed))
                assert sum(world.hand) & h.returned == 0


POSITIONS = {
    "out": "phase play; dealer 0; out 2; turn 0; hand 1H / - / 3I / 4O; stock 5O 6H; field 5H; returned 5O 5H",
    "forced-out": "phase play; dealer 1; out 1; forced 1; turn 1; hand - / 2H / 3I / 4O; stock 7I 8I 9I; field 5H; returned 7I 9I",
    "shown": "phase turn-up; out 4; forced 1; payment 50; turn 1; hand 1I / - / 3I; stock 7H 8H 6I; shown 7H 8H 9H; field 9H",
    "before-the-shuffle": "phase play; dealer 0; out 3; turn 1; hand 4K / 2H / - / 4O; stock 5O; field 5H; returned 5O",
}


@pytest.mark.parametrize("text", POSITIONS.values(), ids=POSITIONS)
def test_worlds_of_few_cards_are_equally_likely(text: str) -> None:
    game = with_options("mekuri", {"forced_out": "half-yaku"}, 4)
    s = start(game)
    assert isinstance(s, MekuriState)
    parse_position(s, text)
    named = {word for word in text.replace(";", " ").split() if word[-1] in "HIOK"}
    s.captured[2 if s.out != 3 else 1] = s.deck & ~parse_cards(" ".join(named))
    for viewer in (0, 1, 2, 3, None):
        known = seen(s, viewer)
        assert isinstance(known, MekuriState)
        assert likelihood(s, viewer, f"{text} {viewer}", possible=holds_none_of(known.shown | known.returned)) > 1e-4


def holds_none_of(cards: int) -> Callable[[RoundState], bool]:
    """Whether no hand of a world holds one of some cards, which are known to have gone into the stock."""
    return lambda world: sum(world.hand) & cards == 0  # type: ignore[attr-defined]


def test_worlds_at_a_table_of_four() -> None:
    for number, case in enumerate(late(FOUR)):
        equally_often(case, number)
    twins_throughout(FOUR, 4)


def test_fee_and_payment_sum_to_zero() -> None:
    game = with_options("mekuri", {"drop_fee": 24, "forced_out": "half-yaku", "yaku_set": "blomhoff"}, 4)
    paid = set()
    for seed in range(40):
        round = random_round(game, seed)
        s: Any = round._finished()
        assert sum(round.returns) == 0
        assert round.returns[s.out - 1] == (2 * s.payment if s.forced else -24)
        assert round.next_dealer != s.out - 1
        paid.add(round.returns[s.out - 1])
    assert -24 in paid


# --- Options that do not go together ---


@pytest.mark.parametrize(
    "options",
    [
        {"values": "blomhoff"},
        {"par": "by-turn", "score": "yaku"},
        {"par": "by-turn", "score": "cards-as-counted", "values": "blomhoff"},
        {"two_hands": 7},
        {"yaku_ratio": "blomhoff", "yaku_set": "judan"},
    ],
    ids=str,
)
def test_contradicting_options_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(mekuri.OptionError):
        mekuri.game("mekuri", **options)


def test_blomhoff_match_ends_at_100() -> None:
    match = play(mekuri.game("mekuri", "blomhoff").match(seed=2), Random(2))
    assert max(account["points"] for account in match.ledger) >= 100 or len(match.finished) == 12
