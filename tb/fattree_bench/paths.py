"""Where the project's files are: the only place that knows how its folders lie.

A clone holds tb/, models/, prover/ and rtl/ side by side.  An installed wheel has no clone round
it: there the RTL lies in the package, and what is generated goes below the current folder.
"""

import os
from pathlib import Path

from platformdirs import user_cache_path

import fattree_models
from fattree_bench.errors import UserError

PACKAGE = Path(__file__).resolve().parent
MODELS = Path(fattree_models.__file__).resolve().parent
ROOT_VARIABLE = "FTB_ROOT"  # tells a simulator's process, which runs in a folder of its own

CALL_VARIABLE = "FTB_CALL"  # tells jobs and simulators how the user has called


def find_clone() -> Path | None:
    """The clone that this package is part of, if it is part of one."""
    folder = PACKAGE.parents[1]
    whole = PACKAGE.parent.name == "tb" and (folder / "rtl").is_dir()
    return folder if whole else None


CLONE = find_clone()
# Where relative names start, and what is generated goes.
ROOT = CLONE or Path(os.environ.get(ROOT_VARIABLE) or Path.cwd())
RTL = CLONE / "rtl" if CLONE else PACKAGE / "rtl"
HDL = PACKAGE / "bench" / "hdl"
# Verilator's own library, compiled: builds in all folders share it.
RUNTIME = (CLONE / "build" if CLONE else user_cache_path("fat-tree-bench")) / "runtime"


def call() -> str:
    """How this user calls a command: ftb, or make in a clone."""
    return os.environ.get(CALL_VARIABLE, "make" if CLONE else "ftb")


def clone(asked: str) -> Path:
    """The clone; UserError says that what was asked for needs one."""
    if CLONE is None:
        raise UserError(f"{asked}: only in a clone of the project; here is an installed package")
    return CLONE
