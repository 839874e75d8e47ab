"""Matches of Tensho from an earlier ruleset: they replay by their options, and continue with the same cards."""

import json
from random import Random

import msgspec
import pytest

import mekuri
from mekuri import games
from mekuri.match.replay import OlderVersion
from mekuri.protocol import table as wire
from mekuri.table import commands
from mekuri.table.log import Row
from mekuri.table.rows import load
from mekuri.table.showing import record_of, show
from mekuri.table.transitions import Unreplayable
from tests.helpers.folders import OLDER
from tests.helpers.server.stores import ROOT

RECORD = (OLDER / "tensho-1-record.json").read_text(encoding="utf-8")
LOG = msgspec.json.decode((OLDER / "tensho-1-log.json").read_bytes(), type=list[Row])
POSITION = (
    "stock 12H 5O 1I 8I 4O 1H 12O 10I 4K 6H; turns 9; hand 4H 7O / 8H 11O; field 1O 1K 2H 3K 4I 7I 8K 9K 10K 11H 12K; "
    "captured 3H 3I 5I 5K 9H 9I 10H 10O 11I 11K / 2I 2O 7H 7K; phase play; vote 1 / 1; voted 3; set 1; dead 2K 3O 5H 8O 9O 12I"
)
PRESENT = games.find("tensho").version
CHANGED = {"instant_yaku": "count", "deal_order": "packets"}


def test_record_of_the_first_ruleset_replays_as_played() -> None:
    """Its second round was won by an instant win, and what both had on the table counted."""
    match = mekuri.replay(RECORD)
    record = json.loads(RECORD)
    assert [round.ending for round in match.finished] == ["chaff", "instant-win", "yaku"]
    assert [list(round.returns) for round in match.finished] == [row["returns"] for row in record["rounds"]]
    assert match.ledger == [{"rounds": 2, "yaku": 100}, {"rounds": 1, "yaku": 50}]


def test_record_of_the_first_ruleset_is_written_in_the_present_one() -> None:
    again = mekuri.replay(RECORD).record()
    assert (again.version, again.options) == (PRESENT, CHANGED)
    assert mekuri.replay(again).ledger == mekuri.replay(RECORD).ledger


def test_record_of_the_first_ruleset_fails_under_the_second() -> None:
    record = json.loads(RECORD) | {"version": 2}
    with pytest.raises(mekuri.RecordError, match="round 1"):
        mekuri.replay(json.dumps(record))


def test_running_match_of_the_first_ruleset_continues() -> None:
    table = load("m", ROOT, LOG)
    assert table.running.position == POSITION
    chance = Random(1)
    while table.state != "over":
        for person, seat in (("ann", 0), ("ben", 1)):
            legal = table.running.legal_for(seat) if table.state == "running" and not table.resting else []
            if legal:
                asked = wire.AskAction(version=table.version(seat), action=chance.choice(legal))
                commands.play(table, person, asked, 600_000)
            elif table.resting:
                commands.ready(table, person, wire.AskReady(round=table.rounds), 600_000)
    assert table.why == "played"
    # The server reads it back as it went on.
    assert show(load("m", ROOT, [*LOG, *table.fresh]), 0) == show(table, 0)
    record = json.loads(str(record_of(table)))
    assert (record["version"], record["options"]) == (PRESENT, CHANGED)
    assert mekuri.replay(json.dumps(record)).over


def test_log_of_the_first_ruleset_fails_under_the_second() -> None:
    made = msgspec.structs.replace(LOG[0], body=LOG[0].body | {"version": 2})
    with pytest.raises(Unreplayable):
        load("m", ROOT, [made, *LOG[1:]])


def test_record_of_the_second_ruleset_keeps_its_result() -> None:
    """Its round went on after the dealer had completed Red Four by cards of the field; now it ends before the first play."""
    text = (OLDER / "tensho-2-record.json").read_text(encoding="utf-8")
    (row,) = mekuri.Record.from_json(text).rounds
    assert (row.ending, row.returns, len(row.actions)) == ("instant-win", (1, -1), 3)
    with pytest.raises(OlderVersion, match="played under version 2"):
        mekuri.replay(text)
    with pytest.raises(mekuri.RecordError, match="The round is over"):
        mekuri.replay(json.dumps(json.loads(text) | {"version": PRESENT}))
