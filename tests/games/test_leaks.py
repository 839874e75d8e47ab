"""Nothing leaks: two rounds that differ only in what somebody cannot see look the same to him, to the last byte."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from zlib import crc32

import pytest

import mekuri
from mekuri.engine.chance import stream
from mekuri.engine.contract import Contract, SheetLine, Text, hide, legal, over, standing, waiting, yaku_of
from mekuri.engine.errors import MekuriError
from mekuri.engine.fields import RoundState, fields
from tests.helpers.outlook import differences, outlook
from tests.helpers.tables import GAMES, each_game
from tests.helpers.worlds import (
    Viewer,
    as_seat,
    beside,
    each_played,
    random_round,
    redealt,
    some_viewers,
    steps,
    twin,
    values,
    viewers,
)


def middle(round: mekuri.Round) -> mekuri.Round:
    """The round as it was when half of it had been played, a seat was waited for and the first did not know everything."""
    half = len(round.history) // 2
    asked = (now for now in steps(round) if len(now.history) >= half and now.waiting and now.waiting[0] < now.game.seats)
    return next(now for now in asked if worlds_apart(now, 0))


def worlds_apart(now: mekuri.Round, viewer: Viewer) -> bool:
    """Whether there is more than one world that a viewer may be in."""
    chance = stream(0)
    return len({repr(values(redealt(now.hidden(viewer), viewer, chance))) for _ in range(5)}) > 1


class TestTwoWorlds:
    @each_played
    def test_look_the_same(self, game: mekuri.Game) -> None:
        """At every step of a round, the driver's too, and after it."""
        chance = stream("worlds")
        for number, now in enumerate(steps(random_round(game, 1))):
            for viewer in some_viewers(game, number):
                world = redealt(now.hidden(viewer), viewer, chance)
                assert differences(outlook(now, viewer), outlook(beside(now, world), viewer)) == {}

    @each_played
    def test_have_always_looked_the_same(self, game: mekuri.Game) -> None:
        """The other world is led to by a round of its own, and all its events are compared."""
        for seed in range(2):
            chance, secret = stream(seed, "twins"), False
            for number, now in enumerate(steps(random_round(game, seed))):
                hidden, secret = secret, game.contract.secret(now._state)
                if number % 8 == seed or (hidden and number % 3 == seed):  # what was done unseen may not have been shown yet
                    for viewer in some_viewers(game, number):
                        other = twin(now, viewer, chance)
                        assert repr(now.events(viewer)) == repr(other.events(viewer))
                        assert values(now.hidden(viewer)) == values(other.hidden(viewer))

    @pytest.mark.soak
    @each_played
    def test_at_length(self, game: mekuri.Game) -> None:
        for seed in range(100, 120):
            chance = stream(seed, "worlds")
            for number, now in enumerate(steps(random_round(game, seed))):
                for viewer in viewers(game):
                    other = twin(now, viewer, chance)
                    assert differences(outlook(now, viewer), outlook(other, viewer)) == {}
                    if number % 10 == seed % 10:
                        assert repr(now.events(viewer)) == repr(other.events(viewer))

    @each_played
    def test_do_differ(self, game: mekuri.Game) -> None:
        """Or all this would show nothing."""
        for viewer in viewers(game):
            assert any(worlds_apart(now, viewer) for now in steps(random_round(game, 1)))


