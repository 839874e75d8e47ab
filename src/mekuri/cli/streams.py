"""The standard streams, prepared once, so that every text can be printed to a terminal, file or pipe of any encoding."""

from __future__ import annotations

import io
import json
import os
import sys
from contextlib import suppress


def prepare_streams() -> None:
    """Let every character be printed and read: in UTF-8 to files and pipes, and with replacement characters in other encodings.

    A terminal keeps its encoding, and so does everything where PYTHONIOENCODING names one.
    """
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if not isinstance(stream, io.TextIOWrapper):  # there may be none at all
            continue
        keeps = stream is sys.stdin or stream.isatty() or os.environ.get("PYTHONIOENCODING", "").partition(":")[0]
        errors = "replace" if stream.errors in ("strict", "surrogateescape") else stream.errors
        with suppress(OSError):  # something has been read, or another file lies beneath by now
            stream.reconfigure(encoding=None if keeps else "utf-8", errors=errors)


def can_show(text: str) -> bool:
    """Return whether standard output has all characters of a text."""
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        return False
    return True


def print_json(value: object, indent: int | None = None) -> None:
    """Print a value as JSON. Characters that standard output lacks are escaped, so that nothing is lost."""
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    print(text if can_show(text) else json.dumps(value, indent=indent))
