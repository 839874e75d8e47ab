"""A game of rules only, like the first of `docs/contract.md`, is simulated, played and described like any other."""

import json
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

import mekuri
from mekuri import bots, games
from mekuri.bots import Player
from mekuri.bots.levels import levels
from mekuri.cards import card_text
from mekuri.engine.chance import stream
from mekuri.engine.contract import Contract, Refusal, Text
from mekuri.engine.rulebook import LANGUAGES, Lang, rulebook
from mekuri.lab.simulate import simulate
from mekuri.terminal.base.local import ask_table, local_play
from mekuri.terminal.screens.sheet import SheetScreen
from mekuri.testing import past
from mekuri.testing.visible import differences, visible
from mekuri.testing.worlds import astray, beside, deck, random_round, redealt, steps, twin, values, viewers
from tests.helpers.folders import CHECKOUT
from tests.helpers.installing import kept
from tests.helpers.new_games import arrived, child_at, play_match, round_on_the_page
from tests.helpers.screens import LARGE, on_screen, screen_text, until_asked
from tests.helpers.server.child import Child
from tests.helpers.unfinished import announce, looked_through_anew

GAME = "higher"


@pytest.fixture(scope="module")
def site(request: pytest.FixtureRequest) -> Path:
    """A folder in which the document's game is installed. It is kept, so that its machine code need not be made for each run."""
    document = CHECKOUT / "docs/contract.md"

    def make(folder: Path) -> None:
        found = re.search(r"^```python\n(.*?)^```", document.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
        assert found
        folder.mkdir()
        (folder / f"{GAME}.py").write_text(found[1], encoding="utf-8")
        announce(folder, GAME, f"{GAME}:contract")

    return kept(request.config, "small-game", [document, CHECKOUT / "src/mekuri/engine"], make)


@pytest.fixture(scope="module")
def contract(site: Path) -> Iterator[Contract]:
    with pytest.MonkeyPatch.context() as patch, looked_through_anew():
        patch.syspath_prepend(site)
        yield games.find(GAME)  # its module stays loaded: a second one would be another game with the same states


@pytest.fixture
def installed(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """For every process that is started from here."""
    monkeypatch.setenv("PYTHONPATH", str(site))


def mekuri_says(*words: str) -> str:
    ended = subprocess.run([sys.executable, "-m", "mekuri", *words], capture_output=True, text=True, encoding="utf-8", check=False)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


class TestInPython:
    def test_small_game_is_complete(self, contract: Contract) -> None:
        assert GAME in games.names()
        assert not {"rulebook.toml", "sources.toml"} & {path.name for path in contract.folder.iterdir()}

    def test_small_game_has_levels(self, contract: Contract) -> None:
        """A bot with less sight would see nothing, because no seat is ahead before the end."""
        assert not contract.has("outlook")
        assert [(level.who, level.sight) for level in levels(contract)] == [("suzu", None), ("kiku", None), ("kakuo", None)]
        assert bots.usual(contract) == "kiku"

    def test_small_game_has_few_lines(self, site: Path) -> None:
        """Most of it are its rules."""
        assert len((site / f"{GAME}.py").read_text(encoding="utf-8").splitlines()) < 120

    def test_bots_play_a_match(self, contract: Contract) -> None:
        match = mekuri.game(contract).match(seed=1, rounds=3)
        bots = [Player("greedy", seed=1, contract=contract), Player("random", seed=2, contract=contract)]
        while not match.over:
            while not match.round.over:
                seat = match.round.waiting[0]
                match.round.play(bots[seat].choose(match.round.hidden(seat), seat), seat)
            match.next_round()
        assert sum(account["points"] for account in match.ledger) == 0
        assert [round.dealer for round in match.finished[1:]] == [round.next_dealer for round in match.finished[:-1]]
        assert mekuri.replay(match.record().to_json()).ledger == match.ledger

    @pytest.mark.parametrize("lang", LANGUAGES)
    def test_every_event_has_a_text(self, contract: Contract, lang: Lang) -> None:
        """Its texts name the player and replace every argument."""
        book, round, shown = rulebook(contract), random_round(mekuri.game(contract), 3), []
        for now in steps(round):
            for viewer in viewers(now.game):
                view = now.view(viewer)
                assert str(view)
                texts = [view.prompt, *(legal.text for legal in view.legal), *(refused.text for refused in view.refused)]
                shown += [book.render(text, lang, ("Aki", "Ben")) for text in texts if text]
        shown += [book.render(event.text, lang, ("Aki", "Ben")) for event in round.events(0)]
        shown += [book.render(line.text, lang, ("Aki", "Ben")) for line in round.score_sheet().lines]
        assert not [text for text in shown if not text or set(text) & set("{}_")]
        one = {"en": "Aki plays ", "ja": "Akiが"}[lang]
        assert any(text.startswith(one) for text in shown)

    def test_refusals_have_default_texts(self, contract: Contract) -> None:
        round = mekuri.game(contract).deal(seed=2)
        seat = round.waiting[0]
        other = next(card for card in contract.rules.pack(None) if card_text(card) not in round.legal)
        now, table = "This cannot be done now", "The table does this by itself"
        for action, who, reason in ((other, seat, now), (0, 1 - seat, "It is not your turn"), ("deal", seat, table)):
            with pytest.raises(mekuri.IllegalAction, match=reason) as refusal:
                round.play(action, who)
            assert refusal.value.clause == ""
        while not round.over:
            round.play(round.legal[0])
        with pytest.raises(mekuri.IllegalAction, match="The round is over"):
            round.play(0)

    def test_undefined_refusal_shows_its_id(self, contract: Contract, monkeypatch: pytest.MonkeyPatch) -> None:
        game = mekuri.game(contract)
        monkeypatch.setitem(vars(contract.table), "why", lambda s, seat, action: Refusal("card-too-low", {"than": 3}))
        round = game.deal(seed=2)
        other = next(card for card in contract.rules.pack(None) if card_text(card) not in round.legal)
        refusal = round.refusal(other, round.waiting[0])
        assert refusal == (Text("refusals.undefined", {"reason": "Card too low"}), "")
        rendered = [rulebook(contract).render(refusal[0], lang) for lang in LANGUAGES]
        assert rendered == ["This is not allowed: Card too low.", "これはできません：Card too low。"]
        with pytest.raises(mekuri.IllegalAction, match=r"This is not allowed: Card too low\."):
            round.play(other)
        past.by_refusals(game)

    def test_missing_text_is_named(self, contract: Contract) -> None:
        with pytest.raises(KeyError, match=r"the rule book of higher has no text prompts\.nothing"):
            rulebook(contract).render(Text("prompts.nothing", {}), "en")

    def test_zones_follow_from_the_fields_of_the_state(self, contract: Contract) -> None:
        round = mekuri.game(contract).deal(seed=2)
        seat = round.waiting[0]
        round.play(round.legal[0])
        zones = {zone.id: zone for zone in round.view(seat).zones}
        assert {id: (zone.owner, zone.kind, zone.count) for id, zone in zones.items()} == {
            "hand-0": (0, "hand", 3 if seat == 0 else 4),
            "hand-1": (1, "hand", 3 if seat == 1 else 4),
            "taken-0": (0, "captured", 0),
            "taken-1": (1, "captured", 0),
            "stock": (None, "stock", 4),
            "laid": (None, "offer", 1),
        }
        assert None not in zones[f"hand-{seat}"].cards
        assert {*zones[f"hand-{1 - seat}"].cards, *zones["stock"].cards} == {None}

    def test_views_do_not_depend_on_hidden_cards(self, contract: Contract) -> None:
        game, chance = mekuri.game(contract), stream("worlds")
        for now in steps(random_round(game, 1)):
            for viewer in viewers(game):
                world = redealt(now.hidden(viewer), viewer, chance)
                assert astray(world, deck(game)) == []
                assert differences(visible(now, viewer), visible(beside(now, world), viewer)) == {}
                other = twin(now, viewer, chance)
                assert repr(now.events(viewer)) == repr(other.events(viewer))
                assert values(now.hidden(viewer)) == values(other.hidden(viewer))

    def test_positions_read_back(self, contract: Contract) -> None:
        game = mekuri.game(contract)
        round = random_round(game, 4)
        for now in steps(round):
            if now.waiting and now.waiting[0] < 2:
                assert game.position(now.position).position == now.position

    def test_position_without_a_continuation_is_refused(self, contract: Contract) -> None:
        """Rules are not asked what a position needs; the table would deal from an empty stock."""
        with pytest.raises(mekuri.PositionError, match="cannot go on from here"):
            mekuri.game(contract).position("hand 1H / 2I")

    @pytest.mark.every_days(4)
    @pytest.mark.machine_code
    def test_small_game_is_simulated_plain_and_compiled(self, contract: Contract) -> None:
        game = mekuri.game(contract)
        for bot in ("random", "greedy"):
            plain, compiled = simulate(game, 300, seed=3, bot=bot, plain=True), simulate(game, 300, seed=3, bot=bot)
            assert plain.checksum == compiled.checksum
            assert plain.to_dict()["endings"] == {"over": 300}

    async def test_small_game_is_played_in_the_terminal(self, contract: Contract) -> None:
        play = await local_play(ask_table(mekuri.game(contract), ("you", "greedy"), {"rounds": 1}), 0, 1)
        async with on_screen(play, size=LARGE) as (app, pilot):
            while await until_asked(pilot):
                assert "It is your turn." in screen_text(app)
                await pilot.press("enter")
            assert isinstance(app.screen, SheetScreen)
            assert "Gain or loss" in screen_text(app)
        assert play.match.round.over


@pytest.mark.usefixtures("installed")
class TestInstalled:
    @pytest.mark.every_days(4)
    def test_commands_know_the_installed_game(self) -> None:
        assert re.search(rf"^{GAME} ", mekuri_says("games", "--lang", "en"), re.MULTILINE)
        assert "Rounds" in mekuri_says("rules", GAME, "--lang", "en", "--sources")
        figures = json.loads(mekuri_says("simulate", GAME, "--rounds", "20", "--seed", "7", "--json", "--plain"))
        assert figures["returns"]["sum_min"] == figures["returns"]["sum_max"] == 0


@pytest.fixture
async def accounts(installed: None, tmp_path: Path) -> AsyncIterator[Child]:
    """A server with the game."""
    async with child_at(tmp_path) as child:
        yield child


class TestServed:
    @pytest.mark.every_days(4)
    async def test_match_is_played_at_a_table(self, accounts: Child) -> None:
        async with arrived(accounts.address) as guest:
            whole = await play_match(guest, GAME, ["greedy"], rounds=2)
            assert sum(account["points"] for account in whole["view"]["ledger"]) == 0

    @pytest.mark.every_days(4)
    async def test_round_is_played_on_the_page(self, accounts: Child) -> None:
        async with round_on_the_page(accounts.address, GAME) as page:
            await page.locator(".result .whole").click()
            assert await page.locator(".result .sheet .what").count() == 2
            assert await page.locator(".result .sheet a.rule").count() == 0
            await page.goto(f"/rules/{GAME}")
            await page.locator("#match-options").wait_for()
            assert await page.locator("section#sources").count() == 0
