"""Link preview pictures of cards, rendered as PNG in a subprocess and cached."""

from __future__ import annotations

import logging
import subprocess
import sys
from time import thread_time

from mekuri.cards.art import Pack
from mekuri.cards.art.scene import scene
from mekuri.desk.cached_response import CachedResponse
from mekuri.desk.sized_cache import SizedCache
from mekuri.server.base.work import WorkerThread

try:
    from resource import RUSAGE_CHILDREN, getrusage
except ImportError:  # on Windows, where the subprocess's time is not charged

    def _spent() -> float:
        return thread_time()

else:

    def _spent() -> float:
        """Return the processor seconds that this thread and finished child processes have used."""
        used = getrusage(RUSAGE_CHILDREN)
        return thread_time() + used.ru_utime + used.ru_stime


_log = logging.getLogger("mekuri.server")
_PATIENCE = 10.0  # seconds until a rendering is aborted
# The library holds the GIL while it renders: in this process it would block all tables for a fifth of a second.
_DRAW = """\
import sys, resvg_py
drawn = resvg_py.svg_to_bytes(svg_string=sys.stdin.buffer.read().decode(), skip_system_fonts=True)
sys.stdout.buffer.write(bytes(drawn))
"""


class Pictures:
    """Renders pictures, one at a time. The processor time is charged to the request that renders a picture first."""

    def __init__(self, sized_cache: SizedCache) -> None:
        self._sized_cache = sized_cache
        self._room = WorkerThread(_spent)

    async def draw(self, pack: Pack, cards: tuple[int, ...]) -> CachedResponse | None:
        """Return the picture of some cards as PNG; None where rendering fails."""
        key = (pack.id, cards)

        def drawn() -> CachedResponse | None:
            # Another request may have rendered it meanwhile.
            found: CachedResponse | None = self._sized_cache.find(Pictures, key)
            if found is None and (png := _draw(scene(pack, cards))):
                found = CachedResponse(png, "image/png")
                _ = found.tag  # computed here in the thread, and not on the event loop
                self._sized_cache.keep(Pictures, key, found, len(png))
            return found

        kept: CachedResponse | None = self._sized_cache.find(Pictures, key)
        return await self._room.do(drawn) if kept is None else kept

    def close(self) -> None:
        """Start no more renderings."""
        self._room.close()


def _draw(svg: str) -> bytes | None:
    try:
        done = subprocess.run(
            [sys.executable, "-I", "-c", _DRAW], input=svg.encode(), capture_output=True, timeout=_PATIENCE, check=True
        )
    except (OSError, subprocess.SubprocessError) as error:
        _log.warning("No picture can be drawn: %s", error)
        return None
    return done.stdout
