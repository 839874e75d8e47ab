"""Installing distributions with pip, beside this Mekuri, in environments of their own; and keeping what takes long to make."""

import contextlib
import shutil
import site
import subprocess
import sys
import venv
from collections.abc import Callable
from hashlib import sha256
from importlib.metadata import distributions
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp

import pytest


def kept_folder(config: pytest.Config, name: str) -> Path:
    """Return the folder of this name that pytest keeps between runs; a new one where it keeps nothing."""
    cache = getattr(config, "cache", None)
    return cache.mkdir(name) if cache else Path(mkdtemp())


def kept(config: pytest.Config, name: str, made_of: list[Path], make: Callable[[Path], object]) -> Path:
    """Return a folder that is kept between runs, and made anew where anything that it is made of has changed.

    Args:
        config: the configuration, which knows where pytest keeps things.
        name: what the folder is called.
        made_of: the files, and folders of files, that it is made of. Python and what is installed count, too.
        make: makes it at the path that it is given.
    """
    installed = [f"{one.name} {one.version}" for one in distributions()]
    digest = sha256(repr([sys.version, sys.prefix, sorted(installed)]).encode())
    for path in sorted(made_of):
        for file in sorted([path] if path.is_file() else path.rglob("*")):
            if file.is_file() and "__pycache__" not in file.parts:
                digest.update(f"{file.relative_to(path.parent)} {sha256(file.read_bytes()).hexdigest()}\n".encode())
    folder = kept_folder(config, name)
    place = folder / digest.hexdigest()
    if not place.exists():
        with TemporaryDirectory(dir=folder, prefix="new-") as new:
            make(Path(new) / "made")
            with contextlib.suppress(OSError):  # another process has been faster
                (Path(new) / "made").rename(place)
    for older in folder.iterdir():
        if older != place and not older.name.startswith("new-"):
            shutil.rmtree(older, ignore_errors=True)
    return place


def environment_like_here(folder: Path) -> Path:
    """Create an environment at `folder` that also has all packages of this one. Returns its site-packages."""
    venv.create(folder)
    lib = _site_packages(folder)
    here = "; ".join(f"site.addsitedir({path!r})" for path in site.getsitepackages())
    (lib / "here.pth").write_text(f"import site; {here}\n", encoding="utf-8")
    return lib


def _site_packages(folder: Path) -> Path:
    (lib,) = folder.glob("lib/python*/site-packages")
    return lib


def installed_beside(config: pytest.Config, source: Path) -> Path:
    """Install a distribution, once, in a new environment that also has all packages of this one. Returns its site-packages."""

    def make(folder: Path) -> None:
        environment_like_here(folder)
        # The options keep pip from asking a registry for hatchling, which is here, and for newer versions.
        pip = [str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        with TemporaryDirectory() as near:  # pip builds beside the files
            shutil.copytree(source, Path(near) / source.name, ignore=shutil.ignore_patterns("__pycache__"))
            words = [*pip, "--no-index", "--no-build-isolation", str(Path(near) / source.name)]
            ended = subprocess.run(words, capture_output=True, text=True, check=False)
        assert ended.returncode == 0, ended.stderr

    return _site_packages(kept(config, f"installed-{source.name}", [source], make))
