"""Paths of folders of the checkout."""

from pathlib import Path

TESTS = Path(__file__).parents[1]
CHECKOUT = TESTS.parent
DOCS = CHECKOUT / "docs"
EXAMPLES = CHECKOUT / "examples"
OLDER = TESTS / "older"
