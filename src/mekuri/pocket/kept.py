"""The service worker, by which a browser keeps the files of a page for offline and shows notifications.

`web/src/pocket/offline.ts` is its script. The list of files stands before it, each with the beginning of its SHA-256: the browser
keeps a file only if it is the one of the list.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

FILES = Path(__file__).with_name("files")  # the output of the build of the workers
SCRIPT = "offline.js"


def version_of(files: Mapping[str, bytes]) -> str:
    """Return the version of a page: the beginning of a digest of all its files, by their paths."""
    return sha256(b"".join(b"%s\n%s" % (name.encode(), sha256(body).digest()) for name, body in sorted(files.items()))).hexdigest()[
        :16
    ]


def service_worker(version: str, now: Mapping[str, bytes], later: Mapping[str, bytes], server: bool = False) -> bytes:
    """Return the script of a service worker.

    Args:
        version: the version of the page.
        now: the files that it keeps at once, by their paths.
        later: the files that it keeps once they are used.
        server: whether a server sends the pages. A site without a server has one page, whose path is empty.
    """
    kept = {
        "version": version,
        "now": {name: _tag(body) for name, body in now.items()},
        "later": {name: _tag(body) for name, body in later.items()},
        "size": sum(map(len, now.values())),
        "server": server,
    }
    return _script(json.dumps(kept, separators=(",", ":")))


def ending() -> bytes:
    """Return the script of a service worker that deletes what was kept, and unregisters itself."""
    return _script("null")


def _script(kept: str) -> bytes:
    return f"self.KEPT = {kept};\n".encode() + (FILES / SCRIPT).read_bytes()


def _tag(body: bytes) -> str:
    return b64encode(sha256(body).digest()[:9]).decode()
