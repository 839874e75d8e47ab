"""The earlier release, for tests in which its processes and those of this one serve one database."""

import io
import subprocess
import tarfile
import tomllib
from pathlib import Path

import pytest

from tests.helpers.folders import CHECKOUT

COMMIT = "4f03abd72a00eeb9c2d40e8921cf2d5471cd86a0"
REVISION = "0010"  # of its database


def unpack(folder: Path) -> Path:
    """Unpack the earlier release from the history of the checkout. Returns the folder from which Python imports it.

    It runs with the packages that are installed here. That is quicker than an installation, and the same while it needs the same.
    Skips the test where the checkout has no such history.
    """
    packed = subprocess.run(
        ["git", "-C", str(CHECKOUT), "archive", COMMIT, "src", "pyproject.toml"], capture_output=True, check=False
    )
    if packed.returncode:
        pytest.skip(f"the history of this checkout does not go back to the earlier release, {COMMIT[:7]}")
    with tarfile.open(fileobj=io.BytesIO(packed.stdout)) as archive:
        archive.extractall(folder, filter="data")
    assert _needs(folder) <= _needs(CHECKOUT), "the earlier release needs other packages: give it an environment of its own"
    return folder / "src"


def _needs(checkout: Path) -> set[str]:
    project = tomllib.loads((checkout / "pyproject.toml").read_text("utf-8"))["project"]
    return {*project["dependencies"], *project["optional-dependencies"]["postgresql"]}
