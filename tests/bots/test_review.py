"""Reviews: a decision is judged by what its seat could know, and the parts of a result add up."""

import math
import random

import pytest

import mekuri
from bench.judge import SKILL, planted_round, sound_round
from mekuri import bots, games
from mekuri.bots import Budget
from mekuri.bots.review import BLUNDER, LABELS, MISTAKE, Estimate, Hindsight, Known, Reviewing, account, confirm, review
from mekuri.bots.review.decisions import decisions
from mekuri.bots.review.judge import given_what_was_known, in_hindsight, label
from mekuri.bots.review.reasons import why_afterwards
from mekuri.bots.review.version import JUDGE, version_of
from mekuri.bots.search import machine_code
from mekuri.cards import each
from mekuri.engine.called import choices_of
from mekuri.engine.chance import stream
from mekuri.engine.compiled import has
from mekuri.engine.contract import Text, undoing
from mekuri.engine.errors import MekuriError
from mekuri.match.replay import replay
from mekuri.match.round import Round
from mekuri.protocol.coding import to_builtins
from mekuri.testing.records import played
from mekuri.testing.worlds import play_out, twin
from tests.helpers.asked import asked
from tests.helpers.tables import GAMES, each_game, in_turn

FEW, NODES = 4, 100
GREEDY = bots.find("greedy")


def finished(name: str, seed: int = 3) -> Round:
    """A round played at random."""
    return play_out(mekuri.game(name).deal(seed=seed), random.Random(seed))


@pytest.mark.in_turn(2)
@each_game
def test_parts_of_a_result_add_up(name: str) -> None:
    round = finished(name)
    seat = decisions(round)[0].seat
    reviewing = Reviewing(round, seat, FEW, NODES)
    while reviewing.step():
        pass
    found, known = reviewing.found(), [reviewing._judged[n].known for n, one in enumerate(decisions(round)) if one.seat == seat]
    assert found == review(round, seat, FEW, NODES)
    assert found.result == round.returns[seat]
    assert found.deal.mean + found.skill.mean + found.others.mean + found.luck.mean == pytest.approx(found.result)
    assert sum(one.luck for one in found.moments) == pytest.approx(found.luck.mean)
    assert sum(one.others for one in found.moments) == pytest.approx(found.others.mean)
    assert -sum(one.cost.mean for one in found.moments) == pytest.approx(found.skill.mean)
    assert [one.number for one in found.moments] == list(range(1, len(found.moments) + 1))
    assert {*found.first} <= {one.number for one in found.moments}
    assert min(1, len(found.moments)) <= len(found.first) <= 3
    first = [known[number - 1] for number in found.first]
    matters = [one.cost.interval[0] > 0 or one.stake >= MISTAKE * found.open for one in first]
    assert all(matters) or (len(matters) == 1 and max(one.stake for one in known) < MISTAKE * found.open)
    assert all(one.label in LABELS for one in found.moments)


def test_review_of_a_record_equals_that_of_the_round() -> None:
    match = played(mekuri.game(GAMES[0]), rounds=1)
    again = replay(match.record().to_json())
    assert review(again.finished[0], 0, FEW, NODES) == review(match.finished[0], 0, FEW, NODES)


@each_game
def test_decision_shows_the_view_of_its_seat(name: str) -> None:
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
def test_hidden_cards_do_not_change_the_judgement(name: str) -> None:
    round, seat = asked(name, 7, 5)
    other = twin(round, seat, stream("review", name))
    assert other._state != round._state
    for action in round.legal_for(seat)[:2]:
        number = round.parse_action(action)
        known = [given_what_was_known(one.seen(seat), number, Budget(FEW), stream("same")) for one in (round, other)]
        assert known[0] == known[1]


@pytest.mark.parametrize("name", in_turn(SKILL))
def test_right_decision_shown_first_has_a_reason(name: str) -> None:
    for seed in (3, 4, 5, 7):
        found = review(finished(name, seed), 0, 20, NODES)
        reasons = [one.number for one in found.moments if one.best == one.action and one.facts]
        assert {*reasons} <= {*found.first}
        if reasons:
            return
    pytest.fail("no right decision is explained")


@pytest.mark.in_turn(4)
@each_game
def test_cost_of_a_decision_is_not_negative(name: str) -> None:
    """What turns out at least as good as the best of the first search is the best."""
    for seed in (3, 4):
        for one in (one for one in decisions(finished(name, seed)) if one.seat == 0):
            known = confirm.judged(one, 1.0, Budget(20))
            assert known.cost.mean > 0 or known.best == one.action
            assert known.cost.mean >= 0


@pytest.mark.in_turn(2)
@each_game
def test_luck_is_split_by_event(name: str) -> None:
    """Each event that the seat saw has a part, its own actions have none, and together they are the reported luck."""
    for seed in (3, 4):
        round = finished(name, seed)
        found = review(round, 0, FEW, NODES)
        for luck in filter(None, (found.lucky, found.unlucky)):
            assert sum(luck.parts) == pytest.approx(luck.value)
            events = round.events(0)[luck.since : luck.until]
            assert len(luck.parts) == len(events)
            own = [part for event, part in zip(events, luck.parts, strict=True) if event.seat == 0]
            assert own == [0.0] * len(own)
            assert len(own) < len(events)


