"""The chi-square test of the library says what SciPy's says."""

from random import Random

import pytest

from mekuri.testing.chances import equally_likely


@pytest.mark.parametrize("degrees", [1, 2, 3, 4, 5, 10, 11, 149, 400])
def test_p_value_equals_that_of_scipy(degrees: int) -> None:
    from scipy.stats import chisquare

    chance = Random(degrees)
    for spread in (0, 1, 3, 8, 20):
        counts = [20 + chance.randint(-spread, spread) for _ in range(degrees + 1)]
        assert equally_likely(counts) == pytest.approx(float(chisquare(counts).pvalue), rel=1e-9, abs=1e-300)


def test_single_category_has_probability_1() -> None:
    assert equally_likely([7]) == equally_likely([]) == 1


def test_impossible_counts_have_probability_0() -> None:
    assert equally_likely([1000, 0, 0]) < 1e-99
