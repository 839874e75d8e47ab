"""Machine code of bots, which is compiled in the background of a process, and how a test does without it."""

import pytest

from mekuri.bots import precompile
from mekuri.table import reviewing


def without_machine_code(patch: pytest.MonkeyPatch) -> None:
    """Let none be compiled during a test, and none be used or waited for that an earlier test has begun in this process."""
    patch.setattr(precompile, "begin", lambda *_: None)
    patch.setattr(precompile, "begin_solver", lambda *_: None)
    patch.setattr(precompile, "making", lambda contract: False)
    patch.setattr(reviewing, "prepared", lambda contract: False)
