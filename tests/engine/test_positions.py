"""Positions: every state can be written down and set up again, and a text that sets up none is refused in so many words."""

import random
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mekuri
from mekuri import games
from mekuri.cards import card_text
from mekuri.engine.fields import Field
from mekuri.engine.options import Choice
from mekuri.testing import positions
from mekuri.testing.positions import BAD, tries, written
from tests.helpers.tables import GAMES, each_game, each_played


class TestRoundTrip:
    @each_played
    def test_every_state_reads_back(self, game: mekuri.Game) -> None:
        for seed in range(3):
            positions.every_state(game, seed)

    @each_played
    def test_play_from_a_position_is_identical(self, game: mekuri.Game) -> None:
        positions.played_on(game)

    @each_played
    def test_events_from_a_position_have_texts(self, game: mekuri.Game) -> None:
        positions.events(game)

    @each_played
    def test_case_spaces_and_order_do_not_matter(self, game: mekuri.Game) -> None:
        for seed in (3, 4):
            positions.spelling(game, seed)

    @each_played
    def test_hidden_state_reads_back(self, game: mekuri.Game) -> None:
        positions.hidden_states(game)

    @pytest.mark.soak
    @each_played
    def test_every_state_of_many_rounds_reads_back(self, game: mekuri.Game) -> None:
        for seed in range(100):
            positions.every_state(game, seed)


# --- Texts that set up nothing ---


@each_game
class TestRefused:
    def test_malformed_text_is_refused(self, name: str, subtests: pytest.Subtests) -> None:
        for text in BAD:
            with subtests.test(text=text[:20]):
                positions.bad_text(mekuri.game(name), text)

    def test_missing_dealer_is_refused(self, name: str) -> None:
        positions.a_dealer_who_is_not_there(mekuri.game(name))

    def test_empty_stock_is_refused(self, name: str) -> None:
        positions.no_stock(mekuri.game(name))

    def test_empty_text_is_refused(self, name: str) -> None:
        positions.nothing_at_all(mekuri.game(name))

    def test_duplicate_card_is_refused(self, name: str) -> None:
        positions.a_card_twice(mekuri.game(name))

    def test_card_outside_the_pack_is_refused(self, name: str) -> None:
        positions.a_card_that_is_not_in_play(mekuri.game(name))

    def test_waiting_card_that_lies_elsewhere_is_refused(self, name: str) -> None:
        positions.a_card_that_waits(mekuri.game(name), true_positions(name))

    def test_value_of_another_field_is_refused(self, name: str) -> None:
        positions.foreign_values(mekuri.game(name))

    @pytest.mark.in_turn(2)
    def test_phase_without_its_fields_is_refused(self, name: str) -> None:
        positions.phases(mekuri.game(name))


# --- Any text ---

WORDS = st.sampled_from(
    [
        *{field.name for name in GAMES for field in written(games.find(name))},
        *{
            choice.text
            for name in GAMES
            for field in written(games.find(name))
            for choice in field.names or ()
            if isinstance(choice, Choice)
        },
        *(card_text(card) for card in range(49)),
        *["0", "1", "2", "3", "4", "16", "/", "-", "?", ";"],
    ]
)


class TestAnyText:
    @given(st.sampled_from(GAMES), st.text())
    def test_random_characters_raise_no_fault(self, name: str, text: str) -> None:
        tries(mekuri.game(name), text)

    @settings(max_examples=100)
    @given(st.sampled_from(GAMES), st.lists(WORDS, max_size=30))
    def test_random_words_raise_no_fault(self, name: str, words: list[str]) -> None:
        tries(mekuri.game(name), " ".join(words))

    @pytest.mark.every_days(4)
    @settings(max_examples=100)
    @given(st.sampled_from(GAMES), st.data())
    def test_random_fields_raise_no_fault(self, name: str, data: st.DataObject) -> None:
        """Fields with values that they could have, in a position that may still make no sense."""
        game = mekuri.game(name)
        whole = game.contract.rules.pack(game.options)
        random.Random(data.draw(st.integers(0, 1 << 32))).shuffle(whole)
        cards = iter(whole)
        parts = []
        for field in data.draw(st.lists(st.sampled_from(written(games.find(name))), unique_by=lambda field: field.name)):
            rows = max(field.length, 1) if field.name != "stock" else 1
            parts.append(f"{field.name} " + " / ".join(data.draw(field_values(field, cards)) for _ in range(rows)))
        tries(game, "; ".join(parts))

    @settings(max_examples=100)
    @given(st.sampled_from(GAMES), st.data())
    def test_changed_positions_raise_no_fault(self, name: str, data: st.DataObject) -> None:
        """True positions in which fields have been changed, left out or taken from another."""
        game = mekuri.game(name)
        parts = data.draw(st.sampled_from(true_positions(name))).split("; ")
        others = data.draw(st.sampled_from(true_positions(name))).split("; ")
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


def field_values(field: Field, cards: Any) -> st.SearchStrategy[str]:
    """A value that a field could have."""
    if field.kind == "cards" or field.name == "stock":
        return st.integers(0, 8).map(lambda n: " ".join(card_text(card) for card, _ in zip(cards, range(n), strict=False)) or "-")
    if field.kind == "card":
        return st.integers(0, 47).map(card_text)
    if field.names:
        return st.sampled_from([choice.text for choice in field.names if isinstance(choice, Choice)])
    return st.integers(field.least, min(field.most, 8)).map(str)


@cache
def true_positions(name: str) -> list[str]:
    return positions.true_positions(name)


@each_game
def test_driver_continues_from_a_position(name: str) -> None:
    positions.the_driver_goes_on(mekuri.game(name), true_positions(name))
