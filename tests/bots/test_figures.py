"""Figures as they are shown to people."""

import pytest

from mekuri.bots.figures import figure, figures


@pytest.mark.parametrize(
    ("value", "sign", "beside", "shown"),
    [
        (1.234, "-", 0, "1.23"),
        (-12.34, "+", 0, "-12.3"),
        (3.06, "-", 12.6, "3.1"),
        (3.06, "-", -12.6, "3.1"),
        (-0.001, "+", 0, "0.00"),
        (0.04, "+", 20, "0.0"),
    ],
)
def test_figures_side_by_side_have_equal_decimals(value: float, sign: str, beside: float, shown: str) -> None:
    assert figure(value, sign, beside) == shown


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ([1.234, 1.234, 1.234], ["+1.23", "+1.24", "+1.23"]),
        ([11.26, 0.46, 0.0], ["+11.3", "+0.4", "0.0"]),
        ([-18.13, -1.9], ["-18.1", "-1.9"]),
        ([9.996, -15.0, 8.0], ["+10.0", "-15.0", "+8.0"]),
    ],
)
def test_shown_parts_add_up(parts: list[float], expected: list[str]) -> None:
    shown = figures(parts, "+")
    assert shown == expected
    assert figure(sum(map(float, shown)), "+", max(map(abs, parts))) == figure(sum(parts), "+", max(map(abs, parts)))
