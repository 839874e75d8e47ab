"""Renames of issue 18: the names that the field uses, for a whole checkout or for some packages of it.

    python -m tools.rename              # everything
    python -m tools.rename table server # some packages, in this order

It renames files (`git mv`), modules (imports, dotted names, paths in texts), names (tokens of Python, also in f-strings, and in
texts between backticks), and texts (regular expressions). It may be run again, for it skips packages in `ONCE` that are done: there
an old name is now the name of something else. Afterwards ruff sorts the imports and formats the files that have changed. The golden
play-throughs are written again where only names differ: `python -m tools.rename --golden`.
"""

from __future__ import annotations

import io
import re
import subprocess
import sys
import token
import tokenize
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

HERE = Path(__file__).resolve().parents[1]
TEXTS = {
    ".py",
    ".md",
    ".toml",
    ".ts",
    ".svelte",
    ".js",
    ".json",
    ".tcss",
    ".css",
    ".yml",
    ".yaml",
    ".cfg",
    ".txt",
    ".svg",
    ".html",
    "",
}
KEPT = ("tests/older/", "tests/golden/", "src/mekuri/server/page/", "CHANGELOG.md", "tools/rename.py", "docs/decisions/0030")
PYTHON = ("src/", "tests/", "examples/", "tools/", "bench/", "deploy/", "web/")
_TICKED = re.compile(r"`[^`\n]+`")
_BRACED = re.compile(r"\{[^{}]*\}")


@dataclass(frozen=True)
class Module:
    """A module that is renamed, and the file of its tests if there is one."""

    old: str
    new: str


@dataclass(frozen=True)
class File:
    """A file that is renamed."""

    old: str
    new: str


@dataclass(frozen=True)
class Name:
    """A Python name that is renamed as a token, and where it stands between backticks.

    Attributes:
        old: the old name.
        new: the new name.
        where: prefixes of the paths in which it is renamed.
        given: a regular expression that a file must match to be changed; empty for any file.
        attribute: True for attributes only, False for all but attributes, None for both.
        but: prefixes of paths that are left out.
        docs: whether it is also renamed between backticks in the documents.
    """

    old: str
    new: str
    where: tuple[str, ...] = PYTHON
    given: str = ""
    attribute: bool | None = None
    but: tuple[str, ...] = ()
    docs: bool = False


@dataclass(frozen=True)
class Words:
    """A regular expression that is replaced in texts.

    Attributes:
        old: the regular expression.
        new: its replacement.
        where: prefixes of the paths in which it is replaced.
        but: prefixes of paths that are left out.
    """

    old: str
    new: str
    where: tuple[str, ...] = ("",)
    but: tuple[str, ...] = ()


Rule = Module | File | Name | Words


# Packages in which an old name is now the name of something else, and a file and text that show that they have been renamed.
ONCE = {"contract": ("src/mekuri/engine/contract.py", r"\bprospect: Rule\b")}

_GAMES = (
    "src/mekuri/engine/",
    "src/mekuri/bots/",
    "src/mekuri/games/",
    "src/mekuri/testing/",
    "src/mekuri/cli/skeleton/",
    "examples/",
)
_GAMES += ("tests/games/", "tests/engine/", "tests/bots/", "tests/testing/", "tests/helpers/sequences.py", "tests/cli/", "tools/")
_VISIBLE = r"from mekuri\.testing\.(outlook|visible) import [^\n]*\b(outlook|visible)\b"
_MATCHES = ("src/mekuri/engine/", "src/mekuri/games/", "src/mekuri/match/", "src/mekuri/lab/", "src/mekuri/terminal/", "examples/")
_MATCHES += (
    "src/mekuri/protocol/view.py",
    "src/mekuri/table/showing.py",
    "tests/games/",
    "tests/match/",
    "tests/lab/",
    "tests/test_api.py",
)
_SERVER = ("src/mekuri/server/", "tests/server/", "tests/helpers/server/", "tests/table/", "bench/")
_TABLE = ("src/mekuri/table/", "src/mekuri/server/", "tests/table/", "tests/server/", "tests/helpers/")
_REFUSED = r"from mekuri\.table\.(refused|errors) import "
_SHAPES = "faces|ring|bank|pile"

