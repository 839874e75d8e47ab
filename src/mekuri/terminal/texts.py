"""What the terminal itself says, in every language: `texts.toml`."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

from mekuri.engine.rulebook import LANGUAGES, Lang

__all__ = ["LANGUAGES", "Lang", "all_texts", "has", "other", "say"]


@cache
def all_texts() -> dict[str, dict[str, dict[str, str]]]:
    """Every text by its table, its key and its language."""
    return tomllib.loads(Path(__file__).with_name("texts.toml").read_text(encoding="utf-8"))


def has(id: str) -> bool:
    """Whether there is a text such as `players.greedy`."""
    table, _, key = id.partition(".")
    return key in all_texts().get(table, {})


def say(id: str, lang: Lang, **args: object) -> str:
    """A text such as `table.round` in a language, with its arguments filled in."""
    table, _, key = id.partition(".")
    return all_texts()[table][key][lang].format(**args)


def other(lang: Lang) -> Lang:
    """The language after this one."""
    return LANGUAGES[(LANGUAGES.index(lang) + 1) % len(LANGUAGES)]
