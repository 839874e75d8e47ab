"""Reviews: what is said of a decision hangs on what its seat could know, and everything that a round brought is accounted for."""

import random
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from multiprocessing import get_context

import pytest

import mekuri
from mekuri import bots, games
from mekuri.bots import Budget, Seen
from mekuri.bots.review import BLUNDER, LABELS, MISTAKE, PLAYOUTS, Estimate, Known, Reviewing, review
from mekuri.bots.review.account import label
from mekuri.bots.review.decisions import Decision, decisions
from mekuri.bots.review.judge import given_what_was_known, in_hindsight
from mekuri.bots.review.luck import card_of
from mekuri.bots.review.version import version_of
from mekuri.bots.search import machine_code
from mekuri.bots.search.flat import HONEST, WHOLE
from mekuri.bots.search.think import Trial, think
from mekuri.bots.search.worlds import done_by_others
from mekuri.engine.chance import stream
from mekuri.engine.compiled import has
from mekuri.engine.contract import Contract, undoing
from mekuri.engine.errors import MekuriError
from mekuri.match.replay import replay
from mekuri.match.round import Round
from mekuri.protocol.review import as_json
from mekuri.testing.records import played
from mekuri.testing.worlds import act, twin
from tests.helpers.asked import asked
from tests.helpers.tables import GAMES, HELD, each_game, games_in_turn

FEW, NODES = 4, 100
GREEDY = bots.find("greedy")


def finished(name: str, seed: int = 3) -> Round:
    """A round played at random."""
    round, chance = mekuri.game(name).deal(seed=seed), random.Random(seed)
    while not round.over:
        act(round, chance)
    return round


@pytest.mark.in_turn(2)
@each_game
def test_a_result_is_taken_apart_and_nothing_is_left_over(name: str) -> None:
    round = finished(name)
    seat = decisions(round)[0].seat
    found = review(round, seat, FEW, NODES)
    assert found.result == round.returns[seat]
    assert found.deal.mean + found.skill.mean + found.others.mean + found.luck.mean == pytest.approx(found.result)
    assert sum(one.luck for one in found.moments) == pytest.approx(found.luck.mean)
    assert sum(one.others for one in found.moments) == pytest.approx(found.others.mean)
    assert -sum(one.known.cost.mean for one in found.moments) == pytest.approx(found.skill.mean)
    assert [one.number for one in found.moments] == list(range(1, len(found.moments) + 1))
    assert all(one in found.moments for one in found.first)
    assert len(found.first) == min(3, len(found.moments))
    assert all(one.label in LABELS for one in found.moments)


def test_a_review_of_a_record_is_that_of_the_round_as_it_was_played() -> None:
    match = played(mekuri.game(GAMES[0]), rounds=1)
    again = replay(match.record().to_json())
    assert review(again.finished[0], 0, FEW, NODES) == review(match.finished[0], 0, FEW, NODES)


@each_game
def test_a_decision_is_told_as_its_seat_saw_it_when_it_was_made(name: str) -> None:
    round = finished(name)
    live, kept = mekuri.game(name).deal(seed=3), {one.step: one for one in decisions(round)}
    compared = 0
    for seat, action in round.actions:
        one = kept.get(len(live.history))
        if one and one.seat == seat and one.action == action:
            assert (one.seen, one.version) == (live.seen(seat), live.version(seat))
            assert len(live.legal_for(seat)) > 1
            compared += 1
        live.play(action, seat)
    assert compared == len(kept) > 0


@each_game
def test_what_could_not_be_known_changes_nothing_of_what_is_said_to_have_been_known(name: str) -> None:
    round, seat = asked(name, 7, 5)
    other = twin(round, seat, stream("review", name))
    assert other._state != round._state
    for action in round.legal_for(seat)[:2]:
        number = round.parse_action(action)
        known = [given_what_was_known(one.seen(seat), number, Budget(FEW), stream("same")) for one in (round, other)]
        assert known[0] == known[1]


