"""The terminal's own texts in every language, from `texts.toml`."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import tomli

from mekuri import bots
from mekuri.engine.rulebook import LANGUAGES, Lang
from mekuri.engine.worded import worded

__all__ = ["LANGUAGES", "Lang", "all_texts", "called", "other", "say"]


@cache
def all_texts() -> dict[str, dict[str, dict[str, str]]]:
    """Return every text, by table, key and language."""
    return tomli.loads(Path(__file__).with_name("texts.toml").read_text(encoding="utf-8"))


def called(who: str, lang: Lang) -> str:
    """Return the name of `you`, `open`, `gone` or a bot. A bot that is not installed keeps its own name, capitalized."""
    if who in all_texts()["players"]:
        return all_texts()["players"][who][lang]
    known = bots.known(who)
    return known.name[lang] if known else who[:1].upper() + who[1:]


def say(id: str, lang: Lang, **args: object) -> str:
    """Return a text by its id, such as `table.round`, with its placeholders filled in."""
    table, _, key = id.partition(".")
    return worded(all_texts()[table][key][lang], args)


def other(lang: Lang) -> Lang:
    """Return the language after this one."""
    return LANGUAGES[(LANGUAGES.index(lang) + 1) % len(LANGUAGES)]
