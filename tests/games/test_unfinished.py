"""An unfinished game affects no other: its fault is reported once, with file, table and key."""

import dataclasses
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import mekuri
from mekuri import UnfinishedGame, cli, games
from mekuri.cards.names import named_packs
from mekuri.engine import compiled
from mekuri.engine.contract import Contract
from mekuri.engine.options import between
from mekuri.engine.rulebook import LANGUAGES, Rulebook, rulebook
from mekuri.engine.validation import faults
from mekuri.protocol import library
from mekuri.terminal.printed.rules import rules_text
from mekuri.terminal.screens.home import GameCard, home_app
from tests.helpers.folders import CHECKOUT
from tests.helpers.screens import LARGE, SMALL, screen_text
from tests.helpers.tables import GAMES
from tests.helpers.unfinished import GAME, LACKING, announce, left_out, looked_through_anew, moved, unfinished_example

FAULT = "a/book.toml [shelf] lacks dust"
# A game with everything that a game may have, bots of its own included.
FULL = next(name for name in GAMES if games.find(name).bots)

WITH_YAKU = next(name for name in GAMES if games.find(name).yaku)


def one_of_each_kind(lines: list[str]) -> list[int]:
    """The numbers of lines of a text file: of every kind of table the header, every key, and of its texts one."""
    found: dict[str, int] = {}
    table = ""
    for number, line in enumerate(lines):
        header = re.match(r"\s*\[+([\w-]+)", line)
        table = header[0] if header else table
        key = "" if header else "a text" if "{ en =" in line else line.partition("=")[0]
        if line.strip() and not line.startswith("#"):
            found.setdefault(re.sub(r"\.\w+", ".", f"{table} {key}"), number)
    return list(found.values())


def assert_rendered(contract: Contract) -> None:
    """Assert that every text shown before a match can be rendered."""
    library.game_info(contract)
    for lang in LANGUAGES:
        library.catalogue(contract, lang)
        rules_text(contract, lang)


