"""Positions: every state can be written down and set up again, and a text that sets up none is refused in so many words."""

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mekuri
from mekuri import PositionError
from mekuri.cards import card_text
from mekuri.engine.contract import DRIVER
from mekuri.engine.fields import Field, RoundState, fields
from mekuri.engine.options import Choice
from mekuri.engine.position import parse_position, position_text
from tests.helpers.tables import GAMES, each_game, start
from tests.helpers.worlds import act, astray, deck, each_played, lying, random_round, steps, values, viewers


def again(game: mekuri.Game, text: str) -> RoundState:
    """A state that a text sets up, with nothing driven."""
    s = start(game)
    parse_position(s, text)
    return s


def written(name: str) -> list[Field]:
    """The fields that a position may name."""
    return [field for field in fields(mekuri.game(name).contract.state) if not field.fixed and field.name != "pack"]


class TestRoundTrip:
    @each_played
    def test_every_state(self, game: mekuri.Game) -> None:
        """At every step of a round, the driver's too. Only the used part of the pack may be another."""
        cards = game.contract.pack(game.options)
        for seed in range(3):
            for now in steps(random_round(game, seed)):
                text = position_text(now._state)
                s = again(game, text)
                assert position_text(s) == text
                assert values(s) == values(now._state)
                assert sorted(s.pack[: len(cards)]) == cards
                assert set(s.pack[len(cards) :]) <= {-1}
                assert astray(s, deck(game)) == []

    @each_played
    def test_what_is_played_from_it(self, game: mekuri.Game) -> None:
        """A round from a position goes on as the round did that it was taken from."""
        chance = random.Random(1)
        whole = game.deal(seed=1)
        while not whole.over:
            act(whole, chance)
            now = game.position(whole.position, seed=3)
            assert now.position == whole.position
            assert (now.waiting, now.over, now.dealer, now.legal) == (whole.waiting, whole.over, whole.dealer, whole.legal)
            assert all(values(now.hidden(viewer)) == values(whole.hidden(viewer)) for viewer in viewers(game))
            end = game.position(whole.position, seed=3)
            while not end.over:
                act(end, chance)
            assert len(end.returns) == game.seats
            assert end.ending in game.contract.endings
        assert (now.returns, now.ending, now.next_dealer) == (whole.returns, whole.ending, whole.next_dealer)
        assert repr(now.score_sheet()) == repr(whole.score_sheet())

    @each_played
    def test_events_are_told_from_it(self, game: mekuri.Game) -> None:
        """As they are told of the round that it was taken from."""
        chance, whole = random.Random(2), game.deal(seed=2)
        for _ in range(5):
            if not whole.over:
                act(whole, chance)
        now, before = game.position(whole.position), len(whole.events(0))
        assert now.events() == []
        now._chance = list(whole._chance)
        while not now.over:
            act(now, chance)
            whole.play(*reversed(now.actions[-1]))
        told = [(event.seat, event.action, event.text) for event in whole.events(0)[before:]]
        assert [(event.seat, event.action, event.text) for event in now.events(0)] == told
        assert told or now.actions == []

    @each_played
    def test_case_and_spaces_do_not_matter(self, game: mekuri.Game) -> None:
        text = game.deal(seed=3).position
        for other in (text.lower(), text.replace("; ", ";"), text.replace(";", " ;  ") + ";", " " + text, text.replace("_", "-")):
            assert values(again(game, other)) == values(again(game, text))

    @each_played
    def test_fields_stand_in_any_order(self, game: mekuri.Game) -> None:
        text = game.deal(seed=4).position
        assert values(again(game, "; ".join(text.split("; ")[::-1]))) == values(again(game, text))

    @each_played
    def test_a_hidden_state_can_be_written_too(self, game: mekuri.Game) -> None:
        """It names no card that its viewer may not see, and it is no position to be played."""
        for now in steps(random_round(game, 5)):
            for viewer in viewers(game):
                h = now.hidden(viewer)
                text = position_text(h)
                shown = {card_text(card) for zone in now.view(viewer).zones for card in zone.cards if card is not None}
                parts = [part for part in text.split("; ") if part.split()[0] not in game.contract.notes]
                named = {word for part in parts for word in part.split() if word[0].isdigit() and word[-1] in "HIOK"}
                assert named <= shown
                if "?" in text:
                    with pytest.raises(PositionError):
                        again(game, text)

    @pytest.mark.soak
    @each_played
    def test_at_length(self, game: mekuri.Game) -> None:
        for seed in range(100):
            for now in steps(random_round(game, seed)):
                assert values(again(game, position_text(now._state))) == values(now._state)


# --- Texts that set up nothing ---


def tries(game: mekuri.Game, text: str) -> mekuri.Round | None:
    """A round from a text, or None where it is refused. Whatever is not refused can be looked at and played to its end."""
    try:
        round = game.position(text)
    except PositionError as error:
        if not str(error).strip():
            raise
        return None
    shown(round)
    assert position_text(again(game, round.position)) == round.position
    chance = random.Random(text)
    while not round.over:
        assert twice(round._state) == []
        assert round.waiting
        assert all(round.legal_for(seat) for seat in round.waiting)
        act(round, chance)
    assert twice(round._state) == []
    shown(round)
    return round


