"""Fair deals: bound by the commitment before the first cut, moved by every cut, and whatever else was dealt is found."""

import doctest
import json
import random
from collections.abc import Callable
from dataclasses import replace as changed
from hashlib import sha256
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mekuri
from mekuri import OptionError, RecordError, cli, replay
from mekuri.engine.chance import SeedError, stream
from mekuri.match.deals import SeedDeals
from mekuri.match.fair import LONGEST_CUT, MOST_ROUNDS, FairDeals, check_cuts, commit
from mekuri.match.verify import verify
from mekuri.testing.records import play
from mekuri.testing.worlds import act, play_out
from tests.helpers.fair import CUTS, ROOT, Arranged, cuts_of, dealt_by, fair_match
from tests.helpers.folders import DOCS
from tests.helpers.tables import GAMES, each_preset, games_in_turn, redealing

DOCUMENT = DOCS / "fair.md"
any_cut = st.text(max_size=LONGEST_CUT)


def need_packs(record: mekuri.Record) -> None:
    """Skip the test if nothing is shuffled: then only the first dealer is drawn."""
    if not record.rounds[0].packs:
        pytest.skip("no cards are shuffled in this game")


def play_round(match: mekuri.Match, chance: random.Random) -> mekuri.Match:
    play_out(match.round, chance)
    return match


class TestChain:
    def test_chain_is_reproducible_with_hashlib(self) -> None:
        chain, deals = [ROOT], FairDeals(ROOT, CUTS)
        for _ in range(MOST_ROUNDS + 1):
            chain.append(sha256(chain[-1]).digest())
        assert (
            commit(ROOT)
            == deals.commitment
            == chain[-1].hex()
            == "a88d34c746d53d3355d3bf5839640933260f455208ee4d46e21f0ae1acfe565b"
        )
        assert [deals.secret(number) for number in range(MOST_ROUNDS)] == [link.hex() for link in chain[-2:0:-1]]

    def test_root_is_never_opened(self) -> None:
        opened = FairDeals(ROOT, CUTS).opened(MOST_ROUNDS)
        assert len(set(opened.secrets)) == MOST_ROUNDS
        assert ROOT.hex() not in (opened.commitment, *opened.secrets)

    def test_opened_secret_reveals_no_later_one(self) -> None:
        """It hashes to the one before it, not the other way round."""
        deals = FairDeals(ROOT, CUTS)
        for number in (0, 1, 500):
            hashes = sha256(bytes.fromhex(deals.secret(number))).hexdigest()
            assert hashes == (deals.secret(number - 1) if number else deals.commitment)
            assert hashes != deals.secret(number + 1)

    @pytest.mark.parametrize("number", [-1, MOST_ROUNDS, 10**9])
    def test_unknown_round_is_refused(self, number: int) -> None:
        deals = FairDeals(ROOT, CUTS)
        for ask in (deals.secret, deals.round, deals.opened(3).round):
            with pytest.raises(OptionError, match=f"round {number + 1}"):
                ask(number)

    def test_unopened_round_cannot_be_dealt(self) -> None:
        opened = FairDeals(ROOT, CUTS).opened(3)
        with pytest.raises(OptionError, match="round 4 has not been opened"):
            opened.round(3)
        with pytest.raises(OptionError, match="round 1 has not been opened"):
            FairDeals(ROOT, CUTS).opened(0).lot()

    @pytest.mark.parametrize("root", [b"", bytes(31), bytes(33), "0" * 32, bytearray(32), 7, None])
    def test_invalid_root_is_refused(self, root: Any) -> None:
        for make in (commit, lambda root: FairDeals(root, CUTS)):
            with pytest.raises(SeedError, match="32 bytes"):
                make(root)


