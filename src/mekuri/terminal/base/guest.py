"""The player's guest account on a server: its devices, its matches, its export, signing out and deleting it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

import msgspec

from mekuri.files import new_file
from mekuri.protocol import guests as wire
from mekuri.protocol.played import AskBring, Brought, GamePlayed, Played
from mekuri.terminal.base.kept import drop_token, keep_token, kept_token
from mekuri.terminal.base.line import Line, LineError, ServerRefusal, parse_server
from mekuri.terminal.base.translate import printable

HERE = "/api/guests"
Where = Literal["here", "elsewhere"]


def _line(server: str) -> Line:
    """Return a connection as the guest whose token this device keeps. Raises LineError if there is none."""
    address = parse_server(server)
    token = kept_token(address)
    if not token:
        raise LineError(f"you are no guest of {address} here yet: play there first, or take a code from another device (--code)")
    return Line(address, token)


async def describe(server: str) -> str:
    """Return the guest's name and number of devices on a server.

    Raises:
        LineError: the server cannot be reached or refuses. So do the other coroutines of this module.
        KeptError: the kept tokens cannot be read. So do the other coroutines of this module.
    """
    async with _line(server) as line:
        guest = await line.ask("GET", f"{HERE}/me", wire.Guest)
        known = await line.ask("GET", f"{HERE}/devices", wire.Devices)
    return f"{printable(guest.name)}; devices: {len(known.devices)}"


async def show_code(server: str) -> tuple[str, list[str]]:
    """Ask for a code that signs the guest in on another device.

    Returns:
        The code with its expiry and its link, in one line; and the rows of its QR code for the terminal.
    """
    async with _line(server) as line:
        made = await line.ask("POST", f"{HERE}/code", wire.Code)
    until = datetime.fromtimestamp(made.until / 1000).strftime("%H:%M")
    code = " ".join(made.code[at : at + 3] for at in range(0, len(made.code), 3))
    return f"{code}, good until {until}, or open {printable(made.link)}", half_blocks(made.qr)


async def use_code(server: str, code: str, replace: bool) -> str:
    """Sign in on this device with a code of another one. Returns the guest's name.

    Args:
        server: the server's address.
        code: the code, as the other device shows it.
        replace: whether the guest of this device may be given up for it.
    """
    address = parse_server(server)
    async with Line(address, kept_token(address)) as line:
        guest = await line.ask("POST", f"{HERE}/devices", wire.Guest, wire.AskDevice(code=code, replace=replace))
        keep_token(line.server, guest.token or "")
    return printable(guest.name)


async def save_export(server: str, path: Path, most: int) -> None:
    """Write everything that the server keeps about the guest to a new file, as JSON. If that fails, there is no file.

    Args:
        server: the server's address.
        path: the file.
        most: the most bytes that it may have.
    """
    async with _line(server) as line:
        with new_file(path, instead="name a new file") as file:
            await line.save(f"{HERE}/export", file, most)


async def played(server: str) -> list[str]:
    """Return what the guest has played on a server, one line for each game."""
    async with _line(server) as line:
        matches = await line.ask("GET", f"{HERE}/matches", Played)
        while matches.counting:
            matches = await line.insist("GET", f"{HERE}/matches", Played)
    return [_summed(total) for total in matches.games] or ["no match of yours is over there"]


def _summed(total: GamePlayed) -> str:
    made = ", ".join(yaku.id if yaku.times == 1 else f"{yaku.id} ({yaku.times} times)" for yaku in total.yaku)
    parts = [
        f"matches {total.played}",
        f"of them from a file {total.imported}" if total.imported else "",
        f"won {total.won}",
        f"best round {total.best.points:+}",
        f"yaku: {made}" if made else "",
    ]
    return printable(f"{total.game}: {', '.join(filter(None, parts))}")


async def bring(server: str, export: bytes) -> str:
    """Count the matches of an export on this server too. Returns how many were new, known and refused, in one line.

    Args:
        server: the server's address.
        export: the content of a file that `save_export` has written, for this or another server.

    Raises:
        LineError: the file is no export, or the server refuses.
    """
    try:
        exported = msgspec.json.decode(export, type=wire.Export)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise LineError("this is no file of what a server keeps about you, or only a part of one") from None
    counts = {"added": 0, "known": 0, "refused": 0}
    async with _line(server) as line:
        for match in exported.matches:
            if match.record and match.seat is not None and match.counted:
                counts[await _bring(line, match, match.record, match.seat)] += 1
    return f"new there: {counts['added']}; there already: {counts['known']}; not to be counted: {counts['refused']}"


async def _bring(line: Line, match: wire.ExportedMatch, record: dict[str, Any], seat: int) -> str:
    asked = AskBring(
        table=match.table, ended_at=match.ended_at or 0, why=match.why, seat=seat, counted=match.counted, record=record
    )
    try:
        return "added" if (await line.insist("POST", f"{HERE}/matches", Brought, asked)).added else "known"
    except ServerRefusal as refusal:
        if refusal.problem.error not in ("bad-record", "no-such-game", "no-seat", "malformed", "too-large"):
            raise
        return "refused"


async def sign_out(server: str, where: Where) -> None:
    """Sign the guest out on this device, or on every other one, and drop the kept token for this one."""
    async with _line(server) as line:
        try:
            await line.ask("DELETE", f"{HERE}/devices{'/here' if where == 'here' else ''}", wire.Devices)
        except ServerRefusal as refused:
            if where != "here" or refused.problem.error != "bad-token":
                raise  # otherwise the server has forgotten the guest, and signing out is done
        if where == "here":
            drop_token(line.server)


async def delete(server: str, name: str) -> bool:
    """Delete the guest on a server if `name` is the guest's name. Returns whether it is."""
    async with _line(server) as line:
        guest = await line.ask("GET", f"{HERE}/me", wire.Guest)
        if guest.name != name:
            return False
        await line.ask("DELETE", f"{HERE}/me", wire.Devices)
        drop_token(line.server)
    return True


def half_blocks(rows: Sequence[str]) -> list[str]:
    """Draw a QR code with half blocks, two rows to a line, with a light margin of four around it. It must be shown dark on light.

    Args:
        rows: the rows of the code, each a text of `0` for light and `1` for dark.
    """
    width = len(rows[0]) + 8
    framed = ["0" * width] * 4 + [f"0000{row}0000" for row in rows] + ["0" * width] * 5
    signs = {"00": " ", "10": "▀", "01": "▄", "11": "█"}
    return ["".join(signs[a + b] for a, b in zip(*framed[at : at + 2], strict=True)) for at in range(0, len(framed) - 1, 2)]
