"""Docstrings, comments, documents, texts and test names avoid constructions that read as translated."""

import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.helpers.folders import CHECKOUT

# Each construction, and the advice that a failure prints. A pattern stays only while it raises no false alarm.
CONSTRUCTIONS = {
    r"\bwho(?:m|so)?ever\b": "name the person: the player, the guest, the caller",
    r"\b(?:some|any)body\b": "name the person: another player, the client; or write anyone, someone",
    r"\bthose (?:that|who|whom|whose)\b": "name the things or the people: the cards that, players who",
    r"\bones? who(?:m|se)?\b": "name the person: the player who",
    r"\bwhat (?:stands|lies|travels|belongs)\b": "name the thing: the text, the cards, the message",
    r"\b(?:is|are|was|were|be|been|being) had\b": "use a verb of the field: is available, is returned",
    r"\b(?:comes?|came|coming) about\b": "happens, is made, arises",
    r"\band none\b": "say what is there, or: and no NOUN",
    r"\bso that (?:nobody|no one)\b": "say whom it keeps from what: so that players cannot",
}
OPENINGS = re.compile(r"(?:^|(?<=[.!?:] ))(?:Where|What|Who|Whom|Whose)\b[^.!?]*+(?![.!]?\S*\?)", re.MULTILINE)
OPENING = "start with the subject, or with If or When: If no game is named, ..."
NAMED = "name the value by what it is: text, answer, message, result, event"
TEST = "say the behaviour: test_guest_deleted_mid_request_gets_401"

_NAME = r"(?P<name>\b(?:\w+_)?[Tt]old(?:_\w+)?\b)"
PYTHON = re.compile(
    r'(?P<docstring>(?<=\n)[ \t]*r?"""(?:\\.|[^\\])*?"""|\A"""(?:\\.|[^\\])*?""")'
    r"|\"\"\"(?:\\.|[^\\])*?\"\"\"|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'"
    r"|(?P<comment>\#[^\n]*)|\bdef test_(?P<test>\w+)|" + _NAME,
    re.DOTALL,
)
SCRIPT = re.compile(
    r"(?P<block>/\*.*?\*/|<!--.*?-->)|(?P<comment>(?<![:\w])//[^\n]*)|\b(?:test|it|describe)(?:\.each\([^\n]*\))?\(\s*\"(?P<test>[^\"]*)\""
    r"|\"(?:\\.|[^\"\\\n])*\"|`[^`]*`|" + _NAME,
    re.DOTALL,
)

ROOMS = ("src/mekuri", "tests", "docs", "web", "examples", "deploy", "")
# Made by programs, kept as they were, or no text of ours.
LEFT_OUT = re.compile(
    r"(^|/)(\.[\w-]+|node_modules|__pycache__|build|dist|art/parts|docs/games|server/page|tests/(golden|older))(/|$)|wire\.d\.ts|view\.schema|package"
)


class Passage(NamedTuple):
    """A piece of prose: a paragraph, a comment, a text of a screen (which may be a label), the name of a test or of a value."""

    line: int
    text: str
    kind: str = "prose"


def test_constructions_that_read_as_translated_are_gone(subtests: pytest.Subtests) -> None:
    found: dict[str, list[str]] = defaultdict(list)
    for path in written(CHECKOUT):
        name = path.relative_to(CHECKOUT).as_posix()
        found[room(name)] += faults(name, path.read_text(encoding="utf-8"))
    for one, faulty in sorted(found.items()):
        with subtests.test(one or "the top folder"):
            assert not faulty, "\n" + "\n".join(faulty)


