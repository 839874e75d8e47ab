"""`mekuri practice` keeps the mistakes of records in a file and asks them again in a terminal."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import mekuri
from mekuri.bots.review import account, review
from mekuri.cli import practice
from mekuri.match.replay import replay
from mekuri.terminal.base import kept as data
from mekuri.testing.records import played
from tests.helpers.commands import run_command, type_answers

Patch = pytest.MonkeyPatch
FEW = ("--playouts", "4")
GAME, OTHER = "isuri", "hiyoko"  # games whose rounds have few decisions
THEN, DAY = 1_800_000_000_000, 86_400_000

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: Patch) -> None:
    """A player with an empty data folder, without machine code; every decision is judged a blunder."""
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
    """A function that runs the command and types answers."""

    def command(*words: object, answers: list[str] | None = None) -> tuple[int, str, str]:
        left = type_answers(monkeypatch, answers)
        ended = run_command(capsys, "practice", *words, *FEW, "--lang", "en")
        assert list(left) == [], "every answer was asked for"
        return ended

    return command


def kept() -> list[dict[str, Any]]:
    content = json.loads(data.kept_file("practice.json").read_text(encoding="utf-8"))
    return list(content["mistakes"])


def test_mistakes_of_record_are_asked_again(run: Run, record: Path, monkeypatch: Patch) -> None:
    status, out, _ = run(record)
    all_of_them = len(kept())
    assert (status, out.splitlines()[-1]) == (0, f"{all_of_them} questions are due.")
    assert all_of_them > 1
    status, out, _ = run(answers=["q"])
    assert "What would you play?" in out
    assert "Your choice:" not in out, "the answer is shown after the question is answered"
    assert out.splitlines()[-1] == f"{all_of_them} questions are due."

    _, out, _ = run(answers=["", "", "q"])
    first, rest = sorted(kept(), key=lambda one: -one["due"])[0], all_of_them - 1
    assert "You have a second try." in out
    assert "This comes back in 1 day." in out
    assert (first["due"], first["seat"]) == (THEN + DAY, 0)
    assert out.splitlines()[-1].startswith(f"{rest} question")
    monkeypatch.setattr(practice, "now", lambda: THEN + 9 * DAY)
    assert run()[1].splitlines()[-1] == f"{all_of_them} questions are due.", "the question is due again"


def test_right_answer_delays_next_question(run: Run, record: Path) -> None:
    run(record)
    answers = []
    for moment in review(replay(record.read_bytes()).finished[0], 0, int(FEW[1])).moments:
        choices = [choice.action for choice in moment.choices]
        answers.append(str(choices.index(moment.best) + 1))
    _, out, _ = run(answers=answers)
    assert out.count("The judge agrees.") == len(answers)
    assert {one["due"] for one in kept()} == {THEN + 2 * DAY}
    assert out.splitlines()[-1] == "Nothing is due. The next question comes back in 2 days."


def test_folder_is_searched_once_for_records(run: Run, record: Path, monkeypatch: Patch) -> None:
    record.with_name("other.json").write_text(played(mekuri.game(OTHER), seed=2, rounds=1).record().to_json(), encoding="utf-8")
    record.with_name("notes.json").write_text("{}", encoding="utf-8")
    monkeypatch.setattr(practice, "_ROUNDS", 1)
    assert "1 older rounds have not been reviewed yet" in run(record.parent)[1]
    assert "older" not in run(record.parent)[1]
    assert {Path(one["file"]).name for one in kept()} == {"match.json", "other.json"}
    before = kept()
    run(record.parent)
    assert kept() == before


def test_changed_record_is_counted_as_lost(run: Run, record: Path) -> None:
    run(record)
    record.write_text(record.read_text(encoding="utf-8") + " ", encoding="utf-8")
    status, out, _ = run(answers=[])
    assert status == 0
    assert out.splitlines() == [
        "No mistakes are stored. Name records, or a folder of them: mekuri practice match.json",
        f"{len(kept())} more cannot be asked: their records were moved or deleted.",
    ]


def test_decision_found_sound_is_dropped(run: Run, record: Path, monkeypatch: Patch) -> None:
    run(record)
    monkeypatch.setattr(account, "label", lambda *_: "fine")
    run(answers=[])
    assert kept() == []


def test_refusal_is_one_line(run: Run, record: Path) -> None:
    assert run(record, "--seat", "9")[0] == 2
    for words, said in (([record.with_name("nowhere.json")], "No such file"), ([__file__], "no record")):
        status, out, err = run(*words)
        assert (status, out, len(err.splitlines())) == (2, "", 1)
        assert said in err
    file = data.kept_file("practice.json")
    file.parent.mkdir(parents=True, exist_ok=True)
    for content, said in (("{", "is broken"), ('{"mekuri": 9}', "newer Mekuri")):
        file.write_text(content, encoding="utf-8")
        status, _, err = run()
        assert (status, len(err.splitlines())) == (2, 1)
        assert said in err
