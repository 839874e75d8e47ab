"""Messages about a person's finished matches: the matches, statistics of them, and matches imported from a file."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta

from mekuri.engine.fields import MOST_SEATS
from mekuri.protocol.table import Over

_Time = Annotated[int, Meta(ge=0, lt=1 << 53, description="In milliseconds since 1970.", examples=[1760000000000])]


class CallsMade(msgspec.Struct, frozen=True, kw_only=True):
    """A word by which a player goes on for more at the risk of a loss, such as koi-koi, and what came of it.

    Attributes:
        word: the word.
        times: how often the player has said it.
        won: how many of these times were in rounds in which the player gained.
        punished: how many were in rounds in which the player lost.
    """

    word: str
    times: int
    won: int
    punished: int


class PlayedMatch(msgspec.Struct, frozen=True, kw_only=True):
    """A finished match of a person. Only rounds count at whose end the person, and no bot, held the seat.

    Attributes:
        table: the table's id.
        game: the game's name.
        ended_at: when it ended, in milliseconds since 1970.
        imported: whether it was imported from a file. Its actions follow the rules, but the server cannot know who chose them.
        why: the reason why it ended, as in `Head.why`; null where this server does not know the reason.
        seat: the person's seat.
        players: for each seat the id of the bot for which it was, or null for a person.
        won: whether the person came in first, and not every seat did.
        rounds: the numbers of the rounds that count, from 1.
        returns: the returns of the person's seat in each of these rounds.
        yaku: how often the person made each yaku in these rounds, by its id.
        partners: the seats of the person's partners, where the game has sides.
        calls: the calls that the person made in these rounds.
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
    partners: list[int] = []
    calls: list[CallsMade] = []


class BestRound(msgspec.Struct, frozen=True, kw_only=True):
    """A person's round with the highest returns.

    Attributes:
        table: the id of its table.
        round: its number in the match, from 1.
        seat: the person's seat.
        points: the returns of that seat.
        imported: whether the match was imported from a file.
    """

    table: str
    round: int
    seat: int
    points: int
    imported: bool


class YakuMade(msgspec.Struct, frozen=True, kw_only=True):
    """A yaku that a person has made.

    Attributes:
        id: the yaku's id.
        times: how often the person has made it.
        imported: how many of these times were in matches imported from a file.
        first_at: when the first match ended in which it was made, in milliseconds since 1970.
    """

    id: str
    times: int
    imported: int
    first_at: int


class GamePlayed(msgspec.Struct, frozen=True, kw_only=True):
    """Statistics of a person's matches of one game.

    Attributes:
        game: the game's name.
        played: the number of matches.
        imported: the number of them that were imported from a file.
        won: the number of matches in which the person came in first, and not every seat did.
        rounds: the number of rounds.
        best: the best round; the first of them where several are equal.
        yaku: the yaku that the person has made.
        beaten: the ids of the bots that sat at matches that the person has won, in the order of their first defeat.
        calls: the calls that the person has made.
    """

    game: str
    played: int
    imported: int
    won: int
    rounds: int
    best: BestRound
    yaku: list[YakuMade]
    beaten: list[str] = []
    calls: list[CallsMade] = []


class Played(msgspec.Struct, frozen=True, kw_only=True):
    """A person's finished matches, with statistics.

    Attributes:
        games: the statistics of each game, the most played first.
        matches: one page of the finished matches, the latest first.
        more: whether more matches follow after these.
        counting: whether some matches have not been counted yet; ask again later.
    """

    games: list[GamePlayed]
    matches: list[PlayedMatch]
    more: bool
    counting: bool


class Brought(msgspec.Struct, frozen=True, kw_only=True):
    """The answer after a match has been imported from a file.

    Attributes:
        added: whether the match is new here; false where it had been imported or played here already.
        match: the match as it is counted.
    """

    added: bool
    match: PlayedMatch


class AskBring(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request to import a match from a file: a finished match of an export, with its record.

    Attributes:
        table: the table's id where it was played.
        ended_at: when it ended.
        why: the reason why it ended, as in `Head.why`.
        seat: your seat.
        counted: the numbers, from 1, of the rounds that count for you.
        record: its record. It is replayed, and has to be complete, legal, and of fair deals.
    """

    table: Annotated[str, Meta(min_length=1, max_length=64, examples=["b7Zk2QxWm0Ra"])]
    ended_at: _Time
    seat: Annotated[int, Meta(ge=0, lt=MOST_SEATS, examples=[0])]
    counted: Annotated[list[Annotated[int, Meta(ge=1, le=1000)]], Meta(max_length=1000, examples=[[1, 2]])]
    record: dict[str, Any]
    why: Over | None = None
