"""`mekuri practice`: the mistakes of records are kept in a file, asked in a terminal, and come back."""

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import mekuri
from mekuri import cli
from mekuri.bots.review import account, review
from mekuri.cli import practice
from mekuri.match.replay import replay
from mekuri.terminal.base import kept as data
from mekuri.testing.records import played

Patch = pytest.MonkeyPatch
FEW = ("--playouts", "4")
GAME, OTHER = "isuri", "hiyoko"  # whose rounds have few decisions
THEN, DAY = 1_800_000_000_000, 86_400_000

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: Patch) -> None:
    """A person of their own, without machine code; whoever judges calls every decision a blunder."""
    monkeypatch.setattr(data, "kept_file", (tmp_path / "data").joinpath)
    monkeypatch.setattr(practice, "available", lambda: False)
    monkeypatch.setattr(practice, "now", lambda: THEN)
    monkeypatch.setattr(account, "label", lambda *_: "blunder")


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """A match of one round."""
    file = tmp_path / "records" / "match.json"
    file.parent.mkdir()
    file.write_text(played(mekuri.game(GAME), seed=1, rounds=1).record().to_json(), encoding="utf-8")
    return file


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: Patch) -> Run:
    """Run the command, typing some answers where there are any: its exit status, and what it has printed."""

    def command(*words: object, answers: list[str] | None = None) -> tuple[int, str, str]:
        asked: Iterator[str] = iter(answers or [])
        monkeypatch.setattr("builtins.input", lambda prompt: (print(prompt), next(asked))[1])
        for stream in (sys.stdin, sys.stdout):
            monkeypatch.setattr(stream, "isatty", lambda: answers is not None, raising=False)
        try:
            cli.main(["practice", *map(str, words), *FEW, "--lang", "en"])
            status = 0
        except SystemExit as leaving:
            status = leaving.code if isinstance(leaving.code, int) else 1
        assert list(asked) == [], "all is asked"
        return status, *capsys.readouterr()

    return command


def kept() -> list[dict[str, Any]]:
    told = json.loads(data.kept_file("practice.json").read_text(encoding="utf-8"))
    return list(told["mistakes"])


def test_mistakes_of_a_record_are_asked_and_come_back(run: Run, record: Path, monkeypatch: Patch) -> None:
    status, out, _ = run(record)
    all_of_them = len(kept())
    assert (status, out.splitlines()[-1]) == (0, f"{all_of_them} questions are due.")
    assert all_of_them > 1
    status, out, _ = run(answers=["q"])
    assert "What would you play?" in out
    assert "Your choice:" not in out, "nothing is told before it is answered"
    assert out.splitlines()[-1] == f"{all_of_them} questions are due."

    _, out, _ = run(answers=["", "", "q"])
    first, rest = sorted(kept(), key=lambda one: -one["due"])[0], all_of_them - 1
    assert "You have a second try." in out
    assert "This comes back in 1 day." in out
    assert (first["due"], first["seat"]) == (THEN + DAY, 0)
    assert out.splitlines()[-1].startswith(f"{rest} question")
    monkeypatch.setattr(practice, "now", lambda: THEN + 9 * DAY)
    assert run()[1].splitlines()[-1] == f"{all_of_them} questions are due.", "it is back"


def test_what_is_found_at_once_comes_back_later(run: Run, record: Path) -> None:
    run(record)
    answers = []
    for moment in review(replay(record.read_bytes()).finished[0], 0, int(FEW[1])).moments:
        choices = [choice.action for choice in moment.choices]
        answers.append(str(choices.index(moment.best) + 1))
    _, out, _ = run(answers=answers)
    assert out.count("The judge agrees.") == len(answers)
    assert {one["due"] for one in kept()} == {THEN + 2 * DAY}
    assert out.splitlines()[-1] == "Nothing is due. The next question comes back in 2 days."


def test_a_folder_is_looked_through_once_and_what_is_no_record_there_left_out(run: Run, record: Path, monkeypatch: Patch) -> None:
    record.with_name("other.json").write_text(played(mekuri.game(OTHER), seed=2, rounds=1).record().to_json(), encoding="utf-8")
    record.with_name("notes.json").write_text("{}", encoding="utf-8")
    monkeypatch.setattr(practice, "_ROUNDS", 1)
    assert "1 older rounds have not been reviewed yet" in run(record.parent)[1]
    assert "older" not in run(record.parent)[1]
    assert {Path(one["file"]).name for one in kept()} == {"match.json", "other.json"}
    before = kept()
    run(record.parent)
    assert kept() == before


def test_what_can_no_longer_be_asked_is_said(run: Run, record: Path) -> None:
    run(record)
    record.write_text(record.read_text(encoding="utf-8") + " ", encoding="utf-8")
    status, out, _ = run(answers=[])
    assert status == 0
    assert out.splitlines() == [
        "No mistakes are stored. Name records, or a folder of them: mekuri practice match.json",
        f"{len(kept())} more cannot be asked: their records were moved or deleted.",
    ]


def test_what_another_judge_calls_sound_is_dropped(run: Run, record: Path, monkeypatch: Patch) -> None:
    run(record)
    monkeypatch.setattr(account, "label", lambda *_: "fine")
    run(answers=[])
    assert kept() == []


def test_what_cannot_be_is_refused_in_a_line(run: Run, record: Path) -> None:
    assert run(record, "--seat", "9")[0] == 2
    for words, said in (([record.with_name("nowhere.json")], "No such file"), ([__file__], "no record")):
        status, out, err = run(*words)
        assert (status, out, len(err.splitlines())) == (2, "", 1)
        assert said in err
    file = data.kept_file("practice.json")
    file.parent.mkdir(parents=True, exist_ok=True)
    for told, said in (("{", "is broken"), ('{"mekuri": 9}', "newer Mekuri")):
        file.write_text(told, encoding="utf-8")
        status, _, err = run()
        assert (status, len(err.splitlines())) == (2, 1)
        assert said in err
