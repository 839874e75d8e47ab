"""`mekuri check` on games that pass and on a small new game that is spoilt in many ways."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from mekuri.cli.new import write_game
from tests.helpers.running import run_python
from tests.helpers.unfinished import GAME, announce, unfinished_example

NAME = "spoilt"


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder in which a new game is installed."""
    announce(tmp_path, NAME, f"mekuri_{NAME}:contract")
    (write_game(NAME, tmp_path / "game") / f"src/mekuri_{NAME}").rename(tmp_path / f"mekuri_{NAME}")
    return tmp_path


def spoil(site: Path, old: str, new: str) -> int:
    """Replace a piece of the rules. Returns its line."""
    path = site / f"mekuri_{NAME}" / "rules.py"
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), encoding="utf-8")
    return text[: text.index(old)].count("\n") + 1


def around(site: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(site), "PYTHONDONTWRITEBYTECODE": "1"}


def python(site: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return run_python(*words, env=around(site))


def check(site: Path, name: str = NAME, *words: str) -> tuple[int, dict[str, str], str]:
    """Return the exit status of `mekuri check`, the result of each check, and all output."""
    ended = python(site, "-m", "mekuri", "check", name, *words)
    lines = [line for line in ended.stdout.splitlines() if not line.startswith(" ")]
    return ended.returncode, {line[10:22].strip(): line[:9].strip() for line in lines}, ended.stdout + ended.stderr


LAST_OF_REDEAL = "    lay_unseen(h, CARDS & ~seen, chance)"
RETURNS = "    return count(s.taken[seat]) - count(s.taken[1 - seat])"

# A fault, the check that finds it, and its message.
FAULTS = {
    "a hidden card is shown": (
        "    hide_hands(s, seat, into, 0)",
        "    hide_hands(s, seat, into, 0)\n    into.pack[0] = s.pack[0]",
        "leaks.two_worlds(game)",
        "can tell worlds apart by hidden state, hidden pack",
    ),
    "worlds are not redealt alike": (
        LAST_OF_REDEAL,
        f"{LAST_OF_REDEAL}\n    if h.pack[0] > h.pack[1]:\n        h.pack[0], h.pack[1] = h.pack[1], h.pack[0]",
        "redeals.uniform(game.contract)",
        "gives worlds so unequally",
    ),
    "a card is lost": (
        "        s.laid = NONE",
        "        s.taken[0] = 0\n        s.laid = NONE",
        "redeals.whole(game)",
        "leaves cards in no place",
    ),
    "a hand is shown to everybody": (
        "    hide_hands(s, seat, into, 0)",
        "    for other in range(2):\n        into.hand[other] = s.hand[other]",
        "leaks.private_fields(game.id)",
        "spectators see all of hand at every step",
    ),
    "a value leaves its range": (
        "        s.turn = 1 - seat",
        "        s.turn = 2 - seat",
        "ranges.rounds(game, 5)",
        "turn holds 0 to 1",
    ),
    "what may be done hangs on what is hidden": (
        "    return s.hand[seat]\n",
        "    return s.hand[seat] & ~(1 << s.pack[0]) or s.hand[seat]\n",
        "leaks.hidden_choices(game)",
        "hangs on what it does not see",
    ),
    "what is hoped for hangs on what is hidden": (
        RETURNS,
        f"{RETURNS}\n\n\n@rule\ndef prospect(s, seat):\n    return s.pack[0]",
        "leaks.hidden_choices(game)",
        "may hope for hangs on what it does not see",
    ),
}


@pytest.mark.parametrize(("old", "new", "call", "reason"), FAULTS.values(), ids=FAULTS)
def test_plain_checks_find_faults(old: str, new: str, call: str, reason: str, site: Path) -> None:
    """Each check passes on the game as it was written, and fails on the spoilt one."""
    words = f"import mekuri; from mekuri.testing import leaks, ranges, redeals; game = mekuri.game({NAME!r}); {call}"
    sound = python(site, "-c", words)
    assert sound.returncode == 0, sound.stderr
    spoil(site, old, new)
    spoilt = python(site, "-c", words)
    assert spoilt.returncode == 1
    assert "CheckFailure" in spoilt.stderr
    assert reason in spoilt.stderr
    assert f"again: mekuri.testing.{call.partition('(')[0]}(" in spoilt.stderr


def test_parity_finds_rules_that_differ_when_compiled(site: Path) -> None:
    """Machine code forgets the bits that plain Python keeps."""
    spoil(site, RETURNS, "    return (count(s.taken[seat]) << 61) >> 61")
    words = f"import mekuri; from mekuri.testing import parity; parity.simulations(mekuri.game({NAME!r}), 50, 3)"
    spoilt = python(site, "-c", words)
    assert spoilt.returncode == 1
    assert "compiled and plain rules" in spoilt.stderr
    assert f"again: mekuri.testing.parity.simulations(game=mekuri.game('{NAME}'), rounds=" in spoilt.stderr


def test_simulation_names_line_that_cannot_be_compiled(site: Path) -> None:
    """It prints the message of the check: the line of the rule and what to write, not the place in the compiler."""
    line = spoil(site, "        s.laid = NONE", "        s.laid = [NONE][0]")
    ended = python(site, "-m", "mekuri", "simulate", NAME, "--rounds", "5")
    assert ended.returncode == 2
    assert ended.stderr.startswith(f"mekuri: {site / f'mekuri_{NAME}' / 'rules.py'}, line {line}: play builds a list")
    assert ended.stderr.count("\n") == 1


def test_uncompilable_rules_fail_lint_only(site: Path) -> None:
    """Lint names file and line, and the checks without machine code run."""
    line = spoil(site, "        s.laid = NONE", "        s.laid = -1 / 1 if s.turns < 0 else NONE")
    status, results, text = check(site)
    path = site / f"mekuri_{NAME}" / "rules.py"
    assert status == 1
    assert (results["lint"], results["records"]) == ("FAILED", "ok")
    assert results["compile"] == results["parity"] == results["invariants"] == results["perft"] == "left out"
    assert f"{path}, line {line}: play divides with /" in text


@pytest.mark.slow
def test_error_of_numba_is_one_line(site: Path) -> None:
    """An error that lint does not find is printed in one line, with its place."""
    line = spoil(site, RETURNS, "    return count(s.taken[seat]) if seat else (1, 2)")
    status, results, text = check(site)
    place = f"{site / f'mekuri_{NAME}' / 'rules.py'}, line {line}: "
    assert status == 1
    assert (results["lint"], results["compile"], results["parity"]) == ("ok", "FAILED", "left out")
    said = next(line for line in text.splitlines() if line.startswith("FAILED"))
    assert said.partition("compile")[2].strip().startswith(f"{place}Cannot unify int64 and Tuple(")


BARE = f"""
import importlib.util, sys

FORBIDDEN = ("hypothesis", "llvmlite", "numba", "numpy", "pytest", "scipy")

class Forbidding:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in FORBIDDEN:
            raise ModuleNotFoundError(name)

sys.meta_path.insert(0, Forbidding())
find = importlib.util.find_spec
importlib.util.find_spec = lambda name, *more: None if name in FORBIDDEN else find(name, *more)

from mekuri.cli import main
main(["check", "{NAME}"])
"""


@pytest.mark.every_days(4)
def test_check_without_numba_leaves_out_machine_code(site: Path) -> None:
    """Libraries that only tests need are missing too. A check that cannot run is left out, with the reason."""
    words = [sys.executable, "-c", BARE]
    ended = subprocess.run(words, env=around(site), capture_output=True, text=True, encoding="utf-8", check=False)
    assert ended.returncode == 0, ended.stderr
    lines = ended.stdout.splitlines()
    assert [line[10:22].strip() for line in lines if "install numba" in line] == ["compile", "parity", "invariants", "perft"]
    assert all(line.startswith(("ok ", "left out ")) for line in lines)
    assert sum(line.startswith("ok ") for line in lines) >= 7


def test_unfinished_game_fails_first_check(tmp_path: Path) -> None:
    book = unfinished_example(tmp_path)
    status, results, text = check(tmp_path, GAME)
    assert (status, results) == (1, {"whole": "FAILED"})
    assert f"{book} [summary] lacks ja" in text


def test_unknown_game_is_refused(tmp_path: Path) -> None:
    status, results, text = check(tmp_path, "nowhere")
    assert (status, results) == (2, {})
    assert text.startswith("mekuri: there is no game nowhere")
