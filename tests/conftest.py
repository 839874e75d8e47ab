"""Options and fixtures of the tests."""

from collections.abc import Callable
from difflib import unified_diff
from pathlib import Path

import pytest

GOLDEN = Path(__file__).parent / "golden"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--soak", action="store_true", help="also run the long sweeps")
    parser.addoption("--golden-write", action="store_true", help="write the files of tests/golden anew instead of comparing")
    parser.addoption("--source-texts", type=Path, help="folder with the texts the rule books cite, which are not part of Mekuri")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("--soak"):
        for item in items:
            if item.get_closest_marker("soak"):
                item.add_marker(pytest.mark.skip(reason="a long sweep: run with --soak"))


@pytest.fixture
def source_texts(request: pytest.FixtureRequest) -> Path:
    folder = request.config.getoption("--source-texts")
    if folder is None:
        pytest.skip("the source texts are not here: give their folder with --source-texts=DIR")
    assert isinstance(folder, Path)
    return folder


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Hold a text against the file of a name in tests/golden, or write it there."""

    def compare(name: str, text: str) -> None:
        path = GOLDEN / name
        if request.config.getoption("--golden-write"):
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
            return
        if not path.exists():
            pytest.fail(f"tests/golden/{name} is not there: write it with pytest --golden-write, and read it before you keep it")
        kept = path.read_text(encoding="utf-8")
        if kept != text:
            changes = list(
                unified_diff(kept.splitlines(), text.splitlines(), f"tests/golden/{name}", "as played now", lineterm="", n=2)
            )
            more = f"\n... and {len(changes) - 60} lines more" if len(changes) > 60 else ""
            pytest.fail(
                "\n".join(changes[:60]) + f"{more}\nIf this change is wanted: pytest --golden-write, and look at git diff.",
                pytrace=False,
            )

    return compare
