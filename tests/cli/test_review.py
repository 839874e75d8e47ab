"""`mekuri review`: a review of a record in a terminal, as a page and as JSON."""

import json
import sys
from functools import partial
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import mekuri
from mekuri import cli
from mekuri.bots.review import Estimate, review
from mekuri.cards import parse_card
from mekuri.engine.rulebook import LANGUAGES, Lang
from mekuri.match.replay import replay
from mekuri.terminal.base.texts import say
from mekuri.terminal.base.translate import YOU, Translator
from mekuri.terminal.base.trying import TryPlay
from mekuri.terminal.printed.review import PARTS, Telling, chosen, interval, show_review
from mekuri.terminal.screens import table
from mekuri.testing.records import played
from tests.helpers.commands import run_command

FEW = ("--plain", "--playouts", "4")
GAME = "isuri"  # a game whose rounds have few decisions


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A match of one round."""
    file = tmp_path_factory.mktemp("review") / "match.json"
    file.write_text(played(mekuri.game(GAME), seed=1, rounds=1).record().to_json(), encoding="utf-8")
    return file


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Any:
    """The function that runs the command."""
    return partial(run_command, capsys, "review")


class _Page(HTMLParser):
    """The texts of a page, and the elements that are still open."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert not any(name in ("src", "href") for name, _ in attrs)  # it needs no other file
        if tag not in ("meta", "path", "circle", "polyline"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in self.open:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_review_in_terminal_and_as_page(run: Any, record: Path, tmp_path: Path, lang: Lang) -> None:
    """The order is the same: questions first, then the parts of the result, then all decisions."""
    page = tmp_path / "review.html"
    status, out, _ = run(record, *FEW, "--lang", lang)
    assert status == 0
    assert run(record, *FEW, "--lang", lang, "--html", page)[:2] == (0, "")
    parser = _Page()
    parser.feed(page.read_text(encoding="utf-8"))
    assert parser.open == []
    for text in (out, " ".join(parser.texts)):
        places = [text.index(say(f"review.{key}", lang)) for key in ("first", *PARTS, "result", "all")]
        assert places == sorted(places)
    assert f'lang="{lang}"' in page.read_text(encoding="utf-8")


def test_json_has_one_object_for_each_round(run: Any, record: Path) -> None:
    _, out, _ = run(record, *FEW, "--json", "--seat", "1")
    [found] = map(json.loads, out.splitlines())
    assert (found["game"], found["round"], found["seat"], found["playouts"]) == (GAME, 1, 1, 4)
    assert found["result"] == replay(record.read_bytes()).finished[0].returns[1]
    assert sum(found[part]["mean"] for part in PARTS) == pytest.approx(found["result"], abs=0.01)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--seat", "9"), "seats 0 to"),
        (("--round", "2"), "rounds 1 to 1"),
        (("--html", "nowhere/review.html"), "no folder nowhere"),
        (("--plain", "--playouts", "1"), "2 rounds or more"),
    ],
)
def test_refusal_is_one_line(run: Any, record: Path, words: tuple[str, ...], why: str) -> None:
    status, out, err = run(record, *words)
    assert (status, out) == (2, "")
    assert why in err
    assert err.count("\n") == 1


def test_unfinished_round_is_not_reviewed(run: Any, tmp_path: Path) -> None:
    match = mekuri.game(GAME).match(seed=1)
    file = tmp_path / "match.json"
    file.write_text(match.record().to_json(), encoding="utf-8")
    assert "no round of this record is over" in run(file)[2]


@pytest.fixture(scope="module")
def telling(record: Path) -> Telling:
    """A round, reviewed."""
    round = replay(record.read_bytes()).finished[0]
    others = tuple(f"Ben {seat}" for seat in range(1, round.game.seats))
    translator = Translator(round.game.rulebook, "en", (YOU, *others), people=frozenset(range(1, round.game.seats)))
    return Telling(review(round, 0, 4, 100), round.events(0), translator, "Aki")


