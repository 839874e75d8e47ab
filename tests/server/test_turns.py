"""Tables with days a move, in the terminal: how one is made, until when it waits, and where the person is asked."""

import asyncio
import re
from datetime import datetime

import pytest

from mekuri.cli import main
from mekuri.engine.rulebook import LANGUAGES, Lang
from mekuri.protocol import table as wire
from mekuri.server.http.run import listen
from mekuri.terminal.base.kept import keep_token
from mekuri.terminal.base.online import make_table
from mekuri.terminal.base.remote import RemotePlay
from mekuri.terminal.base.texts import say, when
from mekuri.terminal.base.turns import Turns, owed
from mekuri.terminal.screens.home import home_app
from tests.helpers.patience import PATIENCE
from tests.helpers.screens import on_screen, screen_text
from tests.helpers.server.serving import Guest, Serving
from tests.helpers.tables import USUAL
from tests.helpers.time import until


@pytest.fixture(autouse=True)
def patient_with_servers(monkeypatch: pytest.MonkeyPatch) -> None:
    """No server is late only because the machine is busy."""
    monkeypatch.setattr("mekuri.terminal.base.turns._PATIENCE", PATIENCE)


async def made(server: Serving, ben: Guest, days: int = 3) -> RemotePlay:
    """Return a table made from the terminal, with a turn-by-turn match against Ben, who is to move."""
    asked = wire.AskTable(game=USUAL, seats=["person", "person"], first_dealer=1, term=wire.AskTerm(days=days))
    play = await make_table(server.address, asked, 0, "Aki", 0)
    await ben.sit(play.id)
    return play


async def printed(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """Return what a command prints."""
    capsys.readouterr()
    await asyncio.to_thread(main, words)
    return capsys.readouterr().out


async def printed_in_part(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[str, str]:
    """Return what a command prints that ends with status 1, on standard output and on standard error."""
    with pytest.raises(SystemExit) as ended:
        await printed(capsys, *words)
    assert ended.value.code == 1
    return capsys.readouterr()


@pytest.mark.parametrize("lang", LANGUAGES)
async def test_table_shows_the_deadline(server: Serving, ben: Guest, lang: Lang) -> None:
    play = await made(server, ben)
    due = (await ben.look(play.id))["view"]["due"]
    assert not play.absent(1), "nobody is, where a move may take days"
    async with on_screen(play, lang) as (app, _):
        await until(lambda: say("table.until", lang, when=when(due, lang)) in screen_text(app).replace("\n", " "))


async def test_waiting_tables_are_listed(server: Serving, ben: Guest, capsys: pytest.CaptureFixture[str]) -> None:
    play = await made(server, ben, 7)
    keep_token(server.address, ben.http.headers["authorization"].removeprefix("Bearer "))
    due = (await ben.look(play.id))["owed"]["until"]
    for words in (("turns",), ("turns", server.address)):
        line = await printed(capsys, *words, "--lang", "en")
        assert re.fullmatch(rf".+, with Aki, until {re.escape(when(due, 'en'))}: mekuri join {re.escape(play.link)}\n", line)
    await ben.leave(play.id)
    assert await printed(capsys, "turns", "--lang", "en") == "No table is waiting for you.\n"


async def test_menu_shows_waiting_tables(server: Serving, ben: Guest) -> None:
    play = await made(server, ben)
    keep_token(server.address, ben.http.headers["authorization"].removeprefix("Bearer "))
    app = home_app("en")
    async with app.run_test(size=(100, 40)) as pilot:
        await until(lambda: play.link in screen_text(app))
        assert "It is your turn" in screen_text(app)
        await pilot.press("g")
        await until(lambda: "あなたの番です" in screen_text(app))


@pytest.mark.parametrize("lang", LANGUAGES)
async def test_unreachable_server_is_named(server: Serving, ben: Guest, capsys: pytest.CaptureFixture[str], lang: Lang) -> None:
    play = await made(server, ben)
    keep_token(server.address, ben.http.headers["authorization"].removeprefix("Bearer "))
    keep_token("http://127.0.0.1:9", "nobody's")
    (found,) = (await owed()).owed
    named = f"mekuri: {say('turns.unreached', lang, server='http://127.0.0.1:9')}\n"
    assert await printed_in_part(capsys, "turns", "--lang", lang) == (f"{found.text(lang)}\n", named)
    await ben.leave(play.id)
    assert await printed_in_part(capsys, "turns", "--lang", lang) == ("", named), "what waits at the other server is not known"


async def test_incomplete_answer_of_a_server_is_named(
    server: Serving, ben: Guest, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    await made(server, ben)
    keep_token(server.address, ben.http.headers["authorization"].removeprefix("Bearer "))

    async def late(*_: object) -> None:
        raise TimeoutError

    monkeypatch.setattr("mekuri.desk.routes.lists.listed", late)
    named = f"mekuri: {say('turns.unreached', 'en', server=server.address)}\n"
    for words in (("turns",), ("turns", server.address)):
        assert await printed_in_part(capsys, *words, "--lang", "en") == ("", named)


async def test_slow_server_counts_as_unreachable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mekuri.terminal.base.turns._PATIENCE", 0)
    with listen("127.0.0.1", 0) as silent:
        address = f"http://127.0.0.1:{silent.getsockname()[1]}"
        keep_token(address, "nobody's")
        assert await owed() == Turns([], [address])


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--days", "15", "--seats", "you", "open"), "1 to 14 days"),
        (("--days", "3"), "leave a seat open"),
    ],
)
def test_invalid_options_are_refused(capsys: pytest.CaptureFixture[str], words: tuple[str, ...], why: str) -> None:
    with pytest.raises(SystemExit):
        main(["play", USUAL, "--server", "http://127.0.0.1:9", *words])
    assert why in capsys.readouterr().err


def test_local_table_has_no_term(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["play", USUAL, "--days", "3"])
    assert "name it with --server" in capsys.readouterr().err


def test_times_are_in_local_time() -> None:
    at = round(datetime(2026, 11, 27, 14, 5).timestamp() * 1000)
    assert (when(at, "en"), when(at, "ja")) == ("Fri 2026-11-27 14:05", "11月27日（金）14:05")
