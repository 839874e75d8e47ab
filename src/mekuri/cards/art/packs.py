"""The packs that are drawn."""

from __future__ import annotations

from collections.abc import Callable

from mekuri.cards.art.pack import Pack


class UnknownPack(LookupError):
    """A name under which no pack is drawn."""


def _ise() -> Pack:
    from mekuri.cards.art.ise import ISE

    return ISE


def _hanafuda() -> Pack:
    from mekuri.cards.art.hanafuda import HANAFUDA

    return HANAFUDA


# Drawings are made when they are asked for: most of what uses Mekuri shows none.
_PACKS: dict[str, Callable[[], Pack]] = {"ise": _ise, "hanafuda": _hanafuda}


def pack_names() -> tuple[str, ...]:
    """The names of all packs."""
    return tuple(_PACKS)


def find_pack(name: str) -> Pack:
    """The pack of a name. Raises UnknownPack where there is none."""
    if name not in _PACKS:
        raise UnknownPack(f"no pack called {name} is drawn; there are {', '.join(_PACKS)}")
    return _PACKS[name]()
