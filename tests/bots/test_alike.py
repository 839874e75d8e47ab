"""Actions that are equal by symmetry: which are found, and that no others are."""

from collections.abc import Iterator

import mekuri
from mekuri.bots import Budget, Seen, analyse
from mekuri.bots.alike import alike, exchanged, groups
from mekuri.bots.review import review
from mekuri.cards import each, parse_card
from mekuri.engine.called import choices_of
from mekuri.engine.contract import FIRST_WORD
from mekuri.testing.worlds import random_round, steps
from tests.helpers.tables import each_game


def decisions(name: str, seeds: int) -> Iterator[Seen]:
    """Yield the view of each decision of some rounds of random play."""
    for seed in range(seeds):
        for now in steps(random_round(mekuri.game(name), seed)):
            if now.waiting and now.waiting[0] < now.game.seats:
                yield Seen(now.hidden(now.waiting[0]), now.waiting[0])


def grouped(name: str, seeds: int) -> Iterator[tuple[Seen, list[list[int]]]]:
    for seen in decisions(name, seeds):
        yield seen, groups(seen.hidden, seen.seat, each(choices_of(seen.hidden, seen.seat)))


@each_game
def test_every_action_is_in_one_group(name: str) -> None:
    for seen, found in grouped(name, 1):
        assert sorted(action for group in found for action in group) == list(each(choices_of(seen.hidden, seen.seat)))


def test_only_cards_of_one_flower_and_worth_are_equal() -> None:
    contract, pairs = mekuri.game("mushi").contract, 0
    for seen, found in grouped("mushi", 4):
        for first, *others in found:
            for other in others:
                pairs += 1
                assert first // 4 == other // 4
                assert contract.table.worth(seen.hidden, first).points == contract.table.worth(seen.hidden, other).points
    assert pairs > 10, "or this has shown nothing"


@each_game
def test_equal_cards_are_missing_from_the_same_goals(name: str) -> None:
    for seen, found in grouped(name, 2):
        goals = [goal for seat in range(seen.hidden.seats) for goal in seen.hidden.contract.table.goals(seen.hidden, seat)]
        for first, *others in found:
            cards = [card for card in (first, *others) if card < FIRST_WORD]
            for goal in goals:
                assert len({goal.lacks >> card & 1 for card in cards}) <= 1 or goal.lost, (goal, first, others)


def test_two_stacks_of_unseen_cards_are_equal() -> None:
    words = mekuri.game("tensho").contract.words
    left, right = (next(word for word in words if word.text == text) for text in ("left", "right"))
    seen = next(one for one in decisions("tensho", 9) if choices_of(one.hidden, one.seat) >> left & 1)
    assert alike(seen.hidden, seen.seat, left, right)
    found = analyse(seen, Budget(20))
    assert [fact.id for fact in found.facts] == ["facts.equal"]
    assert found.actions[0].mean == found.actions[1].mean


def test_cards_of_one_number_are_equal_if_suits_do_not_matter() -> None:
    shown = 0
    for _, found in grouped("isuri", 3):
        for group in found:
            if len(group) > 1:
                shown += 1
                assert len({card // 4 for card in group}) == 1
    assert shown


def test_exchanging_twice_changes_nothing() -> None:
    seen = next(decisions("mushi", 1))
    one, other = parse_card("1H"), parse_card("5K")
    once = exchanged(seen.hidden, one, other)
    assert exchanged(once, one, other) == seen.hidden
    assert exchanged(once, other, one) == seen.hidden


def test_answer_equal_to_the_best_is_right() -> None:
    moments = [
        moment
        for seed in range(3)
        for moment in review(random_round(mekuri.game("isuri"), seed), 0, 20, 100).moments
        if moment.equal
    ]
    assert moments, "or this has shown nothing"
    for moment in moments:
        assert moment.right == (moment.best, *moment.equal)
        assert {action[:-1] for action in moment.right} == {moment.best[:-1]}, "cards of one number"