def test_verdict_names_mistakes_or_small_losses() -> None:
    sound, mistake = ([label] * 3 for label in LABELS[:2])
    little, much = Estimate(-1.0, 0.0), Estimate(-10.0, 0.0)
    for result, came in ((5, "won"), (-5, "lost"), (0, "even")):
        assert account.verdict(result, [], little, 10.0) == f"{came}-idle"
        for labels, skill, how in (
            (sound, little, "well"),
            (sound, Estimate(-10.0, 10.0), "well"),
            (sound, much, "gradually"),
            (mistake, little, "badly"),
        ):
            assert account.verdict(result, labels, skill, 10.0) == f"{came}-{how}"


def test_hindsight_is_exact_if_solvable() -> None:
    round, seat = asked("mushi", 7, 2)
    solution = bots.solve(round)
    worst = min(solution.values, key=lambda action: solution.values[action])
    later = in_hindsight(round._state, seat, worst, Budget(FEW), stream(1))
    assert later.exact
    assert later.value == Estimate(solution.value, 0.0)
    assert later.cost == Estimate(solution.value - solution.values[worst], 0.0)
    assert not in_hindsight(round._state, seat, worst, Budget(FEW), stream(1), nodes=1).exact


def test_label_needs_a_clear_cost() -> None:
    def called(cost: float, error: float) -> str:
        return label(Known(0, Estimate(0, 1), Estimate(cost, error), (), 10, 0, (), 9), 10.0)

    assert called(10 * BLUNDER, 0.1) == "blunder"
    assert called(10 * BLUNDER - 0.01, 0.1) == "mistake"
    assert called(10 * MISTAKE, 0.1) == "mistake"
    assert called(10 * MISTAKE - 0.01, 0.1) == "fine"
    assert called(10 * BLUNDER, 10 * BLUNDER / 1.9) == "fine"
    assert label(Known(0, Estimate(0, 1), Estimate(5, 0.1), (), 0, 0, (), 9), 0.0) == "blunder", "nothing else was open"


def test_open_range_of_a_sure_win_is_positive(monkeypatch: pytest.MonkeyPatch) -> None:
    """Then the other actions of that decision say how much was open."""
    one = decisions(finished("mushi"))[0]
    sure = Known(1, Estimate(57, 0.0), Estimate(0.0, 0.0), (), 0.0, 1.0, (), 9)
    monkeypatch.setattr(confirm, "given_what_was_known", lambda *_: sure)
    assert confirm.open_at(one, Budget(60)) > 0


@pytest.mark.parametrize("name", [name for name in GAMES if games.find(name).has("undoing")])
def test_taken_back_choice_is_no_decision(name: str) -> None:
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


def test_running_round_is_not_reviewed() -> None:
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


def test_judge_has_a_version_per_game() -> None:
    versions = {version_of(games.find(name)) for name in GAMES}
    assert len(versions) == len(GAMES)
    assert all(len(one) == 12 and int(one, 16) >= 0 for one in versions)


@pytest.mark.slow
def test_machine_code_gives_the_same_review() -> None:
    round = finished(GAMES[0])
    plain = review(round, 0, 40, 1000)
    machine_code.prepare(round.contract, bots.find("greedy"))
    bots.prepare_solver(round.contract)
    assert review(round, 0, 40, 1000) == plain


