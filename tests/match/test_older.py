"""What the last landed version has written is read, replayed and played on: records and positions of every game."""

import json
from random import Random
from types import ModuleType
from typing import Any

import pytest

import mekuri
from mekuri import games
from mekuri.engine import contract as contracts
from mekuri.engine import validation
from mekuri.engine.errors import OutdatedGame
from mekuri.match.record import FORMAT
from tests.helpers.folders import OLDER
from tests.helpers.tables import GAMES

FIRST = OLDER / "first"
RECORDS = sorted(FIRST.glob("*-record.json"))
POSITIONS: list[dict[str, Any]] = json.loads((FIRST / "positions.json").read_text("utf-8"))
each_record = pytest.mark.parametrize("text", [pytest.param(path.read_text("utf-8"), id=path.stem) for path in RECORDS])


def test_games_of_the_last_version_still_exist() -> None:
    there_was = [position["game"] for position in POSITIONS]
    assert [path.stem.removesuffix("-record") for path in RECORDS] == there_was
    assert [name for name in GAMES if name in there_was] == there_was


@each_record
def test_older_record_replays_to_its_result(text: str) -> None:
    match, record = mekuri.replay(text), json.loads(text)
    assert match.over
    assert [list(round.returns) for round in match.finished] == [round["returns"] for round in record["rounds"]]
    assert json.loads(match.record().to_json()) == record | {"version": games.find(record["game"]).version}


@each_record
def test_older_unfinished_match_continues(text: str) -> None:
    record = json.loads(text)
    last, chance = record["rounds"][-1], Random(1)
    actions = last["actions"].split()
    last |= {"actions": " ".join(actions[: len(actions) // 2]), "ending": "", "returns": [], "sheet": []}
    match = mekuri.replay(json.dumps(record))
    assert len(match.finished) == len(record["rounds"]) - 1
    assert len(match.round.actions) == len(actions) // 2
    while not match.round.over:
        match.round.play(chance.choice(match.round.legal))
    assert match.next_round() is None
    assert mekuri.replay(match.record()).ledger == match.ledger


def older(position: str) -> str:
    """Return a position without what positions did not say before: which cards lie below the top of a pile."""
    return "; ".join(part for part in position.split("; ") if not part.startswith(("beneath ", "third ")))


@pytest.mark.parametrize("earlier", [pytest.param(earlier, id=earlier["game"]) for earlier in POSITIONS])
def test_older_position_sets_up_the_same_round(earlier: dict[str, Any]) -> None:
    round = mekuri.game(earlier["game"]).position(earlier["position"], seed=1)
    assert round.position == earlier["position"]
    assert list(round.waiting) == earlier["waiting"]
    assert [list(round.legal_for(seat)) for seat in range(round.game.seats)] == earlier["legal"]
    for seat, action in earlier["actions"]:
        round.play(action, seat)
    assert older(round.position) == earlier["after"]


# --- What a newer Mekuri has written is told to be that, and what to do ---


@pytest.mark.parametrize(
    ("newer", "message"),
    [
        ({"mekuri": FORMAT + 1}, f"made by a newer Mekuri .*format {FORMAT + 1}.*: update to read it"),
        ({"version": 99}, "played under version 99 of .*: update it"),
    ],
)
def test_newer_record_is_refused(newer: dict[str, int], message: str) -> None:
    text = json.dumps(json.loads(RECORDS[0].read_text("utf-8")) | newer)
    with pytest.raises(mekuri.RecordError, match=message):
        mekuri.replay(text)


def test_newer_position_is_refused() -> None:
    position = POSITIONS[0]
    with pytest.raises(mekuri.PositionError, match=r"has no moon: .*newer Mekuri.* update to read it"):
        mekuri.game(position["game"]).position(f"{position['position']}; moon 3")


@pytest.mark.parametrize(("api", "behind"), [(contracts.API + 1, "Mekuri"), (contracts.OLDEST_API - 1, "the game")])
def test_contract_of_another_version_is_reported(api: int, behind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Other faults are not reported: another version may allow them."""
    contract = games.find(GAMES[0])
    monkeypatch.setitem(vars(contract), "api", api)
    monkeypatch.setitem(vars(contract), "shape", "of another kind")
    (fault,) = validation.faults(contract)
    assert fault.startswith(f"its contract is of version {api}, ")
    assert fault.endswith(f"update {behind}")


def test_renamed_member_of_the_first_contract_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    contract = games.find("isuri")
    monkeypatch.setitem(vars(contract), "api", 1)
    (fault,) = validation.faults(contract)
    assert "standing is its outlook since version 2, and what was called outlook its prospect" in fault


@pytest.mark.parametrize(("old", "new"), contracts.RENAMED.items())
def test_renamed_function_of_the_first_contract_is_reported(old: str, new: str) -> None:
    module = ModuleType("rules")
    vars(module)[old] = lambda s, seat: 0
    with pytest.raises(OutdatedGame, match=f"its {old} is called {new} since version 2"):
        contracts.functions(module)
    vars(module)[new] = vars(module)[old]  # a helper may be called as it likes
    assert [*contracts.functions(module)] == [new]


def test_removed_plugin_name_is_reported() -> None:
    with pytest.raises(OutdatedGame, match="Near is gone since version 2"):
        exec("from mekuri.plugin import Near", {})  # as a plug-in does