class TestCuts:
    @given(st.lists(any_cut, min_size=2, max_size=6))
    def test_any_text_can_be_a_cut(self, cuts: list[str]) -> None:
        assert check_cuts(cuts) == tuple(cuts)

    @pytest.mark.parametrize("cut", ["x" * (LONGEST_CUT + 1), "\ud800", "a\udfffb", b"x", 7, None, ["x"]])
    def test_invalid_cut_is_refused(self, cut: Any) -> None:
        with pytest.raises(OptionError, match=f"at most {LONGEST_CUT} whole characters, and that of seat 1"):
            FairDeals(ROOT, ("", cut))

    @pytest.mark.parametrize("cuts", ["ab", None, 7, {"a": "b"}, {"a"}])
    def test_invalid_list_of_cuts_is_refused(self, cuts: Any) -> None:
        with pytest.raises(OptionError, match="a row of texts"):
            FairDeals(ROOT, cuts)

    @games_in_turn(0)
    def test_each_seat_needs_one_cut(self, name: str) -> None:
        game = mekuri.game(name)
        for cuts in ((), CUTS[:1] * (game.seats - 1), CUTS[:1] * (game.seats + 1)):
            with pytest.raises(OptionError, match=rf"{game.seats} seats, and {len(cuts)} cuts"):
                fair_match(game, cuts=cuts)

    @given(st.lists(any_cut, min_size=2, max_size=4), st.data())
    def test_changed_cut_changes_every_deal(self, cuts: list[str], data: st.DataObject) -> None:
        other = list(cuts)
        seat = data.draw(st.integers(0, len(cuts) - 1))
        other[seat] = data.draw(any_cut.filter(lambda cut: cut != cuts[seat]))
        number = data.draw(st.integers(0, 20))
        one, same, moved = FairDeals(ROOT, cuts), FairDeals(ROOT, cuts), FairDeals(ROOT, other)
        assert (one.lot(), one.round(number)) == (same.lot(), same.round(number))
        assert one.lot() != moved.lot()
        assert one.round(number) != moved.round(number)
        assert one.commitment == moved.commitment  # which was published before

    def test_cuts_of_different_seats_are_not_confused(self) -> None:
        rows = [("ab", "c"), ("a", "bc"), ("abc", ""), ("", "abc"), ("c", "ab"), ("t1:a", ""), ("", ""), ("", "", "")]
        assert len({tuple(FairDeals(ROOT, cuts).round(0)) for cuts in rows}) == len(rows)


class TestStreams:
    def test_streams_match_the_document(self) -> None:
        deals = FairDeals(ROOT, CUTS)
        for number in range(3):
            secret = bytes.fromhex(deals.secret(number))
            assert deals.round(number) == deals.opened(3).round(number) == stream(secret, "fair deal", number, *CUTS)
        assert deals.lot() == deals.opened(1).lot() == stream(bytes.fromhex(deals.secret(0)), "fair lot", *CUTS)

    def test_streams_are_all_different(self) -> None:
        deals = FairDeals(ROOT, CUTS)
        assert len({tuple(found) for found in (deals.lot(), *map(deals.round, range(20)))}) == 21

    def test_seed_gives_the_known_lot(self) -> None:
        assert SeedDeals("x").lot() == stream("x", "dealer")
        assert SeedDeals("x").opened(3) is None

    @games_in_turn(1)
    def test_lot_reaches_every_seat(self, name: str) -> None:
        game = mekuri.game(name)
        drawn = [fair_match(game, root=sha256(bytes([n])).digest()).dealer for n in range(60)]
        assert set(drawn) == set(range(game.seats))

    @games_in_turn(2)
    def test_equal_roots_and_cuts_give_equal_matches(self, name: str) -> None:
        game = mekuri.game(name)
        one, same = (play(fair_match(game), random.Random(1)).record() for _ in range(2))
        assert one == same
        need_packs(one)
        for other in (fair_match(game, cuts=("", *cuts_of(game)[1:])), fair_match(game, root=bytes(32))):
            assert play(other, random.Random(1)).record().rounds != one.rounds


class TestOpening:
    @games_in_turn(0)
    def test_secret_is_opened_when_its_round_is_over(self, name: str) -> None:
        match, chance = fair_match(mekuri.game(name), rounds=3), random.Random(2)
        while not match.over:
            number = len(match.finished)
            assert opened(match) == number
            act(match.round, chance)
            assert opened(match) == number
            assert opened(match, broken_off=True) == number + 1
            play_round(match, chance)
            assert opened(match) == opened(match, broken_off=True) == number + 1
            match.next_round()
        assert opened(match) == opened(match, broken_off=True) == len(match.finished) > 1

    @games_in_turn(1)
    def test_match_from_a_seed_has_no_secrets(self, name: str) -> None:
        record = mekuri.game(name).match(seed=1).record(broken_off=True)
        assert record.fair is None
        assert "fair" not in json.loads(record.to_json())


def opened(match: mekuri.Match, *, broken_off: bool = False) -> int:
    """How many secrets the record of a match opens; each of them is the right one."""
    fair, deals = match.record(broken_off=broken_off).fair, match.deals
    assert fair
    assert isinstance(deals, FairDeals)
    assert fair.secrets == tuple(deals.secret(number) for number in range(len(fair.secrets)))
    assert (fair.commitment, fair.cuts) == (deals.commitment, deals.cuts)
    return len(fair.secrets)


