"""Compiles entries to PTX, the code of NVIDIA's devices, with Numba and LLVM, and runs them there.

Nothing but Numba is needed to compile: its LLVM emits PTX. Numba types and lowers the rules as it does for machine code, and
`wasm_backend.lowered` returns LLVM's intermediate code of that. The whole is inlined into one kernel. A device needs its driver
alone, which is called directly.

A kernel runs an entry in many threads at once. Each has its own arguments, the bytes of a block, and copies them into its local
memory first. A device interleaves the local memories of its threads, so threads that read the same field of their states read words
side by side, and no record is transposed by hand.
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from llvmlite import binding
from numba import typeof, types

from mekuri.engine import wasm_backend
from mekuri.engine.entry import Entry

_TRIPLE = "nvptx64-nvidia-cuda"
_PTX = "+ptx80"  # the version of PTX: drivers know it since CUDA 12.0
_KERNEL, _THREAD = "kernel", "thread"
_DRIVER = "libcuda.so.1"


def ptx(entry: Entry[..., Any], given: Sequence[Any], processor: str = "sm_90") -> str:
    """Return the PTX of a kernel that runs an entry in many threads.

    Args:
        entry: the entry.
        given: arguments of the types and lengths to compile for, which `executor.MACHINE_CODE` has made.
        processor: the kind of device.

    Raises:
        CannotCompile: Numba refuses a rule.
        ValueError: a rule calls Python.
    """
    binding.initialize_all_targets()
    binding.initialize_all_asmprinters()
    machine = binding.Target.from_triple(_TRIPLE).create_target_machine(cpu=processor, features=_PTX, opt=3)
    whole = _inlined(entry, given, machine, _KERNEL)
    if outside := [one.name for one in whole.functions if one.is_declaration and not one.name.startswith("llvm.")]:
        raise ValueError(f"no kernel can be made of this: it calls {outside}")
    return machine.emit_assembly(whole)  # type: ignore[no-any-return]


def thread(entry: Entry[..., Any], given: Sequence[Any], machine: Any) -> Any:
    """Return a module of LLVM for a machine with the function `thread`, which runs an entry on one block of a row of blocks."""
    return _inlined(entry, given, machine, _THREAD)


def _inlined(entry: Entry[..., Any], given: Sequence[Any], machine: Any, kept: str) -> Any:
    """Return optimised code for a machine, in which every function is inlined into one."""
    text, symbol = wasm_backend.lowered(entry.plain, given)
    whole = wasm_backend.parsed(wasm_backend.PLACE, machine)
    whole.link_in(wasm_backend.parsed(text, machine))
    kinds = [str(one.type) for one in whole.get_function(symbol).arguments]
    device = [_THREADS] if kept == _KERNEL else []
    whole.link_in(wasm_backend.parsed("\n".join([*device, *_thread(kinds, symbol, given)]), machine))
    for one in whole.functions:
        if not one.is_declaration and one.name != kept:
            one.linkage = "internal"
            one.add_function_attribute("alwaysinline")
    for one in whole.global_variables:
        if not one.is_declaration:
            one.linkage = "internal"
    builder = binding.create_pass_builder(machine, binding.create_pipeline_tuning_options(speed_level=3))
    builder.getModulePassManager().run(whole, builder)
    whole.verify()
    return whole


_THREADS = f"""
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
define ptx_kernel void @{_KERNEL}(ptr %blocks, i64 %threads) {{
start:
  %place = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %group = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %size = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %before = mul i32 %group, %size
  %index = add i32 %before, %place
  %thread = zext i32 %index to i64
  %inside = icmp ult i64 %thread, %threads
  br i1 %inside, label %run, label %end
run:
  call void @{_THREAD}(ptr %blocks, i64 %thread)
  br label %end
end:
  ret void
}}
"""


def _thread(kinds: Sequence[str], symbol: str, given: Sequence[Any]) -> list[str]:
    """Return the intermediate code of the function that runs an entry on the block of a thread."""
    parts, values = [_bytes(one) for one in given], ["ptr %result", "ptr %error"]  # the first two are for results and exceptions
    size, at = sum(map(len, parts)), 0
    lines = ["declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)", f'declare i32 @"{symbol}"({", ".join(kinds)})']
    lines += [f"define void @{_THREAD}(ptr %blocks, i64 %thread) {{", "%result = alloca i64", "%error = alloca i64"]
    lines += [f"%local = alloca [{size} x i8], align 16", f"%at = mul i64 %thread, {size}"]
    lines += ["%block = getelementptr i8, ptr %blocks, i64 %at", _copy("%local", "%block", size)]
    for place, (one, part) in enumerate(zip(given, parts, strict=True)):
        kind, pointer = typeof(one), f"%argument{place}"
        lines.append(f"{pointer} = getelementptr i8, ptr %local, i64 {at}")
        if isinstance(kind, types.Array):
            shape = [f"i64 {n}" for n in (*one.shape, *one.strides)]
            values += ["ptr null", "ptr null", f"i64 {one.size}", f"i64 {one.itemsize}", f"ptr {pointer}", *shape]
        elif isinstance(kind, types.Record):
            values.append(f"ptr {pointer}")
        else:
            lines.append(f"%number{place} = load i64, ptr {pointer}, align 8")
            values.append(f"i64 %number{place}")
        at += len(part)
    lines += [f'call i32 @"{symbol}"({", ".join(values)})', _copy("%block", "%local", size), "ret void", "}"]
    return lines


def _copy(into: str, source: str, size: int) -> str:
    return f"call void @llvm.memcpy.p0.p0.i64(ptr align 8 {into}, ptr align 8 {source}, i64 {size}, i1 false)"


def _bytes(argument: Any) -> bytes:
    """Return the bytes of an argument in a block, a multiple of 8."""
    body: bytes = np.int64(argument).tobytes() if isinstance(argument, int) else argument.tobytes()
    return body + bytes(-len(body) % 8)


def block(given: Sequence[Any]) -> bytes:
    """Return the block of a thread: the bytes of the arguments that it runs an entry on."""
    return b"".join(map(_bytes, given))


def row_of(body: bytes, given: Sequence[Any], place: int) -> Any:
    """Return the row that is the argument at a place of a block, after a run. `given` has the types and lengths of the block."""
    at = sum(len(_bytes(one)) for one in given[:place])
    return np.frombuffer(body[at:], given[place].dtype, len(given[place]))


class Device:
    """The first device of this machine, with a kernel on it. Close it after use.

    Args:
        code: the PTX of the kernel.

    Raises:
        OSError: there is no driver.
        RuntimeError: the driver refuses a request.
    """

    def __init__(self, code: str) -> None:
        self._driver = ctypes.CDLL(_DRIVER)
        self._blocks, self._size, self._threads = ctypes.c_uint64(), 0, 0
        device, self._context, module, self._kernel = ctypes.c_int(), ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
        self._ask("cuInit", 0)
        self._ask("cuDeviceGet", ctypes.byref(device), 0)
        self._ask("cuCtxCreate_v2", ctypes.byref(self._context), 0, device)
        self._ask("cuModuleLoadData", ctypes.byref(module), code.encode() + b"\0")
        self._ask("cuModuleGetFunction", ctypes.byref(self._kernel), module, _KERNEL.encode())

    def _ask(self, name: str, *given: Any) -> None:
        if fault := getattr(self._driver, name)(*given):
            raise RuntimeError(f"{name} of the driver fails with {fault}")

    def load(self, blocks: Sequence[bytes]) -> None:
        """Copy the block of each thread to the device, in place of its present blocks."""
        self.free()
        self._threads, whole = len(blocks), b"".join(blocks)
        self._size = len(whole)
        self._ask("cuMemAlloc_v2", ctypes.byref(self._blocks), ctypes.c_size_t(self._size))
        self._ask("cuMemcpyHtoD_v2", self._blocks, whole, ctypes.c_size_t(self._size))

    def run(self, group: int = 64) -> None:
        """Run the kernel once in a thread for each block, so many threads in a group, and wait for its end."""
        threads = ctypes.c_uint64(self._threads)
        arguments = (ctypes.c_void_p * 2)(ctypes.addressof(self._blocks), ctypes.addressof(threads))
        self._ask("cuLaunchKernel", self._kernel, -(-self._threads // group), 1, 1, group, 1, 1, 0, None, arguments, None)
        self._ask("cuCtxSynchronize")

    def read(self) -> list[bytes]:
        """Return the blocks as they are after the runs."""
        found = ctypes.create_string_buffer(self._size)
        self._ask("cuMemcpyDtoH_v2", found, self._blocks, ctypes.c_size_t(self._size))
        whole, size = memoryview(found), self._size // self._threads
        return [bytes(whole[place : place + size]) for place in range(0, self._size, size)]

    def free(self) -> None:
        """Give back the memory of the blocks."""
        if self._blocks:
            self._ask("cuMemFree_v2", self._blocks)
            self._blocks = ctypes.c_uint64()

    def close(self) -> None:
        """Give back all that the device has for this process."""
        self._ask("cuCtxDestroy_v2", self._context)


def calls(code: str) -> list[str]:
    """Return the calls that are left in PTX."""
    return re.findall(r"^\s*call\b.*$", code, re.MULTILINE)
