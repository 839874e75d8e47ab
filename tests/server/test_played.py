"""A guest's matches: counted from the log, exported, imported from a file, and deleted."""

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import msgspec
import pytest

import mekuri
from mekuri import games
from mekuri.protocol.played import CallsMade
from mekuri.table.results import Result, Sat, SeatOutcome, totals, with_record
from tests.helpers.server.gathering import begun, guests
from tests.helpers.server.serving import Guest, Json, Refusal, Serving, play_out, serving
from tests.helpers.server.stores import sql
from tests.helpers.tables import GAMES, USUAL

WITH_YAKU = [name for name in GAMES if games.find(name).yaku]


async def played(guest: Guest, skip: int = 0) -> Json:
    while (answer := dict(await guest.call("GET", f"/api/guests/matches?skip={skip}")))["counting"]:
        pass
    return answer


async def exported(guest: Guest, table: str) -> Json:
    """A match of a guest's export."""
    export = (await guest.http.get("/api/guests/export")).json()
    return dict(next(match for match in export["matches"] if match["table"] == table))


def asked(match: Json, **more: object) -> Json:
    """What brings it."""
    return {name: match[name] for name in ("table", "ended_at", "why", "seat", "counted", "record")} | more


async def bring(guest: Guest, what: Json) -> Json:
    return dict(await guest.call("POST", "/api/guests/matches", what))


async def refused(guest: Guest, what: Json) -> tuple[int, str | None]:
    with pytest.raises(Refusal) as refusal:
        await bring(guest, what)
    return refusal.value.status, refusal.value.error


@pytest.mark.alone
async def test_finished_match_counts_once_for_its_players(server: Serving, aki: Guest, ben: Guest) -> None:
    assert await played(aki) == {"games": [], "matches": [], "more": False, "counting": False}
    table = await begun([aki, ben], USUAL, rounds=2)
    assert (await played(aki))["matches"] == []
    whole = await play_out(table, [aki, ben])
    record = (await aki.http.get(f"/api/tables/{table}/record")).json()
    winners = whole["head"]["winners"]
    for seat, guest in enumerate((aki, ben)):
        own = await played(guest)
        (match,) = own["matches"]
        assert (match["table"], match["seat"], match["players"], match["imported"]) == (table, seat, [None, None], False)
        assert match["rounds"] == [1, 2]
        assert match["returns"] == [round["returns"][seat] for round in record["rounds"]]
        assert match["won"] == (winners == [seat])
        (game,) = own["games"]
        best = max(match["returns"])
        assert (game["game"], game["played"], game["imported"], game["rounds"]) == (USUAL, 1, 0, 2)
        number = match["returns"].index(best) + 1
        assert game["best"] == {"table": table, "round": number, "seat": seat, "points": best, "imported": False}
        assert await played(guest) == own, "it is counted once"
    assert (await played(await Guest(server.address).arrive("Chie")))["matches"] == []


@pytest.mark.parametrize("name", WITH_YAKU)
def test_yaku_counts_for_its_maker(name: str) -> None:
    """It does not count for a seat that pays for it."""
    made = 0
    for seed in range(6):
        match = (
            mekuri.game(name).match(seed=seed, rounds=1)
            if "rounds" in str(mekuri.game(name))
            else mekuri.game(name).match(seed=seed)
        )
        round = match.round
        while not round.over:
            round.play(round.legal[(seed * 7 + len(round.actions)) % len(round.legal)])
        match.leave_off()
        for seat in range(round.game.seats):
            rows = [
                Sat("sit", seat, "aki", 1, "{}"),
                Sat("round", None, None, 2, "{}"),
                Sat("open", None, None, 3, "{}"),
                Sat("end", None, None, 4, json.dumps({"why": "agreed", "winners": [], "record": match.record().to_json()})),
            ]
            outcome = with_record("t", name, 0, "aki", rows)[0].outcome
            bits = games.find(name).rules.yaku_of(round._state, seat)
            assert set(outcome.yaku) <= {id for n, id in enumerate(games.find(name).yaku) if bits >> n & 1}
            assert outcome.returns == [round.returns[seat]]
            made += len(outcome.yaku)
    assert made


def end(record: str | None, **more: object) -> Sat:
    return Sat("end", None, None, 9, json.dumps({"why": "played", "winners": [0], "record": record, **more}))


