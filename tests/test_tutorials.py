"""The tutorials are correct: each is done step by step."""

from pathlib import Path

import pytest

from tests.helpers.folders import DOCS
from tests.helpers.tutorials import blocks, do_tutorial

TUTORIALS = sorted((DOCS / "tutorials").glob("*.md"))


@pytest.mark.in_turn(3)
@pytest.mark.parametrize("document", TUTORIALS, ids=lambda document: document.stem)
def test_tutorial_works_step_by_step(document: Path, tmp_path: Path) -> None:
    text = document.read_text(encoding="utf-8")
    assert text.count("\n```") == 2 * len(blocks(text)), "a block that is neither done nor looked at"
    if left := do_tutorial(document, tmp_path):
        pytest.skip(f"all else has been done, but there is no {', '.join(left)}")


DONE = """
```python title="said.py"
def said():
    return 1
```

```diff title="said.py"
 def said():
-    return 1
+    return 2
```

```console
$ python -c 'import said; print("It is", said.said())'
It is {}
```
"""


@pytest.mark.parametrize("said", ["2", "..."])
def test_true_statement_of_a_tutorial_passes(said: str, tmp_path: Path) -> None:
    (tmp_path / "so.md").write_text(DONE.replace("{}", said), encoding="utf-8")
    assert do_tutorial(tmp_path / "so.md", tmp_path) == set()


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (DONE.replace("{}", "1"), 13, "It is 2"),
        (DONE.replace("-    return 1", "-    return 3"), 7, "stands 0 times"),
        ("```console\n$ exit 3\n```\n", 1, "exit 3"),
        ("```python\n>>> 1 + 1\n3\n```\n", 1, "Got:\n    2"),
        ("```cobol\nSTOP RUN.\n```\n", 1, "cobol"),
    ],
)
def test_false_statement_is_reported_with_its_line(text: str, line: int, message: str, tmp_path: Path) -> None:
    (tmp_path / "wrong.md").write_text(text, encoding="utf-8")
    with pytest.raises(AssertionError) as failed:
        do_tutorial(tmp_path / "wrong.md", tmp_path)
    assert f"wrong.md, line {line}: " in str(failed.value)
    assert message in str(failed.value)
