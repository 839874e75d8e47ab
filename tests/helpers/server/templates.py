"""Texts with placeholders in braces, as clients receive them."""

import re
from collections.abc import Mapping
from string import Formatter

import pytest

from mekuri.engine.rulebook import LANGUAGES

each_language = pytest.mark.parametrize("lang", LANGUAGES)


# A form for one, and a form for any other number.
FORMS = re.compile(r"{(\w+):([^{}|]*)\|([^{}|]*)}")


def in_number(template: str, args: Mapping[str, object]) -> str:
    """Return a text with the forms that fit its numbers, as a client chooses them."""
    return FORMS.sub(lambda form: form[2 if str(args[form[1]]) in ("1", "+1", "-1", "\u22121") else 3], template)


def arguments(template: str) -> set[str]:
    """Return the placeholders of a text. Fails where its braces hold more than names and forms, such as formats of Python."""
    found = {form[1] for form in FORMS.finditer(template)}
    template = FORMS.sub("", template)
    for literal, name, format, conversion in Formatter().parse(template):
        assert "{" not in literal, template
        assert "}" not in literal, template
        assert not format, template
        assert not conversion, template
        if name is not None:
            assert name.isidentifier(), template
            found.add(name)
    return found
