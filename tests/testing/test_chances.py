"""The chi-square test of the library says what SciPy's says."""

from random import Random

import pytest

from mekuri.testing.chances import equally_likely


@pytest.mark.parametrize("degrees", [1, 2, 3, 4, 5, 10, 11, 149, 400])
def test_as_scipy_says(degrees: int) -> None:
    from scipy.stats import chisquare

    chance = Random(degrees)
    for spread in (0, 1, 3, 8, 20):
        counts = [20 + chance.randint(-spread, spread) for _ in range(degrees + 1)]
        assert equally_likely(counts) == pytest.approx(float(chisquare(counts).pvalue), rel=1e-9, abs=1e-300)


def test_where_there_is_one_thing_only() -> None:
    assert equally_likely([7]) == equally_likely([]) == 1


def test_what_no_chance_does() -> None:
    assert equally_likely([1000, 0, 0]) < 1e-99
