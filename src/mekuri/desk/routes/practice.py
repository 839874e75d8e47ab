"""Routes of practice: a person's own mistakes in finished rounds, asked as questions at growing intervals (spaced repetition)."""

from __future__ import annotations

from contextlib import suppress

import msgspec

from mekuri.bots.review import SOUND, Moment, Review
from mekuri.desk.desk import Desk
from mekuri.desk.reviewers import Key, is_older
from mekuri.desk.route import Route, Visitor
from mekuri.desk.stores import Mistake
from mekuri.protocol import practice as wire
from mekuri.protocol.coding import decoded
from mekuri.table.errors import ProblemError
from mekuri.table.log import Conflict
from mekuri.table.schedule import Grade, days, graded
from mekuri.table.showing import replay_of

MOST = 500  # mistakes of one person
_MATCHES = 50  # newest matches of a person that are searched
_ROUNDS = 30  # newest rounds of these that are reviewed where they have no review
_AT_ONCE = 10  # reviews that are searched in one request
_WAITS = ("reviewing", "busy", "too-dear", "disk-full", "not-kept")  # errors after which a later attempt may succeed
_FAILED = 1_000  # rounds that are remembered as such
_PASSED_OVER = 5  # due mistakes that are tried until one can be asked

_REVIEW = msgspec.json.Decoder(Review, dec_hook=decoded)


class _LastTry(msgspec.Struct, frozen=True):
    """The stored outcome of the last answer to a question.

    Attributes:
        action: the action that was chosen; None where the person gave up.
        right: whether it was the best.
        over: whether the question is done until it is due again.
        days: until then; None while it is not over.
    """

    action: str | None
    right: bool
    over: bool
    days: int | None


_LAST_TRY = msgspec.json.Decoder(_LastTry)


async def show_practice(desk: Desk, who: Visitor) -> wire.Practice:
    """Return how many of your mistakes are due as questions now, and when the next one will be."""
    person = who.guest.id
    kept, due, following = await desk.store.mistakes_count(person)
    _, unseen = await _rounds(desk, person) if kept < MOST else ([], [])
    older = await _older(desk, person) if due else []
    return wire.Practice(due=due, kept=kept, next=following, rounds=len(unseen) + len(older), done=0, total=0)


async def search_mistakes(desk: Desk, who: Visitor) -> wire.Practice:
    """Search your finished rounds for mistakes, the newest first. A round that has not been reviewed is reviewed first.

    Reviews are made in the background, one round after the other, from your budget of processor time: repeat the request after a
    moment, until `rounds` is 0.
    """
    person = who.guest.id
    found, done, total = await show_practice(desk, who), 0, 0
    if not found.rounds:
        return found
    # Rounds of due mistakes come first whose reviews an earlier judge made: they are reviewed again.
    if older := await _older(desk, person):
        done, total = await _have_reviewed(desk, person, older[0], again=True)
        return msgspec.structs.replace(await show_practice(desk, who), done=done, total=total)
    there, unseen = await _rounds(desk, person)
    for key in there[:_AT_ONCE]:
        await _look_through(desk, person, key)
    # If no others are left, a review of one more round is started. `done` and `total` count its judged decisions.
    lacking = [key for key in unseen if key not in there]
    if len(there) <= _AT_ONCE and lacking:
        done, total = await _have_reviewed(desk, person, lacking[0])
    return msgspec.structs.replace(await show_practice(desk, who), done=done, total=total)


async def _rounds(desk: Desk, person: str) -> tuple[list[Key], list[Key]]:
    """Return the rounds that have not been searched, newest first.

    The first list has those with a review; the second has these, and the newest without one, which will be reviewed.
    """
    await desk.store.count_results(person)
    results = [one for one in await desk.store.some_results(person, 0, _MATCHES) if not one.imported]
    played = [(one.match, number, one.outcome.seat) for one in results for number in reversed(one.outcome.rounds)]
    matches = {one.match for one in results}
    searched, reviewed = await desk.store.searched(person, matches), await desk.store.reviewed(matches)
    unseen = [(n, key) for n, key in enumerate(played) if key[:2] not in searched]
    return [key for _, key in unseen if key in reviewed], [key for n, key in unseen if n < _ROUNDS or key in reviewed]


async def _look_through(desk: Desk, person: str, key: Key) -> None:
    """Store the mistakes of a reviewed round, as far as the person's limit allows."""
    match, number, seat = key
    review = await _review(desk, key)
    found = [moment.number for moment in review.moments if moment.label != SOUND] if review else []
    kept, _, _ = await desk.store.mistakes_count(person)
    await desk.store.keep_mistakes(person, match, number, seat, found[: MOST - kept])


async def _have_reviewed(desk: Desk, person: str, key: Key, again: bool = False) -> tuple[int, int]:
    """Have a round reviewed. Returns how many decisions are judged, of how many. A round that cannot be has no mistakes."""
    try:
        _, done, total = await desk.reviewers.progress(key, await desk.tables.finished(*key, person), person, again)
    except ProblemError as refused:
        if refused.problem.error not in _WAITS:
            if again:
                desk.reviewers.failed = {*desk.reviewers.failed, key} if len(desk.reviewers.failed) < _FAILED else {key}
            else:
                await desk.store.keep_mistakes(person, *key, ())
        return 0, 0
    return done, total