PACKAGES: dict[str, tuple[Rule, ...]] = {
    "contract": (
        # The module on what a viewer sees of two worlds had the name of the estimate of a hand.
        File("src/mekuri/testing/outlook.py", "src/mekuri/testing/visible.py"),
        Words(r"\bmekuri\.testing\.outlook\b", "mekuri.testing.visible"),
        Words(r"\bimport outlook as hoped\b", "import prospect as hoped", ("src/mekuri/testing/",)),
        Name("outlook", "visible", ("src/mekuri/testing/", "tests/"), given=_VISIBLE),
        Name("outlook", "visible", ("src/mekuri/testing/visible.py",)),
        # The estimate of a hand.
        File("src/mekuri/games/isuri/outlook.py", "src/mekuri/games/isuri/prospect.py"),
        File("src/mekuri/games/mushi/outlook.py", "src/mekuri/games/mushi/prospect.py"),
        File("src/mekuri/games/mushi/outlook.bin", "src/mekuri/games/mushi/prospect.bin"),
        File("tests/games/test_mushi_outlook.py", "tests/games/test_mushi_prospect.py"),
        File("tools/fit_outlook.py", "tools/fit_prospect.py"),
        Words(r"\bmekuri\.games\.(isuri|mushi)\.outlook\b", r"mekuri.games.\1.prospect"),
        Words(r"\bgames/(isuri|mushi)/outlook\.", r"games/\1/prospect."),
        Words(r"\bfit_outlook\b", "fit_prospect"),
        Words(r'"outlook\.bin"', '"prospect.bin"'),
        Words(r"def outlook\(s, seat", "def prospect(s, seat", ("tests/cli/",)),
        Words(r'"outlook"', '"prospect"', ("src/mekuri/engine/contract.py", "tests/test_mutants.py", "src/mekuri/bots/seam.py")),
        Name("outlook", "prospect", _GAMES, docs=True),
        # The estimate of a seat's result.
        Words(r'"standing"', '"outlook"', ("src/mekuri/engine/contract.py", "src/mekuri/bots/seam.py")),
        Words(r"\bstanding(?=\((s|states\[0\]|h), seat\))", "outlook", ("docs/bots.md",)),
        Words(r"(?<=rule_bot, )standing\b", "outlook", ("docs/bots.md",)),
        Words(r"\bstanding or yaku_of\b", "outlook or yaku_of", ("src/mekuri/testing/",)),
        Name("standing", "outlook", _GAMES, docs=True),
        # Accounts that are nobody's. The accounts of the seats come from `tally`.
        Words(r"\b(round|won\([^)\n]*\)|drawn\(\))\.accounts\b", r"\1.tallies", ("src/mekuri/", "tests/", "tools/", "docs/")),
        Name("accounts", "tallies", ("src/mekuri/match/round.py",)),
        Name(
            "house",
            "accounts",
            _MATCHES,
            but=("tests/games/test_unfinished.py", "tests/match/test_match.py", "tests/games/test_bots"),
        ),
        Name("house", "accounts", ("tests/match/test_match.py",), attribute=True),
        Words(
            r"\b(view|ledger|told|match|before|game\.contract|round|Round)\.house\b", r"\1.accounts", but=("src/mekuri/server/",)
        ),
        Words(
            r"`house(\(s\))?`(?! `)", r"`accounts\1`", ("docs/contract.md", "docs/view.md", "docs/decisions/0010", "docs/games/")
        ),
        Words(
            r"(?<=, or )`accounts`(?= \|)|(?<=, `reconstructed` or )`accounts`",
            "`house`",
            ("docs/view.md", "docs/view.schema.json"),
        ),
        Words(r"\bhouse(?=: (before\.accounts|before\.house|\{\}))", "accounts", ("web/src/", "web/tests/")),
        Words(r'"house"(?=: \{)', '"accounts"', ("docs/view.md",)),
        # The shape of a table has the same name in a view as in a game.
        Words(
            r"\b(view|seen|told)\.table\b(?=,|;| ===)",
            r"\1.shape",
            ("src/mekuri/protocol/view.py", "web/src/table/", "src/mekuri/match/"),
        ),
        Words(r"\btable=((?:contract|seen|told)\.shape)", r"shape=\1", ("src/mekuri/protocol/view.py", "src/mekuri/match/view.py")),
        Words(r'Pick<View, "table" \|', 'Pick<View, "shape" |', ("web/src/table/",)),
        Words(r"\btable(?=: string, zones: Zone|: string, you: number|, zones, \.\.\.|, you, dealer \})", "shape", ("web/tests/",)),
        Words(r"\bview\(None\)\.table\b|\bview\(0\)\.table\b", "view(0).shape", ("tests/games/",)),
        Words(rf'\btable: "({_SHAPES})"', r'shape: "\1"', ("web/tests/",)),
        Words(rf'"table": "({_SHAPES})"', r'"shape": "\1"', ("docs/view.md",)),
        Words(r"^    table(?=: (str|Shape)$)", "    shape", ("src/mekuri/protocol/view.py", "src/mekuri/match/view.py")),
        Words(r"\ban account of `accounts`", "one of `accounts`", ("docs/contract.md",)),
        Words(r"\b(a|A)n `prospect`", r"\1 `prospect`", ("docs/",)),
        Words(
            r'^contract = Contract\(\n    id=("\w+"),\n(?!    api=)',
            r"contract = Contract(\n    id=\1,\n    api=2,\n",
            ("src/mekuri/games/", "examples/"),
        ),
        Words(r"`view\.table`(?= is the shape)", "`view.shape`", ("docs/view.md",)),
        Words(r"(?<=\['view'\]\[')table\b", "shape", ("tests/server/test_view_docs.py",)),
        Words(r"^\| `table`(?= \| text \| the shape)", "| `shape`", ("docs/view.md",)),
        # The yaku within reach follow from the goals.
        Words(
            r"\n\ndef near\(h: \w+, seat: int\) -> list\[Near\]:\n    .*\n    return (?:\[\]|within_reach\(goals\(h, seat\)\))\n",
            "",
            ("src/mekuri/games/",),
        ),
        Words(
            r"^from mekuri\.games\.tensho\.scoring import near$",
            "from mekuri.engine.contract import within_reach\nfrom mekuri.games.tensho.scoring import goals",
            ("tests/games/",),
        ),
        Words(r"\bin near\(s, 0\)", "in within_reach(goals(s, 0))", ("tests/games/",)),
        Words(r"^(\s+)table(: the shape of the table)", r"\1shape\2", ("src/mekuri/protocol/view.py", "src/mekuri/match/view.py")),
    ),
    "engine": (
        Module("mekuri.engine.told", "mekuri.engine.presentation"),
        Module("mekuri.engine.machine", "mekuri.engine.numba_backend"),
        Module("mekuri.engine.refused", "mekuri.engine.compile_errors"),
        File("tests/engine/test_refused.py", "tests/engine/test_compile_errors.py"),
        Module("mekuri.engine.usual", "mekuri.engine.defaults"),
        File("tests/engine/test_usual.py", "tests/engine/test_defaults.py"),
        Words(r"^    whole = ", "    complete = ", ("src/mekuri/games/__init__.py",)),
        Words(r"(?<=sorted\()whole\b", "complete", ("src/mekuri/games/__init__.py",)),
        Name("no_house", "no_accounts", ("src/mekuri/engine/",)),
        Module("mekuri.engine.whole", "mekuri.engine.validation"),
        # Texts by their ids: words are actions that are not cards.
        Words(
            r"\b(book|rulebook|rulebook\([^()\n]*\)|super\(\)|self)\.words\((?=f?[\"'\w])",
            r"\1.text_of(",
            ("src/mekuri/", "tests/", "examples/", "docs/", "bench/", "tools/"),
            but=("tests/deploy/",),
        ),
        Words(r"\bdef words\(self, id: str, lang", "def text_of(self, id: str, lang"),
        Name("words_to_you", "text_to_you"),
        Name("words", "texts_of", ("src/mekuri/protocol/texts.py",)),
        Words(r"\btexts\.words\(", "texts.texts_of(", ("src/mekuri/terminal/", "src/mekuri/server/", "tests/")),
        Words(
            r"\b(source|row)\.told\(", r"\1.text_in(", ("src/mekuri/protocol/library.py", "src/mekuri/terminal/rules.py", "tests/")
        ),
        Words(r"\bdef told\(self, lang", "def text_in(self, lang", ("src/mekuri/engine/rulebook.py",)),
        # Arrays of integers for machine code.
        Words(r"\bdef words\(\*values", "def int64s(*values", ("src/mekuri/testing/states.py",)),
        Words(r"(from mekuri\.testing\.states import [^\n]*)\bwords\b", r"\1int64s", ("src/mekuri/testing/", "tests/")),
        Words(r"(?<![.\w])(?<!def )words\((?=\*|\d|\))", "int64s(", ("src/mekuri/testing/", "tests/")),
        Name("words", "texts_of", ("tests/server/",), given=r"mekuri\.protocol\.texts import (words|texts_of)"),
    ),
    "bots": (
        Module("mekuri.bots.people", "mekuri.bots.characters"),
        Name("PEOPLE", "CHARACTERS", ("src/mekuri/bots/", "tests/bots/")),
        Name("_PEOPLE", "_CHARACTERS", ("src/mekuri/bots/",)),
        Words(r'"PEOPLE"', '"CHARACTERS"', ("src/mekuri/bots/__init__.py",)),
        Words(r"\bbots\.PEOPLE\b", "bots.CHARACTERS", ("src/mekuri/", "tests/")),
        Module("mekuri.bots.background", "mekuri.bots.precompile"),
        Words(r"\btrial\.told\b", "trial.tried", ("src/mekuri/bots/", "tests/bots/")),
        Words(r"\b(self\.|def )told(?=\((self, )?action)", r"\1tried", ("src/mekuri/bots/search/think.py",)),
        Words(r"\b(self\.|def )told(?=\()", r"\1text", ("src/mekuri/bots/analysis.py",)),
        Words(r"\btold\.told\(", "told.text(", ("tests/bots/test_analysis.py",)),
        Words(r"\banalysis\.told\(", "analysis.text(", ("docs/", "README.md", "tests/")),
        Module("mekuri.lab.thinking", "mekuri.lab.bot_rounds"),
    ),
    "table": (
        Module("mekuri.table.telling", "mekuri.table.events"),
        Name(
            "Told",
            "TableEvent",
            ("src/mekuri/table/", "tests/table/", "tests/helpers/"),
            given=r"mekuri\.table\.(telling|events) import|^class Told|^class TableEvent",
        ),
        Name("Teller", "EventReader", _TABLE),
        Name("teller", "reader", _TABLE),
        Name("_teller", "_reader", _TABLE),
        Words(r"\bhistory\.told\b", "history.pending", ("src/mekuri/", "tests/")),
        Words(r"\bself\.told\b", "self.pending", ("src/mekuri/table/history.py",)),
        Words(r"^(\s+)told(?=: events that)", r"\1pending", ("src/mekuri/table/history.py",)),
        Module("mekuri.table.refused", "mekuri.table.errors"),
        Name("Refused", "ProblemError", ("src/mekuri/terminal/", "tests/", "bench/"), given=_REFUSED, attribute=False),
        Words(r"\bRefused\b", "ProblemError", ("src/mekuri/table/", "src/mekuri/server/")),
        Words(r"\b(Raises|Raises OptionError, or) Refused\b", r"\1 ProblemError", ("src/mekuri/terminal/",)),
        Name("Illegal", "IllegalActionError", ("src/mekuri/terminal/", "tests/"), given=_REFUSED, attribute=False),
        Words(r"\bIllegal\b(?=[(:,\n])", "IllegalActionError", ("src/mekuri/table/", "src/mekuri/server/")),
        Module("mekuri.table.thinking", "mekuri.table.bot_pool"),
        Name("Thinkers", "BotPool", (*_TABLE, "src/mekuri/terminal/", "bench/", "tests/terminal/")),
        Name("_thinkers", "_bot_pool", (*_TABLE, "src/mekuri/terminal/", "bench/", "tests/terminal/")),
        Name("thinkers", "bot_pool", (*_TABLE, "src/mekuri/terminal/", "bench/", "tests/terminal/")),
        Module("mekuri.table.happenings", "mekuri.table.transitions"),
        Name("Happenings", "Transitions", _TABLE),
        Module("mekuri.table.condition", "mekuri.table.state"),
        Name("Condition", "TableState", ("src/mekuri/table/", "src/mekuri/server/")),
        Words(r"\bmove\.told\b", "move.text", ("src/mekuri/table/",)),
        Words(r"^(\s+)told(?=: (what the log says of it|Text$))", r"\1text", ("src/mekuri/table/reasons.py",)),
        Words(r"\b(sitter\.|def )told\(", r"\1to_wire(", ("src/mekuri/table/showing.py", "src/mekuri/table/seating.py")),
    ),
    "server": (
        Words(r"\bhouse\.tables\(", "house.list_tables(", _SERVER),
        Words(r"\bdef tables\(self, person", "def list_tables(self, person", ("src/mekuri/server/",)),
        Words(r'\b(own_server\.(?:house|tables), )"tables"', r'\1"list_tables"', ("tests/server/",)),
        Module("mekuri.server.house", "mekuri.server.table_registry"),
        Name("House", "TableRegistry", _SERVER),
        Name("house", "tables", ("src/mekuri/server/", "tests/helpers/server/")),
        Name("house", "tables", ("tests/server/", "tests/table/", "bench/"), attribute=True),
        Name("_house", "_tables", ("src/mekuri/server/",)),
        Words(r'\bstate\.get\("house"\)', 'state.get("tables")', ("src/mekuri/server/", "tests/")),
        Module("mekuri.server.registry", "mekuri.server.table_cache"),
        Name(
            "Registry", "TableCache", _SERVER, given=r"mekuri\.server\.(registry|table_cache) import|^class (Registry|TableCache)"
        ),
        Name("registry", "cache", _SERVER, but=("src/mekuri/server/counts.py", "src/mekuri/server/metrics.py")),
        Name("_registry", "_cache", ("src/mekuri/server/",)),
        Name("lives", "live_tables", _SERVER, attribute=True),
        Module("mekuri.server.live", "mekuri.server.live_table"),
        Name("Live", "LiveTable", _SERVER),
        Module("mekuri.server.neighbours", "mekuri.server.cluster"),
        File("tests/server/test_neighbours.py", "tests/server/test_cluster.py"),
        Name("Neighbours", "Cluster", _SERVER),
        Name("neighbours", "cluster", _SERVER),
        Name("_neighbours", "_cluster", _SERVER),
        Name("meet", "heartbeat", _SERVER),
        Words(r"(store\.|def )others\(", r"\1peers(", ("src/mekuri/server/", "tests/server/")),
        Module("mekuri.server.chores", "mekuri.server.background"),
        Words(r"\b(chores\.|background\.|def )hear\((?=tables|house)", r"\1follow_log(", ("src/mekuri/server/",)),
        Module("mekuri.server.kept", "mekuri.server.cached_response"),
        Name("Kept", "CachedResponse", _SERVER),
        Words(r"\.packed\b", ".compressed", ("src/mekuri/server/",)),
        Words(r"\bdef packed\(self", "def compressed(self", ("src/mekuri/server/",)),
        Name("find_packed", "find_compressed", _SERVER),
        Name("kept", "cached", ("src/mekuri/server/routes/games.py", "src/mekuri/server/routes/puzzles.py"), attribute=False),
        Words(r"\b(routes_games|games_routes|games|routes)\.kept\b", r"\1.cached", ("tests/server/", "tests/helpers/")),
        Module("mekuri.server.packing", "mekuri.server.compression"),
        Name("worth_packing", "worth_compressing", _SERVER),
        Name("takes_packed", "accepts_gzip", _SERVER),
        Name("PACKED", "GZIPPED", _SERVER),
        Name("VARYING", "VARY", _SERVER),
        Name(
            "pack",
            "compress",
            ("src/mekuri/server/", "tests/server/"),
            given=r"mekuri\.server\.(packing|compression) import [^\n]*\bpack\b|^def (pack|compress)\(body",
            attribute=False,
        ),
        Module("mekuri.server.routes.given", "mekuri.server.routes.dependencies"),
        Module("mekuri.server.guard", "mekuri.server.middleware"),
        File("tests/server/test_guard.py", "tests/server/test_middleware.py"),
        Module("mekuri.server.problems", "mekuri.server.error_handlers"),
        Module("mekuri.server.people", "mekuri.server.guests"),
        Name("People", "Guests", _SERVER),
        Words(r"\b(visitor|state)\.people\b", r"\1.guests", ("src/mekuri/server/", "tests/")),
        Words(r'\bstate\.get\("people"\)', 'state.get("guests")', ("src/mekuri/server/",)),
        Name(
            "people",
            "guests",
            tuple(
                f"src/mekuri/server/{name}"
                for name in ("guard.py", "middleware.py", "priced.py", "app.py", "chores.py", "background.py", "routes/")
            ),
        ),
        Name("_people", "_guests", ("src/mekuri/server/priced.py",)),
        Module("mekuri.server.guestbook", "mekuri.server.guest_store"),
        Name("Guestbook", "GuestStore", _SERVER),
        Module("mekuri.server.scrapbook", "mekuri.server.result_store"),
        Name("Scrapbook", "ResultStore", _SERVER),
        Module("mekuri.server.verdicts", "mekuri.server.review_store"),
        Name("Verdicts", "ReviewStore", _SERVER),
        Module("mekuri.server.dailies", "mekuri.server.daily_store"),
        Name("Dailies", "DailyStore", _SERVER),
        Module("mekuri.server.mistakes", "mekuri.server.mistake_store"),
        Name("Mistakes", "MistakeStore", _SERVER),
        Module("mekuri.server.keeping", "mekuri.server.moderation"),
        Name("Keeping", "ModerationStore", _SERVER),
        Module("mekuri.server.album", "mekuri.server.match_history"),
        Name("Album", "MatchHistory", _SERVER),
        Name("album", "match_history", _SERVER),
        Module("mekuri.server.tape", "mekuri.server.event_cache"),
        Name("Told", "EncodedEvents", ("src/mekuri/server/tape.py", "src/mekuri/server/event_cache.py")),
        Name("Tape", "EventCache", _SERVER),
        Name("tape", "event_cache", _SERVER),
        Words(r'(?<="mekuri\.server\.event_cache)\.pack"', '.compress"', ("tests/server/",)),
        Words(r"\b(tape|event_cache)\.pack\(", r"\1.compress(", ("src/mekuri/server/",)),
        Module("mekuri.server.shelf", "mekuri.server.sized_cache"),
        Name("Shelf", "SizedCache", _SERVER),
        Name("shelf", "sized_cache", _SERVER),
        Name("_shelf", "_sized_cache", _SERVER),
        Module("mekuri.server.minute", "mekuri.server.rate_limit"),
        Name("Minute", "RateLimit", _SERVER),
        Module("mekuri.server.places", "mekuri.server.connection_limits"),
        File("tests/server/test_places.py", "tests/server/test_connection_limits.py"),
        Name("Places", "ConnectionLimits", _SERVER),
        Module("mekuri.server.counts", "mekuri.server.metrics"),
        Module("mekuri.server.watched", "mekuri.server.access_log"),
        Name("Watched", "AccessLog", ("src/mekuri/server/",)),
        Name("Backroom", "WorkerThread", _SERVER),
        Name("backroom", "worker", _SERVER),
        Name("_backroom", "_worker", _SERVER),
        Name("Told", "SeatOutcome", ("src/mekuri/server/results.py", "tests/server/test_played.py")),
        Name("told", "outcome", ("src/mekuri/server/results.py",)),
        Words(
            r"\b(result|one)\.told\b",
            r"\1.outcome",
            tuple(
                f"src/mekuri/server/{name}"
                for name in ("scrapbook.py", "result_store.py", "dailies.py", "daily_store.py", "export.py", "practice.py")
            ),
        ),
        Words(r"(?<=\[0\])\.told\b|(?<=\bresult)\.told\b", ".outcome", ("tests/server/test_played.py",)),
        Name("_Told", "_LastTry", ("src/mekuri/server/practice.py",)),
        Name("_TOLD", "_LAST_TRY", ("src/mekuri/server/practice.py",)),
    ),
    "terminal": (
        Module("mekuri.terminal.cloth", "mekuri.terminal.board"),
        Name("Cloth", "Board", ("src/mekuri/terminal/", "tests/terminal/", "tests/server/", "tests/helpers/")),
        Words(r"\bCloth\b", "Board", ("src/mekuri/terminal/style.tcss",)),
        Module("mekuri.terminal.faces", "mekuri.terminal.render"),
        Module("mekuri.terminal.housebook", "mekuri.terminal.table_texts"),
        Name("HouseBook", "TableTexts"),
        Module("mekuri.terminal.standing", "mekuri.terminal.scores"),
        File("tests/terminal/test_standing.py", "tests/terminal/test_scores.py"),
        Name("standing", "score_line", ("src/mekuri/terminal/", "tests/terminal/")),
        Module("mekuri.terminal.voice", "mekuri.terminal.translate"),
        Name("Voice", "Translator", ("src/mekuri/", "tests/")),
        Name("voice", "translator", ("src/mekuri/terminal/", "src/mekuri/cli/", "tests/terminal/", "tests/cli/", "tests/server/")),
        Name(
            "_voice", "_translator", ("src/mekuri/terminal/", "src/mekuri/cli/", "tests/terminal/", "tests/cli/", "tests/server/")
        ),
        Words(
            r"\b(answer|right|answers\[[^\]\n]*\])\.told\b",
            r"\1.written",
            (
                "src/mekuri/terminal/lesson.py",
                "src/mekuri/match/lesson.py",
                "src/mekuri/protocol/lessons.py",
                "src/mekuri/testing/lessons.py",
                "tests/terminal/test_lesson.py",
            ),
        ),
        Words(r"^(\s+)told(?=: (an action, a card or|str$))", r"\1written", ("src/mekuri/match/lesson.py",)),
        Words(
            r"\b(result|self\._result)\.told\b", r"\1.summary", ("src/mekuri/terminal/sheet.py", "src/mekuri/terminal/trying.py")
        ),
        Words(r"^(\s+)told(?=: (who has won it, and what|Text \| None$))", r"\1summary", ("src/mekuri/terminal/play.py",)),
    ),
}
WIDTH = 132  # most characters of a line of Python
GENERATED = "docs/view.schema.json", "web/src/wire.d.ts"


