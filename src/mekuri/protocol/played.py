"""What somebody has played, as it travels: matches that are over, what they come to, and matches brought from a file."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from mekuri.engine.fields import MOST_SEATS

Over = Literal["played", "agreed", "abandoned", "void", "restored", "closed"]
_Time = Annotated[int, Meta(ge=0, lt=1 << 53, description="In milliseconds since 1970.", examples=[1760000000000])]


class PlayedMatch(msgspec.Struct, frozen=True, kw_only=True):
    """A match that is over, as far as somebody has played it: the rounds at whose end nobody else held the seat.

    Attributes:
        table: its id.
        game: the game's name.
        ended_at: when it ended, in milliseconds since 1970.
        imported: whether it was brought from a file. Its cards were played by the rules; who played them nobody can tell.
        why: as in the head; null where it ended in a way that this server does not know.
        seat: the person's seat.
        players: who was to play each seat: a bot's name, or null for a person.
        won: whether the person came in first, and not everybody did.
        rounds: the numbers of these rounds, from 1.
        returns: what each of them brought.
        yaku: how often the person made which yaku in them, by their ids.
    """

    table: str
    game: str
    ended_at: int
    imported: bool
    why: Over | None
    seat: int
    players: list[str | None]
    won: bool
    rounds: list[int]
    returns: list[int]
    yaku: dict[str, int]


class BestRound(msgspec.Struct, frozen=True, kw_only=True):
    """The round that brought most.

    Attributes:
        table: of which match.
        round: its number there, from 1.
        seat: the person's seat.
        points: what it brought.
        imported: whether the match was brought from a file.
    """

    table: str
    round: int
    seat: int
    points: int
    imported: bool


class YakuMade(msgspec.Struct, frozen=True, kw_only=True):
    """A yaku that somebody has made.

    Attributes:
        id: of the yaku.
        times: how often.
        imported: how often of these in matches that were brought from a file.
        first_at: when the first match ended in which it was made, in milliseconds since 1970.
    """

    id: str
    times: int
    imported: int
    first_at: int


class GamePlayed(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody's matches of a game come to.

    Attributes:
        game: the game's name.
        played: how many matches.
        imported: how many of them were brought from a file.
        won: in how many the person came in first.
        rounds: how many rounds.
        best: the best of them; the first, where several are.
        yaku: those that the person has made.
    """

    game: str
    played: int
    imported: int
    won: int
    rounds: int
    best: BestRound
    yaku: list[YakuMade]


class Played(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody has played.

    Attributes:
        games: what it comes to, by games, those played most first.
        matches: some of the matches that are over, those that ended last first.
        more: whether there are more after these.
        counting: whether some matches are not counted yet: ask again.
    """

    games: list[GamePlayed]
    matches: list[PlayedMatch]
    more: bool
    counting: bool


class Brought(msgspec.Struct, frozen=True, kw_only=True):
    """What became of a match that was brought from a file.

    Attributes:
        added: whether it is new here; not where it was here already.
        match: as it is counted.
    """

    added: bool
    match: PlayedMatch


class AskBring(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Bring a match from a file: one of the matches of an export that is over, with its record.

    Attributes:
        table: its id where it was played.
        ended_at: when it ended.
        why: how it ended.
        seat: your seat.
        counted: the rounds that you have played yourself, from 1.
        record: its record. It is played again and has to be whole, by the rules, and of fair deals.
    """

    table: Annotated[str, Meta(min_length=1, max_length=64, examples=["b7Zk2QxWm0Ra"])]
    ended_at: _Time
    seat: Annotated[int, Meta(ge=0, lt=MOST_SEATS, examples=[0])]
    counted: Annotated[list[Annotated[int, Meta(ge=1, le=1000)]], Meta(max_length=1000, examples=[[1, 2]])]
    record: dict[str, Any]
    why: Over | None = None
