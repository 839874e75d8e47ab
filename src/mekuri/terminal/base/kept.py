"""The files that this machine keeps for its user: versioned files in the user's data folder, and the tokens of servers."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

import msgspec
from platformdirs import user_data_path

from mekuri.engine.errors import MekuriError
from mekuri.files import write_file

FORMAT = 1  # the version of the files' format
_TOKENS = "tokens.json"

T = TypeVar("T")


class KeptError(MekuriError):
    """A kept file is broken, or was written by a newer version."""


class Versioned(msgspec.Struct, kw_only=True):
    """Base class of the content of a file that names its version."""

    mekuri: int = FORMAT


def kept_file(name: str) -> Path:
    """Return the path of a kept file."""
    return user_data_path("mekuri", appauthor=False) / name


def read_kept(name: str, kind: type[T], loss: str) -> T:
    """Return the content of a kept file, or an empty one if there is no file.

    Args:
        name: the name of the file.
        kind: the type of the content, which can be made without arguments.
        loss: what the user loses by deleting the file, for the error message.

    Raises:
        KeptError: the file is broken, or was written by a newer version.
    """
    file = kept_file(name)
    try:
        content = msgspec.json.decode(file.read_bytes(), type=kind)
    except FileNotFoundError:
        return kind()
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise KeptError(f"{file} is broken: delete it; {loss}") from None
    if isinstance(content, Versioned) and content.mekuri > FORMAT:
        raise KeptError(f"{file} was written by a newer Mekuri: update to read it")
    return content


def write_kept(name: str, content: object, mode: int = 0o666) -> None:
    """Write a kept file as JSON.

    Args:
        name: the name of the file.
        content: its content.
        mode: the permissions of the file.
    """
    file = kept_file(name)
    file.parent.mkdir(parents=True, exist_ok=True)
    write_file(file, msgspec.json.format(msgspec.json.encode(content), indent=1), overwrite=True, mode=mode)


def _tokens() -> dict[str, str]:
    return read_kept(_TOKENS, dict[str, str], "seats taken under its names are then lost")


def kept_token(server: str) -> str:
    """Return the token for a server; empty if there is none. Raises KeptError if the file cannot be read."""
    return _tokens().get(server, "")


def kept_servers() -> list[str]:
    """Return the servers for which there is a token. Raises KeptError if the file cannot be read."""
    return list(_tokens())


def keep_token(server: str, token: str) -> None:
    """Keep the token for a server. Only this user can read the file. Raises KeptError if the file cannot be read."""
    write_kept(_TOKENS, _tokens() | {server: token}, mode=0o600)


def drop_token(server: str) -> None:
    """Remove the token for a server. Raises KeptError if the file cannot be read."""
    write_kept(_TOKENS, {known: token for known, token in _tokens().items() if known != server}, mode=0o600)
