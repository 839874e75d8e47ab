"""`mekuri guest`: oneself on a server, from a terminal."""

import json
import re
from pathlib import Path

import pytest

from mekuri.terminal.base.guest import half_blocks
from mekuri.terminal.base.kept import kept_token
from tests.helpers.commands import Said
from tests.helpers.server.gathering import begun, guests
from tests.helpers.server.serving import Guest, Serving, play_out, serving
from tests.helpers.tables import USUAL


@pytest.fixture
def said(capsys: pytest.CaptureFixture[str]) -> Said:
    return Said(capsys, "guest")


async def test_guest_command_signs_in_renames_and_signs_out(
    server: Serving, aki: Guest, ben: Guest, said: Said, tmp_path: Path
) -> None:
    here = server.address
    assert f"you are no guest of {here} here yet" in await said(here)
    code = (await aki.call("POST", "/api/guests/code"))["code"]
    assert await said(here, "--code", code) == "you are Aki here now\n"
    assert await said(here) == "Aki; devices: 2\n"
    shown = await said(here, "--show-code")
    found = re.search(r"^((?:\d{3} ?){6}), good until \d\d:\d\d, or open (\S+)$", shown, re.MULTILINE)
    assert found
    assert found[2] == f"{here}/you#{found[1].replace(' ', '')}"
    assert "█▀▀▀▀▀█" in shown
    assert await said(here, "--sign-out", "elsewhere") == "only this device is yours now\n"
    assert (await aki.http.get("/api/guests/me")).status_code == 401

    file = tmp_path / "me.json"
    assert "holds all" in await said(here, "--export", str(file))
    assert json.loads(file.read_text("utf-8"))["name"] == "Aki"
    assert "is there already" in await said(here, "--export", str(file))

    code = (await ben.call("POST", "/api/guests/code"))["code"]
    assert "You are already a guest here" in await said(here, "--code", code)
    assert "nothing is deleted" in await said(here, "--delete", "Ben")
    assert await said(here, "--delete", "Aki") == "you are deleted there\n"
    assert kept_token(here) == ""
    assert await said(here, "--code", code) == "you are Ben here now\n"
    assert await said(here, "--sign-out", "here") == "you are signed out\n"
    assert kept_token(here) == ""
    assert len((await ben.call("GET", "/api/guests/devices"))["devices"]) == 1


@pytest.mark.parametrize(("words", "why"), [(("--show-code", "--delete", "Aki"), "one thing"), (("--replace",), "goes with")])
async def test_invalid_arguments_are_refused(words: tuple[str, ...], why: str, said: Said) -> None:
    assert why in await said("http://localhost:1", *words)


def test_qr_drawing_has_two_rows_a_line_and_a_margin() -> None:
    drawn = half_blocks(["110", "101", "001"])
    assert {len(row) for row in drawn} == {11}
    assert [row.strip() for row in drawn if row.strip()] == ["█▀▄", "▀"]
    assert len(drawn) == 6


async def test_matches_are_listed_and_imported_elsewhere(server: Serving, aki: Guest, said: Said, tmp_path: Path) -> None:
    here, file = server.address, tmp_path / "me.json"
    await said(here, "--code", (await aki.call("POST", "/api/guests/code"))["code"])
    assert await said(here, "--matches") == "no match of yours is over there\n"
    await play_out(await begun([aki], USUAL, rounds=1, bots=["random"]), [aki])
    assert re.match(rf"{USUAL}: matches 1, won [01], best round [+-]\d+", await said(here, "--matches"))
    assert "No such file" in await said(here, "--bring", str(file))
    await said(here, "--export", str(file))
    assert await said(here, "--bring", str(file)) == "new there: 0; there already: 1; not to be counted: 0\n"
    async with serving(tmp_path / "other.db") as other, guests(other, "Aki") as (again,):
        there = other.address
        await said(there, "--code", (await again.call("POST", "/api/guests/code"))["code"])
        assert await said(there, "--bring", str(file)) == "new there: 1; there already: 0; not to be counted: 0\n"
        assert f"{USUAL}: matches 1, of them from a file 1" in await said(there, "--matches")
        forged = json.loads(file.read_text("utf-8"))
        forged["matches"][0]["table"] = "another"
        forged["matches"][0]["record"]["rounds"][0]["returns"][0] += 1
        file.write_text(json.dumps(forged), encoding="utf-8")
        assert await said(there, "--bring", str(file)) == "new there: 0; there already: 0; not to be counted: 1\n"
    file.write_text("{", encoding="utf-8")
    assert "only a part of one" in await said(here, "--bring", str(file))
    assert "one thing at a time" in await said(here, "--bring", str(file), "--matches")
