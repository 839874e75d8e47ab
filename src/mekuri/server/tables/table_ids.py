"""The ids of tables. A table's id is the invitation to it, so that nobody can guess one."""

from __future__ import annotations

import base64
import hashlib
import secrets

import msgspec

from mekuri.protocol.table import AskTable

_BYTES = 9
_ENDS = str.maketrans("-_", "Aa")  # mail and chat programs cut a link short that does not end with a letter or a digit


def new_id() -> str:
    """Return a random id, which ends with a letter or a digit."""
    return _ended(secrets.token_urlsafe(_BYTES))


def id_for(person: str, asked: AskTable, key: str) -> str:
    """Return the id of the table that a guest makes by a request with a key: always the same. Whoever guesses it knows the key."""
    asking = msgspec.json.encode((person, asked, key))
    return _ended(base64.urlsafe_b64encode(hashlib.sha256(asking).digest()[:_BYTES]).decode())


def _ended(id: str) -> str:
    return id[:-1] + id[-1].translate(_ENDS)