class TestVerify:
    @pytest.mark.in_turn(3)
    @each_preset
    def test_finished_match_is_verified(self, name: str, preset: str) -> None:
        record = play(fair_match(mekuri.game(name, preset), rounds=3), random.Random(3)).record()
        for form in (record, record.to_json(), record.to_json().encode()):
            found = verify(form)
            assert (found.rounds, found.verified, found.noted) == (len(record.rounds), len(record.rounds), False)
            assert (found.commitment, found.cuts, found.players) == (commit(ROOT), cuts_of(mekuri.game(name)), record.players)
        assert verify(record, f" {commit(ROOT).upper()}\n").noted
        assert verify(replay(record).record()) == verify(record)

    @games_in_turn(2)
    def test_running_match_is_verified_as_far_as_opened(self, name: str) -> None:
        """The opened part is verified, and the rest is reported as unverified."""
        match, chance = fair_match(mekuri.game(name)), random.Random(4)
        while not match.over:
            over = len(match.finished) + (match.round.over and match.round not in match.finished)
            for broken_off in (False, True):
                found = verify(match.record(broken_off=broken_off))
                dealt = len(match.finished) + (match.round not in match.finished)
                assert (found.rounds, found.verified) == (dealt, dealt if broken_off else over)
                assert ("cannot be verified yet" in str(found)) == (found.verified < found.rounds)
            if match.round.over:
                match.next_round()
            else:
                play(match, chance, 3)

    @games_in_turn(0)
    def test_redealt_round_is_verified(self, name: str) -> None:
        if not mekuri.games.find(name).redeals:
            pytest.skip("this game is never dealt again")
        match = next(match for match in map(one_round(redealing(name)), range(3000)) if len(match.round.packs) > 1)
        record = match.record()
        assert verify(record).verified == 1
        packs = record.rounds[0].packs
        for forged in ((packs[0], packs[1][::-1]), (packs[0], packs[0]), packs[::-1], packs[:1], (*packs, packs[0])):
            with pytest.raises(RecordError, match="round 1"):
                verify(changed(record, rounds=(changed(record.rounds[0], packs=forged),)))

    @games_in_turn(1)
    def test_match_from_a_seed_cannot_be_verified(self, name: str) -> None:
        record = mekuri.game(name).match(seed=1).record()
        with pytest.raises(RecordError, match="dealt from a seed: there is nothing to verify"):
            verify(record)

    @pytest.mark.parametrize("record", [None, 7, [], {}])
    def test_invalid_record_is_refused(self, record: Any) -> None:
        with pytest.raises(RecordError, match="a record is a Record or its JSON"):
            verify(record)


def one_round(game: mekuri.Game) -> Callable[[int], mekuri.Match]:
    """Matches of one round, each from another root."""
    return lambda n: play(fair_match(game, 1, sha256(b"%d" % n).digest()), random.Random(n))


