"""The page is small."""

import gzip
import re

import pytest

from mekuri.server.http.routes.page import FOLDER
from tests.helpers.page.browser import NO_PAGE

PLAYED = 60 * 1024  # bytes, as they are sent, of the scripts that are loaded to play a round: the first screen's and a table's
OTHER = 30 * 1024  # of every other, which is loaded when one goes there, or when there is something to show


def scripts() -> dict[str, int]:
    """Every script of the page, and its size as it is sent."""
    found = {file.name: len(gzip.compress(file.read_bytes(), mtime=0)) for file in FOLDER.rglob("*.js")}
    if not found:
        pytest.skip(NO_PAGE)
    return found


def test_scripts_of_a_round_are_small() -> None:
    sizes = {name: size for name, size in scripts().items() if re.match("page-|table-", name, re.IGNORECASE)}
    assert len(sizes) == 3
    assert sum(sizes.values()) < PLAYED, sizes


def test_other_parts_are_loaded_on_demand() -> None:
    sizes = {name: size for name, size in scripts().items() if not re.match("page-|table-", name, re.IGNORECASE)}
    assert max(sizes.values()) < OTHER, sizes
