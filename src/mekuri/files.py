"""Files that Mekuri writes: whole or not at all, and in the place of another file only if that is asked for."""

from __future__ import annotations

import errno
import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

INSTEAD = "name another file, or add --overwrite"


class FileThere(FileExistsError):
    """A file that is there already and would be overwritten. The message says what to do instead."""

    def __init__(self, path: Path, instead: str = INSTEAD) -> None:
        super().__init__(errno.EEXIST, f"is there already: {instead}", str(path))

    def __str__(self) -> str:
        """Return the file and what to do, in one line."""
        return f"{self.filename} {self.strerror}"


def expanded(path: Path | str) -> Path:
    """Return a path with `~` at its beginning as the home folder, as a shell would; unchanged if there is no such home."""
    return Path(os.path.expanduser(path))


def is_taken(path: Path) -> bool:
    """Return whether writing to a path would destroy something: there is a file, or a broken link, but no device and no pipe."""
    return path.is_file() or (path.is_symlink() and not path.exists())


def check_new(path: Path, overwrite: bool = False, instead: str = INSTEAD) -> None:
    """Check that a file can be written before the work that it is to hold is done. Nothing is changed.

    Args:
        path: the file.
        overwrite: whether it may be there already.
        instead: what to do if it is, for the message.

    Raises:
        FileThere: the file is there already and may not be overwritten.
        OSError: no file can be written there.
    """
    path = expanded(path)
    if not overwrite and is_taken(path):
        raise FileThere(path, instead)
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not path.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, f"there is no folder {path.parent}", str(path))
    if not path.exists() or is_taken(path):
        part, file = _open_beside(path, 0o600)
        file.close()
        part.unlink()


@contextmanager
def new_file(path: Path, overwrite: bool = False, instead: str = INSTEAD, mode: int = 0o666) -> Iterator[BinaryIO]:
    """Open a file for writing. It appears under its name at the end, as a whole; after an error there is none, or the old one.

    A device or a pipe is written to as it is.

    Args:
        path: the file.
        overwrite: whether it may replace a file that is there already.
        instead: what to do if it may not, for the message.
        mode: the permissions of a new file, before the umask.

    Raises:
        FileThere: the file is there already and may not be overwritten.
        OSError: it cannot be written.
    """
    path = expanded(path)
    if path.exists() and not path.is_file():
        with path.open("wb") as there:
            yield there
        return
    if not overwrite and is_taken(path):
        raise FileThere(path, instead)
    target = path.resolve() if overwrite else path  # a link stays a link
    part, file = _open_beside(target, mode)
    try:
        with file:
            yield file
        if overwrite and mode == 0o666:
            with suppress(FileNotFoundError):
                shutil.copymode(target, part)
        put(part, target, overwrite, instead)
    finally:
        part.unlink(missing_ok=True)


def write_file(path: Path, content: str | bytes, overwrite: bool = False, instead: str = INSTEAD, mode: int = 0o666) -> None:
    """Write a file; a text is written in UTF-8. Arguments and errors are those of `new_file`."""
    data = content.encode() if isinstance(content, str) else content  # before anything is opened
    with new_file(path, overwrite, instead, mode) as file:
        file.write(data)


def put(part: Path, path: Path, overwrite: bool = False, instead: str = INSTEAD) -> None:
    """Give a finished file its name, in the same folder.

    Args:
        part: the file under another name, which it loses.
        path: its name.
        overwrite: whether it may replace a file that is there already.
        instead: what to do if it may not, for the message.

    Raises:
        FileThere: there is such a file by now, and it may not be replaced.
    """
    if not overwrite:
        try:
            os.link(part, path)
        except FileExistsError:
            raise FileThere(path, instead) from None
        except OSError:  # a file system without hard links: the name is taken first, then given away
            try:
                path.open("xb").close()
            except FileExistsError:
                raise FileThere(path, instead) from None
        else:
            part.unlink()
            return
    part.replace(path)


def _open_beside(path: Path, mode: int) -> tuple[Path, BinaryIO]:
    """Open a new file with a name of its own beside another one. An error names the other one."""
    part = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        return part, open(part, "xb", opener=lambda name, flags: os.open(name, flags, mode))
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None
