"""The result of a match for one of its players, counted from its record: wins, points of rounds, and yaku.

A round counts for the person in the seat when it ended, unless a bot held the seat then.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from typing import Any

import msgspec

from mekuri import games
from mekuri.bots import names_for
from mekuri.engine.errors import OptionError, RecordError, UnknownGame
from mekuri.engine.options import parse
from mekuri.engine.rulebook import rulebook
from mekuri.engine.sides import partners
from mekuri.match.match import Match
from mekuri.match.record import Record
from mekuri.match.replay import replay
from mekuri.match.setting import Setting
from mekuri.match.verify import verify
from mekuri.protocol.played import AskBring, BestRound, CallsMade, GamePlayed, PlayedMatch, YakuMade
from mekuri.protocol.table import Over
from mekuri.table.errors import ProblemError
from mekuri.table.seating import PERSON

# The kinds of rows that `with_record` reads.
BESIDE = ("sit", "draw", "free", "leave", "hold", "stall", "back", "round", "open", "take-back", "end")
STALLED: Over = "stalled"
_LONGEST_REASON = 200  # characters of the reason why a record is refused


class SeatOutcome(msgspec.Struct, frozen=True, kw_only=True):
    """The stored outcome of a match for a person, with the fields of `PlayedMatch`."""

    seat: int = 0
    players: list[str | None] = []
    why: Over | None = None
    won: bool = False
    rounds: list[int] = []
    returns: list[int] = []
    yaku: dict[str, int] = {}
    partners: list[int] = []
    calls: list[CallsMade] = []  # results of earlier versions have none


_OUTCOME = msgspec.json.Decoder(SeatOutcome)
_NOTHING = msgspec.json.encode(SeatOutcome()).decode()


class _Line(msgspec.Struct):
    seat: int | str
    args: dict[str, Any]
    points: int
    clause: str


class _Round(msgspec.Struct):
    packs: list[str]
    actions: str
    returns: list[int]
    sheet: list[_Line]


class _Kept(msgspec.Struct):
    """The part of a record's JSON that is counted."""

    rounds: list[_Round]
    players: list[str] = []
    options: dict[str, str] = {}


_KEPT = msgspec.json.Decoder(_Kept)


@dataclass(frozen=True)
class Sat:
    """A row of the log about a seat, the end of a round or the end of the match; its body is JSON, its time in milliseconds."""

    kind: str
    seat: int | None
    person: str | None
    at: int
    body: str


@dataclass(frozen=True)
class Result:
    """The result of a match for a person.

    Attributes:
        match, game: the match.
        at: when it ended, in milliseconds since the epoch.
        imported: whether it was imported from a file.
        digest: the SHA-256 of its cards and actions; None where no record can be counted for the person.
        body: a `SeatOutcome` as JSON.
    """

    match: str
    game: str
    at: int
    imported: bool
    digest: str | None
    body: str

    @property
    def outcome(self) -> SeatOutcome:
        """The decoded body."""
        return _OUTCOME.decode(self.body)

    def points(self, until: int) -> int | None:
        """Return what the first round brought; None where it does not count, or the match did not end before a time."""
        returns = self.outcome.returns
        return returns[0] if returns and self.at < until else None

    def played(self) -> PlayedMatch:
        """Return the result as it is sent."""
        return PlayedMatch(
            table=self.match, game=self.game, ended_at=self.at, imported=self.imported, **msgspec.structs.asdict(self.outcome)
        )


# --- A match of the log ---


def with_record(match: str, game: str, ended_at: int, person: str, rows: Iterable[Sat]) -> tuple[Result, str | None]:
    """Return the result of a finished match for a person, and the match's record as JSON; None where it has none.

    Args:
        match: the id of the match.
        game: its game.
        ended_at: the time of the end, where the log has none, in milliseconds since the epoch.
        person: the person.
        rows: the rows of the match about its seats and ends.
    """
    seat, counted, end = _at_the_table(person, rows)
    body = msgspec.json.decode(end.body) if end else {}
    record = body.get("record")
    at = end.at if end else ended_at
    if record is None or seat is None:
        return Result(match, game, at, False, None, _NOTHING), record
    try:
        kept = _KEPT.decode(record)
    except msgspec.DecodeError:  # the record has an unknown shape: nothing of it counts
        return Result(match, game, at, False, None, _NOTHING), None
    outcome = _outcome(game, kept, seat, counted, body.get("winners") or (), body["why"])
    return Result(match, game, at, False, _digest(game, kept), msgspec.json.encode(outcome).decode()), record


