"""What came of a match for one who has played it, counted from its record: who won, what rounds brought, which yaku were made.

A round counts for whoever sat in the seat when it ended, and not while a bot held it.
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
from mekuri.engine.errors import RecordError, UnknownGame
from mekuri.engine.rulebook import rulebook
from mekuri.match.match import Match
from mekuri.match.record import Record
from mekuri.match.replay import replay
from mekuri.match.verify import verify
from mekuri.protocol.played import AskBring, BestRound, GamePlayed, Over, PlayedMatch, YakuMade
from mekuri.table.errors import ProblemError
from mekuri.table.seating import PERSON

# The kinds of rows that are looked at.
BESIDE = ("sit", "draw", "free", "leave", "hold", "back", "round", "open", "take-back", "end")
_LONGEST_REASON = 200  # signs of what is said to be wrong with a record


class SeatOutcome(msgspec.Struct, frozen=True, kw_only=True):
    """What is kept of a match for a person, as in `PlayedMatch`."""

    seat: int = 0
    players: list[str | None] = []
    why: Over | None = None
    won: bool = False
    rounds: list[int] = []
    returns: list[int] = []
    yaku: dict[str, int] = {}


_TOLD = msgspec.json.Decoder(SeatOutcome)
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
    """Of a record's JSON what is counted."""

    rounds: list[_Round]
    players: list[str] = []


_KEPT = msgspec.json.Decoder(_Kept)


@dataclass(frozen=True)
class Sat:
    """A row of the log that tells who sat where, when a round ended, or how the match did; its body as JSON."""

    kind: str
    seat: int | None
    person: str | None
    at: int
    body: str


@dataclass(frozen=True)
class Result:
    """What came of a match for somebody: a row of the database."""

    match: str
    game: str
    at: int
    imported: bool
    digest: str | None
    body: str

    @property
    def outcome(self) -> SeatOutcome:
        """What is kept of it."""
        return _TOLD.decode(self.body)

    def played(self) -> PlayedMatch:
        """The same as it travels."""
        return PlayedMatch(
            table=self.match, game=self.game, ended_at=self.at, imported=self.imported, **msgspec.structs.asdict(self.outcome)
        )


# --- A match of the log ---


def with_record(match: str, game: str, ended_at: int, person: str, rows: Iterable[Sat]) -> tuple[Result, str | None]:
    """What came of a match that is over, for somebody who has sat there, and the match's record; None where it has none.

    `ended_at` stands in where the log does not tell when it ended.
    """
    seat, counted, end = _at_the_table(person, rows)
    body = msgspec.json.decode(end.body) if end else {}
    record = body.get("record")
    at = end.at if end else ended_at
    if record is None or seat is None:
        return Result(match, game, at, False, None, _NOTHING), record
    try:
        kept = _KEPT.decode(record)
    except msgspec.DecodeError:  # it is of no shape that this Mekuri knows: nothing of it counts
        return Result(match, game, at, False, None, _NOTHING), None
    outcome = _tell(game, kept, seat, counted, body.get("winners") or (), body["why"])
    return Result(match, game, at, False, _digest(game, kept), msgspec.json.encode(outcome).decode()), record


def _at_the_table(person: str, rows: Iterable[Sat]) -> tuple[int | None, list[int], Sat | None]:
    """The seat somebody had at last, the rounds at whose end they sat there themselves, and how the match ended.

    In practice no round counts.
    """
    seats: dict[int, str | None] = {}
    away: set[int] = set()
    counted: list[int] = []
    begun, practice, ended, last, end = False, False, 0, None, None
    for row in rows:
        at = -1 if row.seat is None else row.seat
        if row.kind == "sit":
            seats[at] = row.person
        elif row.kind == "draw":
            body, before = msgspec.json.decode(row.body), dict(seats)
            seats |= {seat: before.get(place) for seat, place in zip(body["seats"], body["from"], strict=True)}
        elif row.kind == "free" or (row.kind == "leave" and not begun):
            seats.pop(at, None)
        elif row.kind in ("leave", "hold"):
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
            practice = True
        elif row.kind == "end":
            end = row
    return (None, [], end) if practice else (last, counted, end)


