"""Why Numba has refused a rule, in one sentence: of the pages that it writes, the file, the line and what it could not do there."""

from __future__ import annotations

import re
from pathlib import Path

_PLACE = re.compile(r'File "(?P<file>[^"]+)", line (?P<line>\d+)')
_NEAR = re.compile(r"(?P<file>\S+\.py) \((?P<line>\d+)\)")  # as in: During: typing of call at FILE (LINE)
_INSIDE = "raised a specific error:"  # before what was wrong in the rule that was called
# Lines that only say that something was wrong.
_FRAME = (
    "Failed in",
    "During:",
    "Overload",
    "There are",
    "- Of which",
    "- Resolution",
    "With argument",
    "Rejected",
    "Enable logging",
)
_LONGEST = 240


def why_refused(error: Exception, engine: Path) -> str:
    """What an error of Numba says: where in which file, and one sentence. Places in the `engine` itself are no use to anybody."""
    told = str(error).rpartition(_INSIDE)[2]
    found = [match for pattern in (_PLACE, _NEAR) for match in pattern.finditer(told)]
    places = [(Path(match["file"]).resolve(), match["line"]) for match in found]
    outside = [(file, line) for file, line in places if file.exists() and "numba" not in file.parts and engine not in file.parents]
    at = "".join(f"{file}, line {line}: " for file, line in (outside or places)[:1])
    lines = [line.strip() for line in told.splitlines()]
    said = [line for line in lines if line and not line.startswith((*_FRAME, "File"))]
    sentence = re.sub(r"^\w+Error: ", "", " ".join(said[:1])) or type(error).__name__
    called = next((line for line in lines if line.startswith(">>>")), "")
    if sentence.endswith("signature:"):
        sentence = f"nothing there is that does {called.removeprefix('>>> ')}"
    return f"{at}{sentence[:_LONGEST]}"