def tracked() -> list[str]:
    """Return the files of the checkout that may be changed, tracked or new."""
    listed = git("ls-files", "--cached", "--others", "--exclude-standard").splitlines()
    return [
        path
        for path in dict.fromkeys(listed)
        if not path.startswith(KEPT) and Path(path).suffix in TEXTS and (HERE / path).is_file()
    ]


def git(*words: str) -> str:
    """Run git and return its output."""
    return subprocess.run(["git", *words], cwd=HERE, check=True, capture_output=True, text=True).stdout


def move(old: str, new: str) -> bool:
    """Rename a file that still has its old name. Returns whether it had."""
    if not (HERE / old).exists() or (HERE / new).exists():
        return False
    git("mv", old, new)
    return True


def renamed(path: str, text: str, rules: Sequence[Rule]) -> str:
    """Return the text of a file with all rules applied."""
    names: dict[tuple[str, bool | None], str] = {}
    ticked: dict[str, str] = {}
    for rule in rules:
        if isinstance(rule, Words):
            if path.startswith(rule.where) and not path.startswith(rule.but or ("\0",)):
                text = re.sub(rule.old, rule.new, text, flags=re.MULTILINE)
        elif isinstance(rule, Module):
            text = _module(path, text, rule)
        elif isinstance(rule, Name):
            within = path.startswith(rule.where) and not path.startswith(rule.but or ("\0",))
            if within and path.endswith(".py") and (not rule.given or re.search(rule.given, text, re.MULTILINE)):
                names.setdefault((rule.old, rule.attribute), rule.new)
                ticked.setdefault(rule.old, rule.new)
            elif rule.docs and path.startswith("docs/") and path.endswith(".md"):
                ticked.setdefault(rule.old, rule.new)
    if names and path.endswith(".py"):
        text = _tokens(text, names)
    return _between_ticks(text, ticked) if ticked else text


