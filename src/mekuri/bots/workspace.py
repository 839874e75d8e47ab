"""States to think in."""

from __future__ import annotations

from typing import Any

from mekuri.engine.contract import Contract


def workspace(contract: Contract, n: int, *, compiled: bool = False) -> Any:
    """So many states of a game, clear: a list of plain objects, or one array of records for machine code.

    Raises ImportError where they shall be compiled and Numba is missing.
    """
    if not compiled:
        return [contract.state() for _ in range(n)]
    import numpy as np

    from mekuri.engine import numba_backend

    return np.zeros(n, numba_backend.record(contract))