@pytest.mark.parametrize(
    ("name", "text", "advice"),
    [
        ("a.py", '"""Whoever passes pays."""', CONSTRUCTIONS[r"\bwho(?:m|so)?ever\b"]),
        ("a.py", "# It is kept for\n# those that ask.\n", CONSTRUCTIONS[r"\bthose (?:that|who|whom|whose)\b"]),
        ("a.py", "told = 1\n", NAMED),
        ("a.py", "def f(told_all: int): ...\n", NAMED),
        ("a.py", "def test_what_is_asked_is_paid(): ...\n", TEST),
        ("a.ts", "/** Which it is. Where it is none, nothing. */", OPENING),
        ("a.ts", "const told = 1;", NAMED),
        ("a.ts", 'test("what is kept is shown", () => {});', TEST),
        ("a.svelte", "<!-- It is to be had here. -->", CONSTRUCTIONS[r"\b(?:is|are|was|were|be|been|being) had\b"]),
        ("a.md", "It is so that nobody\nmay know.", CONSTRUCTIONS[r"\bso that (?:nobody|no one)\b"]),
        ("a.toml", 'says = { en = "Cards come about.", ja = "" }', CONSTRUCTIONS[r"\b(?:comes?|came|coming) about\b"]),
        ("a.json", '{\n  "a.b": "Ask anybody."\n}', CONSTRUCTIONS[r"\b(?:some|any)body\b"]),
    ],
)
def test_construction_is_found(name: str, text: str, advice: str) -> None:
    (fault,) = faults(name, text)
    assert fault.startswith(f"{name}:")
    assert fault.endswith(advice)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.py", '"""Say what it costs.\n\nWhat is a card? The one that lies on top, and where it lies."""\nx = "whoever"\n'),
        ("a.py", "tell = retold.untold\n# `told` was a name.\n"),
        ("a.md", "## What a guest keeps\n\n```\nWhere it is none\n```\n\nIt shows `whoever`: [what](whoever.md) it is."),
        ("a.ts", 'const url = "http://whoever"; // The player that was told\n'),
        ("a.toml", 'says = { en = "You play.", ja = "whoever" }\n'),
    ],
)
def test_plain_sentences_raise_no_alarm(name: str, text: str) -> None:
    assert faults(name, text) == []


def faults(name: str, text: str) -> list[str]:
    """Return a line for each finding in the file `name` with this text."""
    found: list[str] = []
    for line, passage, kind in READERS[Path(name).suffix](text):
        if kind == "name":
            found.append(f"{name}:{line}: {passage}: {NAMED}")
            continue
        for pattern, advice in CONSTRUCTIONS.items():
            found += [f"{name}:{line}: ... {each[0]} ...: {advice}" for each in re.finditer(pattern, passage, re.IGNORECASE)]
        if kind == "test":
            found += [f"{name}:{line}: {passage}: {TEST}"] if re.match(r"(?:what|who|whom|whose|where)\b", passage) else []
        else:
            openings = [] if kind == "label" and passage[-1:] != "." else OPENINGS.finditer(passage)
            found += [f"{name}:{line}: {each[0][:40]} ...: {OPENING}" for each in openings]
    return found


def written(folder: Path) -> Iterator[Path]:
    """Yield the files below a folder that people read and write."""
    for path in sorted(folder.iterdir()):
        if LEFT_OUT.search(path.relative_to(CHECKOUT).as_posix()):
            continue
        if path.is_dir():
            yield from written(path)
        elif path.suffix in READERS:
            yield path


def room(name: str) -> str:
    """Return the folder of a file below which findings are counted together."""
    for folder in ROOMS:
        if name.startswith(f"{folder}/") or not folder:
            below = name.removeprefix(f"{folder}/").split("/")
            return f"{folder}/{below[0]}".strip("/") if len(below) > 1 else folder
    raise AssertionError


def joined(text: str) -> str:
    """Return prose in one line, without code, addresses and marks of lists."""
    text = re.sub(r"``.*?``|`[^`]*`|\]\([^)]*\)|https?://\S+", "_", text)
    return " ".join(re.sub(r"^\s*(?:[-*>|]|\d+\.|:param)\s+", "", text).split())


def paragraphs(text: str, first: int = 1) -> Iterator[Passage]:
    """Yield each paragraph, item and cell of a text whose first line has the number `first`."""
    line = first
    for block in re.split(r"(\n\s*\n|\n(?=\s*(?:[-*|>] |\d+\. |Args:|Returns:|Raises:|Yields:|\w+: )))", text):
        for cell in re.split(r" \| ", block) if block.lstrip().startswith("|") else [block]:
            if cell.strip():
                yield Passage(line, joined(cell))
        line += block.count("\n")


def of_python(text: str) -> Iterator[Passage]:
    """Yield comments, docstrings, names of tests and names of values."""
    comments: list[tuple[int, str]] = []
    for line, part in scanned(PYTHON, text):
        if part["comment"]:
            comments.append((line, part[0].lstrip("#: ")))
        elif part["docstring"]:
            yield from paragraphs(part["docstring"], line)
        elif part["test"]:
            yield Passage(line, part["test"].replace("_", " "), "test")
        elif part["name"]:
            yield Passage(line, part[0], "name")
    yield from blocks(comments)


def scanned(parts: re.Pattern[str], text: str) -> Iterator[tuple[int, re.Match[str]]]:
    """Yield the parts of a source with their lines."""
    line, at = 1, 0
    for part in parts.finditer(text):
        line += text.count("\n", at, part.start())
        at = part.start()
        yield line, part


def blocks(comments: list[tuple[int, str]]) -> Iterator[Passage]:
    """Yield comments of one line each, those of adjacent lines as one."""
    for _, group in groupby(enumerate(comments), lambda each: each[1][0] - each[0]):
        lines = [comment for _, comment in group]
        yield from paragraphs("\n".join(text for _, text in lines), lines[0][0])


def of_script(text: str) -> Iterator[Passage]:
    """Yield comments, names of tests and names of values of TypeScript, JavaScript and Svelte."""
    comments: list[tuple[int, str]] = []
    for line, part in scanned(SCRIPT, text):
        if part["block"]:
            yield from paragraphs(re.sub(r"(?m)^\s*\* ?|/\*\*?|\*/|<!--|-->", "", part[0]), line)
        elif part["comment"]:
            comments.append((line, part[0].lstrip("/ ")))
        elif part["test"]:
            yield Passage(line, part["test"], "test")
        elif part["name"]:
            yield Passage(line, part[0], "name")
    yield from blocks(comments)


def of_markdown(text: str) -> Iterator[Passage]:
    """Yield paragraphs, items and cells, without headings and blocks of code."""
    kept = re.sub(r"(?ms)^( *)(```|~~~).*?^\1\2|^#[^\n]*|<!--.*?-->", lambda block: "\n" * block[0].count("\n"), text)
    yield from paragraphs(kept)


def of_toml(text: str) -> Iterator[Passage]:
    """Yield comments and English texts."""
    for line, row in enumerate(text.splitlines(), 1):
        for says in re.finditer(r'\b(?:en|about|[a-z_]+(?= = "[^"]* [^"]*"$)) = "((?:[^"\\]|\\.)*)"', row):
            yield Passage(line, joined(says[1]), "label")
    rows = enumerate(text.splitlines(), 1)
    yield from blocks([(line, row.lstrip("# ")) for line, row in rows if row.startswith("#")])


def of_json(text: str) -> Iterator[Passage]:
    """Yield texts of the page in English."""
    for line, row in enumerate(text.splitlines(), 1):
        if says := re.match(r'\s*"[^"]+": "(.*)"', row):
            yield Passage(line, joined(says[1]), "label")


READERS = {
    ".py": of_python,
    ".ts": of_script,
    ".js": of_script,
    ".svelte": of_script,
    ".md": of_markdown,
    ".toml": of_toml,
    ".json": of_json,
}
