"""Runs a rule book's worked examples."""

from mekuri.engine.contract import Contract
from mekuri.engine.position import parse_values
from mekuri.engine.rulebook import Example
from mekuri.match.example import play_example


def run_example(contract: Contract, example: Example) -> None:
    """Play an example's actions from its position; compare the fields that its result names, or expect the refusal it names."""
    played = play_example(contract, example)
    assert (played.refusal.clause if played.refusal else "") == example.refused
    if played.refusal:
        return
    round = played.round
    assert example.result or example.returns is not None or example.next_dealer is not None or example.sheet
    if example.returns is not None:
        assert round.returns == example.returns
    if example.next_dealer is not None:
        assert round.next_dealer == example.next_dealer
    assert set(example.sheet) <= {line.clause for line in round.score_sheet().lines}
    wanted = parse_values(contract, example.result)
    found = {name: getattr(round._state, name) for name in wanted}
    if "stock" in wanted:
        found["stock"] = round._state.pack[: round._state.stock][::-1]
    assert found == wanted
