"""Texts with their arguments in braces, as a client gets them."""

from string import Formatter

import pytest

from mekuri.engine.rulebook import LANGUAGES

each_language = pytest.mark.parametrize("lang", LANGUAGES)


def arguments(template: str) -> set[str]:
    """The arguments of a text. Fails where its braces hold more than a name: a client need not know Python's formats."""
    found = set()
    for literal, name, format, conversion in Formatter().parse(template):
        assert "{" not in literal, template
        assert "}" not in literal, template
        assert not format, template
        assert not conversion, template
        if name is not None:
            assert name.isidentifier(), template
            found.add(name)
    return found