class TestHiddenState:
    @each_played
    def test_holds_the_public_fields_and_what_hide_copies(self, game: mekuri.Game) -> None:
        """Whatever stood in it before. Every other field is empty."""
        for now in steps(random_round(game, 5)):
            for viewer in viewers(game):
                s, alone, reused = now._state, game.contract.state(), _filled(now._state)
                hide(s, as_seat(viewer), alone)
                mekuri.engine.driver.see(s, as_seat(viewer), reused)
                for field in fields(type(s)):
                    assert getattr(reused, field.name) == getattr(s if field.public else alone, field.name), field.name

    @each_played
    def test_holds_no_trace_of_a_hidden_card(self, game: mekuri.Game) -> None:
        """Not even in the part of the pack that has been dealt."""
        for now in steps(random_round(game, 6)):
            for viewer in viewers(game):
                h = now.hidden(viewer)
                shown = {card for zone in now.view(viewer).zones for card in zone.cards if card is not None}
                assert {card for card in h.pack if card >= 0} <= shown

    @each_played
    def test_decides_what_its_seat_may_do(self, game: mekuri.Game) -> None:
        for now in steps(random_round(game, 7)):
            s = now._state
            for viewer in viewers(game):
                h = now.hidden(viewer)
                assert (waiting(h), over(h)) == (waiting(s), over(s))
                if viewer is not None:
                    assert legal(h, viewer) == legal(s, viewer)
                for seat in range(game.seats):
                    assert (standing(h, seat), yaku_of(h, seat)) == (standing(s, seat), yaku_of(s, seat))

    def test_is_only_for_seats_that_exist(self) -> None:
        for name in GAMES:
            for seat in (-1, 2, 16, 99):
                round = mekuri.game(name).deal(seed=1)
                if seat not in range(round.game.seats):
                    for ask in (round.hidden, round.view, round.events):
                        with pytest.raises(MekuriError, match="seat"):
                            ask(seat)


def _filled(s: RoundState) -> RoundState:
    """A state with something in every field."""
    full = type(s)()
    for field in fields(type(s)):
        setattr(full, field.name, [1] * field.length if field.length else 1)
    return full


# --- The tests can fail ---


def _whole_state(s: Any, seat: int, into: Any) -> None:
    mekuri.engine.fields.copy(into, s)


def _unseen(s: Any) -> int:
    """A number that hangs on everything that is not public."""
    return crc32(repr([getattr(s, field.name) for field in fields(type(s)) if not field.public]).encode())


def _next_card(s: Any, seat: int, into: Any) -> None:
    s.contract.told_apart(s, seat, into)
    into.pack[0] = s.pack[s.stock - 1] if s.stock else _unseen(s) % 49


def _one_bit(s: Any, seat: int, into: Any) -> None:
    s.contract.told_apart(s, seat, into)
    into.ending = _unseen(s) & 1


def _used_pack(s: Any, seat: int, into: Any) -> None:
    s.contract.told_apart(s, seat, into)
    into.pack[s.stock :] = s.pack[s.stock :] if s.stock else [_unseen(s) % 49] * len(into.pack)


def _talkative_why(s: Any, seat: int, action: int) -> Any:
    refusal = s.contract.told_apart(s, seat, action)
    return type(refusal)(refusal.id, {**refusal.args, "next": _unseen(s)})


def _knowing_sheet(s: Any) -> Any:
    ending = Text(f"endings.{s.contract.endings[0]}", {})
    return [SheetLine(0, ending, 0, _unseen(s), ""), *s.contract.told_apart(s)]


@contextmanager
def _broken(contract: Contract, name: str, leaky: Callable[..., Any]) -> Iterator[None]:
    """The game with another function in place of one of its own, which `told_apart` then is."""
    own = getattr(contract, name)
    object.__setattr__(contract, "told_apart", own)
    object.__setattr__(contract, name, leaky)
    try:
        yield
    finally:
        object.__setattr__(contract, name, own)
        object.__delattr__(contract, "told_apart")


@each_game
@pytest.mark.parametrize(
    ("function", "leaky"),
    [
        ("hide", _whole_state),
        ("hide", _next_card),
        ("hide", _one_bit),
        ("hide", _used_pack),
        ("why", _talkative_why),
        ("score_sheet", _knowing_sheet),
    ],
)
def test_leak_is_found(name: str, function: str, leaky: Callable[..., Any]) -> None:
    game = mekuri.game(name)
    now = middle(random_round(game, 3))
    with _broken(game.contract, function, leaky):
        worlds = [redealt(now.hidden(0), 0, stream(seed)) for seed in range(20)]
        assert any(differences(outlook(now, 0), outlook(beside(now, world), 0)) for world in worlds)