def _at_the_table(person: str, rows: Iterable[Sat]) -> tuple[int | None, list[int], Sat | None]:
    """Return a person's last seat, the rounds that count for the person, and the row of the match's end.

    No round counts of a practice match, and of one that was ended because a player did not act.
    """
    seats: dict[int, str | None] = {}
    away: set[int] = set()
    counted: list[int] = []
    begun, void, ended, last, end = False, False, 0, None, None
    for row in rows:
        at = -1 if row.seat is None else row.seat
        if row.kind == "sit":
            seats[at] = row.person
        elif row.kind == "draw":
            body, before = msgspec.json.decode(row.body), dict(seats)
            seats |= {seat: before.get(place) for seat, place in zip(body["seats"], body["from"], strict=True)}
        elif row.kind == "free" or (row.kind == "leave" and not begun):
            seats.pop(at, None)
        elif row.kind in ("leave", "hold", "stall"):
            away.add(at)
        elif row.kind == "back":
            away.discard(at)
        elif row.kind == "round":
            begun = True
        elif row.kind == "open":
            ended += 1
            own = next((seat for seat, who in seats.items() if who == person and seat not in away), None)
            if own is not None:
                counted.append(ended)
                last = own
        elif row.kind == "take-back":
            void = True
        elif row.kind == "end":
            end = row
            void |= msgspec.json.decode(row.body)["why"] == STALLED
    return (None, [], end) if void else (last, counted, end)


def _outcome(game: str, kept: _Kept, seat: int, counted: Sequence[int], winners: Sequence[int], why: Over | None) -> SeatOutcome:
    """Return the outcome for a seat in the rounds that count. An unfinished round does not count."""
    rounds = [number for number in counted if number <= len(kept.rounds) and kept.rounds[number - 1].returns]
    own = [kept.rounds[number - 1] for number in rounds]
    finished = sum(bool(round.returns) for round in kept.rounds)
    return SeatOutcome(
        seat=seat,
        players=[None if player == PERSON else player for player in kept.players],
        why=why,
        won=seat in winners and len(winners) < len(kept.players) and finished in rounds,
        rounds=rounds,
        returns=[round.returns[seat] for round in own],
        yaku=_yaku(game, own, seat),
        partners=_partners(game, kept, seat),
        calls=_calls(game, own, seat),
    )


def _partners(game: str, kept: _Kept, seat: int) -> list[int]:
    """Return the seats that play with a seat, without itself; none where the game or its options are unknown here."""
    with suppress(UnknownGame, OptionError):
        contract = games.find(game)
        sides = Setting(contract, parse(contract.options, kept.options, game), len(kept.players)).sides
        return [other for other in partners(sides, seat) if other != seat]
    return []


def _yaku(game: str, rounds: Iterable[_Round], seat: int) -> dict[str, int]:
    """Return how often a seat has made which yaku.

    A line of the seat's score sheet counts if it names a yaku, and brings points or cites the yaku's clause.
    """
    clauses = _clauses(game)
    made: Counter[str] = Counter()
    for line in (line for round in rounds for line in round.sheet):
        id = str(line.args.get("yaku", ""))
        if id in clauses and line.seat == seat and (line.points > 0 or clauses[id] == line.clause):
            made[id] += 1
    return dict(made)


def _calls(game: str, rounds: Sequence[_Round], seat: int) -> list[CallsMade]:
    """Return what came of a seat's calls, each counted by what its round brought the seat."""
    found = []
    for word in _words(game):
        made = [(round.returns[seat], round.actions.split().count(f"{seat}:{word}")) for round in rounds]
        won, punished = (sum(times for brought, times in made if brought * sign > 0) for sign in (1, -1))
        found.append(CallsMade(word=word, times=sum(times for _, times in made), won=won, punished=punished))
    return [one for one in found if one.times]


@cache
def _words(game: str) -> tuple[str, ...]:
    """Return the words of a game that are counted as calls."""
    with suppress(UnknownGame):
        return tuple(word.text for word in games.find(game).calls)
    return ()


