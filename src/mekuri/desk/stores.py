"""What is stored beside the log of tables: people, their finished matches, reviews, mistakes and the deals of the day.

Each protocol is one part of a store. `mekuri.desk.memory_store` implements all of them in memory, `mekuri.server.storage.store` in
a database. Every method raises LogError where the store cannot be read or written. A write is durable when its method returns.
Times are in milliseconds since the epoch; people and matches are given by their ids.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Protocol

import msgspec

from mekuri.table.log import Log, LogError, MatchRow, NewMatch, State
from mekuri.table.results import Result
from mekuri.table.time import Time

FOR_EVER = (1 << 53) - 1  # the end of a ban that never ends, in milliseconds since the epoch

Fingerprint = tuple[int | None, ...]
Spread = dict[str, list[tuple[int, int]]]  # by game, pairs of points and number of tries, in ascending order of points


class Gone(LogError):
    """There is no such person, or not any more: they may be deleted while a request of theirs is in progress."""


class Person(msgspec.Struct, frozen=True):
    """A person, with the device of the request. Times are in milliseconds since the epoch.

    Attributes:
        id, name: of the person.
        made_at: when the person came first.
        device: the id of the device.
        seen_at: when the device was last used, to the hour.
        banned_until: when the ban ends; None without one.
        banned_why: the reason of the ban.
    """

    id: str
    name: str
    made_at: int
    device: int
    seen_at: int
    banned_until: int | None = None
    banned_why: str | None = None


class Device(msgspec.Struct, frozen=True):
    """A device on which a person is signed in. Times are in milliseconds since the epoch."""

    id: int
    made_at: int
    seen_at: int


class Mistake(msgspec.Struct, frozen=True):
    """A mistake of a person.

    Attributes:
        match, round, seat, number: the decision: its match, round, seat, and number among the seat's decisions.
        due: when it is to be asked, in milliseconds since the epoch.
        state: the state of its spaced repetition, see `mekuri.table.schedule`.
        tries: how many answers were given.
        answer: the last answer and its outcome, as JSON; None before the first. It is stored as `told`.
    """

    match: str
    round: int
    seat: int
    number: int
    due: int
    state: str
    tries: int
    answer: str | None = msgspec.field(name="told")


class Drawn(msgspec.Struct, frozen=True):
    """The secret of a game's deal of the day. `repr` leaves out the root.

    Attributes:
        game: the game's name.
        root: 32 random bytes.
        at: when it was drawn, in milliseconds since the epoch.
    """

    game: str
    root: bytes
    at: int

    def __repr__(self) -> str:
        return f"Drawn(game={self.game!r}, at={self.at})"


class Try(msgspec.Struct, frozen=True):
    """A guest's try at a deal of the day.

    Attributes:
        day, game: the deal.
        person: the guest.
        match: the id of the match.
        over: whether the match is over and counted.
        points: the result of the round; None where it does not count.
    """

    day: str
    game: str
    person: str
    match: str
    over: bool
    points: int | None


class Matches(Protocol):
    """The matches of the log, and those of a person."""

    async def match(self, id: str) -> MatchRow | None:
        """Return a match; None where there is none."""

    async def of_person(self, person: str, states: Sequence[State], limit: int) -> list[str]:
        """Return the ids of at most `limit` matches, in these states, in which a person has taken a seat, newest first."""

    async def all_of_person(self, person: str) -> list[str]:
        """Return the ids of all matches that a person has made or has taken a seat in."""

    async def made_open(self, maker: str) -> list[str]:
        """Return the ids of the matches that a person has made and that wait for players."""

    async def unfinished(self, maker: str) -> int:
        """Return the number of matches made by a person that are not over."""

    async def own_rows(self, person: str, match: str) -> tuple[Sequence[Any], Sequence[Sequence[Any]]]:
        """Return a match (id, game, state, time made, maker), and a person's own rows in it (kind, time, seat, body as JSON)."""


class Listings(Protocol):
    """The matches of lists."""

    async def public_open(self, limit: int, each: int, attended: Mapping[str, Collection[str]]) -> list[str]:
        """Return public matches that wait for players: first matches of makers who are present, then the others, newest first.

        Args:
            limit: the most matches returned.
            each: the most of one maker; twice as many of one household, where that is known.
            attended: the people present at each match.
        """

    async def due_of_person(self, person: str, limit: int) -> list[str]:
        """Return running matches in which a person has a seat and a player owes a decision, the most urgent first."""


