"""Taking back moves against bots: the same cards come again, and the match is practice."""

import json
from functools import partial
from random import Random

import pytest

from mekuri import games
from mekuri.match.record import Record
from mekuri.match.replay import replay
from mekuri.match.verify import verify
from mekuri.protocol.table import AskAction, AskReady, AskSeat, AskTable, AskTakeBack
from mekuri.table import acting, commands
from mekuri.table.errors import ProblemError
from mekuri.table.rows import catch_up, load, load_stopped
from mekuri.table.showing import record_of, replay_of, show
from mekuri.table.table import Table
from tests.helpers.at_table import ROOT, bots_play, seated
from tests.helpers.at_table import act as act_at
from tests.helpers.at_table import refused as refused_at
from tests.helpers.tables import USUAL, each_game, seats_for


def begun(name: str = USUAL) -> Table:
    asked = AskTable(game=name, seats=list(seats_for(name, "person", "greedy")), first_dealer=1, match_options={})
    table = commands.make("t", ROOT, asked, "ann", 1)
    commands.sit(table, "ann", "Ann", AskSeat(cut="a cut"), 2)
    return table


def asked(table: Table) -> list[str]:
    """Return the legal actions of the person, after the bots have acted."""
    bots_play(table, 4)
    return list(table.running.legal_for(0)) if not table.running.over else []


def act(table: Table, action: str) -> None:
    commands.play(table, "ann", AskAction(version=table.version(0), action=action), 5)


def back(table: Table, version: int | None = None) -> None:
    commands.take_back(table, "ann", AskTakeBack(version=table.version(0) if version is None else version), 6)


def play_round(table: Table, chance: Random) -> None:
    while choices := asked(table):
        act(table, chance.choice(choices))


def refused(table: Table, version: int | None = None) -> str:
    return refused_at(table, lambda: back(table, version))


@each_game
def test_taken_back_moves_restore_the_same_cards(name: str) -> None:
    """At any point: the views are restored, and the same actions give the same results."""
    table, stood = played_on(name)
    packs = [list(pack) for pack in table.running.packs]
    for position in reversed(stood):
        back(table)
        assert table.running.position == position
        assert table.running.packs == packs[: len(table.running.packs)]
        assert table.head.practice
    assert refused(table) == "nothing-to-take-back"
    play_round(table, Random(7))
    assert packs[:1] in ([], table.running.packs[:1])


def played_on(name: str) -> tuple[Table, list[str]]:
    """A table amid a round, and the positions in which the person had a choice."""
    for seed in range(20):
        table, chance, stood = begun(name), Random(seed), list[str]()
        while len(stood) < 3 - seed % 3 and (choices := asked(table)):
            if len(choices) > 1:
                stood.append(table.running.position)
            act(table, chance.choice(choices))
        if stood and not table.running.over:
            return table, stood
    assert games.find(name).side, "every round is over at once"
    pytest.skip("of this game a round is one decision")


@each_game
def test_taken_back_moves_replay_from_the_log(name: str) -> None:
    """Here, in another process that follows row by row, and after a restart; events are identical byte for byte."""
    table, other, chance = begun(name), load("t", ROOT, [], names={"ann": "Ann"}), Random(4)
    for _ in range(3):
        for _ in range(3):
            if choices := asked(table):
                act(table, chance.choice(choices))
            catch_up(other, table.fresh)
        if not table.running.over:
            back(table)
            catch_up(other, table.fresh)
            assert other.running.position == table.running.position
    play_round(table, chance)
    again = load("t", ROOT, table.fresh, names={"ann": "Ann"})
    catch_up(other, table.fresh)
    for one in (again, other):
        for viewer in (0, 1, None):
            assert show(one, viewer) == show(table, viewer)
            assert replay_of(one, viewer, 1).tell() == replay_of(table, viewer, 1).tell()
    versions = [event.version for event in replay_of(table, 0, 1).tell()]
    assert versions == list(range(versions[0], versions[0] + len(versions)))


def test_record_with_a_takeback_is_practice() -> None:
    table, chance = begun(), Random(5)
    act(table, chance.choice(asked(table)))
    bots_play(table, 4)
    back(table)
    play_round(table, chance)
    commands.ready(table, "ann", AskReady(round=1, enough=True), 7)
    assert table.state == "over"
    record = Record.from_json(record_of(table))
    assert record.practice
    assert replay(verify_too(record)).record().practice
    whole = json.loads(record_of(table))
    for wrong in (False, "yes", None):
        with pytest.raises(ValueError, match="practice is true, or is left out"):
            Record.from_json(json.dumps(whole | {"practice": wrong}))
    del whole["practice"]
    assert not Record.from_json(json.dumps(whole)).practice


def verify_too(record: Record) -> Record:
    verify(record)
    return record


def test_counted_round_cannot_be_taken_back() -> None:
    table, chance = begun(), Random(6)
    play_round(table, chance)
    assert refused(table) == "round-counted"
    commands.ready(table, "ann", AskReady(round=1), 7)
    asked(table)
    assert refused(table) == "nothing-to-take-back", "of the round before"
    assert not table.head.practice


def test_table_with_people_has_no_takeback() -> None:
    table = seated(AskTable(game=USUAL, seats=["person", "person"], match_options={}))
    act_at(table, table.running.waiting[0])
    for who, error in (("ann", "others-play-on"), ("ben", "others-play-on"), ("eve", "not-seated")):
        assert refused_at(table, partial(commands.take_back, table, who, AskTakeBack(version=0), 4)) == error


def test_repeated_takeback_happens_once() -> None:
    table = begun()
    for _ in range(2):
        act(table, asked(table)[0])
    asked(table)
    version = table.version(0)
    assert refused(table, version + 1) == "ahead"
    back(table, version)
    rows = len(table.fresh)
    back(table, version)
    assert len(table.fresh) == rows
    back(table)
    act(table, asked(table)[0])
    assert refused(table, table.took_back_at) == "stale", "what was done since has not been seen"


def test_answer_to_a_taken_back_decision_is_refused() -> None:
    """A person's, and a bot's that was thinking."""
    table = begun()
    asked(table)
    act(table, asked(table)[0])
    turn = commands.bot_turn(table, 4)
    while not turn:
        act(table, table.running.legal_for(0)[0])
        turn = commands.bot_turn(table, 4)
    before = table.version(0)
    back(table)
    rows = len(table.fresh)
    commands.bot_answer(table, 5, turn, commands.think(turn))
    assert len(table.fresh) == rows
    with pytest.raises(ProblemError) as refusal:
        commands.play(table, "ann", AskAction(version=before, action=table.running.legal_for(0)[0]), 6)
    assert refusal.value.problem.error in ("stale", "decided-otherwise")


def test_number_of_takebacks_is_limited() -> None:
    table = begun()
    for _ in range(acting.MOST_TAKEN_BACK):
        act(table, asked(table)[0])
        back(table)
    act(table, asked(table)[0])
    assert refused(table) == "took-back-all"
    assert load("t", ROOT, table.fresh).took_back == acting.MOST_TAKEN_BACK


def test_void_match_stays_practice() -> None:
    table = begun()
    act(table, asked(table)[0])
    back(table)
    assert load_stopped("t", ROOT, table.fresh).head.practice
