"""What the snapshot of the interpreter has, and what it must not have."""

import json
import subprocess
import sys

PREPARED = """
import builtins, json, os, sys
drawn = []
usual = os.urandom
def urandom(size):
    drawn.append(size)
    return usual(size)
os.urandom = urandom
sys.modules.update(dict.fromkeys(("msgspec", "numpy", "numba", "fsrs")))  # an import of them fails
import mekuri.pocket.snapshot as snapshot
snapshot.prepare()
import gc, random
chances = [one for one in gc.get_objects() if isinstance(one, random.Random) and type(one) is not random.SystemRandom]
before = random.getstate()
snapshot.wake()
loaded = set(sys.modules)
for name in ("msgspec", "numpy", "numba", "fsrs"):
    del sys.modules[name]
from mekuri.pocket.pocket import Pocket
Pocket(None)
late = ("mekuri.desk", "mekuri.pocket", "mekuri.protocol", "mekuri.table", "msgspec", "fsrs")
rules = [name for name in set(sys.modules) - loaded if not name.startswith(late)]
codes = [file for file in snapshot._codes if file.rpartition("mekuri/")[2] in ("pocket/pocket.py", "desk/desk.py")]
print(json.dumps([drawn, len(chances), before == random.getstate(), sorted(rules), codes]))
"""


def test_prepared_interpreter_has_all_rules_and_no_secret() -> None:
    """Chance is drawn anew afterwards. Modules that are imported later are compiled, and are of packages that cannot be in it."""
    ended = subprocess.run([sys.executable, "-c", PREPARED], capture_output=True, text=True, check=True)
    drawn, chances, same, rules, codes = json.loads(ended.stdout)
    assert (drawn, chances, same, rules, codes) == ([], 1, False, [], [])