async def _due(desk: Desk, person: str) -> list[Mistake]:
    return await desk.store.due_mistakes(person, _PASSED_OVER)


async def _older(desk: Desk, person: str) -> list[Key]:
    """Return the rounds of the mistakes that have been due for longest whose reviews an earlier judge made.

    Rounds that could not be reviewed again are left out: their mistakes are asked as the earlier judge found them.
    """
    rounds = dict.fromkeys(map(_round, await _due(desk, person)))
    bodies = {key: await desk.store.review(*key) for key in rounds}
    return [key for key, body in bodies.items() if body and is_older(body) and key not in desk.reviewers.failed]


async def _review(desk: Desk, key: Key) -> Review | None:
    body = await desk.store.review(*key)
    return _REVIEW.decode(body) if body else None


# --- Questions ---


async def show_question(desk: Desk, who: Visitor) -> wire.NextQuestion:
    """Return the question that has been due for longest: the decision, and the table as your seat saw it then."""
    person = who.guest.id
    # A question is skipped if its round cannot be read, or is to be reviewed again first. One that is no mistake by a newer review
    # is deleted.
    older = await _older(desk, person)
    for mistake in await _due(desk, person):
        if _round(mistake) in older:
            continue
        with suppress(ProblemError):
            if (await _moment(desk, mistake)).label == SOUND:
                await desk.store.drop_mistake(person, mistake)
                continue
            return wire.NextQuestion(question=await _asked(desk, mistake, person))
    return wire.NextQuestion(question=None)


async def _asked(desk: Desk, mistake: Mistake, person: str) -> wire.Question:
    moment = await _moment(desk, mistake)
    seat, number = mistake.seat, mistake.round
    again = await desk.tables.read_anywhere(mistake.match, lambda table: replay_of(table, seat, number), person)
    events = await desk.work.do(again.tell)
    event = [event for event in events if event.kind == "play"][moment.seen - 1]
    assert event.view
    return wire.Question(
        table=mistake.match,
        game=event.view.game,
        round=mistake.round,
        seat=mistake.seat,
        number=mistake.number,
        tries=mistake.tries,
        choices=[*moment.choices],
        event=event,
        hint=[] if _second(mistake) else None,
    )


async def try_question(desk: Desk, who: Visitor, asked: wire.AskTry) -> wire.Tried:
    """Answer a question. After a wrong first answer there is a hint and a second try.

    The answer decides when the question comes back. The same request sent again gets the same response, and counts once.
    """
    person = who.guest.id
    mistake = await desk.store.mistake(person, asked.table, asked.round, asked.number)
    if mistake is None:
        raise ProblemError("no-such-question")
    moment = await _moment(desk, mistake)
    if mistake.answer and asked.tries == mistake.tries - 1 and (last := _LAST_TRY.decode(mistake.answer)).action == asked.action:
        return _tried(last, mistake.tries, moment)
    now = desk.store.time.now()
    if asked.tries != mistake.tries or mistake.due > now:
        raise ProblemError("answered-already")
    if asked.action is not None and asked.action not in {choice.action for choice in moment.choices}:
        raise ProblemError("action", reason=f"{asked.action} is not among the choices")
    right, second = asked.action in moment.right, _second(mistake)
    if not right and not second:
        last, due, state = _LastTry(asked.action, False, False, None), mistake.due, mistake.state
    else:
        grade = Grade.AGAIN if not right else Grade.HARD if second else Grade.GOOD
        state, due = graded(mistake.state, grade, now)
        last = _LastTry(asked.action, right, True, days(now, due))
    try:
        await desk.store.answer_mistake(person, mistake, due, state, msgspec.json.encode(last).decode())
    except Conflict:
        return await try_question(desk, who, asked)  # a duplicate request was first: its answer counts
    return _tried(last, mistake.tries + 1, moment)


async def _moment(desk: Desk, mistake: Mistake) -> Moment:
    review = await _review(desk, _round(mistake))
    if review is None:
        raise ProblemError("no-such-question")
    return next(moment for moment in review.moments if moment.number == mistake.number)


def _round(mistake: Mistake) -> Key:
    return mistake.match, mistake.round, mistake.seat


def _second(mistake: Mistake) -> bool:
    """Whether the first answer was wrong, so that this is the second chance."""
    return mistake.answer is not None and not _LAST_TRY.decode(mistake.answer).over


def _tried(last: _LastTry, tries: int, moment: Moment) -> wire.Tried:
    return wire.Tried(
        right=last.right,
        over=last.over,
        tries=tries,
        hint=[*moment.facts] if last.over else [],
        moment=moment if last.over else None,
        days=last.days,
    )


_TRY = wire.AskTry(table="b7Zk2QxWm0Ra", round=1, number=2, tries=0, action="7I")
ROUTES = (
    Route("GET", "/api/practice", "practice", "The state of my practice", show_practice, wire.Practice),
    Route("POST", "/api/practice", "search_mistakes", "Look for my mistakes", search_mistakes, wire.Practice),
    Route("GET", "/api/practice/question", "question", "The next question", show_question, wire.NextQuestion),
    Route("POST", "/api/practice/tries", "try_question", "Answer a question", try_question, wire.Tried, _TRY, (404, 409)),
)