def record_of(rounds: int) -> str:
    """A match of some rounds that seat 0 wins by 1 each."""
    one = {"packs": [], "actions": "", "returns": [1, -1], "sheet": []}
    return json.dumps({"players": ["person", "random"], "rounds": [one] * rounds})


OPEN = Sat("open", None, None, 5, "{}")
SIT, BEGIN = Sat("sit", 0, "aki", 1, "{}"), Sat("round", None, None, 2, "{}")
HOLD, BACK, LEAVE = (Sat(kind, 0, None, 3, "{}") for kind in ("hold", "back", "leave"))
DRAW = Sat("draw", None, None, 2, json.dumps({"from": [1, 0], "seats": [0, 1]}))


@pytest.mark.parametrize(
    ("rows", "counted", "seat", "won"),
    [
        ([SIT, BEGIN, OPEN, OPEN, OPEN], [1, 2, 3], 0, True),
        ([SIT, BEGIN, OPEN, HOLD, OPEN, BACK, OPEN], [1, 3], 0, True),
        ([SIT, BEGIN, OPEN, LEAVE, OPEN, OPEN], [1], 0, False),
        ([SIT, LEAVE, Sat("sit", 1, "aki", 1, "{}"), BEGIN, OPEN, OPEN, OPEN], [1, 2, 3], 1, False),
        ([SIT, DRAW, BEGIN, OPEN, OPEN, OPEN], [1, 2, 3], 1, False),
        ([Sat("sit", 0, "ben", 1, "{}"), BEGIN, OPEN, OPEN, OPEN], [], 0, False),
    ],
)
def test_round_counts_for_the_player_seated_at_its_end(rows: list[Sat], counted: list[int], seat: int, won: bool) -> None:
    outcome = with_record("t", USUAL, 0, "aki", [*rows, end(record_of(3))])[0].outcome
    assert (outcome.rounds, outcome.seat, outcome.won) == (counted, seat, won)


def test_abandoned_match_counts_its_finished_rounds() -> None:
    rows = [SIT, BEGIN, OPEN]
    broken = json.loads(record_of(2))
    broken["rounds"][1]["returns"] = []
    result, _ = with_record("t", USUAL, 0, "aki", [*rows, end(json.dumps(broken), why="abandoned", winners=None)])
    assert (result.outcome.rounds, result.outcome.won, result.outcome.why) == ([1], False, "abandoned")
    assert with_record("t", USUAL, 7, "aki", rows)[0].at == 7, "a match that the log does not tell the end of"
    for unknown in (None, "{}", '{"rounds": 7}'):
        assert with_record("t", USUAL, 0, "aki", [*rows, end(unknown)])[0].outcome == SeatOutcome()


def test_calls_are_counted_by_what_their_rounds_brought() -> None:
    actions = ("0:1H 0:koi 1:2H 0:koi 0:shobu", "0:koi 1:koi 1:shobu", "0:koi 1:1H", "1:koi 0:shobu")
    rounds = [
        {"packs": [], "actions": each, "returns": [won, -won], "sheet": []}
        for each, won in zip(actions, (6, -3, 0, 2), strict=True)
    ]
    record = json.dumps({"players": ["person", "random"], "rounds": rounds})
    found = with_record("t", "koikoi", 0, "aki", [SIT, BEGIN, OPEN, OPEN, OPEN, OPEN, end(record)])[0]
    assert found.outcome.calls == [CallsMade(word="koi", times=4, won=2, punished=1)]
    assert found.played().calls == found.outcome.calls
    (total,) = totals([found, found])
    assert total.calls == [CallsMade(word="koi", times=8, won=4, punished=2)]
    assert with_record("t", USUAL, 0, "aki", [SIT, BEGIN, OPEN, end(record)])[0].outcome.calls == []


def test_result_stored_before_calls_were_counted_still_loads() -> None:
    stored = '{"seat":0,"players":[null,"kiku"],"why":"played","won":true,"rounds":[1],"returns":[6],"yaku":{}}'
    (total,) = totals([Result("t", "koikoi", 1, False, None, stored)])
    assert (total.rounds, total.calls) == (1, [])


