"""States that a bot may overwrite while it thinks."""

from __future__ import annotations

from typing import Any

from mekuri.engine.contract import Contract


def workspace(contract: Contract, n: int, *, compiled: bool = False) -> Any:
    """Return n cleared states of a game.

    Returns:
        A list of n plain states; or, compiled, a NumPy array of n records for machine code.

    Raises:
        ImportError: `compiled` is true and NumPy or Numba is not installed.
    """
    if not compiled:
        return [contract.state() for _ in range(n)]
    import numpy as np

    from mekuri.engine import numba_backend

    return np.zeros(n, numba_backend.record(contract))
