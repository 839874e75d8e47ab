"""The clock of the database, by which all processes that share one measure their leases."""

from __future__ import annotations

from typing import Any

from sqlalchemy import BigInteger
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement

CLOCK = "mekuri_now"  # the function of each connection to SQLite: all its processes share the clock of their machine


class clock(FunctionElement[int]):  # as the names of SQL's functions
    """The time in milliseconds since the epoch, as a part of a statement."""

    type = BigInteger()
    inherit_cache = True


@compiles(clock, "sqlite")
def _in_sqlite(*_: Any, **__: Any) -> str:
    return f"{CLOCK}()"


@compiles(clock, "postgresql")
def _in_postgresql(*_: Any, **__: Any) -> str:
    return "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)"
