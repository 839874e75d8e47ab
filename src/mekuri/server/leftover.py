"""A check of the `-wal` file that a killed server leaves beside its database: whether it still belongs to it.

SQLite takes any `-wal` beside a database for its latest transactions. Where another file has been copied into the database's place
meanwhile, that would silently corrupt it.
"""

from __future__ import annotations

import shutil
import tempfile
from contextlib import suppress
from pathlib import Path

from mekuri.server.side import StoreError
from mekuri.server.sqlite_file import check_whole

_LOCKED_AT, _LOCKED = 0x40000002, 510  # SQLite's SHARED_FIRST and SHARED_SIZE: locked by every process with the file open


def check_leftover(path: Path) -> None:
    """Check on a copy that a database and its leftover `-wal` file belong together. Nothing is changed.

    Must be called before this process opens the database.

    Raises:
        StoreError: the two do not belong together, or cannot be checked.
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
    """Whether another process has the database open. Then its `-wal` is not a leftover."""
    with suppress(ImportError):  # not on Windows, where an open file cannot be replaced
        import fcntl

        with path.open("rb+") as file:
            try:
                fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, _LOCKED, _LOCKED_AT)
            except OSError:
                return True
    return False
