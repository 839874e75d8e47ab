"""Lessons in the terminal, answered by a script."""

from collections.abc import Iterator
from io import StringIO
from itertools import product

import pytest
from rich.console import Console

from mekuri import games
from mekuri.cards import card_text
from mekuri.engine.errors import MekuriError
from mekuri.engine.rulebook import LANGUAGES, Lang
from mekuri.match.lesson import play_lesson
from mekuri.terminal.printed import lesson
from tests.helpers.tables import GAMES, USUAL, in_turn


def taught(name: str, lang: Lang, answers: Iterator[str]) -> tuple[str, list[str]]:
    """Return the printed text of a lesson with these answers, and its prompts."""
    printed, prompts = StringIO(), []

    def ask(prompt: str) -> str:
        prompts.append(prompt)
        return next(answers)

    lesson.teach(games.find(name), lang, ask, Console(file=printed, width=500))
    return printed.getvalue(), prompts


@pytest.mark.parametrize(("name", "lang"), in_turn(product(GAMES, LANGUAGES), of=2))
def test_beat_takes_wrong_answers_then_right_one(name: str, lang: Lang) -> None:
    beats = play_lesson(games.find(name))
    answers, said = [], []
    for beat in beats:
        wrong = [answer for answer in beat.answers if not answer.right]
        right = next((answer for answer in beat.answers if answer.right), None)
        answers += ["nonsense", *(answer.answer for answer in wrong)] if beat.answers else [""]
        answers += [card_text(refused.card) for refused in beat.view.refused]
        said += [*(answer.says[lang] for answer in wrong), beat.says[lang]]
        if right:
            answers.append(right.answer)
            said.append(right.says[lang])
    printed, prompts = taught(name, lang, iter(answers))
    assert len(prompts) == len(answers)
    assert [words for words in said if words not in printed] == []
    assert f"mekuri play {name} --preset first" in printed
    assert all(refused.clause in printed for beat in beats for refused in beat.view.refused)


def test_answer_is_typed_as_number_or_notation() -> None:
    beat = play_lesson(games.find(USUAL))[0]
    right = next(number for number, answer in enumerate(beat.answers, 1) if answer.right)
    for typed in (str(right), beat.answers[right - 1].answer.lower()):
        assert "2/" in taught(USUAL, "en", iter([typed, "q"]))[0]


def test_q_leaves_lesson() -> None:
    printed, prompts = taught(USUAL, "en", iter(["q"]))
    assert len(prompts) == 1
    assert "mekuri play" not in printed


def test_game_without_lesson_names_rules_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lesson, "lesson", lambda contract: None)
    with pytest.raises(MekuriError, match=f"mekuri rules {USUAL}"):
        lesson.teach(games.find(USUAL), "en", lambda prompt: "")
    assert lesson.minute_text(games.find(USUAL), "en") == []
