"""Forged records are refused, one forgery at a time; and records of other versions are told apart.

Forgeries of a match are tried on a record of every game, damage to the form of a record on one.
"""

import copy
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import pytest

import mekuri
from mekuri import MekuriError, OlderVersion, OptionError, RecordError, UnknownGame, replay
from mekuri.engine.contract import Contract
from mekuri.match.verify import verify
from mekuri.testing.records import played
from mekuri.testing.worlds import random_round
from tests.helpers.fair import fair_record
from tests.helpers.records import Json, accepts, at, full_record, half
from tests.helpers.tables import GAMES, each_game, redealing

# --- Forgeries, one by one ---


Forge = Callable[[Json], None]
Forgeries = dict[str, tuple[Forge, str]]  # what each of them does, and what must be said of it


def forged(true: Json, forge: Forge) -> Json:
    """Return a record with a forgery; skip the test if the game lacks the forged part, such as a pack."""
    changed = copy.deepcopy(true)
    forge(changed)
    if changed == true:
        pytest.skip("there is nothing of this in the game's records")
    return changed


def _words(record: Json, round: int, name: str) -> list[str]:
    words: list[str] = record["rounds"][round][name].split()
    return words


def _pack(change: Callable[[list[str]], list[str]]) -> Forge:
    """Return another first pack, if cards are shuffled."""

    def forge(record: Json) -> None:
        packs = record["rounds"][0]["packs"]
        packs[:1] = [" ".join(change(pack.split())) for pack in packs[:1]]

    return forge


def _actions(change: Callable[[list[str]], list[str]]) -> Forge:
    def forge(record: Json) -> None:
        record["rounds"][0]["actions"] = " ".join(change(_words(record, 0, "actions")))

    return forge


def _set(*path: str | int, to: Json) -> Forge:
    def forge(record: Json) -> None:
        at(record, path[:-1])[path[-1]] = to(at(record, path)) if callable(to) else to

    return forge


def _last_by_another(record: Json) -> None:
    """Return the last action as one of the next seat."""
    *actions, last = _words(record, 0, "actions")
    seat, _, action = last.partition(":")
    other = (int(seat) + 1) % len(record["players"])
    record["rounds"][0]["actions"] = " ".join([*actions, f"{other}:{action}"])


def _first_dealer(by: int) -> Forge:
    def forge(record: Json) -> None:
        record["first_dealer"] = (record["rounds"][0]["dealer"] + by) % len(record["players"])

    return forge


def _next_dealer(round: int) -> Forge:
    def forge(record: Json) -> None:
        record["rounds"][round]["dealer"] = (record["rounds"][round]["dealer"] + 1) % len(record["players"])

    return forge


