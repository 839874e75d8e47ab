"""Paths: no file is overwritten unasked, files are written whole, and `~` is the home folder everywhere."""

import asyncio
import json
import os
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from unittest.mock import AsyncMock

import pytest

from mekuri.cards.art import find_pack, write_cards, write_sprite
from mekuri.files import FileThere, check_new, new_file, put, write_file
from mekuri.server.base.settings import Settings
from mekuri.server.http import run as server_run
from mekuri.server.ops.backup import back_up
from mekuri.server.storage.database import database_at
from mekuri.server.storage.sqlite_file import beside, scratch
from mekuri.server.storage.store import Store
from mekuri.terminal.base.guest import save_export
from mekuri.terminal.base.line import Line
from mekuri.terminal.screens.app import MekuriApp
from tests.helpers.commands import run_command
from tests.helpers.records import full_record
from tests.helpers.tables import HELD, USUAL

OLD = b"what was there before"
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the home folder of a user who works in another folder."""
    folder = tmp_path / "home"
    folder.mkdir()
    (tmp_path / "work").mkdir()
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("USERPROFILE", str(folder))
    monkeypatch.chdir(tmp_path / "work")
    monkeypatch.setattr("mekuri.cli.play.need_terminal", lambda: None)
    monkeypatch.setattr(MekuriApp, "run_async", AsyncMock())
    return folder


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """The function that runs the command."""
    return partial(run_command, capsys)


@pytest.fixture
def record(home: Path) -> Path:
    (home / "match.json").write_text(json.dumps(full_record(USUAL)), encoding="utf-8")
    return home / "match.json"


def database(folder: Path) -> Path:
    async def make() -> None:
        await (await Store.open(folder / "mekuri.db")).close()

    asyncio.run(make())
    return folder / "mekuri.db"


# The commands that write a file, FILE in their words, except commands that only accept a new file (see below).
WRITERS = {
    "a record": f"play {USUAL} --record FILE",
    "a review": "review ~/match.json --round 1 --playouts 2 --html FILE",
    "a plot": f"arena {USUAL} random greedy --pairs 1 --playouts 1 --plot FILE",
    "puzzles": f"mine {HELD[0]} --rounds 1 --into FILE",
}


class TestOverwriting:
    @pytest.mark.usefixtures("record")
    def test_no_command_overwrites_a_file_unasked(self, run: Run, home: Path, subtests: pytest.Subtests) -> None:
        for name, words in WRITERS.items():
            with subtests.test(name):
                (home / "there").write_bytes(OLD)
                status, _, err = run(*words.replace("FILE", "~/there").split())
                assert status == 2
                assert err == f"mekuri: {home / 'there'}: is there already: name another file, or add --overwrite\n"
                assert (home / "there").read_bytes() == OLD

    def test_record_is_replaced_with_overwrite(self, run: Run, home: Path) -> None:
        (home / "there").write_bytes(OLD)
        assert run("play", USUAL, "--record", "~/there", "--overwrite")[0] == 0
        assert json.loads((home / "there").read_bytes())["game"] == USUAL
        assert [file.name for file in home.iterdir()] == ["there"]

    def test_record_takes_the_next_name_if_taken_meanwhile(self, run: Run, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        async def taken(app: MekuriApp) -> None:
            for name in ("match.json", "match-2.json"):
                (home / name).write_bytes(OLD)

        monkeypatch.setattr(MekuriApp, "run_async", taken)
        status, _, err = run("play", USUAL, "--record", "~/match.json")
        assert (status, err.count("\n")) == (0, 1)
        assert "match-3.json" in err
        assert {file.name: file.read_bytes() == OLD for file in home.iterdir()} == {
            "match.json": True,
            "match-2.json": True,
            "match-3.json": False,
        }

    def test_cards_command_overwrites_no_file(self, run: Run, home: Path) -> None:
        """The command refuses a whole pack and a single file, and then writes no other file."""
        (home / "ise").mkdir()
        (home / "ise" / "7I.svg").write_bytes(OLD)
        status, _, err = run("cards", "--out", "~/ise")
        assert (status, [file.name for file in (home / "ise").iterdir()]) == (2, ["7I.svg"])
        assert "7I.svg: is there already: name another folder with --out, or add --overwrite" in err
        with pytest.raises(FileThere):
            write_cards(find_pack("ise"), home / "ise")
        write_sprite(find_pack("ise"), home / "ise")
        with pytest.raises(FileThere):
            write_sprite(find_pack("ise"), Path("~/ise"))
        assert run("cards", "--out", "~/ise", "--overwrite")[0] == 0
        assert (home / "ise" / "7I.svg").read_bytes() != OLD

    def test_new_backup_and_export_refuse_existing_files(self, run: Run, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        place, file = database(home), home / "there"
        file.write_bytes(OLD)
        for words in ("new yama --at ~/there", f"backup ~/there --database {place}"):
            status, _, err = run(*words.split())
            assert (status, file.read_bytes()) == (2, OLD)
            assert "is there already" in err

        async def save(line: Line, path: str, file: object, most: int) -> None:
            raise AssertionError("nothing is asked for")

        monkeypatch.setattr("mekuri.terminal.base.guest.kept_token", lambda address: "token")
        monkeypatch.setattr(Line, "save", save)
        with pytest.raises(FileThere, match="name a new file"):
            asyncio.run(save_export("http://127.0.0.1:9", file, 1))
        assert file.read_bytes() == OLD

    def test_backup_does_not_replace_a_file_made_meanwhile(self, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        place, file = database(home), home / "backup.db"

        def late(part: Path, path: Path, instead: str) -> None:
            file.write_bytes(OLD)
            put(part, path, instead=instead)

        monkeypatch.setattr("mekuri.server.ops.backup.put", late)
        with pytest.raises(FileThere):
            back_up(place, file)
        assert file.read_bytes() == OLD
        assert sorted(path.name for path in home.iterdir() if "db" in path.name) == ["backup.db", "mekuri.db"]

    def test_temporary_files_replace_no_file(self, home: Path) -> None:
        for why in ("part", "restore", "moving"):
            (home / f"x.db.{why}").write_bytes(OLD)
            with scratch(beside(home / "x.db", why)) as made:
                assert made.parent == home
            assert (home / f"x.db.{why}").read_bytes() == OLD


class TestOneFile:
    def test_file_is_written_whole_or_not_at_all(self, home: Path) -> None:
        for overwrite in (False, True):
            file = home / f"file-{overwrite}"
            with suppress(ZeroDivisionError), new_file(file, overwrite) as part:
                part.write(b"half of it")
                raise ZeroDivisionError
            assert list(home.iterdir()) == []
        file.write_bytes(OLD)
        with pytest.raises(UnicodeEncodeError):
            write_file(file, "half a character: \ud83c", overwrite=True)
        assert file.read_bytes() == OLD

    def test_overwriting_keeps_links_and_permissions(self, home: Path) -> None:
        (home / "real").write_bytes(OLD)
        (home / "real").chmod(0o640)
        (home / "link").symlink_to(home / "real")
        (home / "broken").symlink_to(home / "nothing")
        for name in ("link", "broken"):
            with pytest.raises(FileThere):
                write_file(home / name, b"new")
        write_file(home / "link", b"new", overwrite=True)
        assert (home / "link").is_symlink()
        assert ((home / "real").read_bytes(), (home / "real").stat().st_mode & 0o777) == (b"new", 0o640)

    def test_device_file_is_written_directly(self) -> None:
        check_new(Path(os.devnull))
        write_file(Path(os.devnull), "a record")
        assert not Path(os.devnull).is_file()

    def test_no_file_is_overwritten_without_hard_links(self, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def link(*_: object) -> None:
            raise OSError("none here")

        monkeypatch.setattr(os, "link", link)
        write_file(home / "file", b"new")
        (home / "part").write_bytes(b"new")
        (home / "other").write_bytes(OLD)
        with pytest.raises(FileThere):
            put(home / "part", home / "other")
        (home / "part").unlink()
        assert {file.name: file.read_bytes() for file in home.iterdir()} == {"file": b"new", "other": OLD}

    def test_errors_name_the_requested_file(self, home: Path) -> None:
        with pytest.raises(FileNotFoundError, match=r"there is no folder .*nowhere"):
            check_new(home / "nowhere" / "file")
        with pytest.raises(IsADirectoryError):
            check_new(home)


class TestHome:
    def test_tilde_is_the_home_in_every_path_of_a_command(
        self, run: Run, home: Path, record: Path, subtests: pytest.Subtests
    ) -> None:
        """Of files that are read, and of files and folders that are written."""
        place = database(home)
        for words, made in (
            (f"play {USUAL} --record ~/a.json", "a.json"),
            ("cards --out ~/cards --sprite", "cards/ise.svg"),
            ("new yama --at ~/yama", "yama/README.md"),
            ("backup ~/b.db --database ~/mekuri.db", "b.db"),
            ("restore ~/b.db --database ~/c.db", "c.db"),
            ("move-database ~/mekuri.db ~/d.db", "d.db"),
            ("admin list --database sqlite:///~/mekuri.db", place.name),
            ("replay ~/match.json", record.name),
            ("verify ~/match.json", record.name),
            ("practice ~/match.json --seat 9", record.name),
        ):
            with subtests.test(words):
                status, _, err = run(*words.split())
                assert "No such file" not in err
                assert status == 0 or "dealt from a seed" in err or "has seats" in err, err  # it was read
                assert (home / made).exists()
        assert list(Path.cwd().iterdir()) == []

    @pytest.mark.parametrize("how", ["option", "environment", "file"])
    def test_tilde_is_the_home_in_settings(self, how: str, run: Run, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        served: list[Settings] = []
        monkeypatch.setattr(server_run, "serve", lambda host, port, settings: served.append(settings))
        (home / "settings.toml").write_text('[serve]\ndatabase = "~/mekuri.db"\n' if how == "file" else "", encoding="utf-8")
        monkeypatch.setenv("MEKURI_SETTINGS", "~/settings.toml")
        if how == "environment":
            monkeypatch.setenv("MEKURI_SERVE_DATABASE", "~/mekuri.db")
        assert run("serve", *(("--database", "~/mekuri.db") if how == "option" else ()))[0] == 0
        assert [database_at(settings.database or "") for settings in served] == [home / "mekuri.db"]
