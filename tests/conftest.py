"""What all tests share: the command line as a user calls it, and what needs a simulator."""

import gc
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import settings

from fattree_bench.paths import CALL_VARIABLE
from fattree_bench.sim.variables import FROM_ENVIRONMENT
from tests.warm import Warm

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ROOT = Path(__file__).resolve().parents[1]
HIDDEN = ("PYTEST_CURRENT_TEST", "FORCE_COLOR", "MAKEFLAGS", *FROM_ENVIRONMENT)
TIMEOUT = 300  # seconds; a hanging simulation is a failure, not a hanging suite

BROWSERS = ("chromium", "google-chrome")  # the first that is there
# What tests need and a machine may lack, any of several: what is skipped without it, and what
# installs it.
EXTRA = {
    ("iverilog",): "everything on Icarus Verilog (make setup-icarus)",
    BROWSERS: "reports in a browser (make setup-browser)",
    ("genhtml",): "reports in genhtml (make setup-browser)",
}

os.environ.setdefault("SHRINK", "0")  # of regressions that are to fail
os.environ.pop(CALL_VARIABLE, None)  # of ftb regress, which runs these tests as well
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # of a job in the background: commands would
    signal.signal(signal.SIGINT, signal.default_int_handler)  # ignore what a test sends them
settings.register_profile("facts", deadline=None)  # how long a test takes is none
settings.load_profile("facts")

# A copy of the project loads the one, simulators load the others, not pytest.
collect_ignore = ["tb/fifth"]
collect_ignore_glob = ["tb/*_entry.py"]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Long tests first: what is short fills the gaps, and all cores are busy to the end.

    What is marked nightly is left out, and counted as deselected, unless NIGHTLY=1.  PART=2/4 runs
    the second quarter of all: every fourth test.
    """
    if os.environ.get("NIGHTLY") != "1":
        later = [item for item in items if item.get_closest_marker("nightly")]
        config.hook.pytest_deselected(items=later)
        items[:] = [item for item in items if item not in set(later)]
    # Tests of a file share what is compiled: two workers would compile it at the same time.
    for item in items:
        if item.path.is_relative_to(ROOT / "tests" / "models"):
            item.add_marker(pytest.mark.xdist_group(item.path.stem))
    # All but those of the models start simulators.
    items.sort(key=lambda item: "tb" not in item.path.relative_to(ROOT).parts[:2])
    part, parts = map(int, os.environ.get("PART", "1/1").split("/"))
    elsewhere = [item for k, item in enumerate(items) if k % parts != part - 1]
    config.hook.pytest_deselected(items=elsewhere)
    items[:] = items[part - 1 :: parts]


def pytest_collection_finish() -> None:
    """The 12,000 test items live until the end, so exclude them from garbage collection."""
    gc.collect()
    gc.freeze()


def tell_what_is_skipped(config: pytest.Config) -> None:
    """In red, before and after the tests: it must not be overlooked."""
    if hasattr(config, "workerinput"):
        return
    for tools, what in EXTRA.items():
        if not any(map(shutil.which, tools)):
            config.get_terminal_writer().line(f"SKIPPED: {what}", red=True)


def pytest_sessionstart(session: pytest.Session) -> None:
    tell_what_is_skipped(session.config)


def pytest_terminal_summary(config: pytest.Config) -> None:
    tell_what_is_skipped(config)


@pytest.fixture(scope="module")
def browser() -> Iterator["Browser"]:
    """Chromium without a window."""
    from playwright.sync_api import sync_playwright

    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        pytest.skip("no browser is installed (make setup-browser)")
    with sync_playwright() as playwright:
        arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
        chromium = playwright.chromium.launch(executable_path=path, args=arguments)
        yield chromium
        chromium.close()


def clean() -> dict[str, str]:
    """The environment of a clean shell."""
    kept = {k: v for k, v in os.environ.items() if k not in HIDDEN}
    return {**kept, "COLUMNS": "1000", "NO_COLOR": "1"}


@pytest.fixture(scope="session")
def warm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Warm]:
    """Forks command lines as from a clean shell."""
    server = Warm(clean(), tmp_path_factory.mktemp("cli"))
    yield server
    server.close()


@pytest.fixture(scope="session")
def tb_cli(warm: Warm) -> Callable[..., subprocess.CompletedProcess[str]]:
    """`tb_cli("sim", "N=8", env={...})` runs that command as from a clean shell."""

    def run(*arguments: str, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
        if not env:
            return warm.run(*arguments, seconds=TIMEOUT)
        return subprocess.run(
            [sys.executable, "-m", "fattree_bench", *arguments],
            cwd=ROOT,
            env={**clean(), **env},
            capture_output=True,
            text=True,
            timeout=TIMEOUT,
            check=False,
        )

    return run


@pytest.fixture(scope="session")
def icarus() -> None:
    """Asked for by whatever runs on Icarus Verilog."""
    if shutil.which("iverilog") is None:
        pytest.skip("Icarus Verilog is not installed (make setup-icarus)")


@pytest.fixture
def record_property(
    record_property: Callable[[str, object], None],
) -> Callable[[str, object], None]:
    """Numbers of numpy cannot be sent to the process that collects them; numbers of Python can."""
    return lambda name, value: record_property(
        name, value.item() if isinstance(value, np.generic) else value
    )


@pytest.fixture
def rtl_copy(tmp_path: Path) -> Path:
    """A copy of rtl/ to break."""
    return Path(shutil.copytree(ROOT / "rtl", tmp_path / "rtl"))
