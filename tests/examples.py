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
    assert example.result or example.returns is not None or example.next_dealer is not None or example.sheet
    if example.returns is not None:
        assert round.returns == example.returns
    if example.next_dealer is not None:
        assert round.next_dealer == example.next_dealer
    assert set(example.sheet) <= {line.clause for line in round.score_sheet().lines}
    wanted = parse_values(round.contract, example.result)
    found = {name: getattr(round._state, name) for name in wanted}
    if "stock" in wanted:
        found["stock"] = round._state.pack[: round._state.stock][::-1]
    assert found == wanted


def _play(round: mekuri.Round, action: str) -> None:
    """An action, or `seat:action` where several seats are waited for, or a seat plays out of turn."""
    seat, colon, told = action.rpartition(":")
    round.play(told, int(seat) if colon else None)
