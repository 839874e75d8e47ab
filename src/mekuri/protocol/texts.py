"""What the server itself says, in every language: `texts.toml`."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

from mekuri.engine.rulebook import Lang
from mekuri.engine.worded import worded


@cache
def all_texts() -> dict[str, dict[str, dict[str, str]]]:
    """Every text by its table, its key and its language."""
    return tomllib.loads(Path(__file__).with_name("texts.toml").read_text(encoding="utf-8"))


def texts_of(id: str) -> dict[str, str]:
    """A text such as `errors.stale` in every language, its arguments still in braces. Raises KeyError where there is none."""
    table, _, key = id.partition(".")
    return all_texts()[table][key]


def say(id: str, lang: Lang, **args: object) -> str:
    """A text such as `errors.too-many` in a language, with its arguments filled in. Raises KeyError where there is none."""
    return worded(texts_of(id)[lang], args)


@cache
def sayings() -> frozenset[str]:
    """What people may say across a table, by the ids of the texts."""
    return frozenset(f"{table}.{key}" for table in ("stamps", "phrases") for key in all_texts()[table])
