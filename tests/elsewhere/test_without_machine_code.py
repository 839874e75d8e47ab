"""`NUMBA_DISABLE_JIT=1`: rules run plain, everywhere, to the same checksums."""

import sys
from types import SimpleNamespace

import pytest

import mekuri
from mekuri import cli
from mekuri.engine import compiled
from mekuri.lab.arena import Arena
from mekuri.lab.playout import play_rounds
from mekuri.lab.simulate import simulate
from tests.helpers.tables import GAMES, USUAL


@pytest.fixture(params=["before Numba is imported", "after"])
def turned_off(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    if request.param == "after":
        monkeypatch.setitem(sys.modules, "numba", SimpleNamespace(config=SimpleNamespace(DISABLE_JIT=1), __spec__=True))
    else:
        monkeypatch.delitem(sys.modules, "numba", raising=False)


@pytest.mark.usefixtures("turned_off")
def test_rules_run_plain_to_the_same_checksum() -> None:
    assert not compiled.available()
    game = mekuri.game(USUAL)
    assert simulate(game, 20, seed=7).checksum == simulate(game, 20, seed=7, plain=True).checksum
    Arena(game, ("random", "greedy"), 1).prepare()
    with pytest.raises(ImportError, match="NUMBA_DISABLE_JIT"):
        play_rounds.prepare([], [], [], 0, 0, None, 0, [], [])


@pytest.mark.usefixtures("turned_off")
def test_command_runs_plain(capsys: pytest.CaptureFixture[str]) -> None:
    for more in ([], ["--plain"]):
        cli.main(["simulate", GAMES[0], "--rounds", "20", "--seed", "7", *more])
    first, second = (line for line in capsys.readouterr().out.splitlines() if "checksum" in line)
    assert first.split()[3] == second.split()[3]


@pytest.mark.parametrize(("value", "there"), [("", True), ("0", True), ("1", False), ("many", True)])
def test_variable_is_read_as_numba_reads_it(value: str, there: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_DISABLE_JIT", value)
    monkeypatch.delitem(sys.modules, "numba", raising=False)
    assert compiled.available() == there