def _module(path: str, text: str, rule: Module) -> str:
    """Return a text with a module renamed: its dotted name, its path, and its own name where it is imported."""
    (package, _, old), (_, _, new) = rule.old.rpartition("."), rule.new.rpartition(".")
    text = re.sub(rf"\b{re.escape(rule.old)}\b(?!\.py)", rule.new, text)
    folder = package.removeprefix("mekuri.").replace(".", "/")
    text = re.sub(rf"\b{folder}/{old}\.py\b", f"{folder}/{new}.py", text)
    if not path.endswith(".py"):
        return text
    imported = re.compile(rf"(from {re.escape(package)} import )(\([^)]*\)|[^\n(]*)")
    found = [match for match in imported.finditer(text) if re.search(rf"\b{old}\b", match[2])]
    if not found:
        return text
    aliased = any(re.search(rf"\b{old} as\b", match[2]) for match in found)
    text = imported.sub(lambda match: match[1] + re.sub(rf"\b{old}\b", new, match[2]), text)
    return text if aliased else _used(text, old, new)


def _used(text: str, old: str, new: str) -> str:
    """Return Python source with uses of a module renamed: where it has an attribute, and where it is an argument."""
    return re.sub(rf"(?<![\w.\"'/-]){old}(?=\.[A-Za-z_])|(?<=[(,] ){old}(?=[,)])|(?<=\(){old}(?=[,)])", new, text)


