"""What the documents say of commits and tags: tried in a clone of this repository."""

import re
import subprocess
from pathlib import Path

import pytest

from tests.helpers.folders import CHECKOUT, DOCS

RELEASES = sorted(path.stem for path in (DOCS / "releases").glob("*.md"))


def git(*words: str, cwd: Path = CHECKOUT) -> str:
    """Run git. Returns its output. Skips the test where the checkout is no clone with its history."""
    done = subprocess.run(["git", *words], cwd=cwd, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"this is no clone with all of its history: {done.stderr.strip()}")
    return done.stdout


def test_blame_passes_over_commits_by_their_subjects() -> None:
    lines = (CHECKOUT / ".git-blame-ignore-revs").read_text(encoding="utf-8")
    listed = re.findall(r"^# (.+)\n([0-9a-f]{40})$", lines, re.MULTILINE)
    assert len(listed) == len(re.findall(r"^[^#\n]", lines, re.MULTILINE)) > 10
    shown = git("log", "--no-walk=unsorted", "--format=%s", *(commit for _, commit in listed))
    assert shown.splitlines() == [subject for subject, _ in listed]


@pytest.mark.parametrize("release", RELEASES)
def test_documented_command_tags_the_commit_of_a_release(release: str, tmp_path: Path) -> None:
    text = (DOCS / "versions.md").read_text(encoding="utf-8")
    (commands,) = re.findall(r"```sh\n(release=.*?)```", text, re.DOTALL)
    git("clone", "--quiet", "--shared", "--no-tags", "--no-checkout", str(CHECKOUT), str(tmp_path))
    (tmp_path / "docs" / "releases").mkdir(parents=True)
    (tmp_path / "docs" / "releases" / f"{release}.md").write_text(f"# Notes of {release}\n", encoding="utf-8")
    for setting in ("user.name=Tester", "user.email=tester@example.org"):
        git("config", *setting.split("="), cwd=tmp_path)
    subprocess.run(["sh", "-ec", re.sub(r"release=.*", f"release={release}", commands)], cwd=tmp_path, check=True)
    assert git("cat-file", "-t", f"v{release}", cwd=tmp_path) == "tag\n"
    assert f'version = "{release}"' in git("show", f"v{release}:pyproject.toml", cwd=tmp_path)
