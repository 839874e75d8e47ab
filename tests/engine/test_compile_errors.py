"""What Numba says of a rule that it refuses comes down to its place and one sentence."""

from typing import Any

import pytest

from mekuri.engine.compile_errors import why_refused
from mekuri.engine.compiled import rule, rules
from mekuri.engine.entry import entry
from mekuri.engine.errors import CannotCompile
from mekuri.testing.states import int64s


@rule
def refused_rule(n: int) -> int:
    return n


FILE, LINE = refused_rule.__code__.co_filename, refused_rule.__code__.co_firstlineno
OUTER = """Failed in nopython mode pipeline (step: nopython frontend)
No implementation of function Function(<function outer at 0x1>) found for signature:

 >>> outer(Record(a[type=int64;offset=0];8;True), int64)

There are 2 candidate implementations:
  Overload in function 'outer': File: numba/core/extending.py: Line 169.
    With argument(s): '(Record(a[type=int64;offset=0];8;True), int64)':
   Rejected as the implementation raised a specific error:
     TypingError: Failed in nopython mode pipeline (step: nopython frontend)
   """
EACH = [
    (
        f"{OUTER}Cannot unify int64 and none for 'n', defined at {FILE} (9)\n\n   File \"{FILE}\", line 9:\n   def f():\n",
        f"{FILE}, line 9: Cannot unify int64 and none for 'n', defined at {FILE} (9)",
    ),
    (
        f"{OUTER}NameError: name 'nowhere' is not defined\n"
        f"   During: resolving callee type: Function(<function refused_rule at {id(refused_rule):#x}>)\n"
        '   File "/elsewhere/numba.py", line 3:\n',
        f"{FILE}, line {LINE}: NameError: name 'nowhere' is not defined",
    ),
    (
        f"{OUTER}No implementation of function Function(<built-in function add>) found for signature:\n\n >>> add("
        f'Record(a[type=int64;offset=0];8;True), int64)\n\nFile "{FILE}", line 4:\n',
        f"{FILE}, line 4: machine code has nothing that does add(a state, int64)",
    ),
    ("", "rules: ValueError"),
]


@pytest.mark.parametrize(("message", "wanted"), EACH)
def test_message_of_numba_becomes_place_and_sentence(message: str, wanted: str) -> None:
    assert why_refused(ValueError(message), rules) == wanted


@rule
def two_kinds(n: int) -> object:
    return (n if n else (1, 2)), n, n, n, n, n  # so long that no Python makes two returns of it


@entry
def refused_entry(found: Any) -> None:
    found[0] = two_kinds(found[0])


def test_refused_function_is_named_with_its_line() -> None:
    with pytest.raises(CannotCompile) as refused:
        refused_entry.compiled(int64s(1))
    assert str(refused.value).startswith(f"{FILE}, line {two_kinds.__code__.co_firstlineno + 2}: Cannot unify int64 and Tuple(")


def test_message_is_one_short_line() -> None:
    assert len(why_refused(ValueError("x" * 10_000), rules)) < 300
