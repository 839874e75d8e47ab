"""The site of the documents: built strictly, whole, and loading nothing from elsewhere."""

import functools
import http.server
import re
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.async_api import Page

from tests.helpers.folders import CHECKOUT
from tests.helpers.installing import kept
from tests.helpers.page.browser import DESKTOP, find_chromium, launched, listen, sit_down
from tools.docs import ELSEWHERE, SETTINGS, TAKEN, DocsError, build, rewritten

LOADING = {"audio", "embed", "iframe", "img", "input", "link", "object", "script", "source", "track", "video"}
ATTRIBUTES = {"src", "href", "data", "poster", "srcset", "action"}


class Loaded(HTMLParser):
    """Return the addresses that a page loads by itself, without its links."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.addresses: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in LOADING and ("rel", "canonical") not in attrs:
            self.addresses += [value for name, value in attrs if name in ATTRIBUTES and value]
        self.addresses += [found for name, value in attrs if name == "style" for found in urls(value or "")]


def urls(css: str) -> list[str]:
    return re.findall(r"""(?:url\(|@import\s)\s*["']?([^"')]+)""", css)


def elsewhere(site: Path) -> list[str]:
    """What the pages and styles of a site load from other hosts."""
    loaded = [(page, Loaded(page.read_text(encoding="utf-8")).addresses) for page in site.rglob("*.html")]
    loaded += [(style, urls(style.read_text(encoding="utf-8"))) for style in site.rglob("*.css")]
    return [f"{file.relative_to(site)}: {one}" for file, all in loaded for one in all if urlsplit(one).netloc]


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve a folder as a site on loopback, and return its address."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder))) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()


@pytest.mark.every_days(4)
async def test_built_site_loads_nothing_from_elsewhere(pytestconfig: pytest.Config) -> None:
    """Strictly: a link, an anchor or a module that is not there, and a page without a place, are errors."""
    taken = [path for pattern in TAKEN for path in CHECKOUT.glob(pattern)]
    made_of = [*taken, *(CHECKOUT / place for place in (*ELSEWHERE.values(), SETTINGS, "src/mekuri", "tools/docs.py"))]
    site = kept(pytestconfig, "site", made_of, build) / "site"
    assert {"docs/contract", "docs/tutorials/first-game", "docs/glossary", "api/mekuri.plugin", "SECURITY"} <= {
        page.parent.relative_to(site).as_posix() for page in site.rglob("index.html")
    }
    assert 'id="mekuri.plugin.Contract"' in (site / "api/mekuri.plugin/index.html").read_text(encoding="utf-8")
    assert elsewhere(site) == []
    path = find_chromium()
    if path is None:
        pytest.skip("it is built, but not looked at: install chromium (Debian, Ubuntu: apt install chromium)")
    with served(site) as address:
        async with launched(path) as browser:
            context = await sit_down(browser, address, DESKTOP)
            page = await context.new_page()
            asked: list[str] = []
            page.on("request", lambda request: asked.append(request.url))
            faults = listen(page)
            await look_through(page)
            assert [one for one in asked if not one.startswith((f"{address}/", "blob:", "data:"))] == []
            assert faults == []
            await context.close()


async def look_through(page: Page) -> None:
    """The pages of each kind, and the search."""
    for place in ("/docs/tutorials/first-game/", "/docs/view/", "/docs/games/mushi/", "/api/mekuri.plugin/", "/"):
        await page.goto(place)
        await page.locator("h1").first.wait_for()
    await page.get_by_role("button", name="Search").first.click()
    await page.get_by_role("combobox").or_(page.get_by_role("textbox")).first.fill("redeal")
    await page.get_by_text(re.compile(r"^\d+ results$")).first.wait_for()


@pytest.mark.every_days(4)
@pytest.mark.parametrize(
    ("page", "place", "said"),
    [
        ("[nowhere](nowhere.md)", "docs/page.md", "page does not exist"),
        ("[nowhere](#nowhere)", "docs/page.md", "anchor does not exist"),
        ("# Without a place", "docs/other.md", "no place for docs/page.md"),
        ("::: mekuri.nothing", "docs/page.md", "mekuri.nothing"),
    ],
)
def test_broken_page_fails_the_build(page: str, place: str, said: str, tmp_path: Path) -> None:
    root = tmp_path / "root"
    for folder in ("docs", "web/public", "tools"):
        (root / folder).mkdir(parents=True)
    for file in ("web/public/icon.svg", "tools/docs.css"):
        shutil.copy(CHECKOUT / file, root / file)
    (root / "src").symlink_to(CHECKOUT / "src")
    settings = (CHECKOUT / "zensical.toml").read_text(encoding="utf-8")
    nav = f'nav = [\n    "README.md",\n    "{place}",\n]\n'
    (root / "zensical.toml").write_text(re.sub(r"^nav = \[.*?^\]\n", nav, settings, flags=re.S | re.M), encoding="utf-8")
    (root / "README.md").write_text("# Home\n", encoding="utf-8")
    (root / "docs/page.md").write_text(f"{page}\n", encoding="utf-8")
    with pytest.raises(DocsError, match=re.escape(said)):
        build(tmp_path / "built", root)


def test_github_markdown_is_rewritten_for_python() -> None:
    assert rewritten("Three:\n* one\n  of them\n* two\n\n* three") == "Three:\n\n* one\n  of them\n* two\n\n* three"
    assert rewritten("```json Event\n* {}\n```") == '```json title="Event"\n* {}\n```'
    assert rewritten("```\ntext\n* as it is\n```") == "```\ntext\n* as it is\n```"
