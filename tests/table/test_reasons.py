"""Why a seat acted as it did: from the caller's view, or from everything when the round is over."""

import pickle
from random import Random

import pytest

from mekuri.bots import Budget
from mekuri.bots.review import review, why_afterwards
from mekuri.bots.review.decisions import decisions
from mekuri.bots.why import why
from mekuri.engine.chance import stream
from mekuri.engine.contract import DRIVER
from mekuri.engine.rulebook import LANGUAGES
from mekuri.protocol.table import AskSeat, AskTable
from mekuri.table import commands, reasons, weighing
from mekuri.table.errors import ProblemError
from mekuri.table.reasons import last_move, last_seen, past_move
from mekuri.table.showing import finished, replay_of
from mekuri.terminal.base.texts import TableTexts
from mekuri.testing.worlds import twin
from tests.helpers.asked import asked
from tests.helpers.at_table import ROOT
from tests.helpers.tables import LEVELLED, USUAL, each_game
from tests.table.test_takeback import act, back, begun
from tests.table.test_takeback import asked as choices_of


@pytest.fixture(autouse=True)
def briefly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weighing, "BUDGET", Budget(24))
    monkeypatch.setattr(reasons, "FEW", (4, 50))
    monkeypatch.setattr(reasons, "prepared", lambda contract: False)


@pytest.mark.in_turn(3)
@each_game
def test_every_move_is_explained_in_every_language(name: str) -> None:
    table, chance = begun(name), Random(1)
    book, explained = TableTexts(table.game.contract), 0
    while choices := choices_of(table):
        if last_seen(table.running, 0):
            found = last_move(table, "ann").weigh()
            assert found == last_move(table, "ann").weigh()
            assert found.reasons
            assert found.seat != 0
            for lang in LANGUAGES:
                assert all("{" not in book.render(text, lang, ["Ann"], "", 0) for text in (found.text, *found.reasons))
            explained += 1
        else:
            with pytest.raises(ProblemError, match="You have not seen"):
                last_move(table, "ann")
        act(table, chance.choice(choices))
    assert explained or name not in LEVELLED, "in games of chance others bet in secret until all have"


@each_game
def test_explanation_ignores_hidden_cards(name: str) -> None:
    """Whatever the other holds, and whatever comes next."""
    explained = 0
    for seed in range(4):
        round, seat = asked(name, seed, 6)
        one, two = (last_seen(each, seat) for each in (round, twin(round, seat, stream("twin", name))))
        assert one == two
        if one and two:
            assert pickle.dumps(one) == pickle.dumps(two), "what another process gets"
            whys = [why(m.before, m.after, seat, m.seat, m.action, Budget(24), stream("why")) for m in (one, two)]
            assert whys[0] == whys[1]
            explained += 1
    assert explained or name not in LEVELLED


def test_table_with_people_has_no_explanation() -> None:
    table = commands.make("t", ROOT, AskTable(game=USUAL, seats=["person", "person"], match_options={}), "ann", 1)
    for person in ("ann", "ben"):
        commands.sit(table, person, person, AskSeat(), 2)
    for who, error in (("ann", "others-play"), ("eve", "not-seated"), (None, "not-seated")):
        with pytest.raises(ProblemError) as refusal:
            last_move(table, who)
        assert refusal.value.problem.error == error


def test_taken_back_move_is_not_explained() -> None:
    table = begun()
    choices_of(table)
    before = last_seen(table.running, 0)
    while last_seen(table.running, 0) == before:
        act(table, choices_of(table)[0])
        choices_of(table)
    while sum(seat == 0 for seat, _ in table.running.actions):
        back(table)
    assert last_seen(table.running, 0) == before


@pytest.mark.in_turn(3)
@each_game
def test_moves_of_a_finished_round_are_explained_to_everyone(name: str) -> None:
    """In a replay, a spectator gets the same explanation of a move as a seat."""
    table, chance = begun(name), Random(2)
    with pytest.raises(ProblemError, match="round"):
        past_move(table, 1, 0, 1)
    while choices := choices_of(table):
        act(table, chance.choice(choices))
    assert table.running.over
    book = TableTexts(table.game.contract)
    reasons: dict[int | None, object] = {}
    for viewer in (None, 0):
        again = replay_of(table, viewer, 1)
        for event in again.tell():
            move = past_move(table, 1, viewer, event.version)
            if event.kind != "play" or event.seat == DRIVER:
                with pytest.raises(ProblemError) as refusal:
                    move.weigh()
                assert refusal.value.problem.error == "nothing-to-weigh"
                continue
            if (step := again.step(event.version)) in reasons and len(reasons) > 4:
                continue
            found = move.weigh()
            assert found.reasons
            assert found.reasons == reasons.setdefault(step, found.reasons)
            for lang in LANGUAGES:
                assert all("{" not in book.render(text, lang, ["Ann"], "", 0) for text in (found.text, *found.reasons))
    assert reasons
    with pytest.raises(ProblemError) as refusal:
        past_move(table, 1, 0, 10**6).weigh()
    assert refusal.value.problem.error == "nothing-to-weigh"
    with pytest.raises(ProblemError) as refusal:
        past_move(table, 1, 16, 1)
    assert refusal.value.problem.error == "no-seat"


@pytest.mark.every_days(4)
def test_explanation_agrees_with_the_review() -> None:
    table, chance = begun(), Random(3)
    while choices := choices_of(table):
        act(table, chance.choice(choices))
    round = finished(table, 1)
    playouts, nodes = 40, 200
    steps = [one.step for one in decisions(round) if one.seat == 1]
    for step, moment in zip(steps, review(round, 1, playouts, nodes).moments, strict=True):
        said = [text.id for text in why_afterwards(round, step, playouts, nodes)]
        best = moment.best == moment.action or moment.cost.mean <= 0
        dear = moment.cost.interval[0] > 0
        assert ("facts.why-best" in said, "facts.why-cost" in said) == (best, dear and not best)
        open_best = moment.hindsight.best == moment.action or moment.hindsight.cost.mean <= 0
        assert ("facts.why-open-best" in said) == open_best


def test_taken_back_move_has_no_later_explanation() -> None:
    table = begun()
    choices = choices_of(table)
    act(table, choices[0])
    gone = table.version(0)
    back(table)
    while choices := choices_of(table):
        act(table, choices[-1])
    again = replay_of(table, 0, 1)
    assert again.step(gone) is None
    steps = [step for event in again.tell() if (step := again.step(event.version)) is not None]
    assert steps == sorted(set(steps))
    assert len(steps) == len(finished(table, 1).history), "all that counts, and in this game nothing is secret"
