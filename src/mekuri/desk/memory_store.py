"""All stores in memory, for one process without a database, such as a page without a server. There are few people."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress

from msgspec import Raw, Struct
from msgspec.structs import replace

from mekuri.desk.memory import Change, KeptMatch, Key, MemoryLog, as_json, write
from mekuri.desk.stores import Device, Drawn, Fingerprint, Gone, Mistake, Person, Spread, Try
from mekuri.table.log import Conflict, NewMatch, Row
from mekuri.table.results import BESIDE, Result, Sat, with_record
from mekuri.table.schedule import new
from mekuri.table.time import Time

_AT_ONCE = 50  # results that one call counts


class _Human(Struct, frozen=True):
    id: str
    name: str
    made_at: int


class _Device(Struct, frozen=True):
    id: int
    person: str
    token_hash: str
    made_at: int
    seen_at: int


class _Code(Struct, frozen=True):
    person: str
    code_hash: str
    until: int


class _Site(Struct, frozen=True):
    id: str


class _Review(Struct, frozen=True):
    match: str
    round: int
    seat: int
    body: Raw


class _Searched(Struct, frozen=True):
    match: str
    round: int


class _Cut(Struct, frozen=True):
    day: str
    person: str  # empty after the person is deleted
    digest: str


class MemoryStore(MemoryLog):
    """`mekuri.desk.stores.Stores` in memory. Its methods do what those of the protocols say."""

    kinds = MemoryLog.kinds | {
        "person": _Human,
        "device": _Device,
        "code": _Code,
        "site": _Site,
        "result": Result,
        "review": _Review,
        "searched": _Searched,
        "mistake": Mistake,
        "deal": Drawn,
        "cut": _Cut,
        "try": Try,
    }

    def __init__(self, time: Time) -> None:
        super().__init__(time)
        self._devices = 0  # the last id of a device

    def _apply(self, kind: type, key: Key, body: bytes | None) -> None:
        super()._apply(kind, key, body)
        if kind is _Device:
            self._devices = max(self._devices, int(key[1]))

    # --- People ---

    @write
    def add_person(self, id: str, token_hash: str, name: str) -> list[Change]:
        """Add a person with a device. Raises Conflict where the id or the token exists."""
        if self._one(_Human, id) or self._by_token(token_hash):
            raise Conflict("there is such a person already: take another id and token")
        at = self.time.now()
        return [(_Human, (id,), _Human(id, name, at)), self._new_device(id, token_hash, at)]

    async def person_by_token(self, token_hash: str) -> Person | None:
        """Return the person with a token of this SHA-256; None if there is none."""
        device = self._by_token(token_hash)
        return _signed_in(self._person(device.person), device) if device else None

    @write
    def rename(self, id: str, name: str) -> list[Change]:
        """Rename a person. Raises Gone where there is no such person."""
        return [(_Human, (id,), replace(self._person(id), name=name))]

    async def names(self, ids: Sequence[str]) -> dict[str, str]:
        """Return the names of people by their ids. Unknown ids are left out."""
        return {id: person.name for id in ids if (person := self._one(_Human, id))}

    @write
    def forget_person(self, id: str) -> list[Change]:
        """Delete a person and all personal data. Rows of matches stay, with an unknown id. Unknown ids are ignored."""
        kinds = (_Human, _Code, _Device, Result, _Searched, Mistake)
        own: list[Change] = [(kind, key, None) for kind in kinds for key in self._values[kind].get(id, {})]
        tries = [(Try, (one.day, one.game, id), None) for one in self._all(Try) if one.person == id]
        cuts = [one for one in self._all(_Cut) if one.person == id]
        cut = [(_Cut, (one.day, id), None) for one in cuts]
        # A cut stays, as it is a part of its day's deals.
        unnamed = [(_Cut, (one.day, "", secrets.token_hex(8)), replace(one, person="")) for one in cuts]
        return [*own, *tries, *cut, *unnamed]

    async def devices(self, person: str) -> list[Device]:
        """Return a person's devices, oldest first."""
        devices = sorted(self._of(_Device, person), key=lambda device: device.id)
        return [Device(device.id, device.made_at, device.seen_at) for device in devices]

    @write
    def see_device(self, id: int) -> list[Change]:
        """Set the time at which a device was last used to now."""
        at = self.time.now()
        found = [device for device in self._all(_Device) if device.id == id]
        return [(_Device, (device.person, id), replace(device, seen_at=at)) for device in found]

    @write
    def sign_out(self, person: str, but: int = 0) -> list[Change]:
        """Delete a person's devices but one (0 for none), and the code for a new one."""
        out = [device.id for device in self._of(_Device, person) if device.id != but]
        return [(_Code, (person,), None), *((_Device, (person, id), None) for id in out)]

    @write
    def sign_out_device(self, person: str, id: int) -> list[Change]:
        """Delete one device of a person."""
        return [(_Device, (person, id), None)]

    async def add_code(self, person: str, code_hash: str, life_ms: int) -> int:
        """Add a code for a new device of a person, in the place of an older one. Returns when it expires.

        Raises:
            Conflict: another person has the same code.
            Gone: there is no such person.
        """
        code = _Code(person, code_hash, self.time.now() + life_ms)
        await self._add_code(code)
        return code.until

    @write
    def _add_code(self, code: _Code) -> list[Change]:
        self._person(code.person)
        if any(other.code_hash == code.code_hash and other.person != code.person for other in self._all(_Code)):
            raise Conflict("there is such a code already: take another")
        return [(_Code, (code.person,), code)]

    async def use_code(self, code_hash: str, token_hash: str) -> bool:
        """Use up a code and add a device with its own token. Returns whether the code was valid."""
        try:
            await self._use_code(code_hash, token_hash)
        except Conflict:
            return False
        return True

    @write
    def _use_code(self, code_hash: str, token_hash: str) -> list[Change]:
        at = self.time.now()
        code = next((code for code in self._all(_Code) if code.code_hash == code_hash and code.until > at), None)
        if code is None or self._by_token(token_hash):
            raise Conflict("the code is used up")
        return [(_Code, (code.person,), None), self._new_device(code.person, token_hash, at)]

    async def site_id(self) -> str:
        """Return the random id of the store, drawn at the first call."""
        await self._draw_site()
        return self._all(_Site)[0].id

    @write
    def _draw_site(self) -> list[Change]:
        return [] if self._all(_Site) else [(_Site, ("id",), _Site(secrets.token_hex(8)))]

    def _person(self, id: str) -> _Human:
        if found := self._one(_Human, id):
            return found
        raise Gone(f"there is no person {id}")

    def people(self) -> list[Person]:
        """Return all people, each as signed in on their newest device, in the order in which they came."""
        newest = {device.person: device for device in sorted(self._all(_Device), key=lambda device: device.id)}
        return [_signed_in(self._person(id), device) for id, device in newest.items()]

    def _by_token(self, token_hash: str) -> _Device | None:
        return next((device for device in self._all(_Device) if device.token_hash == token_hash), None)

    def _new_device(self, person: str, token_hash: str, at: int) -> Change:
        id = self._devices + 1
        return _Device, (person, id), _Device(id, person, token_hash, at, at)

    # --- Results ---

    async def count_results(self, person: str) -> bool:
        """Store the results of up to 50 finished matches of a person. Returns whether there may be more to count."""
        over = [one for one in self._all(KeptMatch) if one.state == "over" and not self._one(Result, person, one.id)]
        found = [one for one in over if self._sat(person, one.id)][:_AT_ONCE]
        for one in found:
            result, _ = with_record(one.id, one.game, one.changed_at, person, self._beside(one.id))
            with suppress(Conflict, Gone):  # the match was imported, or the person is deleted
                await self.add_result(person, result)
        return len(found) == _AT_ONCE

    async def results(self, person: str) -> list[Result]:
        """Return the results of a person with at least one counted round, in the order in which they ended."""
        found = [result for result in self._of(Result, person) if result.outcome.rounds]
        return sorted(found, key=lambda result: (result.at, result.match))

    async def some_results(self, person: str, skip: int, limit: int) -> list[Result]:
        """Return a page of these results, most recently ended first."""
        return (await self.results(person))[::-1][skip : skip + limit]

    async def results_fingerprint(self, person: str) -> Fingerprint:
        """Return a value that changes whenever the results of a person change."""
        found = self._of(Result, person)
        return len(found), sum(result.at for result in found), sum(len(result.outcome.rounds) for result in found)

    async def brought(self, person: str) -> list[Result]:
        """Return the imported results of a person, in the order in which they ended."""
        return sorted((result for result in self._of(Result, person) if result.imported), key=lambda result: result.at)

    async def brought_count(self, person: str) -> int:
        """Return how many imported results a person has."""
        return len(await self.brought(person))

    async def same_result(self, person: str, match: str, digest: str | None = None) -> Result | None:
        """Return a person's result of a match, found by the match's id or by the digest of its cards and actions; None if none."""
        same = (one for one in self._of(Result, person) if one.match == match or (digest and one.digest == digest))
        return next(same, None)

    @write
    def add_result(self, person: str, result: Result) -> list[Change]:
        """Add an imported result. Raises Conflict where the person has this match already, and Gone where they are deleted."""
        self._person(person)
        if any(one.match == result.match or (one.digest and one.digest == result.digest) for one in self._of(Result, person)):
            raise Conflict("this match is here already")
        return [(Result, (person, result.match), result)]

    async def with_record(self, person: str, match: str, game: str) -> tuple[Result, str | None]:
        """Return the result of a finished match for a person, and the match's record as JSON; None where it has none."""
        return with_record(match, game, 0, person, self._beside(match))

    def _beside(self, match: str) -> list[Sat]:
        rows = sorted((row for row in self._of(Row, match) if row.kind in BESIDE), key=lambda row: row.n)
        return [Sat(row.kind, row.seat, row.person, row.at, as_json(row.body)) for row in rows]

    # --- Reviews and mistakes ---

    async def review(self, match: str, number: int, seat: int) -> bytes | None:
        """Return the review of a round for a seat, as JSON; None where there is none."""
        found = self._one(_Review, match, number, seat)
        return bytes(found.body) if found else None

    @write
    def keep_review(self, match: str, number: int, seat: int, body: bytes) -> list[Change]:
        """Store a review in the place of an older one. Does nothing where the match is deleted."""
        review = _Review(match, number, seat, Raw(body))
        return [(_Review, (match, number, seat), review)] if self._one(KeptMatch, match) else []

    async def reviewed(self, matches: Collection[str]) -> set[tuple[str, int, int]]:
        """Return the rounds of some matches that have reviews, as match, round and seat."""
        return {(one.match, one.round, one.seat) for match in matches for one in self._of(_Review, match)}

    async def mistake(self, person: str, match: str, round: int, number: int) -> Mistake | None:
        """Return a mistake of a person; None if there is none at this decision."""
        return self._one(Mistake, person, match, round, number)

    async def due_mistakes(self, person: str, limit: int) -> list[Mistake]:
        """Return mistakes that are due, longest due first."""
        now = self.time.now()
        return [one for one in await self.mistakes(person) if one.due <= now][:limit]

    async def mistakes(self, person: str) -> list[Mistake]:
        """Return all mistakes of a person, by when they are due."""
        return sorted(self._of(Mistake, person), key=lambda one: (one.due, one.match, one.round, one.number))

    async def mistakes_count(self, person: str) -> tuple[int, int, int | None]:
        """Return how many mistakes a person has, how many are due, and when the next one will be due; None if no other is left."""
        now, due = self.time.now(), [one.due for one in await self.mistakes(person)]
        return len(due), sum(at <= now for at in due), next((at for at in due if at > now), None)

    async def searched(self, person: str, matches: Collection[str]) -> set[tuple[str, int]]:
        """Return the rounds of some matches that have been searched for a person's mistakes, as pairs of match and round."""
        return {(one.match, one.round) for one in self._of(_Searched, person) if one.match in matches}

    @write
    def keep_mistakes(self, person: str, match: str, round: int, seat: int, numbers: Sequence[int]) -> list[Change]:
        """Record that a round has been searched, and add the mistakes found, due at once.

        Does nothing where the round has been searched already, or the person or the match is deleted.
        """
        now = self.time.now()
        if self._one(_Searched, person, match, round) or not (self._one(_Human, person) and self._one(KeptMatch, match)):
            return []
        found = [Mistake(match, round, seat, number, now, new(now), 0, None) for number in numbers]
        searched = (_Searched, (person, match, round), _Searched(match, round))
        return [searched, *((Mistake, (person, match, round, one.number), one) for one in found)]

    @write
    def drop_mistake(self, person: str, one: Mistake) -> list[Change]:
        """Delete a mistake that is none by a newer review."""
        return [(Mistake, (person, one.match, one.round, one.number), None)]

    @write
    def answer_mistake(self, person: str, before: Mistake, due: int, state: str, answer: str) -> list[Change]:
        """Record another answer to a mistake. Raises Conflict if another has been recorded since, or the mistake is deleted."""
        key = (person, before.match, before.round, before.number)
        found = self._one(Mistake, *key)
        if found is None or found.tries != before.tries:
            raise Conflict("it has been answered meanwhile")
        return [(Mistake, key, replace(found, due=due, state=state, tries=found.tries + 1, answer=answer))]

    # --- Deals of the day ---

    async def ago(self, milliseconds: int) -> int:
        """Return the time of day so many milliseconds ago."""
        return self.time.now() - milliseconds

    async def daily_deals(self, day: str) -> list[Drawn]:
        """Return the deals that are drawn for a day."""
        return self._of(Drawn, day)

    @write
    def draw_daily(self, day: str, game: str, root: bytes) -> list[Change]:
        """Store the root of a game's deal, unless one is stored already."""
        drawn = Drawn(game, root, self.time.now())
        return [] if self._one(Drawn, day, game) else [(Drawn, (day, game), drawn)]

    @write
    def forget_dailies(self, before: str) -> list[Change]:
        """Delete all deals, cuts and tries of the days before one."""
        days = [(kind, day) for kind in (Drawn, _Cut, Try) for day in self._values[kind] if str(day) < before]
        return [(kind, key, None) for kind, day in days for key in self._values[kind][day]]

    async def daily_digests(self, day: str) -> list[str]:
        """Return the digests of all cuts of a day, in ascending order."""
        return sorted(cut.digest for cut in self._of(_Cut, day))

    async def daily_cuts_count(self, day: str) -> int:
        """Return how many cuts a day has."""
        return len(self._of(_Cut, day))

    async def own_daily_cuts(self, person: str) -> dict[str, str]:
        """Return the digests of a person's cuts, by day."""
        return {cut.day: cut.digest for cut in sorted(self._all(_Cut), key=lambda cut: cut.day) if cut.person == person}

    @write
    def add_daily_cut(self, day: str, person: str, digest: str) -> list[Change]:
        """Add a person's cut of a day. Raises Conflict where the person has one already, and Gone where they are deleted."""
        self._person(person)
        if self._one(_Cut, day, person):
            raise Conflict("they have cut already")
        return [(_Cut, (day, person), _Cut(day, person, digest))]

    @write
    def change_daily_cut(self, day: str, person: str, digest: str) -> list[Change]:
        """Replace a person's cut of a day. Raises Conflict where the person has none."""
        if not self._one(_Cut, day, person):
            raise Conflict("they have not cut yet")
        return [(_Cut, (day, person), _Cut(day, person, digest))]

    @write
    def add_daily_try(self, new: NewMatch, day: str, person: str) -> list[Change]:
        """Add the match at which a guest plays the deal of a day.

        Raises:
            Conflict: the guest has played this deal already.
            Gone: the guest is deleted.
        """
        self._person(person)
        if self._one(Try, day, new.game, person):
            raise Conflict(f"{person} plays the deal of {day} already: look where")
        one = Try(day, new.game, person, new.id, False, None)
        return [*self._added(new), (Try, (day, new.game, person), one)]

    async def own_daily_tries(self, person: str, day: str | None = None) -> list[Try]:
        """Return a person's tries, of all days or of one."""
        found = [one for one in self._all(Try) if one.person == person and day in (None, one.day)]
        return sorted(found, key=lambda one: (one.day, one.game))

    @write
    def count_daily_tries(self, day: str, until: int) -> Iterable[Change]:
        """Store the results of the tries whose matches are over. Matches that ended later than `until` do not count."""
        for one in self._of(Try, day):
            match = self._one(KeptMatch, one.match)
            if match and match.state == "over" and not one.over:
                result, _ = with_record(one.match, one.game, 0, one.person, self._beside(one.match))
                yield Try, (day, one.game, one.person), replace(one, over=True, points=result.points(until))

    async def daily_spread(self, day: str) -> Spread:
        """Return for each game how many tries brought which points. Only tries that count are included."""
        counted = Counter((one.game, one.points) for one in self._of(Try, day) if one.points is not None)
        found: Spread = {}
        for (game, points), times in sorted(counted.items()):
            found.setdefault(game, []).append((points, times))
        return found


def _signed_in(person: _Human, device: _Device) -> Person:
    return Person(person.id, person.name, person.made_at, device.id, device.seen_at)
