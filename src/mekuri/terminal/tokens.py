"""The file of the tokens that servers have given this person, by which a seat is found again."""

from __future__ import annotations

import json
from pathlib import Path

from platformdirs import user_data_path

from mekuri.engine.errors import MekuriError
from mekuri.files import write_file


class TokensError(MekuriError):
    """The file of the tokens is broken."""


def token_file() -> Path:
    """Return the path of the file of the tokens."""
    return user_data_path("mekuri", appauthor=False) / "tokens.json"


def kept_token(server: str) -> str:
    """Return the token for a server; empty where there is none.

    Raises:
        TokensError: the file is broken.
    """
    return _read().get(server, "")


def kept_servers() -> list[str]:
    """Return the servers for which there is a token.

    Raises:
        TokensError: the file is broken.
    """
    return list(_read())


def keep_token(server: str, token: str) -> None:
    """Keep the token for a server. Only this user can read the file.

    Raises:
        TokensError: the file is broken.
    """
    _write(_read() | {server: token})


def drop_token(server: str) -> None:
    """Remove the token for a server.

    Raises:
        TokensError: the file is broken.
    """
    _write({known: token for known, token in _read().items() if known != server})


def _write(tokens: dict[str, str]) -> None:
    file, told = token_file(), json.dumps(tokens, indent=1)
    file.parent.mkdir(parents=True, exist_ok=True)
    write_file(file, told, overwrite=True, mode=0o600)


def _read() -> dict[str, str]:
    file = token_file()
    try:
        tokens = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except ValueError:
        tokens = None
    if not isinstance(tokens, dict) or not all(isinstance(token, str) for token in tokens.values()):
        raise TokensError(f"{file} is broken: delete it; seats taken under its names are then lost")
    return tokens