FORGERIES: Forgeries = {
    "a card twice": (_pack(lambda pack: [pack[1], *pack[1:]]), "once"),
    "a card too many": (_pack(lambda pack: [*pack, pack[0]]), "once"),
    "a card too few": (_pack(lambda pack: pack[1:]), "all the game's cards"),
    "a card that is none": (_pack(lambda pack: ["13H", *pack[1:]]), "card"),
    "a card that may not be seen": (_pack(lambda pack: ["?", *pack[1:]]), "cards"),
    "a foreign card": (_pack(lambda pack: ["G", *pack[1:]]), "cards"),
    "no cards": (_pack(lambda pack: []), "cards"),
    "no pack": (_set("rounds", 0, "packs", to=[]), "round 1"),
    "a pack more": (_set("rounds", 0, "packs", to=lambda packs: [*packs, *packs[:1]] or ["1H"]), "pack"),
    "another order": (_pack(lambda pack: pack[::-1]), "round 1"),
    "an action left out": (_actions(lambda actions: actions[1:]), "round 1"),
    "the last action left out": (_actions(lambda actions: actions[:-1]), "not over"),
    "an action twice": (_actions(lambda actions: [actions[0], *actions]), "action"),
    "an action after the end": (_actions(lambda actions: [*actions, actions[-1]]), "over"),
    "an action of another seat": (_last_by_another, "action"),
    "an action of no seat": (_actions(lambda actions: ["99" + actions[0][1:], *actions[1:]]), "action 1"),
    "an action of the driver": (_actions(lambda actions: ["16:deal", *actions]), "action 1"),
    "a word of the driver": (_actions(lambda actions: ["0:deal", *actions]), "action 1"),
    "no such word": (_actions(lambda actions: ["0:nonsense", *actions]), "action 1"),
    "no such action": (_actions(lambda actions: ["pass", *actions]), "action"),
    "a negative seat": (_actions(lambda actions: ["-1" + actions[0][1:], *actions[1:]]), "action"),
    "a huge seat": (_actions(lambda actions: ["9" * 5000 + ":1H", *actions]), "action"),
    "another number's digits": (_actions(lambda actions: ["٠" + actions[0][1:], *actions[1:]]), "action"),
    "other returns": (_set("rounds", 0, "returns", to=lambda row: [row[0] + 1, row[1] - 1, *row[2:]]), "result"),
    "no returns": (_set("rounds", 0, "returns", to=[]), "over"),
    "more returns": (_set("rounds", 0, "returns", to=lambda row: [*row, 0]), "result"),
    "another ending": (_set("rounds", 0, "ending", to="nobody knows"), "result"),
    "no sheet": (_set("rounds", 0, "sheet", to=[]), "result"),
    "other points": (_set("rounds", 0, "sheet", 0, "points", to=lambda points: points + 1), "result"),
    "another line": (_set("rounds", 0, "sheet", 0, "clause", to="x"), "result"),
    "other cards on the sheet": (_set("rounds", 0, "sheet", 0, "cards", to="G"), "result"),
    "a line more": (_set("rounds", 0, "sheet", to=lambda lines: [*lines, lines[0]]), "result"),
    "another dealer": (_next_dealer(0), "round 1"),
    "another second dealer": (_next_dealer(1), "round 2"),
    "no such dealer": (_set("rounds", 0, "dealer", to=99), "seat 99"),
    "a dealer below the first": (_set("rounds", 1, "dealer", to=-1), "seat -1"),
    "a deal that is said to pass on to another": (_first_dealer(1), "its own first_dealer"),
    "a deal that is said to pass on to nobody": (_set("first_dealer", to=99), "seat 99"),
    "a deal that is said to pass on to a text": (_set("first_dealer", to="0"), "first_dealer"),
    "a huge dealer": (_set("rounds", 0, "dealer", to=10**4000), "seat"),
    "a round more": (_set("rounds", to=lambda rounds: [*rounds, rounds[-1]]), "round 3"),
    "no rounds": (_set("rounds", to=[]), "no rounds"),
    "too many packs": (_set("rounds", 0, "packs", to=lambda packs: packs * 2000), "longer"),
    "more players than can play": (_set("players", to=["a"] * 99), "played by"),
    "fewer players than can play": (_set("players", to=["a"]), "played by"),
    "a player left out": (_set("players", to=lambda players: players[1:]), "seat|played by|round 1"),
    "a player more": (_set("players", to=lambda players: [*players, "x"]), "played by|round 1"),
    "a newer version": (_set("version", to=1000), "version 1000.*update"),
}
# Found before the match is looked at.
BROKEN: Forgeries = {
    "too many rounds": (_set("rounds", to=lambda rounds: rounds * 600), "rounds"),
    "too many actions": (_actions(lambda actions: actions * 2000), "longer"),
    "no players": (_set("players", to=[]), "player"),
    "no such game": (_set("game", to="poker"), "poker"),
    "no such option": (_set("options", to={"speed": "high"}), "speed"),
    "no such value": (_set("match_options", to={"rounds": "many"}), "many"),
    "a huge value": (_set("match_options", to={"rounds": "9" * 5000}), "rounds"),
    "an option that is the number of seats": (_set("options", to={"seats": "2"}), "seats"),
    "an option that is a preset": (_set("options", to={"preset": "default"}), "preset"),
    "an option that is a name": (_set("options", to={"name": "x"}), "name"),
    "an option that is nothing": (_set("options", to={"": ""}), "option"),
    "version zero": (_set("version", to=0), "version"),
    "a version below": (_set("version", to=-1), "version"),
    "format zero": (_set("mekuri", to=0), "format"),
    "a newer format": (_set("mekuri", to=2), "newer.*format 2.*update"),
    "a much newer format": (_set("mekuri", to=10**30), "newer"),
}


@each_game
def test_forgeries_are_refused(name: str, subtests: pytest.Subtests) -> None:
    assert_refused(name, FORGERIES, subtests)


def test_broken_records_are_refused(subtests: pytest.Subtests) -> None:
    assert_refused(GAMES[0], BROKEN, subtests)


def assert_refused(name: str, forgeries: Forgeries, subtests: pytest.Subtests) -> None:
    """A forged record is not replayed, and one with fair deals is not verified."""
    refusals = (RecordError, OptionError, UnknownGame)
    for what, (forge, says) in forgeries.items():
        with subtests.test(what):
            with pytest.raises(refusals, match=rf"(?s){says}"):
                replay(json.dumps(forged(full_record(name), forge)))
            with pytest.raises(refusals):
                verify(json.dumps(forged(fair_record(name), forge)))


