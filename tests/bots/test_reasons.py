"""That what an analysis says in words holds in a longer search. `bench/reasons.py` asks more of it."""

from collections import Counter

import pytest

from bench.judge import SKILL
from bench.reasons import claims

POSITIONS = 12


@pytest.mark.machine_code
@pytest.mark.in_turn(len(SKILL))
@pytest.mark.parametrize("skilled", SKILL)
def test_claims_hold_in_ten_times_the_worlds(skilled: str) -> None:
    found = sum((claims(skilled, number) for number in range(POSITIONS)), Counter[tuple[str, bool]]())
    assert found["size", True] > POSITIONS // 2
    assert found["reason", True]
    assert not {kind for kind, held in found if not held}
