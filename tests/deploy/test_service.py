"""The unit of systemd under `deploy/`: systemd accepts it, and the server starts and stops by it."""

import asyncio
import os
import shlex
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from tests.helpers.folders import CHECKOUT
from tests.helpers.server.ports import free_port

UNIT = CHECKOUT / "deploy" / "mekuri.service"
PROGRAM = "/opt/mekuri/bin/mekuri"
ANALYZE = shutil.which("systemd-analyze")
MOST_EXPOSED = 15  # tenths: of 100, fewer is better; what is left is the network, and that machine code is made

with_systemd = pytest.mark.skipif(not ANALYZE, reason="THE UNIT IS NOT LOOKED AT BY SYSTEMD. Debian, Ubuntu: apt install systemd")


def values_of(name: str) -> list[str]:
    """What the unit says under a name, each time."""
    lines = [line.partition("=") for line in UNIT.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    return [value for key, _, value in lines if key == name]


@pytest.fixture
def unit(tmp_path: Path) -> Path:
    """Return the unit as it is after an installation of Mekuri."""
    program = Path(sys.executable).parent / "mekuri"
    assert program.exists()
    file = tmp_path / UNIT.name
    file.write_text(UNIT.read_text(encoding="utf-8").replace(PROGRAM, str(program)), encoding="utf-8")
    return file


@with_systemd
def test_systemd_accepts_the_unit(unit: Path) -> None:
    done = subprocess.run([str(ANALYZE), "verify", "--man=no", str(unit)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@with_systemd
def test_unit_has_few_permissions(unit: Path) -> None:
    command = [str(ANALYZE), "security", "--offline=true", "--no-pager", f"--threshold={MOST_EXPOSED}", str(unit)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-200:]


@pytest.mark.every_days(4)
async def test_unit_starts_and_stops_the_server(tmp_path: Path) -> None:
    """The folders of this test replace those of systemd."""
    state, cache, settings = tmp_path / "state", tmp_path / "cache", tmp_path / "etc" / "mekuri" / "settings.toml"
    state.mkdir()
    settings.parent.mkdir(parents=True)
    port = free_port()
    settings.write_text(f"[serve]\nport = {port}\n", encoding="utf-8")
    (start,) = values_of("ExecStart")
    around = dict(setting.split("=", 1) for setting in values_of("Environment"))
    assert around == {"XDG_CONFIG_HOME": "/etc", "NUMBA_CACHE_DIR": "/var/cache/mekuri"}
    assert values_of("StateDirectory") == values_of("CacheDirectory") == ["mekuri"]
    command = shlex.split(start.replace(PROGRAM, f"{sys.executable} -m mekuri").replace("/var/lib/mekuri", str(state)))
    mine = {name: value for name, value in os.environ.items() if not name.startswith("MEKURI_")}
    running = await asyncio.create_subprocess_exec(
        *command,
        env=mine | {"XDG_CONFIG_HOME": str(tmp_path / "etc"), "NUMBA_CACHE_DIR": str(cache), "PYTHONUNBUFFERED": "1"},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        umask=int(values_of("UMask")[0], 8),
    )
    try:
        assert running.stdout
        assert f":{port}/" in (await running.stdout.readline()).decode()
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}") as client:
            assert (await client.get("/ready")).status_code == 200
        assert [file.stat().st_mode & 0o077 for file in state.iterdir()] == [0] * len(list(state.iterdir()))
        running.send_signal(signal.SIGTERM)
        _, said = await running.communicate()
    finally:
        if running.returncode is None:
            running.kill()
    # systemd takes this for an end in order, and starts nothing anew.
    assert (running.returncode, said) == (-signal.SIGTERM, b"")
