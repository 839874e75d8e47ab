"""Drawn cards, as SVG: every picture is our own work, without copies. The drawings are the files in `parts/`.

Art: CC BY 4.0, see LICENSES.
"""

from mekuri.cards.art.files import write_cards, write_sprite
from mekuri.cards.art.marks import MARKS
from mekuri.cards.art.packs import Pack, UnknownPack, find_pack, pack_names
from mekuri.cards.art.sprite import card_svg, sprite, sprite_digest

__all__ = [
    "MARKS",
    "Pack",
    "UnknownPack",
    "card_svg",
    "find_pack",
    "pack_names",
    "sprite",
    "sprite_digest",
    "write_cards",
    "write_sprite",
]