def _tell(game: str, kept: _Kept, seat: int, counted: Sequence[int], winners: Sequence[int], why: Over | None) -> SeatOutcome:
    """What rounds that count brought to a seat; a round that is not over counts for nobody."""
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
    )


def _yaku(game: str, rounds: Iterable[_Round], seat: int) -> dict[str, int]:
    """How often a seat has made which yaku: a line of its score sheet names each, and cites its clause or brings something."""
    clauses = _clauses(game)
    made: Counter[str] = Counter()
    for line in (line for round in rounds for line in round.sheet):
        id = str(line.args.get("yaku", ""))
        if id in clauses and line.seat == seat and (line.points > 0 or clauses[id] == line.clause):
            made[id] += 1
    return dict(made)


@cache
def _clauses(game: str) -> Mapping[str, str]:
    """By which clause each yaku of a game is one."""
    with suppress(UnknownGame):
        return {id: row["clause"] for id, row in rulebook(games.find(game)).yaku.items()}
    return {}


def _digest(game: str, kept: _Kept) -> str:
    """By which a match is known again, wherever it was played and whatever its id."""
    return sha256(msgspec.json.encode([game, [(round.packs, round.actions) for round in kept.rounds]])).hexdigest()


# --- A match of a file ---


def brought(asked: AskBring) -> Result:
    """What came of a match that somebody brings from a file. It is played again, and its deals are derived again.

    Raises ProblemError where it cannot have been played so.
    """
    try:
        record = Record.from_json(json.dumps(asked.record))
        if record.fair is None:
            raise RecordError("its deals cannot be verified, as no server's commitment is in it")
        if record.practice:
            raise RecordError("it was practice, where moves are taken back")
        verify(record)
        match = replay(record)
    except UnknownGame:
        raise ProblemError("no-such-game") from None
    except (ValueError, RecursionError) as error:
        raise ProblemError("bad-record", reason=str(error)[:_LONGEST_REASON]) from None
    kept = _KEPT.decode(match.record().to_json())  # with sheets as the rules make them, and not as the file tells
    if asked.seat >= len(kept.players):
        raise ProblemError("no-seat")
    counted = sorted(set(asked.counted))
    outcome = _tell(record.game, kept, asked.seat, counted, _winners(match, asked.why), asked.why)
    if not outcome.rounds:
        raise ProblemError("bad-record", reason="no round of it counts")
    bots = names_for(match.game.contract)
    known = [player if player in bots else None for player in outcome.players]
    body = msgspec.json.encode(msgspec.structs.replace(outcome, players=known)).decode()
    return Result(asked.table, record.game, asked.ended_at, True, _digest(record.game, kept), body)


def _winners(match: Match, why: Over | None) -> Sequence[int]:
    """Who came in first: where the match was left off, as it stood then."""
    if match.over:
        return match.winners
    return match.leading if why == "agreed" and match.round.over else ()


# --- What many come to ---


def totals(results: Iterable[Result]) -> list[GamePlayed]:
    """What matches come to, by games, those played most first. Those that ended first are given first."""
    games: dict[str, list[tuple[Result, SeatOutcome]]] = {}
    for result in results:
        games.setdefault(result.game, []).append((result, result.outcome))
    return sorted((_total(game, rows) for game, rows in games.items()), key=lambda total: (-total.played, total.game))


def _total(game: str, rows: Sequence[tuple[Result, SeatOutcome]]) -> GamePlayed:
    best: BestRound | None = None
    yaku: dict[str, list[int]] = {}  # how often, how often of that brought from files, when first
    for result, outcome in rows:
        most = max(outcome.returns)
        if best is None or most > best.points:
            number = outcome.rounds[outcome.returns.index(most)]
            best = BestRound(table=result.match, round=number, seat=outcome.seat, points=most, imported=result.imported)
        for id, times in outcome.yaku.items():
            made = yaku.setdefault(id, [0, 0, result.at])
            made[0] += times
            made[1] += times * result.imported
    assert best, "no game without a match"
    return GamePlayed(
        game=game,
        played=len(rows),
        imported=sum(result.imported for result, _ in rows),
        won=sum(outcome.won for _, outcome in rows),
        rounds=sum(len(outcome.rounds) for _, outcome in rows),
        best=best,
        yaku=[YakuMade(id=id, times=made[0], imported=made[1], first_at=made[2]) for id, made in yaku.items()],
    )