def _tokens(text: str, names: dict[tuple[str, bool | None], str]) -> str:
    """Return Python source with names renamed in tokens and in the braces of f-strings."""

    def called(name: str, attribute: bool) -> str:
        return names.get((name, attribute)) or names.get((name, None)) or name

    def braced(match: re.Match[str]) -> str:
        return re.sub(r"(?<![\w'\"])(\.?)([A-Za-z_]\w*)(?!['\"])", lambda one: one[1] + called(one[2], bool(one[1])), match[0])

    lines = text.splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    found, at, before = [], 0, ""
    for each in tokenize.generate_tokens(io.StringIO(text).readline):
        begin, end = starts[each.start[0] - 1] + each.start[1], starts[each.end[0] - 1] + each.end[1]
        new = each.string
        if each.type == token.NAME:
            new = called(each.string, before == ".")
        elif each.type == token.STRING and "f" in each.string[:2].lower():
            new = _BRACED.sub(braced, each.string)
        elif each.type == token.STRING and each.string.lstrip("rRbB").startswith('"""'):
            new = _described(each.string, names)
        if new != each.string:
            found += [text[at:begin], new]
            at = end
        if each.type not in (tokenize.NL, tokenize.COMMENT, token.NEWLINE, token.INDENT, token.DEDENT):
            before = each.string
    return "".join([*found, text[at:]])


