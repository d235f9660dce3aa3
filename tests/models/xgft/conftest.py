"""Fixtures of the checks that claims are decided by."""

from collections.abc import Callable

import pytest


@pytest.fixture
def record(record_property: Callable[[str, object], None]) -> Callable[..., None]:
    """Keeps numbers by name, for the measures of claims."""

    def record(**numbers: float) -> None:
        for name, value in numbers.items():
            record_property(name, value)

    return record
