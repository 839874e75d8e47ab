"""Commands in `docs/operate.md` and `deploy/` are valid and work as described."""

import asyncio
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import httpx
import pytest

from mekuri.cli.arguments import app
from mekuri.server.base.settings import Settings
from tests.helpers.folders import CHECKOUT, DOCS
from tests.helpers.server.child import Child
from tests.helpers.server.ports import free_port
from tests.helpers.server.serving import Guest
from tests.helpers.tables import USUAL

GUIDE = (DOCS / "operate.md").read_text(encoding="utf-8")
PROGRAM = "/opt/mekuri/bin/mekuri"
FILES = [DOCS / "operate.md", *sorted((CHECKOUT / "deploy").iterdir())]
COMMANDS = {command for file in FILES for command in re.findall(rf"{PROGRAM} (\w.*)", file.read_text(encoding="utf-8"))}
DATABASE, BACKUPS = "/var/lib/mekuri", "/var/backups/mekuri"
OURS = f"{shlex.quote(sys.executable)} -m mekuri"


def line(pattern: str) -> str:
    """The one line of the guide that has it."""
    (found,) = [line for line in GUIDE.splitlines() if re.search(pattern, line)]
    return found


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_commands_of_the_guide_are_valid(command: str) -> None:
    command = re.sub(r"\$\(.*?\)", "today", command)  # what the shell makes of a date
    app.parse_args(shlex.split(command, comments=True), exit_on_error=False, print_error=False)


def test_named_files_exist() -> None:
    named = {
        path for file in FILES for path in re.findall(r"(?:deploy|requirements|docs)/[\w.-]+\w", file.read_text(encoding="utf-8"))
    }
    assert len(named) > 5
    assert [path for path in sorted(named) if not (CHECKOUT / path).exists()] == []


def test_settings_of_the_guide_exist() -> None:
    (block,) = re.findall(r"```toml\n(.*?)```", GUIDE, re.DOTALL)
    settings: dict[str, Any] = tomllib.loads(block)["serve"]
    assert Settings(**(settings | {"proxies": tuple(settings["proxies"])})).secure
    for name in re.findall(r"`(\w+) = \"", GUIDE):
        assert hasattr(Settings(), name)


@pytest.mark.every_days(4)
async def test_watching_backup_and_restore_work_as_written(tmp_path: Path) -> None:
    """As the guide says, in folders of this test: asked while it serves, kept by cron, and gone back to."""
    state, kept, metrics = tmp_path / "state", tmp_path / "kept", f"127.0.0.1:{free_port()}"
    kept.mkdir(mode=0o700)
    database = state / "mekuri.db"

    def here(command: str) -> str:
        """A command of the guide in these folders."""
        found = command.replace(PROGRAM, OURS).replace(DATABASE, str(state)).replace(BACKUPS, str(kept))
        assert found != command
        return found

    async def run(command: str) -> str:
        done = await asyncio.to_thread(subprocess.run, command, shell=True, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    child = Child(database, more=["--metrics", metrics])
    await child.start()
    try:
        aki = await Guest(child.address).arrive()
        table = await aki.make(USUAL, seats=["person", "person"])
        async with httpx.AsyncClient() as client:
            asked = re.findall(r"^curl (http://127\.0\.0\.1:9413\S+)", GUIDE, re.MULTILINE)
            assert len(asked) == 2
            for address in asked:
                assert (await client.get(address.replace("127.0.0.1:9413", metrics))).status_code == 200
        # The command that cron passes to a shell: a % would end it, so it is written \%.
        backup, clean = (line(f"mekuri {what} ").split(" mekuri ", 1)[1].replace("\\%", "%") for what in (PROGRAM, "find"))
        await run(here(backup))
        (file,) = kept.iterdir()
        assert re.fullmatch(r"\d{4}-\d\d-\d\d\.db", file.name)
        await run(here(clean))
        assert list(kept.iterdir()) == [file]
        await aki.close()
    finally:
        await child.kill()
    database.unlink()
    restore = re.sub(r"\d{4}-\d\d-\d\d", file.stem, line("mekuri restore /")).removeprefix("runuser -u mekuri -- ")
    assert "is now what" in await run(here(restore))
    child = Child(database)
    await child.start()
    try:
        again = Guest(child.address, headers=dict(aki.http.headers))
        assert (await again.look(table))["head"]["state"] == "open"
        await again.close()
    finally:
        await child.kill()
