"""Build the site of the documents: README.md and the other pages beside it, docs/, the examples, and the public Python modules.

    python -m tools.docs build     # strictly, into build/docs/site
    python -m tools.docs serve     # at http://127.0.0.1:8414, again whenever a page has changed

Pages keep the layout of the repository, so that a link leads to the same page in both. `zensical.toml` has the navigation.
docs/decisions/0031-docs-site.md has the reasons.
"""

import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "build" / "docs"
SETTINGS = "zensical.toml"
TAKEN = ("*.md", "docs/**/*", "examples/**/*.md", "examples/**/*.py", "examples/**/*.toml")
ELSEWHERE = {"icon.svg": "web/public/icon.svg", "site.css": "tools/docs.css"}
ADDRESS = "127.0.0.1:8414"

_NAMED = re.compile(r'^( *)(?:\{ ".*" = )?"([\w./*-]+\.md)"(?: \})?,\n', re.MULTILINE)
_ITEM = re.compile(r"(?:[*+-]|\d+\.) ")


class DocsError(Exception):
    """The site cannot be built."""


def rewritten(text: str) -> str:
    """Convert a page from GitHub's Markdown to Python-Markdown: titles of code blocks, and an empty line before each list."""
    lines: list[str] = []
    fenced = False
    for line in re.sub(r"^```(\w+) (\w+)$", r'```\1 title="\2"', text, flags=re.MULTILINE).split("\n"):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        elif not fenced and _ITEM.match(line) and lines and lines[-1].strip() and not _in_list(lines):
            lines.append("")
        lines.append(line)
    return "\n".join(lines)


def _in_list(lines: list[str]) -> bool:
    """Return whether the last paragraph is an item of a list."""
    for line in reversed(lines):
        if not line.strip():
            return False
        if _ITEM.match(line.lstrip()):
            return True
    return False


def _sources(root: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the path and content of every page and of the files it shows."""
    for path in sorted({path for pattern in TAKEN for path in root.glob(pattern) if path.is_file()}):
        name, content = path.relative_to(root).as_posix(), path.read_bytes()
        if "__pycache__" not in name:
            yield name, rewritten(content.decode()).encode() if path.suffix == ".md" else content
    for name, place in ELSEWHERE.items():
        yield name, (root / place).read_bytes()


def arranged(settings: str, pages: list[str]) -> str:
    """Return the settings with names that have a star replaced by the pages that match them.

    Args:
        settings: the text of zensical.toml.
        pages: the paths of all pages.

    Raises:
        DocsError: a page has no place in the navigation.
    """
    named = {found[2] for found in _NAMED.finditer(settings)}
    placed = set(named)

    def pages_of(found: re.Match[str]) -> str:
        if "*" not in found[2]:
            return found[0]
        fitting = re.compile(re.escape(found[2]).replace(r"\*", "[^/]*"))
        here = [page for page in pages if fitting.fullmatch(page) and page not in named]
        placed.update(here)
        return "".join(f'{found[1]}"{page}",\n' for page in here)

    settings = _NAMED.sub(pages_of, settings)
    if missing := [page for page in pages if page not in placed]:
        raise DocsError(f"{SETTINGS} has no place for {', '.join(missing)}")
    return settings


def lay_out(folder: Path = FOLDER, root: Path = ROOT) -> None:
    """Copy the pages and settings into a folder for the site generator, writing only files that have changed.

    Raises:
        DocsError: a page has no place in the navigation.
    """
    settings = (root / SETTINGS).read_text(encoding="utf-8")
    wanted = {f"pages/{name}": content for name, content in _sources(root)}
    for module in re.findall(r'"api/([\w.]+)\.md"', settings):
        wanted[f"pages/api/{module}.md"] = f"# {module}\n\n::: {module}\n".encode()
    pages = [name.removeprefix("pages/") for name in wanted if name.endswith(".md")]
    wanted[SETTINGS] = arranged(settings, pages).replace('"../../src"', f'"{(root / "src").as_posix()}"').encode()
    for path in list(folder.glob("pages/**/*")):
        if path.is_file() and path.relative_to(folder).as_posix() not in wanted:
            path.unlink()
    for name, content in wanted.items():
        path = folder / name
        if not path.exists() or path.read_bytes() != content:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)


def _zensical(*words: str) -> list[str]:
    return [sys.executable, "-m", "zensical", *words]


def build(folder: Path = FOLDER, root: Path = ROOT) -> Path:
    """Build the site and return its folder.

    Raises:
        DocsError: the generator reports an error or a warning, which the message has.
    """
    lay_out(folder, root)
    ended = subprocess.run(
        _zensical("build", "--strict", "--clean"), cwd=folder, capture_output=True, text=True, encoding="utf-8", check=False
    )
    said = re.sub(r"\x1b\[[\d;]*m", "", f"{ended.stdout}{ended.stderr}")
    if ended.returncode:
        said, _, trace = said.partition("Traceback")
        raise DocsError("\n".join([said.strip(), *trace.strip().splitlines()[-1:]]))
    return folder / "site"


def serve(address: str = ADDRESS) -> None:
    """Serve the site until interrupted, and build it again whenever a page has changed.

    Raises:
        DocsError: a page has no place in the navigation at the start.
    """
    lay_out()
    print(f"The documents: http://{address}/  (Ctrl-C ends)", flush=True)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    serving = subprocess.Popen(_zensical("serve", "--dev-addr", address), cwd=FOLDER)
    printed = ""
    try:
        while serving.poll() is None:
            time.sleep(1)
            printed = _laid_out_again(printed)
    except KeyboardInterrupt:
        pass
    finally:
        serving.terminate()
        serving.wait()


def _laid_out_again(printed: str) -> str:
    """Lay the pages out again. Returns the error, which is printed once, or an empty text."""
    try:
        lay_out()
    except DocsError as error:
        if str(error) != printed:
            print(error, file=sys.stderr, flush=True)
        return str(error)
    return ""


def main(words: list[str]) -> int:
    """Run the command line. Returns the exit status."""
    try:
        match words:
            case ["build"]:
                print(build())
            case ["serve", *address] if len(address) < 2:
                serve(*address)
            case _:
                print(__doc__, file=sys.stderr)
                return 2
    except DocsError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
