"""What callers and players give, read in one way: whole numbers of every library, and text as it is typed on any keyboard."""

from __future__ import annotations

import re
from operator import index
from typing import SupportsIndex
from unicodedata import normalize

_WIDE = re.compile("[\u3000\uff00-\uffef]+")  # the ideographic space, and the block of half-width and full-width forms
Whole = SupportsIndex  # a whole number: an int, numpy.int64, and all else that can stand as an index


def whole(value: object) -> int | None:
    """Return a whole number as an int; None for all that is none, such as 7.0, "7" and an array."""
    if isinstance(value, int):  # first, because isinstance with a protocol is slow
        return int(value)
    try:
        return index(value) if isinstance(value, SupportsIndex) else None
    except TypeError:  # an array, or a truth value of NumPy
        return None


def whole_in(value: object, least: int, most: int | None = None) -> int | None:
    """Return a whole number from `least` to `most` as an int, or from `least` on where `most` is None; None for everything else."""
    number = whole(value)
    return number if number is not None and least <= number and (most is None or number <= most) else None


def typed(text: str) -> str:
    """Return a text with full-width digits and letters, as a Japanese keyboard types them, as the usual ones (Unicode's NFKC).

    All other characters stay as they are: a superscript 2 is no 2.
    """
    return text if text.isascii() else _WIDE.sub(lambda found: normalize("NFKC", found[0]), text)