def test_action_is_typed_as_number_or_notation(telling: Telling) -> None:
    moment = telling.found.moments[0]
    choices = [choice.action for choice in moment.choices]
    assert [chosen(moment.choices, str(n)) for n in range(1, len(choices) + 1)] == choices
    assert [chosen(moment.choices, f" {action.lower()}") for action in choices] == choices
    assert [chosen(moment.choices, given) for given in ("", "0", "99", "nothing", "12K" * 9)] == [None] * 5


def test_cards_have_signs_and_names(telling: Telling) -> None:
    for moment in telling.found.moments:
        cards = {choice.action: parse_card(choice.action) for choice in moment.choices if choice.text.id == "card"}
        for action, card in cards.items():
            assert telling.action(moment, action) == telling.translator.drawn(card)
        assert cards
        assert len({telling.action(moment, choice.action) for choice in moment.choices}) == len(moment.choices)


def test_best_answer_is_called_right(telling: Telling, capsys: pytest.CaptureFixture[str]) -> None:
    asked: list[str] = []

    def answer(question: str) -> str:
        asked.append(question)
        return telling.first[0].best

    show_review(telling, answer)
    shown = capsys.readouterr().out
    assert len(asked) == len(telling.first)
    show_review(telling, lambda question: "")
    right = say("review.right", "en")
    assert right in shown
    assert right not in capsys.readouterr().out


def test_places_show_what_the_seat_saw(telling: Telling) -> None:
    for moment in telling.found.moments:
        view = telling.events[moment.seen - 1].view
        assert [choice.action for choice in moment.choices] == [one.action for one in view.legal]
        for (place, cards), zone in zip(
            telling.places(moment), [zone for zone in view.zones if set(zone.cards) - {None}], strict=True
        ):
            assert telling.translator.place(zone) in place
            known = telling.translator.cards(sum(1 << card for card in {*zone.cards} if card is not None))
            top = zone.cards[-1]
            assert cards.startswith(known)
            if zone.kind == "pile" and len(zone.cards) > 1 and top is not None:
                assert cards == f"{known} (on top: {telling.translator.cards(1 << top)})"
            else:
                assert cards == known


def test_any_decision_can_be_retried(record: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[TryPlay] = []
    answers = iter(["99", "1", "2"])
    monkeypatch.setattr("builtins.input", lambda prompt: next(answers, "") if prompt == say("review.try", "en") else "")
    for stream in (sys.stdin, sys.stdout):
        monkeypatch.setattr(stream, "isatty", lambda: True, raising=False)

    def app(play: TryPlay, lang: Lang) -> Any:
        tried.append(play)
        return SimpleNamespace(run=lambda: None)

    monkeypatch.setattr(table, "table_app", app)
    cli.main(["review", str(record), *FEW, "--lang", "en"])
    assert [play.moment.number for play in tried] == [1, 2]
    assert all(play.result == replay(record.read_bytes()).finished[0].returns[0] for play in tried)


def test_exact_value_has_no_interval() -> None:
    assert interval(Estimate(1.5, 0.5)) == "1.50 ± 0.98"
    assert interval(Estimate(-2.0, 0.0), "+") == "-2.00"


def test_printed_review_has_each_call_and_the_yaku_that_decided(capsys: pytest.CaptureFixture[str]) -> None:
    game = mekuri.game("koikoi")
    round = game.position("phase call; hand 1O 9I / 8I 10K; captured 1H 3H 8H 2H / 4H 6O; field 7H 10H 11K 12I; best 0 / 0")
    round.play("shobu")
    found = review(round, 0, 40, 100)
    translator = Translator(game.rulebook, "en", (YOU, "O-Kiku"))
    telling = Telling(found, round.events(0), translator, "Aki")
    assert telling.ended() == "You win 6 points. Three Brights decided it."
    show_review(telling, None)
    printed = " ".join(capsys.readouterr().out.split())
    assert printed.count("“Shōbu” was worth 6") + printed.count("“Shōbu” 6.") == 2, "once at the decision, once in the list"
