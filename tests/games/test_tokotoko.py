"""Tokotoko: the pot in long matches, what its players name, and what each seat may think."""

import json
import random
from itertools import pairwise

import pytest

import mekuri
from mekuri.bots import Player
from mekuri.engine.contract import Text
from mekuri.engine.position import parse_position
from mekuri.games.kabu_pot import winners
from mekuri.games.tokotoko.state import TokotokoState
from mekuri.match.match import Match
from mekuri.match.replay import OlderVersion
from mekuri.testing.chances import LEAST_LIKELY
from mekuri.testing.states import start
from mekuri.testing.worlds import likelihood, random_round
from tests.helpers.folders import OLDER

GAME = mekuri.game("tokotoko")


def play_match(game: mekuri.Game, seed: int, rounds: int) -> Match:
    match, chance = game.match(seed=seed, rounds=rounds), random.Random(seed)
    while not match.over:
        while not match.round.over:
            seat = match.round.waiting[0]
            match.round.play(chance.choice(match.round.legal_for(seat)), seat)
        match.next_round()
    return match


@pytest.mark.parametrize("seats", [2, 3, 5, 7])
def test_pot_is_empty_after_a_match(seats: int) -> None:
    """Chips that could not be shared go to the next winner, and after the last round to the last."""
    for seed in range(12):
        match = play_match(mekuri.game("tokotoko", seats=seats, free=True), seed, 9)
        assert sum(account["chips"] for account in match.ledger) == match.accounts["odd"] == 0
        states = [round._state for round in match.finished]
        assert all(isinstance(s, TokotokoState) for s in states)
        for s, after in pairwise(states):
            assert isinstance(s, TokotokoState)
            assert isinstance(after, TokotokoState)
            assert after.odd == s.left
        assert [getattr(s, "last") for s in states] == [0] * 8 + [1]  # noqa: B009


@pytest.mark.clause("tokotoko.pot.odd-chips")
def test_last_winner_gets_odd_chips_of_a_short_match() -> None:
    """Of the winners of the last round with a stake, the first after its dealer has them."""
    paid = set()
    game = mekuri.game("tokotoko", seats=7, free=True)
    for seed in range(12):
        for rounds in range(1, 4):
            match, chance = game.match(seed=seed, rounds=9), random.Random(seed)
            for _ in range(rounds):
                if match.round.over:
                    match.next_round()
                stakes = ["no-stake"] if chance.random() < 0.3 else ["one", "two", "three"]
                while not match.round.over:
                    match.round.play(chance.choice(stakes), match.round.waiting[0])
                match.enter()
            left = match.accounts["odd"]
            before, leading = [own["chips"] for own in match.ledger], match.leading
            assert sum(before) == -left
            match.leave_off()
            after = [own["chips"] for own in match.ledger]
            assert (sum(after), match.accounts, match.winners) == (0, {"odd": 0}, leading)
            if left:
                staked = next(round for round in reversed(match.finished) if round.ending != "no-stake")
                order = [(staked.dealer + 1 + i) % 7 for i in range(7)]
                heir = next(seat for seat in order if staked.returns[seat] > 0)
                assert [now - then for now, then in zip(after, before, strict=True)] == [left * (seat == heir) for seat in range(7)]
                assert match.paid_out == Text("events.pay-left", {"seat": heir, "n": left})
                paid.add(match.finished[-1] is staked)
    assert paid == {True, False}


@pytest.mark.parametrize("free", [False, True])
def test_pot_has_signed_lines(free: bool) -> None:
    """The rest is listed without an amount; additions and payments sum to the change of the account."""
    seen: set[str] = set()
    for seed in range(30):
        match = play_match(mekuri.game("tokotoko", seats=7, free=free), seed, 3)
        for round in match.finished:
            s = round._state
            assert isinstance(s, TokotokoState)
            lines = {line.text.id: line for line in round.score_sheet().lines if line.seat == "odd"}
            seen |= lines.keys()
            assert sum(line.points for line in lines.values()) == (s.left - s.odd if lines else 0) == round.accounts["odd"]
            assert ("lines.left-over" in lines) == (s.odd > 0)
            if "lines.added" in lines:
                assert lines["lines.added"].points == 70 * s.stake
                assert lines["lines.paid-out"].points == s.left - s.odd - 70 * s.stake < 0
            else:
                assert s.stake == 0 or s.odd == s.left == 0
    assert seen == {"lines.left-over", "lines.added", "lines.paid-out"}