def test_best_and_first_results_are_found() -> None:
    def one(at: int, returns: list[int], yaku: dict[str, int], imported: bool = False) -> Result:
        bots: list[str | None] = [None, "suzu", "kiku"] if at == 1 else [None, "heita"]
        outcome = SeatOutcome(rounds=[2 + n for n in range(len(returns))], returns=returns, yaku=yaku, won=at == 1, players=bots)
        return Result(f"t{at}", USUAL, at, imported, None, msgspec.json.encode(outcome).decode())

    (total,) = totals([one(1, [3, 9], {}), one(2, [9], {"three": 1}), one(3, [-4], {"three": 2}, imported=True)])
    assert (total.played, total.imported, total.won, total.rounds) == (3, 1, 1, 4)
    assert total.beaten == ["suzu", "kiku"], "bots of a match that was lost are not beaten"
    assert (total.best.table, total.best.round, total.best.points) == ("t1", 3, 9)
    assert [(made.id, made.times, made.imported, made.first_at) for made in total.yaku] == [("three", 3, 2, 2)]


async def test_matches_are_paged_and_counted_in_steps(server: Serving, aki: Guest, monkeypatch: pytest.MonkeyPatch) -> None:
    tables = []
    for _ in range(3):
        tables.append(await begun([aki], USUAL, rounds=1, bots=["random"]))
        await play_out(tables[-1], [aki])
    monkeypatch.setattr("mekuri.server.storage.result_store._AT_ONCE", 50)
    monkeypatch.setattr("mekuri.desk.match_history._PAGE", 2)
    first, rest, none = [await played(aki, skip) for skip in (0, 2, 7)]
    ids = [match["table"] for match in (*first["matches"], *rest["matches"])]
    assert sorted(ids) == sorted(tables)
    assert [first["more"], rest["more"], none["more"]] == [True, False, False]
    ended = [match["ended_at"] for match in (*first["matches"], *rest["matches"])]
    assert ended == sorted(ended, reverse=True)
    assert first["games"] == none["games"]
    assert first["matches"][0]["players"] == [None, "random"]
    with pytest.raises(Refusal):
        await played(aki, -1)