class TestTextFiles:
    """Missing or wrong entries of the two files are reported by file, table and key."""

    @pytest.mark.parametrize(
        ("file", "old", "new", "fault"),
        [
            ("rulebook", r"^name = .*\n", "name = 'Bare'\n", "has no table for name"),
            ("rulebook", r"^(name = \{ en = .*?), ja = .*\}", r"\1 }", r"\[name\] lacks ja"),
            ("rulebook", r"^face = .*\n", 'face = "13H"\n', "face = '13H'.* is no card"),
            ("rulebook", r"^face = .*\n", 'face = "G"\n', "face G"),
            ("rulebook", r"^status = .*\n", "", r"\[clauses .+\..+\..+\] lacks status"),
            ("rulebook", r"^status = .*\n", 'status = "sure"\n', "status sure"),
            ("rulebook", r"^(\[\[clauses\]\]\n)id = .*\n", r"\1", r"\[clauses 1\] lacks id"),
            ("rulebook", r'^(\[\[clauses\]\]\n)id = ".*\n', r'\1id = "one"\n', "id that is not written"),
            ("rulebook", r"^options = .*\n", 'options = ["luck"]\n', "option luck"),
            ("rulebook", r"^( *)position = .*\n", "", r"\[example 1 of .+\] lacks position"),
            (
                "rulebook",
                r"^\[options\.(\w+)\]\n",
                r"[options.of_\1]\n",
                r"\[options\] has of_\w+, and the game has no such option",
            ),
            ("rulebook", r"^(\[options\.\w+\]\ntitle = \{ en = .*?), ja = .*\}", r"\1 }", r"\[options\.\w+\.title\] lacks ja"),
            ("rulebook", r"^values\.", "values.of-", r"\[options\.\w+\.values\] has of-\w+, and the game has no such value"),
            ("rulebook", r"^(\[words\]\n)\S+", r"\1wave", r"\[words\] has wave, and the game has no such word"),
            ("rulebook", r"^(\[endings\]\n)\S+", r"\1rain", r"\[endings\] has rain, and the game has no such ending"),
            (
                "rulebook",
                r"^\[events\]\n",
                '[cries]\nwave = { en = "Hey!", ja = "おい！" }\n\n[events]\n',
                r"\[cries\] has wave, .* no such event",
            ),
            (
                "rulebook",
                r"^\[words\]\n(\S+)",
                r'[meanings]\n\1 = { en = "All", ja = "全部", yaku = ["none-such"] }\n\n[words]\n\1',
                r"\[meanings\.\S+\] shows none-such, which is no yaku",
            ),
            ("rulebook", r'^pack = ".*"', 'pack = "lost"', r"\[names\.\w+\] has the pack lost"),
            (
                "rulebook",
                "^pack = ",
                "cards.1H = { en = 'Ace', ja = '一', latin = 'ichi' }\npack = ",
                r"\[names\.\w+\.cards\.1H\] lacks kana",
            ),
            ("rulebook", r"^\[prompts\]\n", "[errors]\n[prompts]\n", "has a table errors, as the server has"),
            ("rulebook", r"(\[refusals\]\n.*?, clause = )\"", r'\1"no.', r"\[refusals\..+\] cites a clause no\."),
            ("rulebook", r"\[\[clauses\]\](.|\n)*\[options", "[options", r"\[short 1\] cites a clause .* that is not there"),
            ("rulebook", r"^name = ", "name ", "is no TOML: .*line"),
            ("sources", r"^title = .*\n", "", r"\[works\.\w+\] lacks title"),
            ("sources", r"^says = .*\n", "", r"\[rows 1\] lacks says"),
            ("sources", r"^says = .*\n", 'says = "A sentence."\n', r"\[rows 1\] has no table for says: write says = \{ en = "),
            ("sources", r"^(says = \{ en = .*), ja = .* \}", r"\1 }", r"\[rows 1\.says\] lacks ja"),
            ("sources", r"^(no_rule = \{ en = .*), ja = .* \}", r"\1 }", r"\[rows \d+\.no_rule\] lacks ja"),
            ("sources", r"^(second_hand = \{ en = .*), ja = .* \}", r'\1, ja = " " }', r"\[rows \d+\.second_hand\] has no .* ja"),
            ("sources", r"^(says = .*\n)", r'\1lost = { en = "A list." }\n', r"\[rows 1\.lost\] lacks ja"),
            ("sources", r"^work = .*\n", 'work = "gone"\n', r"\[rows 1\] names a work gone"),
            ("sources", r"\A", "\x00", "is no TOML"),
        ],
    )
    def test_fault_in_a_file_is_named(self, tmp_path: Path, file: str, old: str, new: str, fault: str) -> None:
        contract = moved(games.find(FULL), tmp_path)
        path = tmp_path / f"{file}.toml"
        text = path.read_text(encoding="utf-8")
        changed = re.sub(old, new, text, count=1, flags=re.MULTILINE | (re.DOTALL if "refusals" in old else 0))
        assert changed != text
        path.write_text(changed, encoding="utf-8")
        found = faults(contract)
        assert re.match(f"{re.escape(str(path))}.* .*{fault}", found[0]), found

    def test_missing_card_names_are_reported(self, tmp_path: Path) -> None:
        rows = [(name, *row) for name in GAMES for row in rulebook(games.find(name)).tables["names"].items()]
        name, set, _ = next(row for row in rows if row[2]["pack"] not in named_packs())
        contract = moved(games.find(name), tmp_path)
        path = tmp_path / "rulebook.toml"
        head, _, rest = path.read_text(encoding="utf-8").partition(f"[names.{set}]")
        path.write_text(f"{head}[names.{set}]{re.sub(r'(?m)^cards.7H = .*$', '', rest, count=1)}", encoding="utf-8")
        assert faults(contract) == [f'{path} [names.{set}.cards] lacks 7H: write 7H = {{ en = "...", ja = "..." }}']

    @pytest.mark.parametrize("file", ["rulebook.toml", "sources.toml"])
    def test_missing_file_gets_default_texts(self, tmp_path: Path, file: str) -> None:
        """The game gets the engine's default texts."""
        contract = moved(games.find(FULL), tmp_path)
        (tmp_path / file).unlink()
        assert faults(contract) == []
        assert_rendered(contract)

    def test_unreadable_file_is_reported(self, tmp_path: Path) -> None:
        contract = moved(games.find(FULL), tmp_path)
        (tmp_path / "rulebook.toml").unlink()
        (tmp_path / "rulebook.toml").mkdir()
        assert re.fullmatch(r".*rulebook\.toml cannot be read: Is a directory", faults(contract)[0])

    @pytest.mark.parametrize(
        "table",
        [
            *("chapters", "versions", "yaku", "options", "presets", "prompts", "words", "events", "refusals", "lines"),
            *("accounts", "endings", "zones", "names"),
        ],
    )
    def test_missing_table_gets_default_texts(self, tmp_path: Path, table: str) -> None:
        """Its texts are the engine's plain ones."""
        contract = moved(games.find(FULL), tmp_path)
        path = tmp_path / "rulebook.toml"
        text = re.sub(r"(?ms)^\[\[entries\]\].*?(?=^\[)", "", path.read_text(encoding="utf-8"))  # which have tables of their own
        # Under another name, as it would be with a slip of the pen.
        text = re.sub(rf"^(\s*\[*){table}([\].]| =)", r"\1my-" + table + r"\2", text, flags=re.MULTILINE)
        path.write_text(text, encoding="utf-8")
        assert faults(contract) == []
        assert_rendered(contract)

    @pytest.mark.slow
    @pytest.mark.parametrize("name", dict.fromkeys((FULL, WITH_YAKU)))
    def test_any_missing_line_is_reported_or_harmless(self, tmp_path: Path, name: str) -> None:
        """Either it is reported, or every text shown before a match can be rendered."""
        contract, forgotten, reported = games.find(name), 0, 0
        for file in ("rulebook.toml", "sources.toml"):
            lines = (contract.folder / file).read_text(encoding="utf-8").splitlines(keepends=True)
            for number in one_of_each_kind(lines):
                folder = tmp_path / f"{file}-{number}"
                folder.mkdir()
                without = moved(contract, folder)
                (folder / file).write_text("".join(lines[:number] + lines[number + 1 :]), encoding="utf-8")
                forgotten += 1
                if faults(without):
                    reported += 1
                    continue
                assert_rendered(without)
        assert forgotten > 40
        assert reported > 10

    def test_all_faults_are_reported_at_once(self, tmp_path: Path) -> None:
        contract = moved(games.find(FULL), tmp_path)
        path = tmp_path / "rulebook.toml"
        head, bracket, rest = path.read_text(encoding="utf-8").partition("\n[")
        path.write_text(re.sub(r"^(name|summary|face) = .*\n", r"\1 = 7\n", head, flags=re.MULTILINE) + bracket + rest)
        assert [re.findall(r"no \w+ for (\w+)", fault) for fault in faults(contract)] == [["name"], ["summary"], ["face"]]


