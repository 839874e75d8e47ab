"""Instances of WebAssembly modules in Node.js, which has the engine of Chromium."""

import json
import subprocess
from base64 import b64decode, b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from mekuri.engine.wasm_backend import STACK
from mekuri.engine.webassembly import PAGE
from tools.build_page import find_node

ROOT = Path(__file__).parents[2]


class NodeInstance:
    """An `Instance` in a process of Node.js."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def _ask(self, *words: str | int) -> Any:
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(f"{json.dumps(words)}\n")
        self._process.stdin.flush()
        answer = json.loads(self._process.stdout.readline())
        if "error" in answer:
            raise RuntimeError(answer["error"])
        return answer["done"]

    @property
    def size(self) -> int:
        return int(self._ask("size"))

    def grow(self, pages: int) -> None:
        self._ask("grow", pages)

    def read(self, at: int, size: int) -> bytes:
        return b64decode(self._ask("read", at, size))

    def write(self, at: int, body: bytes) -> None:
        self._ask("write", at, b64encode(body).decode())

    def clear(self, at: int, size: int) -> None:
        self._ask("clear", at, size)

    def has(self, name: str) -> bool:
        return bool(self._ask("has", name))

    def call(self, name: str, at: int) -> None:
        self._ask("call", name, at)

    @property
    def seconds(self) -> float:
        """The processor time that the process has taken."""
        return float(self._ask("seconds"))


@contextmanager
def instance(module: bytes) -> Iterator[NodeInstance]:
    """A context with an instance of a module. The test is skipped where there is no Node.js."""
    node = find_node(ROOT)
    if node is None:
        pytest.skip("there is no Node.js that is new enough")
    with TemporaryDirectory() as folder:
        file = Path(folder, "module.wasm")
        file.write_bytes(module)
        command = [node / "node", Path(__file__).with_suffix(".mjs"), file]
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        try:
            opened = NodeInstance(process)
            end = opened.size  # of the stack, which has no guard: one that is too small would overwrite the data before it
            yield opened
            assert not any(opened.read(end - STACK * PAGE, STACK * PAGE // 2)), "the rules have used more than half of the stack"
        finally:
            process.kill()
            process.communicate()
