"""Installing distributions with pip, beside this Mekuri, in environments of their own; and keeping what takes long to make."""

import contextlib
import os
import shutil
import site
import subprocess
import sys
import venv
from collections.abc import Callable
from hashlib import sha256
from importlib.metadata import Distribution, distribution, distributions
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.helpers.folders import CHECKOUT


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


def wheel_environment(config: pytest.Config) -> Path:
    """Install the wheel of Mekuri, once, without its page, in a new environment with its requirements and nothing else.

    The requirements are linked from this environment, so that no registry is asked.

    Args:
        config: the configuration, which knows pytest's folders.

    Returns:
        The site-packages of the environment.
    """

    def make(folder: Path) -> None:
        venv.create(folder)
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", str(folder / "bin" / "python")]
        with TemporaryDirectory() as near:
            _run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", near], HATCH_BUILD_NO_HOOKS="true")
            (wheel,) = Path(near).glob("*.whl")
            _run([*pip, "install", "--quiet", "--no-index", "--no-deps", "--no-compile", str(wheel)])
        link_required(_site_packages(folder), "", _site_packages(folder))
        _run([*pip, "check"])

    return _site_packages(kept(config, "wheel", [CHECKOUT / "pyproject.toml", CHECKOUT / "src"], make))


def link_required(lib: Path, extra: str, folder: Path) -> None:
    """Link what the Mekuri of a site-packages requires from this environment into a folder.

    Args:
        lib: the site-packages.
        extra: the extra whose requirements are linked as well; empty for none.
        folder: the folder.
    """
    (installed,) = (Distribution.at(path) for path in lib.glob("mekuri-*.dist-info"))
    for one in _required(installed, extra).values():
        for name in {file.parts[0] for file in one.files or ()} - {"..", "__pycache__"}:
            (folder / name).symlink_to(Path(str(one.locate_file(name))))


def _required(installed: Distribution, extra: str) -> dict[str, Distribution]:
    """Return the distributions, by name, that a distribution requires with an extra, and their requirements."""
    found: dict[str, Distribution] = {}
    wanted = [(installed, extra)]
    while wanted:
        asking, with_extra = wanted.pop()
        for needed in map(Requirement, asking.requires or ()):
            name = canonicalize_name(needed.name)
            if needed.marker and not needed.marker.evaluate({"extra": with_extra}):
                continue
            if name not in found or needed.extras:
                found[name] = distribution(name)
                wanted += [(found[name], more) for more in ("", *needed.extras)]
    return found


def _run(words: list[str], **settings: str) -> None:
    ended = subprocess.run(words, cwd=CHECKOUT, env=os.environ | settings, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
