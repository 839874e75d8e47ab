"""The yardsticks in C still play by the rules that they measure."""

from pathlib import Path

import pytest

import mekuri
from bench.engine import YARDSTICKS, assert_equal, build, compiler, run_c
from mekuri.lab.simulate import simulate


@pytest.mark.machine_code
@pytest.mark.skipif(compiler() is None, reason="there is no C compiler here")
@pytest.mark.parametrize("name", YARDSTICKS)
def test_c_program_counts_the_same(name: str, tmp_path: Path) -> None:
    simulation = simulate(mekuri.game(name), 20_000, seed=1, threads=1)
    assert_equal(run_c(build(name, tmp_path), 20_000), simulation)
