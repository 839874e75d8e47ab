"""The page is small."""

import gzip

import pytest

from mekuri.server.routes.page import FOLDER

LIMIT = 60 * 1024  # bytes of JavaScript, all of it together, as it is sent


def test_all_the_scripts_are_small() -> None:
    scripts = {file.name: len(gzip.compress(file.read_bytes(), mtime=0)) for file in FOLDER.rglob("*.js")}
    if not scripts:
        pytest.skip("NO PAGE: IT IS NOT TESTED. Build it: cd web && npm ci && npm run build")
    whole = sum(scripts.values())
    largest = ", ".join(f"{name} {size}" for name, size in sorted(scripts.items(), key=lambda each: -each[1])[:5])
    assert whole < LIMIT, f"{whole} bytes of JavaScript, {LIMIT} are allowed; the largest: {largest}"
