"""Installing distributions with pip, beside this Mekuri, in environments of their own."""

import site
import subprocess
import venv
from pathlib import Path


def environment_like_here(folder: Path) -> Path:
    """Create an environment at `folder` that also has all packages of this one. Returns its site-packages."""
    venv.create(folder)
    (lib,) = folder.glob("lib/python*/site-packages")
    here = "; ".join(f"site.addsitedir({path!r})" for path in site.getsitepackages())
    (lib / "here.pth").write_text(f"import site; {here}\n", encoding="utf-8")
    return lib


def installed_beside(folder: Path, *sources: Path) -> Path:
    """Install distributions in a new environment at `folder`, which also has all packages of this one. Returns its site-packages.

    The options keep pip from asking a registry for hatchling, which is here, and for newer versions.
    """
    lib = environment_like_here(folder)
    pip = [str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    words = [*pip, "--no-index", "--no-build-isolation", *map(str, sources)]
    ended = subprocess.run(words, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    return lib
