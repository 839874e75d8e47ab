"""Bots of other distributions, in separate processes: discovered, asked, ended, and without hidden information."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

import mekuri
from mekuri import bots
from mekuri.bots import Budget, Seen, apart, wire
from mekuri.bots.apart import Apart, Failed
from mekuri.engine.chance import stream
from mekuri.engine.contract import legal
from mekuri.engine.errors import MekuriError
from mekuri.lab.simulate import Simulating, simulate
from mekuri.testing.worlds import random_round, steps, twin, values
from tests.helpers.foreign import DEEDS, install, looked_for_anew, site_of
from tests.helpers.patience import PATIENCE
from tests.helpers.tables import USUAL, each_played

GAME = mekuri.game(USUAL)
BUDGET = Budget(playouts=3)
HONEST = {"honest", "prints"}
FAULTS = {
    "hangs": "has not answered within 1 s",
    "sleeps": "has not answered within 1 s",
    "dies": "has ended its process",
    "leaves": "raised SystemExit",
    "raises": r"raised ZeroDivisionError \(.*bot_raises.py, line \d+\)$",
    "illegal": "has chosen something that the rules forbid",
    "negative": "has chosen something that the rules forbid",
    "huge": "has chosen something that the rules forbid",
    "nonsense": "has given a str, which is no action",
}


@pytest.fixture(scope="module", autouse=True)
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with site_of(tmp_path_factory.mktemp("site"), *DEEDS) as site:
        yield site


def a_choice() -> Seen:
    """Return the view of a seat with a choice, well into a round."""
    played = len(random_round(GAME, 3).history)
    for now in steps(random_round(GAME, 3)):
        if len(now.history) > played // 2 and now.waiting and now.waiting[0] < GAME.seats and len(now.legal) > 1:
            return now.seen(now.waiting[0])
    raise AssertionError("nobody has anything to choose")


@pytest.fixture
def processes() -> Iterator[Apart]:
    found = Apart(PATIENCE)
    yield found
    found.close()


class TestAsked:
    @pytest.mark.parametrize("name", sorted(HONEST))
    def test_foreign_bot_chooses_from_one_process(self, processes: Apart, name: str) -> None:
        """As it would in this process, and from the same process each time."""
        seen = a_choice()
        for seed in range(3):
            assert processes.choose(name, seen, stream(seed), BUDGET) == bots.find("random").choose(seen, stream(seed), BUDGET)
        assert len(processes._all) == 1

    def test_bot_that_thinks_in_batches_is_asked_once(self, site: Path, processes: Apart) -> None:
        """Its results tell the version of its weights."""
        before = (
            "def choose_many(seen, chances, budget):\n"
            "    return [choose(one, chances[0], budget) for one in seen[: len(chances[0]) - 1]]"
        )
        install(site, "batches", "", before, more='{"choose_many": choose_many, "weights": "7 of 9"}')
        seen, chances = [a_choice()] * 3, [stream(seed) for seed in range(3)]
        with looked_for_anew():
            one_stream = stream(0)
            expected = [bots.find("random").choose(one, one_stream, BUDGET) for one in seen]
            assert processes.choose_each("batches", seen, chances, BUDGET) == expected
            with pytest.raises(Failed, match="raised ValueError"):
                processes.choose_each("batches", seen * 2, chances * 2, BUDGET)
            assert Simulating(GAME, 4, 5, ("batches",)).about()["weights"] == {"batches": "7 of 9"}

    def test_forced_action_starts_no_process(self, processes: Apart) -> None:
        found = (now for now in steps(random_round(GAME, 1)) if now.waiting and now.waiting[0] < GAME.seats)
        forced = next(now for now in found if len(now.legal) == 1)
        seat = forced.waiting[0]
        assert processes.choose("dies", forced.seen(seat), stream(0), BUDGET) == legal(forced.hidden(seat), seat).bit_length() - 1
        assert not processes._all

    @pytest.mark.in_turn(3)
    @pytest.mark.parametrize("name", sorted(DEEDS.keys() - HONEST))
    def test_failing_bot_is_ended_and_restarted(self, name: str) -> None:
        """It is started again for the next turn. No message contains what it knew."""
        processes, seen = Apart(1), a_choice()
        for _ in range(2):
            with pytest.raises(Failed, match=FAULTS[name]):
                processes.choose(name, seen, stream(0), BUDGET)
            assert not processes._all
        processes.close()

    def test_hanging_bot_blocks_no_other(self, processes: Apart) -> None:
        """Nor for more of its kind than a few."""
        seen, failed = a_choice(), list[str]()

        def ask() -> None:
            try:
                processes.choose("hangs", seen, stream(0), BUDGET)
            except Failed as error:
                failed.append(str(error))

        hanging = [threading.Thread(target=ask) for _ in range(6)]
        for thread in hanging:
            thread.start()
        assert legal(seen.hidden, seen.seat) >> processes.choose("honest", seen, stream(0), BUDGET) & 1
        assert not failed
        processes.close()  # does not wait for them either
        for thread in hanging:
            thread.join(PATIENCE)
        assert len(failed) == 6

    def test_killed_process_is_restarted(self, processes: Apart) -> None:
        seen = a_choice()
        first = processes.choose("honest", seen, stream(0), BUDGET)
        (process,) = processes._all
        process._process.kill()
        process._process.wait()
        assert processes.choose("honest", seen, stream(0), BUDGET) == first

    def test_process_ends_with_its_starter(self) -> None:
        """A process amid a thought that never ends leaves when its line is cut."""
        process = apart._Process("hangs")
        process._to.write(wire.packed([a_choice()], [stream(0)], BUDGET))
        process._to.close()
        assert process._process.wait(PATIENCE) == 0
        process.end()

    @pytest.mark.every_days(4)
    def test_settings_of_mekuri_are_not_in_its_environment(self, site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("MEKURI_SERVE_DATABASE", "postgresql://somebody:secret@localhost/mekuri")
        install(site, "curious", before="assert not [key for key in os.environ if key.startswith('MEKURI')]")
        with looked_for_anew():
            assert bots.known("curious")


class TestSeen:
    @each_played
    def test_equal_knowledge_gives_equal_bytes(self, game: mekuri.Game) -> None:
        """Two worlds that the seat cannot distinguish give the same bytes, for the view and for the past."""
        chance, compared = stream("apart"), 0
        for number, now in enumerate(steps(random_round(game, 4))):
            if (number % 7 == 3 or not compared) and now.waiting and now.waiting[0] < game.seats:
                seat = now.waiting[number % len(now.waiting)]
                one, two = (wire.packed([each.seen(seat)], [[1, 2, 3, 4]], BUDGET) for each in (now, twin(now, seat, chance)))
                assert one == two
                compared += 1
        assert compared

    @each_played
    def test_message_reads_back_as_sent(self, game: mekuri.Game) -> None:
        round = random_round(game, 4)
        for seat in range(game.seats):
            seen = round.seen(seat)
            [again], [chance], budget = wire.unpacked(wire.packed([seen], [[1, -2, 3, -4]], Budget(7)))
            assert (values(again.hidden), again.seat, chance, budget) == (values(seen.hidden), seat, [1, -2, 3, -4], Budget(7))
            assert [(one.seat, one.action, values(one.hidden)) for one in again.past] == [
                (one.seat, one.action, values(one.hidden)) for one in seen.past
            ]

    @each_played
    def test_past_matches_the_events(self, game: mekuri.Game) -> None:
        round = random_round(game, 4)
        for seat in range(game.seats):
            events, seen = round.events(seat), round.seen(seat)
            assert values(seen.hidden) == values(seen.past[-1].hidden) == values(round.hidden(seat))
            assert [(event.seat, event.action) for event in events] == [
                (one.seat, None if one.action is None else round.action_text(one.action)) for one in seen.past
            ]


class TestSimulated:
    @pytest.mark.every_days(4)
    def test_equal_seeds_give_equal_rounds(self) -> None:
        """The number of processes does not matter."""
        one, two = (simulate(GAME, 6, 5, "honest", threads=threads) for threads in (1, 3))
        assert one.counts == two.counts
        assert one.checksum != simulate(GAME, 6, 6, "honest").checksum

    def test_counts_match_the_rounds_played(self) -> None:
        """Of each round as of any other; the deals are those of every simulation."""
        counts = simulate(GAME, 3, 5, "honest").to_dict()
        assert counts["actions"] >= counts["decisions"] > 0
        assert sum(counts["endings"].values()) == 3

    @pytest.mark.every_days(4)
    def test_failing_bot_ends_the_simulation(self) -> None:
        """No other bot replaces it, because the rounds would not be its own."""
        with pytest.raises(MekuriError, match="round 0, seat 0: the bot raises raised ZeroDivisionError"):
            simulate(GAME, 1, 5, "raises")
        for _ in range(4):  # whichever of the processes fails first, what it is ended for is told
            with pytest.raises(MekuriError, match="the bot raises raised ZeroDivisionError"):
                simulate(GAME, 6, 5, "raises", threads=3)
