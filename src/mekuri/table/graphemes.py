"""Characters as people count them: the extended grapheme clusters of Unicode's Standard Annex 29.

Python lacks the properties of Unicode that define clusters. They stand here. Chromium and Firefox divide texts in the
same way (`Intl.Segmenter`), but for one limit: a cluster ends after ten code points, so that a short name is also short to look at.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from unicodedata import category

ZWNJ, ZWJ = JOINERS = ("\u200c", "\u200d")
MOST_SIGNS = 10  # code points of a cluster: the longest emoji sequences of Unicode have as many


def chars(ranges: str) -> frozenset[str]:
    """Return the characters of code points and of ranges of them, in hex, such as `2640 26bd-26be`."""
    pairs = (part.partition("-") for part in ranges.split())
    return frozenset(map(chr, chain.from_iterable(range(int(first, 16), int(last or first, 16) + 1) for first, _, last in pairs)))


# Unicode 17's Extended_Pictographic: the characters that a joiner makes one emoji.
_PICTOGRAPHS = chars(
    "a9 ae 203c 2049 2122 2139 2194-2199 21a9-21aa 231a-231b 2328 23cf 23e9-23f3 23f8-23fa 24c2 25aa-25ab 25b6 25c0 25fb-25fe "
    "2600-2604 260e 2611 2614-2615 2618 261d 2620 2622-2623 2626 262a 262e-262f 2638-263a 2640 2642 2648-2653 265f-2660 2663 "
    "2665-2666 2668 267b 267e-267f 2692-2697 2699 269b-269c 26a0-26a1 26a7 26aa-26ab 26b0-26b1 26bd-26be 26c4-26c5 26c8 26ce-26cf "
    "26d1 26d3-26d4 26e9-26ea 26f0-26f5 26f7-26fa 26fd 2702 2705 2708-270d 270f 2712 2714 2716 271d 2721 2728 2733-2734 2744 2747 "
    "274c 274e 2753-2755 2757 2763-2764 2795-2797 27a1 27b0 27bf 2934-2935 2b05-2b07 2b1b-2b1c 2b50 2b55 3030 303d 3297 3299 1f004 "
    "1f02c-1f02f 1f094-1f09f 1f0af-1f0b0 1f0c0 1f0cf-1f0d0 1f0f6-1f0ff 1f170-1f171 1f17e-1f17f 1f18e 1f191-1f19a 1f1ae-1f1e5 "
    "1f201-1f20f 1f21a 1f22f 1f232-1f23a 1f23c-1f23f 1f249-1f25f 1f266-1f321 1f324-1f393 1f396-1f397 1f399-1f39b 1f39e-1f3f0 "
    "1f3f3-1f3f5 1f3f7-1f3fa 1f400-1f4fd 1f4ff-1f53d 1f549-1f54e 1f550-1f567 1f56f-1f570 1f573-1f57a 1f587 1f58a-1f58d 1f590 "
    "1f595-1f596 1f5a4-1f5a5 1f5a8 1f5b1-1f5b2 1f5bc 1f5c2-1f5c4 1f5d1-1f5d3 1f5dc-1f5de 1f5e1 1f5e3 1f5e8 1f5ef 1f5f3 1f5fa-1f64f "
    "1f680-1f6c5 1f6cb-1f6d2 1f6d5-1f6e5 1f6e9 1f6eb-1f6f0 1f6f3-1f6ff 1f7da-1f7ff 1f80c-1f80f 1f848-1f84f 1f85a-1f85f 1f888-1f88f "
    "1f8ae-1f8af 1f8bc-1f8bf 1f8c2-1f8cf 1f8d9-1f8ff 1f90c-1f93a 1f93c-1f945 1f947-1f9ff 1fa58-1fa5f 1fa6e-1faff 1fc00-1fffd"
)
_FLAGS = chars("1f1e6-1f1ff")  # two of them are a flag
_TONES = chars("1f3fb-1f3ff")  # of the skin of an emoji
# What follows its letter and is no mark by its category, and marks that stand for themselves.
_FOLLOWING = chars("e33 eb3 200c-200d ff9e-ff9f e0020-e007f") | _TONES
_ALONE = chars("102b-102c 1038 1062-1064 1067-106d 1083 1087-108c 108f 109a-109c 1a61 1a63-1a64 aa7b aa7d 11720-11721")
# In scripts of India and its neighbours a sign, mostly a virama, joins two consonants.
_VIRAMAS = chars("94d 9cd acd b4d c4d d4d 1039 17d2 1a60 1bab aaf6 10a3f 11133 113d0 1193e 11a47 11a99 11f42")
_CONSONANTS = chars(
    "915-939 958-95f 978-97f 995-9a8 9aa-9b0 9b2 9b6-9b9 9dc-9dd 9df 9f0-9f1 a95-aa8 aaa-ab0 ab2-ab3 ab5-ab9 af9 b15-b28 "
    "b2a-b30 b32-b33 b35-b39 b5c-b5d b5f b71 c15-c28 c2a-c39 c58-c5a d15-d3a 1000-102a 103f 1050-1055 105a-105d 1061 "
    "1065-1066 106e-1070 1075-1081 108e 1780-17b3 1a20-1a54 1b0b-1b0c 1b13-1b33 1b45-1b4c 1b83-1ba0 1bae-1baf 1bbb-1bbd "
    "a989-a98b a98f-a9b2 a9e0-a9e4 a9e7-a9ef a9fa-a9fe aa60-aa6f aa71-aa73 aa7a aa7e-aa7f aae0-aaea abc0-abda 10a00 "
    "10a10-10a13 10a15-10a17 10a19-10a35 11103-11126 11144 11147 11380-11389 1138b 1138e 11390-113b5 11900-11906 11909 "
    "1190c-11913 11915-11916 11918-1192f 11a00 11a0b-11a32 11a50 11a5c-11a83 11f04-11f10 11f12-11f33"
)
# Hangul by its parts: what may follow a leading consonant, a vowel, a trailing consonant.
_LEADING, _VOWELS, _TRAILING = chars("1100-115f a960-a97c"), chars("1160-11a7 d7b0-d7c6"), chars("11a8-11ff d7cb-d7fb")


def clusters(text: str) -> Iterator[str]:
    """Divide a text into the characters that people count."""
    start = 0
    for at in range(1, len(text)):
        if not _joined(text[start:at], text[at]):
            yield text[start:at]
            start = at
    if text:
        yield text[start:]


def count(text: str) -> int:
    """Return how many characters people count in a text."""
    return sum(1 for _ in clusters(text))


def is_line(text: str) -> bool:
    """Return whether a text is one line that can be shown: every character can be printed, or joins others that can."""
    return all(sign.isprintable() or sign in JOINERS for sign in text)


def joins_emoji(before: str, sign: str) -> bool:
    """Return whether a text that ends with a joiner makes one emoji of its last one and of the character that follows."""
    if not before.endswith(ZWJ) or sign not in _PICTOGRAPHS:
        return False
    return next((each in _PICTOGRAPHS for each in reversed(before[:-1]) if not _follows(each)), False)


def _joined(cluster: str, sign: str) -> bool:
    """Return whether a cluster goes on with the next character of its text."""
    if len(cluster) >= MOST_SIGNS:
        return False
    if _follows(sign):
        return True
    if sign in _FLAGS:
        return cluster in _FLAGS
    return joins_emoji(cluster, sign) or _joins_syllable(cluster[-1], sign) or _joins_consonant(cluster, sign)


def _follows(sign: str) -> bool:
    return sign in _FOLLOWING or (category(sign)[0] == "M" and sign not in _ALONE)


def _joins_syllable(last: str, sign: str) -> bool:
    """Return whether two characters are of one syllable of Hangul."""
    whole, more = "\uac00" <= sign <= "\ud7a3", "\uac00" <= last <= "\ud7a3"
    open_ended = more and (ord(last) - 0xAC00) % 28 == 0  # a syllable without a trailing consonant
    if sign in _LEADING or whole:
        return last in _LEADING
    if sign in _VOWELS:
        return last in _LEADING or last in _VOWELS or open_ended
    return sign in _TRAILING and (last in _VOWELS or last in _TRAILING or more)


def _joins_consonant(cluster: str, sign: str) -> bool:
    """Return whether a virama at the end of a cluster joins it with a consonant."""
    if sign not in _CONSONANTS:
        return False
    joined = False
    for each in reversed(cluster):
        if category(each) == "Mc" or each == ZWNJ or not _follows(each):
            return joined and each in _CONSONANTS
        joined = joined or each in _VIRAMAS
    return False
