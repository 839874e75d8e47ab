"""The examples in the documents run and are correct."""

import doctest
import json
import os
import re
import shlex
import sys
from pathlib import Path

import pytest

import mekuri
from mekuri.cli.arguments import app
from mekuri.engine.contract import API
from mekuri.match.record import FORMAT
from mekuri.protocol import version
from mekuri.server.cluster.peer_protocol import VERSION
from mekuri.server.storage.schema import HEAD
from tests.helpers.folders import CHECKOUT, DOCS
from tools import game_pages

FLAGS = doctest.NORMALIZE_WHITESPACE
DOCUMENTS = [*CHECKOUT.glob("*.md"), *CHECKOUT.glob("docs/**/*.md")]
COMMANDS = sorted(
    {line for document in DOCUMENTS for line in re.findall(r"^mekuri .*", document.read_text(encoding="utf-8"), re.MULTILINE)}
)


@pytest.mark.parametrize(
    ("document", "least"),
    [("README.md", 10), ("docs/bots.md", 10), ("docs/environments.md", 10), ("docs/shards.md", 10), ("docs/position.md", 2)],
)
def test_examples_pass_doctest(document: str, least: int) -> None:
    result = doctest.testfile(str(CHECKOUT / document), module_relative=False, optionflags=FLAGS)
    assert result.attempted > least
    assert result.failed == 0


def test_example_of_the_package_passes_doctest() -> None:
    result = doctest.testmod(mekuri, optionflags=FLAGS)
    assert result.attempted > 2
    assert result.failed == 0


def test_documented_commands_are_valid(subtests: pytest.Subtests) -> None:
    for command in COMMANDS:
        with subtests.test(command):
            app.parse_args(shlex.split(command, comments=True)[1:], exit_on_error=False, print_error=False)


def test_programs_for_contributors_exist() -> None:
    text = (CHECKOUT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    lines = [shlex.split(line, comments=True) for line in re.findall(r"^\./.*", text, re.MULTILINE)]
    assert len(lines) > 4
    for program, *arguments in lines:
        assert os.access(CHECKOUT / program, os.X_OK), program
        for path in (argument for argument in arguments if "/" in argument):
            assert (CHECKOUT / path).exists(), path


def test_tools_for_contributors_exist() -> None:
    """In the environment, and for the page."""
    text = (CHECKOUT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    programs = set(re.findall(r"^\.venv/bin/([\w-]+)", text, re.MULTILINE))
    scripts = set(re.findall(r"npm run (\w+)", text))
    tools = set(re.findall(r"`?(tools/\w+\.py)|-m (tools\.\w+)", text))
    assert programs >= {"mekuri", "ruff"}
    assert scripts >= {"dev", "check", "types", "build"}
    assert tools
    assert all((Path(sys.executable).parent / program).exists() for program in programs)
    assert scripts <= json.loads((CHECKOUT / "web/package.json").read_text(encoding="utf-8"))["scripts"].keys()
    assert all((CHECKOUT / (path or f"{module.replace('.', '/')}.py")).exists() for path, module in tools)


def test_pages_of_the_games_match_their_folders() -> None:
    written = {path.name: path.read_text(encoding="utf-8") for path in game_pages.FOLDER.iterdir()}
    assert written == game_pages.pages(), "write them anew: python -m tools.game_pages"


def test_documented_versions_are_current() -> None:
    rows = re.findall(r"^\| (\w+).*? \| (\w+) \|", (CHECKOUT / "docs/versions.md").read_text(encoding="utf-8"), re.MULTILINE)
    now = {"wire": version.API, "record": FORMAT, "position": "none", "database": HEAD, "processes": VERSION, "contract": API}
    assert dict(rows) == {name: str(number) for name, number in now.items()}


def test_version_of_mekuri_is_the_same_everywhere() -> None:
    def found(file: str, pattern: str) -> str:
        match = re.search(pattern, (CHECKOUT / file).read_text(encoding="utf-8"), re.MULTILINE)
        assert match, file
        return match[1]

    assert found("pyproject.toml", r'^version = "(.+)"$') == mekuri.__version__
    assert found("CITATION.cff", r"^version: (.+)$") == mekuri.__version__
    assert found("CHANGELOG.md", r"^## (\d\S+) - \d{4}-\d\d-\d\d$") == mekuri.__version__
    assert found("CITATION.cff", r"^date-released: (.+)$") == found("CHANGELOG.md", r"^## \d\S+ - (.+)$")
    assert (DOCS / "releases" / f"{mekuri.__version__}.md").exists()


def test_links_have_targets(subtests: pytest.Subtests) -> None:
    for document in DOCUMENTS:
        for target in re.findall(r"\]\(([^)#:]+)\)", document.read_text(encoding="utf-8")):
            with subtests.test(f"{document.relative_to(CHECKOUT)}: {target}"):
                assert (document.parent / target).exists()
