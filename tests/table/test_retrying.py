"""A finished round, tried otherwise: the same cards, bots that answer, and nothing that may not be done."""

import pytest

import mekuri
from mekuri.bots.review.decisions import Decision, decisions
from mekuri.match.record import actions_text
from mekuri.match.round import Round
from mekuri.protocol.review import Retried
from mekuri.table import retrying
from mekuri.table.errors import ProblemError
from mekuri.table.retrying import retry
from mekuri.testing.records import played
from tests.helpers.tables import GAMES, each_game


@pytest.fixture(autouse=True)
def swift(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots that do not think."""
    monkeypatch.setattr(retrying, "usual", lambda contract: "greedy")


def finished(name: str) -> tuple[Round, Decision]:
    """A round played at random, and a decision in it."""
    round = played(mekuri.game(name), seed=2, rounds=1).finished[0]
    found = decisions(round)
    return round, found[len(found) // 2]


def rest(round: Round, one: Decision) -> str:
    """Return the actions from a decision on."""
    done = [(seat, action) for seat, action in round.history[one.step :] if seat < round.game.seats]
    return actions_text((seat, round.action_text(action)) for seat, action in done)


@each_game
def test_original_line_gives_the_original_result(name: str) -> None:
    """With the same cards: the whole rest of the round as a line."""
    round, one = finished(name)
    tried = retry(round, one.seat, one.version, rest(round, one), one.version)
    assert tried.result == round.returns[one.seat]
    views = [event.view.zones for event in round.events(one.seat, one.version)]
    assert len(tried.events) == len(views)
    assert [len(event.view.zones) for event in tried.events] == [len(zones) for zones in views]
    assert tried.events[-1].view.returns == round.returns


def tried_on(round: Round, one: Decision) -> list[Retried]:
    """A retry to its end: each time the seat does the first thing it may."""
    line, since, tries = f"{one.seat}:{round.action_text(one.action)}", one.version, list[Retried]()
    while True:
        tries.append(retry(round, one.seat, one.version, line, since))
        if tries[-1].result is not None:
            return tries
        view = tries[-1].events[-1].view
        assert tries[-1].line.startswith(line)
        assert one.seat in view.waiting
        line, since = f"{tries[-1].line} {one.seat}:{view.legal[-1].action}", view.version


@each_game
def test_retry_continues_to_the_end_of_the_round(name: str) -> None:
    round, one = finished(name)
    before = [*round.history]
    tries = tried_on(round, one)
    versions = [event.view.version for each in tries for event in each.events]
    assert versions == list(range(one.version + 1, one.version + 1 + len(versions))), "everything is told once"
    assert all(event.view.you == one.seat for each in tries for event in each.events)
    assert tries[-1].events[-1].view.over
    assert tried_on(round, one) == tries, "the same line gets the same answers"
    assert round.history == before, "the round itself stays what it was"


def test_illegal_retry_is_refused() -> None:
    round, one = finished(GAMES[0])
    seat, seen = one.seat, one.version

    def refused(seen: int, line: str = "") -> str:
        with pytest.raises(ProblemError) as refusal:
            retry(round, seat, seen, line, seen)
        return str(refusal.value.problem.error)

    own = round.action_text(one.action)
    assert refused(0) == "nothing-to-weigh"
    assert refused(round.version(seat)) == "nothing-to-weigh"
    assert refused(1 << 50) == "nothing-to-weigh"
    assert refused(seen, f"{seat}:nothing") == "action"
    assert refused(seen, own) == "action"
    assert refused(seen, f"15:{own}") == "no-seat"
    assert refused(seen, f"{1 - seat}:{own}") == "illegal"
    assert refused(seen, f"{seat}:{own} {seat}:{own}") == "illegal"
