"""The entry point of the command `mekuri`: it runs a subcommand and prints its errors as one line."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from traceback import walk_tb
from typing import Any

from cyclopts import CycloptsError, UnusedCliTokensError

from mekuri.cards import NotationError
from mekuri.cards.art.packs import UnknownPack
from mekuri.cli import admin, check, daily, guest, keep, lab, new, play, practice, puzzles, read, review, serve, site, turns  # noqa: F401 - each brings its verbs
from mekuri.cli.arguments import app, complain
from mekuri.cli.streams import prepare_streams
from mekuri.engine.errors import MekuriError
from mekuri.files import expanded


def _fail(message: str) -> None:
    complain(message)
    sys.exit(2)


def _expanded(value: Any) -> Any:
    """Return the value of an argument, with `~` at the beginning of paths as the home folder."""
    if isinstance(value, tuple):
        return tuple(map(_expanded, value))
    return expanded(value) if isinstance(value, Path) else value


def _not_understood(*words: str) -> None:
    _fail(f"{' '.join(words)}: not understood; see mekuri --help")


def _extra(error: ModuleNotFoundError) -> str:
    """Return the extra of the distribution that brings the module which an import has not found.

    Raises:
        ModuleNotFoundError: the error itself, if no extra brings the module.
    """
    from importlib.metadata import PackageNotFoundError, requires

    missing = (error.name or "").partition(".")[0].replace("_", "-")
    try:
        wanted = [re.match(r"([\w-]+).*\bextra == ['\"](server|terminal)['\"]", line) for line in requires("mekuri") or ()]
    except PackageNotFoundError:
        raise error from None
    extras = [match[2] for match in wanted if match and match[1] == missing]
    if not extras:
        raise error
    # If several extras bring it, prefer the one with the name of the package that imports the module.
    asking = [frame.f_globals["__name__"].split(".")[:2] for frame, _ in walk_tb(error.__traceback__)]
    return next((extra for extra in extras if ["mekuri", extra] in asking), extras[0])


def main(words: Sequence[str] | None = None) -> None:
    """Run the command `mekuri`.

    An error is printed as one line on standard error, and the process exits with status 2; with 130 after an interrupt, and with
    141 if the reader of the output has gone.

    Args:
        words: the arguments of the command line; None for those of the process.
    """
    words = sys.argv[1:] if words is None else words
    prepare_streams()
    try:
        if words and not words[0].startswith("-") and words[0] not in list(app):
            _not_understood(words[0])  # otherwise a --help after it would print the help of the whole command
        command, bound, _ = app.parse_args(words, exit_on_error=False, print_error=False)
        bound.arguments.update({name: _expanded(value) for name, value in bound.arguments.items()})
        command(*bound.args, **bound.kwargs)
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader of our output has gone. The rest is discarded, so that the interpreter does not fail when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(141)
    except UnusedCliTokensError as error:
        _not_understood(*error.unused_tokens or ())
    except ModuleNotFoundError as error:
        _fail(f'this needs packages that are not installed: pip install "mekuri[{_extra(error)}]"')
    except OSError as error:
        _fail(f"{error.filename}: {error.strerror}" if error.filename else str(error))
    except (CycloptsError, MekuriError, NotationError, UnknownPack) as error:
        _fail(str(error))
    except KeyboardInterrupt:
        sys.exit(130)