def twice(s: RoundState) -> list[int]:
    """The cards that lie in two places, or are not in play. A position may leave cards out."""
    found = lying(s)
    return [card for card in found if found.count(card) > 1 or card not in s.pack]


def shown(round: mekuri.Round) -> None:
    """Ask for everything that can be asked for."""
    for viewer in viewers(round.game):
        assert str(round.view(viewer))
    round.events(0)
    for seat in range(round.game.seats):
        for action in (0, 20, 47, 48, *map(int, round.contract.words)):
            round.refusal(action, seat)
    assert str(round.score_sheet()) or not round.score_sheet().lines
    assert str(round)
    if round.over:
        assert len(round.returns) == round.game.seats
        assert round.ending in round.contract.endings
        assert 0 <= round.next_dealer < round.game.seats
        assert len(round.accounts) == round.game.seats


BAD = [
    "phase nonsense",
    "phase",
    "phase -",
    "phase 0",
    "phase play play",
    "phase play; phase play",
    "nothing 1",
    "pack 1H",
    "contract 1",
    "__class__ 1",
    "deck 1H",
    "seats 3",
    "dealer 15",
    "dealer -1",
    "dealer x",
    "dealer",
    "dealer 1 0",
    "dealer 1/0",
    "dealer " + "9" * 5000,
    "turns " + "9" * 5000,
    "turns " + str(1 << 41),
    "turns 1.5",
    "turns 1e3",
    "turns ²",
    "turns 0x1",
    "turns 1_0",
    "turns +1",
    "redeals 1/2/3/4/5",
    "redeals 1//2",
    "redeals /",
    "ending 15",
    "ending 99",
    "gathered 5",
    "gathered 49",
    "stock 1H 1H",
    "stock ?",
    "stock G",
    "stock 13H",
    "stock 0H",
    "stock 1h 1H",
    "stock 1H / 2H",
    "stock x",
    "\x00",
    "\ud800 1",
    "phase \ud800",
    "stock \ud800",
    "; ; x",
    "phase play" * 1000,
]


@each_game
class TestRefused:
    @pytest.mark.parametrize("text", BAD, ids=lambda text: repr(text[:20]))
    def test_bad_text(self, name: str, text: str) -> None:
        with pytest.raises(PositionError, match=r"."):
            mekuri.game(name).position(text)

    def test_a_dealer_who_is_not_there(self, name: str) -> None:
        game = mekuri.game(name)
        with pytest.raises(PositionError, match="dealer"):
            game.position(f"dealer {game.seats}")

    def test_a_stock_of_no_cards(self, name: str) -> None:
        """Where nothing else lies on the table, the cards to be dealt are lacking."""
        game = mekuri.game(name)
        if not deck(game):
            pytest.skip("no cards are dealt in this game")
        with pytest.raises(PositionError, match=r"."):
            game.position("stock")

    def test_nothing_at_all(self, name: str) -> None:
        for text in ("", " ", ";", "\n"):
            tries(mekuri.game(name), text)

    def test_a_card_twice(self, name: str) -> None:
        """In one place, in two places of a row, in two fields, or in a field and the stock."""
        game = mekuri.game(name)
        holding = [field.name for field in written(name) if field.kind == "cards" and field.name not in game.contract.notes]
        told = [f"{place} 1H" for place in [*holding, "stock"]]
        told += [f"{field.name} - / 1H" for field in written(name) if field.name in holding and field.length > 1]
        for one in told:
            with pytest.raises(PositionError, match="1H stands twice"):
                game.position(f"phase over; {one} 1H")
            for other in told:
                if one.split()[0] != other.split()[0]:
                    with pytest.raises(PositionError, match="1H lies in"):
                        game.position(f"phase over; {one}; {other}")
            if "/" in one:
                with pytest.raises(PositionError, match="1H stands twice"):
                    game.position(f"phase over; {one.replace('-', '1H')}")

    def test_a_card_that_is_not_in_play(self, name: str) -> None:
        game = mekuri.game(name)
        outside = sorted(set(range(49)) - set(game.contract.pack(game.options)))
        for field in written(name):
            if field.kind in ("cards", "card") or field.name == "stock":
                for card in outside:
                    with pytest.raises(PositionError, match=r"."):
                        game.position(f"phase over; {field.name} {card_text(card)}")

    def test_a_card_that_waits_and_lies_elsewhere_too(self, name: str) -> None:
        game = mekuri.game(name)
        singles = [field.name for field in written(name) if field.kind == "card" and not field.length]
        holding = [field for field in written(name) if field.kind == "cards" and field.name not in game.contract.notes]
        for text in TRUE[name]:
            parts = dict(part.split(" ", 1) for part in text.split("; "))
            for card in [parts[single] for single in singles if single in parts]:
                if card not in {word for field, told in parts.items() if field not in singles for word in told.split()}:
                    for field in holding:
                        rows = parts.get(field.name, "-").split(" / ") + ["-"] * max(field.length, 1)
                        more = " / ".join([f"{rows[0].strip('-')} {card}", *rows[1 : max(field.length, 1)]])
                        with pytest.raises(PositionError, match=r"."):
                            game.position("; ".join(f"{name} {told}" for name, told in {**parts, field.name: more}.items()))

    def test_every_field_with_a_foreign_value(self, name: str) -> None:
        game = mekuri.game(name)
        for field in written(name):
            for told in ("x", "-", "1", "99", "1H", "?", "G", "play", "1 / 1 / 1 / 1 / 1 / 1", "", "\x00", "1H 1H", "9" * 5000):
                tries(game, f"{field.name} {told}")

    def test_every_phase_by_itself(self, name: str) -> None:
        """With nothing on the table, or with one thing."""
        game = mekuri.game(name)
        phases = next(field.names for field in written(name) if field.name == "phase")
        assert phases is not None
        for phase in phases:
            assert isinstance(phase, Choice)
            tries(game, f"phase {phase.text}")
            for field in written(name):
                tries(game, f"phase {phase.text}; {field.name} 1")
                tries(game, f"phase {phase.text}; {field.name} 1H")
                for told in ("1 / 1", "4H 4I 4O 4K", "1H 2H 3H / 4H 5H 9H"):
                    tries(game, f"phase {phase.text}; {field.name} {told}; stock 12H 12I 12O 12K; turns 1")