@each_game
@pytest.mark.parametrize("key", ["ending", "sheet"])
def test_running_round_with_a_result_is_refused(name: str, key: str) -> None:
    changed = half(name)
    changed["rounds"][-1][key] = full_record(name)["rounds"][0][key]
    with pytest.raises(RecordError, match="round 2"):
        replay(json.dumps(changed))


@each_game
def test_round_after_a_running_one_is_refused(name: str) -> None:
    changed = half(name)
    changed["rounds"] = [changed["rounds"][-1], *changed["rounds"]]
    with pytest.raises(RecordError, match="over"):
        replay(json.dumps(changed))


@each_game
def test_forged_second_pack_is_refused(name: str) -> None:
    """In a round that was dealt again the second pack is held against the cards as well."""
    if not mekuri.games.find(name).redeals:
        pytest.skip("this game is never dealt again")
    game = redealing(name)
    match = game.match(seed=0, rounds=1)
    match.round = next(round for round in (random_round(game, seed) for seed in range(3000)) if len(round.packs) > 1)
    whole = json.loads(match.record().to_json())
    assert len(whole["rounds"][0]["packs"]) > 1
    assert accepts(whole)
    for change in (
        lambda packs: packs[:1],
        lambda packs: [packs[0], packs[0]],
        lambda packs: [packs[1], packs[1]],
        lambda packs: [*packs[:-1], " ".join(packs[-1].split()[1:])],
        lambda packs: [*packs[:-1], ""],
    ):
        forged = copy.deepcopy(whole)
        forged["rounds"][0]["packs"] = change(forged["rounds"][0]["packs"])
        assert not accepts(forged)


# --- Forged fair deals ---

OTHER = "0123456789abcdef" * 4
NO_FAIR_DEALS: Forgeries = {
    "nothing of them": (_set("fair", to=None), "fair should be dict"),
    "a text": (_set("fair", to="yes"), "fair should be dict"),
    "an empty table": (_set("fair", to={}), "commitment, cuts, secrets, and nothing else"),
    "a field more": (_set("fair", to=lambda fair: {**fair, "root": OTHER}), "nothing else"),
    "no commitment": (_set("fair", "commitment", to=""), "64 hexadecimal digits"),
    "a number as commitment": (_set("fair", "commitment", to=7), "commitment should be str"),
    "a short commitment": (_set("fair", "commitment", to=lambda text: text[1:]), "64 hexadecimal digits"),
    "a long commitment": (_set("fair", "commitment", to=lambda text: text + "\n"), "64 hexadecimal digits"),
    "a commitment in capitals": (_set("fair", "commitment", to=OTHER.upper()), "in small letters"),
    "a commitment in other digits": (_set("fair", "commitment", to="٠" * 64), "64 hexadecimal digits"),
    "a secret that is none": (_set("fair", "secrets", 0, to="g" * 64), "64 hexadecimal digits"),
    "a number as secret": (_set("fair", "secrets", 0, to=7), "secrets of fair should each be str"),
    "secrets in one text": (_set("fair", "secrets", to=" ".join), "secrets should be list"),
    "a secret too many": (_set("fair", "secrets", to=lambda row: [*row, OTHER]), "3 secrets and 2 rounds"),
    "a cut too few": (_set("fair", "cuts", to=lambda row: row[1:]), "cuts for .* players"),
    "a cut too many": (_set("fair", "cuts", to=lambda row: [*row, ""]), "cuts for .* players"),
    "cuts in one text": (_set("fair", "cuts", to=" ".join), "cuts should be list"),
    "no text as cut": (_set("fair", "cuts", 0, to=None), "that of seat 0"),
    "a cut too long": (_set("fair", "cuts", 1, to="x" * 65), "64 whole characters, and that of seat 1"),
    "half a character as cut": (_set("fair", "cuts", 1, to="\ud83c"), "whole characters"),
}
UNFAIR_DEALS: Forgeries = {
    "another commitment": (_set("fair", "commitment", to=OTHER), "round 1: the hash of the secret is not the commitment"),
    "another first secret": (_set("fair", "secrets", 0, to=OTHER), "round 1: the hash of the secret is not the commitment"),
    "another last secret": (_set("fair", "secrets", 1, to=OTHER), "round 2: .* is not the secret of round 1"),
    "secrets exchanged": (_set("fair", "secrets", to=lambda row: row[::-1]), "round 1: the hash"),
    "a secret kept back": (_set("fair", "secrets", to=lambda row: row[:-1]), "round 2 is over, and its secret is not opened"),
    "the first secret kept back": (_set("fair", "secrets", to=lambda row: row[1:]), "round 1: the hash"),
    "no secrets": (_set("fair", "secrets", to=[]), "round 1 is over, and its secret is not opened"),
    "the first round left out": (_set("rounds", to=lambda rounds: rounds[1:]), "2 secrets and 1 rounds"),
    "the last round left out": (_set("rounds", to=lambda rounds: rounds[:1]), "2 secrets and 1 rounds"),
    "another pack": (_pack(lambda pack: pack[::-1]), "round 1: the pack is not"),
    "two cards of a pack exchanged": (_pack(lambda pack: [*pack[1::-1], *pack[2:]]), "round 1: the pack is not"),
    "not fair at all": (lambda record: record.pop("fair"), "dealt from a seed: there is nothing to verify"),
}
OTHER_CUTS: dict[str, Forge] = {
    "another cut": _set("fair", "cuts", 0, to="other"),
    "a cut left out": _set("fair", "cuts", 0, to=""),
    "a cut with a space": _set("fair", "cuts", 0, to=lambda cut: f"{cut} "),
    "cuts exchanged": _set("fair", "cuts", to=lambda row: row[::-1]),
}


