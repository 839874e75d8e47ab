"""The guide to the server lists every address and limit, and a real server answers its curl examples."""

import json
import re
import shlex
from dataclasses import dataclass, fields
from inspect import signature
from pathlib import Path
from typing import Any

from mekuri.cli.serve import serve
from mekuri.desk.routes.stream import MOST_TABLES
from mekuri.server.base.settings import Settings
from mekuri.server.http.app import LARGEST_REQUEST
from mekuri.server.http.run import _FILES
from tests.helpers.folders import DOCS
from tests.helpers.server.addresses import operations
from tests.helpers.server.gathering import choosing
from tests.helpers.server.serving import Guest, play_out, serving

GUIDE = (DOCS / "server.md").read_text(encoding="utf-8")
COMMANDS = [line for line in GUIDE.splitlines() if line.startswith("curl ")]


@dataclass
class Asked:
    """Return the request of a curl command: `named` if it is authenticated."""

    method: str = "GET"
    path: str = ""
    body: Any = None
    named: bool = False


def read(command: str) -> Asked:
    words = iter(shlex.split(command)[1:])
    asked = Asked()
    for word in words:
        if word == "-X":
            asked.method = next(words)
        elif word == "-d":
            asked.body, asked.method = json.loads(next(words)), "POST"
        elif word == "-H":
            asked.named |= next(words) == "$me"
        elif word != "-N":
            asked.path = word.removeprefix("$HERE")
    return asked


async def test_curl_examples_are_answered(tmp_path: Path) -> None:
    async with serving(tmp_path / "mekuri.db") as server:
        me, nobody, table = Guest(server.address), Guest(server.address), ""
        for command in COMMANDS:
            asked, path = read(command), read(command).path.replace("$TABLE", table)
            if path.endswith("/actions"):
                _, view = await choosing(table, [me])
                asked.body = {"version": view["version"], "action": view["legal"][0]["action"]}
            elif path.endswith("/ready"):
                await play_out(table, [me])
            guest = me if asked.named else nobody
            if "/stream" in path:
                async with guest.stream(table) as stream:
                    await anext(stream)  # how long to wait before reconnecting
                    assert (await anext(stream)).event == "table"
                continue
            answer = await guest.http.request(asked.method, path, json=asked.body)
            assert answer.is_success, f"{command}: {answer.text}"
            if path == "/api/guests":
                me.http.headers["authorization"] = f"Bearer {answer.json()['token']}"
            elif path == "/api/tables" and asked.method == "POST":
                table = answer.json()["id"]


def test_guide_lists_every_address() -> None:
    real = {f"{operation['method'].upper()} {_plain(operation['path'])}" for operation in operations().values()}
    assert {_plain(address.partition("?")[0]) for address in re.findall(r"^\| `([A-Z]+ /.*?)` \|", GUIDE, re.MULTILINE)} == real


def _plain(path: str) -> str:
    """An address with every name in it written alike."""
    return re.sub(r"\{\w+\}|\b[A-Z]+\b(?! /)", "*", path)


def test_guide_lists_every_option() -> None:
    rows = re.findall(r"^\| `--([\w-]+)` \|(?: ([\d.]+) \|)?", GUIDE, re.MULTILINE)
    settings = {field.name.replace("_", "-"): field.default for field in fields(Settings)}
    assert [name for name, _ in rows] == ["host", "port", *settings]
    assert {name: float(default) for name, default in rows if default} == {
        "port": signature(serve).parameters["port"].default,
        **{
            name: default
            for name, default in settings.items()
            if isinstance(default, int | float) and not isinstance(default, bool)
        },
    }


def test_guide_states_the_limits() -> None:
    usual = Settings()
    for sentence in (
        f"{LARGEST_REQUEST // 1024} KiB, and {usual.patience} seconds",
        f"{usual.head_size // 1024} KiB, {usual.headers} headers, {usual.line // 1024} KiB for one of them",
        f"{usual.head} seconds until it is whole",
        f"{usual.connections}, and {usual.connections_each} from one address",
        f"as many connections as files but {_FILES}",
        f"{usual.requests} a second of one guest",
        f"{usual.guests} a minute from one address",
        f"{usual.tables} of one guest",
        f"{usual.streams} of one guest, of up to {MOST_TABLES} tables each; {usual.strangers} from one address",
        f"memory after {usual.idle // 60} minutes",
        f"after {usual.grace} seconds",
    ):
        assert sentence in " ".join(GUIDE.split())