class TestContract:
    def test_taking_back_has_default_words(self, tmp_path: Path) -> None:
        contract = moved(games.find(WITH_YAKU), tmp_path)
        assert "take-back" not in rulebook(contract).tables["words"]
        object.__setattr__(contract, "rules", dataclasses.replace(contract.rules, undoing=lambda s, seat: 0))
        assert "take-back" in Rulebook(contract).tables["words"]

    def test_option_in_round_and_match_is_reported(self, tmp_path: Path) -> None:
        """A preset could not distinguish them."""
        contract = moved(games.find(FULL), tmp_path)
        both = dataclasses.make_dataclass("Both", [("rounds", int, between(6, 1, 48))], bases=(contract.options,), frozen=True)
        object.__setattr__(contract, "options", both)
        assert re.search("an option rounds of a round and one of a match", faults(contract)[0])

    @pytest.mark.parametrize(
        ("field", "value", "message"),
        [
            ("shape", "heap", "shape heap"),
            ("presets", {}, "lacks the preset default"),
            ("presets", {"default": {}, "wild": {"luck": 1}}, "preset wild .* no option luck"),
            ("presets", {"default": {}, "wild": {"rounds": -1}}, "preset wild .* rounds is"),
            ("presets", {"default": {"rounds": 3}}, "options in the preset default"),
            ("redeals", ("no.such.clause",), "lacks the clause no.such.clause"),
            ("endings", ("flood",), r"\[endings\] has \S+, and the game has no such ending: there are flood"),
            ("version", 0, r"\[versions\] has 1, and"),
        ],
    )
    def test_fault_in_a_contract_is_named(self, tmp_path: Path, field: str, value: object, message: str) -> None:
        contract = moved(games.find(FULL), tmp_path)
        object.__setattr__(contract, field, value)
        assert re.search(message, faults(contract)[0])


