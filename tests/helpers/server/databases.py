"""Where the databases of tests are: in files, or with `--postgresql` in a PostgreSQL that the tests start and stop.

A test names a path for its database. With `--postgresql` each path stands for a database of its own, which is made when it is first
named; only a path at which there is a file, such as a backup, is that file. Most are copies of one that was migrated once.
"""

import gzip
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache, partial
from pathlib import Path
from typing import Any

from mekuri.server.storage import sqlite
from mekuri.server.storage.database import Place, database_at, migrate
from mekuri.server.storage.sqlite import make_file
from mekuri.server.storage.transfer import move
from tests.helpers.patience import PATIENCE
from tests.helpers.server.ports import free_port

_DEBIAN = Path("/usr/lib/postgresql")  # its programs are in a folder for each version
_TEMPLATE = "mekuri_template"  # a database with Mekuri's tables, of which the others are copies: that is faster than a migration
DURABLE = sqlite.SYNCHRONOUS  # as people have it; tests do without (tests/conftest.py)
LOCKED = "locked"  # the one role that needs a password
# Nothing in these databases outlives the tests.
_FAST = {"fsync": "off", "full_page_writes": "off", "max_connections": "200", "shared_buffers": "64MB"}


class PostgreSQL:
    """A running PostgreSQL with databases for tests.

    Attributes:
        port: the TCP port on loopback at which it listens.
        folder: the folder of its data and of its socket.
    """

    def __init__(self, folder: Path, port: int, control: Callable[..., None]) -> None:
        self.port = port
        self.folder = folder
        self._control = control
        self._made: set[str] = set()

    def stop(self) -> None:
        """Stop it, as a restart of its machine does: connections are ended."""
        self._control("-m", "fast", "stop")

    def start(self) -> None:
        """Start it again."""
        settings = {**_FAST, "port": str(self.port), "listen_addresses": "127.0.0.1", "unix_socket_directories": str(self.folder)}
        words = " ".join(f"-c {name}={value}" for name, value in settings.items())
        self._control("-o", words, "-l", self.folder / "log", "start")

    def url(self, database: str, port: int = 0) -> str:
        """Return the URL of a database, at another port where a proxy stands before it."""
        return f"postgresql+psycopg://postgres@127.0.0.1:{port or self.port}/{database}"

    def place(self, path: Path) -> str:
        """Return the URL of the database that stands for a path."""
        name = f"mekuri_{hashlib.sha256(str(path.absolute()).encode()).hexdigest()[:20]}"
        if name not in self._made:
            if not self._made:
                self.run("postgres", f"CREATE DATABASE {_TEMPLATE} ENCODING 'UTF8' TEMPLATE template0")
                migrate(database_at(self.url(_TEMPLATE)))
            self.run("postgres", f"CREATE DATABASE {name} TEMPLATE {_TEMPLATE}")
            self._made.add(name)
        return self.url(name)

    def empty(self, name: str, encoding: str = "UTF8") -> str:
        """Return the URL of a new database without tables."""
        self.run("postgres", f"CREATE DATABASE {name} ENCODING '{encoding}' LOCALE 'C' TEMPLATE template0")
        return self.url(name)

    def run(self, url: str, statement: str, values: Sequence[object] = ()) -> list[Any]:
        """Run a statement, with `?` for its values, in the database of a URL."""
        with self.connect(url) as connection:
            done = connection.execute(statement.replace("?", "%s") if values else statement, values or None)
            return done.fetchall() if done.description else []

    def processor_time(self) -> float:
        """Return the seconds of processor time that all its processes have used so far."""
        main = (self.folder / "data" / "postmaster.pid").read_text().split()[0]
        ticks = 0
        for stat in Path("/proc").glob("[0-9]*/stat"):
            with suppress(OSError):
                _, _, rest = stat.read_text().rpartition(") ")
                fields = rest.split()  # from the third on: state, parent, ..., utime, stime, cutime, cstime
                if stat.parent.name == main:
                    ticks += sum(map(int, fields[11:15]))
                elif fields[1] == main:
                    ticks += sum(map(int, fields[11:13]))
        return ticks / os.sysconf("SC_CLK_TCK")

    def connect(self, url: str = "postgres") -> Any:
        """Return a connection to the database of a URL in autocommit mode, without Mekuri's code."""
        import psycopg

        where = f"host=127.0.0.1 port={self.port} user=postgres dbname={url.rpartition('/')[2]}"
        return psycopg.connect(where, autocommit=True)

    def read_through(self, url: str, statement: str, values: Any) -> list[str]:
        """The tables that a query would read through from end to end, where anything else was possible."""
        with self.connect(url) as connection:
            connection.execute("SET enable_seqscan = off")
            found = connection.execute("SELECT indexrelid::regclass::text FROM pg_index WHERE indpred IS NOT NULL")
            partial = {name for (name,) in found}
            [[[plan]]] = connection.execute(f"EXPLAIN (FORMAT JSON) {statement}", values or None).fetchall()
        return [
            str(node.get("Relation Name") or node.get("Index Name"))
            for node in _nodes(plan["Plan"])
            if node["Node Type"] == "Seq Scan"
            # An index may be read from end to end as well, which is all right only where it has few rows.
            or (node.get("Index Name", "") not in {"", *partial} and "Index Cond" not in node)
        ]


