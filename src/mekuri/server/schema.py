"""The tables of the database, and nothing in them that only one kind of database knows.

A change here needs a revision in `migrations/versions` and its name in `HEAD`; a test holds the two together.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    false,
    text,
)

HEAD = "0008"  # the revision these tables are
SIT = "sit"  # the kind of row by which a person takes a seat

# Names of our own, because a later revision can only change what it can name.
metadata = MetaData(
    naming_convention={
        "pk": "%(table_name)s_key",
        "uq": "%(table_name)s_%(column_0_N_name)s",
        "fk": "%(table_name)s_%(column_0_name)s",
    }
)

people = Table(
    "people",
    metadata,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("made_at", BigInteger, nullable=False),
    Column("banned_until", BigInteger),  # in milliseconds since 1970; nothing for all who may play
    Column("banned_why", Text),
)

# What a person comes with, each by a token of its own.
devices = Table(
    "devices",
    metadata,
    Column("id", BigInteger().with_variant(Integer, "sqlite"), primary_key=True, autoincrement=True),
    Column("person", Text, ForeignKey("people.id"), nullable=False),
    Column("token_hash", Text, nullable=False, unique=True),
    Column("made_at", BigInteger, nullable=False),
    Column("seen_at", BigInteger, nullable=False),
    Index("devices_owned", "person"),
    sqlite_autoincrement=True,
)

# By which a person takes another device into use, one at a time.
codes = Table(
    "codes",
    metadata,
    Column("person", Text, ForeignKey("people.id"), primary_key=True),
    Column("code_hash", Text, nullable=False, unique=True),
    Column("until", BigInteger, nullable=False),
)

# Who has another name, is signed out somewhere, or is gone: for those who have that in memory.
people_news = Table(
    "people_news",
    metadata,
    Column("id", BigInteger().with_variant(Integer, "sqlite"), primary_key=True, autoincrement=True),
    Column("person", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("writer", Text, nullable=False),
    sqlite_autoincrement=True,
)

matches = Table(
    "matches",
    metadata,
    Column("id", Text, primary_key=True),
    Column("game", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("maker", Text),
    Column("public", Boolean, nullable=False),
    Column("root", LargeBinary, nullable=False),
    Column("made_at", BigInteger, nullable=False),
    Column("changed_at", BigInteger, nullable=False),
    Column("bot_due", Boolean, nullable=False),
    Column("lone", Boolean, nullable=False, server_default=false()),
    Column("household", Text),  # under what those who made it together count: drawn by lot, so that it tells no address
    Index("matches_lobby", "state", "public", "made_at"),
    Index("matches_makers", "maker", "state"),
    Index("matches_changed", "state", "changed_at"),
)

log = Table(
    "log",
    metadata,
    # SQLite counts up by itself only in a column that is called INTEGER.
    Column("id", BigInteger().with_variant(Integer, "sqlite"), primary_key=True, autoincrement=True),
    Column("match", Text, ForeignKey("matches.id"), nullable=False),
    Column("n", Integer, nullable=False),
    Column("kind", Text, nullable=False),
    Column("seat", Integer),
    Column("body", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("decision", Integer),
    Column("person", Text),
    Column("writer", Text, nullable=False),
    UniqueConstraint("match", "n"),
    # The driver's rows have no decision, and nothing is ever equal to nothing.
    UniqueConstraint("match", "seat", "decision"),
    sqlite_autoincrement=True,
)

# What came of matches that are over, for each person who has played them: counted from the log when that person asks, or from a
# file that they have brought. Matches of which nothing counts are here as well, so that they are not looked at again.
results = Table(
    "results",
    metadata,
    Column("person", Text, ForeignKey("people.id"), primary_key=True),
    Column("match", Text, primary_key=True),
    Column("game", Text, nullable=False),
    Column("at", BigInteger, nullable=False),  # when it ended
    Column("imported", Boolean, nullable=False),
    Column("digest", Text),  # of packs and actions: nobody has the same match twice
    Column("rounds", Integer, nullable=False),  # how many of them count
    Column("body", Text, nullable=False),
    UniqueConstraint("person", "digest"),
    Index("results_newest", "person", "at"),
    Index("results_of_match", "match"),
)

# Reviews of finished rounds, each as it was made: it stays what it says, whatever would be said today.
reviews = Table(
    "reviews",
    metadata,
    Column("match", Text, ForeignKey("matches.id"), primary_key=True),
    Column("round", Integer, primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("body", Text, nullable=False),
)

# A person's own mistakes, which come back as questions: what each was stands in the review of its round.
mistakes = Table(
    "mistakes",
    metadata,
    Column("person", Text, ForeignKey("people.id"), primary_key=True),
    Column("match", Text, ForeignKey("matches.id"), primary_key=True),
    Column("round", Integer, primary_key=True),
    Column("number", Integer, primary_key=True),  # of the decision in the review
    Column("seat", Integer, nullable=False),
    Column("due", BigInteger, nullable=False),  # in milliseconds since 1970
    Column("state", Text, nullable=False),  # as the library that spaces questions has it
    Column("tries", Integer, nullable=False),  # ever made
    Column("told", Text),  # what became of the last of them
    Index("mistakes_due", "person", "due"),
    Index("mistakes_of_match", "match"),
)

# Rounds whose reviews have been looked through for a person's mistakes.
searched = Table(
    "searched",
    metadata,
    Column("person", Text, ForeignKey("people.id"), primary_key=True),
    Column("match", Text, ForeignKey("matches.id"), primary_key=True),
    Column("round", Integer, primary_key=True),
    Index("searched_of_match", "match"),
)

# From which secret the deal of a day comes, drawn before anybody cuts for it. Of each game and day there is one, whoever was first.
daily_deals = Table(
    "daily_deals",
    metadata,
    Column("day", Text, primary_key=True),  # such as 2026-11-24
    Column("game", Text, primary_key=True),
    Column("root", LargeBinary, nullable=False),
    Column("at", BigInteger, nullable=False),  # when it was drawn
)

# What people have put into the deals of a day: of each cut its digest, in the end as nobody's.
daily_cuts = Table(
    "daily_cuts",
    metadata,
    Column("id", BigInteger().with_variant(Integer, "sqlite"), primary_key=True, autoincrement=True),
    Column("day", Text, nullable=False),
    Column("person", Text, ForeignKey("people.id")),
    Column("digest", Text, nullable=False),
    UniqueConstraint("day", "person"),
    Index("daily_cuts_of_person", "person"),
    sqlite_autoincrement=True,
)

# Who has played the deal of a day, at which table, and what it brought. It outlives the table, so that nobody has a second try.
daily_tries = Table(
    "daily_tries",
    metadata,
    Column("day", Text, primary_key=True),
    Column("game", Text, primary_key=True),
    Column("person", Text, ForeignKey("people.id"), primary_key=True),
    Column("match", Text, nullable=False),
    Column("over", Boolean, nullable=False),
    Column("points", Integer),  # of the round; nothing where it does not count, and while it is not over
    Index("daily_tries_of_person", "person"),
)

# Each process that serves keeps one row here; nothing of it need outlive the process.
processes = Table(
    "processes",
    metadata,
    Column("writer", Text, primary_key=True),
    Column("beat", Integer, nullable=False),
    Column("lines", Text, nullable=False),
)

# What the keeper of the server has done: an audit, and what tells other processes of it.
acts = Table(
    "acts",
    metadata,
    Column("id", BigInteger().with_variant(Integer, "sqlite"), primary_key=True, autoincrement=True),
    Column("at", BigInteger, nullable=False),
    Column("kind", Text, nullable=False),
    Column("of", Text),
    Column("body", Text, nullable=False),
    sqlite_autoincrement=True,
)

# What is due is found among these alone, however many matches there are.
for _due in ("bot_due", "lone"):
    Index(f"matches_{_due}", matches.c.changed_at, sqlite_where=text(_due), postgresql_where=text(_due))

# Of few matches it is known, and of none for long.
_HOUSED = text("household IS NOT NULL")
Index("matches_household", matches.c.state, sqlite_where=_HOUSED, postgresql_where=_HOUSED)

# Whose matches these are is asked by sitting down alone; the many other rows of a person need not be in the index.
Index(
    "log_sits",
    log.c.person,
    log.c.match,
    sqlite_where=log.c.kind == SIT,
    postgresql_where=log.c.kind == SIT,
)