# A game that differs from another in nothing but its state, its name, and a shape that no table has.
BAD_MODULE = f"""
import dataclasses
from mekuri.games import {FULL}
class Half({FULL}.contract.state): pass
contract = dataclasses.replace({FULL}.contract, id="half", state=Half, shape="heap")
"""
# Values in a module of a game that are no contract, and the reports about them.
BAD_MODULES = {
    "contract = = 7": r"SyntaxError: invalid syntax \(.*half\.py, line 1\)",
    "\nraise ValueError('not\\nyet')": r"ValueError: not yet \(.*half\.py, line 2\)",
    "import nowhere_at_all": r"ModuleNotFoundError: .*nowhere_at_all.* \(.*half\.py, line 1\)",
    "raise SystemExit(3)": "SystemExit: 3",
    "contract = 7": "half:contract is no contract",
    "": "AttributeError: .*contract",
    f"from mekuri.games.{FULL} import contract": f"is the contract of a game {FULL}",
    BAD_MODULE: "has the shape heap",
    BAD_MODULE.replace('id="half"', 'id="half", bots=(Bot(id="slow", choose=max, name=TOLD, help=TOLD),)').replace(
        "import dataclasses", "import dataclasses; from mekuri.bots import Bot; TOLD = {'en': 'Slow', 'ja': '遅'}"
    ): r"its contract has the bot slow, which is no rules text",
    BAD_MODULE.replace('id="half"', 'id="half", bots=("a-name",)'): r"its contract has the bot a-name, which is no bot",
}


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return a folder in which distributions can be installed, without the cache of known games."""
    monkeypatch.syspath_prepend(tmp_path)
    with looked_through_anew():
        yield tmp_path
    sys.modules.pop("half", None)


def fault_of(name: str) -> UnfinishedGame:
    """Return the error of a game that is left out. Other games may be left out where these tests run."""
    (error,) = [error for error in games.left_out() if error.game == name]
    return error


class TestFound:
    @pytest.mark.parametrize("source", BAD_MODULES, ids=range(len(BAD_MODULES)))
    def test_faulty_module_is_left_out(self, site: Path, source: str) -> None:
        announce(site, "half", "half:contract")
        (site / "half.py").write_text(source, encoding="utf-8")
        known = list(compiled.contracts)
        assert games.names() == list(GAMES)
        error = fault_of("half")
        assert re.search(BAD_MODULES[source], str(error)), error
        assert "\n" not in str(error)
        for _ in range(2):
            with pytest.raises(UnfinishedGame) as refusal:
                mekuri.game("half")
            assert str(refusal.value) == str(error)
        assert isinstance(games.find(FULL), Contract)
        assert compiled.contracts == known  # or machine code of every other game would wait for this one's

    def test_game_imported_by_a_faulty_one_is_kept(self, site: Path) -> None:
        """It is complete although it was first imported by a broken one."""
        announce(site, "half", "half:contract")
        announce(site, "other", "other:contract")
        (site / "half.py").write_text("import other\nraise ValueError", encoding="utf-8")
        source = BAD_MODULE.replace("half", "other").replace("heap", "ring")
        (site / "other.py").write_text(source, encoding="utf-8")
        assert games.names() == sorted([*GAMES, "other"], key=lambda name: (games.find(name).side, name))
        assert [contract.id for contract in compiled.contracts].count("other") == 1
        compiled.contracts.remove(games.find("other"))
        del sys.modules["other"]

    def test_own_line_of_the_module_is_named(self, site: Path) -> None:
        announce(site, "half", "half:contract")
        (site / "half.py").write_text("import json\n\ncontract = json.loads('{')\n", encoding="utf-8")
        assert fault_of("half").faults[0].endswith(f"({site / 'half.py'}, line 3)")

    def test_missing_module_is_reported(self, site: Path) -> None:
        announce(site, "half", "half:contract")
        assert fault_of("half").faults == ("half:contract cannot be loaded: ModuleNotFoundError: No module named 'half'",)

    def test_taken_name_is_reported(self, site: Path) -> None:
        announce(site, FULL, "half:contract")
        (site / "half.py").write_text("raise AssertionError", encoding="utf-8")
        assert games.names() == list(GAMES)
        assert games.find(FULL).folder.name == FULL
        assert fault_of(FULL).faults == ("half:contract has the name of another game: call it otherwise",)

    def test_many_faults_make_one_line(self) -> None:
        error = UnfinishedGame("half", [f"{n} is wrong" for n in range(9)])
        assert str(error) == "the game half is left out: 0 is wrong; 1 is wrong; 2 is wrong; and 6 more"
        assert len(error.faults) == 9


class TestReports:
    """Reports of the command and the menu to the person who runs them."""

    @pytest.fixture(autouse=True)
    def unfinished(self) -> Iterator[None]:
        with left_out(FULL, FAULT):
            yield

    def run(self, capsys: pytest.CaptureFixture[str], *words: str) -> tuple[object, str, list[str]]:
        status: object = 0
        try:
            cli.main(words)
        except SystemExit as leaving:
            status = leaving.code
        output = capsys.readouterr()
        return status, output.out, output.err.splitlines()

    def test_games_command_reports_it(self, capsys: pytest.CaptureFixture[str]) -> None:
        status, out, err = self.run(capsys, "games")
        assert status == 0
        listed = [line.split()[0] for line in out.splitlines()]
        assert [id for id in listed if id not in games.entries()] == [name for name in GAMES if name != FULL]
        assert f"mekuri: the game {FULL} is left out: {FAULT}" in err

    def test_warm_command_reports_it(self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(games, "names", list)  # to compile them takes long
        status, out, err = self.run(capsys, "warm")
        assert (status, out) == (0, "")
        assert f"mekuri: the game {FULL} is left out: {FAULT}" in err

    @pytest.mark.parametrize("words", [["rules"], ["play"], ["simulate", "--rounds", "1"]], ids=lambda words: words[0])
    def test_command_for_the_game_reports_it(self, capsys: pytest.CaptureFixture[str], words: list[str]) -> None:
        verb, *more = words
        assert self.run(capsys, verb, FULL, *more) == (2, "", [f"mekuri: the game {FULL} is left out: {FAULT}"])

    @pytest.mark.parametrize("size", [SMALL, LARGE])
    async def test_menu_reports_it(self, size: tuple[int, int]) -> None:
        app = home_app("en", pace=0)
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            assert [card.played for card in app.screen.query(GameCard)] == [*games.names(), *games.entries()]
            assert f"{FULL} is left out: {FAULT}" in screen_text(app)
            await pilot.press("g")
            await pilot.pause()
            assert f"{FULL}は除きました：{FAULT}" in screen_text(app).replace("\u200b", "")


class TestInstalled:
    """In separate processes, as for an author who installs an unfinished game."""

    @pytest.fixture
    def book(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        monkeypatch.setenv("PYTHONPATH", str(tmp_path))
        return unfinished_example(tmp_path)

    def python(self, *words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", *words], cwd=CHECKOUT, capture_output=True, text=True, encoding="utf-8", check=False
        )

    def test_games_command_lists_the_others(self, book: Path) -> None:
        ended = self.python("mekuri", "games", "--lang", "en")
        assert ended.returncode == 0
        assert [id for line in ended.stdout.splitlines() if (id := line.split()[0]) not in games.entries()] == list(GAMES)
        assert ended.stderr.startswith(f"mekuri: the game {GAME} is left out: {book} {LACKING}")

    @pytest.mark.every_days(4)
    def test_one_test_fails_for_the_unfinished_game(self, book: Path) -> None:
        """The modules that run over every game are still collected."""
        modules = ["tests/page/test_rooms.py", "tests/server/test_library.py", "tests/engine/test_rulebook.py"]
        ended = self.python("pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-k", GAME, *modules)
        assert re.search(r"^1 failed, \d+ deselected", ended.stdout, re.MULTILINE), ended.stdout[-4000:]
        assert f"test_game_is_complete[{GAME}]" in ended.stdout
        assert f"{book} {LACKING}" in ended.stdout
