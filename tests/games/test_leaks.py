"""Nothing leaks: two rounds that differ only in hidden state look the same to a viewer, to the last byte."""

from collections.abc import Callable
from typing import Any
from unittest.mock import patch
from zlib import crc32

import pytest

import mekuri
from mekuri.engine.chance import stream
from mekuri.engine.contract import Refusal, SheetLine, Text
from mekuri.engine.errors import MekuriError
from mekuri.engine.fields import fields
from mekuri.testing import CheckFailure, leaks
from mekuri.testing.leaks import worlds_apart
from mekuri.testing.worlds import beside, random_round, redealt, steps
from tests.helpers.tables import GAMES, each_game, each_played


def middle(round: mekuri.Round) -> mekuri.Round:
    """The round as it was when half of it had been played, a seat was waited for and the first did not know everything."""
    half = len(round.history) // 2
    asked = (now for now in steps(round) if len(now.history) >= half and now.waiting and now.waiting[0] < now.game.seats)
    return next(now for now in asked if worlds_apart(now, 0))


@each_played
class TestTwoWorlds:
    def test_two_worlds_look_the_same(self, game: mekuri.Game) -> None:
        leaks.two_worlds(game)

    @pytest.mark.in_turn(3)
    def test_two_worlds_have_equal_histories(self, game: mekuri.Game) -> None:
        for seed in range(2):
            leaks.twins(game, seed)

    @pytest.mark.soak
    def test_two_worlds_look_the_same_over_many_rounds(self, game: mekuri.Game) -> None:
        for seed in range(100, 120):
            leaks.twins_throughout(game, seed)

    def test_two_worlds_differ_in_hidden_state(self, game: mekuri.Game) -> None:
        leaks.something_is_hidden(game)


class TestHiddenState:
    @each_played
    def test_hidden_state_has_public_and_copied_fields_only(self, game: mekuri.Game) -> None:
        leaks.hidden_fields(game)

    @each_game
    def test_hidden_state_omits_private_fields(self, name: str) -> None:
        leaks.private_fields(name)

    @each_played
    def test_hidden_state_has_no_trace_of_hidden_cards(self, game: mekuri.Game) -> None:
        leaks.hidden_packs(game)

    @each_played
    def test_hidden_state_decides_the_legal_actions(self, game: mekuri.Game) -> None:
        leaks.hidden_choices(game)

    def test_hidden_state_needs_an_existing_seat(self) -> None:
        for name in GAMES:
            for seat in (-1, 2, 16, 99):
                round = mekuri.game(name).deal(seed=1)
                if seat not in range(round.game.seats):
                    for ask in (round.hidden, round.view, round.events):
                        with pytest.raises(MekuriError, match="seat"):
                            ask(seat)


# --- The tests can fail ---


def _whole_state(s: Any, seat: int, into: Any) -> None:
    mekuri.engine.fields.copy(into, s)


def _unseen(s: Any) -> int:
    """A number that hangs on everything that is not public."""
    return crc32(repr([getattr(s, field.name) for field in fields(type(s)) if not field.public]).encode())


def _next_card(s: Any, seat: int, into: Any) -> None:
    s.contract.own(s, seat, into)
    into.pack[0] = s.pack[s.stock - 1] if s.stock else _unseen(s) % 49


def _one_bit(s: Any, seat: int, into: Any) -> None:
    s.contract.own(s, seat, into)
    into.ending = _unseen(s) & 1


def _used_pack(s: Any, seat: int, into: Any) -> None:
    s.contract.own(s, seat, into)
    into.pack[s.stock :] = s.pack[s.stock :] if s.stock else [_unseen(s) % 49] * len(into.pack)


def _talkative_why(s: Any, seat: int, action: int) -> Any:
    refusal = s.contract.own(s, seat, action) or Refusal("not-now", {})
    return Refusal(refusal.id, {**refusal.args, "next": _unseen(s)})


def _knowing_sheet(s: Any) -> Any:
    ending = Text(f"endings.{s.contract.endings[0]}", {})
    return [SheetLine(0, ending, 0, _unseen(s), ""), *s.contract.own(s)]


LEAKS: list[tuple[str, str, Callable[..., Any]]] = [
    ("rules", "hide", _whole_state),
    ("rules", "hide", _next_card),
    ("rules", "hide", _one_bit),
    ("rules", "hide", _used_pack),
    ("table", "why", _talkative_why),
    ("table", "score_sheet", _knowing_sheet),
]


@each_game
def test_leaks_are_found(name: str, subtests: pytest.Subtests) -> None:
    game = mekuri.game(name)
    now = middle(random_round(game, 3))
    for part, function, leaky in LEAKS:
        members = vars(getattr(game.contract, part))
        own = patch.dict(vars(game.contract), own=members[function])
        with subtests.test(leaky.__name__), own, patch.dict(members, {function: leaky}):
            assert any(distinguished(now, beside(now, redealt(now.hidden(0), 0, stream(seed)))) for seed in range(20))


def distinguished(one: mekuri.Round, other: mekuri.Round) -> bool:
    """Return whether the check distinguishes two rounds for the first seat."""
    try:
        leaks.alike(one, other, 0)
    except CheckFailure:
        return True
    return False