@games_in_turn()
def test_the_card_that_it_hung_on_lay_where_it_is_said_to_have_lain(name: str) -> None:
    round, told = finished(name), 0
    for one, lucky in product(decisions(round), (True, False)):
        facts = card_of(one, 60, stream("luck", one.step), round.whole(), lucky)
        if not facts:
            continue
        hung, was = facts
        card, thought, truth = was.args["card"], hung.id.removeprefix("facts.hung-"), was.id.removeprefix("facts.was-")
        zones = [zone for zone in round.contract.zones(one.whole) if card in zone.cards]
        assert hung.args["card"] == card
        assert [zone.owner for zone in zones] == ([was.args.get("seat")] if truth in ("held", "lies") else [])
        assert zones or (truth == "next") == (one.whole.pack[one.whole.stock - 1] == card)
        assert (truth == "left") == (not zones and card in round.whole().pack[: round.whole().stock] and truth != "next")
        same_place = zones and [hung.args.get(key) for key in ("seat", "place")] == [was.args.get(key) for key in ("seat", "place")]
        lay = bool(same_place) if zones else thought in ("stock", truth)
        better = float(hung.args["there"]) > float(hung.args["elsewhere"])
        assert (lay == better) == lucky
        told += 1
    assert told or name not in HELD


def test_hindsight_is_exact_where_it_can_be() -> None:
    round, seat = asked("mushi", 7, 2)
    solution = bots.solve(round)
    worst = min(solution.values, key=lambda action: solution.values[action])
    later = in_hindsight(round._state, seat, worst, Budget(FEW), stream(1))
    assert later.exact
    assert later.value == Estimate(solution.value, 0.0)
    assert later.cost.mean == solution.value - solution.values[worst]
    assert not in_hindsight(round._state, seat, worst, Budget(FEW), stream(1), nodes=1).exact


def test_a_decision_is_called_what_it_is_only_where_that_is_clear() -> None:
    def called(cost: float, error: float) -> str:
        return label(Known(0, Estimate(0, 1), Estimate(cost, error), (), 10, 0, (), 9), 10.0)

    assert called(10 * BLUNDER, 0.1) == "blunder"
    assert called(10 * BLUNDER - 0.01, 0.1) == "mistake"
    assert called(10 * MISTAKE, 0.1) == "mistake"
    assert called(10 * MISTAKE - 0.01, 0.1) == "fine"
    assert called(10 * BLUNDER, 10 * BLUNDER / 1.9) == "fine"
    assert label(Known(0, Estimate(0, 1), Estimate(5, 0.1), (), 0, 0, (), 9), 0.0) == "fine"


@pytest.mark.parametrize("name", [name for name in GAMES if games.find(name).undoing is not Contract.undoing])
def test_what_was_taken_back_was_no_decision(name: str) -> None:
    """The same round, with a choice made, taken back and made again in it, has the same decisions."""
    round, again, taken_back = finished(name), mekuri.game(name).deal(seed=3), 0
    for seat, action in round.actions:
        undone = has(undoing(again._state, seat), action)
        again.play(action, seat)
        if not undone and has(undoing(again._state, seat), action):
            again.play(action, seat)
            again.play(action, seat)
            taken_back += 1
    assert taken_back
    assert [(one.seat, one.action) for one in decisions(again)] == [(one.seat, one.action) for one in decisions(round)]


def test_only_what_is_over_is_reviewed() -> None:
    round = mekuri.game(GAMES[0]).deal(seed=1)
    with pytest.raises(MekuriError, match="not over"):
        review(round, 0)
    over = finished(GAMES[0])
    with pytest.raises(MekuriError, match="seats 0 to 1"):
        review(over, 2)
    with pytest.raises(MekuriError, match="2 rounds or more"):
        review(over, 0, 1)
    with pytest.raises(MekuriError, match="not judged yet"):
        Reviewing(over, 0, FEW).found()


