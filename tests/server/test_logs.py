"""The log of a server, and what clients cannot inject into it."""

import json
import logging
import signal
import sys
from pathlib import Path

import pytest

from mekuri.server.base.logs import Json, Text, begin
from mekuri.server.base.settings import LogLevel, Settings
from tests.helpers.server.child import Child
from tests.helpers.server.raw import body_of, request, send, status
from tests.helpers.tables import USUAL

HOSTILE = "x\n2026-01-01 00:00:00,000 ERROR forged\r\x1b[2J\u2028\u202e\x00\x85"
FORGED = "2026-01-01"


def record_of(message: str, failed: bool = False) -> logging.LogRecord:
    try:
        raise ValueError(message)
    except ValueError:
        given = ("%s", (message,), sys.exc_info() if failed else None)
    return logging.LogRecord("mekuri.server", logging.ERROR, "", 0, *given)


class TestLines:
    @pytest.mark.parametrize("form", [Text(), Json()])
    def test_each_record_is_one_printable_line(self, form: logging.Formatter) -> None:
        line = form.format(record_of(HOSTILE + "\udcff"))
        assert line.isprintable()
        assert FORGED in line

    def test_traceback_lines_are_indented(self) -> None:
        first, *more = Text().format(record_of(HOSTILE, failed=True)).split("\n")
        assert "ERROR" in first
        assert len(more) > 3
        for line in more:
            assert line.startswith("    ")
            assert line.isprintable()

    def test_traceback_is_in_the_json_object(self) -> None:
        line = Json().format(record_of(HOSTILE, failed=True))
        assert line.isprintable()
        record = json.loads(line)
        assert record.keys() == {"time", "level", "logger", "message", "traceback"}
        assert (record["level"], record["logger"], record["message"]) == ("error", "mekuri.server", HOSTILE)
        assert "ValueError" in record["traceback"]


class TestLevels:
    def begin(self, monkeypatch: pytest.MonkeyPatch, level: LogLevel) -> logging.Logger:
        """Set up the log for a test, and restore it afterwards."""
        ours = logging.getLogger("mekuri")
        monkeypatch.setattr(logging.root, "handlers", [])
        monkeypatch.setattr(logging.root, "level", logging.root.level)
        monkeypatch.setattr(ours, "level", ours.level)
        begin(Settings(log_level=level))
        return ours

    @pytest.mark.parametrize(
        ("level", "lowest"), [("error", 40), ("warning", 30), ("info", 20), ("requests", 15), ("addresses", 14)]
    )
    def test_level_applies_to_own_loggers_only(self, monkeypatch: pytest.MonkeyPatch, level: LogLevel, lowest: int) -> None:
        ours = self.begin(monkeypatch, level)
        assert ours.isEnabledFor(lowest)
        assert not ours.isEnabledFor(lowest - 1)
        # A library tells statements with their values, and addresses.
        for library in ("sqlalchemy.engine", "httpx", "uvicorn.error", "asyncio"):
            assert not logging.getLogger(library).isEnabledFor(logging.INFO)

    def test_each_request_is_logged_and_other_lines_once(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        self.begin(monkeypatch, "requests")
        for _ in range(3):
            logging.getLogger("mekuri.requests").log(15, "GET / 200 1")
            logging.getLogger("mekuri.server").error("the disk is full")
        lines = capsys.readouterr().err.splitlines()
        assert [line.split(" ", 2)[2] for line in lines] == [
            "REQUEST GET / 200 1",
            "ERROR the disk is full",
            "REQUEST GET / 200 1",
            "REQUEST GET / 200 1",
        ]


@pytest.mark.parametrize("level", ["requests", "addresses"])
async def test_request_lines_contain_no_secret(tmp_path: Path, level: str) -> None:
    """Hostile paths, names and headers, and honest ones."""
    child = Child(tmp_path / "mekuri.db", more=["--log-format", "json", "--log-level", level])
    await child.start()
    try:
        secrets = ["Akiko-the-First", "wanted-list", "tsuru-cut", "192.0.2.77", "secret-path"]
        heard = await send(child.address, request("POST", "/api/guests", {"name": secrets[0]}, {"x-forwarded-for": "192.0.2.77"}))
        token = body_of(heard)["token"]
        me = {"authorization": f"Bearer {token}", "user-agent": f"{FORGED}\u2028\u202e"}
        table = body_of(await send(child.address, request("POST", "/api/tables", {"game": USUAL}, me)))["id"]
        secrets += [token, table, body_of(heard)["id"]]
        asked = [
            request("POST", f"/api/tables/{table}/seat", {"cut": "tsuru-cut"}, me),
            request("GET", f"/t/{table}?next=wanted-list"),
            request("GET", f"/secret-path%0A{FORGED}%1B%5B2J"),
            request("GET", f"/api/tables/{FORGED}%0D%0A", headers={"cookie": f"mekuri={token}"}),
            request("GET", "/health", headers={"x-forwarded-for": f"{FORGED} {token}"}),
            request("BREW", "/wanted-list"),
        ]
        statuses = [status(await send(child.address, one)) for one in asked]
        assert statuses[:2] == [200, 200]
    finally:
        child.send(signal.SIGINT)
        await child.ended()
    lines = [json.loads(line) for line in child.err.splitlines()]
    requests = [line for line in lines if line["level"] == "request"]
    assert len(requests) == 7  # one is no HTTP
    assert requests[2]["message"].startswith("POST /api/tables/{id}/seat 200 ")
    assert [(line["method"], line["route"], line["status"]) for line in requests[3:6]] == [
        ("GET", "/t/{table}", "200"),
        ("GET", "none", "404"),
        ("GET", "/api/tables/{id}", "404"),
    ]
    if level == "addresses":
        assert [line["address"] for line in requests] == ["192.0.2.77", *["127.0.0.1"] * 5, "?"]
        secrets.remove("192.0.2.77")
    for secret in (*secrets, FORGED):
        assert secret not in child.err
