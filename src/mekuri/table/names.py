"""Names of people: which can be taken, which look alike, and how one that could not be taken today is shown.

Nobody can have the name of a bot or of the house, or one of signs that are not seen or spoil what stands beside them. Two who look
alike may well sit at one table: the second is told apart there by a number.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from functools import cache
from itertools import chain, count
from pathlib import Path
from unicodedata import category, normalize

from mekuri import bots, games
from mekuri.match.match import NOT_IN_NAMES
from mekuri.protocol.table import LONGEST_NAME
from mekuri.table.errors import ProblemError

GUEST = "Guest"  # with a number, whoever has chosen no name
_MOST_MARKS = 2  # on one letter: a vowel and a tone, as Thai and Vietnamese have them; more of them climb over other lines
_KEYCAP = "\u20e3"
_NOTHING = "?"  # what is shown for a name of which nothing can be seen
_UNSEEN = (*NOT_IN_NAMES, "Cf", "Co", "Cn")

# What has no glyph beside the general categories above: Unicode's Default_Ignorable_Code_Point, and letters that are blank.
_BLANK = frozenset(
    chr(code)
    for first, last in (
        (0x034F, 0x034F),
        (0x115F, 0x1160),
        (0x17B4, 0x17B5),
        (0x180B, 0x180F),
        (0x2800, 0x2800),
        (0x3164, 0x3164),
        (0xFE00, 0xFE0D),
        (0xFFA0, 0xFFA0),
        (0xFFFC, 0xFFFC),
        (0x13441, 0x13442),
        (0x16FE4, 0x16FE4),
        (0x1D159, 0x1D159),
    )
    for code in range(first, last + 1)
)
# One sign as wide as a line: whole sentences in Arabic, long dashes, cuneiform.
_WIDE = frozenset(map(chr, (0x2E3A, 0x2E3B, 0xA9C5, 0xFDFA, 0xFDFB, 0xFDFD, *range(0x12000, 0x12550))))
# How the sign before is written, as in names in kanji, and whether it is a drawing.
_VARIANTS = frozenset(map(chr, (0xFE0E, 0xFE0F, *range(0xE0100, 0xE01F0))))
_IGNORED = _BLANK | _VARIANTS

# Those of the house.
_HOUSE = (
    *("Admin", "Administrator", "Moderator", "Operator", "Mekuri", "Server", "System", "Staff", "Support", "Bot", GUEST),
    *("管理者", "管理人", "運営", "サーバー", "システム", "めくり", "メクリ", "ゲスト", "公式"),
)


def check_name(name: str, kept: Collection[str] = ()) -> str:
    """A name as it is kept: in one form, without spaces around it. `kept` are names that nobody may take, beside the usual ones.

    Raises ProblemError where it is no short line of text, has a sign that spoils what stands beside it, or is not for people.
    """
    if len(name) > LONGEST_NAME or any(category(sign) in NOT_IN_NAMES for sign in name):
        raise ProblemError("name")
    found = " ".join(normalize("NFC", name).split())
    if not 0 < len(found) <= LONGEST_NAME:
        raise ProblemError("name")
    odd = next(_odd(found), None)
    if odd is not None:
        raise ProblemError("name-sign", sign=f"U+{ord(found[odd]):04X}")
    if _is_reserved(found, _reserved() | ({_bare(word) for word in kept} - {""})):
        raise ProblemError("name-reserved")
    return found


def shown(name: str) -> str:
    """A name as others see it: one that was taken when any could be, without what spoils the line it stands in."""
    found = " ".join(normalize("NFC", name).split())
    odd = set(_odd(found))
    return " ".join("".join(sign for at, sign in enumerate(found) if at not in odd).split()) or _NOTHING


def told_apart(name: str, others: Iterable[str]) -> str:
    """What somebody is called beside these others: with a number where the name looks like one of theirs, or like a bot's."""
    taken = {*map(skeleton, others), *_bots()}
    labels = chain([name], (f"{name} ({number})" for number in count(2)))
    return next(label for label in labels if skeleton(label) not in taken)


@cache
def _prototypes() -> dict[int, str]:
    """For each sign the one that it looks like."""
    # Of the data for Unicode's Technical Standard 39, what is left to do after NFKC: each line a sign, and those that look like it.
    rows = Path(__file__).with_name("confusables.txt").read_text(encoding="utf-8").splitlines()
    pairs = (row.split(" ") for row in rows)
    return {ord(sign): prototype for prototype, like in pairs for sign in like} | {ord("i"): "l"}


def skeleton(text: str) -> str:
    """What is the same for texts that look alike: by Unicode's Technical Standard 39, and in small letters."""
    seen = (sign for sign in normalize("NFKC", text) if category(sign) not in _UNSEEN and sign not in _IGNORED)
    found = normalize("NFD", "".join(seen)).translate(_prototypes())
    # A capital may look like a capital elsewhere, and its small letter like another small one.
    found = normalize("NFD", found.casefold()).translate(_prototypes())
    return " ".join(normalize("NFC", found).split())


def _odd(name: str) -> Iterator[int]:
    """The places of signs that are not seen, or spoil what stands beside them."""
    based, varied, marks = False, False, 0
    for at, sign in enumerate(name):
        kind = category(sign)
        if sign in _VARIANTS:
            if not based or varied:
                yield at
            varied = True
        elif kind in _UNSEEN or sign in _BLANK or sign in _WIDE:
            yield at
        elif kind in ("Mn", "Me"):
            marks += 1
            if not based or marks > _MOST_MARKS or (kind == "Me" and sign != _KEYCAP):
                yield at
        else:
            based, varied, marks = sign != " ", False, 0


def _is_reserved(name: str, reserved: Collection[str]) -> bool:
    words = [_bare(word) for word in re.split(r"[\W_]+", name) if word]
    guest = (
        re.fullmatch(rf"{_bare(GUEST)}[\dlo]+", _bare(name)) is not None and re.search(r"\d", normalize("NFKC", name)) is not None
    )
    return guest or _bare(name) in reserved or (bool(words) and all(word in reserved for word in words))


def _bare(text: str) -> str:
    """The letters and digits of a text as they look, without accents."""
    found = normalize("NFD", skeleton(text))
    return "".join(sign for sign in found if category(sign)[0] in "LN")


@cache
def _reserved() -> frozenset[str]:
    return frozenset(map(_bare, (*_HOUSE, *_bot_names())))


@cache
def _bots() -> frozenset[str]:
    return frozenset(map(skeleton, _bot_names()))


def _bot_names() -> set[str]:
    """What bots are called, in every language."""
    known = [*bots.of_every_game(), *(bot for game in games.names() for bot in games.find(game).bots)]
    return {name for bot in known for name in (bot.id, *bot.name.values())}