class People(Protocol):
    """People without an account, each with one device or several. Only hashes of their tokens and codes are stored."""

    async def add_person(self, id: str, token_hash: str, name: str) -> None:
        """Add a person with a device. Raises Conflict where the id or the token exists."""

    async def person_by_token(self, token_hash: str) -> Person | None:
        """Return the person with a token of this SHA-256; None if there is none."""

    async def rename(self, id: str, name: str) -> None:
        """Rename a person. Raises Gone where there is no such person."""

    async def names(self, ids: Sequence[str]) -> dict[str, str]:
        """Return the names of people by their ids. Unknown ids are left out."""

    async def forget_person(self, id: str) -> None:
        """Delete a person and all personal data. Rows of matches stay, with an unknown id. Unknown ids are ignored."""

    async def devices(self, person: str) -> list[Device]:
        """Return a person's devices, oldest first."""

    async def see_device(self, id: int) -> None:
        """Set the time at which a device was last used to now."""

    async def sign_out(self, person: str, but: int = 0) -> None:
        """Delete a person's devices but one (0 for none), and the code for a new one."""

    async def sign_out_device(self, person: str, id: int) -> None:
        """Delete one device of a person."""

    async def add_code(self, person: str, code_hash: str, life_ms: int) -> int:
        """Add a code for a new device of a person, in the place of an older one.

        Returns:
            When it expires, in milliseconds since the epoch.

        Raises:
            Conflict: another person has the same code.
            Gone: there is no such person.
        """

    async def use_code(self, code_hash: str, token_hash: str) -> bool:
        """Use up a code and add a device with its own token. Returns whether the code was valid."""

    async def site_id(self) -> str:
        """Return the random id of the store, drawn at the first call. Copies of the store have the same."""


class Results(Protocol):
    """Each person's finished matches: counted from the log at the first request, or imported."""

    time: Time

    async def count_results(self, person: str) -> bool:
        """Store the results of up to 50 finished matches of a person. Returns whether there may be more to count."""

    async def results(self, person: str) -> list[Result]:
        """Return the results of a person with at least one counted round, in the order in which they ended."""

    async def some_results(self, person: str, skip: int, limit: int) -> list[Result]:
        """Return a page of these results, most recently ended first."""

    async def results_fingerprint(self, person: str) -> Fingerprint:
        """Return a value that changes whenever the results of a person change."""

    async def brought(self, person: str) -> list[Result]:
        """Return the imported results of a person, in the order in which they ended."""

    async def brought_count(self, person: str) -> int:
        """Return how many imported results a person has."""

    async def same_result(self, person: str, match: str, digest: str | None = None) -> Result | None:
        """Return a person's result of a match, found by the match's id or by the digest of its cards and actions; None if none."""

    async def add_result(self, person: str, result: Result) -> None:
        """Add an imported result. Raises Conflict where the person has this match already, and Gone where they are deleted."""

    async def with_record(self, person: str, match: str, game: str) -> tuple[Result, str | None]:
        """Return the result of a finished match for a person, and the match's record as JSON; None where it has none."""


class Reviews(Protocol):
    """Reviews of finished rounds."""

    time: Time

    async def review(self, match: str, number: int, seat: int) -> bytes | None:
        """Return the review of a round for a seat, as JSON; None where there is none."""

    async def keep_review(self, match: str, number: int, seat: int, body: bytes) -> None:
        """Store a review in the place of an older one. Does nothing where the match is deleted."""

    async def reviewed(self, matches: Collection[str]) -> set[tuple[str, int, int]]:
        """Return the rounds of some matches that have reviews, as match, round and seat."""


