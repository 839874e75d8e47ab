"""When a question returns: the library's schedule, by the given clock."""

import json

from mekuri.table.schedule import Grade, days, graded, new

NOW, DAY = 1_800_000_000_000, 86_400_000


def distances(*grades: Grade) -> list[int]:
    """Return the days until a question returns each time, if it is answered on the day it is due."""
    state, now, found = new(NOW), NOW, []
    for grade in grades:
        state, due = graded(state, grade, now)
        found.append(days(now, due))
        now = due
    return found


def test_interval_grows_with_right_answers() -> None:
    once = distances(*[Grade.GOOD] * 5)
    assert once[0] >= 1
    assert once == sorted(set(once))
    assert once == distances(*[Grade.GOOD] * 5), "nothing in it is drawn by lot"


def test_hint_shortens_the_interval_and_failure_more() -> None:
    good, hard, again = (distances(Grade.GOOD, grade)[1] for grade in Grade)
    assert good > hard > again
    assert distances(Grade.AGAIN) == [1]


def test_new_card_is_due_at_once() -> None:
    card = json.loads(new(NOW))
    assert card["due"].startswith("2027-01-15T08:00:00")
    assert (card["card_id"], card["last_review"]) == (0, None)
    _, due = graded(new(NOW), Grade.GOOD, NOW + 5 * DAY)
    assert due > NOW + 5 * DAY, "late is counted from when it was answered"