def _described(text: str, names: dict[tuple[str, bool | None], str]) -> str:
    """Return a docstring with the names of attributes and arguments renamed."""

    def named(match: re.Match[str]) -> str:
        return match[1] + ", ".join(names.get((one, None)) or names.get((one, True)) or one for one in match[2].split(", ")) + ":"

    return re.sub(r"^(        +)(\w+(?:, \w+)*):(?= )", named, text, flags=re.MULTILINE)


def _between_ticks(text: str, names: dict[str, str]) -> str:
    """Return a text with names renamed between backticks."""
    called = re.compile(rf"(?<![\w/.-])({'|'.join(map(re.escape, names))})(?![\w/.-])")
    return _TICKED.sub(lambda match: called.sub(lambda one: names[one[0]], match[0]), text)


def package(name: str) -> set[str]:
    """Rename a package. Returns the files that have changed."""
    if name in ONCE and re.search(ONCE[name][1], (HERE / ONCE[name][0]).read_text("utf-8")):
        print(f"{name}: done already")
        return set()
    rules, changed = PACKAGES[name], set()
    for rule in rules:
        if isinstance(rule, File):
            move(rule.old, rule.new)
        elif isinstance(rule, Module):
            old, new = (f"src/{one.replace('.', '/')}.py" for one in (rule.old, rule.new))
            move(old, new)
    for path in tracked():
        if path in GENERATED and name != "contract":
            continue
        file = HERE / path
        try:
            before = file.read_text("utf-8")
        except UnicodeDecodeError:
            continue
        after = renamed(path, before, rules)
        if after != before:
            file.write_text(after, "utf-8")
            changed.add(path)
    print(f"{name}: {len(changed)} files changed")
    return changed


