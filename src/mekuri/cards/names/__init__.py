"""The names of the cards of each drawn pack, read from one TOML file a pack. A game's own names stand in its rule book."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import tomli

_FOLDER = Path(__file__).parent


@cache
def named_packs() -> tuple[str, ...]:
    """The ids of the packs whose cards have names here, sorted."""
    return tuple(sorted(path.stem for path in _FOLDER.glob("*.toml")))


@cache
def pack_names(pack: str) -> dict[str, Any]:
    """The names of a pack.

    Returns:
        Its `title`; its `cards` by their notation, each a text with `kana` and `latin`; and its `numbers`, the texts for what all
        cards of a number show, such as a flower. All are empty for a pack without names.
    """
    if pack not in named_packs():
        return {"title": {}, "cards": {}, "numbers": {}}
    read = tomli.loads((_FOLDER / f"{pack}.toml").read_text(encoding="utf-8"))
    like = pack_names(read.get("like", ""))
    shared = {table: {**like[table], **read.get(table, {})} for table in ("cards", "numbers")}
    return {"title": read["title"], **shared}
