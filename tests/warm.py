"""The command line, imported once: a server that forks, and its client.

A call that is refused takes 0.01 CPU seconds instead of 0.6: it imports nothing, and it ends
without taking down what was imported.  A request is a line of JSON on the server's stdin: the
seconds it may take, the arguments, and the files for the output and the errors; the answer is a
line with the exit status.
"""

import atexit
import gc
import importlib
import json
import os
import pkgutil
import signal
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

ELSEWHERE = (
    "__main__",
    "entry",
    "server",
)  # modules that only a simulator can import, or python -m
leave = os._exit  # a user's Python, which commands load, may not
ROOT = Path(__file__).resolve().parents[1]


class Warm:
    """A server, started in an environment; files of what it said are below `folder`."""

    def __init__(self, environment: Mapping[str, str], folder: Path) -> None:
        self._files = (folder / "output", folder / "errors")
        self._server = subprocess.Popen(
            [sys.executable, "-m", "tests.warm"],
            cwd=ROOT,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def run(self, *arguments: str, seconds: int) -> subprocess.CompletedProcess[str]:
        """Run a command line; TimeoutExpired, and nothing of it is left, after `seconds`."""
        assert self._server.stdin is not None
        assert self._server.stdout is not None
        for file in self._files:
            file.write_bytes(b"")
        request = [seconds, arguments, *map(str, self._files)]
        print(json.dumps(request), file=self._server.stdin, flush=True)
        status = int(self._server.stdout.readline())
        if status == -signal.SIGALRM:
            raise subprocess.TimeoutExpired(arguments, seconds)
        output = (file.read_text() for file in self._files)
        return subprocess.CompletedProcess(arguments, status, *output)

    def close(self) -> None:
        """End the server."""
        self._server.terminate()
        self._server.communicate()


def become(seconds: int, arguments: list[str], *files: str) -> None:
    """Run the command line as a process of its own would; does not return."""
    from fattree_bench.cli import main

    os.setsid()
    signal.alarm(seconds)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    for descriptor, path in enumerate(files, start=1):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT), descriptor)
    sys.argv[1:] = arguments
    status = main(arguments)
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    leave(status)


def warm(name: str) -> None:
    """Import a module, unless it needs packages of make setup-evidence that are not installed."""
    try:
        importlib.import_module(name)
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("fattree"):
            raise


def serve() -> None:
    """Fork for each request on stdin."""
    import fattree_bench.cli

    for module in pkgutil.walk_packages(fattree_bench.__path__, "fattree_bench."):
        if not module.name.endswith(ELSEWHERE):
            warm(module.name)
    gc.freeze()
    sys.argv[0] = str(Path(fattree_bench.cli.__file__).with_name("__main__.py"))
    for line in iter(sys.stdin.readline, ""):
        request = json.loads(line)
        child = os.fork()
        if not child:
            become(*request)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        if status == -signal.SIGALRM:
            with suppress(ProcessLookupError):
                os.killpg(child, signal.SIGKILL)  # what it has started
        print(status, flush=True)


if __name__ == "__main__":
    serve()
