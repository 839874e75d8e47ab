"""Checks of records: a match can be written as a record, read again and replayed exactly."""

from __future__ import annotations

import random

from mekuri.match.fair import FairDeals
from mekuri.match.game import Game
from mekuri.match.match import Match
from mekuri.match.record import Record
from mekuri.match.replay import replay
from mekuri.testing.failure import check, hold, same
from mekuri.testing.settings import match_of
from mekuri.testing.worlds import act, values, viewers

CUTS = ("tsuru", "鶴 🎴\n\x1b[2J")


def play(match: Match, chance: random.Random, actions: int = 1 << 30) -> Match:
    """Play a match at random, to its end or for so many actions, and return it."""
    while not match.over and actions:
        if match.round.over:
            match.next_round()
        else:
            act(match.round, chance)
            actions -= 1
    return match


def played(game: Game, seed: int = 0, rounds: int = 2) -> Match:
    """Return a finished match of so many rounds, played at random."""
    return play(game.match(seed=seed, **match_of(game, rounds)), random.Random(seed))


def _same_record(match: Match) -> None:
    """Raise CheckFailure where the record of a match changes when it is read or replayed."""
    record = match.record()
    text, s = record.to_json(), match.round._state
    same(Record.from_json(text), record, "a record is read as another", s)
    same(replay(text).record().to_json(), text, "a replay of a record has another record", s)


@check
def finished(game: Game, seed: int = 1, rounds: int = 3) -> None:
    """Check that the replay of a finished match has the same record, ledger and winners, and looks the same to every viewer."""
    match = played(game, seed, rounds)
    record = match.record()
    text = record.to_json()
    same(str(record), text, "a record is not written as its JSON")
    hold(Record.from_json(text) == Record.from_json(text.encode()) == record, "a record is read as another")
    again = replay(text)
    hold(again.record() == replay(record).record() == record, "a replay has another record")
    same(again.record().to_json(), text, "a replay has another record")
    hold(again.over, "a replay of a whole match is not over")
    found = (again.ledger, again.winners, again.players)
    same(found, (match.ledger, match.winners, match.players), "a replay has another ledger, other winners or players")
    for one, other in zip(match.finished, again.finished, strict=True):
        same(values(one._state), values(other._state), "a replayed round ends in another state", one._state)
        same(one.packs, [list(pack) for pack in other.packs], "a replayed round has other packs", one._state)
        same(one.history, other.history, "a replayed round has another history", one._state)
        for viewer in viewers(game):
            same(repr(one.view(viewer)), repr(other.view(viewer)), f"a replayed round looks otherwise to {viewer}", one._state)
            same(one.events(viewer), other.events(viewer), f"a replayed round tells {viewer} other events", one._state)


@check
def unfinished(game: Game, seed: int = 2, rounds: int = 2) -> None:
    """Check that the replay of an unfinished match, at several points of its rounds, stands where its record ends."""
    chance, match = random.Random(seed), game.match(seed=seed, **match_of(game, rounds))
    while not match.over:
        if match.round.over:
            match.next_round()
            continue
        record = match.record()
        again, s = replay(record.to_json()), match.round._state
        same(again.record(), record, "the replay of an unfinished match has another record", s)
        stands = (again.over, again.ledger, again.dealer)
        same(stands, (False, match.ledger, match.dealer), "the replay of an unfinished match stands elsewhere", s)
        same(values(again.round._state), values(s), "the replay of an unfinished match is in another state", s)
        for _ in range(5):
            if not match.round.over:
                act(match.round, chance)


@check
def between_rounds(game: Game, seed: int = 3) -> None:
    """Check the record of a match whose last round is over while the next one has not been dealt."""
    match, chance = game.match(seed=seed, **match_of(game, 2)), random.Random(seed)
    while not match.round.over:
        act(match.round, chance)
    _same_record(match)


@check
def not_begun(game: Game, seed: int = 4) -> None:
    """Check the record of a match in which no seat has acted yet."""
    _same_record(game.match(seed=seed))


@check
def players(game: Game, seed: int = 5) -> None:
    """Check that records keep the names of players, with any characters."""
    names = tuple('Ō "x" \\ 遊び\u3000 🎴'[n:] for n in range(game.seats))
    match = game.match(seed=seed, players=names)
    same(replay(match.record().to_json()).players, names, "players are called otherwise in a replay")


@check
def fair_deals(game: Game, seed: int = 6, rounds: int = 3) -> None:
    """Check that reading and replaying a record of fair deals keeps their public part; a replay does not verify it."""
    deals = FairDeals(bytes(range(32)), (CUTS * game.seats)[: game.seats])
    match, chance = Match(game, game.match_options(match_of(game, rounds)), deals), random.Random(seed)
    while not match.over:
        for record in (match.record(), match.record(broken_off=True)):
            text, s = record.to_json(), match.round._state
            same(Record.from_json(text), record, "a record of fair deals is read as another", s)
            same(replay(text).record(), record, "a replay of fair deals has another record", s)
            same(replay(text).record().to_json(), text, "a replay of fair deals has another record", s)
        play(match, chance, 1 + len(match.round.actions) // 2)
