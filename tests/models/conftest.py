"""Make the repository's packages importable however pytest is started."""

import sys
import tempfile
from pathlib import Path

from hypothesis import settings
from hypothesis.configuration import set_hypothesis_home_dir

ROOT = str(Path(__file__).resolve().parents[2])
if ROOT not in sys.path:
    sys.path.insert(0, ROOT)

# No example database: the tests leave nothing behind.  A failure prints how to replay it.
set_hypothesis_home_dir(Path(tempfile.gettempdir()) / "hypothesis")
settings.register_profile("models", database=None, print_blob=True)
settings.load_profile("models")
