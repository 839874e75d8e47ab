"""The rules compile to one kernel for a device with CUDA, and a thread of it plays the same rounds as machine code.

No device is needed: the code of a thread runs on this processor here. `bench/cuda.py` runs kernels on a device.
"""

import ctypes
import re
from collections.abc import Callable
from typing import Any

import pytest
from llvmlite import binding

import mekuri
from mekuri.bots import find
from mekuri.engine import cuda_backend
from mekuri.engine.chance import begin_round, pick, stream
from mekuri.engine.compiled import count
from mekuri.engine.entry import Entry, entry
from mekuri.engine.executor import MACHINE_CODE, PLAIN, Executor
from mekuri.engine.setup import new_state
from mekuri.lab import playout
from mekuri.lab.simulate import simulate
from tests.helpers.tables import each_game

THREADS, ROUNDS, SEED = 3, 40, 1
Arguments = Callable[[int], tuple[Any, ...]]  # those of a thread


@entry
def pick_cards(key: Any, chance: Any, number: int, cards: int, found: Any) -> None:
    """Pick a card of a set at random for each place of a row."""
    begin_round(chance, key, number)
    for place in range(len(found)):
        found[place] = pick(cards, count(cards), chance)


@entry
def write_out(row: Any) -> None:
    print(row[0])


def kernel_rows(entry: Entry[..., Any], arguments: Arguments, place: int) -> list[list[int]]:
    """Check the kernel of an entry, and return an argument of each thread, a row, after it has run on this processor."""
    code = cuda_backend.ptx(entry, arguments(0))
    assert re.findall(r"^\.target (\S+)", code, re.MULTILINE) == ["sm_90"]
    assert re.findall(r"\.entry (\w+)", code) == ["kernel"]
    assert ".func" not in code
    assert cuda_backend.calls(code) == []
    # A state lies in the memory of its thread, where a device reads one field of many states at once.
    assert not re.search(r"\b(ld|st)\.(?!local|param|global)", code)
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    machine = binding.Target.from_default_triple().create_target_machine(opt=3)
    engine = binding.create_mcjit_compiler(cuda_backend.thread(entry, arguments(0), machine), machine)
    engine.finalize_object()
    thread = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64)(engine.get_function_address("thread"))
    blocks = [cuda_backend.block(arguments(number)) for number in range(THREADS)]
    size, memory = len(blocks[0]), ctypes.create_string_buffer(b"".join(blocks))
    for number in range(THREADS):
        thread(ctypes.addressof(memory), number)
    bodies = [memory.raw[number * size : (number + 1) * size] for number in range(THREADS)]
    return [cuda_backend.row_of(body, arguments(0), place).tolist() for body in bodies]


@pytest.mark.machine_code
@pytest.mark.slow
@each_game
def test_threads_play_the_same_rounds_as_machine_code(name: str) -> None:
    game, run = mekuri.game(name), MACHINE_CODE
    states, bot = run.states(game.contract, playout.THINKING), run.bot(find("random", game.contract))
    run.write(states, 0, new_state(game.contract, game.options, game.seats))

    def arguments(thread: int) -> tuple[Any, ...]:
        counts, everybody = run.words(playout.empty_counts()), (1 << game.seats) - 1
        return states, run.words(stream(SEED)), run.zeros(4), thread * ROUNDS, ROUNDS, bot, everybody, counts, run.zeros(0)

    counts = playout.add_counts(kernel_rows(playout.play_rounds, arguments, 7))
    assert counts == list(simulate(game, THREADS * ROUNDS, SEED).counts)


@pytest.mark.machine_code
def test_threads_draw_the_same_chance_as_the_plain_function() -> None:
    def arguments(thread: int, run: Executor = MACHINE_CODE) -> tuple[Any, ...]:
        return run.words(stream(SEED)), run.zeros(4), thread, 0x8421F0F0A5A5, run.zeros(50)

    plain = [arguments(thread, PLAIN) for thread in range(THREADS)]
    for given in plain:
        pick_cards(*given)
    assert kernel_rows(pick_cards, arguments, 4) == [given[-1] for given in plain]


@pytest.mark.machine_code
def test_rule_that_calls_python_is_refused() -> None:
    with pytest.raises(ValueError, match="it calls"):
        cuda_backend.ptx(write_out, [MACHINE_CODE.zeros(1)])
