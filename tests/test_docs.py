"""The examples in the documents run, and say what is true."""

import doctest
import re
from pathlib import Path

import pytest

import mekuri

ROOT = Path(__file__).parents[1]
FLAGS = doctest.NORMALIZE_WHITESPACE


def test_readme_examples() -> None:
    result = doctest.testfile(str(ROOT / "README.md"), module_relative=False, optionflags=FLAGS)
    assert result.attempted > 10
    assert result.failed == 0


def test_package_example() -> None:
    result = doctest.testmod(mekuri, optionflags=FLAGS)
    assert result.attempted > 2
    assert result.failed == 0


@pytest.mark.parametrize("document", [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")], ids=lambda p: p.name)
def test_links_lead_somewhere(document: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", document.read_text(encoding="utf-8")):
        assert (document.parent / target).exists(), target
