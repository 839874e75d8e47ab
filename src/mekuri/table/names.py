"""Names of people: the check of a new name, the display of an older one, and numbers for names that look alike.

A name may not be that of a bot or of the server's staff, and may not hold characters that are invisible or spoil the text beside
them. The invisible joiners U+200C and U+200D are allowed where a script or an emoji needs them. Two people whose names look alike
may sit at one table: the second name is shown there with a number.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from functools import cache
from itertools import chain
from itertools import count as numbers
from pathlib import Path
from unicodedata import category, normalize

from mekuri import bots, games
from mekuri.match.match import NOT_IN_NAMES
from mekuri.protocol.guests import LONGEST_NAME
from mekuri.table.errors import ProblemError
from mekuri.table.graphemes import JOINERS, MOST_SIGNS, ZWJ, chars, count, joins_emoji

GUEST = "Guest"  # with a number, the name of a person who has chosen none
_MOST_MARKS = 2  # on one letter: a vowel and a tone, as Thai and Vietnamese have them; more of them reach into other lines
_MOST_BESIDE = 2  # marks beside one letter, as in scripts of India: more of them are wide
_MOST_JOINED = 3  # joiners in one emoji, as in a family of four: more are shown one beside the other
_MOST_CODES = 2 * MOST_SIGNS * LONGEST_NAME  # code points of a name that is not composed yet
_KEYCAP = "\u20e3"
_NOTHING = "?"  # is shown in place of a name without visible characters
_UNSEEN = (*NOT_IN_NAMES, "Cf", "Co", "Cn")

# Characters without a glyph that the categories above do not cover: Unicode's Default_Ignorable_Code_Point, and blank letters.
_BLANK = chars("34f 115f-1160 17b4-17b5 180b-180f 2800 3164 fe00-fe0d ffa0 fffc 13441-13442 16fe4 1d159")
# Single characters that may be as wide as a line: whole sentences in Arabic, long dashes, cuneiform.
_WIDE = chars("2e3a 2e3b a9c5 fdfa fdfb fdfd 12000-1254f")
# Variation selectors: they choose the form of the character before them, as in kanji, or whether it is drawn as an emoji.
_VARIANTS = chars("fe0e-fe0f e0100-e01ef")
_IGNORED = _BLANK | _VARIANTS

# Names reserved for the server and its staff.
_HOUSE = (
    *("Admin", "Administrator", "Moderator", "Operator", "Mekuri", "Server", "System", "Staff", "Support", "Bot", GUEST),
    *("管理者", "管理人", "運営", "サーバー", "システム", "めくり", "メクリ", "ゲスト", "公式"),
)


def check_name(name: str, kept: Collection[str] = ()) -> str:
    """Return a name as it is stored: in the Unicode form NFC, with single spaces inside and no spaces around it.

    Args:
        name: the name that a person asks for.
        kept: names that are reserved beside those of bots and of the server.

    Raises:
        ProblemError: the name is empty, longer than `LONGEST_NAME` characters (grapheme clusters) or not one line of text, holds a
            character that is invisible or spoils the text beside it, or is reserved.
    """
    if any(category(sign) in NOT_IN_NAMES for sign in name):
        raise ProblemError("name")
    if len(name) > _MOST_CODES:  # too long in any form: it is not even composed
        raise ProblemError("name-long", most=LONGEST_NAME)
    found = " ".join(normalize("NFC", name).split())
    if not found:
        raise ProblemError("name")
    if count(found) > LONGEST_NAME:
        raise ProblemError("name-long", most=LONGEST_NAME)
    odd = next(_odd(found), None)
    if odd is not None:
        raise ProblemError("name-sign", sign=f"U+{ord(found[odd]):04X}")
    if _is_reserved(found, _reserved() | ({_bare(word) for word in kept} - {""})):
        raise ProblemError("name-reserved")
    return found


def shown(name: str) -> str:
    """Return a stored name as it is shown: without characters that `check_name` refuses today, or `?` where nothing is left."""
    found = " ".join(normalize("NFC", name).split())
    odd = set(_odd(found))
    return " ".join("".join(sign for at, sign in enumerate(found) if at not in odd).split()) or _NOTHING


def made_distinct(name: str, others: Iterable[str]) -> str:
    """Return a name with a number, such as `Aki (2)`, where it looks like another of these names or like that of a bot."""
    taken = {*map(skeleton, others), *_bots()}
    labels = chain([name], (f"{name} ({number})" for number in numbers(2)))
    return next(label for label in labels if skeleton(label) not in taken)


@cache
def _prototypes() -> dict[int, str]:
    """Return the prototype of each character that looks like another: the code point, and the text that it looks like."""
    # The data of Unicode's Technical Standard 39 that NFKC leaves unchanged. Each line has a prototype, then its look-alikes.
    rows = Path(__file__).with_name("confusables.txt").read_text(encoding="utf-8").splitlines()
    pairs = (row.split(" ") for row in rows)
    return {ord(sign): prototype for prototype, like in pairs for sign in like} | {ord("i"): "l"}


def skeleton(text: str) -> str:
    """Return the skeleton of a text, which is equal for texts that look alike: by Unicode's Technical Standard 39, case-folded."""
    seen = (sign for sign in normalize("NFKC", text) if category(sign) not in _UNSEEN and sign not in _IGNORED)
    found = normalize("NFD", "".join(seen)).translate(_prototypes())
    # A capital may look like a capital elsewhere, and its small letter like another small one.
    found = normalize("NFD", found.casefold()).translate(_prototypes())
    return " ".join(normalize("NFC", found).split())


