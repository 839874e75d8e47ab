"""Compiles rules to WebAssembly with Numba and LLVM. This file needs Numba; the modules that it makes do not.

A module holds the entries of one game. Numba types and lowers the rules to LLVM's intermediate code, as it does for machine code.
LLVM then optimises that code and emits it for a processor with pointers of 32 bits instead of 64. The result is right if no pointer
is ever stored in memory. States and rows hold whole numbers only. Numba stores pointers only in the records of exceptions. A module
has no such record: it traps if a rule would raise an exception, which no legal position makes it do. `_check` refuses every module
that loads or stores a pointer.

LLVM emits an object file for a linker. Nothing has to be linked: a module calls no function outside, its data begin at address 0,
and its addresses are final. `_linked` defines the memory and the stack that the object imports, and exports the entries.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from llvmlite import binding
from numba import typeof, types
from numba.core import compiler
from numba.core.registry import cpu_target

from mekuri.engine import linking, numba_backend, webassembly
from mekuri.engine.entry import Entry
from mekuri.engine.reach import without_words
from mekuri.engine.webassembly import PAGE, export_name

Call = tuple[Any, ...]
"""An entry, followed by arguments of the types to compile it for, which `executor.MACHINE_CODE` has made."""

_HERE = [without_words(Path(file).read_text("utf-8")) for file in (__file__, webassembly.__file__)]
STACK = 4  # pages of the stack
_TRIPLE = "wasm32-unknown-unknown"
# All browsers have had these since 2021.
_FEATURES = "+bulk-memory,+mutable-globals,+nontrapping-fptoint,+sign-ext"
_RETURNS_NONE = re.compile(r"^ *store ptr null, .*$", re.MULTILINE)  # nothing reads what is stored
_RAISES = re.compile(r"^.*!numba_exception_output.*$", re.MULTILINE)
# If this processor has the instruction, `compiled.nth` deposits a single bit with it. A module calls this function instead.
_DEPOSIT, _PLACED = "llvm.x86.bmi.pdep.64", "placed"
PLACE = f"""
define i64 @{_PLACED}(i64 %bit, i64 %places) {{
start:
  %n = call i64 @llvm.cttz.i64(i64 %bit, i1 true)
  br label %loop
loop:
  %i = phi i64 [ %n, %start ], [ %less, %next ]
  %left = phi i64 [ %places, %start ], [ %rest, %next ]
  %done = icmp eq i64 %i, 0
  br i1 %done, label %end, label %next
next:
  %less = sub i64 %i, 1
  %lower = sub i64 %left, 1
  %rest = and i64 %left, %lower
  br label %loop
end:
  %minus = sub i64 0, %left
  %lowest = and i64 %left, %minus
  ret i64 %lowest
}}
declare i64 @llvm.cttz.i64(i64, i1)
"""


def module(calls: Sequence[Call]) -> bytes:
    """Return a WebAssembly module of entries of a game, from the folder of machine code where it has been made before.

    The module imports nothing and exports `memory` and the entries. An exported entry takes the address of its arguments, a row of
    64-bit words in memory. A number is one word, a state or the record of a bot its address, a row seven: 0, 0, its length, the
    bytes of an element, its address, its length, these bytes. Memory is free from the size that it has at the start.

    Raises:
        CannotCompile: Numba refuses a rule.
        ValueError: a rule calls Python, or LLVM does what it has not done before.
    """
    folder = numba_backend.cache_folder(calls[0][0].plain)
    kept = folder / f"module.{_digest(calls)}.wasm" if folder else None
    if kept and kept.is_file():
        return kept.read_bytes()
    made = _module(calls)
    if kept:
        with contextlib.suppress(OSError):  # nothing can be written there
            kept.parent.mkdir(parents=True, exist_ok=True)
            part = kept.with_suffix(f".{os.getpid()}")
            part.write_bytes(made)
            part.replace(kept)
    return made


def _digest(calls: Sequence[Call]) -> str:
    """Return a digest of all that a module depends on."""
    parts = [(numba_backend.digest_of(entry.plain), [str(typeof(one)) for one in given]) for entry, *given in calls]
    return sha256(repr((_HERE, parts)).encode()).hexdigest()[:16]


def _export_name(entry: Entry[..., Any], given: Sequence[Any]) -> str:
    return export_name(entry, [bot for one in given if (bot := numba_backend.bot_of(one))])


def _module(calls: Sequence[Call]) -> bytes:
    binding.initialize_all_targets()
    binding.initialize_all_asmprinters()
    machine = binding.Target.from_triple(_TRIPLE).create_target_machine(features=_FEATURES, opt=3)
    names, whole = list[str](), parsed(PLACE, machine)
    for entry, *given in calls:
        name = _export_name(entry, given)
        text, symbol = lowered(entry.plain, given)
        part = parsed(text, machine)
        _add_export(part, name, symbol, machine)
        whole.link_in(part)
        names.append(name)
    for one in (*whole.functions, *whole.global_variables):
        if not one.is_declaration and one.name not in names:
            one.linkage = "internal"
    builder = binding.create_pass_builder(machine, binding.create_pipeline_tuning_options(speed_level=3))
    builder.getModulePassManager().run(whole, builder)
    whole.verify()
    _check(whole)
    return _linked(machine.emit_object(whole), names)


def parsed(text: str, machine: Any) -> Any:
    """Return a module of LLVM for a machine, of its text."""
    made = binding.parse_assembly(text)
    made.triple, made.data_layout = machine.triple, str(machine.target_data)
    return made


def lowered(function: Callable[..., Any], given: Sequence[Any]) -> tuple[str, str]:
    """Return the intermediate code of a function with all that it calls, not yet optimised, and its name there."""
    flags = compiler.Flags()
    flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
    flags.nrt = False
    with numba_backend.refusals(), linking.emitting_only(None):
        numba_backend.start()
        done = compiler.compile_extra(
            cpu_target.typing_context, cpu_target.target_context, function, tuple(map(typeof, given)), types.none, flags, {}
        )
        done.library.finalize()
    text = _RAISES.sub("  call void @llvm.trap()", _RETURNS_NONE.sub("", str(done.library._final_module)))
    return f"{text.replace(_DEPOSIT, _PLACED)}\ndeclare void @llvm.trap() cold noreturn nounwind\n", done.fndesc.llvm_func_name


def _add_export(part: Any, name: str, symbol: str, machine: Any) -> None:
    """Add to a module the function that is exported: it calls an entry with the arguments that lie at an address."""
    kinds = [str(one.type) for one in part.get_function(symbol).arguments]
    lines, values = list[str](), ["ptr %result", "ptr %error"]  # the first two are for results and exceptions
    for place, kind in enumerate(kinds[2:]):
        lines.append(f"%at{place} = getelementptr i64, ptr %arguments, i32 {place}")
        lines.append(f"%word{place} = load i64, ptr %at{place}")
        if kind == "ptr":
            lines.append(f"%pointer{place} = inttoptr i64 %word{place} to ptr")
        values.append(f"ptr %pointer{place}" if kind == "ptr" else f"i64 %word{place}")
    called = f'@"{symbol}"'
    lines = [
        f"declare i32 {called}({', '.join(kinds)})",
        f'define void @"{name}"(ptr %arguments) {{',
        "%result = alloca i64",
        "%error = alloca i64",
        *lines,
        f"call i32 {called}({', '.join(values)})",
        "ret void",
        "}",
    ]
    part.link_in(parsed("\n".join(lines), machine))


def _check(whole: Any) -> None:
    """Raise ValueError if optimised code calls anything outside, or keeps a pointer in memory."""
    outside = [one.name for one in whole.functions if one.is_declaration and not one.name.startswith("llvm.")]
    kept = re.findall(r"^.*(?:= load [^,]*\bptr\b|store [^,]*\bptr\b[^,]*,|ptrtoint).*$", str(whole), re.MULTILINE)
    if outside or kept:
        raise ValueError(f"no module can be made of this: it calls {outside} and keeps pointers: {kept[:5]}")


# The numbers of the sections of a module that are used, and their order in a file.
_CUSTOM, _TYPES, _IMPORTS, _FUNCTIONS, _MEMORIES, _GLOBALS, _EXPORTS, _CODE, _DATA, _DATA_COUNT = 0, 1, 2, 3, 5, 6, 7, 10, 11, 12
_ORDER = _TYPES, _FUNCTIONS, _MEMORIES, _GLOBALS, _EXPORTS, _DATA_COUNT, _CODE, _DATA


class _Reader:
    """Reads the parts of a WebAssembly file."""

    def __init__(self, body: bytes) -> None:
        self._body, self._at = body, 0

    def take(self, n: int) -> bytes:
        self._at += n
        return self._body[self._at - n : self._at]

    def number(self) -> int:
        read = shift = 0
        while True:
            [byte] = self.take(1)
            read |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return read

    def text(self) -> str:
        return self.take(self.number()).decode()

    def sections(self) -> Iterator[tuple[int, bytes]]:
        """Yield numbers and contents of the parts up to the end."""
        while self._at < len(self._body):
            [kind] = self.take(1)
            yield kind, self.take(self.number())


def _number(n: int) -> bytes:
    return bytes([n]) if n < 128 else bytes([n & 127 | 128]) + _number(n >> 7)


def _signed(n: int) -> bytes:
    return bytes([n]) if n < 64 else bytes([n & 127 | 128]) + _signed(n >> 7)


def _linked(object: bytes, names: list[str]) -> bytes:
    """Return the module of an object: with memory and stack of its own, and its entries exported."""
    file = _Reader(object)
    head, sections, symbols = file.take(8), dict[int, bytes](), dict[str, int]()
    for kind, body in file.sections():
        if kind != _CUSTOM:
            sections[kind] = body
        elif (custom := _Reader(body)).text() == "linking":
            symbols = _functions_of(custom)
    pages = _pages(_Reader(sections.pop(_IMPORTS)))
    stack = (pages + STACK) * PAGE
    sections[_MEMORIES] = b"\1\0" + _number(pages + STACK)
    sections[_GLOBALS] = b"\1\x7f\1\x41" + _signed(stack) + b"\x0b"  # one i32 that changes, at first the end of the stack
    exports = [("memory", b"\2\0"), *((name, b"\0" + _number(symbols[name])) for name in names)]
    sections[_EXPORTS] = _number(len(exports)) + b"".join(_number(len(name)) + name.encode() + what for name, what in exports)
    if left := sections.keys() - set(_ORDER):
        raise ValueError(f"the object has the unexpected parts {left}")
    return head + b"".join(bytes([kind]) + _number(len(sections[kind])) + sections[kind] for kind in _ORDER if kind in sections)


def _pages(imports: _Reader) -> int:
    """Return how many pages the data of an object take. It must import a memory, and may import the address of the stack."""
    pages = None
    for _ in range(imports.number()):
        what = imports.text(), imports.text()
        if what == ("env", "__linear_memory") and imports.take(2) == b"\2\0":
            pages = imports.number()
        elif what != ("env", "__stack_pointer") or imports.take(3) != b"\3\x7f\1":
            raise ValueError(f"the object imports {what}")
    if pages is None:
        raise ValueError("the object has no memory")
    return pages


def _functions_of(linking: _Reader) -> dict[str, int]:
    """Return the indices of the functions that an object defines, by name, from its section for linkers."""
    found = dict[str, int]()
    linking.number()  # its version
    for kind, body in linking.sections():
        if kind != 8:  # the symbols
            continue
        table = _Reader(body)
        for _ in range(table.number()):
            what, flags = table.number(), table.number()
            if what == 0:  # a function, which is defined here as all are
                index, name = table.number(), table.text()
                found[name] = index
            elif what == 1:  # data, at a place in a segment
                table.text()
                for _ in range(3):
                    table.number()
            else:  # the address of the stack, which has a name of its own only where the symbol says so; or a section
                table.number()
                if what != 3 and flags & 64:
                    table.text()
    return found
