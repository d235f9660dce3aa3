"""How the tests of the models use hypothesis."""

import tempfile
from pathlib import Path

from hypothesis import settings
from hypothesis.configuration import set_hypothesis_home_dir

# No example database: the tests leave nothing behind.  A failure prints how to replay it.
set_hypothesis_home_dir(Path(tempfile.gettempdir()) / "hypothesis")
settings.register_profile("models", database=None, print_blob=True)
settings.load_profile("models")
