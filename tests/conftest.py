"""Options and fixtures of the tests."""

from pathlib import Path

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--soak", action="store_true", help="also run the long sweeps")
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
