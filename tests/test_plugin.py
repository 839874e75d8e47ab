"""`mekuri.plugin`: everything that a game of another distribution needs."""

import ast
import subprocess
import sys

from mekuri import plugin
from tests.helpers.folders import EXAMPLES

SOURCES = sorted(EXAMPLES.glob("*/src/**/*.py"))


def test_example_game_imports_only_the_plugin_module() -> None:
    assert len(SOURCES) > 5
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                assert not any(name.name.split(".")[0] == "mekuri" for name in node.names), path
            if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "mekuri":
                assert node.module == "mekuri.plugin", path
                assert {name.name for name in node.names} <= {*plugin.__all__}, path


def test_exported_names_exist_and_are_unique() -> None:
    assert [name for name in plugin.__all__ if not hasattr(plugin, name)] == []
    assert len({*plugin.__all__}) == len(plugin.__all__)
    assert [name for name in plugin.__all__ if name != "fields" and not callable(getattr(plugin, name))] == [
        name for name in plugin.__all__ if name.isupper()
    ]


def test_plugin_module_loads_no_game_or_library() -> None:
    """Importing it is fast for authors of games."""
    code = "import sys, mekuri.plugin; print([n for n in sys.modules if n in ('numba', 'numpy') or n.endswith('.rules')])"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ended.stdout.strip() == "[]"
