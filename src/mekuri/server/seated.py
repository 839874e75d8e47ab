"""The matches in which a person has taken a seat, as a part of queries."""

from __future__ import annotations

from sqlalchemy import bindparam, literal, literal_column, select

from mekuri.server.schema import SIT, log, matches

# Found by the rows of sitting down, of which one person has few. The person is the parameter `who`.
SEATED = select(log.c.match).where(log.c.person == bindparam("who"), log.c.kind == literal(SIT, literal_execute=True)).distinct()
SEATED_MATCHES = SEATED.subquery("seated").join(matches, literal_column("seated.match") == matches.c.id)