@pytest.mark.slow
@each_game
def test_thousand_records_are_reviewed(name: str) -> None:
    for seed in range(-(-1000 // len(GAMES))):
        [round] = replay(played(mekuri.game(name), seed, rounds=1).record().to_json()).finished
        found = review(round, seed % round.game.seats, 2, 20)
        assert found.deal.mean + found.skill.mean + found.others.mean + found.luck.mean == pytest.approx(found.result)
        assert to_builtins(found)["version"] == JUDGE


# --- How far it may be trusted ---


@pytest.mark.machine_code
@pytest.mark.in_turn(len(SKILL))
@pytest.mark.parametrize("skilled", SKILL)
def test_sound_play_passes_and_planted_blunders_are_found(skilled: str) -> None:
    """`python bench/judge.py` does the same in a hundred rounds."""
    assert not any(sound_round(skilled, 0))
    number, planted = 0, list[bool]()
    while not planted:
        planted, number = planted_round(skilled, number), number + 1
    assert all(planted)


def test_unconfirmed_cost_is_no_mistake(monkeypatch: pytest.MonkeyPatch) -> None:
    """The verdict then has the cost that was found by playing on."""
    accused = Known(1, Estimate(5, 0.1), Estimate(4.0, 0.1), (0.0, 0.0), 10.0, 1.0, (Text("facts.only", {}),), 9)
    monkeypatch.setattr(confirm, "given_what_was_known", lambda *_: accused)
    one = decisions(finished(GAMES[0]))[0]
    for found, cost in ((Estimate(3.0, 1.0), accused.cost), (Estimate(1.0, 1.0), Estimate(1.0, 1.0))):
        monkeypatch.setattr(confirm, "cost_of_playing_on", lambda *_, found=found: found)
        assert confirm.judged(one, 10.0, Budget(FEW)).cost == cost
    monkeypatch.setattr(confirm, "cost_of_playing_on", lambda *_: pytest.fail("it accuses nobody"))
    assert confirm.judged(one, 100.0, Budget(FEW)) == accused


@pytest.mark.slow
def test_confirmation_is_the_same_plain_and_compiled() -> None:
    round = finished(GAMES[0])
    one = decisions(round)[0]
    action = next(action for action in each(choices_of(one.whole, one.seat)) if action != one.action)

    def cost() -> Estimate:
        return confirm.cost_of_playing_on(one.seen, one.action, action, 20, Budget(4), stream("on"))

    plain = cost()
    machine_code.prepare(round.contract, bots.find("greedy"))
    assert cost() == plain


def test_figures_count_rounds_in_win_or_lose_games() -> None:
    rounds = {name: Reviewing(finished(name), 0, 20).wins for name in SKILL}
    assert rounds == {name: name in ("hiyoko", "tensho") for name in SKILL}


def test_sure_win_needs_a_solved_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    round = finished("tensho")
    one = next(one for one in decisions(round) if one.seat == 0)
    other = next(action for action in each(choices_of(one.whole, one.seat)) if action != one.action)
    for exact, cost, how in ((True, 2.0, "won"), (False, 2.0, "cost"), (True, 1.0, "cost")):
        best = round.action_text(other)
        later = Hindsight(best=best, value=Estimate(1.0, 0.0), cost=Estimate(cost, 0.0), exact=exact)
        monkeypatch.setattr(account, "in_hindsight", lambda *_, later=later: later)
        assert why_afterwards(round, one.step, 20)[-1].id == f"facts.why-open-{how}"


CALLS = (
    "phase call; hand 1O 5O 6K 9I / 2K 4K 8I 10I; captured 1H 3H 8H 2H / 4H 6O; field 7H 10H 11K 12I; best 0 / 0",
    "phase call; hand 1O 9I / 8I 10K; captured 1I 4I 5I 7I 11I / 6H 7H 2H 8H; field 10H 3O 5K 12H; best 0 / 0; called 0 / 1",
)


def called(position: str, word: str, seed: int = 1) -> Round:
    """A round of Koi-Koi that goes on from a call, at random."""
    round = mekuri.game("koikoi").position(position, seed=seed)
    round.play(word)
    return play_out(round, random.Random(seed))


@pytest.mark.parametrize("word", ["koi", "shobu"])
def test_each_call_is_judged_in_one_sentence(word: str) -> None:
    round = called(CALLS[0], word)
    found = review(round, 0, 40, NODES)
    assert [one.call is not None for one in found.moments] == [
        len(one.choices) == 2 and one.action in ("koi", "shobu") for one in found.moments
    ]
    call = found.moments[0].call
    assert call is not None
    assert call.id == "facts.worth"
    text = round.game.rulebook.render(call, "en")
    worths = {"shobu": "6", "koi": call.args["there" if found.moments[0].best == "shobu" else "here"]}
    best, other = (worths[one] for one in (("shobu", "koi") if found.moments[0].best == "shobu" else ("koi", "shobu")))
    assert [call.args["here"], call.args["there"]] == [best, other]
    assert "±" in worths["koi"]
    assert text.startswith("“Shōbu” was worth 6 on" if best == "6" else "“Koi-koi” was worth ")


@pytest.mark.parametrize("position", CALLS)
def test_worths_of_a_call_hold_under_ten_times_the_budget(position: str) -> None:
    one = decisions(called(position, "shobu"))[0]
    few, many = (given_what_was_known(one.seen, one.action, Budget(playouts), one.chance("known")) for playouts in (60, 600))
    for known in (few, many):
        assert len(known.worths) == 2
        assert known.worths[known.best != one.action].error == 0  # shōbu
    going_on = [known.worths[known.best == one.action] for known in (few, many)]
    assert abs(going_on[0].mean - going_on[1].mean) <= 3 * math.hypot(going_on[0].error, going_on[1].error)
    assert going_on[1].error < going_on[0].error / 2


def test_worths_of_a_call_follow_what_playing_on_finds() -> None:
    shobu, koi, cost = Estimate(6, 0), Estimate(4, 0.5), Estimate(-1, 0.25)
    assert confirm._apart((shobu, koi), cost) == (shobu, Estimate(7, 0.25))
    assert confirm._apart((koi, shobu), Estimate(1, 0.25)) == (Estimate(7, 0.25), shobu)
    assert confirm._apart((koi, koi), cost) == confirm._apart((), cost) == ()
