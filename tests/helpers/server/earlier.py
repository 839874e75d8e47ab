"""The earlier release, for tests in which its processes and those of this one serve one database."""

import io
import re
import subprocess
import tarfile
import venv
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.helpers.folders import CHECKOUT
from tests.helpers.installing import kept

COMMIT = "4f03abd72a00eeb9c2d40e8921cf2d5471cd86a0"
REVISION = "0010"  # of its database


def installed(config: pytest.Config) -> Path:
    """Install the earlier release, once, in an environment of its own, with the packages that it pins. Returns its Python.

    Skips the test where the history of the checkout does not go back to it.
    """
    packed = subprocess.run(["git", "-C", str(CHECKOUT), "archive", COMMIT], capture_output=True, check=False)
    if packed.returncode:
        pytest.skip(f"the history of this checkout does not go back to the earlier release, {COMMIT[:7]}")

    def make(folder: Path) -> None:
        venv.create(folder, with_pip=True)
        with TemporaryDirectory() as unpacked:
            with tarfile.open(fileobj=io.BytesIO(packed.stdout)) as archive:
                archive.extractall(unpacked, filter="data")
            # pip takes no hashes where it installs a folder, which has none.
            pins = (Path(unpacked) / "requirements" / "test.txt").read_text("utf-8")
            versions = Path(unpacked) / "versions.txt"
            versions.write_text("\n".join(re.findall(r"^[^\s#]+==[^\\\n]+", pins, re.MULTILINE)), "utf-8")
            words = [
                "-m",
                "pip",
                "install",
                "--quiet",
                "--disable-pip-version-check",
                "--constraint",
                str(versions),
                f"{unpacked}[postgresql]",
            ]
            ended = subprocess.run([folder / "bin" / "python", *words], capture_output=True, text=True, check=False)
        assert ended.returncode == 0, ended.stderr

    return kept(config, f"release-{COMMIT[:7]}", [], make) / "bin" / "python"