def _odd(name: str) -> Iterator[int]:
    """Return the indices of the characters that are invisible or spoil the text beside them."""
    based, varied, marks, beside, joined = False, False, 0, 0, 0
    for at, sign in enumerate(name):
        kind = category(sign)
        if sign in JOINERS:
            emoji = sign == ZWJ and joins_emoji(name[: at + 1], name[at + 1 : at + 2])
            joined += emoji
            if joined > _MOST_JOINED or not (emoji or _joins_letters(name, at)):
                yield at
        elif sign in _VARIANTS:
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
            beside = beside + 1 if kind == "Mc" else 0
            if beside > _MOST_BESIDE:
                yield at
            if not joins_emoji(name[:at], sign):
                joined = 0
            based, varied, marks = sign != " ", False, 0


def _joins_letters(name: str, at: int) -> bool:
    """Return whether a script needs a joiner between two letters: RFC 5892 says where, for names on the internet (CONTEXTJ)."""
    import idna

    if category(name[at + 1 : at + 2] or " ")[0] != "L":
        return False
    try:
        return idna.valid_contextj(name, at)
    except ValueError:  # a character that Python's Unicode does not know
        return False


def _is_reserved(name: str, reserved: Collection[str]) -> bool:
    words = [_bare(word) for word in re.split(r"[\W_]+", name) if word]
    guest = (
        re.fullmatch(rf"{_bare(GUEST)}[\dlo]+", _bare(name)) is not None and re.search(r"\d", normalize("NFKC", name)) is not None
    )
    return guest or _bare(name) in reserved or (bool(words) and all(word in reserved for word in words))


def _bare(text: str) -> str:
    """Return the letters and digits of a text's skeleton, without accents."""
    found = normalize("NFD", skeleton(text))
    return "".join(sign for sign in found if category(sign)[0] in "LN")


@cache
def _reserved() -> frozenset[str]:
    return frozenset(map(_bare, (*_HOUSE, *_bot_names())))


@cache
def _bots() -> frozenset[str]:
    return frozenset(map(skeleton, _bot_names()))


def _bot_names() -> set[str]:
    """Return the ids of all bots, and their names in every language."""
    known = [*bots.of_every_game(), *(bot for game in games.names() for bot in games.find(game).bots)]
    return {name for bot in known for name in (bot.id, *bot.name.values())}