class TestCheating:
    """Records that replay, so that nothing in them is wrong but the deals."""

    @games_in_turn(2)
    @pytest.mark.parametrize("arranged", [0, 1])
    def test_arranged_pack_is_found(self, name: str, arranged: int) -> None:
        game = mekuri.game(name)
        match = play(dealt_by(Arranged(game, arranged), game), random.Random(5))
        need_packs(match.record())
        assert replay(match.record()).over
        with pytest.raises(RecordError, match=f"round {arranged + 1}: the pack is not the one that the secret and the cuts give"):
            verify(match.record())

    @games_in_turn(0)
    def test_arranged_lot_is_found(self, name: str) -> None:
        game = mekuri.game(name)
        first = fair_match(game).dealer
        arranged = (dealt_by(Arranged(game, None, bytes([n] * 32)), game) for n in range(99))
        match = next(match for match in arranged if match.dealer != first)
        wrong = match.dealer
        assert replay(play(match, random.Random(6)).record()).over
        with pytest.raises(RecordError, match=f"round 1: seat {wrong} cannot deal; by lot seat {first} does"):
            verify(match.record())

    @games_in_turn(1)
    def test_exchanged_unseen_cards_are_found(self, name: str) -> None:
        """In each other's place they change nothing that was played."""
        record = play(fair_match(mekuri.game(name)), random.Random(7)).record()
        need_packs(record)
        last = record.rounds[-1]
        for one, other in combinations(range(len(last.packs[-1])), 2):
            pack = list(last.packs[-1])
            pack[one], pack[other] = pack[other], pack[one]
            forged = changed(record, rounds=(record.rounds[0], changed(last, packs=(*last.packs[:-1], tuple(pack)))))
            if replays(forged):
                break
        else:
            pytest.skip("every card turns up in this game")
        with pytest.raises(RecordError, match="round 2: the pack"):
            verify(forged)

    @games_in_turn(2)
    def test_later_commitment_is_found_by_the_noted_one(self, name: str) -> None:
        """Only a commitment noted before the match reveals it."""
        record = play(fair_match(mekuri.game(name), root=bytes(32)), random.Random(8)).record()
        assert verify(record).verified == 2
        for noted in (commit(ROOT), "", "x", commit(bytes(32))[:-1]):
            with pytest.raises(RecordError, match="not the one that you noted"):
                verify(record, noted)

    @games_in_turn(0)
    def test_missing_secret_is_found(self, name: str) -> None:
        record = play(fair_match(mekuri.game(name)), random.Random(9)).record()
        assert record.fair
        for kept in (0, 1):
            forged = changed(record, fair=changed(record.fair, secrets=record.fair.secrets[:kept]))
            assert replay(forged).over
            with pytest.raises(RecordError, match=f"round {kept + 1} is over, and its secret is not opened"):
                verify(forged)

    @games_in_turn(1)
    def test_continued_replay_fails_verification(self, name: str) -> None:
        """Its further deals have no commitment."""
        match, chance = fair_match(mekuri.game(name)), random.Random(10)
        again = replay(play_round(match, chance).record())
        assert verify(again.record()).verified == 1
        with pytest.raises(RecordError, match="round 2 is over, and its secret is not opened"):
            verify(play(again, chance).record())


def replays(record: mekuri.Record) -> bool:
    try:
        replay(record)
    except RecordError:
        return False
    return True


class TestCommand:
    @pytest.fixture
    def run(self, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Callable[..., tuple[int, str, str]]:
        """Verify a record with the command. Return its exit status, standard output and standard error."""

        def command(record: mekuri.Record, *words: str) -> tuple[int, str, str]:
            file = tmp_path / "match.json"
            file.write_text(record.to_json(), encoding="utf-8")
            try:
                cli.main(["verify", str(file), *words])
                status = 0
            except SystemExit as leaving:
                status = leaving.code if isinstance(leaving.code, int) else 1
            return status, *capsys.readouterr()

        return command

    def test_verified_record_is_printed(self, run: Any) -> None:
        game = mekuri.game(GAMES[0])
        record = play(fair_match(game), random.Random(1)).record()
        status, out, err = run(record)
        assert (status, err) == (0, "")
        assert out.splitlines() == [
            f"commitment {commit(ROOT)}: compare it with the one you noted (--commitment)",
            "2 of 2 rounds: the first dealer and every pack are those that the secrets and the cuts give",
            "cut of Seat 0: 'tsuru'",
            r"cut of Seat 1: '鶴 🎴\n\x1b[2J'",
            *(f"cut of Seat {seat}: {cuts_of(game)[seat]!r}" for seat in range(2, game.seats)),
        ]
        assert run(record, "--commitment", commit(ROOT))[1].startswith(f"commitment {commit(ROOT)}: the one you noted\n")

    def test_unverifiable_parts_are_printed(self, run: Any) -> None:
        game = mekuri.game(GAMES[0])
        status, out, _ = run(fair_match(game, cuts=[""] * game.seats).record())
        assert status == 0
        assert out.splitlines()[1:] == [
            "round 1 is not over and its secret not opened: it cannot be verified yet",
            *(f"no cut of Seat {seat}" for seat in range(game.seats)),
            "nobody cut: the server could choose the packs before the match, though not change them in it",
        ]

    def test_refusal_is_one_line(self, run: Any) -> None:
        game = mekuri.game(GAMES[0])
        fair = fair_match(game).record()
        for words in (
            (game.match(seed=1).record(),),
            (fair, "--commitment", commit(bytes(32))),
            (play(dealt_by(Arranged(game, 1), game), random.Random(1)).record(),),
            (fair, "--commitment"),
            (fair, "more"),
        ):
            status, out, err = run(*words)
            assert (status, out) == (2, "")
            assert err.startswith("mekuri: ")
            assert err.count("\n") == 1


def test_document_passes_doctest() -> None:
    result = doctest.testfile(str(DOCUMENT), module_relative=False, encoding="utf-8")
    assert result.attempted > 10
    assert result.failed == 0
