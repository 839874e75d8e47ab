"""The names of the cards of each drawn pack, read from one TOML file a pack. A game's own names stand in its rule book."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import tomli

from mekuri.cards import EXTRA, card_text, number, suit

_FOLDER = Path(__file__).parent


@cache
def named_packs() -> tuple[str, ...]:
    """The ids of the packs whose cards have names here, sorted."""
    return tuple(sorted(path.stem for path in _FOLDER.glob("*.toml")))


@cache
def pack_names(pack: str) -> dict[str, Any]:
    """The names of a pack.

    Returns:
        Its `title`; its `cards` by their notation, each a text with `kana` and `latin`; its `numbers`, the texts for what all
        cards of a number show, such as a flower; and its `plain` names by notation, made of number and suit, if it has suits.
        All are empty for a pack without names.
    """
    if pack not in named_packs():
        return {"title": {}, "cards": {}, "numbers": {}, "plain": {}}
    read = tomli.loads((_FOLDER / f"{pack}.toml").read_text(encoding="utf-8"))
    like = pack_names(read.get("like", ""))
    shared = {table: {**like[table], **read.get(table, {})} for table in ("cards", "numbers")}
    return {"title": read["title"], **shared, "plain": _plain(read["plain"]) if "plain" in read else like["plain"]}


def _plain(read: Mapping[str, Mapping[str, str]]) -> dict[str, dict[str, str]]:
    """Return the plain name of every card by its notation, from the words for suits in each language."""
    suits = {lang: words.split() for lang, words in read["suits"].items()}

    def plain(card: int) -> dict[str, str]:
        return {lang: text.format(number=number(card), suit=suits[lang][suit(card)]) for lang, text in read["card"].items()}

    return {**{card_text(card): plain(card) for card in range(EXTRA)}, card_text(EXTRA): dict(read["extra"])}
