"""The tool that plants faults in the rules: its faults and its output."""

import ast
import json
from pathlib import Path

import pytest

from tests.helpers.folders import CHECKOUT
from tools import mutants
from tools.faults import faults

SOURCE = '''"""Words 1."""
LEAST = 3

class Phase:
    PLAY = 0

@rule
def f(s: State, n: int = 1) -> int:
    """Words 2."""
    if s.phase == 1 and not n:
        s.count += 2
        g(s)
    return "text 4" if n < 5 else ~s.cards
'''


def test_every_fault_changes_one_place() -> None:
    found = list(faults(SOURCE))
    assert {fault.kind for fault in found} == {"compare", "and-or", "operator", "number", "branches", "not", "statement"}
    for fault in found:
        assert ast.dump(ast.parse(fault.text)) != ast.dump(ast.parse(SOURCE))
        changed = [(old, new) for old, new in zip(SOURCE.splitlines(), fault.text.splitlines(), strict=True) if old != new]
        assert [old for old, _ in changed] == [SOURCE.splitlines()[fault.line - 1]]
    assert len({fault.text for fault in found}) == len(found)
    assert {fault.line for fault in found} == {2, 8, 10, 11, 12, 13}, "no class, annotation, decorator or text is touched"


def test_faults_can_be_limited_to_lines() -> None:
    assert {fault.line for fault in faults(SOURCE, (10, 11))} == {10, 11}


@pytest.mark.parametrize("path", sorted((CHECKOUT / mutants.GAMES).glob("mushi/s*.py")), ids=lambda path: path.stem)
def test_rules_with_a_fault_are_python(path: Path) -> None:
    for fault in faults(path.read_text("utf-8")):
        compile(fault.text, path, "exec")


def test_files_of_a_game_include_its_mechanisms() -> None:
    own = ("match", "prospect", "rules", "scoring", "zones")
    names = [path.relative_to(CHECKOUT / mutants.GAMES).as_posix() for path in mutants.files_of("mushi")]
    assert names == [*(f"mushi/{name}.py" for name in own), "dealing.py", "figures.py", "fishing.py"]


@pytest.mark.slow
def test_every_fault_is_caught_or_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A caught fault, a surviving one, and an equivalent one; a new run tries none again."""
    place = tmp_path / "checkout"
    (place / "tests").mkdir(parents=True)
    (place / mutants.GAMES / "toy").mkdir(parents=True)
    (place / mutants.GAMES / "toy/rules.py").write_text("def f(n):\n    return n + 2\n\n\ndef g(n):\n    return max(n, 7)\n")
    (place / "tests/test_toy.py").write_text(
        f"import pathlib, runpy\ndef test_toy():\n    assert runpy.run_path('{mutants.GAMES}/toy/rules.py')['f'](3) == 5\n"
    )
    for name, value in {"CHECKOUT": place, "COPIED": ("src", "tests"), "QUICK": ("tests/test_toy.py",), "GENERIC": ()}.items():
        monkeypatch.setattr(mutants, name, value)
    monkeypatch.setattr(mutants, "equivalents", lambda: {f"{mutants.GAMES}/toy/rules.py 2 -> 3": "for the sake of it"})
    out = tmp_path / "out.json"
    command = ["mutants", "--games", "toy", "--number", "9", "--jobs", "1", "--out", str(out)]
    monkeypatch.setattr("sys.argv", command)
    mutants.main()
    output = capsys.readouterr().out
    assert f"{mutants.GAMES}/toy/rules.py:6 number: 7  ->  8\n" in output
    assert "1 of 2 caught (50.0%), 1 are equivalent" in output
    assert [(row["found"], row["was"]) for row in json.loads(out.read_text())] == [
        ("caught", "n + 2"),
        ("equivalent", "2"),
        ("survived", "7"),
    ]
    monkeypatch.setattr(mutants.Copy, "_test", lambda self, game, chosen: ("survived", ""))
    mutants.main()
    assert "1 of 2 caught" in capsys.readouterr().out


def test_listed_equivalents_can_be_planted() -> None:
    for known in mutants.equivalents():
        file, _, change = known.partition(" ")
        planted = {f"{fault.was} -> {fault.now}" for fault in faults((CHECKOUT / file).read_text("utf-8"))}
        assert change in planted