def _nodes(node: Any) -> Iterator[Any]:
    yield node
    for below in node.get("Plans", ()):
        yield from _nodes(below)


running: PostgreSQL | None = None  # with `--postgresql`


def place(path: Path) -> Path | str:
    """Return where the database is that stands for a path."""
    return running.place(path) if running and not path.is_file() else path


def ready(path: Path) -> Path | str:
    """Return the same, with Mekuri's tables where there was no file: a copy, as that is faster than a migration."""
    if not running and not path.exists():
        make_file(path)
        path.write_bytes(_file_with_tables())
    return place(path)


@cache
def _file_with_tables() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "template.db"
        make_file(path)
        migrate(path)  # which closes its connections, so that all is in the one file
        assert [file.name for file in path.parent.iterdir()] == [path.name]
        return path.read_bytes()


def place_of(path: Path) -> Place:
    """Return the same as code of the server takes it."""
    return database_at(place(path))


def restored_to(path: Path) -> Path:
    """Return where a backup of a path's database is restored to: in PostgreSQL another one, as it must be empty."""
    return path.with_name("restored.db") if running else path


def unpacked(packed: Path, path: Path) -> Path:
    """Make the database of a path one of an earlier version, which in PostgreSQL it becomes by being moved there."""
    file = path.with_name(f"{path.name}.file") if running else path
    file.write_bytes(gzip.decompress(packed.read_bytes()))
    file.chmod(0o600)
    if running:
        move(file, place_of(path))
    return path


def programs() -> Path | None:
    """Return the folder of PostgreSQL's programs; None where it is not installed."""
    if found := shutil.which("initdb"):
        return Path(found).resolve().parent
    versions = sorted(_DEBIAN.glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    return versions[-1].parent if versions else None


@contextmanager
def started(folder: Path | None = None) -> Iterator[PostgreSQL]:
    """Start a PostgreSQL of its own, on loopback, and stop it at the end. Raises FileNotFoundError where it is not installed."""
    found = programs()
    if found is None:
        raise FileNotFoundError("PostgreSQL is not installed: apt-get install postgresql")
    # Its server refuses to run as root.
    user: dict[str, Any] = {"user": "postgres", "group": "postgres", "extra_groups": []} if os.geteuid() == 0 else {}
    with tempfile.TemporaryDirectory(prefix="mekuri-postgresql-", dir=folder) as made:
        root = Path(made)
        if user:
            shutil.chown(root, "postgres", "postgres")

        def run(*words: str | Path) -> None:
            subprocess.run(words, check=True, stdout=subprocess.DEVNULL, cwd=root, timeout=PATIENCE, **user)

        run(found / "initdb", "-D", root / "data", "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync")
        allowed = root / "data" / "pg_hba.conf"
        allowed.write_text(f"host all {LOCKED} 127.0.0.1/32 scram-sha-256\n{allowed.read_text('utf-8')}", "utf-8")
        control = partial(run, found / "pg_ctl", "-D", root / "data", "-w", "-t", str(PATIENCE))
        server = PostgreSQL(root, free_port(), control)
        server.start()
        try:
            yield server
        finally:
            control("-m", "immediate", "stop")


if __name__ == "__main__":  # for a developer who looks for behaviour of PostgreSQL alone
    with started() as server:
        print(server.url("postgres"), flush=True)
        sys.stdin.read()