def test_malformed_fair_deals_are_refused(subtests: pytest.Subtests) -> None:
    for what, (forge, says) in NO_FAIR_DEALS.items():
        with subtests.test(what):
            changed = forged(fair_record(GAMES[0]), forge)
            for read in (mekuri.Record.from_json, replay, verify):
                with pytest.raises(RecordError, match=says):
                    read(json.dumps(changed))


@each_game
def test_unfair_deals_are_found(name: str, subtests: pytest.Subtests) -> None:
    assert verify(json.dumps(fair_record(name))).verified == 2
    for what, (forge, says) in UNFAIR_DEALS.items():
        with subtests.test(what), pytest.raises(RecordError, match=says):
            verify(json.dumps(forged(fair_record(name), forge)))


@each_game
def test_changed_cuts_are_found(name: str, subtests: pytest.Subtests) -> None:
    """With other cuts the packs are others, and the lot may fall on another seat, which is found first."""
    if not fair_record(name)["rounds"][0]["packs"]:
        pytest.skip("no cards are shuffled in this game: only the lot follows from the cuts")
    for what, forge in OTHER_CUTS.items():
        with subtests.test(what), pytest.raises(RecordError, match=r"round 1: (the pack is not|.* by lot)"):
            verify(json.dumps(forged(fair_record(name), forge)))


# --- Versions ---


@contextmanager
def later_version(contract: Contract, **rules: Any) -> Iterator[None]:
    """A game as it will be in the next version."""
    with patch.dict(vars(contract), version=contract.version + 1), patch.dict(vars(contract.rules), rules):
        yield


@each_game
class TestVersions:
    def test_older_record_with_equal_play_is_replayed(self, name: str) -> None:
        record = played(mekuri.game(name)).record()
        contract = mekuri.game(name).contract
        with later_version(contract):
            assert replay(record).record().rounds == record.rounds

    def test_older_record_with_different_play_is_reported(self, name: str) -> None:
        record, fair = played(mekuri.game(name)).record(), json.dumps(fair_record(name))
        contract = mekuri.game(name).contract
        old, own = contract.version, contract.rules.returns
        with (
            later_version(contract, returns=lambda s, seat: own(s, seat) + 1),
            pytest.raises(OlderVersion, match=f"version {old}.*version {old + 1}.*round 1"),
        ):
            replay(record)
        with later_version(contract, returns=lambda s, seat: own(s, seat) + 1), pytest.raises(OlderVersion):
            verify(fair)
        assert issubclass(OlderVersion, RecordError)
        assert replay(record).record() == record

    def test_older_record_with_illegal_actions_is_reported(self, name: str) -> None:
        record = played(mekuri.game(name)).record()
        contract = mekuri.game(name).contract
        own = contract.rules.legal
        with (
            later_version(contract, legal=lambda s, seat: own(s, seat) & -own(s, seat)),
            pytest.raises(OlderVersion, match="round 1, action"),
        ):
            replay(record)

    def test_present_record_with_different_play_is_forged(self, name: str) -> None:
        record = played(mekuri.game(name)).record()
        contract = mekuri.game(name).contract
        own = contract.rules.returns
        changed = patch.dict(vars(contract.rules), returns=lambda s, seat: own(s, seat) + 1)
        with changed, pytest.raises(RecordError) as refusal:
            replay(record)
        assert not isinstance(refusal.value, OlderVersion)


def test_every_error_is_a_mekuri_error() -> None:
    assert all(issubclass(error, MekuriError) for error in (RecordError, OptionError, UnknownGame, OlderVersion))
