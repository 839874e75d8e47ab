"""The server's own texts in every language, read from `texts.toml`: errors, events about a table, and phrases."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import tomli

from mekuri.engine.rulebook import Lang
from mekuri.engine.worded import worded


@cache
def all_texts() -> dict[str, dict[str, dict[str, str]]]:
    """Return all texts of the server by table, key and language."""
    return tomli.loads(Path(__file__).with_name("texts.toml").read_text(encoding="utf-8"))


def texts_of(id: str) -> dict[str, str]:
    """Return a text such as `errors.stale` by language, with its arguments in braces. Raises KeyError where there is none."""
    table, _, key = id.partition(".")
    return all_texts()[table][key]


def say(id: str, lang: Lang, **args: object) -> str:
    """Return a text such as `errors.too-many` with its arguments filled in. Raises KeyError where there is none."""
    return worded(texts_of(id)[lang], args)


@cache
def sayings() -> frozenset[str]:
    """Return the ids of all stamps and phrases, the texts that people may say to their table."""
    return frozenset(f"{table}.{key}" for table in ("stamps", "phrases") for key in all_texts()[table])