class Mistakes(Protocol):
    """Decisions in a person's finished rounds, each due as a practice question at its own time."""

    time: Time

    async def mistake(self, person: str, match: str, round: int, number: int) -> Mistake | None:
        """Return a mistake of a person; None if there is none at this decision."""

    async def due_mistakes(self, person: str, limit: int) -> list[Mistake]:
        """Return mistakes that are due, longest due first."""

    async def mistakes(self, person: str) -> list[Mistake]:
        """Return all mistakes of a person, by when they are due."""

    async def mistakes_count(self, person: str) -> tuple[int, int, int | None]:
        """Count the mistakes of a person.

        Returns:
            How many there are, how many are due, and when the next one will be due, in milliseconds since the epoch; None if no
            other is left.
        """

    async def searched(self, person: str, matches: Collection[str]) -> set[tuple[str, int]]:
        """Return the rounds of some matches that have been searched for a person's mistakes, as pairs of match and round."""

    async def keep_mistakes(self, person: str, match: str, round: int, seat: int, numbers: Sequence[int]) -> None:
        """Record that a round has been searched, and add the mistakes found, due at once.

        Does nothing where the round has been searched already, or the person or the match is deleted.
        """

    async def drop_mistake(self, person: str, one: Mistake) -> None:
        """Delete a mistake that is none by a newer review."""

    async def answer_mistake(self, person: str, before: Mistake, due: int, state: str, answer: str) -> None:
        """Record another answer to a mistake.

        Args:
            person: the person.
            before: the mistake as it was read.
            due: when it is due next, in milliseconds since the epoch.
            state: the new state of its spaced repetition.
            answer: the answer and its outcome, as JSON.

        Raises:
            Conflict: another answer has been recorded since, or the mistake is deleted.
        """


class Dailies(Protocol):
    """The deals of the day: their secrets, the cuts, and each guest's try. Days are text such as `2026-11-24`."""

    time: Time

    async def ago(self, milliseconds: int) -> int:
        """Return the time of day so many milliseconds ago, not counting those over which the clock has leapt ahead."""

    async def daily_deals(self, day: str) -> list[Drawn]:
        """Return the deals that are drawn for a day."""

    async def draw_daily(self, day: str, game: str, root: bytes) -> None:
        """Store the root of a game's deal, unless one is stored already."""

    async def forget_dailies(self, before: str) -> None:
        """Delete all deals, cuts and tries of the days before one."""

    async def daily_digests(self, day: str) -> list[str]:
        """Return the digests of all cuts of a day, in ascending order."""

    async def daily_cuts_count(self, day: str) -> int:
        """Return how many cuts a day has."""

    async def own_daily_cuts(self, person: str) -> dict[str, str]:
        """Return the digests of a person's cuts, by day."""

    async def add_daily_cut(self, day: str, person: str, digest: str) -> None:
        """Add a person's cut of a day. Raises Conflict where the person has one already, and Gone where they are deleted."""

    async def change_daily_cut(self, day: str, person: str, digest: str) -> None:
        """Replace a person's cut of a day. Raises Conflict where the person has none."""

    async def add_daily_try(self, new: NewMatch, day: str, person: str) -> None:
        """Add the match at which a guest plays the deal of a day.

        Raises:
            Conflict: the guest has played this deal already.
            Gone: the guest is deleted.
        """

    async def own_daily_tries(self, person: str, day: str | None = None) -> list[Try]:
        """Return a person's tries, of all days or of one."""

    async def count_daily_tries(self, day: str, until: int) -> None:
        """Store the results of up to 50 tries whose matches are over.

        Args:
            day: the day of the deals.
            until: when the day ends, in milliseconds since the epoch; matches that ended later do not count.
        """

    async def daily_spread(self, day: str) -> Spread:
        """Return for each game how many tries brought which points. Only tries that count are included."""


class Stores(Log, Matches, Listings, People, Results, Reviews, Mistakes, Dailies, Protocol):
    """The log and everything that is stored beside it."""


def spread(found: Iterable[tuple[str, str | None, str | None]], limit: int, each: int) -> list[str]:
    """Return the first matches of a list, without letting one maker or household fill it.

    Args:
        found: each match's id, its maker and its household, in the order of the list.
        limit: how many matches are returned at most.
        each: how many of them one maker may have; a household may have twice as many.

    Returns:
        The ids, in the same order.
    """
    counts: Counter[tuple[str, str]] = Counter()
    listed: dict[str, None] = {}
    for id, maker, household in found:
        of = [(kind, who) for kind, who in (("maker", maker), ("household", household)) if who is not None]
        if id in listed or any(counts[one] >= each * (1 + (one[0] == "household")) for one in of):
            continue
        counts.update(of)
        listed[id] = None
        if len(listed) == limit:
            break
    return list(listed)
