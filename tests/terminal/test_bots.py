"""Bots of other distributions in solo play."""

from collections.abc import Sequence
from pathlib import Path

import pytest

import mekuri
from mekuri import bots
from mekuri.engine.contract import Text
from mekuri.engine.rulebook import Lang
from mekuri.match.view import Happening, View
from mekuri.terminal.base.local import LocalPlay, solo_table
from mekuri.terminal.base.play import RoundResult
from mekuri.terminal.base.translate import Translator
from tests.helpers.foreign import install, site_of
from tests.helpers.tables import USUAL


class Nobody:
    """A stage before which nobody sits.

    Attributes:
        noted: what was told of lost turns.
        results: the rounds that have ended.
    """

    def __init__(self) -> None:
        self.noted: list[Text] = []
        self.results: list[RoundResult] = []

    def begin_round(self) -> None: ...

    def show_events(self, events: Sequence[Happening], view: View) -> None:
        self.noted += [event.text for event in events if event.text.id == "table.lapse"]

    def note(self, text: Text) -> None: ...

    def show_news(self) -> None: ...

    async def end_round(self, result: RoundResult) -> None:
        self.results.append(result)

    async def end_match(self) -> None: ...

    def break_off(self, reason: str) -> None:
        raise AssertionError(reason)


@pytest.mark.every_days(4)
@pytest.mark.parametrize(("name", "fails"), [("honest", False), ("dies", True)])
async def test_one_plays_a_match(tmp_path: Path, name: str, fails: bool) -> None:
    """And where it fails, another plays for it, and the log says so, in words."""
    with site_of(tmp_path):
        install(tmp_path, name)
        game = mekuri.game(USUAL)
        play, stage = LocalPlay(solo_table(game, (name, *["random"] * (game.seats - 1)), {"rounds": 1}, seed=1), 0), Nobody()
        await play.run(stage)
        assert len(stage.results) == 1
        assert bool(stage.noted) == fails
        assert not play._bot_pool._apart._all
        told: dict[Lang, str] = {"en": "dies gave no valid answer", "ja": "diesから"}
        for lang, words in told.items():
            translator = Translator(play.book, lang, play.seats)
            assert {translator.text(text)[: len(words)] for text in stage.noted} <= {words}
        assert bots.usual(game.contract) in {text.args["other"].id.partition(".")[2] for text in stage.noted} or not fails
