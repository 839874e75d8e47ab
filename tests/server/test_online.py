"""How the terminal finds a table on a server, and a seat there again."""

import asyncio
import json
import re
import shlex
from collections.abc import Callable, Coroutine
from functools import partialmethod
from pathlib import Path
from typing import Any

import pytest
from textual.app import App
from textual.pilot import Pilot

from mekuri import cli
from mekuri.match.replay import replay
from mekuri.protocol import table as wire
from mekuri.terminal.base import line
from mekuri.terminal.base.guest import sign_out
from mekuri.terminal.base.kept import KeptError
from mekuri.terminal.base.line import LineError, parse_link, parse_server
from mekuri.terminal.base.online import join_table
from mekuri.terminal.base.remote import known_game
from mekuri.terminal.screens.app import MekuriApp
from mekuri.terminal.screens.sheet import ResultScreen, SheetScreen
from tests.helpers.screens import SMALL, on_screen, play_through, table_of, until_asked
from tests.helpers.server.remotes import GAME, sit
from tests.helpers.server.serving import Serving, serving
from tests.helpers.tables import in_turn
from tests.helpers.time import until


@pytest.mark.every_days(4)
async def test_joining_after_a_crash_restores_seat_and_log(server: Serving) -> None:
    play = await sit(server, rounds=2)
    async with on_screen(play) as (app, pilot):
        await play_through(pilot)
        await pilot.press("enter")
        assert await until_asked(pilot)
        logged = [table_of(app).translator.text(text) for text in table_of(app)._log]
    again = await join_table(play.link, "", "", False, 5)
    assert again.you == 0
    async with on_screen(again) as (app, pilot):
        assert await until_asked(pilot)
        assert again.number == 2
        assert [table_of(app).translator.text(text) for text in table_of(app)._log] == logged
        await until(lambda: again.results)
        assert again.results == play.results[:1]


async def test_shown_link_has_the_public_url(tmp_path: Path) -> None:
    """The operator plays under the name that the server has on its own machine."""
    async with serving(tmp_path / "mekuri.db", public_url="https://mekuri.example") as server:
        play = await sit(server, seats=("person", "person"))
        assert play.link == f"https://mekuri.example/t/{play.id}"
        assert play.server == server.address
        again = await join_table(f"{server.address}/t/{play.id}", "", "", False, 0)
        assert again.link == play.link


@pytest.mark.every_days(4)
async def test_join_between_two_rounds_shows_the_sheet(server: Serving) -> None:
    play = await sit(server, rounds=2)
    async with on_screen(play) as (app, pilot):
        await play_through(pilot)
    again = await join_table(play.link, "", "", False, 0)
    async with on_screen(again) as (app, pilot):
        await until(lambda: isinstance(app.screen, SheetScreen))
        assert again.results == play.results
        await pilot.press("enter")
        assert await until_asked(pilot)
        assert again.number == 2


async def test_unknown_guest_gets_a_new_token(tmp_path: Path, own_tokens: Path) -> None:
    async with serving(tmp_path / "one.db") as first:
        await sit(first)
        port = int(first.address.rpartition(":")[2])
    tokens = json.loads(own_tokens.read_text())
    async with serving(tmp_path / "two.db", port=port) as second:
        with pytest.raises(LineError, match=r"does not know the guest that you were .* --sign-out here"):
            await sit(second)
        assert json.loads(own_tokens.read_text()) == tokens, "no token is replaced unasked"
    async with serving(tmp_path / "one.db", port=port) as first:
        await sit(first)
    async with serving(tmp_path / "two.db", port=port) as second:
        await sign_out(second.address, "here")
        await sit(second)
    assert json.loads(own_tokens.read_text()).keys() == tokens.keys()
    assert json.loads(own_tokens.read_text()) != tokens


async def test_token_file_is_private_and_reused(server: Serving, own_tokens: Path) -> None:
    await sit(server)
    assert own_tokens.stat().st_mode & 0o777 == 0o600
    token = own_tokens.read_text()
    await sit(server)
    assert own_tokens.read_text() == token
    assert [file.name for file in own_tokens.parent.iterdir()] == ["tokens.json"]
    own_tokens.write_text("[")
    with pytest.raises(KeptError, match="delete it"):
        await sit(server)


# --- Addresses, and refusals before a player sits down ---


@pytest.mark.parametrize(
    ("link", "server", "table"),
    [
        ("http://localhost:8413/t/aB-_9", "http://localhost:8413", "aB-_9"),
        ("localhost:8413/t/x", "http://localhost:8413", "x"),
        ("https://mekuri.example/cards/t/x/", "https://mekuri.example/cards", "x"),
        ("http://[::1]:8413/api/tables/x", "http://[::1]:8413", "x"),
    ],
)
def test_valid_link_is_parsed(link: str, server: str, table: str) -> None:
    assert parse_link(link) == (server, table)


