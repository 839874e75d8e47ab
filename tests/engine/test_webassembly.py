"""The rules give the same results as machine code and as WebAssembly."""

import struct
from collections.abc import Callable
from typing import Any

import pytest
from llvmlite import binding

import mekuri
from mekuri import bots
from mekuri.engine import wasm_backend
from mekuri.engine.chance import stream
from mekuri.engine.compiled import count, nth
from mekuri.engine.contract import Contract
from mekuri.engine.entry import Entry, entry
from mekuri.engine.executor import MACHINE_CODE, Executor
from mekuri.engine.webassembly import PAGE, executor
from mekuri.lab import playout
from mekuri.testing.states import as_values, start
from tests.helpers.tables import BOTS, USUAL, each_game
from tests.helpers.webassembly import instance

ROUNDS = {"random": (200, 100_000), "greedy": (50, 10_000)}  # in short, and in full
POINTER = "%x = ptrtoint ptr %p to i64"


@entry
def lowest(sets: Any, n: int, found: Any) -> None:
    """The nth lowest member of each set, and after that the number of its members."""
    for i in range(len(sets)):
        found[2 * i] = nth(sets[i], n)
        found[2 * i + 1] = count(sets[i])


@entry
def look_up(row: Any) -> None:
    row[0] = (1, 2, 3)[row[0]]


@entry
def write_out(row: Any) -> None:
    print(row[0])


def made(entry: Entry[..., Any], *given: int) -> bytes:
    """Return the module of an entry. Of its arguments 0 stands for a number, any other number for a row of as many."""
    return wasm_backend.module([(entry, *(MACHINE_CODE.zeros(n) if n else 0 for n in given))])


class TestRounds:
    @pytest.mark.in_turn(6)
    @each_game
    def test_rounds_agree(self, name: str, in_full: bool) -> None:
        presets = mekuri.game(name).contract.presets
        calls = [(playout.play_rounds, *self.arguments(MACHINE_CODE, mekuri.game(name), bot, 0)) for bot in BOTS]
        with instance(wasm_backend.module(calls)) as opened:
            run = executor(lambda: opened)
            for bot in BOTS:
                for preset in presets:
                    rounds = ROUNDS[bot][in_full and preset == next(iter(presets))]
                    found = [self.played(by, mekuri.game(name, preset), bot, rounds) for by in (MACHINE_CODE, run)]
                    assert found[0] == found[1], (preset, bot)

    @staticmethod
    def arguments(run: Executor, game: mekuri.Game, bot: str, rounds: int) -> tuple[Any, ...]:
        found = bots.find(bot)
        states = run.states(game.contract, playout.THINKING + found.states)
        key, chance, counts = run.words(stream("rounds")), run.zeros(4), run.words(playout.empty_counts())
        return states, key, chance, 0, rounds, run.bot(found), 0, counts, run.zeros(0)

    def played(self, run: Executor, game: mekuri.Game, bot: str, rounds: int) -> object:
        """Return all that is left of rounds: the counts with their checksum, the chance, every field of every state."""
        arguments = self.arguments(run, game, bot, rounds)
        states, chance, counts = arguments[0], arguments[2], arguments[-2]
        run.write(states, 0, start(game))
        run.prepare(playout.play_rounds, *arguments)
        run.call(playout.play_rounds, *arguments)
        return [int(n) for n in (*counts, *chance)], [as_values(state) for state in run.read(states, game.contract.state)]


class TestModules:
    def test_a_module_does_without_the_instructions_of_this_processor(self) -> None:
        sets, plain = [1 << 40 | 5, (1 << 62) - 1, 7 << 20], [0] * 6
        lowest(sets, 2, plain)
        with instance(made(lowest, 3, 0, 6)) as opened:
            run = executor(lambda: opened)
            found = run.zeros(6)
            run.call(lowest, run.words(sets), 2, found)
            assert [*found] == plain

    def test_a_module_traps_where_a_rule_raises(self) -> None:
        with instance(made(look_up, 1)) as opened:
            run = executor(lambda: opened)
            row = run.words([2])
            run.call(look_up, row)
            assert [*row] == [3]
            with pytest.raises(RuntimeError, match="unreachable"):
                run.call(look_up, row)

    def test_rules_that_call_outside_are_refused(self) -> None:
        with pytest.raises(ValueError, match="calls"):
            made(write_out, 1)

    @pytest.mark.parametrize("line", ["%x = load ptr, ptr %p", "%x = load <2 x ptr>, ptr %p", "store ptr %p, ptr %p", POINTER])
    def test_pointers_in_memory_are_refused(self, line: str) -> None:
        whole = binding.parse_assembly(f"define void @f(ptr %p) {{\n{line}\nret void\n}}")
        with pytest.raises(ValueError, match="pointers"):
            wasm_backend._check(whole)

    def test_a_missing_entry_is_found_out_before_it_is_called(self) -> None:
        with instance(made(look_up, 1)) as opened, pytest.raises(ImportError, match="lowest"):
            executor(lambda: opened).prepare(lowest)

    def test_a_module_is_made_once(self, monkeypatch: pytest.MonkeyPatch) -> None:
        before = made(look_up, 1)
        monkeypatch.setattr(wasm_backend, "_module", None)
        assert made(look_up, 1) == before