class TestImport:
    async def match_of(self, aki: Guest, rounds: int = 1, bots: tuple[str, ...] = ("random",)) -> Json:
        """A match that a guest has played, as the export has it."""
        table = await begun([aki], USUAL, rounds=rounds, bots=bots)
        await play_out(table, [aki])
        return await exported(aki, table)

    @pytest.mark.alone
    async def test_imported_match_is_counted_once_and_marked(self, server: Serving, aki: Guest, tmp_path: Path) -> None:
        match = await self.match_of(aki, rounds=2)
        here = (await played(aki))["matches"][0]
        assert await bring(aki, asked(match)) == {"added": False, "match": here}, "it was played here"
        assert (await bring(aki, asked(match, table="another")))["added"] is False, "by another name it is the same"
        async with serving(tmp_path / "other.db") as other, guests(other, "Aki") as (again,):
            answer = await bring(again, asked(match))
            assert answer == {"added": True, "match": here | {"imported": True}}
            assert (await bring(again, asked(match, ended_at=(1 << 53) - 1)))["added"] is False
            assert (await bring(again, asked(match, table="x", seat=1)))["added"] is False
            found = await played(again)
            assert found["matches"] == [answer["match"]]
            assert [(game["played"], game["imported"]) for game in found["games"]] == [(1, 1)]
            export = (await again.http.get("/api/guests/export")).json()
            assert export["brought"] == [answer["match"]]
            assert sql(tmp_path / "other.db", "SELECT count(*) FROM matches") == [(0,)], "no match is made of it"

    @pytest.mark.alone
    async def test_impossible_record_is_refused(self, server: Serving, aki: Guest, ben: Guest) -> None:
        match = await self.match_of(aki, rounds=2)
        record = match["record"]

        def changed(change: Any) -> Json:
            forged = deepcopy(record)
            change(forged)
            return asked(match, record=forged)

        def more(forged: Json) -> None:
            forged["rounds"][0]["returns"][0] += 100

        def first_pack(forged: Json) -> None:
            pack = forged["rounds"][0]["packs"][0].split()
            forged["rounds"][0]["packs"][0] = " ".join(pack[::-1])

        def made_up(forged: Json) -> None:
            forged["rounds"][0]["sheet"].append(forged["rounds"][0]["sheet"][0])

        def fewer(forged: Json) -> None:
            forged["rounds"][0]["actions"] = forged["rounds"][0]["actions"].rsplit(" ", 1)[0]

        forgeries = [
            *(more, first_pack, made_up, fewer),
            lambda forged: forged.pop("fair"),
            lambda forged: forged["fair"].update(commitment="0" * 64),
            lambda forged: forged.update(players=["person"]),
            lambda forged: forged.update(version=99),
            lambda forged: forged.update(options={"nothing": "x"}),
            lambda forged: forged.update(rounds=[]),
            lambda forged: forged.clear(),
        ]
        for forgery in forgeries:
            assert await refused(ben, changed(forgery)) == (422, "bad-record")
        assert await refused(ben, changed(lambda forged: forged.update(game="nothing"))) == (404, "no-such-game")
        assert await refused(ben, asked(match, seat=5)) == (400, "no-seat")
        assert await refused(ben, asked(match, counted=[3])) == (422, "bad-record")
        for wrong in ({"seat": -1}, {"counted": [0]}, {"record": None}, {"ended_at": -1}, {"table": ""}, {"why": "x"}):
            assert await refused(ben, asked(match, **wrong)) == (400, "malformed")
        assert (await played(ben))["matches"] == []

    async def test_oversized_request_is_refused(self, server: Serving, aki: Guest, ben: Guest) -> None:
        match = await self.match_of(aki)
        long = match["record"] | {"players": ["x" * 140_000] * 2}
        assert await refused(ben, asked(match, record=long)) == (413, "too-large")
        deep = json.dumps(asked(match, record={})).replace("{}", '{"a":' * 20_000 + "1" + "}" * 20_000)
        answer = await ben.http.post("/api/guests/matches", content=deep, headers={"content-type": "application/json"})
        assert answer.status_code == 400
        huge = json.dumps(asked(match, record={})).replace("{}", '{"mekuri":' + "9" * 5000 + "}")
        answer = await ben.http.post("/api/guests/matches", content=huge, headers={"content-type": "application/json"})
        assert answer.status_code in (400, 422)
        assert (await played(ben))["matches"] == []

    async def test_time_to_come_of_an_imported_match_is_not_believed(self, server: Serving, aki: Guest, ben: Guest) -> None:
        far = await bring(ben, asked(await self.match_of(aki), ended_at=(1 << 53) - 1))
        assert far["added"]
        assert far["match"]["ended_at"] <= server.desk.time.now(), "no match ends in days to come"

    async def test_number_of_imports_is_limited(
        self, server: Serving, aki: Guest, ben: Guest, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        match = await self.match_of(aki)
        monkeypatch.setattr("mekuri.desk.match_history._BROUGHT", 0)
        assert await refused(ben, asked(match)) == (429, "too-many-matches")

    async def test_guest_deleted_mid_request_gets_401(self, server: Serving, aki: Guest, ben: Guest) -> None:
        match = await self.match_of(aki)
        await server.desk.store.forget_person(ben.id)  # was known when the request began
        assert await refused(ben, asked(match)) == (401, "not-signed-in")

    @pytest.mark.alone
    async def test_export_holds_records_of_finished_matches_only(self, aki: Guest, ben: Guest) -> None:
        running = await exported(aki, await begun([aki, ben], USUAL))
        assert (running["record"], running["seat"], running["counted"], running["ended_at"]) == (None, None, [], None)
        over = await self.match_of(aki)
        assert over["record"]["players"] == ["person", "random"], "no names"


async def test_results_of_a_deleted_guest_are_deleted(server: Serving, aki: Guest, ben: Guest, tmp_path: Path) -> None:
    table = await begun([aki, ben], USUAL, rounds=1)
    await play_out(table, [aki, ben])
    assert (await played(aki))["matches"]
    before = await played(ben)
    await aki.call("DELETE", "/api/guests/me")
    assert sql(tmp_path / "mekuri.db", "SELECT DISTINCT person FROM results") == [(ben.id,)]
    assert await played(ben) == before


async def test_results_of_a_deleted_match_are_deleted(server: Serving, aki: Guest, ben: Guest, tmp_path: Path) -> None:
    table = await begun([aki], USUAL, rounds=1, bots=["random"])
    await play_out(table, [aki])
    match = await exported(aki, table)
    assert (await bring(ben, asked(match)))["added"]
    assert (await played(aki))["matches"]
    await server.desk.store.remove(table)
    assert (await played(aki))["matches"] == []
    assert len((await played(ben))["matches"]) == 1, "what was brought stays"