@pytest.mark.parametrize(
    "link", ["", "x", "http://", "http://localhost:8413", "http://localhost/t/", "ftp://x/t/y", "http://x:y/t/z"]
)
def test_invalid_link_is_refused(link: str) -> None:
    with pytest.raises(LineError, match=r"link to a table|address of a server"):
        parse_link(link)


@pytest.mark.parametrize("server", ["", "http://", "ftp://here", "http://here?x=1", "http://here:port"])
def test_invalid_server_address_is_refused(server: str) -> None:
    with pytest.raises(LineError, match="address of a server"):
        parse_server(server)


async def test_unknown_game_is_reported_in_one_line(server: Serving) -> None:
    play = await sit(server)
    async with line.Line(server.address) as other:
        table = await other.ask("GET", f"/api/tables/{play.id}", wire.Table)
    for changed, message in (({"game": "nothing"}, "does not have"), ({"ruleset": 99}, "version 99")):
        fields = {field: getattr(table, field) for field in table.__struct_fields__} | changed
        with pytest.raises(LineError, match=message):
            known_game(wire.Table(**fields))


async def test_other_web_server_is_refused() -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello")
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as other:
        port = other.sockets[0].getsockname()[1]
        with pytest.raises(LineError, match="is no Mekuri server"):
            await join_table(f"http://127.0.0.1:{port}/t/x", "", "", True, 0)


async def command(*words: str) -> int | str | None:
    """The exit status of a command, run beside the server's loop."""

    def run() -> int | str | None:
        try:
            cli.main(words)
        except SystemExit as leaving:
            return leaving.code
        return 0

    return await asyncio.to_thread(run)


@pytest.mark.parametrize("seating", in_turn(["order", "lot"]))
async def test_play_command_writes_a_verifiable_record(
    server: Serving, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path, seating: str
) -> None:
    async def press(pilot: Pilot[None]) -> None:
        await play_through(pilot)
        await pilot.press("enter")
        await until(lambda: isinstance(pilot.app.screen, ResultScreen))
        await pilot.press("enter")

    sit_at(monkeypatch, press)
    file = tmp_path / "a match.json"
    words = (
        f"play {GAME} --server {server.address} --seats greedy,you --seating {seating} --option rounds=1 --pace 0 --record".split()
    )
    assert await command(*words, str(file)) == 0
    match = replay(file.read_bytes())
    assert match.over
    assert "greedy" in match.players
    assert match.players[0] == "greedy" or seating == "lot"
    out, _ = capsys.readouterr()
    assert await command(*shlex.split(out.partition("mekuri ")[2])) == 0
    assert await command("verify", str(file), "--commitment", "0" * 64) == 2


async def test_quitting_prints_the_way_back(
    server: Serving, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    async def press(pilot: Pilot[None]) -> None:
        assert await until_asked(pilot)
        await pilot.press("ctrl+q")

    sit_at(monkeypatch, press)
    file = tmp_path / "match.json"
    assert await command(*f"play {GAME} --server {server.address} --pace 0 --record {file}".split()) == 2
    out, err = capsys.readouterr()
    link = re.findall(r"mekuri join (\S+)", out)[0]
    assert "not over" in err
    assert not file.exists()
    again = await join_table(link, "", "", False, 0)
    assert again.you == 0


def sit_at(monkeypatch: pytest.MonkeyPatch, press: Callable[[Pilot[Any]], Coroutine[Any, Any, None]]) -> None:
    """Let the command assume a terminal in which keys are pressed."""
    monkeypatch.setattr("mekuri.cli.play.need_terminal", lambda: None)
    monkeypatch.setattr(MekuriApp, "run_async", partialmethod(App.run_async, headless=True, size=SMALL, auto_pilot=press))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("join SERVER/t/nothing", "no such table"),
        ("join SERVER/t/nothing --watch", "no such table"),
        ("join TABLE --names none", "card names"),
        ("join TABLE", "Every seat is taken"),
        (f"play {GAME} --server SERVER --name {'x' * 25}", ""),
    ],
)
async def test_refusal_of_the_server_is_one_line(
    server: Serving, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: str, message: str, own_tokens: Path
) -> None:
    monkeypatch.setattr("mekuri.cli.play.need_terminal", lambda: None)
    play = await sit(server)
    own_tokens.unlink()
    assert await command(*words.replace("TABLE", play.link).replace("SERVER", server.address).split()) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("mekuri: ")
    assert err.count("\n") == 1
    assert message in err


async def test_lost_answer_creates_one_table(server: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = line.Line.fetch
    sent: list[str] = []

    async def losing(self: line.Line, method: str, path: str, *rest: Any) -> bytes:
        answer = await asked(self, method, path, *rest)
        sent.append(path)
        if path == "/api/tables" and sent.count(path) == 1:
            raise line.NoAnswer("the answer is lost")
        return answer

    monkeypatch.setattr(line.Line, "fetch", losing)
    play = await sit(server)
    assert sent.count("/api/tables") == 2
    assert await server.desk.store.ids("running") == [play.id]
    assert await server.desk.store.ids("open") == []
