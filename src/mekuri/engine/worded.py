"""Fills the arguments of a text in, and chooses the singular or the plural of words that go with a number."""

from __future__ import annotations

import re
from collections.abc import Mapping

# A word's singular and plural, after the name of the number: `{count} {count:card|cards}`. Both 1 and -1 take the singular.
_FORMS = re.compile(r"\{(\w+):([^{}|]*)\|([^{}|]*)\}")
_ONE = re.compile(r"[-+\u2212]?1")


def worded(text: str, args: Mapping[str, object]) -> str:
    """A text with its arguments in place of their names in braces.

    Raises:
        KeyError: if the text names an argument that is not given.
    """
    return in_number(text, args).format(**args)


def in_number(text: str, args: Mapping[str, object]) -> str:
    """A text with the singular or plural chosen for each number, its arguments still in braces."""
    return _FORMS.sub(lambda found: found[2] if _ONE.fullmatch(str(args[found[1]])) else found[3], text)


def without_forms(text: str) -> str:
    """A text with the plural chosen everywhere, so that only the names of arguments stand in braces."""
    return _FORMS.sub(r"\3", text)
