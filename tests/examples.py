"""Runs a rule book's worked examples."""

from typing import Any

import pytest

import mekuri
from mekuri.engine.position import parse_values
from mekuri.engine.rulebook import Example


def run_example(game_id: str, example: Example) -> None:
    """Play an example's actions from its position; compare the fields that its result names, or expect the refusal it names."""
    options: dict[str, Any] = dict(example.options)
    round = mekuri.game(game_id, **options).position(example.position)
    actions = example.action.split()
    for action in actions[:-1] if example.refused else actions:
        _play(round, action)
    if example.refused:
        with pytest.raises(mekuri.IllegalAction) as refusal:
            _play(round, actions[-1])
        assert refusal.value.clause == example.refused
        return
    wanted = parse_values(round.contract, example.result)
    assert wanted
    found = {name: getattr(round._state, name) for name in wanted}
    if "stock" in wanted:
        found["stock"] = round._state.pack[: round._state.stock][::-1]
    assert found == wanted


def _play(round: mekuri.Round, action: str) -> None:
    """An action, or `seat:action` where several seats are waited for, or a seat plays out of turn."""
    seat, colon, told = action.rpartition(":")
    round.play(told, int(seat) if colon else None)
