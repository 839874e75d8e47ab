"""What a check says of a game that does not pass: what is wrong, where, and how to see it again."""

import re

import pytest

import mekuri
from mekuri.testing import CheckFailure, LeftOut, leaks, positions, states
from mekuri.testing.failure import check, hold, same
from tests.helpers.tables import GAMES

NAME = GAMES[0]


@check
def wrong(game: mekuri.Game, seed: int = 0, at: bool = True) -> None:
    same(1, 2, "the number", game.deal(seed=seed)._state if at else None)


@check
def raising(game: mekuri.Game, words: str) -> None:
    raise KeyError(words)


@check
def not_here(game: mekuri.Game) -> None:
    raise LeftOut("why")


def test_it_says_what_and_where_and_how() -> None:
    game = mekuri.game(NAME)
    with pytest.raises(CheckFailure) as found:
        wrong(game, 3)
    failure = found.value
    assert (failure.what, failure.position) == ("the number: 1 is not 2", game.deal(seed=3).position)
    assert failure.how == f"{__name__}.wrong(game=mekuri.game({NAME!r}), seed=3)"
    assert str(failure).splitlines() == [failure.what, f"at the position: {failure.position}", f"again: {failure.how}"]


def test_it_says_no_more_than_it_knows() -> None:
    with pytest.raises(CheckFailure) as found:
        wrong(mekuri.game(NAME), at=False)
    assert len(str(found.value).splitlines()) == 2


def test_whatever_is_raised_becomes_a_failure() -> None:
    with pytest.raises(CheckFailure, match=r"KeyError: 'x' \(.*test_failure.py, line \d+\)"):
        raising(mekuri.game(NAME), "x")


def test_what_is_left_out_is_no_failure() -> None:
    with pytest.raises(LeftOut, match="why"):
        not_here(mekuri.game(NAME))


def test_long_values_are_cut() -> None:
    with pytest.raises(CheckFailure) as found:
        same("x" * 5000, "y" * 5000, "the text")
    assert len(str(found.value)) < 1000


def test_a_state_that_cannot_be_written_hides_nothing() -> None:
    s = mekuri.game(NAME).deal(seed=0)._state
    s.pack = []
    with pytest.raises(CheckFailure, match="so it is"):
        hold(False, "so it is", s)


def test_how_can_be_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """What it says is Python that comes to the same."""
    monkeypatch.setattr(leaks, "_filled", lambda s: 1 / 0)
    with pytest.raises(CheckFailure) as found:
        leaks.hidden_fields(mekuri.game(NAME), 4)
    assert re.fullmatch(r"mekuri\.testing\.leaks\.hidden_fields\(game=.*, seed=4\)", found.value.how)
    with pytest.raises(CheckFailure, match="ZeroDivisionError") as again:
        eval(found.value.how, {"mekuri": mekuri})
    assert again.value.how == found.value.how


def test_without_numba_machine_code_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mekuri.engine.compiled.available", lambda: False)
    with pytest.raises(LeftOut, match="install numba"):
        states.need_machine_code()


def test_what_is_read_that_should_be_refused_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mekuri.Game, "position", lambda game, text: None)
    with pytest.raises(CheckFailure, match="should be refused"):
        positions.bad_text(mekuri.game(NAME), "phase")
