"""The command `mekuri`: its output and its refusals."""

import json
import subprocess
import sys
from dataclasses import fields
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any
from unittest.mock import AsyncMock

import pytest

import mekuri
from mekuri import games, replay
from mekuri.cards.art import find_pack, pack_names
from mekuri.engine.errors import OptionError
from mekuri.engine.options import all_texts
from mekuri.engine.rulebook import LANGUAGES, rulebook
from mekuri.lab import playout
from mekuri.lab.simulate import simulate
from mekuri.server.base.settings import Settings
from mekuri.terminal.base.local import LocalPlay, ask_table, local_play, seats_of
from mekuri.terminal.screens.app import MekuriApp
from mekuri.terminal.screens.table import TableScreen
from tests.helpers.commands import run_command
from tests.helpers.tables import GAMES, USUAL, each_game, each_match_preset, games_in_turn, in_turn, seats_for

KEYS = ["game", "version", "options", "rounds", "redeals", "endings", "yaku", "returns", "turns", "actions", "decisions"]
KEYS += ["seconds", "checksum"]


REFUSED = [
    "simulate",
    "simulate GAME",
    "simulate GAME --rounds many",
    "simulate GAME --rounds 0",
    "simulate GAME --rounds 1 --seats 9",
    "simulate GAME --rounds 1 --bot nobody",
    "simulate GAME --rounds 1 --preset none",
    "simulate GAME --rounds 1 --option none=1",
    "simulate GAME --rounds 1 --option none",
    "simulate GAME --rounds 1 --option rounds=3",
    "simulate nothing --rounds 1",
    "simulate GAME --rounds 1 --dealer 99",
    "simulate GAME --rounds 1 --bots greedy,nobody",
    "lab GAME none",
    "lab GAME --rounds 0",
    "lab GAME --option rounds=3",
    "dataset GAME",
    "dataset GAME --rounds 0",
    "dataset GAME --rounds 1 --bots nobody",
    "dataset GAME --rounds 1 --option rounds=3",
    "dataset GAME --rounds 1 --out pyproject.toml",
    "rules nothing",
    "rules GAME --lang xx",
    "play GAME --seats you",
    "play GAME --seats you you",
    "play GAME --seats you nobody",
    "arena GAME greedy",
    "arena GAME greedy nobody",
    "arena GAME greedy random --pairs 0",
    "play GAME --names none",
    "play GAME --seats you open",
    "play GAME --name Aki",
    "play GAME --public",
    "play GAME --server http://127.0.0.1:9 --seed 3",
    "play GAME --server http://127.0.0.1:9 --seats open open",
    "play GAME --server http://127.0.0.1:9 --option none=1",
    "play GAME --server nowhere:port",
    "play GAME --server http://127.0.0.1:9",
    "join",
    "join nothing",
    "join http://127.0.0.1:9/t/x",
    "join http://127.0.0.1:9/t/x --watch",
    "join http://127.0.0.1:9/t/x --record .",
    "--port many",
    "serve --port many",
    "serve --no-open",
    "cards --pack none",
    "cards --marks large",
    "cards --out pyproject.toml",
    "serve --public-url nothing",
    "replay nothing.json",
    "replay .",
    "nothing",
    "--nothing",
]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Any:
    """The function that runs the command."""
    return partial(run_command, capsys)


