"""The container file under `deploy/`: built as it stands, and what it starts serves.

No registry of images is asked: this machine's own Python and system stand in for the base image. So what is tried is each step of
ours, and not what the real base brings.
"""

import asyncio
import os
import re
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest

from tests.helpers.folders import CHECKOUT
from tests.helpers.server.ports import free_port

FILE = CHECKOUT / "deploy" / "Containerfile"
TEXT = FILE.read_text(encoding="utf-8")
BUILDAH = shutil.which("buildah")
# The parts of /etc that a program needs. They contain no secrets.
KEPT = (
    "passwd",
    "group",
    "login.defs",
    "ssl",
    "ca-certificates",
    "nsswitch.conf",
    "ld.so.cache",
    "alternatives",
    "hosts",
    "pip.conf",
)
TRUST = ("NODE_EXTRA_CA_CERTS", "SSL_CERT_DIR", "SSL_CERT_FILE")

can_build = pytest.mark.skipif(
    not (BUILDAH and sys.platform == "linux" and os.getuid() == 0),
    reason="THE CONTAINER IS NOT BUILT. As root on Debian, Ubuntu: apt install buildah",
)


def test_named_files_exist() -> None:
    for pins in re.findall(r"/source/(requirements/[\w.]+)", TEXT):
        assert (CHECKOUT / pins).exists(), pins
    ignored = (CHECKOUT / ".dockerignore").read_text(encoding="utf-8").split()
    # Build results and personal work do not belong in an image.
    assert {".git", ".venv", "**/node_modules", "src/mekuri/server/page"} <= set(ignored)


def test_container_serves_as_an_unprivileged_user() -> None:
    last = TEXT.rpartition("FROM ")[2]
    assert "USER mekuri" in last
    assert '--database", "/data/' in last
    assert "VOLUME /data" in last


class Builder:
    """Run buildah with its storage in one folder, and this machine's own system as the base image."""

    def __init__(self, folder: Path) -> None:
        self._words = [str(BUILDAH), "--root", str(folder / "root"), "--runroot", str(folder / "run"), "--storage-driver", "vfs"]
        beneath = ["/usr", sys.base_prefix, *(f"/opt/{name}" for name in os.listdir("/opt"))]
        self.beneath = [word for path in dict.fromkeys(beneath) for word in ("--volume", f"{path}:{path}:ro")]

    def words(self, *more: str) -> list[str]:
        return [*self._words, *more]

    def run(self, *more: str) -> str:
        done = subprocess.run(self.words(*more), capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr[-2000:]
        return done.stdout.strip()

    def base(self, name: str, system: Path) -> None:
        """An image of this name, with nothing in it but the names of this machine's folders, and its settings."""
        for path in ("tmp", "var/tmp", "proc", "sys", "dev", "root/.config"):
            (system / path).mkdir(parents=True, exist_ok=True)
        for path in ("bin", "sbin", "lib", "lib64"):
            (system / path).symlink_to(f"usr/{path}")
        (system / "tmp").chmod(0o1777)
        (system / "etc").mkdir()
        for file in (Path("/etc") / name for name in KEPT):
            if file.is_dir():
                shutil.copytree(file, system / "etc" / file.name, symlinks=True)
            elif file.exists():
                shutil.copy(file, system / "etc" / file.name)
        for own in (Path.home() / ".config" / "pip", Path.home() / ".npmrc"):
            if own.exists():
                (shutil.copytree if own.is_dir() else shutil.copy)(own, system / "root" / own.relative_to(Path.home()))
        container = self.run("from", "scratch")
        self.run("add", "--quiet", container, str(system), "/")
        trusted = [f"{name}={os.environ[name]}" for name in TRUST if name in os.environ]
        for setting in (f"PATH={sys.base_prefix}/bin:/usr/sbin:/usr/bin", *trusted):
            self.run("config", "--env", setting, container)
        self.run("commit", "--quiet", container, name)
        self.run("rm", container)


@pytest.fixture
def builder(tmp_path: Path) -> Iterator[Builder]:
    yield Builder(tmp_path / "images")
    shutil.rmtree(tmp_path / "images", ignore_errors=True)


@asynccontextmanager
async def started(*words: str) -> AsyncIterator[asyncio.subprocess.Process]:
    running = await asyncio.create_subprocess_exec(*words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
    try:
        yield running
    finally:
        if running.returncode is None:
            running.terminate()
            await running.wait()


@pytest.mark.slow
@can_build
async def test_container_builds_and_serves(builder: Builder, tmp_path: Path) -> None:
    (base,) = set(re.findall(r"^FROM (\S+)", TEXT, re.MULTILINE))
    builder.base(f"docker.io/library/{base}", tmp_path / "system")
    sources = tmp_path / "sources"
    sources.mkdir()
    packed = subprocess.run(["git", "-C", str(CHECKOUT), "archive", "HEAD"], capture_output=True, check=True).stdout
    subprocess.run(["tar", "-x", "-C", str(sources)], input=packed, check=True)
    # The file as it is now, though it may not be in a commit yet.
    shutil.copy(FILE, sources / "deploy")
    shutil.copy(CHECKOUT / ".dockerignore", sources)
    how = ["--isolation", "chroot"]
    builder.run(
        "bud", *how, "--pull-never", *builder.beneath, "-f", str(sources / "deploy" / FILE.name), "-t", "mekuri", str(sources)
    )
    container, port = builder.run("from", "--pull-never", "localhost/mekuri"), free_port()
    inside = builder.run("run", *how, *builder.beneath, container, "--", "/opt/mekuri/bin/python", "-m", "pip", "list")
    assert "mekuri" in inside
    assert "nodejs" not in inside
    command = ["/opt/mekuri/bin/mekuri", "serve", "--port", str(port), "--database", "/data/mekuri.db"]
    within = [*how, "--user", "mekuri", *builder.beneath, container, "--"]
    async with started(*builder.words("run", *within, *command)) as running:
        assert running.stdout
        assert f":{port}/" in (await running.stdout.readline()).decode()
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}") as client:
            assert (await client.get("/ready")).status_code == 200
            assert "<html" in (await client.get("/")).text
