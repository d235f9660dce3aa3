"""What a simulator that forks others needs: Python loaded once, and how a child ended."""

import inspect
import os
import select
import signal
import sys
from importlib import import_module

BLAS = "scipy.linalg.cython_blas"
PATIENCE = 20  # wall seconds per CPU second after which a child counts as asleep


def load() -> None:
    """Load what numba's first function would, and the table of modules for pyuvm's first objection.

    Numba would also load scipy's linear algebra, 0.4 s, to see if it is there; no model needs it.
    """
    if "numba" in sys.modules and BLAS not in sys.modules:
        sys.modules[BLAS] = None  # type: ignore[assignment]
        import_module("numba.np.arraymath")
        del sys.modules[BLAS]
    inspect.stack()


def ended(child: int, limit: int) -> tuple[int, str, float]:
    """How a child ended: its status, "asleep" if it was killed for that, seconds of CPU time."""
    stopped, poll = "", select.poll()
    with os.fdopen(os.pidfd_open(child)) as watch:
        poll.register(watch, select.POLLIN)
        if not poll.poll(limit * PATIENCE * 1000 if limit else None):
            stopped = "asleep"
            os.kill(child, signal.SIGKILL)
    _, status, usage = os.wait4(child, 0)
    return os.waitstatus_to_exitcode(status), stopped, usage.ru_utime + usage.ru_stime
