"""Machine code is emitted once: for the function that is called from Python, with every rule that it reaches linked into it.

Left to itself Numba optimises each function, with all that it calls, and emits it, and does both again for whoever calls that one.
No rule is ever called from outside, so each is only kept as it is and linked into its callers. That halves the time of compilation.
Were Numba to name functions otherwise one day, it would find no machine code to keep on disk, and `prepare` do without.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import cpu_target


class Part(JITCodeLibrary):  # type: ignore[misc]
    """A function that is linked into its callers and has no address of its own."""

    def finalize(self) -> None:
        """Link what it calls, and leave the rest to its callers."""
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """What Numba takes for a function that is not there."""
        return 0


@contextmanager
def emitting_only(function: Callable[..., Any]) -> Iterator[None]:
    """Whatever is compiled meanwhile, but for this function, is a part of it."""
    with global_compiler_lock:
        codegen = cpu_target.target_context.codegen()
        set_env = codegen.set_env

        def create(name: str) -> JITCodeLibrary:
            return (JITCodeLibrary if name == function.__qualname__ else Part)(codegen, name)

        def set_env_of_emitted(name: str, env: Any) -> None:
            if codegen._engine.is_symbol_defined(name):
                set_env(name, env)

        codegen.create_library, codegen.set_env = create, set_env_of_emitted
        try:
            yield
        finally:
            del codegen.create_library, codegen.set_env
