"""A person's name stands with the person alone, and not in the log's rows; a person may come with several devices.

There is no way back from a revision: a log that would lose what has been played is no log.
"""

from __future__ import annotations

import json
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

_AT_ONCE = 500  # rows
_NUMBER = sa.BigInteger().with_variant(sa.Integer, "sqlite")
_LOG = sa.table("log", *map(sa.column, ("id", "match", "n", "kind", "body")))
_NAMED = (
    sa.select(_LOG.c.id, _LOG.c.match, _LOG.c.kind, _LOG.c.body)
    .where(_LOG.c.kind.in_(("make", "sit", "end")), _LOG.c.id > sa.bindparam("after"))
    .order_by(_LOG.c.id)
    .limit(_AT_ONCE)
)
_MADE = sa.select(_LOG.c.body).where(_LOG.c.match == sa.bindparam("match"), _LOG.c.n == 0)
_REWRITE = sa.update(_LOG).where(_LOG.c.id == sa.bindparam("of")).values(body=sa.bindparam("told"))


def upgrade() -> None:
    """Take names out of the log, and make devices of the tokens that people have."""
    _take_out_names(op.get_bind())
    op.rename_table("people", "people_before")
    if op.get_bind().dialect.name == "postgresql":  # there the names of constraints are not their table's alone
        op.execute("ALTER TABLE people_before RENAME CONSTRAINT people_key TO people_before_key")
    op.create_table(
        "people",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("made_at", sa.BigInteger, nullable=False),
        sa.Column("banned_until", sa.BigInteger),
        sa.Column("banned_why", sa.Text),
        sa.PrimaryKeyConstraint("id", name="people_key"),
    )
    op.create_table(
        "devices",
        sa.Column("id", _NUMBER, autoincrement=True, nullable=False),
        sa.Column("person", sa.Text, nullable=False),
        sa.Column("token_hash", sa.Text, nullable=False),
        sa.Column("made_at", sa.BigInteger, nullable=False),
        sa.Column("seen_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="devices_key"),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name="devices_person"),
        sa.UniqueConstraint("token_hash", name="devices_token_hash"),
        sqlite_autoincrement=True,
    )
    op.create_index("devices_owned", "devices", ["person"])
    kept = "id, name, made_at, banned_until, banned_why"
    op.execute(f"INSERT INTO people ({kept}) SELECT {kept} FROM people_before")
    op.execute(
        "INSERT INTO devices (person, token_hash, made_at, seen_at) SELECT id, token_hash, made_at, made_at FROM people_before"
    )
    op.drop_table("people_before")
    op.create_table(
        "codes",
        sa.Column("person", sa.Text, nullable=False),
        sa.Column("code_hash", sa.Text, nullable=False),
        sa.Column("until", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("person", name="codes_key"),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name="codes_person"),
        sa.UniqueConstraint("code_hash", name="codes_code_hash"),
    )
    op.create_table(
        "people_news",
        sa.Column("id", _NUMBER, autoincrement=True, nullable=False),
        sa.Column("person", sa.Text, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("writer", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name="people_news_key"),
        sqlite_autoincrement=True,
    )


def _take_out_names(connection: sa.Connection) -> None:
    after = 0
    while found := connection.execute(_NAMED, {"after": after}).all():
        after = found[-1].id
        changed = []
        for row in found:
            body = json.loads(row.body)
            if _take_out(connection, row.match, row.kind, body):
                changed.append({"of": row.id, "told": json.dumps(body, ensure_ascii=False, separators=(",", ":"))})
        if changed:
            connection.execute(_REWRITE, changed)


def _take_out(connection: sa.Connection, match: str, kind: str, body: dict[str, Any]) -> bool:
    """Take names out of what a row says. Returns whether there were any."""
    if kind == "sit":
        return body.pop("name", None) is not None
    if kind == "make":
        after = body.get("after", {})
        after["kept_for"] = kept = [one[0] if isinstance(one, list) else one for one in after.get("kept_for", ())]
        return any(kept)
    if not body.get("record"):
        return False
    # A record calls people `person`, as the seats of a table do, and bots by their names.
    seats = json.loads(connection.execute(_MADE, {"match": match}).scalar_one())["seats"]
    body["record"] = json.dumps(json.loads(body["record"]) | {"players": seats}, ensure_ascii=False, indent=1)
    return True