# --- Any text ---

WORDS = st.sampled_from(
    [
        *{field.name for name in GAMES for field in written(name)},
        *{choice.text for name in GAMES for field in written(name) for choice in field.names or () if isinstance(choice, Choice)},
        *(card_text(card) for card in range(49)),
        *["0", "1", "2", "3", "4", "16", "/", "-", "?", ";"],
    ]
)


class TestAnyText:
    @given(st.sampled_from(GAMES), st.text())
    def test_characters(self, name: str, text: str) -> None:
        tries(mekuri.game(name), text)

    @settings(max_examples=100)
    @given(st.sampled_from(GAMES), st.lists(WORDS, max_size=30))
    def test_words(self, name: str, words: list[str]) -> None:
        tries(mekuri.game(name), " ".join(words))

    @settings(max_examples=100)
    @given(st.sampled_from(GAMES), st.data())
    def test_fields(self, name: str, data: st.DataObject) -> None:
        """Fields with values that they could have, in a position that may still make no sense."""
        game = mekuri.game(name)
        whole = game.contract.pack(game.options)
        random.Random(data.draw(st.integers(0, 1 << 32))).shuffle(whole)
        cards = iter(whole)
        parts = []
        for field in data.draw(st.lists(st.sampled_from(written(name)), unique_by=lambda field: field.name)):
            rows = max(field.length, 1) if field.name != "stock" else 1
            parts.append(f"{field.name} " + " / ".join(data.draw(told(field, cards)) for _ in range(rows)))
        tries(game, "; ".join(parts))

    @settings(max_examples=100)
    @given(st.sampled_from(GAMES), st.data())
    def test_changes(self, name: str, data: st.DataObject) -> None:
        """True positions in which fields have been changed, left out or taken from another."""
        game = mekuri.game(name)
        parts = data.draw(st.sampled_from(TRUE[name])).split("; ")
        others = data.draw(st.sampled_from(TRUE[name])).split("; ")
        for _ in range(data.draw(st.integers(1, 3))):
            place = data.draw(st.integers(0, len(parts) - 1))
            kind = data.draw(st.sampled_from(["drop", "other", "words", "number"]))
            words = parts[place].split(" ")
            if kind == "drop" and len(parts) > 1:
                del parts[place]
            elif kind == "other":
                other = data.draw(st.sampled_from(others))
                parts = [part for part in parts if part.split(" ")[0] != other.split(" ")[0]] + [other]
            elif kind == "words" and len(words) > 1:
                del words[data.draw(st.integers(1, len(words) - 1))]
                parts[place] = " ".join(words)
            elif kind == "number" and words[-1].isdecimal():
                parts[place] = " ".join([*words[:-1], str(data.draw(st.integers(0, 16)))])
        tries(game, "; ".join(parts))


def told(field: Field, cards: Any) -> st.SearchStrategy[str]:
    """A value that a field could have."""
    if field.kind == "cards" or field.name == "stock":
        return st.integers(0, 8).map(lambda n: " ".join(card_text(card) for card, _ in zip(cards, range(n), strict=False)) or "-")
    if field.kind == "card":
        return st.integers(0, 47).map(card_text)
    if field.names:
        return st.sampled_from([choice.text for choice in field.names if isinstance(choice, Choice)])
    return st.integers(field.least, min(field.most, 8)).map(str)


def true_positions(name: str) -> list[str]:
    game = mekuri.game(name)
    return [now.position for seed in range(4) for now in steps(random_round(game, seed))]


TRUE = {name: true_positions(name) for name in GAMES}


def test_the_driver_goes_on_from_a_position() -> None:
    """Where it is the driver's turn, a round from a position does what the driver does at once."""
    for name in GAMES:
        for text in TRUE[name]:
            round = mekuri.game(name).position(text)
            assert DRIVER not in round.waiting