def test_a_judge_has_a_version() -> None:
    versions = {version_of(games.find(name)) for name in GAMES}
    assert len(versions) == len(GAMES)
    assert all(len(one) == 12 and int(one, 16) >= 0 for one in versions)


@pytest.mark.slow
def test_machine_code_says_the_same() -> None:
    round = finished(GAMES[0])
    plain = review(round, 0, 40, 1000)
    machine_code.prepare(round.contract, bots.find("greedy"))
    bots.prepare_solver(round.contract)
    assert review(round, 0, 40, 1000) == plain


@pytest.mark.slow
@each_game
def test_a_thousand_records_are_reviewed(name: str) -> None:
    for seed in range(-(-1000 // len(GAMES))):
        [round] = replay(played(mekuri.game(name), seed, rounds=1).record().to_json()).finished
        found = review(round, seed % round.game.seats, 2, 20)
        assert found.deal.mean + found.skill.mean + found.others.mean + found.luck.mean == pytest.approx(found.result)
        assert as_json(found, 1)["version"] == version_of(round.contract)


# --- How far it may be trusted ---

PLANTED = 0.4  # of what was open: what a planted blunder costs at least, by ten times the play-outs and other chance
PLANTED_EACH = 20


def judged_again(one: Decision, chance: list[int]) -> dict[int, float]:
    """What some actions cost by ten times the play-outs: the best, the worst, and one between."""
    budget = Budget(10 * PLAYOUTS)
    tried = think(one.seen, chance, budget, GREEDY)
    actions = sorted({tried[0].action, min(tried, key=lambda found: found.mean).action, tried[len(tried) // 2].action})
    trial = Trial(one.seen.hidden, one.seat, chance, GREEDY, HONEST, WHOLE, done_by_others(one.seen), 10 * PLAYOUTS)
    trial.more(sum(1 << action for action in actions), 5 * PLAYOUTS)
    best = max(trial.tried(action).mean for action in actions)
    return {action: best - trial.tried(action).mean for action in actions}


def labels(name: str) -> tuple[list[str], list[str]]:
    """What planted blunders are called, and what sound actions are, in rounds of greedy play."""
    game, planted, sound = mekuri.game(name), list[str](), list[str]()
    machine_code.prepare(game.contract, GREEDY)
    for number in range(200):
        round = game.deal(seed="planted", number=number)
        while not round.over:
            seat, chance = round.waiting[0], stream("planted", number, len(round.actions))
            round.play(GREEDY.choose(Seen(round.hidden(seat), seat), chance, Budget()), seat)
        found = decisions(round)
        own = [one for one in found if one.seat == found[0].seat]
        room = given_what_was_known(own[0].seen, own[0].action, Budget(PLAYOUTS), stream("first", number)).spread
        for one in random.Random(number).sample(own, min(4, len(own))):
            for action, cost in judged_again(one, stream("again", number, one.step)).items():
                calls = planted if cost >= PLANTED * room else sound if cost <= MISTAKE * room else None
                if calls is not None and len(calls) < PLANTED_EACH and room:
                    known = given_what_was_known(one.seen, action, Budget(PLAYOUTS), stream("once", number, one.step))
                    calls.append(label(known, room))
        if len(planted) == len(sound) == PLANTED_EACH or (number == 40 and not planted):
            break
    return planted, sound


@pytest.mark.slow
def test_planted_blunders_are_found_and_sound_play_is_not_called_one() -> None:
    """Each game is judged in a process of its own. There are games in which hardly a decision can cost so much."""
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as processes:
        found = [*processes.map(labels, GAMES)]
    planted, sound = (sum((each[kind] for each in found), list[str]()) for kind in (0, 1))
    assert len(planted) >= 100
    assert planted.count("blunder") >= 0.95 * len(planted)
    assert sound.count("blunder") <= 0.05 * len(sound)
