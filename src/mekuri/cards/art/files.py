"""Writes a drawn pack as SVG files into a folder, with a licence file."""

from __future__ import annotations

from pathlib import Path

from mekuri.cards.art.packs import Pack
from mekuri.cards.art.sprite import card_svg, sprite
from mekuri.cards.notation import card_text
from mekuri.files import check_new, expanded, write_file

_LICENCE = """\
The cards in this folder, pack "{pack}", were drawn by the Mekuri developers.

They are under the Creative Commons Attribution 4.0 International licence (CC BY 4.0): use, change and print them as you like, also
for money, as long as you name the Mekuri developers and this licence and say what you have changed.

https://creativecommons.org/licenses/by/4.0/
"""

_INSTEAD = "name another folder with --out, or add --overwrite"


def write_cards(pack: Pack, folder: Path, marks: str = "none", overwrite: bool = False) -> list[Path]:
    """Write every card of a pack and its back as an SVG file each, named by the card's notation.

    Args:
        pack: the pack.
        folder: the folder, which is made if it does not exist.
        marks: the style of the corner marks, `latin` or `kanji`; `none` for no marks.
        overwrite: whether files that are there already are replaced.

    Returns:
        The files, the licence file among them.

    Raises:
        FileThere: if one of them is there already and `overwrite` is false; then none is written.
        OSError: if a file cannot be written.
    """
    drawings = {card_text(card): card_svg(pack, card, marks) for card in pack.cards}
    return _write(pack, folder, {**drawings, "back": card_svg(pack, None)}, overwrite)


def write_sprite(pack: Pack, folder: Path, overwrite: bool = False) -> list[Path]:
    """Write a pack as one SVG file of symbols; see `sprite`, and `write_cards` for the arguments and errors.

    Returns:
        The file and the licence file.
    """
    return _write(pack, folder, {pack.id: sprite(pack)}, overwrite)


def _write(pack: Pack, folder: Path, drawings: dict[str, str], overwrite: bool) -> list[Path]:
    folder = expanded(folder)
    folder.mkdir(parents=True, exist_ok=True)
    texts = {f"{name}.svg": text for name, text in drawings.items()}
    # The licence's name has the pack's id, as a folder may have a licence of its own or hold two packs.
    texts[f"LICENSE-{pack.id}.txt"] = _LICENCE.format(pack=pack.id)
    for name in texts:
        check_new(folder / name, overwrite, _INSTEAD)
    for name, text in texts.items():
        write_file(folder / name, text, overwrite, _INSTEAD)
    return [folder / name for name in texts]
