"""The engine's defaults for a game that leaves parts out: they reveal nothing hidden, and they have texts."""

import dataclasses
import tomllib
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import mekuri
from mekuri import games
from mekuri.cards import card
from mekuri.engine import compiled, defaults, fields
from mekuri.engine.chance import stream
from mekuri.engine.compiled import bit
from mekuri.engine.contract import Contract, Rules
from mekuri.engine.fields import RoundState
from mekuri.engine.filled import filled
from mekuri.engine.options import Choice, Options, between, one_of
from mekuri.engine.rulebook import LANGUAGES, rulebook
from mekuri.engine.validation import faults
from mekuri.protocol import library
from mekuri.testing.visible import differences, visible
from mekuri.testing.worlds import beside, random_round, redealt, steps, viewers
from tests.helpers.tables import GAMES

# A game without secret actions needs no member for them.
OPEN = [name for name in GAMES if not games.find(name).has("secret")]
each_open_game = pytest.mark.parametrize("name", OPEN)

KEPT = ("words", "options", "notes")  # of which its rules speak


def needed(kind: type) -> set[str]:
    """The members of a contract, or of a part of it, that no game may leave out."""
    return {field.name for field in dataclasses.fields(kind) if field.default is field.default_factory is dataclasses.MISSING}


@pytest.fixture
def bare(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Contract]:
    """A game with everything taken from it that a game may leave out."""
    contract, known = games.find(name), list(compiled.contracts)
    state = type("Bare", (contract.state,), {"__slots__": ()})
    rules = Rules(**{key: getattr(contract.rules, key) for key in needed(Rules)})
    kept = {key: getattr(contract, key) for key in {*needed(Contract), *KEPT}}
    made = Contract(**kept | {"rules": rules, "state": state, "folder": tmp_path})
    found = games.find
    monkeypatch.setattr(games, "find", lambda id: made if id == name else found(id))
    yield made
    compiled.contracts[:] = known


def test_contract_needs_few_members() -> None:
    assert needed(Contract) == {"id", "seats", "state", "rules"}
    assert needed(Rules) == {"deal", "waiting", "legal", "play", "returns", "hide", "redeal", "pack"}
    assert len(OPEN) > 2


@each_open_game
class TestBare:
    def test_game_of_defaults_is_complete(self, bare: Contract) -> None:
        assert faults(bare) == []
        assert library.game_info(bare).options
        for lang in LANGUAGES:
            assert library.rule_book(bare, lang).chapters == ()
            assert library.catalogue(bare, lang).cites == {}

    def test_default_views_do_not_depend_on_hidden_cards(self, bare: Contract) -> None:
        game, chance = mekuri.game(bare), stream("worlds")
        for now in steps(random_round(game, 1)):
            for viewer in viewers(game):
                other = beside(now, redealt(now.hidden(viewer), viewer, chance))
                assert differences(visible(now, viewer), visible(other, viewer)) == {}

    def test_default_zones_show_each_card_once(self, bare: Contract) -> None:
        game = mekuri.game(bare)
        for now in steps(random_round(game, 3)):
            for viewer in viewers(game):
                zones = now.view(viewer).zones
                seen = [card for zone in zones for card in zone.cards if card is not None]
                assert len(seen) == len({*seen})
                if not now._state.gathered:
                    assert sum(zone.count or 0 for zone in zones) == len(bare.rules.pack(game.options))

    @pytest.mark.parametrize("lang", LANGUAGES)
    def test_default_events_have_texts(self, bare: Contract, lang: Any) -> None:
        book, round = rulebook(bare), random_round(mekuri.game(bare), 4)
        for viewer in viewers(round.game):
            for event in round.events(viewer):
                view = event.view
                texts = [event.text, view.prompt, *(one.text for one in view.legal), *(one.text for one in view.refused)]
                assert all(book.render(text, lang, ("Aki", "Ben")).strip() for text in texts if text)
        assert [line.points for line in round.score_sheet().lines] == list(round.returns)

    def test_match_of_a_game_of_defaults_is_played(self, bare: Contract) -> None:
        match, dealers = mekuri.game(bare).match(seed=1, rounds=2), []
        while not match.over:
            dealers.append(match.dealer)
            while not match.round.over:
                match.round.play(match.round.legal[-1])
            match.next_round()
        seats = range(match.game.seats)
        assert dealers == [dealers[0], (dealers[0] + 1) % len(seats)]
        points = [sum(round.returns[seat] for round in match.finished) for seat in seats]
        assert [account["points"] for account in match.ledger] == points
        assert match.leading == tuple(seat for seat in seats if points[seat] == max(points))


