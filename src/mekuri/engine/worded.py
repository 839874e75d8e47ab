"""A text with its arguments in place of the names in braces; after a number, in the form that goes with it."""

from __future__ import annotations

import re
from collections.abc import Mapping

# What is said of one, and what of any other number: `{count} {count:card|cards}`. Of less than nothing likewise: "-1 point".
_FORMS = re.compile(r"\{(\w+):([^{}|]*)\|([^{}|]*)\}")
_ONE = re.compile(r"[-+\u2212]?1")


def worded(text: str, args: Mapping[str, object]) -> str:
    """A text with its arguments. Raises KeyError where it names one that is not there."""
    return in_number(text, args).format(**args)


def in_number(text: str, args: Mapping[str, object]) -> str:
    """A text in the forms that go with its numbers, its arguments still in braces."""
    return _FORMS.sub(lambda found: found[2] if _ONE.fullmatch(str(args[found[1]])) else found[3], text)


def without_forms(text: str) -> str:
    """A text with none but the names of its arguments in braces, as it is told of many."""
    return _FORMS.sub(r"\3", text)
