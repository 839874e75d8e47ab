"""Figures as people are told them."""

import pytest

from mekuri.bots.figures import figure


@pytest.mark.parametrize(
    ("value", "sign", "beside", "told"),
    [
        (1.234, "-", 0, "1.23"),
        (-12.34, "+", 0, "-12.3"),
        (3.06, "-", 12.6, "3.1"),
        (3.06, "-", -12.6, "3.1"),
        (-0.001, "+", 0, "0.00"),
        (0.04, "+", 20, "0.0"),
    ],
)
def test_what_stands_together_has_as_many_places(value: float, sign: str, beside: float, told: str) -> None:
    assert figure(value, sign, beside) == told