def broken(text: str) -> str:
    """Return Python source with long one-line docstrings broken into several lines."""
    lines = []
    for line in text.split("\n"):
        whole = re.fullmatch(r'(\s*)"""(.*\.) (Raises .*)"""', line)
        if len(line) > WIDTH and whole:
            lines += [f'{whole[1]}"""{whole[2]}', "", f"{whole[1]}{whole[3]}", f'{whole[1]}"""']
        elif len(line) > WIDTH and "Raises " in line:
            at = line.rindex(" ", 0, WIDTH)
            lines += [line[:at], f"{re.match(r' *', line)[0]}{line[at + 1 :]}"]  # type: ignore[index]
        else:
            lines.append(line)
    return "\n".join(lines)


def lay_out(paths: set[str]) -> None:
    """Sort the imports of Python files and format them."""
    for path in paths:
        if path.endswith(".py") and (HERE / path).exists():
            text = (HERE / path).read_text("utf-8")
            (HERE / path).write_text(broken(text), "utf-8")
    files = sorted(path for path in paths if path.endswith(".py") and (HERE / path).exists())
    if files:
        ruff = [sys.executable, "-m", "ruff"]
        games = [path for path in files if path.startswith("src/mekuri/games/")]
        if games:
            subprocess.run([*ruff, "check", "-q", "--fix", "--select", "F401", *games], cwd=HERE, check=False)
        subprocess.run([*ruff, "check", "-q", "--fix", "--unsafe-fixes", "--select", "I,RUF022", *files], cwd=HERE, check=False)
        subprocess.run([*ruff, "format", "-q", *files], cwd=HERE, check=True)


