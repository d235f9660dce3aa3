"""The command line, imported once: each request on stdin is a fork that runs it.

Half a second of imports a call, several hundred times, would be a fifth of the suite.  A request is
a line of JSON: the seconds it may take, the arguments, and the files for the output and the errors;
the answer is a line with the exit status.
"""

import json
import os
import signal
import sys
from pathlib import Path

from fattree_bench.cli import main


def become(seconds: int, arguments: list[str], *files: str) -> None:
    """Run the command line as a process of its own would; does not return."""
    os.setsid()
    signal.alarm(seconds)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    for descriptor, path in enumerate(files, start=1):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT), descriptor)
    sys.argv[1:] = arguments
    sys.exit(main(arguments))


def serve() -> None:
    for line in iter(sys.stdin.readline, ""):
        request = json.loads(line)
        child = os.fork()
        if not child:
            become(*request)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        if status == -signal.SIGALRM:
            os.killpg(child, signal.SIGKILL)  # what it has started
        print(status, flush=True)


if __name__ == "__main__":
    sys.argv[0] = str(Path(sys.modules["fattree_bench"].__path__[0]) / "__main__.py")
    serve()
