"""Lessons in the terminal, gone through by a script: at every beat first whatever is wrong, then what is right."""

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
    """What is printed of a lesson that is answered so, and what one is prompted with."""
    printed, prompts = StringIO(), []

    def ask(prompt: str) -> str:
        prompts.append(prompt)
        return next(answers)

    lesson.teach(games.find(name), lang, ask, Console(file=printed, width=500))
    return printed.getvalue(), prompts


@pytest.mark.parametrize(("name", "lang"), in_turn(product(GAMES, LANGUAGES), of=2))
def test_every_beat_is_answered_wrongly_and_then_rightly(name: str, lang: Lang) -> None:
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


def test_an_answer_is_known_by_its_number_and_by_its_letters() -> None:
    beat = play_lesson(games.find(USUAL))[0]
    right = next(number for number, answer in enumerate(beat.answers, 1) if answer.right)
    for typed in (str(right), beat.answers[right - 1].answer.lower()):
        assert "2/" in taught(USUAL, "en", iter([typed, "q"]))[0]


def test_one_may_leave() -> None:
    printed, prompts = taught(USUAL, "en", iter(["q"]))
    assert len(prompts) == 1
    assert "mekuri play" not in printed


def test_a_game_without_a_lesson_says_where_its_rules_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lesson, "lesson", lambda contract: None)
    with pytest.raises(MekuriError, match=f"mekuri rules {USUAL}"):
        lesson.teach(games.find(USUAL), "en", lambda prompt: "")
    assert lesson.minute_text(games.find(USUAL), "en") == []