def golden() -> None:
    """Write the golden play-throughs again, where only names within their digests have changed.

    Raises:
        SystemExit: a play-through differs in more than names.
    """
    sys.path.insert(0, str(HERE))
    from mekuri import games
    from tests.games import test_golden

    def earlier(views: object) -> str:
        """Return views as they were written with the old names."""
        text = re.sub(r"(?<=, )accounts=(?=\{|mappingproxy)", "house=", repr(views))
        return re.sub(rf"(?<=, )shape=(?='({_SHAPES})')", "table=", text)

    def note(written: dict[str, str], form: str, file: str, text: str) -> None:
        written.update({form: text, "": file})

    for name in games.names():
        for preset in games.find(name).presets:
            written: dict[str, str] = {}
            for form in (earlier, repr):
                vars(test_golden)["repr"] = lambda thing, form=form: form(thing) if isinstance(thing, list) else repr(thing)
                test_golden.test_play_through(name, preset, partial(note, written, form.__name__))
            file = HERE / "tests/golden" / written[""]
            kept = file.read_text("utf-8")
            if kept == written["earlier"]:
                file.write_text(written["repr"], "utf-8")
            elif kept != written["repr"]:
                raise SystemExit(f"{file.name} differs in more than names")


def main(words: Sequence[str]) -> None:
    """Rename the given packages, or all."""
    if "--golden" in words:
        golden()
        return
    unknown = [word for word in words if word not in PACKAGES]
    if unknown:
        raise SystemExit(f"no package {unknown[0]}: there are {', '.join(PACKAGES)}")
    changed: set[str] = set()
    for name in words or PACKAGES:
        changed |= package(name)
    lay_out(changed)


if __name__ == "__main__":
    main(sys.argv[1:])
