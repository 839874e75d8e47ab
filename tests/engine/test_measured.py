"""The measures of `mekuri lab` that a game's folder keeps, and how rule books show them."""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from rich.console import Console

import mekuri
from mekuri import games
from mekuri.bots import find
from mekuri.engine.measured import FILE, Effect, Measured, estimate_text, percent_text, read_measured
from mekuri.engine.rulebook import rulebook
from mekuri.engine.validation import faults
from mekuri.lab.compare import Comparing, variants
from mekuri.lab.shards import Threads
from mekuri.protocol.library import rule_book
from mekuri.terminal.printed.rules import options_text, presets_text
from tests.helpers.tables import GAMES, each_game

MEASURED = [name for name in GAMES if (games.find(name).folder / FILE).exists()]


def kept(folder: Path, text: str, version: int = 1) -> Measured:
    (folder / FILE).write_text(text, encoding="utf-8")
    return read_measured(SimpleNamespace(folder=folder, version=version))  # type: ignore[arg-type]


def written(rounds: int = 40, pairs: int = 0) -> dict[str, Any]:
    """Return what a small run writes."""
    mushi = mekuri.game("mushi")
    return Comparing(mushi, variants(mushi)[0], rounds, pairs, seed=2, plain=True).play(executor=Threads(1)).effects()


class TestRead:
    def test_figures_come_back_as_they_were_written(self, tmp_path: Path) -> None:
        found = written()
        measured = kept(tmp_path, json.dumps(found))
        assert (measured.rounds, measured.pairs, measured.seed, measured.seats) == (40, 0, "2", 2)
        for name, each in found["effects"].items():
            assert measured.of(name)["greedy"].dealer == tuple(each["greedy"]["dealer"])
        assert measured.of("five_brights=no") == {}

    def test_figures_of_other_rules_are_not_shown(self, tmp_path: Path) -> None:
        assert kept(tmp_path, json.dumps(written()), version=2) == Measured()

    def test_game_without_the_file_has_no_figures(self, tmp_path: Path) -> None:
        assert read_measured(SimpleNamespace(folder=tmp_path, version=1)) == Measured()  # type: ignore[arg-type]

    @pytest.mark.parametrize(
        "text", ["", "[]", "{}", '{"version": 1}', '{"version": 1, "effects": {"a": {"greedy": {"dealer": 3}}}}']
    )
    def test_other_file_is_refused(self, tmp_path: Path, text: str) -> None:
        with pytest.raises(ValueError, match="it is not as mekuri lab writes it"):
            kept(tmp_path, text)

    def test_wrong_file_is_a_fault_of_the_game(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def wrong(contract: object) -> Measured:
            raise ValueError("it is not as mekuri lab writes it")

        contract = games.find("mushi")
        monkeypatch.setattr("mekuri.engine.rulebook.read_measured", wrong)
        monkeypatch.delitem(rulebook(contract).__dict__, "measured", raising=False)
        assert faults(contract) == [f"{contract.folder / FILE} cannot be read: it is not as mekuri lab writes it"]


class TestShown:
    @pytest.mark.parametrize(
        ("mean", "error", "text"),
        [(0.1234, 0.0171, "+0.123 ± 0.017"), (-12.3, 3.4, "-12.3 ± 3.4"), (0, 0, "0"), (1.5, 0, "+1.5"), (123.4, 56, "+123 ± 56")],
    )
    def test_estimate_has_two_digits_of_its_interval(self, mean: float, error: float, text: str) -> None:
        assert estimate_text(mean, error) == text

    @pytest.mark.parametrize(("share", "text"), [(0, "0 %"), (0.00016, "0.016 %"), (0.25, "25 %"), (1, "100 %")])
    def test_share_has_two_digits(self, share: float, text: str) -> None:
        assert percent_text(share) == text

    @pytest.mark.parametrize("lang", ["en", "ja"])
    def test_rule_book_shows_the_effect_beside_the_value(self, lang: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        game = mekuri.game("mushi")
        effects = {
            "default": {"greedy": Effect((0, 1), (9, 1))},
            "five_brights=yes": {"greedy": Effect((0.5, 0.1), (0, 0), 0.1, 0.02)},
        }
        effects["preset first"] = {"greedy": Effect((-0.25, 0.1), (0, 0), 0.1, 0.03)}
        monkeypatch.setitem(game.rulebook.__dict__, "measured", Measured(rounds=500, effects=effects))
        console = Console(width=200)
        with console.capture() as captured:
            console.print(
                options_text(game.contract.options, game.rulebook, lang), presets_text(game.contract, game.rulebook, lang)
            )
        out = captured.get()
        assert "+0.50 ± 0.10" in out
        assert "2.0 %" in out
        assert "-0.25 ± 0.10" in out
        assert "500" in out
        sent = rule_book.__wrapped__(game.contract, lang).measured
        assert set(sent) == {"five_brights=yes", "preset first", "how"}
        [sentence] = sent["five_brights=yes"]
        assert "+0.50 ± 0.10" in sentence
        assert find("greedy").name[lang] in sentence


@each_game
def test_kept_figures_are_of_variants_that_the_game_has(name: str) -> None:
    measured = games.find(name)
    if name not in MEASURED:
        return
    known = {each for one in variants(mekuri.game(name))[0] for each in one.names}
    found = read_measured(measured)
    assert found.rounds, f"measure {name} anew: its rules have another version now"
    assert set(found.effects or ()) <= known