@cache
def _clauses(game: str) -> Mapping[str, str]:
    """Return the clause of each yaku of a game."""
    with suppress(UnknownGame):
        return {id: row["clause"] for id, row in rulebook(games.find(game)).yaku.items()}
    return {}


def _digest(game: str, kept: _Kept) -> str:
    """Return the SHA-256 of a match's cards and actions, by which it is recognized wherever it was played."""
    return sha256(msgspec.json.encode([game, [(round.packs, round.actions) for round in kept.rounds]])).hexdigest()


# --- A match of a file ---


def brought(asked: AskBring) -> Result:
    """Return the result of an imported match. The record is replayed, and its deals are verified.

    Raises:
        ProblemError: the record is not valid, is of practice, or has no round that counts; or its game or the seat does not exist.
    """
    try:
        record = Record.from_json(json.dumps(asked.record))
        if record.fair is None:
            raise RecordError("its deals cannot be verified, as no server's commitment is in it")
        if asked.why == STALLED:
            raise RecordError("it was ended because a player did not act")
        if record.practice:
            raise RecordError("it was practice, where moves are taken back")
        verify(record)
        match = replay(record)
    except UnknownGame:
        raise ProblemError("no-such-game") from None
    except (ValueError, RecursionError) as error:
        raise ProblemError("bad-record", reason=str(error)[:_LONGEST_REASON]) from None
    kept = _KEPT.decode(match.record().to_json())  # score sheets are computed by the rules, and not taken from the file
    if asked.seat >= len(kept.players):
        raise ProblemError("no-seat")
    counted = sorted(set(asked.counted))
    outcome = _outcome(record.game, kept, asked.seat, counted, _winners(match, asked.why), asked.why)
    if not outcome.rounds:
        raise ProblemError("bad-record", reason="no round of it counts")
    bots = names_for(match.game.contract)
    known = [player if player in bots else None for player in outcome.players]
    body = msgspec.json.encode(msgspec.structs.replace(outcome, players=known)).decode()
    return Result(asked.table, record.game, asked.ended_at, True, _digest(record.game, kept), body)


def _winners(match: Match, why: Over | None) -> Sequence[int]:
    """Return the winners; the leaders if the players agreed to end the match early."""
    if match.over:
        return match.winners
    return match.leading if why == "agreed" and match.round.over else ()


# --- Statistics ---


def totals(results: Iterable[Result]) -> list[GamePlayed]:
    """Return the statistics of results by game, the most played first. The results must be in order of time."""
    games: dict[str, list[tuple[Result, SeatOutcome]]] = {}
    for result in results:
        games.setdefault(result.game, []).append((result, result.outcome))
    return sorted((_total(game, rows) for game, rows in games.items()), key=lambda total: (-total.played, total.game))


def _total(game: str, rows: Sequence[tuple[Result, SeatOutcome]]) -> GamePlayed:
    best: BestRound | None = None
    yaku: dict[str, list[int]] = {}  # times in all, times in imported matches, time of the first
    calls: dict[str, Counter[str]] = {}
    for result, outcome in rows:
        most = max(outcome.returns)
        if best is None or most > best.points:
            number = outcome.rounds[outcome.returns.index(most)]
            best = BestRound(table=result.match, round=number, seat=outcome.seat, points=most, imported=result.imported)
        for id, times in outcome.yaku.items():
            made = yaku.setdefault(id, [0, 0, result.at])
            made[0] += times
            made[1] += times * result.imported
        for call in outcome.calls:
            calls.setdefault(call.word, Counter()).update(times=call.times, won=call.won, punished=call.punished)
    assert best, "no game without a match"
    return GamePlayed(
        game=game,
        played=len(rows),
        imported=sum(result.imported for result, _ in rows),
        won=sum(outcome.won for _, outcome in rows),
        rounds=sum(len(outcome.rounds) for _, outcome in rows),
        best=best,
        yaku=[YakuMade(id=id, times=made[0], imported=made[1], first_at=made[2]) for id, made in yaku.items()],
        beaten=list(
            dict.fromkeys(
                bot
                for _, outcome in rows
                if outcome.won
                for at, bot in enumerate(outcome.players)
                if bot and at not in outcome.partners
            )
        ),
        calls=[CallsMade(word=word, times=n["times"], won=n["won"], punished=n["punished"]) for word, n in calls.items()],
    )