class InPython:
    """An instance that has memory alone."""

    def __init__(self) -> None:
        self.memory = bytearray(PAGE)

    @property
    def size(self) -> int:
        return len(self.memory)

    def grow(self, pages: int) -> None:
        self.memory += bytes(pages * PAGE)

    def read(self, at: int, size: int) -> bytes:
        assert at + size <= self.size
        return bytes(self.memory[at : at + size])

    def write(self, at: int, body: bytes) -> None:
        assert at + len(body) <= self.size
        self.memory[at : at + len(body)] = body

    def clear(self, at: int, size: int) -> None:
        self.write(at, bytes(size))

    def has(self, name: str) -> bool:
        return True

    def call(self, name: str, at: int) -> None:
        self.called = name, struct.unpack("<8q", self.read(at, 64))


class TestRows:
    def test_a_row_is_read_and_written_like_a_list(self) -> None:
        run, plain = executor(InPython), [5, -1, 1 << 62, -(1 << 63), 7]
        row = run.words(plain)
        for place in (0, -1, slice(1, 3), slice(None, None, 2), slice(1, None, 3), slice(0, 0)):
            found = row[place]
            assert (list(found) if isinstance(place, slice) else found) == plain[place]
        row[1:3] = [8, 9]
        assert [*row] == [5, 8, 9, -(1 << 63), 7]
        assert len(row[::2]) == 3
        with pytest.raises(ValueError, match="fit"):
            row[:] = [1]

    def test_states_are_read_as_they_were_written(self) -> None:
        game, run = mekuri.game(USUAL), executor(InPython)
        states = run.states(game.contract, 3)
        for place in (0, 2):
            run.write(states, place, start(game, place % 2))
        empty = self.cleared(game.contract)
        found = [as_values(state) for state in run.read(states, game.contract.state)]
        assert found == [as_values(start(game)), empty, as_values(start(game))]
        assert [as_values(state) for state in run.read(states[1::2], game.contract.state)] == [empty]

    @staticmethod
    def cleared(contract: Contract) -> dict[str, Any]:
        """Return every field of a state whose words are all 0."""
        run = executor(InPython)
        [state] = run.read(run.states(contract, 1), contract.state)
        assert not any(any(value) if isinstance(value, list) else value for value in as_values(state).values())
        return as_values(state)

    def test_an_entry_gets_numbers_and_rows(self) -> None:
        opened = InPython()
        run = executor(lambda: opened)
        row = run.words([1, 2, 3])
        run.call(lowest, -5, row)
        name, words = opened.called
        assert name == "lowest"
        assert words[0] == -5
        assert words[1:4] + words[6:] == (0, 0, 3, 3, 8)
        assert opened.read(words[5], 24) == struct.pack("<3q", 1, 2, 3)

    @pytest.mark.parametrize("make", [lambda run: run.zeros(10_000), lambda run: run.words(range(9_000))], ids=["zeros", "words"])
    def test_memory_is_used_again(self, make: Callable[[Executor], Any]) -> None:
        opened = InPython()
        run = executor(lambda: opened)
        kept = run.words([1, 2])
        make(run)
        size = opened.size
        for _ in range(5):
            row = make(run)
            row[:2] = [3, 4]
            del row
        assert opened.size == size
        assert not any(run.zeros(9_500))
        assert [*kept] == [1, 2]

    def test_rows_that_are_alive_share_no_memory(self) -> None:
        run = executor(InPython)
        rows = [run.words([n] * n) for n in range(1, 200)]
        part = run.words([1, 2, 3])[1:]
        rows += [run.words([n] * n) for n in range(1, 10)]
        assert all(set(row) == {len(row)} for row in rows)
        assert [*part] == [2, 3]
