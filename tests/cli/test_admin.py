"""The command `mekuri admin`."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from mekuri.cli import main
from mekuri.protocol.table import AskTable
from mekuri.server.storage.store import Store
from mekuri.table import commands
from mekuri.table.session import new_match
from tests.helpers.server.databases import ready
from tests.helpers.server.stores import sql
from tests.helpers.tables import USUAL


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """A database with a guest, Aki, and her table."""

    async def make() -> None:
        store = await Store.open(ready(tmp_path / "mekuri.db"))
        await store.add_person("aki", "hash", "Aki\u202e")
        table = commands.make("table", bytes(32), AskTable(game=USUAL), "aki", store.time.now())
        await store.add_match(new_match(table))
        await store.close()

    asyncio.run(make())
    return tmp_path / "mekuri.db"


@pytest.fixture
def admin(database: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    def run(*words: str) -> str:
        main(["admin", *words, "--database", str(database)])
        return capsys.readouterr().out

    return run


def test_lists_tables_and_people(admin: Any) -> None:
    assert admin("list").split()[:4] == ["table", USUAL, "open", "private"]
    assert admin("list", "--state", "running") == ""
    assert "\u202e" not in admin("list", "people")
    (person,) = json.loads(admin("list", "people", "--json"))
    assert (person["id"], person["banned_until"]) == ("aki", None)


def test_acts_are_listed(admin: Any, database: Path) -> None:
    assert admin("ban", "aki", "--for", "12h", "--why", "Be kind.").startswith("aki may do nothing here until 20")
    assert len(json.loads(admin("list", "people", "--state", "banned", "--json"))) == 1
    assert admin("ban", "aki", "--for", "999999w") == "aki may do nothing here any more\n"
    assert admin("unban", "aki") == "aki may play again\n"
    assert admin("rename", "aki", "Ume") == "aki is called Ume now\n"
    assert admin("close", "table") == "table table is closed\n"
    assert admin("announce", "Hear!", "--ja", "聞け") == "it is announced\n"
    assert admin("announce", "--clear") == "nothing is announced any more\n"
    assert admin("prune", "--days", "0", "--dry-run").endswith("would be deleted: 1\n")
    assert admin("prune", "--days", "0").endswith("were deleted: 1\n")
    assert admin("forget", "aki").startswith("aki is deleted")
    kinds = [line.split()[4] for line in admin("list", "acts").splitlines()]
    assert kinds == ["forget", "prune", "announce", "announce", "close", "rename", "unban", "ban", "ban"]
    assert sql(database, "SELECT count(*) FROM people") == [(0,)]


REFUSED = [
    (f"announce {'x' * 501}", "one line of at most 500 characters"),
    ("ban aki --why a\u202eb", "one line of at most 500 characters"),
    ("close nowhere", "there is no table nowhere"),
    ("ban nobody", "there is no person nobody"),
    ("ban -no-body --for 1h", "there is no person -no-body"),
    ("close -x", "there is no table -x"),
    ("ban aki --for never", "a time is a number with s, m, h, d or w"),
    ("rename aki Admin", "This name is kept"),
    ("announce", "say what is to be announced, or --clear"),
    ("announce Hear! --clear", "say what is to be announced, or --clear"),
    ("prune", "days"),
    ("prune --days -1", "days are a number from 0"),
    ("prune --days nan", "days are a number from 0"),
    ("list people --state open", "tables are open, running or over"),
    ("list --state banned", "tables are open, running or over"),
    ("list --most 0", "most is a number"),
]


def test_refusal_is_one_line(admin: Any, capsys: pytest.CaptureFixture[str], subtests: pytest.Subtests) -> None:
    for words, why in REFUSED:
        with subtests.test(words[:40]):
            with pytest.raises(SystemExit) as ended:
                admin(*words.split())
            err = capsys.readouterr().err
            assert (ended.value.code, err.count("\n")) == (2, 1)
            assert why in err