@each_match_preset
def test_preset_of_play_sets_match_options(
    run: Any, name: str, preset: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What came of it is in the record, and an option given beside it wins."""
    monkeypatch.setattr("mekuri.cli.play.need_terminal", lambda: None)
    monkeypatch.setattr(MekuriApp, "run_async", AsyncMock())
    option, default = next(iter(all_texts(games.find(name).match_options()).items()))
    for given in ((), ("--option", f"{option}={default}")):
        file = tmp_path / f"{len(given)}.json"
        assert run("play", name, "--preset", preset, *given, "--record", str(file))[0] == 0
        options = all_texts(replay(file.read_text()).options)
        assert options == all_texts(mekuri.game(name, preset).match_options({})) | ({option: default} if given else {})


@pytest.mark.parametrize("lang", LANGUAGES)
def test_games_are_listed(run: Any, lang: str) -> None:
    status, out, _ = run("games", "--lang", lang)
    assert status == 0
    listed = [line.split()[0] for line in out.splitlines()]
    assert [id for id in listed if id not in games.entries()] == list(GAMES)
    assert {*listed} == {*GAMES, *games.entries()}
    assert all(rulebook(games.look_up(id)[0], id if id in games.entries() else None).tables["name"][lang] in out for id in listed)


def test_games_of_a_word(run: Any) -> None:
    status, out, _ = run("games", "花札", "--lang", "en")
    assert status == 0
    assert "Koi-Koi" in out
    assert len(out.splitlines()) < len(GAMES)
    status, out, err = run("games", "koikio")
    assert (status, out) == (2, "")
    assert "did you mean koikoi" in err


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("id", games.entries())
def test_entry_is_printed_and_played_under_its_name(
    run: Any, id: str, lang: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mekuri.cli.play.need_terminal", lambda: None)
    monkeypatch.setattr(MekuriApp, "run_async", AsyncMock())
    contract, entry = games.entries()[id]
    status, out, _ = run("rules", entry.name[lang], "--lang", lang)
    assert (status, out.splitlines()[0].strip()) == (0, entry.name[lang])
    file = tmp_path / "match.json"
    assert run("play", entry.name[lang], "--preset", "first", "--record", str(file))[0] == 0
    match = replay(file.read_text())
    assert match.game.contract is contract
    assert all_texts(match.game.options) == all_texts(mekuri.game(id, "first").options)


@pytest.mark.parametrize(("name", "lang"), in_turn(product(GAMES, LANGUAGES)))
def test_rules_print_every_clause(run: Any, name: str, lang: str) -> None:
    status, out, _ = run("rules", name, "--lang", lang, "--sources")
    assert status == 0
    assert all(clause in out for clause in rulebook(games.find(name)).clauses)


@pytest.mark.machine_code
@each_game
def test_simulate_prints_json_or_text(run: Any, name: str) -> None:
    status, out, err = run("simulate", name, "--rounds", "300", "--seed", "5", "--json")
    figures = json.loads(out)
    assert (status, err, list(figures)) == (0, "", KEYS)
    _, out, _ = run("simulate", name, "--rounds", "300", "--seed", "5", "--json", "--plain")
    plain = json.loads(out)
    assert plain | {"seconds": figures["seconds"]} == figures
    simulation = simulate(mekuri.game(name), 300, seed=5)
    assert figures["checksum"] == simulation.checksum
    assert figures["returns"]["sum_min"] == simulation.counts[playout.SUM_MIN]
    assert figures["returns"]["sum_max"] == simulation.counts[playout.SUM_MAX]
    assert sum(figures["endings"].values()) == figures["rounds"] == 300
    *_, preset = games.find(name).presets
    status, out, _ = run("simulate", name, "--rounds", "20", "--bot", "greedy", "--preset", preset)
    assert status == 0
    assert "checksum" in out


def test_arena_prints_json_or_text(run: Any) -> None:
    words = ("arena", "mushi", "greedy", "random", "--pairs", "8", "--seed", "3")
    status, out, err = run(*words, "--json")
    figures = json.loads(out)
    assert (status, err, figures["game"], figures["playouts"]) == (0, "", "mushi", None)
    [score] = figures["scores"]
    assert score["won"] + score["lost"] + score["tied"] == score["pairs"] == 8
    status, out, _ = run(*words)
    assert status == 0
    assert f"{score['mean']:+.2f}" in out


def test_options_reach_the_game(run: Any) -> None:
    _, out, _ = run("simulate", "tensho", "--rounds", "9", "--option", "yaku_set=two", "overlap=superset-only", "--json", "--plain")
    assert json.loads(out)["options"]["yaku_set"] == "two"
    assert json.loads(out)["options"]["overlap"] == "superset-only"


def test_refusals_are_one_line(run: Any, subtests: pytest.Subtests, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mekuri.cli.play.need_terminal", lambda: None)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    for words in REFUSED:
        with subtests.test(words):
            status, out, err = run(*words.replace("GAME", GAMES[0]).split())
            assert (status, out) == (2, "")
            assert err.startswith("mekuri: ")
            assert err.count("\n") == 1


def test_commands_that_need_a_terminal_are_refused(run: Any, subtests: pytest.Subtests) -> None:
    for words in ("menu", "play GAME", "play GAME --server http://127.0.0.1:9", "join http://127.0.0.1:9/t/x"):
        with subtests.test(words):
            status, out, err = run(*words.replace("GAME", GAMES[0]).split())
            assert (status, out) == (2, "")
            assert "needs a terminal" in err


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> list[tuple[object, ...]]:
    """What the command has asked to be served, in place of serving it."""
    asked: list[tuple[object, ...]] = []
    monkeypatch.setattr("mekuri.server.http.run.serve", lambda *given: asked.append(given))
    return asked


def test_bare_command_serves_and_opens_the_page(run: Any, served: list[tuple[object, ...]]) -> None:
    assert run() == run("--no-open", "--port", "80", "--database", "a.db") == (0, "", "")
    assert served == [("127.0.0.1", 8413, Settings(), True), ("127.0.0.1", 80, Settings(database="a.db"), False)]


def test_serve_opens_no_page(run: Any, served: list[tuple[object, ...]]) -> None:
    assert run("serve") == (0, "", "")
    run("serve", "--host", "0.0.0.0", "--port", "80", "--database", "a.db", "--public-url", "https://mekuri.example")
    assert served == [
        ("127.0.0.1", 8413, Settings()),
        ("0.0.0.0", 80, Settings(database="a.db", public_url="https://mekuri.example")),
    ]


class TestSettings:
    """Whatever may be different from server to server is given by flag, or else by environment, or else by file."""

    @pytest.fixture(autouse=True)
    def file(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        file = tmp_path / "settings.toml"
        file.write_text("")
        monkeypatch.setenv("MEKURI_SETTINGS", str(file))
        return file

    @pytest.mark.every_days(4)
    def test_every_setting_has_flag_variable_and_file(
        self, run: Any, served: list[Any], file: Path, monkeypatch: pytest.MonkeyPatch, subtests: pytest.Subtests
    ) -> None:
        numbers = [field.name for field in fields(Settings) if type(field.default) in (int, float)]
        for name in numbers:
            with subtests.test(name), monkeypatch.context() as patch:
                served.clear()
                flag, variable = f"--{name.replace('_', '-')}", f"MEKURI_SERVE_{name.upper()}"
                file.write_text(f"[serve]\n{name} = 3\n")
                assert run("serve") == (0, "", "")
                patch.setenv(variable, "4")
                assert run("serve") == (0, "", "")
                assert run("serve", flag, "5") == (0, "", "")
                assert [getattr(settings, name) for _, _, settings in served] == [3, 4, 5]

    def test_every_switch_has_flag_variable_and_file(
        self, run: Any, served: list[Any], file: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        switches = [field.name for field in fields(Settings) if field.default is True]
        assert switches
        for name in switches:
            served.clear()
            assert run("serve", f"--no-{name}") == (0, "", "")
            with monkeypatch.context() as patch:
                patch.setenv(f"MEKURI_SERVE_{name.upper()}", "no")
                assert run("serve") == (0, "", "")
            file.write_text(f"[serve]\n{name} = false\n")
            assert run("serve") == (0, "", "")
            file.write_text(f"[serve]\n{name} = true\n")
            assert run("serve") == (0, "", "")
            assert [getattr(settings, name) for _, _, settings in served] == [False, False, False, True]

    def test_old_name_of_a_setting_is_read(self, run: Any, served: list[Any], file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        file.write_text('[serve]\norigin = "https://a.example"\n')
        assert run("serve") == (0, "", "")
        monkeypatch.setenv("MEKURI_SERVE_ORIGIN", "https://b.example")
        assert run("serve") == (0, "", "")
        assert run("serve", "--origin", "https://c.example") == (0, "", "")
        assert [settings.public_url for _, _, settings in served] == [f"https://{one}.example" for one in "abc"]

    def test_text_settings_are_read(self, run: Any, served: list[Any], file: Path) -> None:
        file.write_text('[serve]\nhost = "0.0.0.0"\ndatabase = "sqlite:///a.db"\nhosts = ["a.example", "b.example"]\n')
        assert run("serve", "--public-url", "https://a.example") == (0, "", "")
        settings = Settings(database="sqlite:///a.db", hosts=("a.example", "b.example"), public_url="https://a.example")
        assert served == [("0.0.0.0", 8413, settings)]

    def test_public_url_is_normalised(self, subtests: pytest.Subtests) -> None:
        for written, kept in (
            ("https://Mekuri.example/", "https://mekuri.example"),
            ("https://mekuri.example:443", "https://mekuri.example"),
            ("https://mekuri.example:8443", "https://mekuri.example:8443"),
            ("http://[::1]:80/", "http://[::1]"),
            ("https://めくり.example", "https://xn--y8j5e2a.example"),
        ):
            with subtests.test(written):
                assert Settings(public_url=written).public_url == kept

    def test_invalid_public_url_is_refused(self, subtests: pytest.Subtests) -> None:
        of_a = ("https://a/b", "https://a?b", "https://b@a", "https://a:x", "https://a\nb", "a b", "//a", "ftp://a")
        for written in ("", "nothing", "https://", *of_a):
            with subtests.test(written), pytest.raises(OptionError, match="what people see before the path") as refused:
                Settings(public_url=written)
            assert "\n" not in str(refused.value)

    @pytest.mark.parametrize(
        ("words", "text", "message"),
        [
            ("--grace soon", "", "grace"),
            ("--grace=-1", "", "grace is a number from 0"),
            ("--window inf", "", "window is a number from 0"),
            ("", "[serve]\nsomething = 3\n", "something"),
            ("", "[serve\n", "settings.toml"),
        ],
    )
    def test_invalid_setting_prints_one_line(
        self, run: Any, served: list[Any], file: Path, words: str, text: str, message: str
    ) -> None:
        file.write_text(text)
        status, out, err = run("serve", *words.split())
        assert (status, out, served) == (2, "", [])
        assert message in err
        assert err.count("\n") == 1

    @pytest.mark.parametrize(
        ("variable", "message"), [("MEKURI_SERVE_PUBLICURL", "is it MEKURI_SERVE_PUBLIC_URL?"), ("MEKURI_SERVE_XYZZY", "--help")]
    )
    def test_unknown_variable_is_refused(
        self, run: Any, served: list[Any], monkeypatch: pytest.MonkeyPatch, variable: str, message: str
    ) -> None:
        monkeypatch.setenv(variable, "1")
        status, _, err = run("serve")
        assert (status, served) == (2, [])
        assert variable in err
        assert message in err
        assert err.count("\n") == 1

    def test_missing_settings_file_is_refused(self, run: Any, served: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("MEKURI_SETTINGS", "/nowhere/settings.toml")
        status, _, err = run("serve")
        assert (status, served) == (2, [])
        assert "/nowhere/settings.toml" in err


def test_cards_are_written_per_pack(run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for pack in pack_names():
        status, out, err = run("cards", "--pack", pack)
        assert (status, err) == (0, "")
        assert out.count("\n") == 1
        assert len(list((tmp_path / pack).glob("*.svg"))) == len(find_pack(pack).cards) + 1
        assert (tmp_path / pack / f"LICENSE-{pack}.txt").is_file()
    assert "<text" not in (tmp_path / "ise" / "7I.svg").read_text(encoding="utf-8")
    run("cards", "--marks", "kanji", "--out", "marked")
    assert "七" in (tmp_path / "marked" / "7I.svg").read_text(encoding="utf-8")
    run("cards", "--sprite", "--out", "sprites")
    assert {file.name for file in (tmp_path / "sprites").iterdir()} == {"ise.svg", "LICENSE-ise.txt"}


def test_cards_are_written_beside_other_files(run: Any, tmp_path: Path) -> None:
    """The folder of a site may already have another licence and another pack."""
    (tmp_path / "LICENSE.txt").write_text("of the site")
    for pack in pack_names():
        assert run("cards", "--sprite", "--pack", pack, "--out", str(tmp_path))[0] == 0
    assert (tmp_path / "LICENSE.txt").read_text() == "of the site"
    assert len(list(tmp_path.iterdir())) == 1 + 2 * len(pack_names())


@pytest.mark.in_turn(3)
@each_game
def test_lots_are_drawn_for_the_seats(run: Any, name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("mekuri.cli.play.need_terminal", lambda: None)
    monkeypatch.setattr(MekuriApp, "run_async", AsyncMock())
    named = tuple(seats_for(name, "you", bot="random"))

    def seated(*words: str) -> tuple[str, ...]:
        file = tmp_path / "match.json"
        assert run("play", name, "--seats", *named, "--record", str(file), "--overwrite", *words)[0] == 0
        return replay(file.read_bytes()).players

    assert seated() == named
    drawn = {seed: seated("--seating", "lot", "--seed", str(seed)) for seed in range(25)}
    assert {players.index("you") for players in drawn.values()} == set(range(len(named)))
    assert all(sorted(players) == sorted(named) for players in drawn.values())
    assert drawn[3] == seated("--seating", "lot", "--seed", "3")


def test_each_match_writes_its_record(run: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The first record has the given name, later ones the same with a number."""
    monkeypatch.setattr("mekuri.cli.play.need_terminal", lambda: None)
    chosen = mekuri.game(USUAL)

    async def play_twice(app: MekuriApp) -> None:
        first = app._first()
        assert isinstance(first, TableScreen)
        assert isinstance(first.play, LocalPlay)
        first.play.next = await local_play(ask_table(chosen, ("greedy",) * chosen.seats, {}), 0)

    monkeypatch.setattr(MekuriApp, "run_async", play_twice)
    assert run("play", USUAL, "--record", str(tmp_path / "match.json"))[0] == 0
    players = {file.name: replay(file.read_bytes()).players for file in tmp_path.iterdir()}
    assert players == {
        "match.json": seats_of(chosen),
        "match-2.json": ("greedy",) * chosen.seats,
    }


@games_in_turn()
def test_first_dealer_is_named_or_drawn(run: Any, name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("mekuri.cli.play.need_terminal", lambda: None)
    monkeypatch.setattr(MekuriApp, "run_async", AsyncMock())
    named = tuple(reversed(seats_for(name, "you", bot="random")))
    file = tmp_path / "match.json"

    def dealt(*words: str) -> mekuri.Match:
        assert run("play", name, "--seats", *named, "--record", str(file), "--overwrite", *words)[0] == 0
        return replay(file.read_bytes())

    for seat in range(len(named)):
        match = dealt("--dealer", str(seat + 1))  # people count seats from 1
        assert (match.first_dealer, match.dealer) == (seat, seat)
    assert dealt("--dealer", "you").dealer == len(named) - 1
    for words in ((), ("--dealer", "lot")):
        drawn = [dealt(*words, "--seed", str(seed)) for seed in range(25)]
        assert {match.dealer for match in drawn} == set(range(len(named)))
        assert {match.first_dealer for match in drawn} == {None}
    for seed in range(5):  # wherever one has drawn a seat
        match = dealt("--dealer", "you", "--seating", "lot", "--seed", str(seed))
        assert match.players[match.dealer] == "you"


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("--dealer 3", "the first dealer is lot, you, or a seat from 1 to 2, not 3"),
        ("--dealer 0", "not 0"),
        ("--dealer greedy", "not greedy"),
        ("--dealer you --seats greedy greedy", "the first dealer is lot, or a seat from 1 to 2, not you"),
        ("--dealer 3 --server http://127.0.0.1:9", "not 3"),
        ("--dealer you --seating lot --server http://127.0.0.1:9", "draws lots for the seats"),
    ],
)
def test_unknown_first_dealer_is_refused(run: Any, words: str, why: str) -> None:
    status, out, err = run("play", "mushi", *words.split())
    assert (status, out) == (2, "")
    assert why in err


