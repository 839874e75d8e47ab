"""The yardstick in C still plays by the rules that it measures."""

from pathlib import Path

import pytest

import mekuri
from bench.engine import assert_equal, build, compiler, run_c
from mekuri.lab.simulate import simulate


@pytest.mark.machine_code
@pytest.mark.skipif(compiler() is None, reason="there is no C compiler here")
def test_c_program_counts_the_same(tmp_path: Path) -> None:
    simulation = simulate(mekuri.game("mushi"), 20_000, seed=1, threads=1)
    assert_equal(run_c(build(tmp_path), 20_000), simulation)
