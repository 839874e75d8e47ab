"""Cards and sets of cards as values: ints that iterate, print and travel as notation."""

from dataclasses import replace

import msgspec
import pytest

from mekuri.cards import Card, Cards, NotationError, parse_cards
from mekuri.cards.values import card_named
from mekuri.engine.contract import Text, Zone
from mekuri.protocol.coding import decode, encode

HELD = Cards(parse_cards("12H 7I 7O G"))


def test_set_of_cards_iterates_lowest_first() -> None:
    assert [str(card) for card in HELD] == ["7I", "7O", "12H", "G"]
    assert (len(HELD), bool(Cards()), str(HELD), str(Cards())) == (4, False, "7I 7O 12H G", "-")
    assert card_named("7I") in HELD
    assert card_named("7K") not in HELD
    assert Cards.of(HELD) == HELD == parse_cards("12H 7I 7O G")
    assert Cards(HELD & ~(1 << card_named("G"))) == Cards.of(map(card_named, ("7I", "7O", "12H")))


def test_cards_are_encoded_as_notation() -> None:
    assert encode([HELD, Card(0), Cards()]) == b'[["7I","7O","12H","G"],"1H",[]]'
    assert decode(b'["7I","7O","12H","G"]', Cards) == HELD
    assert str(decode(b'"7i"', Card)) == "7I"
    for wrong, kind in ((b'"77Z"', Card), (b"7", Card), (b'["7I", 7]', Cards), (b'{"id": "card", "args": {"card": "?"}}', Text)):
        with pytest.raises(msgspec.ValidationError):
            decode(wrong, kind)
    with pytest.raises(NotationError):
        card_named("7I 7O")


def test_text_reads_cards_by_number_and_notation() -> None:
    inner = Text("facts.cards", {"cards": int(HELD)})
    text = Text("events.plays", {"card": 24, "seat": 1, "others": inner})
    assert isinstance(text.args["card"], Card)
    assert isinstance(inner.args["cards"], Cards)
    assert decode(encode(text), Text) == text
    assert [decode(encode(one), Text).args for one in (inner, Text("card", {"card": 0}))] == [{"cards": HELD}, {"card": Card(0)}]


def test_zone_counts_its_cards_unless_hidden() -> None:
    zone, hidden = Zone("field", None, "field", "grid", (0, None)), Zone("bet", 1, "bet", "row", (), hidden=True)
    assert (zone.count, replace(zone, cards=()).count, zone.hidden) == (2, 0, False)
    assert (hidden.count, replace(hidden, id="other").count, hidden.hidden) == (None, None, True)
    assert [decode(encode(one), Zone) for one in (zone, hidden)] == [zone, hidden]