class Weather(Choice):
    """How it is."""

    FINE_AND_DRY = 0
    RAIN = 1


@dataclasses.dataclass(frozen=True)
class Chosen(Options):
    """Options without a rule book."""

    weather: Weather = Weather.FINE_AND_DRY
    wager: int = one_of(1, 2)
    open_hands: bool = False
    long: int = between(3, 1, 9)


def both(text: str) -> dict[str, str]:
    return dict.fromkeys(LANGUAGES, text)


@pytest.mark.parametrize("name", OPEN[:1])
class TestFilled:
    def test_texts_are_made_from_names(self, bare: Contract) -> None:
        vars(bare).update(options=Chosen, yaku=("three-lights",), presets={"default": {}, "wet-day": {"weather": "rain"}})
        tables = filled(bare, {})
        assert tables["options"]["weather"]["values"]["fine-and-dry"] == both("Fine and dry")
        assert "values" not in tables["options"]["open_hands"]
        assert tables["options"]["open_hands"]["title"] == both("Open hands")
        assert tables["presets"]["wet-day"] == both("Wet day")
        (yaku,) = tables["yaku"]
        assert (yaku["id"], yaku["name"], yaku["cards"], yaku["clause"]) == ("three-lights", both("Three lights"), "-", "")
        assert faults(bare) == []
        info = library.game_info(bare)
        assert [option.name for option in info.options] == ["weather", "wager", "open_hands", "long"]
        assert info.presets[1].options == {"weather": "rain"}

    def test_written_texts_take_precedence(self, bare: Contract) -> None:
        own = tomllib.loads("""
            name = { en = "Own", ja = "自" }
            [prompts]
            turn = { en = "Go on.", ja = "続ける。" }
            mine = { en = "Mine.", ja = "私。" }
            [refusals]
            round-over = { clause = "own.end.over" }
            [names.ise]
            cards.1H = { en = "Ace", ja = "一", kana = "いち", latin = "ichi" }
        """)
        tables = filled(bare, own)
        assert tables["name"]["en"] == "Own"
        assert tables["prompts"] == own["prompts"]
        assert tables["refusals"]["round-over"] == {
            "en": "The round is over.",
            "ja": "この回は終わりました。",
            "clause": "own.end.over",
        }
        assert tables["names"].keys() == {"ise"}
        assert tables["names"]["ise"]["cards"]["1H"]["en"] == "Ace"
        assert tables["names"]["ise"]["cards"]["2H"]["ja"] == "青二"
        assert own["refusals"]["round-over"] == {"clause": "own.end.over"}  # what is written stays as it is

    def test_incomplete_text_is_not_filled_in(self, bare: Contract) -> None:
        assert filled(bare, {"prompts": {"turn": {"en": "Go on."}}})["prompts"]["turn"] == {"en": "Go on."}


@dataclasses.dataclass(frozen=True)
class OpenEnded(Options):
    """A match that may have no end."""

    rounds: Weather = Weather.RAIN


class TestMatch:
    def test_match_ends_after_its_rounds(self) -> None:
        assert [defaults.match_over(defaults.Rounds(rounds=3), n, ()) for n in (2, 3)] == [False, True]
        assert [defaults.match_over(Options(), n, ()) for n in (0, 1)] == [False, True]
        assert not defaults.match_over(OpenEnded(), 99, ())
        assert [defaults.length(options, 2) for options in (defaults.Rounds(rounds=3), Options(), OpenEnded())] == [3, 0, 0]


def test_default_worth_of_a_card_is_none() -> None:
    assert defaults.no_worth(None, card(1, 0)).points is None


@pytest.mark.parametrize("api", [2, 3])
def test_unused_row_is_not_shown(api: int) -> None:
    """For example the two hands of `DealtState`, if a game for more seats has its own hands."""

    @dataclasses.dataclass(slots=True)
    class Rows(RoundState):
        hand: list[int] = fields.cards(each_seat=2)
        held: list[int] = fields.count(4, each_seat=2)
        fan: list[int] = fields.cards(3, public=True) if api == 2 else fields.cards(each_seat=3, public=True)
        away: list[int] = fields.cards(2)

    h = Rows()
    h.seats = 3
    Rows.contract = SimpleNamespace(seats=(3,), notes=(), api=api)
    shown = {zone.id: zone.count for zone in defaults.zones(h)}
    assert shown == {"fan-0": 0, "fan-1": 0, "fan-2": 0, "away-1": None, "away-2": None, "stock": 0}
    h.hand[0], h.held[1] = bit(card(3, 1)), 2
    assert {zone.id: zone.count for zone in defaults.zones(h)} == {"hand-1": 1, "hand-2": 2, **shown}
