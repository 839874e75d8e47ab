"""The names that the cards of a pack have everywhere."""

import re

import pytest

from mekuri import games
from mekuri.cards import card_text
from mekuri.cards.art.packs import find_pack
from mekuri.cards.names import named_packs, pack_names
from mekuri.engine.rulebook import LANGUAGES, rulebook

KANA = re.compile(r"[ぁ-ゖァ-ヺー・]+")


@pytest.mark.parametrize("pack", named_packs())
class TestPack:
    def test_every_card_is_named(self, pack: str) -> None:
        names = pack_names(pack)
        drawn = {card_text(card) for card in find_pack(pack).cards}
        assert names["cards"].keys() == drawn
        assert names["title"].keys() == {*LANGUAGES}
        for name in names["cards"].values():
            assert name.keys() == {*LANGUAGES, "kana", "latin"}
            assert KANA.fullmatch(name["kana"]), name
        for key in (*LANGUAGES, "kana", "latin"):
            assert len({name[key] for name in names["cards"].values()}) == len(drawn), key

    def test_games_do_not_repeat_names_of_a_pack(self, pack: str) -> None:
        for name in games.names():
            for id, row in rulebook(games.find(name)).written["names"].items():
                if row.get("pack", id) == pack:
                    again = [card for card, called in row.get("cards", {}).items() if called == pack_names(pack)["cards"].get(card)]
                    assert again == [], (name, id)


def test_pack_without_names_has_none() -> None:
    assert pack_names("fukutoku") == {"title": {}, "cards": {}, "numbers": {}, "plain": {}}


def test_plain_name_of_a_suited_card_is_number_and_suit() -> None:
    plain = pack_names("ise")["plain"]
    assert (plain["8I"], plain["12K"]) == ({"en": "8 of swords", "ja": "イスの8"}, {"en": "12 of cups", "ja": "コップの12"})
    for lang in LANGUAGES:
        assert len({name[lang] for name in plain.values()}) == len(find_pack("ise").cards)
    assert not [pack for pack in named_packs() if pack.startswith("hanafuda") and pack_names(pack)["plain"]]


@pytest.mark.parametrize("name", games.names())
def test_traditional_names_are_complete(name: str) -> None:
    book = rulebook(games.find(name))
    first = book.tables["names"][book.names[0]]
    for card in games.find(name).rules.pack(games.find(name).options()):
        text = card_text(card)
        for lang in LANGUAGES:
            assert book.card(card, lang, book.names[0]) == first["cards"][text][lang]
            assert book.card(card, lang) == first["plain"].get(text, first["cards"][text])[lang]


def test_calendar_reorders_the_flowers_of_nagoya() -> None:
    nagoya, calendar = (pack_names(pack)["cards"] for pack in ("hanafuda", "hanafuda-calendar"))
    flowers, months = (pack_names(pack)["numbers"] for pack in ("hanafuda", "hanafuda-calendar"))
    for month, flower in ((2, 12), (6, 11), (11, 2), (12, 6), (1, 1), (10, 10)):
        assert months[str(month)] == flowers[str(flower)]
        for suit in "HIOK":
            assert calendar[f"{month}{suit}"] == nagoya[f"{flower}{suit}"]


@pytest.mark.parametrize("pack", [pack for pack in named_packs() if pack.startswith("hanafuda")])
def test_number_is_named_by_the_flower_of_its_cards(pack: str) -> None:
    names = pack_names(pack)
    assert [*names["numbers"]] == [str(number) for number in range(1, 13)]
    for number, flower in names["numbers"].items():
        for suit in "HIOK":
            assert flower["en"] in names["cards"][f"{number}{suit}"]["en"].lower()
            assert flower["ja"] in names["cards"][f"{number}{suit}"]["ja"]
