"""os._exit in a user's Python: it would end a command at once, without a word, with any status."""

import os
import sys
import threading
from typing import NoReturn

_leave = os._exit


def refuse_exit() -> None:
    """From here on os._exit is an exception, as sys.exit is; processes that are forked may call it.

    In a thread an exception would be lost: there the process ends, with a line and status 2.
    """
    own = os.getpid()

    def refused(status: int) -> NoReturn:
        if os.getpid() != own:
            _leave(status)
        what = f"os._exit({status})"
        if threading.current_thread() is not threading.main_thread():
            print(f"error: a thread of a user's Python: {what}", file=sys.stderr, flush=True)
            _leave(2)
        raise SystemExit(what)

    os._exit = refused