@pytest.mark.in_turn(3)
@each_game
@pytest.mark.parametrize("lang", LANGUAGES)
def test_replay_prints_a_record(run: Any, name: str, lang: str, tmp_path: Path) -> None:
    game = mekuri.game(name)
    match = game.match(seed=3, rounds=2, players=("Aki", *(f"Ben {seat}" for seat in range(1, game.seats))))
    while not match.over:
        while not match.round.over:
            match.round.play(match.round.legal[-1])
        match.next_round()
    file = tmp_path / "match.json"
    file.write_text(match.record().to_json(), encoding="utf-8")
    for seat in ((), ("--seat", "0"), ("--seat", "1")):
        status, out, _ = run("replay", str(file), "--lang", lang, *seat)
        assert status == 0
        assert "Aki" in out
        assert all(line.clause in out for line in match.round.score_sheet().lines)
    assert run("replay", str(file), "--seat", str(game.seats))[0] == 2
    file.write_text(match.record().to_json()[:-9], encoding="utf-8")
    status, _, err = run("replay", str(file))
    assert status == 2
    assert "record" in err


def test_closed_pipe_ends_without_a_traceback() -> None:
    """`mekuri rules GAME | head -1` ends without a word."""
    with subprocess.Popen(
        [sys.executable, "-m", "mekuri", "rules", GAMES[0]], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as command:
        assert command.stdout
        assert command.stderr
        command.stdout.readline()
        command.stdout.close()
        assert "Traceback" not in command.stderr.read()


def test_unknown_command_is_reported_with_any_flag(run: Any) -> None:
    for more in ([], ["--help"], ["-h"], ["--version"]):
        assert run("nothing", *more) == (2, "", "mekuri: nothing: not understood; see mekuri --help\n"), more
