"""Makes Numba emit machine code once: for the function that Python calls, with every rule that it reaches linked into it.

By default Numba optimises and emits each function together with all that it calls, and does both again for each of its callers. No
rule is called from outside, so here a rule is only linked into its callers. That halves the time of compilation. If a later Numba
names functions in another way, it will find no machine code to store on disk, and `prepare` compiles without the cache.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import cpu_target


class Part(JITCodeLibrary):  # type: ignore[misc]
    """The code library of a function that is linked into its callers and has no address of its own."""

    def finalize(self) -> None:
        """Link the functions that it calls, and leave optimisation and emission to its callers."""
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """Return 0, which Numba takes for a function without an address."""
        return 0


@contextmanager
def emitting_only(function: Callable[..., Any] | None) -> Iterator[None]:
    """A context in which every function that is compiled, except this one, becomes a `Part`; without exception for None."""
    with global_compiler_lock:
        codegen = cpu_target.target_context.codegen()
        set_env = codegen.set_env

        def create(name: str) -> JITCodeLibrary:
            return (JITCodeLibrary if function and name == function.__qualname__ else Part)(codegen, name)

        def set_env_of_emitted(name: str, env: Any) -> None:
            if codegen._engine.is_symbol_defined(name):
                set_env(name, env)

        codegen.create_library, codegen.set_env = create, set_env_of_emitted
        try:
            yield
        finally:
            del codegen.create_library, codegen.set_env
