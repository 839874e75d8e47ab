"""The message of a check about a failing game: the fault, its place, and how to reproduce it."""

import re
from collections.abc import Callable
from typing import Any

import pytest

import mekuri
from mekuri.engine.contract import Text
from mekuri.testing import CheckFailure, LeftOut, leaks, past, positions, states
from mekuri.testing.failure import check, difference, hold, same
from mekuri.testing.worlds import values
from tests.helpers.tables import GAMES

NAME = GAMES[0]


@check
def wrong(game: mekuri.Game, seed: int = 0, at: bool = True) -> None:
    same(1, 2, "the number", game.deal(seed=seed)._state if at else None)


@check
def raising(game: mekuri.Game, words: str) -> None:
    raise KeyError(words)


@check
def without_a_game(call: Callable[[], object]) -> None:
    call()


@check
def not_here(game: mekuri.Game) -> None:
    raise LeftOut("why")


def test_failure_names_fault_position_and_command() -> None:
    game = mekuri.game(NAME)
    with pytest.raises(CheckFailure) as found:
        wrong(game, 3)
    failure = found.value
    assert (failure.what, failure.position) == ("the number: 1 is not 2", game.deal(seed=3).position)
    assert failure.how == f"{__name__}.wrong(game=mekuri.game({NAME!r}), seed=3)"
    assert str(failure).splitlines() == [failure.what, f"at the position: {failure.position}", f"again: {failure.how}"]


def test_failure_omits_unknown_parts() -> None:
    with pytest.raises(CheckFailure) as found:
        wrong(mekuri.game(NAME), at=False)
    assert len(str(found.value).splitlines()) == 2


def test_any_exception_becomes_a_failure() -> None:
    with pytest.raises(CheckFailure, match=r"KeyError: 'x' \(.*test_failure.py, line \d+, in raising\)"):
        raising(mekuri.game(NAME), "x")


def test_deepest_line_of_the_author_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not the line of a library that it calls, nor that of the check."""
    game = mekuri.game(NAME)
    rules: dict[str, Any] = {"__name__": f"{game.contract.state.__module__.rpartition('.')[0]}.more"}
    exec(compile("import json\n\ndef zones(h):\n    return json.loads('{')\n", "author.py", "exec"), rules)
    monkeypatch.setitem(vars(game.contract.table), "zones", rules["zones"])
    with pytest.raises(CheckFailure, match=r"^JSONDecodeError: .* \(author\.py, line 4, in zones\)"):
        past.by_looking(game)
    with pytest.raises(CheckFailure, match=r"\(.*decoder\.py, line \d+, in raw_decode\)"):
        without_a_game(lambda: rules["zones"](None))


def test_field_that_differs_is_named() -> None:
    s = mekuri.game(NAME).deal(seed=0)._state
    state, other = values(s), values(s)
    other["hand"] = (state["hand"][0], 0b11, *state["hand"][2:])  # type: ignore[index]
    state["hand"] = (state["hand"][0], 0b10, *state["hand"][2:])  # type: ignore[index]
    with pytest.raises(CheckFailure) as found:
        same(state, other, "the state", s)
    assert found.value.what == "the state: hand[1]: 1I is not 1H 1I"


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (1, 2, "1 is not 2"),
        ([1, [2, 3]], [1, [2, 4]], "[1][1]: 3 is not 4"),
        ([1], [1, 2], "[1] is not [1, 2]"),
        ([0, 2], [1, 2, 3], "[0]: 0 is not 1"),
        ({"a": 1}, {"b": 1}, "{'a': 1} is not {'b': 1}"),
        (Text("a", {"n": 1}), Text("a", {"n": 2}), "args.n: 1 is not 2"),
        ([Text("a", {})], [None], "[0]: Text(id='a', args={}) is not None"),
        ((1, None), (1, ()), "[1]: None is not ()"),
    ],
)
def test_difference_is_named_by_its_place(one: object, other: object, expected: str) -> None:
    assert difference(one, other) == expected


def test_long_texts_are_shown_at_their_difference() -> None:
    text = difference(f"{'x' * 5000}one{'y' * 5000}", f"{'x' * 5000}two{'y' * 5000}")
    assert "xxxoneyyy" in text
    assert "xxxtwoyyy" in text
    assert len(text) < 700


def test_left_out_check_is_no_failure() -> None:
    with pytest.raises(LeftOut, match="why"):
        not_here(mekuri.game(NAME))


def test_long_values_are_cut() -> None:
    with pytest.raises(CheckFailure) as found:
        same("x" * 5000, "y" * 5000, "the text")
    assert len(str(found.value)) < 1000


def test_unwritable_state_does_not_hide_the_failure() -> None:
    s = mekuri.game(NAME).deal(seed=0)._state
    s.pack = []
    with pytest.raises(CheckFailure, match="so it is"):
        hold(False, "so it is", s)


def test_command_of_a_failure_reproduces_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command is Python that gives the same failure."""
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


def test_accepted_bad_position_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mekuri.Game, "position", lambda game, text: None)
    with pytest.raises(CheckFailure, match="should be refused"):
        positions.bad_text(mekuri.game(NAME), "phase")
