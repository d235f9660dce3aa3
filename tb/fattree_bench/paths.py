"""Where the project's files are: the only place that knows how its folders lie."""

from pathlib import Path

import fattree_models

PACKAGE = Path(__file__).resolve().parent
MODELS = Path(fattree_models.__file__).resolve().parent


def find_root() -> Path:
    """Where relative names start: the clone, or the current folder if there is no clone."""
    clone = PACKAGE.parents[1]
    return clone if (clone / "rtl").is_dir() else Path.cwd()


ROOT = find_root()
HDL = PACKAGE / "bench" / "hdl"
