"""Replay a record, action by action, and check its results."""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from mekuri import games
from mekuri.cards import NotationError
from mekuri.engine.contract import Contract
from mekuri.engine.errors import MekuriError, OptionError, RecordError
from mekuri.engine.options import parse
from mekuri.match.deals import Deals, SeedDeals
from mekuri.match.fair import Fair
from mekuri.match.game import Game
from mekuri.match.match import Match, sheet_rows
from mekuri.match.record import Record, RoundRecord
from mekuri.match.round import Round


class OlderVersion(RecordError):
    """A record was made under an older version of the ruleset and plays differently now. Its stored results stay valid."""


def replay(record: Record | str | bytes) -> Match:
    """Return the match of a record, played again to where the record ends. It can be played on from there.

    Args:
        record: a Record, or its JSON.

    Raises:
        RecordError: the record is broken, forged, or made by a newer Mekuri; the message names the round and the action.
        OlderVersion: the match was played under an older version of the ruleset and plays differently now.
        UnknownGame, OptionError: the record names a game or an option that this Mekuri does not have.
    """
    record = as_record(record)
    return play_again(record, _Unforeseen(record.fair), record.rounds)


def as_record(record: Record | str | bytes) -> Record:
    """Return a record, read from its JSON if it is that. Raises RecordError where the JSON is broken, or the type is wrong."""
    if isinstance(record, str | bytes):
        return Record.from_json(record)
    if not isinstance(record, Record):
        raise RecordError(f"a record is a Record or its JSON, not {type(record).__name__}")
    return record


def play_again(record: Record, deals: Deals, given: Sequence[RoundRecord] = ()) -> Match:
    """Play the match of a record again, and check everything in the record against it.

    Args:
        record: the record.
        deals: the source of chance for the first dealer and the packs that are not taken from `given`.
        given: rounds of the record, from the first, whose dealer and packs are used as they are.

    Raises:
        RecordError, OlderVersion, UnknownGame, OptionError: as for `replay`.
    """
    contract = games.find(record.game)
    if record.version > contract.version:
        versions = f"version {record.version} of {record.game}, and this Mekuri has {contract.version}"
        raise RecordError(f"this record was played under {versions}: update it")
    if not record.rounds:
        raise RecordError("the record has no rounds")
    try:
        return _play_again(record, contract, deals, given)
    except (MekuriError, NotationError) as error:
        if record.version < contract.version:
            why = f"played under version {record.version} of {record.game}; under version {contract.version} it differs: {error}"
            raise OlderVersion(why) from None
        raise error if isinstance(error, OptionError) else RecordError(str(error)) from None


class _Unforeseen(SeedDeals):
    """Random deals for the part of a match that its record does not hold, such as later rounds."""

    def __init__(self, fair: Fair | None) -> None:
        super().__init__(secrets.token_bytes(32))
        self._fair = fair

    def opened(self, rounds: int) -> Fair | None:
        """Return the public part of the deals that the record holds."""
        return self._fair


def _play_again(record: Record, contract: Contract, deals: Deals, given: Sequence[RoundRecord]) -> Match:
    chosen = parse(contract.options, contract.as_given(record.version, record.options), record.game)
    made = Game(contract, chosen, len(record.players))
    options = made.match_options(record.match_options)
    _check_packs(record, sorted(made.contract.rules.pack(made.options)), made.seats)
    match = Match(made, options, deals, record.players, given, record.first_dealer, record.drawn)
    match.practice = record.practice
    for number, row in enumerate(record.rounds, 1):
        if number > 1 and match.next_round() is None:
            raise RecordError(f"the record has a round {number}, but the match was over before it")
        if match.dealer != row.dealer:
            law = "the rules" if number > 1 else "lot" if record.first_dealer is None else "its own first_dealer"
            raise RecordError(f"round {number}: seat {row.dealer} cannot deal; by {law} seat {match.dealer} does")
        _play(match.round, row, number, record.version == contract.version)
    if match.round.over:
        match.enter()
    return match


def _play(round: Round, row: RoundRecord, number: int, same_sheets: bool) -> None:
    """Play a round again, and check its result against the record.

    Args:
        round: the round, at its beginning.
        row: the round in the record.
        number: the round's number from 1, for error messages.
        same_sheets: whether score sheets are compared, too; another version of the ruleset may word them differently.
    """
    _hold_packs(round, row, number)
    for count, (seat, action) in enumerate(row.actions, 1):
        try:
            round.play(action, seat)
        except (MekuriError, NotationError) as error:
            raise RecordError(f"round {number}, action {count} ({seat}:{action}): {error}") from None
        _hold_packs(round, row, number)
    if len(round.packs) < len(row.packs):
        raise RecordError(f"round {number} has {len(row.packs)} packs, and its actions need {len(round.packs)}")
    if round.over != bool(row.returns):
        raise RecordError(f"round {number} is {'over' if round.over else 'not over'}, and the record says otherwise")
    if not round.over and (row.ending or row.sheet):
        raise RecordError(f"round {number} is not over, and the record holds a result of it")
    sheet = list(sheet_rows(round)) if same_sheets else list(row.sheet)
    if round.over and (round.returns, round.ending, sheet) != (row.returns, row.ending, list(row.sheet)):
        raise RecordError(f"round {number}: the result in the record is not what its actions lead to")


def _hold_packs(round: Round, row: RoundRecord, number: int) -> None:
    """Raise RecordError where the packs dealt so far are not those of the record.

    This comes before the next action is checked, so that a wrong pack is not reported as an illegal action.
    """
    if len(round.packs) > len(row.packs):
        raise RecordError(f"round {number} lacks a pack: the cards are shuffled once more than it tells")
    # This fails only when fair deals are verified: a replay deals the record's own packs.
    if any(tuple(dealt) != given for dealt, given in zip(round.packs, row.packs, strict=False)):
        raise RecordError(f"round {number}: the pack is not the one that the secret and the cuts give")


def _check_packs(record: Record, cards: list[int], seats: int) -> None:
    for number, row in enumerate(record.rounds, 1):
        if not 0 <= row.dealer < seats:
            raise RecordError(f"round {number}: there is no seat {row.dealer}")
        for pack in row.packs:
            if len(set(pack)) != len(pack) or not set(pack) <= set(cards):
                raise RecordError(f"round {number}: a pack does not hold the game's cards, each once")
        if row.packs and sorted(row.packs[0]) != cards:
            raise RecordError(f"round {number}: the first pack does not hold all the game's cards")
