"""Practice: a person's own mistakes in finished rounds, asked as questions at growing intervals (spaced repetition)."""

from __future__ import annotations

from contextlib import suppress

import msgspec

from mekuri.bots.review import Moment, Review
from mekuri.desk.reviewers import Key, Reviewers, is_older
from mekuri.desk.stores import Mistake, Stores
from mekuri.desk.tables import Tables
from mekuri.desk.work import Work
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
_SOUND = "fine"  # the label of a decision that is no mistake
_WAITS = ("reviewing", "busy", "too-dear", "disk-full")  # errors after which a later attempt may succeed
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


class Practice:
    """The practice of all guests.

    Args:
        store: the log.
        reviewers: makes missing reviews.
        tables: the tables, which have the finished rounds.
        work: does work that would block the event loop.
    """

    def __init__(self, store: Stores, reviewers: Reviewers, tables: Tables, work: Work) -> None:
        self._store = store
        self._reviewers = reviewers
        self._tables = tables
        self._work = work
        self._failed: set[Key] = set()  # rounds that could not be reviewed again

    async def standing(self, person: str) -> wire.Practice:
        """Return how many mistakes of a person are stored and due, and how many rounds may still be searched."""
        kept, due, following = await self._store.mistakes_count(person)
        _, unseen = await self._rounds(person) if kept < MOST else ([], [])
        older = await self._older(person) if due else []
        return wire.Practice(due=due, kept=kept, next=following, rounds=len(unseen) + len(older), done=0, total=0)

    async def search(self, person: str) -> wire.Practice:
        """Search the newest rounds with reviews, up to 10. Where no others are left, also start a review of one more round.

        Rounds of due mistakes come first whose reviews an earlier judge made: they are reviewed again.

        Returns:
            The state of the practice. `done` and `total` count the judged decisions of a review in progress.
        """
        found, done, total = await self.standing(person), 0, 0
        if not found.rounds:
            return found
        if older := await self._older(person):
            done, total = await self._have_reviewed(person, older[0], again=True)
            return msgspec.structs.replace(await self.standing(person), done=done, total=total)
        there, unseen = await self._rounds(person)
        for key in there[:_AT_ONCE]:
            await self._look_through(person, key)
        lacking = [key for key in unseen if key not in there]
        if len(there) <= _AT_ONCE and lacking:
            done, total = await self._have_reviewed(person, lacking[0])
        return msgspec.structs.replace(await self.standing(person), done=done, total=total)

    async def _rounds(self, person: str) -> tuple[list[Key], list[Key]]:
        """Return the rounds that have not been searched, newest first.

        The first list has those with a review; the second has these, and the newest without one, which will be reviewed.
        """
        await self._store.count_results(person)
        results = [one for one in await self._store.some_results(person, 0, _MATCHES) if not one.imported]
        played = [(one.match, number, one.outcome.seat) for one in results for number in reversed(one.outcome.rounds)]
        matches = {one.match for one in results}
        searched, reviewed = await self._store.searched(person, matches), await self._store.reviewed(matches)
        unseen = [(n, key) for n, key in enumerate(played) if key[:2] not in searched]
        return [key for _, key in unseen if key in reviewed], [key for n, key in unseen if n < _ROUNDS or key in reviewed]

    async def _look_through(self, person: str, key: Key) -> None:
        """Store the mistakes of a reviewed round, as far as the person's limit allows."""
        match, number, seat = key
        review = await self._review(key)
        found = [moment.number for moment in review.moments if moment.label != _SOUND] if review else []
        kept, _, _ = await self._store.mistakes_count(person)
        await self._store.keep_mistakes(person, match, number, seat, found[: MOST - kept])

    async def _have_reviewed(self, person: str, key: Key, again: bool = False) -> tuple[int, int]:
        """Have a round reviewed. Returns how many decisions are judged, of how many. A round that cannot be has no mistakes."""
        try:
            _, done, total = await self._reviewers.progress(key, await self._tables.finished(*key, person), person, again)
        except ProblemError as refused:
            if refused.problem.error not in _WAITS:
                if again:
                    self._failed = {*self._failed, key} if len(self._failed) < _FAILED else {key}
                else:
                    await self._store.keep_mistakes(person, *key, ())
            return 0, 0
        return done, total

    async def _due(self, person: str) -> list[Mistake]:
        return await self._store.due_mistakes(person, _PASSED_OVER)

    async def _older(self, person: str) -> list[Key]:
        """Return the rounds of the mistakes that have been due for longest whose reviews an earlier judge made.

        Rounds that could not be reviewed again are left out: their mistakes are asked as the earlier judge found them.
        """
        rounds = dict.fromkeys(map(_round, await self._due(person)))
        bodies = {key: await self._store.review(*key) for key in rounds}
        return [key for key, body in bodies.items() if body and is_older(body) and key not in self._failed]

    async def _review(self, key: Key) -> Review | None:
        body = await self._store.review(*key)
        return _REVIEW.decode(body) if body else None

    # --- Questions ---

    async def question(self, person: str) -> wire.NextQuestion:
        """Return the question that has been due for longest.

        One whose round cannot be read, or is to be reviewed again first (see `search`), is skipped. One that is no mistake by a
        newer review is deleted.
        """
        older = await self._older(person)
        for mistake in await self._due(person):
            if _round(mistake) in older:
                continue
            with suppress(ProblemError):
                if (await self._moment(mistake)).label == _SOUND:
                    await self._store.drop_mistake(person, mistake)
                    continue
                return wire.NextQuestion(question=await self._asked(mistake, person))
        return wire.NextQuestion(question=None)

    async def _asked(self, mistake: Mistake, person: str) -> wire.Question:
        moment = await self._moment(mistake)
        seat, number = mistake.seat, mistake.round
        again = await self._tables.read_anywhere(mistake.match, lambda table: replay_of(table, seat, number), person)
        events = await self._work.do(again.tell)
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

    async def attempt(self, person: str, asked: wire.AskTry) -> wire.Tried:
        """Grade an answer to a question. The same request sent again gets the same response and counts once.

        A wrong first answer gets a second chance, and nothing is said of the best choice before.

        Raises:
            ProblemError: there is no such question, it is not due or answered already, or the action is none of its choices.
        """
        mistake = await self._store.mistake(person, asked.table, asked.round, asked.number)
        if mistake is None:
            raise ProblemError("no-such-question")
        moment = await self._moment(mistake)
        if mistake.told and asked.tries == mistake.tries - 1 and (told := _LAST_TRY.decode(mistake.told)).action == asked.action:
            return _tried(told, mistake.tries, moment)
        now = self._store.time.now()
        if asked.tries != mistake.tries or mistake.due > now:
            raise ProblemError("answered-already")
        if asked.action is not None and asked.action not in {choice.action for choice in moment.choices}:
            raise ProblemError("action", reason=f"{asked.action} is not among the choices")
        right, second = asked.action in moment.right, _second(mistake)
        if not right and not second:
            told, due, state = _LastTry(asked.action, False, False, None), mistake.due, mistake.state
        else:
            grade = Grade.AGAIN if not right else Grade.HARD if second else Grade.GOOD
            state, due = graded(mistake.state, grade, now)
            told = _LastTry(asked.action, right, True, days(now, due))
        try:
            await self._store.answer_mistake(person, mistake, due, state, msgspec.json.encode(told).decode())
        except Conflict:
            return await self.attempt(person, asked)  # a duplicate request was first: its answer counts
        return _tried(told, mistake.tries + 1, moment)

    async def _moment(self, mistake: Mistake) -> Moment:
        review = await self._review(_round(mistake))
        if review is None:
            raise ProblemError("no-such-question")
        return next(moment for moment in review.moments if moment.number == mistake.number)


def _round(mistake: Mistake) -> Key:
    return mistake.match, mistake.round, mistake.seat


def _second(mistake: Mistake) -> bool:
    """Whether the first answer was wrong, so that this is the second chance."""
    return mistake.told is not None and not _LAST_TRY.decode(mistake.told).over


def _tried(told: _LastTry, tries: int, moment: Moment) -> wire.Tried:
    return wire.Tried(
        right=told.right,
        over=told.over,
        tries=tries,
        hint=[*moment.facts] if told.over else [],
        moment=moment if told.over else None,
        days=told.days,
    )
