"""The tables of the database, as SQLAlchemy metadata that is not specific to SQLite.

A change here needs a revision in `migrations/versions` and its name in `HEAD`; a test compares the two.
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
    bindparam,
    false,
    literal,
    literal_column,
    select,
    text,
)

# The migration that these tables are the result of. A process of an earlier release serves the database, and starts, at any greater
# number of four digits. So such a revision only adds: tables, indexes, and columns that a row can do without. A revision that does
# more must have another kind of name, which earlier releases refuse.
HEAD = "0012"
SIT = "sit"  # the kind of row by which a person takes a seat

# Explicit names of constraints, because a later migration can only change a constraint by its name.
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
    Column("banned_until", BigInteger),  # in milliseconds since the epoch; NULL without a ban
    Column("banned_why", Text),
)

# The devices on which people are signed in, each with a token of its own.
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

# Codes with which people sign in on another device, at most one for each person.
codes = Table(
    "codes",
    metadata,
    Column("person", Text, ForeignKey("people.id"), primary_key=True),
    Column("code_hash", Text, nullable=False, unique=True),
    Column("until", BigInteger, nullable=False),
)

# The feed of people who were renamed, signed out, banned or deleted, for the caches of other processes.
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
    Column("household", Text),  # a random key for the maker's address, which does not reveal it
    Column("home", Text),  # the only process that may write it; before another takes it NULL, or a process with an expired lease
    Column("fence", Integer, nullable=False, server_default=text("0")),  # counts its homes: one with a lower number cannot write
    Column("term", BigInteger),  # of each decision, in milliseconds, where it is played turn by turn; else NULL
    Column("due_at", BigInteger),  # when the term of the players who are asked passes, in milliseconds since the epoch
    Index("matches_lobby", "state", "public", "made_at"),
    Index("matches_makers", "maker", "state"),
    Index("matches_changed", "state", "changed_at"),
)

log = Table(
    "log",
    metadata,
    # SQLite increments automatically only a column of type INTEGER.
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
    # Rows that are no decisions of a seat have NULL here, and NULLs never conflict.
    UniqueConstraint("match", "seat", "decision"),
    sqlite_autoincrement=True,
)

# Results of finished matches, for each person who has played them: counted from the log at the person's request, or imported
# from a file. Matches of which nothing counts have a row as well, so that they are not counted again.
results = Table(
    "results",
    metadata,
    Column("person", Text, ForeignKey("people.id"), primary_key=True),
    Column("match", Text, primary_key=True),
    Column("game", Text, nullable=False),
    Column("at", BigInteger, nullable=False),  # when it ended
    Column("imported", Boolean, nullable=False),
    Column("digest", Text),  # of the cards and actions, to keep a person from importing a match twice
    Column("rounds", Integer, nullable=False),  # how many of them count
    Column("body", Text, nullable=False),
    UniqueConstraint("person", "digest"),
    Index("results_newest", "person", "at"),
    Index("results_of_match", "match"),
)

# Reviews of finished rounds. Those of an earlier judge stay until they are made again.
reviews = Table(
    "reviews",
    metadata,
    Column("match", Text, ForeignKey("matches.id"), primary_key=True),
    Column("round", Integer, primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("body", Text, nullable=False),
)

# Each person's mistakes, which come back as questions. The decision itself is in the review of its round.
mistakes = Table(
    "mistakes",
    metadata,
    Column("person", Text, ForeignKey("people.id"), primary_key=True),
    Column("match", Text, ForeignKey("matches.id"), primary_key=True),
    Column("round", Integer, primary_key=True),
    Column("number", Integer, primary_key=True),  # of the decision in the review
    Column("seat", Integer, nullable=False),
    Column("due", BigInteger, nullable=False),  # in milliseconds since the epoch
    Column("state", Text, nullable=False),  # of the spaced-repetition library, as JSON
    Column("tries", Integer, nullable=False),  # answers in all
    Column("told", Text, key="answer"),  # the last answer and its outcome, as JSON
    Index("mistakes_due", "person", "due"),
    Index("mistakes_of_match", "match"),
)

# Rounds whose reviews have been searched for a person's mistakes.
searched = Table(
    "searched",
    metadata,
    Column("person", Text, ForeignKey("people.id"), primary_key=True),
    Column("match", Text, ForeignKey("matches.id"), primary_key=True),
    Column("round", Integer, primary_key=True),
    Index("searched_of_match", "match"),
)

# The secret of each deal of the day, drawn before the first cut. There is one for each game and day: the first to be written.
daily_deals = Table(
    "daily_deals",
    metadata,
    Column("day", Text, primary_key=True),  # such as 2026-11-24
    Column("game", Text, primary_key=True),
    Column("root", LargeBinary, nullable=False),
    Column("at", BigInteger, nullable=False),  # when it was drawn
)

# The digests of people's cuts of the deals of a day. A cut of a deleted person stays, with NULL as its person.
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

# Each person's try at a deal of the day. It outlives its match, so that a person cannot try twice.
daily_tries = Table(
    "daily_tries",
    metadata,
    Column("day", Text, primary_key=True),
    Column("game", Text, primary_key=True),
    Column("person", Text, ForeignKey("people.id"), primary_key=True),
    Column("match", Text, nullable=False),
    Column("over", Boolean, nullable=False),
    Column("points", Integer),  # of the round; NULL where it does not count, and while it is not over
    Index("daily_tries_of_person", "person"),
)

# The processes that serve the log, each with a lease that it renews while it runs.
processes = Table(
    "processes",
    metadata,
    Column("id", Text, primary_key=True),
    Column("until", BigInteger, nullable=False),  # when the lease is over, by the clock of the database, in milliseconds
    Column("address", Text, nullable=False),  # at which it answers other processes, such as 10.0.0.3:8414
    Column("machine", Text),  # whose loopback it shares; NULL where that is not known
    Column("secret", Text, nullable=False),  # by which it knows that a caller can read this table
    Column("waiting", Text, nullable=False),  # the people who wait at each listed table there, as JSON
)

# The clocks of the machines that serve the log, one for each start of a machine. Times of day are in milliseconds since the epoch.
clocks = Table(
    "clocks",
    metadata,
    Column("boot", Text, primary_key=True),  # the id of the start of the machine, from which its monotonic time counts
    Column("trusted", BigInteger, nullable=False),  # the time of day at that moment, as processes on the machine trust it
    Column("leases", BigInteger, nullable=False),  # the same as it was taken at first, by which leases are measured in SQLite
    Column("leap", BigInteger, nullable=False),  # by how many milliseconds the clock is ahead of the trusted time; 0 for no leap
    Column("seen_at", BigInteger, nullable=False),  # when a process looked last, by the clock of the database
)

# The feed of matches that were written by a process other than their home, such as `mekuri admin`: the home reads them again.
table_news = Table(
    "table_news",
    metadata,
    Column("id", BigInteger().with_variant(Integer, "sqlite"), primary_key=True, autoincrement=True),
    Column("match", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    sqlite_autoincrement=True,
)

# The addresses at which the push services of browsers take notices for devices. One is deleted with its device.
subscriptions = Table(
    "subscriptions",
    metadata,
    Column("device", BigInteger, ForeignKey("devices.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    Column("endpoint", Text, nullable=False, unique=True),
    Column("p256dh", Text, nullable=False),
    Column("auth", Text, nullable=False),
    Column("lang", Text, nullable=False),
    Column("made_at", BigInteger, nullable=False),
)

# Key pairs of the server, such as that for web push. They are secret.
server_keys = Table(
    "server_keys",
    metadata,
    Column("name", Text, primary_key=True),
    Column("private", Text, nullable=False),
    Column("contact", Text, nullable=False),
    Column("made_at", BigInteger, nullable=False),
)

# Values of the database as a whole, by name. Copies keep them.
site = Table("site", metadata, Column("name", Text, primary_key=True), Column("value", Text, nullable=False))

# The audit of administrative acts, from which other processes learn of them, too.
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

# Partial indexes: the queries for due matches read only these few rows, however many matches there are.
for _due in ("bot_due", "lone"):
    Index(f"matches_{_due}", matches.c.changed_at, sqlite_where=text(_due), postgresql_where=text(_due))

# Only matches that are played turn by turn have a term.
_WITH_TERM, _IS_DUE = text("term IS NOT NULL"), text("due_at IS NOT NULL")
Index("matches_term", matches.c.state, matches.c.changed_at, sqlite_where=_WITH_TERM, postgresql_where=_WITH_TERM)
Index("matches_due_at", matches.c.due_at, sqlite_where=_IS_DUE, postgresql_where=_IS_DUE)

# Only few matches have a household.
_HOUSED = text("household IS NOT NULL")
Index("matches_household", matches.c.state, sqlite_where=_HOUSED, postgresql_where=_HOUSED)

# The matches of a person are found by the rows of sitting down; the index leaves out the many other rows.
Index("log_sits", log.c.person, log.c.match, sqlite_where=log.c.kind == SIT, postgresql_where=log.c.kind == SIT)

# The matches in which a person has taken a seat, as a part of queries. The person is the parameter `who`.
SEATED = select(log.c.match).where(log.c.person == bindparam("who"), log.c.kind == literal(SIT, literal_execute=True)).distinct()
SEATED_MATCHES = SEATED.subquery("seated").join(matches, literal_column("seated.match") == matches.c.id)
