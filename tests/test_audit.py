"""Mekuri's dependencies have no known faults: the pins of Python and of the page are checked against registries.

If these are unreachable, the result is unknown: the audit first looks up a package with known faults, and is skipped if it seems to
have none. It never passes for want of data.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from tests.helpers.auditing import Audit, of_page, of_python
from tests.helpers.folders import CHECKOUT
from tools.build_page import find_node

PINS = ("run", "docs", "test", "node", "audit")
# Each has faults that have been known for years.
FAULTY, FAULTY_PAGE = "jinja2==2.10", ("lodash", "4.17.4")
UNREACHED = "NOTHING IS AUDITED: what is known of {} cannot be reached here: {}"


class TestAuditOutput:
    """In the words of the programs."""

    def test_clean_output_has_no_fault(self) -> None:
        said = '{"dependencies": [{"name": "a", "version": "1", "vulns": []}], "fixes": []}'
        assert of_python(said) == Audit([], [])
        assert of_page('{"auditReportVersion": 2, "vulnerabilities": {}, "metadata": {}}') == Audit([], [])

    def test_every_fault_is_listed(self) -> None:
        said = '{"dependencies": [{"name": "a", "version": "1", "vulns": [{"id": "X-1"}, {"id": "X-2"}]}], "fixes": []}'
        assert of_python(said) == Audit(["a 1: X-1, X-2"], [])
        said = '{"auditReportVersion": 2, "vulnerabilities": {"b": {"severity": "high"}}}'
        assert of_page(said) == Audit(["b: high"], [])

    def test_skipped_package_is_unchecked(self) -> None:
        """So pip-audit ends well, and has learned nothing."""
        said = '{"dependencies": [{"name": "a", "skip_reason": "Dependency not found"}], "fixes": []}'
        assert of_python(said) == Audit([], ["a"])

    @pytest.mark.parametrize("said", ["", "Traceback", "[]", '{"message": "405 Method Not Allowed", "error": {}}'])
    def test_truncated_output_gives_none(self, said: str) -> None:
        assert of_python(said) is None
        assert of_page(said) is None


def run(*words: str, cwd: Path | None = None, path: str = "") -> subprocess.CompletedProcess[str]:
    around = os.environ | ({"PATH": f"{path}{os.pathsep}{os.environ['PATH']}"} if path else {})
    return subprocess.run(words, capture_output=True, text=True, check=False, cwd=cwd, env=around)


def why(said: subprocess.CompletedProcess[str]) -> str:
    """The complaints of a program, without the registry's address."""
    lines = [line for line in said.stderr.strip().splitlines() if "complete log" not in line] or ["it said nothing"]
    return re.sub(r"https?://\S+", "the registry", " / ".join(lines[-2:]))[:300]


@pytest.fixture(scope="module")
def pip_audit(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the program, in a separate environment, once it has found a known fault."""
    folder = tmp_path_factory.mktemp("audit")
    venv.create(folder / "venv", with_pip=True)
    scripts = folder / "venv" / ("Scripts" if sys.platform == "win32" else "bin")
    pins = str(CHECKOUT / "requirements" / "audit.txt")
    done = run(str(scripts / "python"), "-m", "pip", "install", "--quiet", "--no-input", "--require-hashes", "-r", pins)
    if done.returncode:
        pytest.skip(UNREACHED.format("pip-audit", why(done)))
    faulty = folder / "faulty.txt"
    faulty.write_text(FAULTY + "\n", encoding="utf-8")
    said = audit(scripts / "pip-audit", faulty, "--no-deps")
    found = of_python(said.stdout)
    if not (found and found.faults):
        pytest.skip(UNREACHED.format("Python's packages", f"{FAULTY} seems to have no fault; {why(said)}"))
    return scripts / "pip-audit"


def audit(program: Path, pins: Path, how: str) -> subprocess.CompletedProcess[str]:
    return run(str(program), "--disable-pip", how, "--format", "json", "--progress-spinner", "off", "-r", str(pins))


@pytest.mark.slow
@pytest.mark.parametrize("pins", PINS)
def test_pins_of_python_have_no_known_fault(pip_audit: Path, pins: str) -> None:
    said = audit(pip_audit, CHECKOUT / "requirements" / f"{pins}.txt", "--require-hashes")
    assert of_python(said.stdout) == Audit([], []), said.stderr


@pytest.mark.slow
def test_pins_of_the_page_have_no_known_fault(tmp_path: Path) -> None:
    node = find_node(CHECKOUT)
    assert node, "the page cannot have been built"
    npm = shutil.which("npm", path=str(node))
    assert npm

    def look(folder: Path) -> tuple[Audit | None, str]:
        said = run(npm, "audit", "--json", "--package-lock-only", cwd=folder, path=str(node))
        return of_page(said.stdout), why(said)

    name, version = FAULTY_PAGE
    package = {"name": "faulty", "version": "1.0.0", "dependencies": {name: version}}
    lock = {"": package, f"node_modules/{name}": {"version": version}}
    (tmp_path / "package.json").write_text(json.dumps(package), encoding="utf-8")
    written = {"name": "faulty", "version": "1.0.0", "lockfileVersion": 3, "requires": True, "packages": lock}
    (tmp_path / "package-lock.json").write_text(json.dumps(written), encoding="utf-8")
    found, said = look(tmp_path)
    if not (found and found.faults):
        pytest.skip(UNREACHED.format("the page's packages", f"{name} {version} seems to have no fault; {said}"))
    for file in ("package.json", "package-lock.json"):
        shutil.copy(CHECKOUT / "web" / file, tmp_path)
    found, said = look(tmp_path)
    assert found == Audit([], []), said
