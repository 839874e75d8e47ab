"""Records of Tenshu from the first ruleset, whose sheet began with the card points and had no kitty on it."""

import json

import pytest

import mekuri
from tests.helpers.folders import OLDER

RECORD = (OLDER / "tenshu-1-record.json").read_text(encoding="utf-8")


def test_older_records_replay_as_played() -> None:
    match = mekuri.replay(RECORD)
    record = json.loads(RECORD)
    assert record["version"] == 1
    assert [round.ending for round in match.finished] == ["taikosan", "settled", "settled"]
    assert [list(round.returns) for round in match.finished] == [row["returns"] for row in record["rounds"]]
    assert match.accounts == {"kitty": 10}


def test_older_records_are_written_with_the_present_sheet() -> None:
    again = mekuri.replay(RECORD).record()
    assert again.version == 2
    assert [line["clause"] for line in again.rounds[1].sheet if line["seat"] == "kitty"] == ["tenshu.score.kitty"]
    assert mekuri.replay(again).ledger == mekuri.replay(RECORD).ledger


def test_older_sheet_fails_under_the_second_ruleset() -> None:
    with pytest.raises(mekuri.RecordError, match="round 2"):
        mekuri.replay(json.dumps(json.loads(RECORD) | {"version": 2}))
