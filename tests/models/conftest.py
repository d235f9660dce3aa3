"""How the tests of the models use hypothesis; numbers kept for the measures of claims."""

import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis.configuration import set_hypothesis_home_dir

# No example database: the tests leave nothing behind.  A failure prints how to replay it.
set_hypothesis_home_dir(Path(tempfile.gettempdir()) / "hypothesis")
settings.register_profile("models", database=None, print_blob=True)
settings.load_profile("models")


@pytest.fixture
def record(record_property: Callable[[str, object], None]) -> Callable[..., None]:
    """Keeps numbers by name, for the measures of claims."""

    def record(**numbers: float) -> None:
        for name, value in numbers.items():
            record_property(name, float(value))

    return record
