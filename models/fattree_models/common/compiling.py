"""How functions are compiled whose time counts, and an instruction that they share.

After a change of this file remove all __pycache__: numba's cache sees only changes of the files
in which compiled functions are.
"""

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numpy as np
from numba import config, njit, types
from numba.core import cgutils
from numba.extending import intrinsic

Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(function: Function, inlined: bool = False) -> Function:
    """Compile without reference counting, which would dominate the run time and has no use here
    where nothing is allocated.
    """
    options: dict[str, Any] = {"cache": True, "nogil": True, "error_model": "numpy", "_nrt": False}
    return cast(Function, njit(**options, forceinline=inlined)(function))


def inlined(function: Function) -> Function:
    """Compile a function that is inlined wherever it is called."""
    return compiled(function, True)


def _lowest(_: Any, bits: Any) -> Any:
    """Return the place of the lowest bit that is set: one instruction."""

    def made(_: Any, builder: Any, __: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], cgutils.true_bit)  # there is always one

    return types.int64(bits), made


def _stepped(bits: int | np.uint64) -> int:
    """`lowest` where nothing is compiled: NUMBA_DISABLE_JIT=1, to step through a kernel."""
    return (int(bits) & -int(bits)).bit_length() - 1


STEPPED: bool = config.DISABLE_JIT  # type: ignore[attr-defined]
lowest = cast(Callable[[int | np.uint64], int], _stepped if STEPPED else intrinsic(_lowest))
