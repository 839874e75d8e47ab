"""The reasons in a view for illegal cards of the own hand."""

import re
from typing import Any

import pytest

import mekuri
from mekuri.cards import Card, card_text
from mekuri.engine.rulebook import LANGUAGES, rulebook
from mekuri.match.view import Refused
from mekuri.testing.worlds import Viewer, random_round, steps, viewers
from tests.helpers.tables import each_game, each_played, each_played_in_turn


def hand(now: mekuri.Round, viewer: Viewer) -> list[int]:
    """The cards of a seat's own hand."""
    zones = now.contract.table.zones(now.hidden(viewer))
    return [card for zone in zones if zone.kind == "hand" and zone.owner == viewer for card in zone.cards if card is not None]


def wanted(now: mekuri.Round, viewer: Viewer) -> list[Refused]:
    """Return the refusals that a seat would get for each card of its hand."""
    if viewer not in now.waiting:
        return []
    refusals = {card: now.refusal(card, viewer) for card in hand(now, viewer)}
    return [Refused(Card(card), *refusal) for card, refusal in refusals.items() if refusal]


@each_played_in_turn
def test_view_shows_why_a_card_is_illegal(game: mekuri.Game) -> None:
    """Only the seat to move gets them, by its own view."""
    found = 0
    for seed in range(20):
        for now in steps(random_round(game, seed)):
            for viewer in viewers(game):
                refused = now.view(viewer).refused
                assert list(refused) == wanted(now, viewer)
                found += len(refused)
                for each in refused:
                    assert each.clause in game.rulebook.clauses
                    assert all("{" not in game.rulebook.render(each.text, lang) for lang in LANGUAGES)
    assert found or game.contract.side  # where no card may be played there is nothing to refuse


@each_played
def test_every_card_of_the_hand_is_legal_or_refused(game: mekuri.Game) -> None:
    for now in steps(random_round(game, 9)):
        for seat in set(now.waiting) & set(range(game.seats)):
            view = now.view(seat)
            legal = {now.parse_action(choice.action) for choice in view.legal}
            refused = {each.card for each in view.refused}
            assert set(hand(now, seat)) == refused | legal & set(hand(now, seat))
            assert not refused & legal


@each_game
def test_reasons_are_not_computed_if_every_card_is_legal(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def why(*asked: Any) -> None:
        raise AssertionError(asked)

    game, free = mekuri.game(name), 0
    monkeypatch.setitem(vars(game.contract.table), "why", why)
    for now in steps(random_round(game, 1)):
        for seat in set(now.waiting) & set(range(game.seats)):
            cards = {now.action_text(card) for card in hand(now, seat)}
            if cards and cards <= set(now.legal_for(seat)):
                assert now.view(seat).refused == ()
                free += 1
    assert free or game.contract.side


@each_game
def test_card_outside_the_hand_gets_its_own_reason(name: str) -> None:
    """A player asked for a card who names one outside the hand gets that reason."""
    game, asked = mekuri.game(name), 0
    reasons = rulebook(game.contract).tables["refusals"]
    for now in steps(random_round(game, 2)):
        for seat in set(now.waiting) & set(range(game.seats)):
            prompt, held = now.view(seat).prompt, hand(now, seat)
            if "not-in-hand" not in reasons or not prompt or not prompt.id.startswith("prompts.play"):
                continue
            for card in set(game.contract.rules.pack(game.options)) - set(held):
                with pytest.raises(mekuri.IllegalAction, match=re.escape(reasons["not-in-hand"]["en"])):
                    now.play(card_text(card), seat)
                asked += 1
    assert asked or "not-in-hand" not in reasons


def test_set_with_a_card_outside_the_hand_is_refused() -> None:
    round = mekuri.game("isuri").position("phase play; hand 8H 8I 8O 4K 5K / 9O; pile 7O")
    round.play("set")
    for card in ("8K", "9O", "7O"):
        with pytest.raises(mekuri.IllegalAction, match="You can discard only cards from your own hand"):
            round.play(card)
    with pytest.raises(mekuri.IllegalAction) as refused:
        round.play("4K")
    assert "own hand" not in str(refused.value)
