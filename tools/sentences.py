"""Split a source text into numbered sentences and print each with its SHA-256, for the rows of a `sources.toml`.

Usage: python tools/sentences.py TEXT.md
"""

import hashlib
import re
import sys
from pathlib import Path

# A sentence ends at ". ", "? " or "! " before a capital, a bracket or a mark of emphasis; never after these, nor after
# the number of a list item.
_END = re.compile(r"(?<=[.!?])(?<!i\.e\.)(?<!e\.g\.)(?<!lit\.)(?<!pt\.)(?<!^\d\.)(?<!^\d\d\.)\**\s+(?=[A-Z(\"'*_>\[])")


def sentences(text: str) -> list[str]:
    """Return the sentences of a Markdown text in order, with white space normalised.

    The front matter is left out. Headings, list items and table rows are sentences of their own. Other lines are split at the ends
    of their sentences.
    """
    text = re.sub(r"\A---\n.*?\n---\n", "", text, flags=re.DOTALL)
    found: list[str] = []
    for line in text.splitlines():
        whole = line.startswith(("#", "|", "{", "![")) or not line.strip()
        found += [line] if whole else _END.split(line)
    return [" ".join(sentence.split()) for sentence in found if sentence.strip()]


def digest(sentence: str) -> str:
    """Return the SHA-256 of a sentence with normalised white space, in hexadecimal."""
    return hashlib.sha256(sentence.encode()).hexdigest()


if __name__ == "__main__":
    for ordinal, sentence in enumerate(sentences(Path(sys.argv[1]).read_text(encoding="utf-8")), 1):
        print(ordinal, digest(sentence), sentence, sep="\t")
