"""What a server that was killed has left beside its database: whether that still belongs to it.

SQLite takes a `-wal` that lies beside a database for the end of it. Where somebody has copied another file into the database's
place meanwhile, that would destroy it without a word.
"""

from __future__ import annotations

import shutil
import tempfile
from contextlib import suppress
from pathlib import Path

from mekuri.server.backup import check_whole
from mekuri.server.database import StoreError

_LOCKED_AT, _LOCKED = 0x40000002, 510  # the bytes on which SQLite keeps its locks: those of everybody who has the file open


def check_leftover(path: Path) -> None:
    """Try on a copy what would become of a database that was not closed. For a process that has not opened it itself.

    Raises StoreError where the two do not belong together. Nothing has then been changed.
    """
    wal = path.with_name(f"{path.name}-wal")
    if not (path.exists() and wal.exists() and wal.stat().st_size) or _in_use(path):
        return
    try:
        with tempfile.TemporaryDirectory(prefix=f"{path.name}.check.", dir=path.parent) as folder:
            copy = Path(folder) / "copy"
            shutil.copyfile(path, copy)
            shutil.copyfile(wal, copy.with_name("copy-wal"))
            check_whole(copy)
    except StoreError as error:
        raise StoreError(
            f"{path} was not closed, and does not go together with {wal.name} beside it: if you have copied a database there, "
            f"delete {wal.name} and start again; otherwise restore a backup"
        ) from error
    except OSError as error:
        raise StoreError(f"{path} was not closed, and cannot be checked: {error.strerror}") from error


def _in_use(path: Path) -> bool:
    """Whether another process has a database open; it knows what it writes."""
    with suppress(ImportError):  # Windows lets nobody copy a file into the place of one that is open
        import fcntl

        with path.open("rb+") as file:
            try:
                fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, _LOCKED, _LOCKED_AT)
            except OSError:
                return True
    return False
