"""Which bots of other distributions are found, and which are left out."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import mekuri
from mekuri import bots, games
from mekuri.bots import apart, registry
from mekuri.cli import main
from mekuri.engine.errors import MekuriError
from mekuri.lab.simulate import simulate
from tests.helpers.foreign import announce, install, site_of
from tests.helpers.tables import GAMES, USUAL

GAME = mekuri.game(USUAL)
CHARACTERS = [bot.id for bot in bots.characters(GAME.contract)]


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Path]:
    """Return a site with one honest bot."""
    with site_of(tmp_path, "honest") as site:
        yield site


def also(site: Path, name: str, before: str = "", more: str = "{}") -> None:
    """Install another bot. The cached result for the honest one is kept."""
    assert bots.known("honest")
    install(site, name, before=before, more=more)
    registry._places.cache_clear()


@pytest.mark.usefixtures("site")
def test_installed_bot_is_listed_unimported() -> None:
    listed = [bot.id for bot in bots.about(GAME.contract)]
    assert listed == [*CHARACTERS, "honest", *bots.NAMES]
    assert bots.known("honest")
    assert not bots.here("honest")  # nothing of it is imported


def test_bot_for_some_games_is_listed_for_them_only(site: Path) -> None:
    also(site, "narrow", more=repr({"games": (USUAL,)}))
    assert [name for name in GAMES if "narrow" in bots.names_for(games.find(name))] == [USUAL]
    assert "narrow" not in bots.names_for(None)
    with pytest.raises(bots.UnknownBot, match="there is no bot narrow"):
        bots.look_up("narrow", games.find(next(name for name in GAMES if name != USUAL)))


@pytest.mark.in_turn(2)
@pytest.mark.parametrize(
    ("name", "before", "more", "why"),
    [
        (
            "broken",
            "import nowhere_at_all",
            "{}",
            r"bot_broken:bot cannot be loaded: ModuleNotFoundError.*bot_broken.py, line 4",
        ),
        ("gone", "os._exit(3)", "{}", "bot_gone:bot has ended its process"),
        ("slow", "time.sleep(1e6)", "{}", "bot_slow:bot has not been loaded within 1 s"),
        ("left", "sys.exit('enough')", "{}", "bot_left:bot cannot be loaded: SystemExit: enough"),
        ("wordless", "Bot = lambda Bot=Bot, **about: Bot(**about | {'help': {'ja': 'x'}})", "{}", "bot_wordless:bot lacks its"),
        ("great", "", "{'strength': 'great'}", "bot_great:bot has a strength that is no whole number"),
        ("learned", "", "{'weights': 7}", "bot_learned:bot states the version of its weights otherwise than as a text"),
        ("crowd", "", "{'choose_many': 7}", "bot_crowd:bot has a choose_many that is no function"),
        ("gamer", "", "{'games': 'mushi'}", "bot_gamer:bot names its games otherwise than in a tuple"),
        ("greedy", "", "{}", "bot_greedy:bot has the name of another: call it otherwise"),
        ("suzu", "", "{}", "bot_suzu:bot has the name of another"),
        ("person", "", "{}", "bot_person:bot has the name of another"),
        ("Upper", "", "{}", "bot_Upper:bot has a name that is not made of"),
    ],
)
def test_broken_bot_is_left_out_with_a_reason(
    site: Path, monkeypatch: pytest.MonkeyPatch, name: str, before: str, more: str, why: str
) -> None:
    """The reason is reported, and everything else works."""
    also(site, name, before, more)
    if name == "slow":
        monkeypatch.setattr(apart, "LOADING", 1)
    (error,) = bots.left_out()
    assert re.match(rf"the bot {name} is left out: {why}", str(error)), error
    assert "\n" not in str(error)
    assert bots.names_for(GAME.contract) == (*CHARACTERS, "honest", *bots.NAMES)
    if name not in (*bots.NAMES, *CHARACTERS):
        with pytest.raises(MekuriError, match="is left out"):
            simulate(GAME, 1, bot=name)


@pytest.mark.usefixtures("site")
def test_foreign_bots_are_left_out_without_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a browser: ours play, and the others are left out."""

    def refuse(*_: object, **__: object) -> None:
        raise OSError("emscripten does not support processes")

    monkeypatch.setattr("subprocess.Popen", refuse)
    assert bots.names_for(GAME.contract) == (*CHARACTERS, *bots.NAMES)
    (error,) = bots.left_out()
    assert str(error) == "the bot honest is left out: bot_honest:bot has no process: emscripten does not support processes"


@pytest.mark.parametrize("verb", ["bots", "games"])
def test_command_reports_a_left_out_bot(site: Path, capsys: pytest.CaptureFixture[str], verb: str) -> None:
    also(site, "broken", before="import nowhere")
    main([verb, "--lang", "en"])
    out, err = capsys.readouterr()
    assert err.startswith("mekuri: the bot broken is left out: bot_broken:bot cannot be loaded: ModuleNotFoundError")
    assert "broken" not in out
    assert ("honest       honest: For tests." in out.splitlines()) == (verb == "bots")


def test_entry_that_is_no_bot_is_left_out(site: Path) -> None:
    (site / "no_bot.py").write_text("bot = 7\n", encoding="utf-8")
    announce(site, "none", "no_bot")
    assert [str(error) for error in bots.left_out()] == ["the bot none is left out: no_bot is no bot"]


def test_bots_of_one_name_are_left_out(site: Path) -> None:
    """Neither plays, because the name is ambiguous."""
    also(site, "twin")
    announce(site, "twin", "bot_honest:bot", "other")
    registry._places.cache_clear()
    (error,) = bots.left_out()
    assert (error.bot, set(error.why.split(" has ")[0].split(", "))) == ("twin", {"bot_twin:bot", "bot_honest:bot"})
