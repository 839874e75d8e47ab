"""Shortens an error of Numba to one sentence: the file, the line, and the construct that Numba could not compile."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

_INSIDE = "raised a specific error:"  # precedes the fault in the rule that was called
_PLACE = re.compile(r'File "(?P<file>[^"]+)", line (?P<line>\d+)')
_CALLED = re.compile(r"Function\(<function \w+ at (?P<id>0x[0-9a-f]+)>\)")
_STATE = re.compile(r"Record\(.*?;\d+;(True|False)\)", re.DOTALL)
# Beginnings of lines that name no fault.
_FRAME = (
    "Failed in",
    "During:",
    "Overload",
    "There are",
    "- Of which",
    "- Resolution",
    "With argument",
    "Rejected",
    "raised from",
    "File",
)
_LONGEST = 240


def why_refused(error: Exception, rules: Sequence[Callable[..., Any]]) -> str:
    """One sentence for an error of Numba, with the file and the line.

    Args:
        error: the error that Numba raised.
        rules: all rules that Numba may have been compiling, among which the place of the fault is looked for.
    """
    message = _STATE.sub("a state", str(error).rpartition(_INSIDE)[2])
    lines = [re.sub(r"^\w*Error: (?=Failed in)", "", line.strip()) for line in message.splitlines()]
    said = next((line for line in lines if line and not line.startswith(_FRAME)), type(error).__name__)
    if said.endswith("signature:"):
        asked = next((line for line in lines if line.startswith(">>>")), "")
        said = f"machine code has nothing that does {asked.removeprefix('>>> ')}"
    return f"{_place(message, rules)}: {said[:_LONGEST]}"


def _place(message: str, rules: Sequence[Callable[..., Any]]) -> str:
    """The file and line of the fault: the first line in a rule's file that the text names, else the first line of the rule called.

    It is `rules` where the text names neither.
    """
    known = {hex(id(rule)): rule.__code__ for rule in rules}
    files = {code.co_filename for code in known.values()}
    for place in _PLACE.finditer(message):
        file = str(Path(place["file"]).resolve())
        if file in files:
            return f"{file}, line {place['line']}"
    code = next((known[called["id"]] for called in _CALLED.finditer(message) if called["id"] in known), None)
    return f"{code.co_filename}, line {code.co_firstlineno}" if code else "rules"