def test_record_of_the_first_ruleset_keeps_its_result() -> None:
    """Its last round, without a stake, gave two chips to the best hand."""
    text = (OLDER / "tokotoko-1-record.json").read_text(encoding="utf-8")
    record = mekuri.Record.from_json(text)
    assert (record.version, record.rounds[-1].ending, sum(record.rounds[-1].returns)) == (1, "split", 2)
    with pytest.raises(OlderVersion, match="played under version 1"):
        mekuri.replay(text)
    whole = json.loads(text)
    match = mekuri.replay(json.dumps(whole | {"rounds": whole["rounds"][:2]}))
    assert [round.returns for round in match.finished] == [row.returns for row in record.rounds[:2]]


def test_best_digit_wins() -> None:
    for seed in range(60):
        round = random_round(GAME, seed)
        s = round._state
        assert isinstance(s, TokotokoState)
        best = [max((sum(map(number, four)) - number(out)) % 10 for out in four) for four in map(list, fours(s))]
        assert winners(s) == sum(1 << seat for seat, digit in enumerate(best) if digit == max(best))
        assert [points > 0 for points in round.returns] == [digit == max(best) for digit in best] or best.count(max(best)) > 3


def number(card: int) -> int:
    return card // 4 + 1


def fours(s: TokotokoState) -> list[list[int]]:
    return [[card for card in range(48) if (s.two[seat] | s.middle) >> card & 1] for seat in range(s.seats)]


def named(hand: str, seats: int = 2, bot: str = "weighing") -> int:
    others = {2: "7O 10K", 3: "7O 10K / 3O 11K"}[seats]
    round = mekuri.game("tokotoko", seats=seats).position(f"phase name; two {hand} / {others}; middle 5K 8O")
    return Player(bot, 1, contract=GAME.contract).choose(round.hidden(0), 0)


def test_stake_follows_its_expected_gain() -> None:
    """Exact: of two seats' hands 4 and 5 win most, as any 10 makes a 9; two 12s are among the worst."""
    assert GAME.contract.words(named("4H 5H")).text == "three"
    assert GAME.contract.words(named("10H 10I")).text == "one"
    assert GAME.contract.words(named("10H 10I", bot="daring")).text == "three"


def test_weighing_bot_beats_a_daring_one() -> None:
    """The most careful player limits the pot, so a player with a high stake on a bad hand pays only for it."""
    chips = [0, 0]
    game = mekuri.game("tokotoko", seats=2)
    for seed in range(300):
        round = game.deal(seed=seed, dealer=seed % 2)
        players = [Player(bot, f"{seed}", contract=game.contract) for bot in ("weighing", "daring")]
        while not round.over:
            seat = round.waiting[0]
            round.play(players[seat].choose(round.hidden(seat), seat), seat)
        for seat, points in enumerate(round.returns):
            chips[seat] += points
    assert chips[0] > 300


@pytest.mark.parametrize("viewer", [0, 1, None])
def test_worlds_are_redealt_uniformly(viewer: int | None) -> None:
    """Only six cards of the pack are left."""
    two = mekuri.game("tokotoko", seats=2)
    s = start(two)
    assert isinstance(s, TokotokoState)
    parse_position(s, "phase turn-up; two 12I 9O / 1O 4I; middle 1K 10H; named 2 / 3")
    s.deck = sum(1 << card for card in range(48) if (s.two[0] | s.two[1] | s.middle) >> card & 1 == 1)
    rows = [[mine, theirs, *[0] * 14] for mine in (2, 3, 4) for theirs in (2, 3, 4)]
    kept = {None: rows, 0: [row for row in rows if row[0] == 2], 1: [row for row in rows if row[1] == 3]}
    assert likelihood(s, viewer, 1, {"named": kept[viewer]}) > LEAST_LIKELY
