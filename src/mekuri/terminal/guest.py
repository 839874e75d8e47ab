"""Oneself on a server: on another device, signed out, given out as a file, deleted."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Literal

from mekuri.protocol import table as wire
from mekuri.terminal.line import Line, parse_server
from mekuri.terminal.tokens import drop_token, keep_token, kept_token
from mekuri.terminal.voice import printable

HERE = "/api/guests"
Where = Literal["here", "elsewhere"]


def _line(server: str) -> Line:
    address = parse_server(server)
    return Line(address, kept_token(address))


async def describe(server: str) -> str:
    """Who this person is there, and with how many devices. Raises LineError as all that follow."""
    async with _line(server) as line:
        guest = await line.ask("GET", f"{HERE}/me", wire.Guest)
        known = await line.ask("GET", f"{HERE}/devices", wire.Devices)
    return f"{printable(guest.name)}; devices: {len(known.devices)}"


async def show_code(server: str) -> tuple[str, list[str]]:
    """What is to be entered on another device, and the rows of its QR code."""
    async with _line(server) as line:
        told = await line.ask("POST", f"{HERE}/code", wire.Code)
    until = datetime.fromtimestamp(told.until / 1000).strftime("%H:%M")
    return f"{told.code[:4]} {told.code[4:8]} {told.code[8:]}, good until {until}, or open {printable(told.link)}", half_blocks(
        told.qr
    )


async def use_code(server: str, code: str, replace: bool) -> str:
    """Become whoever showed a code; what that person is called."""
    async with _line(server) as line:
        guest = await line.ask("POST", f"{HERE}/devices", wire.Guest, wire.AskDevice(code=code, replace=replace))
        keep_token(line.server, guest.token or "")
    return printable(guest.name)


async def fetch_export(server: str) -> bytes:
    """All that is kept about this person there."""
    async with _line(server) as line:
        return await line.fetch("GET", f"{HERE}/export")


async def sign_out(server: str, where: Where) -> None:
    """Sign this person out, here or on every other device."""
    async with _line(server) as line:
        await line.ask("DELETE", f"{HERE}/devices{'/here' if where == 'here' else ''}", wire.Devices)
        if where == "here":
            drop_token(line.server)


async def delete(server: str, name: str) -> bool:
    """Have this person deleted there, if that is the name; whether it is."""
    async with _line(server) as line:
        guest = await line.ask("GET", f"{HERE}/me", wire.Guest)
        if guest.name != name:
            return False
        await line.ask("DELETE", f"{HERE}/me", wire.Devices)
        drop_token(line.server)
    return True


def half_blocks(rows: Sequence[str]) -> list[str]:
    """A drawing of `0` and `1` with two rows a line, and its light margin. To be shown dark on light."""
    width = len(rows[0]) + 8
    framed = ["0" * width] * 4 + [f"0000{row}0000" for row in rows] + ["0" * width] * 5
    signs = {"00": " ", "10": "▀", "01": "▄", "11": "█"}
    return ["".join(signs[a + b] for a, b in zip(*framed[at : at + 2], strict=True)) for at in range(0, len(framed) - 1, 2)]
