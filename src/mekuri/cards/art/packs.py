"""The drawn packs, by name."""

from __future__ import annotations

from collections.abc import Callable

from mekuri.cards.art.pack import Pack


class UnknownPack(LookupError):
    """The name of no drawn pack."""


def _ise() -> Pack:
    from mekuri.cards.art.ise import ISE

    return ISE


def _fukutoku() -> Pack:
    from mekuri.cards.art.fukutoku import FUKUTOKU

    return FUKUTOKU


def _hanafuda() -> Pack:
    from mekuri.cards.art.hanafuda import HANAFUDA

    return HANAFUDA


def _calendar() -> Pack:
    from mekuri.cards.art.hanafuda import CALENDAR

    return CALENDAR


def _rain_man() -> Pack:
    from mekuri.cards.art.hanafuda import RAIN_MAN

    return RAIN_MAN


# A pack's modules are imported when it is asked for, as most programs that use Mekuri draw none.
_PACKS: dict[str, Callable[[], Pack]] = {
    "ise": _ise,
    "fukutoku": _fukutoku,
    "hanafuda": _hanafuda,
    "hanafuda-calendar": _calendar,
    "hanafuda-rain-man": _rain_man,
}


def pack_names() -> tuple[str, ...]:
    """The names of all packs."""
    return tuple(_PACKS)


def find_pack(name: str) -> Pack:
    """The pack with a name.

    Raises:
        UnknownPack: if there is no such pack.
    """
    if name not in _PACKS:
        raise UnknownPack(f"no pack called {name} is drawn; there are {', '.join(_PACKS)}")
    return _PACKS[name]()
