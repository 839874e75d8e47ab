"""Bots of other distributions in solo play."""

from pathlib import Path

import pytest

import mekuri
from mekuri import bots
from mekuri.engine.rulebook import Lang
from mekuri.terminal.base.local import ask_table, local_play
from mekuri.terminal.base.translate import Translator
from tests.helpers.foreign import install, site_of
from tests.helpers.screens import SilentStage
from tests.helpers.tables import USUAL


@pytest.mark.every_days(4)
@pytest.mark.parametrize(("name", "fails"), [("honest", False), ("dies", True)])
async def test_foreign_bot_plays_match_and_log_names_its_failure(tmp_path: Path, name: str, fails: bool) -> None:
    """If it fails, another bot plays for it, and the log says so."""
    with site_of(tmp_path):
        install(tmp_path, name)
        game = mekuri.game(USUAL)
        play, stage = await local_play(ask_table(game, (name, *["random"] * (game.seats - 1)), {"rounds": 1}), 0, 1), SilentStage()
        await play.run(stage)
        assert len(stage.results) == 1
        lapses = [event.text for event in stage.events if event.text.id == "table.lapse"]
        assert bool(lapses) == fails
        assert not play._here._bot_pool._apart._all
        begins: dict[Lang, str] = {"en": "dies gave no valid answer", "ja": "diesから"}
        for lang, words in begins.items():
            translator = Translator(play.book, lang, play.seats)
            assert {translator.text(text)[: len(words)] for text in lapses} <= {words}
        assert bots.usual(game.contract) in {text.args["other"].id.partition(".")[2] for text in lapses} or not fails
